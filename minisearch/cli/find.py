"""search, lucky, explain: the commands that ask the file."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from minisearch.cli import options, scaling
from minisearch.cli.accounts import print_told
from minisearch.cli.hits import print_results
from minisearch.cli.shown import as_json

if TYPE_CHECKING:
    from minisearch.models import Explanation
    from minisearch.search.compare import Comparison


@click.command(cls=options.Asking, context_settings=options.ANY_QUERY)
@click.argument("query", nargs=-1, required=True)
@options.db
@click.option("--limit", type=click.IntRange(1), default=10, show_default=True, help="Hits per page.")
@click.option("--page", type=click.IntRange(1), default=1, show_default=True, help="Which page of hits.")
@click.option(
    "--sort",
    type=click.Choice(["blend", "text", "rank"]),
    default="blend",
    show_default=True,
    help="By words and links, by words alone, or matching pages by their PageRank alone.",
)
@click.option(
    "--ranker",
    type=click.Choice(["boolean", "tfidf", "bm25", "fields", "links", "blend"]),
    help="Rank by less than all we know; minisearch ladder shows them side by side.",
)
@options.blend
@options.settings
@click.option("--all", "unfolded", is_flag=True, help="Show near-identical pages too, each as a hit of its own.")
@scaling.processes
@scaling.cluster
@options.formats
def search(
    query: tuple[str, ...],
    db: str,
    limit: int,
    page: int,
    sort: str,
    ranker: str | None,
    blend: float | None,
    changed: tuple[str, ...],
    unfolded: bool,
    processes: int | None,
    cluster: str | None,
    form: str,
) -> None:
    """Find the pages that answer QUERY, best first. Exit code 1 if there are none.

    \b
    roses pruning              any of the words; pages with all of them first
    how do I prune a rose      in a sentence small words are passed over; +how asks for one
    "hedge maze"               these very words side by side, in this order
    +roses -red                must have, must not have
    tulips OR roses            either will do; (hedge OR wall) maze groups
    tulips AND roses           both must be there, like +tulips +roses
    prun*                      words that begin so
    title:roses                in the title; also headings: url: body: anchor:
    title:(hedge OR wall)      a field before brackets or "quotes" holds for all in them
    site:example.com lang:sr   pages of a site, in a language (lang:serbian will do)

    Put the query in single quotes, lest the shell take its quotes and stars.
    """
    from minisearch.engine import Engine
    from minisearch.search.params import read_settings

    text, settings = " ".join(query), read_settings(changed)
    with scaling.readers(processes, cluster) as readers, Engine(db, create=False, readers=readers) as engine:
        results = engine.search(
            text,
            limit=limit,
            page=page,
            sort=sort,
            blend=blend,
            fold=not unfolded,
            settings=settings,
            ranker=ranker,
        )
    print_results(results, form)
    if not results.hits:
        sys.exit(1)


@click.command(cls=options.Asking, context_settings=options.ANY_QUERY)
@click.argument("query", nargs=-1, required=True)
@options.db
@click.option("--open", "open_it", is_flag=True, help="Open it in the browser.")
def lucky(query: tuple[str, ...], db: str, open_it: bool) -> None:
    """Print the url of the one best page for QUERY."""
    from minisearch.engine import Engine

    with Engine(db, create=False) as engine:
        hit = engine.lucky(" ".join(query))
    if hit is None:
        click.echo("nothing found", err=True)
        sys.exit(1)
    click.echo(hit.url)
    if open_it:
        click.launch(hit.url)


@click.command()
@click.argument("query")
@click.argument("url")
@options.db
@options.blend
@options.settings
@click.option("--against", metavar="URL2", help="Another page: why is URL above or below it, and what would turn it?")
@click.option("--json", "as_data", is_flag=True, help="As one JSON object.")
def explain(
    query: str, url: str, db: str, blend: float | None, changed: tuple[str, ...], against: str | None, as_data: bool
) -> None:
    """Show how the score of URL for QUERY is made up."""
    from minisearch.engine import Engine
    from minisearch.search.params import read_settings

    settings = read_settings(changed)
    told: Explanation | Comparison
    with Engine(db, create=False) as engine:
        if against is None:
            told = engine.explain(query, url, blend=blend, settings=settings)
        else:
            told = engine.against(query, url, against, blend=blend, settings=settings)
    if as_data:
        click.echo(as_json(asdict(told)))
    else:
        print_told(told)
