"""search, lucky, explain: the commands that ask the file."""

from __future__ import annotations

import csv
import os
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from minisearch.cli import options, scaling
from minisearch.cli.shown import as_json, counted, plain

if TYPE_CHECKING:
    from minisearch.records import Explanation, Hit, Results
    from minisearch.search.against import Comparison


@click.command(cls=options.Asking, context_settings=options.ANY_QUERY)
@click.argument("query", nargs=-1, required=True)
@options.db
@click.option("--limit", type=click.IntRange(1), default=10, show_default=True, help="Hits a page.")
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
    from minisearch.search.recipe import read_settings

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
    {"json": _print_json, "csv": _print_csv, "table": _print_table}.get(form, _print_hits)(results)
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
    from minisearch.search.recipe import read_settings

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
        _print_told(told)


SAID = {
    "word": "{word}: term {terms}",
    "identifier": "{word}: as a whole",
    "neighbours": "{word}: side by side",
    "name": "{word}: this is a title, a heading or the text of a link",
    "exact": "{word}: this is the title, to the letter",
}


MOST_NAMED = 3  # similar pages of a hit
MOST_PARTS = 12  # of two pages side by side that have a line of their own: the largest differences


def _print_hits(results: Results) -> None:
    for place, hit in _placed(results):
        print_hit(place, hit)
    _talk_about(results)


def print_hit(place: int, hit: Hit) -> None:
    """One hit as a person reads it."""
    from minisearch.search.snippet import pieces

    click.echo(f"{place:>2}. {click.style(plain(hit.title), bold=True)}")
    click.echo(f"    {click.style(hit.url, fg='green')}")
    if hit.heading:
        click.echo(f"    § {plain(hit.heading)}")
    if hit.snippet:
        told = ((match, plain(text)) for match, text in pieces(hit.snippet, hit.marks))
        marked = (click.style(text, bold=True) if match else text for match, text in told)
        click.echo(f"    {_linked(''.join(marked), hit.link)}")
    if hit.similar:
        more = f" and {len(hit.similar) - MOST_NAMED} more" if len(hit.similar) > MOST_NAMED else ""
        click.echo(click.style(f"    {len(hit.similar)} similar: {' '.join(hit.similar[:MOST_NAMED])}{more}", dim=True))
    blended = hit.text_score * hit.link_factor
    made = f"score {hit.score:.4f} = words {hit.text_score:.4f} x links {hit.link_factor:.4f}"
    if abs(hit.score - blended) > 1e-9:  # ordered by links alone
        made = f"PageRank {hit.score:.6f}, whatever its words (with links {blended:.4f})"
    click.echo(click.style(f"    {made}", dim=True))


def _linked(text: str, url: str) -> str:
    """Text that leads to a url where it is clicked, on terminals that can do that; others show the text alone."""
    if not url or not sys.stdout.isatty() or os.environ.get("TERM") in (None, "dumb", "linux"):
        return text
    return f"\033]8;;{url}\033\\{text}\033]8;;\033\\"


def _talk_about(results: Results) -> None:
    if results.note:
        click.echo(results.note, err=True)
    if results.missing and results.hits:
        click.echo(f"no page has {', '.join(map(plain, results.missing))}", err=True)
    if results.suggestion:
        click.echo(f"did you mean: {plain(results.suggestion)}", err=True)
    if not results.hits:
        alike = f", {results.folded} of them near-identical to others" * bool(results.folded)
        click.echo(f"only {results.total} found{alike}" if results.total else "nothing found", err=True)
    else:
        last = results.offset + len(results.hits)
        click.echo(
            f"{results.offset + 1}-{last} of {counted(results.total, 'page')}, {results.took_ms:.1f} ms", err=True
        )


def _print_json(results: Results) -> None:
    click.echo(as_json(asdict(results)))


def _print_csv(results: Results) -> None:
    writer = csv.writer(sys.stdout)
    told = ["url", "title", "snippet", "similar", "heading", "link"]
    writer.writerow(["place", "score", "text_score", "link_factor", *told])
    for place, hit in enumerate(results.hits, results.offset + 1):
        numbers = hit.score, hit.text_score, hit.link_factor
        told = [hit.url, hit.title, hit.snippet, " ".join(hit.similar), hit.heading, hit.link]
        writer.writerow([place, *numbers, *told])


def _print_table(results: Results) -> None:
    rows = [
        (
            str(place),
            f"{hit.score:.4f}",
            plain(hit.title),
            hit.url + f" (+ {len(hit.similar)} similar)" * bool(hit.similar),
        )
        for place, hit in _placed(results)
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    for place, score, title, url in rows:
        click.echo(f"{place:>{widths[0]}}  {score:>{widths[1]}}  {title:<{widths[2]}}  {url}")
    _talk_about(results)


def _placed(results: Results) -> list[tuple[int, Hit]]:
    return list(enumerate(results.hits, results.offset + 1))


def _print_told(told: Explanation | Comparison) -> None:
    from minisearch.records import Explanation

    if isinstance(told, Explanation):
        _print_account(told)
    else:
        _print_comparison(told)


def _print_comparison(told: Comparison) -> None:
    click.echo(f"{plain(told.because)}\n")
    rows = [
        (f"{plain(part.word)} ({part.kind}, {part.field})", part) for part in told.differences if part.kind != "links"
    ]
    rows, smaller = rows[:MOST_PARTS], [part for _, part in rows[MOST_PARTS:]]
    lines = [(name, part.first, part.second, part.worth) for name, part in rows]
    if smaller:
        named = f"{len(smaller)} smaller part{'s' * (len(smaller) > 1)}"
        sums = (sum(getattr(part, column) for part in smaller) for column in ("first", "second", "worth"))
        lines.append((named, *sums))
    width = max((len(name) for name, *_ in lines), default=0)
    click.echo(f"{'':<{width}}  {'first':>9}  {'second':>9}  {'worth':>9}")
    for name, one, other, worth in lines:
        click.echo(f"{name:<{width}}  {one:9.4f}  {other:9.4f}  {worth:+9.4f}")
    links = next(part for part in told.differences if part.kind == "links")
    first, second = told.first, told.second
    click.echo(f"{'words':<{width}}  {first.text_score:9.4f}  {second.text_score:9.4f}")
    click.echo(f"{'links':<{width}}  {links.first:9.4f}  {links.second:9.4f}  {links.worth:+9.4f}")
    click.echo(f"{'score':<{width}}  {first.score:9.4f}  {second.score:9.4f}  {first.score - second.score:+9.4f}")
    if told.changes:
        click.echo("\nwhat would turn it")
    for change in told.changes:
        click.echo(f"  {plain(change.said)}")


def _print_account(account: Explanation) -> None:
    click.echo(f"{plain(account.title)}\n{account.url}\n")
    for part in account.parts:
        named = ", ".join(part.terms)
        said = SAID[part.kind].format(word=part.word, terms=named)
        click.echo(f"{plain(said)}  (on {part.df} of {account.pages} pages, idf {part.idf:.4f})")
        for field in part.fields:
            click.echo(
                f"    {field.field:<9} {field.score:9.4f} = weight {field.weight:g} x idf {part.idf:.4f} "
                f"x saturation {field.saturation:.4f}   "
                f"({field.count} of {field.length} words, average {field.average:.1f})"
            )
        click.echo(f"    {'sum':<9} {part.score:9.4f}")
    for word in account.missing:
        click.echo(f"{plain(word)}  (not on this page)")
    click.echo(f"\nwords  {account.text_score:.4f}")
    click.echo(
        f"links  {account.link_factor:.4f} = 1 + blend {account.blend:g} x {account.prior:.4f}   "
        f"({account.ranking} {account.rank:.6f} on a log scale from 0 to 1)"
    )
    for payment in account.paid_by:
        click.echo(
            f"    {payment.share:6.1%} of {account.ranking} from {payment.url}   "
            f"({payment.rank:.6f} shared among {payment.links} links)"
        )
    click.echo(f"score  {account.score:.4f} = words x links")
