"""ranking, ladder: the numbers by which pages are ranked, and what each step of the ranking does to a query."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from minisearch.cli import options
from minisearch.cli.hits import talk_about_words
from minisearch.cli.shown import as_json, plain

if TYPE_CHECKING:
    from minisearch.models import Results


@click.command()
@options.db
@click.option("--set", "changed", multiple=True, metavar="NAME=VALUE", help="Change a number for good; repeatable.")
@click.option("--reset", is_flag=True, help="Put all numbers back to their defaults.")
@click.option("--json", "as_data", is_flag=True, help="As one JSON object.")
def ranking(db: str, changed: tuple[str, ...], reset: bool, as_data: bool) -> None:
    """Show the numbers by which this file ranks its pages, or change them.

    To try some for one query: minisearch search --set weight.title=3 QUERY
    """
    from minisearch.engine import Engine
    from minisearch.search.params import DEFAULT, read_settings

    settings = read_settings(changed)
    with Engine(db, create=False) as engine:
        if reset:
            engine.ranking({})
        now = engine.ranking(settings or None)
    if as_data:
        click.echo(as_json(now))
        return
    usual = DEFAULT.settings()
    for name, value in now.items():
        click.echo(f"{name:<20} {value:g}" + (f"  (usually {usual[name]:g})" if value != usual[name] else ""))


@click.command(cls=options.Asking, context_settings=options.ANY_QUERY)
@click.argument("query", nargs=-1, required=True)
@options.db
@click.option("--limit", type=click.IntRange(1, 100), default=5, show_default=True, help="Hits per step.")
@click.option("--json", "as_data", is_flag=True, help="As one JSON object.")
def ladder(query: tuple[str, ...], db: str, limit: int, as_data: bool) -> None:
    """Take QUERY through one ranker after the other, and show who moved at each step."""
    from minisearch.engine import Engine
    from minisearch.search.rankers import RANKERS

    text = " ".join(query)
    with Engine(db, create=False) as engine:
        steps = {name: engine.search(text, limit=limit, ranker=name, snippets=False, fold=False) for name in RANKERS}
    if as_data:
        click.echo(as_json({name: asdict(results) for name, results in steps.items()}))
    else:
        _print_steps(steps)
        talk_about_words(steps["blend"])
    if not any(results.hits for results in steps.values()):
        click.echo("nothing found", err=True)
        sys.exit(1)


def _print_steps(steps: dict[str, Results]) -> None:
    from minisearch.search.rankers import RANKERS

    before: dict[str, int] | None = None
    for name, results in steps.items():
        click.echo(f"{name}: {RANKERS[name].description} ({results.total} found)")
        places = {hit.url: place for place, hit in enumerate(results.hits, 1)}
        for hit in results.hits:
            place = places[hit.url]
            click.echo(
                f"  {place:>2}. {moved(before, hit.url, place):<5} {hit.score:9.4f}  {plain(hit.title)}  {hit.url}"
            )
        if before is not None:
            gone = [f"{place}." for url, place in before.items() if url not in places]
            if gone:
                click.echo(f"      gone: what was {', '.join(gone)}")
        click.echo()
        before = places


def moved(before: dict[str, int] | None, url: str, place: int) -> str:
    """How a page moved since the step before.

    >>> moved({"a": 3}, "a", 1), moved({"a": 1}, "a", 2), moved({"a": 1}, "a", 1), moved({}, "a", 1)
    ('up 2', 'dn 1', '', 'new')
    """
    if before is None:
        return ""
    if url not in before:
        return "new"
    change = before[url] - place
    return "" if not change else f"up {change}" if change > 0 else f"dn {-change}"
