"""why, page, term, stats, sql: the commands that look inside the index."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from minisearch.cli import options
from minisearch.cli.options import Integer, option
from minisearch.cli.output import (
    echo,
    missing_is_exit_code_1,
    print_csv,
    print_found,
    print_json,
    print_table,
    sanitize,
    talk,
)
from minisearch.models import counted

if TYPE_CHECKING:
    from minisearch.models import Verdict
    from minisearch.search.inspect import PageAccount, TermAccount

MAX_CELL = 60  # characters of a value in the table of an SQL query
FORMER_NAMES = ("rounds",)  # of statistics in the JSON
IN_SENTENCES = ("words", "degrees")  # statistics with sub-sections of their own

_limit = option("--limit", type=Integer(1), default=20, show_default=True, help="Length of each list.")


@options.command()
@click.argument("url")
@options.db
@options.json_format
def why(url: str, db: str, as_json: bool) -> None:
    """Show what happened to a URL during the crawl, and why."""
    with options.open_index(db) as engine, missing_is_exit_code_1():
        verdict = engine.why(url)
    print_found(verdict, as_json, _print_verdict)


def _print_verdict(verdict: Verdict) -> None:
    status = verdict.reason if verdict.reason.startswith(verdict.state) else f"{verdict.state}: {verdict.reason}"
    echo(verdict.url, status, f"rule: {verdict.rule}", f"depth: {verdict.depth}")
    for step, url in enumerate(verdict.path):
        echo(f"{'reached by' if step == 0 else '        ->':>10} {url}")
    for past in verdict.past:
        echo(f"previously {past.state} (until {past.until[:10]}){': ' * bool(past.reason)}{past.reason}")


@options.command()
@click.argument("url")
@options.db
@_limit
@options.json_format
def page(url: str, db: str, limit: int, as_json: bool) -> None:
    """Show page details: ranks, terms, and links to and from it."""
    with options.open_index(db) as engine, missing_is_exit_code_1():
        found = engine.page(url, limit=limit)
    print_found(found, as_json, _print_page)


def _print_page(found: PageAccount) -> None:
    facts = found.facts
    click.echo(f"{sanitize(facts.title) or '(no title)'}\n{facts.url}\n")
    why_not = f", not indexed: {facts.noindex}" if facts.noindex else "" if found.indexed else ", not indexed"
    _line("fetched", f"{facts.fetched_at}, status {facts.status}, {facts.content_type}{why_not}")
    _line("language", _with_evidence(facts.language or "unknown", facts.language_evidence))
    _line("charset", _with_evidence(facts.charset, facts.charset_evidence))
    for step, url in enumerate(found.path):
        _line("" if step else "reached", f"{'-> ' if step else ''}{url}")
    for at in found.standings:
        _line(at.ranking, f"{at.score:.6f}, place {at.place:,} of {at.pages:,}")
    for alias, rule in found.aliases:
        _line("also at", f"{alias}  ({rule})" if rule else alias)
    if found.terms:
        click.echo("\nterms by weight")
    for weight in found.terms:
        counts = ", ".join(f"{field} {count:,}" for field, count in weight.counts.items())
        pages = counted(weight.df, "page")
        click.echo(f"{weight.score:9.4f}  {weight.term}  (idf {weight.idf:.4f}, on {pages}; {counts})")
    click.echo(f"\nlinked from {counted(found.in_count, 'page')}{_first(found.in_links, found.in_count)}")
    for link in found.in_links:
        anchors = ", ".join(f'"{sanitize(anchor)}"' for anchor in link.anchors)
        click.echo(f"{link.rank or 0:9.6f}  {link.url}  {anchors}")
    click.echo(f"\nlinks to {counted(found.out_count, 'URL')}{_first(found.out_links, found.out_count)}")
    for out in found.out_links:
        marks = [out.state] + ["nofollow"] * out.nofollow + [f"{out.count:,} times"] * (out.count > 1)
        click.echo(f'           {sanitize(out.url)}  "{sanitize(out.anchor)}"  ({", ".join(marks)})')


def _line(name: str, value: str) -> None:
    click.echo(f"{name:<9} {value}")


def _with_evidence(fact: str, evidence: str) -> str:
    return f"{fact} ({evidence})" if evidence else fact


def _first(shown: tuple[Any, ...], count: int) -> str:
    return f", the first {len(shown):,}:" if len(shown) < count else ""


@options.command()
@click.argument("word")
@options.db
@_limit
@options.json_format
def term(word: str, db: str, limit: int, as_json: bool) -> None:
    """Show the postings of a word: pages, fields, counts and positions."""

    with options.open_index(db) as engine:
        found = engine.term(word, limit=limit)
    print_found(found, as_json, _print_term)
    if not found.df:
        sys.exit(1)


def _print_term(found: TermAccount) -> None:
    if not found.df:
        talk(f'no page has "{found.word}"')
        return
    for name, languages in found.terms.items():
        click.echo(f"{found.word}: indexed as {name}  ({', '.join(languages)})")
    click.echo(f"on {found.df:,} of {counted(found.pages, 'page')}, idf {found.idf:.4f}")
    for posting in found.postings:
        click.echo(f"\n{posting.count:>5,}  {sanitize(posting.title)}\n       {posting.url}")
        for field, count in posting.counts.items():
            positions = posting.places.get(field, ())
            listed = ", ".join(map(str, positions)) + (" ..." if len(positions) < count else "")
            click.echo(f"       {field:<9} {count:>3,}  at {listed}")
    if more := found.df - len(found.postings):
        click.echo(err=True)
        talk(f"{counted(more, 'more page')}: --limit {found.df} shows all")


@options.command()
@options.db
@options.json_format
def stats(db: str, as_json: bool) -> None:
    """Show statistics of the crawl and of the index."""

    with options.open_index(db) as engine:
        numbers = engine.stats()
    print_found(numbers, as_json, _print_statistics)


def _print_statistics(numbers: dict[str, Any]) -> None:
    numbers = dict(numbers)
    numbers["pages"] = {"": numbers["pages"], "indexed": numbers.pop("indexed"), "duplicates": numbers.pop("merged")}
    numbers["depths"] = {f"{depth}:": pages for depth, pages in numbers["depths"].items()}
    for name, value in numbers.items():
        if name not in IN_SENTENCES and value != {}:
            single = value if isinstance(value, dict) else {"": value}
            named = [f"{key} {_number(one)}".strip() for key, one in single.items() if key not in FORMER_NAMES]
            click.echo(f"{name:<9} {', '.join(named)}{' bytes' if name == 'sizes' else ''}")
    if "words" in numbers:  # not for several files: a word may be in each of them
        _print_words(numbers["words"])
        _print_degrees(numbers["degrees"])


def _number(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "-", True: "yes", False: "no"}[value]
    return f"{value:,}" if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else str(value)


def _print_words(words: dict[str, Any]) -> None:
    click.echo(f"words     {words['vocabulary']:,} distinct")
    if words["zipf_slope"] is None or words["heaps_beta"] is None:
        return
    click.echo(f"  Zipf    frequency ~ rank^{words['zipf_slope']:.2f}, over the middle ranks")
    click.echo(f"  Heaps   vocabulary = {words['heaps_k']:.1f} x words^{words['heaps_beta']:.2f}")
    pages = f"{words['read_pages']:,} of {counted(words['of'], 'page')}"
    click.echo(f"          from {counted(words['read'], 'word')} on {pages}, in order of ids")


def _print_degrees(degrees: dict[str, Any]) -> None:
    click.echo(f"links between pages, counted on {degrees['counted']:,} of {degrees['of']:,}")
    for side in ("in", "out"):
        found = degrees[side]
        click.echo(f"  {side:<7} mean {found['mean']:.1f}, median {found['median']:g}, maximum {found['max']:,}")
    bins = {name for side in ("in", "out") for name in degrees[side]["bins"]}
    for name in sorted(bins, key=lambda name: int(name.split("-")[0])):
        counts = (f"{degrees[side]['bins'].get(name, 0):>6,} {side}" for side in ("in", "out"))
        click.echo(f"  {name:>9} {'link ' if name == '1' else 'links'}  {'  '.join(counts)}")


@options.command()
@click.argument("query")
@options.db
@options.format_option("csv")
@options.format_option("json")
def sql(query: str, db: str, form: str | None) -> None:
    """Run a read-only SQL query.

    Views for people: page_list, url_status, in_links, out_links, top_pages, vocabulary, sections.

    \b
      minisearch sql "select state, rule, count(*) from url_status group by state, rule"
      minisearch sql "select url, score from top_pages limit 10"
      minisearch sql "select name, sql from sqlite_schema"
    """
    with options.open_index(db) as engine:
        columns, found = engine.sql(query)
    rows = [list(map(_value, row)) for row in found]
    if form == "json":
        names = _unique(columns)
        print_json([dict(zip(names, row, strict=True)) for row in rows])
    elif form == "csv":
        print_csv(columns, rows)
    else:
        print_table(columns, [list(map(_shortened, row)) for row in rows], rule=True)


def _shortened(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = sanitize(value)
    return text if len(text) <= MAX_CELL else text[: MAX_CELL - 1] + "…"


def _unique(names: Iterable[str]) -> list[str]:
    """The names of columns, with a number after repeated ones, as SQLite writes them.

    >>> _unique(["url", "id", "url", "url"])
    ['url', 'id', 'url:1', 'url:2']
    """
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        found.append(f"{name}:{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return found


def _value(value: Any) -> Any:
    """A value as JSON can represent it, which has no blobs and no infinity."""
    if isinstance(value, bytes):
        return f"<{len(value)} bytes>"
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
