"""The commands in the handbook, the reference and the README: where they are, and what they print today.

`python -m tests.handbook.console` writes what they print into the pages and into the README.
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
REFERENCE = FIXTURES / "reference"
README = FIXTURES.parent / "README.md"
SHOWN_SITE = "http://127.0.0.1:8000"
BLOCK = re.compile(r'(<pre class="console( measured)?" tabindex="0">)(.*?)(</pre>)', re.S)
README_BLOCK = re.compile(r"(^```console\n)(.*?)(^```)", re.M | re.S)
STEP = re.compile(r"^\$ (minisearch .*)\n?((?:(?!\$ ).*\n?)*)", re.M)
FILE = re.compile(r'<pre class="file" title="([\w.-]+)" tabindex="0">(.*?)</pre>', re.S)
MEASURED = re.compile(r"\d+\.\d+ (ms|s)\b")  # no two runs take the same time


def pages():
    """The pages that show commands; first the one whose commands create the files that the others use."""
    shown = [page for page in all_pages() if BLOCK.search(page.read_text("utf-8"))]
    return sorted(shown, key=lambda page: page.name != "start.html")


def all_pages():
    """The pages of the handbook, then those of the reference."""
    return [*sorted(HANDBOOK.rglob("*.html")), *sorted(REFERENCE.rglob("*.html"))]


def blocks(page):
    """For each block of a page: whether its numbers are measured, and its (command, output shown below it)."""
    for _, measured, text, _ in BLOCK.findall(page.read_text("utf-8")):
        yield bool(measured), steps(unescape(text))


def readme_steps():
    """(command, output shown below it) of every command in a console block of the README."""
    return [step for _, text, _ in README_BLOCK.findall(README.read_text("utf-8")) for step in steps(text)]


def steps(text):
    """The (command, output) pairs of a block."""
    return [(command, output.rstrip("\n")) for command, output in STEP.findall(text)]


def comparable(output, measured=False):
    """Without what differs from run to run."""
    return re.sub(r"[\d.]+|(?<= ) +", "", output) if measured else MEASURED.sub("0 \\1", output)


class Desk:
    """A folder in which commands are typed, and the sites that they crawl."""

    def __init__(self, folder, site):
        self.folder, self.site = folder, site

    def run(self, command):
        """What `command` prints, on stdout and on stderr."""
        words = shlex.split(command.replace(SHOWN_SITE, self.site))[1:]
        with chdir(self.folder):
            done = CliRunner().invoke(main, words, catch_exceptions=False)
        return done.output.replace(self.site, SHOWN_SITE).rstrip("\n")

    def updated(self, text, measured=False):
        """The commands of a block with what they print now; what differs only in measured numbers is kept."""
        lines = []
        for command, shown in steps(text):
            printed = self.run(command)
            same = comparable(printed, measured) == comparable(shown, measured)
            lines += [f"$ {command}", shown if same else printed]
        return "\n".join(filter(None, lines))


@contextmanager
def desk():
    """A desk with the files that the pages ask their readers to write."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        for page in all_pages():
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
            changed += _rewrite(page, BLOCK, lambda block: _page_block(here, block))
    with desk() as here:  # the README creates files of its own
        changed += _rewrite(README, README_BLOCK, lambda block: _readme_block(here, block))
    return changed


def _rewrite(file, pattern, replacement):
    old = file.read_text("utf-8")
    new = pattern.sub(replacement, old)
    file.write_text(new, "utf-8")
    return new != old


def _page_block(here, block):
    opening, measured, text, closing = block.groups()
    return opening + escape(here.updated(unescape(text), measured), quote=False) + closing


def _readme_block(here, block):
    opening, text, closing = block.groups()
    return f"{opening}{here.updated(text)}\n{closing}"


if __name__ == "__main__":
    while changed := refresh():  # what one page shows may count the words of another
        print(f"{changed} pages changed")
