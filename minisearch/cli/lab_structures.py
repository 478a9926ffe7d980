"""lab index-structures: the same pages into a list, two hash tables, a map, relational tables, and our own index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from minisearch.cli import options
from minisearch.cli.lab_show import as_json, print_json, show_table, talk
from minisearch.errors import BadInput
from minisearch.lab.written import parts_of

if TYPE_CHECKING:
    from minisearch.lab.structures import Pages, Spread, Timing

OURS = "minisearch, in SQLite"


@click.command("index-structures", short_help="Time list, hash tables, map and SQLite.")
@click.option("--db", metavar="FILE", help="Take the pages of this crawl.  [default: modules of Python's own library]")
@click.option("--sizes", default="10,20,50,500", show_default=True, metavar="N,...", help="Numbers of pages.")
@click.option("--words", type=click.IntRange(1), default=200, show_default=True, help="Words of a page, at most.")
@click.option(
    "--patience",
    type=options.POSITIVE_OR_ZERO,
    default=20.0,
    show_default=True,
    help="Stop a build after this many seconds.",
)
@click.option("--buckets", type=click.IntRange(1), default=12, show_default=True, help="Of the distribution test.")
@as_json
def index_structures(db: str | None, sizes: str, words: int, patience: float, buckets: int, as_json: bool) -> None:
    """Time how long indexes take to build and to look up: list, hash tables with a bad and a better hash function, map,
    relational tables in SQLite, and the index of minisearch.

    Processor seconds for building, microseconds for looking up a word; beside them what I. Ilic measured in 2016.
    """
    from minisearch.lab.structures import STRUCTURES, measure, spreads

    wanted = _sizes(sizes)
    pages = _pages(db, max(wanted), words)
    if len(pages) < max(wanted):
        talk(f"there are {len(pages)} pages only")
        wanted = sorted({min(size, len(pages)) for size in wanted})
    timings: list[Timing] = []
    for timing in measure(pages, sizes=wanted, structures={**STRUCTURES, OURS: SqliteIndex}, patience=patience):
        timings.append(timing)
        if not as_json:
            talk(f"{timing.pages} pages, {timing.structure}: {timing.build:.3f} s")
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
        raise BadInput(f'--sizes are numbers of pages, as 10,20,50, not "{text}"')
    return found


def _pages(db: str | None, count: int, words: int) -> Pages:
    from minisearch.lab.structures import cut, library_pages

    if db is None:
        return library_pages(count, words)
    from minisearch.engine import Engine

    with Engine(db, create=False) as engine:
        pages = cut(engine.texts(2 * count), words)[:count]
    if not pages:
        raise BadInput(f"{db} holds no pages with words: crawl some first")
    return pages


class SqliteIndex:
    """Our own index, in memory, as one of the structures: it also keeps counts, fields and places of words."""

    def __init__(self) -> None:
        from minisearch.engine import Engine

        self._engine = Engine()

    def build(self, pages: Pages, stop: Callable[[], bool]) -> int:  # noqa: ARG002
        """Add the pages as a crawl would, and index them."""
        from minisearch.models import Page

        self._engine.add_pages(Page(f"http://pages/{n}", text=text) for n, (_, text) in enumerate(pages))
        self._engine.index()
        return len(pages)

    def lookup(self, word: str) -> int:
        """How many pages answer a query of one word; they come ranked."""
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
    talk(f"with {len(spread[0].counts)} buckets chance alone gives a chi-square of about {len(spread[0].counts) - 1}")
