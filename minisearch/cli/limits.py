"""The limits of a crawl as options: each has the name it has in Python and in minisearch.toml."""

from __future__ import annotations

import click

from minisearch.cli.options import Command

# Option -> its default, what is counted, and what it means. The defaults are those of minisearch/limits.py.
LIMITS: dict[str, tuple[int | float, str, str]] = {
    "page-bytes": (10_000_000, "BYTES", "Give up a page that is larger than this, unpacked."),
    "page-seconds": (30.0, "S", "Give up a page after this time."),
    "silence-seconds": (10.0, "S", "Wait this long for the next byte."),
    "header-bytes": (100_000, "BYTES", "Give up a page whose headers are larger."),
    "redirects": (10, "N", "Follow this many in a row."),
    "links": (5_000, "N", "Take links to this many urls from one page."),
    "worker-bytes": (2_000_000_000, "BYTES", "Give up a page for which a worker process needs more memory (Linux)."),
    "url-length": (2_000, "N", "Skip urls with more characters."),
    "path-segments": (20, "N", "Skip urls with more parts between slashes."),
    "repeats": (2, "N", "Skip urls in which the same parts follow one another more often."),
    "tries": (3, "N", "Ask this many times when there is no answer for the moment."),
    "pause-seconds": (60.0, "S", "Wait this long at the most when a server asks us to."),
    "host-failures": (10, "N", "Leave a host in peace after this many urls failed in a row."),
    "host-pages": (0, "N", "Fetch at most this many pages of one host; 0: as many as there are."),
    "shape-pages": (10_000, "N", "Fetch at most this many pages whose urls differ in numbers and ids only."),
    "shape-alike": (20, "N", "Block such URLs as a crawler trap after this many pages that nearly repeat others."),
}


def limits(command: Command) -> Command:
    """An option for each limit, and those that say where to go and what to read at all."""
    command = click.option("--allow-private", is_flag=True, help="Follow links to addresses inside your network, too.")(
        command
    )
    command = click.option(
        "--type", "types", multiple=True, metavar="TYPE", help="Read this content type only; may be repeated."
    )(command)
    for name, (default, metavar, what) in reversed(LIMITS.items()):
        kind = int if isinstance(default, int) else float
        shown = f"{default:,}" if isinstance(default, int) else f"{default:g}"
        command = click.option(f"--{name}", type=kind, metavar=metavar, help=f"{what}  [default: {shown}]")(command)
    return command
