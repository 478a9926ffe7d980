"""What the commands print: safe text, tables, JSON, CSV and the progress of a crawl.

Titles, texts and headers come from other people's servers. An escape sequence could repaint the terminal, and a
right-to-left override could make one URL look like another, so everything is sanitized before it is printed.
"""

from __future__ import annotations

import csv
import json
import re
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import click

from minisearch.errors import NotFound

if TYPE_CHECKING:
    from minisearch.crawl.job import CrawlJob

_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction marks and overrides
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_INVISIBLE = re.compile(rf"[{_BIDI}\ufeff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")  # cannot be encoded
_ESCAPED = re.compile(rf"[\x7f-\x9f\u2028\u2029{_BIDI}\ud800-\udfff]")


def sanitize(text: str) -> str:
    """`text` on one line, without control characters and direction overrides.

    >>> sanitize("a\\x1b[31mb\\nc \\u202egnp.exe")
    'a [31mb c gnp.exe'
    """
    if text.isprintable():  # by far the most frequent case
        return text
    return _SURROGATE.sub("\ufffd", _INVISIBLE.sub("", _CONTROL.sub(" ", text)))


def echo(*lines: str, err: bool = False) -> None:
    """Print lines, sanitized. Tabs stay: the message about a line of a file may be about its tabs.

    >>> echo("failed: unsupported Content-Encoding (\\x1b[31mzip)")
    failed: unsupported Content-Encoding ( [31mzip)
    """
    for line in lines:
        click.echo("\t".join(map(sanitize, line.split("\t"))), err=err)


def talk(*lines: str) -> None:
    """Print lines to standard error; empty ones are left out."""
    echo(*filter(None, lines), err=True)


def suggest(name: str, known: Iterable[str], similarity: float = 0.6) -> str:
    """The nearest of the known names, for the end of a message about one that is unknown.

    >>> suggest("serach", ["search", "crawl"])
    '. Did you mean "search"?'
    """
    near = get_close_matches(name, list(known), 1, similarity)
    return f'. Did you mean "{near[0]}"?' if near else ""


# -- data ------------------------------------------------------------------------------------


def as_json(value: Any, *, indent: int | None = 2) -> str:
    """JSON of data and dataclasses, with the letters of every language, but with invisible characters escaped.

    >>> print(as_json({"title": "Ruže \\u202e"}, indent=None))
    {"title": "Ruže \\u202e"}
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False, default=asdict)
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def print_json(value: Any) -> None:
    """Print one JSON value, or a dataclass."""
    click.echo(as_json(value))


def print_found(found: Any, as_json: bool, print_text: Callable[[Any], object]) -> None:
    """Print data as JSON or as text."""
    if as_json:
        print_json(found)
    else:
        print_text(found)


@contextmanager
def missing_is_exit_code_1() -> Iterator[None]:
    """Print a NotFound error without the name of the program, and exit: it is a result of the command."""
    try:
        yield
    except NotFound as error:
        talk(str(error))
        sys.exit(1)


def print_csv(columns: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
    """Print comma-separated values with a header line."""
    writer = csv.writer(sys.stdout)
    writer.writerow(columns)
    writer.writerows(rows)


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    words: Collection[int] | None = None,
    title: str = "",
    rule: bool = False,
) -> None:
    """Print an aligned table. Text is aligned left and numbers right; `words` are the columns of text, if given.

    >>> print_table(["word", "pages"], [("roses", 7), ("a", 25)], rule=True)
    word   pages
    -----  -----
    roses      7
    a         25
    """
    rows = list(rows)
    cells = [[_cell(value) for value in row] for row in rows]
    if words is None:
        numeric = [all(isinstance(value, int | float | None) for value in column) for column in zip(*rows, strict=True)]
        words = [number for number, _ in enumerate(columns) if not rows or not numeric[number]]
    names = [sanitize(name) for name in columns]
    widths = [max(map(len, column)) for column in zip(names, *cells, strict=True)]

    def aligned(line: Sequence[str]) -> str:
        padded = (
            cell.ljust(width) if number in words else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        return "  ".join(padded).rstrip()

    if title:
        click.echo(title)
    if any(names):
        click.echo(click.style(aligned(names), bold=True))
    if rule:
        click.echo(aligned(["-" * width for width in widths]))
    for line in cells:
        click.echo(aligned(line))


def _cell(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else "" if value is None else sanitize(str(value))


# -- progress --------------------------------------------------------------------------------

REFRESH_SECONDS = 0.2
BAR_WIDTH = 20
BAR_COLUMNS = BAR_WIDTH + 26  # with brackets, the numbers of pages, and the time left


def show_progress(crawling: CrawlJob, max_pages: int, *, revisits: bool = False) -> None:
    """Run a crawl to its end; on a terminal, show pages done, queued, failed and per second, and the current host.

    With `revisits`, all visits count as done, not only those that gave a page.
    """
    if not sys.stderr.isatty():
        for _ in crawling:
            pass
        return
    from minisearch.models import Failed, Page

    done = fetched = failed = 0
    shown_at = -REFRESH_SECONDS
    room = shutil.get_terminal_size().columns - BAR_COLUMNS  # a longer line would wrap, and each update leave a line
    with click.progressbar(
        length=max_pages, width=BAR_WIDTH, file=sys.stderr, show_pos=True, item_show_func=lambda text: text
    ) as bar:
        for number, visit in enumerate(crawling, 1):
            fetched += isinstance(visit.outcome, Page)
            failed += isinstance(visit.outcome, Failed)
            done = number if revisits else crawling.fetched_before + fetched
            if crawling.elapsed() - shown_at < REFRESH_SECONDS:
                continue
            shown_at = crawling.elapsed()
            queued = max_pages - done if revisits else crawling.waiting()
            bar.length = max(1, min(max_pages, done + queued))
            speed = (number if revisits else fetched) / max(crawling.elapsed(), 0.1)
            state = [f"{queued:,} queued", f"{failed:,} failed", f"{speed:,.0f} pages/s", visit.queued.host]
            while len(", ".join(state)) > room and len(state) > 1:
                state.pop()
            bar.update(done - bar.pos, ", ".join(state))
        bar.length = max(1, done)
        bar.update(bar.length - bar.pos, "")
