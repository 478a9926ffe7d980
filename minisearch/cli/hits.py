"""How hits are shown: to a person, as a table, or to another program."""

from __future__ import annotations

import csv
import os
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from minisearch.cli.shown import as_json, counted, plain

if TYPE_CHECKING:
    from minisearch.models import Hit, Results

MOST_NAMED = 3  # similar pages of a hit


def print_results(results: Results, form: str) -> None:
    """One page of hits, in one of the forms that `options.formats` has, or as a person reads them."""
    {"json": _print_json, "csv": _print_csv, "table": _print_table}.get(form, _print_hits)(results)


def _print_hits(results: Results) -> None:
    for place, hit in _placed(results):
        print_hit(place, hit)
    _talk_about(results)


def print_hit(place: int, hit: Hit) -> None:
    """One hit as a person reads it."""
    from minisearch.search.snippets import split_by_marks

    click.echo(f"{place:>2}. {click.style(plain(hit.title), bold=True)}")
    click.echo(f"    {click.style(hit.url, fg='green')}")
    if hit.heading:
        click.echo(f"    § {plain(hit.heading)}")
    if hit.snippet:
        told = ((match, plain(text)) for match, text in split_by_marks(hit.snippet, hit.marks))
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


def talk_about_words(results: Results) -> None:
    """What the reader has to know of the words that were asked for."""
    if results.note:
        click.echo(results.note, err=True)
    if results.missing:
        click.echo(f"no page has {', '.join(map(plain, results.missing))}", err=True)
    if results.suggestion:
        click.echo(f"did you mean: {plain(results.suggestion)}", err=True)


def _talk_about(results: Results) -> None:
    talk_about_words(results)
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
