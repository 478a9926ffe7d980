"""The commands in the handbook: where they stand, and what they print today.

`python -m tests.handbook.console` writes into the pages what their commands print.
"""

import re
import shlex
from contextlib import ExitStack, chdir, contextmanager
from html import escape, unescape
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from minisearch.cli.main import main
from minisearch.testing.server import FIXTURES, fixture_server

HANDBOOK = FIXTURES / "handbook"
SHOWN_SITE = "http://127.0.0.1:8000"
BLOCK = re.compile(r'(<pre class="console( measured)?" tabindex="0">)(.*?)(</pre>)', re.S)
STEP = re.compile(r"^\$ (minisearch .*)\n?((?:(?!\$ ).*\n?)*)", re.M)
FILE = re.compile(r'<pre class="file" title="([\w.-]+)" tabindex="0">(.*?)</pre>', re.S)
MEASURED = re.compile(r"\d+\.\d+ (ms|s)\b")  # no two runs take the same time


def pages():
    """The pages that show commands; first the one whose commands make what the others use."""
    shown = [page for page in sorted(HANDBOOK.rglob("*.html")) if BLOCK.search(page.read_text("utf-8"))]
    return sorted(shown, key=lambda page: page.name != "start.html")


def blocks(page):
    """For each block of a page: whether its numbers are measured, and its (command, output shown below it)."""
    for _, measured, text, _ in BLOCK.findall(page.read_text("utf-8")):
        yield bool(measured), [(command, output.rstrip("\n")) for command, output in STEP.findall(unescape(text))]


def comparable(output, measured):
    """Without what differs from run to run."""
    return re.sub(r"[\d.]+|(?<= ) +", "", output) if measured else MEASURED.sub("0 \\1", output)


class Desk:
    """A folder in which commands are typed, and the sites that they ask."""

    def __init__(self, folder, site):
        self.folder, self.site = folder, site

    def run(self, command):
        """What `command` prints, on stdout and on stderr."""
        words = shlex.split(command.replace(SHOWN_SITE, self.site))[1:]
        with chdir(self.folder):
            done = CliRunner().invoke(main, words, catch_exceptions=False)
        return done.output.replace(self.site, SHOWN_SITE).rstrip("\n")


@contextmanager
def desk():
    """A desk with the files that the pages tell their readers to write."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        for page in HANDBOOK.rglob("*.html"):
            for name, text in FILE.findall(page.read_text("utf-8")):
                (folder / name).write_text(unescape(text).strip() + "\n")
        yield Desk(folder, stack.enter_context(_sites()))


@contextmanager
def _sites():
    """The sites on a port with as many digits as the one that is shown, so that tables have the same width."""
    for port in range(8001, 10000):
        with ExitStack() as stack:
            try:
                site = stack.enter_context(fixture_server(port=port))
            except OSError:
                continue  # taken
            yield site
            return
    raise OSError("no port is free")


def refresh():
    """Write today's outputs into the pages; how many pages have changed."""
    changed = 0
    with desk() as here:
        for page in pages():
            old = page.read_text("utf-8")
            new = BLOCK.sub(lambda block: _refreshed(here, block), old)
            page.write_text(new, "utf-8")
            changed += new != old
    return changed


def _refreshed(here, block):
    opening, measured, text, closing = block.groups()
    lines = []
    for command, shown in STEP.findall(unescape(text)):
        printed, shown = here.run(command), shown.rstrip("\n")
        same = comparable(printed, measured) == comparable(shown, measured)
        lines += [f"$ {command}", shown if same else printed]
    return opening + escape("\n".join(filter(None, lines)), quote=False) + closing


if __name__ == "__main__":
    while changed := refresh():  # what one page shows may count the words of another
        print(f"{changed} pages changed")
