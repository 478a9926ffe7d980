"""lab index-structures: time the same index as a list, hash tables, a dict, relational tables and our own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from minisearch.cli import options
from minisearch.cli.lab_show import as_json, print_json, show_table, talk
from minisearch.cli.options import Integer
from minisearch.errors import BadInput
from minisearch.lab.options import parts_of
from minisearch.models import counted

if TYPE_CHECKING:
    from minisearch.lab.structures import Pages, Spread, Timing

OURS = "minisearch, in SQLite"


@click.command("index-structures", short_help="Time list, hash table, dict and SQLite indexes.")
@click.option(
    "--db", metavar="FILE", help="Index the pages of this crawl.  [default: modules of Python's standard library]"
)
@click.option("--sizes", default="10,20,50,500", show_default=True, metavar="N,...", help="Numbers of pages.")
@click.option("--words", type=Integer(1), default=200, show_default=True, help="Maximum words per page.")
@click.option(
    "--patience",
    type=options.POSITIVE_OR_ZERO,
    default=20.0,
    show_default=True,
    help="Stop a build after this many seconds.",
)
@click.option(
    "--buckets", type=Integer(1), default=12, show_default=True, help="Buckets of the hash distribution test."
)
@as_json
def index_structures(db: str | None, sizes: str, words: int, patience: float, buckets: int, as_json: bool) -> None:
    """Time building and lookups of six indexes: list, hash tables with a bad and a better hash function, dict,
    relational tables in SQLite, and the index of minisearch.

    Building is in CPU seconds, a lookup in microseconds. The last column is what I. Ilic measured in 2016.
    """
    from minisearch.lab.structures import STRUCTURES, measure, spreads

    wanted = _sizes(sizes)
    pages = _pages(db, max(wanted), words)
    if len(pages) < max(wanted):
        talk(f"only {counted(len(pages), 'page')} to index")
        wanted = sorted({min(size, len(pages)) for size in wanted})
    timings: list[Timing] = []
    for timing in measure(pages, sizes=wanted, structures={**STRUCTURES, OURS: SqliteIndex}, patience=patience):
        timings.append(timing)
        if not as_json:
            talk(f"{counted(timing.pages, 'page')}, {timing.structure}: {timing.build:.3f} s")
    spread = spreads(pages, buckets)
    if as_json:
        rows = [asdict(timing) | {"stopped": timing.stopped} for timing in timings]
        print_json({"timings": rows, "buckets": [asdict(one) for one in spread]})
        return
    _print_timings(timings)
    _print_spreads(spread)


def _sizes(text: str) -> list[int]:
    try:
        found = sorted({int(part) for part in parts_of(text)})
    except ValueError:
        found = []
    if not found or found[0] < 1:
        raise BadInput(f'--sizes must be numbers of pages, such as 10,20,50, not "{text}"')
    return found


def _pages(db: str | None, count: int, words: int) -> Pages:
    from minisearch.lab.structures import cut, library_pages

    if db is None:
        return library_pages(count, words)
    from minisearch.engine import Engine

    with Engine(db, create=False) as engine:
        pages = cut(engine.texts(2 * count), words)[:count]
    if not pages:
        raise BadInput(f"{db} has no pages with text: run minisearch crawl first")
    return pages


class SqliteIndex:
    """Our own index, in memory. It also stores frequencies, fields and positions of words."""

    def __init__(self) -> None:
        from minisearch.engine import Engine

        self._engine = Engine()

    def build(self, pages: Pages, stop: Callable[[], bool]) -> int:  # noqa: ARG002
        """Add the pages as a crawl does, and index them."""
        from minisearch.models import Page

        self._engine.add_pages(Page(f"http://pages/{n}", text=text) for n, (_, text) in enumerate(pages))
        self._engine.index()
        return len(pages)

    def lookup(self, word: str) -> int:
        """How many pages match a query of one word, ranked."""
        return self._engine.search(word, limit=10, snippets=False).total


def _print_timings(timings: list[Timing]) -> None:
    rows = []
    for timing in timings:
        built = f"over {timing.build:.1f}, stopped at {timing.done}" if timing.stopped else f"{timing.build:.6f}"
        asked = "-" if timing.lookup is None else f"{timing.lookup * 1e6:.1f}"
        then = "-" if timing.published is None else f"{timing.published:.6f}"
        rows.append((timing.structure, str(timing.pages), str(timing.words), built, asked, then))
    show_table(["index", "pages", "words", "build s", "lookup us", "published s"], rows)


def _print_spreads(spread: list[Spread]) -> None:
    click.echo()
    rows: list[tuple[Any, ...]] = []
    for one in spread:
        low, high, chi = one.published
        shown = (str(sum(one.counts)), str(min(one.counts)), str(max(one.counts)), f"{one.chi_square:.1f}")
        rows.append((one.name, *shown, f"{low} to {high}, {chi:.1f}"))
    show_table(["hash by", "words", "smallest", "largest bucket", "chi-square", "published"], rows)
    for one in spread:
        click.echo(f"buckets by {one.name}: {' '.join(map(str, one.counts))}")
    talk(
        f"a uniform hash with {len(spread[0].counts)} buckets has an expected chi-square of {len(spread[0].counts) - 1}"
    )
