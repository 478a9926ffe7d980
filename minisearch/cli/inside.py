"""term, page, sql: the commands that look inside."""

from __future__ import annotations

import csv
import math
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from minisearch.cli import options
from minisearch.cli.shown import as_json, counted, plain

if TYPE_CHECKING:
    from minisearch.search.inspect import PageAccount, TermAccount

WIDEST = 60  # letters of a cell in a table

_limit = click.option("--limit", type=click.IntRange(1), default=20, show_default=True, help="Lines of each list.")
_json = click.option("--json", "as_data", is_flag=True, help="As one JSON object.")


@click.command()
@click.argument("word")
@options.db
@_limit
@_json
def term(word: str, db: str, limit: int, as_data: bool) -> None:
    """Show the postings of WORD: which pages have it, how often in which field, and where."""
    from minisearch.engine import Engine

    with Engine(db, create=False) as engine:
        account = engine.term(word, limit=limit)
    if as_data:
        click.echo(as_json(asdict(account)))
    elif account.df:
        _print_term(account)
    else:
        click.echo(f'no page has "{word}"', err=True)
    if not account.df:
        sys.exit(1)


def _print_term(account: TermAccount) -> None:
    for name, languages in account.terms.items():
        click.echo(f"{account.word}: term {name}  ({', '.join(languages)})")
    click.echo(f"on {account.df} of {account.pages} pages, idf {account.idf:.4f}")
    for posting in account.postings:
        click.echo(f"\n{posting.count:>5}  {plain(posting.title)}\n       {posting.url}")
        for field, count in posting.counts.items():
            places = posting.places.get(field, ())
            listed = ", ".join(map(str, places)) + (" ..." if len(places) < count else "")
            click.echo(f"       {field:<9} {count:>3}  at {listed}")
    if account.df > len(account.postings):
        click.echo(f"\n{account.df - len(account.postings)} more pages: --limit {account.df} shows all", err=True)


@click.command()
@click.argument("url")
@options.db
@_limit
@_json
def page(url: str, db: str, limit: int, as_data: bool) -> None:
    """Show all that is known of the page at URL: its ranks, its terms, and the links to it and from it."""
    from minisearch.engine import Engine
    from minisearch.errors import NotFound

    with Engine(db, create=False) as engine:
        try:
            account = engine.page(url, limit=limit)
        except NotFound as error:
            click.echo(str(error), err=True)
            sys.exit(1)
    if as_data:
        click.echo(as_json(asdict(account)))
    else:
        _print_page(account)


def _print_page(account: PageAccount) -> None:
    facts = account.facts
    click.echo(f"{plain(facts.title) or '(no title)'}\n{facts.url}\n")
    why_not = f", not indexed: {facts.noindex}" if facts.noindex else "" if account.indexed else ", not indexed"
    _line("fetched", f"{facts.fetched_at}, status {facts.status}, {facts.content_type}{why_not}")
    _line("language", _because(facts.language or "not told", facts.language_evidence))
    _line("charset", _because(facts.charset, facts.charset_evidence))
    for step, way in enumerate(account.path):
        _line("" if step else "reached", f"{'-> ' if step else ''}{way}")
    for at in account.standings:
        _line(at.ranking, f"{at.score:.6f}, place {at.place} of {at.pages}")
    for alias, rule in account.aliases:
        _line("also at", f"{alias}  ({rule})" if rule else alias)
    if account.terms:
        click.echo("\nterms by weight")
    for weight in account.terms:
        counts = ", ".join(f"{field} {count}" for field, count in weight.counts.items())
        click.echo(f"{weight.score:9.4f}  {weight.term}  (idf {weight.idf:.4f}, on {weight.df} pages; {counts})")
    click.echo(f"\nlinked from {counted(account.in_count, 'page')}{_of(account.in_links, account.in_count)}")
    for link in account.in_links:
        anchors = ", ".join(f'"{plain(anchor)}"' for anchor in link.anchors)
        click.echo(f"{link.rank or 0:9.6f}  {link.url}  {anchors}")
    click.echo(f"\nlinks to {counted(account.out_count, 'url')}{_of(account.out_links, account.out_count)}")
    for out in account.out_links:
        marks = [out.state, *(["nofollow"] if out.nofollow else []), *([f"{out.count} times"] if out.count > 1 else [])]
        click.echo(f'           {plain(out.url)}  "{plain(out.anchor)}"  ({", ".join(marks)})')


def _line(name: str, value: str) -> None:
    click.echo(f"{name:<9} {value}")


def _because(fact: str, evidence: str) -> str:
    return f"{fact} ({evidence})" if evidence else fact


def _of(shown: tuple[Any, ...], count: int) -> str:
    return f", the first {len(shown)}:" if len(shown) < count else ""


@click.command()
@click.argument("query")
@options.db
@click.option("--csv", "form", flag_value="csv", help="Comma-separated values with a header line.")
@click.option("--json", "form", flag_value="json", help="A JSON list with an object for each row.")
def sql(query: str, db: str, form: str | None) -> None:
    """Ask the file in SQL; nothing can be changed by it.

    \b
      minisearch sql "select state, rule, count(*) from url_status group by state, rule"
      minisearch sql "select url, score from top_pages limit 10"
    """
    from minisearch.engine import Engine

    with Engine(db, create=False) as engine:
        columns, rows = engine.sql(query)
    if form == "json":
        names = list(_different(columns))
        readable = [dict(zip(names, map(_plain_number, row), strict=True)) for row in rows]
        click.echo(as_json(readable))
    elif form == "csv":
        writer = csv.writer(sys.stdout)
        writer.writerow(columns)
        writer.writerows(map(_value, row) for row in rows)
    else:
        for line in table(columns, rows):
            click.echo(line)


def table(columns: list[str], rows: list[tuple[Any, ...]]) -> Iterator[str]:
    """The lines of an aligned table; long cells are cut.

    >>> print(*table(["word", "pages"], [("roses", 7), ("a", 25)]), sep="\\n")
    word   pages
    -----  -----
    roses      7
    a         25
    """
    cells = [[_cell(value) for value in row] for row in rows]
    names = [_cell(name) for name in columns]
    widths = [max(map(len, column)) for column in zip(names, *cells, strict=True)]
    numeric = [all(isinstance(value, int | float | None) for value in column) for column in zip(*rows, strict=True)]
    numeric = numeric or [False] * len(names)
    for line in (names, ["-" * width for width in widths], *cells):
        aligned = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        )
        yield "  ".join(aligned).rstrip()


def _cell(value: Any) -> str:
    text = f"{value:.6g}" if isinstance(value, float) else "" if value is None else plain(str(_value(value)))
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"


def _different(names: list[str]) -> Iterator[str]:
    """The names of columns, with numbers behind those that came before, as SQLite writes them.

    >>> list(_different(["url", "id", "url", "url"]))
    ['url', 'id', 'url:1', 'url:2']
    """
    seen: Counter[str] = Counter()
    for name in names:
        yield f"{name}:{seen[name]}" if seen[name] else name
        seen[name] += 1


def _plain_number(value: Any) -> Any:
    """What JSON can say of a value: it has no word for numbers without end."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else _value(value)


def _value(value: Any) -> Any:
    """What can be shown of a value."""
    return f"<{len(value)} bytes>" if isinstance(value, bytes) else value
