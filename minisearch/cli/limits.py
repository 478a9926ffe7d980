"""The limits of a crawl as options, by the same names as in Python and in minisearch.toml."""

from __future__ import annotations

import click

from minisearch.cli.options import Command

# Option -> its default, its unit, and its help. The defaults are those of minisearch/limits.py.
LIMITS: dict[str, tuple[int | float, str, str]] = {
    "page-bytes": (10_000_000, "BYTES", "Maximum size of a page, decompressed."),
    "page-seconds": (30.0, "S", "Maximum time for one page in all."),
    "silence-seconds": (10.0, "S", "Maximum time without a byte from the server."),
    "header-bytes": (100_000, "BYTES", "Maximum size of the response headers."),
    "redirects": (10, "N", "Maximum number of redirects in a row."),
    "links": (5_000, "N", "Maximum number of URLs taken from one page."),
    "worker-bytes": (2_000_000_000, "BYTES", "Maximum memory of a worker process for one page (Linux)."),
    "url-length": (2_000, "N", "Maximum length of a URL in characters."),
    "path-segments": (20, "N", "Maximum number of segments in the path of a URL."),
    "repeats": (2, "N", "How often the same segments may follow one another in a path."),
    "tries": (3, "N", "Attempts for one URL after transient errors."),
    "pause-seconds": (60.0, "S", "Maximum wait that a server can ask for."),
    "host-failures": (10, "N", "Skip a host after this many failed URLs in a row."),
    "host-pages": (0, "N", "Maximum number of pages from one host; 0: no limit."),
    "shape-pages": (10_000, "N", "Maximum number of pages with the same URL pattern (numbers and ids left out)."),
    "shape-alike": (20, "N", "Block a URL pattern after this many pages that nearly repeat others."),
}


def limits(command: Command) -> Command:
    """Add an option for each limit, --type and --allow-private."""
    command = click.option("--allow-private", is_flag=True, help="Follow links to private addresses, too.")(command)
    command = click.option(
        "--type", "types", multiple=True, metavar="TYPE", help="Content type to read; may be repeated."
    )(command)
    for name, (default, metavar, what) in reversed(LIMITS.items()):
        kind = int if isinstance(default, int) else float
        shown = f"{default:,}" if isinstance(default, int) else f"{default:g}"
        command = click.option(f"--{name}", type=kind, metavar=metavar, help=f"{what}  [default: {shown}]")(command)
    return command
