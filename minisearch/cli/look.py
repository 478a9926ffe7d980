"""why, stats: the commands that look into the file."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from minisearch.cli import options
from minisearch.cli.shown import as_json, say

if TYPE_CHECKING:
    from minisearch.models import Verdict


@click.command()
@click.argument("url")
@options.db
@click.option("--json", "as_data", is_flag=True, help="As one JSON object.")
def why(url: str, db: str, as_data: bool) -> None:
    """Tell what became of URL in the crawl, which rule decided, and how it was reached."""
    from minisearch.engine import Engine
    from minisearch.errors import NotFound

    with Engine(db, create=False) as engine:
        try:
            verdict = engine.why(url)
        except NotFound as error:
            say(str(error), err=True)
            sys.exit(1)
    if as_data:
        click.echo(as_json(asdict(verdict)))
    else:
        _print_verdict(verdict)


def _print_verdict(verdict: Verdict) -> None:
    state = "waiting" if verdict.state == "queued" else verdict.state
    say(verdict.url, f"{state}: {verdict.reason}", f"rule: {verdict.rule}", f"depth: {verdict.depth}")
    for step, url in enumerate(verdict.path):
        say(f"{'reached by' if step == 0 else '        ->':>10} {url}")
    for past in verdict.past:
        say(f"until {past.until[:10]} it was {past.state}{': ' * bool(past.reason)}{past.reason}")


@click.command()
@options.db
@click.option("--json", "as_data", is_flag=True, help="As one JSON object.")
def stats(db: str, as_data: bool) -> None:
    """Show the file in numbers."""
    from minisearch.engine import Engine

    with Engine(db, create=False) as engine:
        numbers = engine.stats()
    if as_data:
        click.echo(as_json(numbers))
    else:
        _print_numbers(numbers)


PLAIN = ("words", "degrees")  # are told in sentences


def _print_numbers(numbers: dict[str, Any]) -> None:
    for name, value in numbers.items():
        if name not in PLAIN and value != {}:
            single = value if isinstance(value, dict) else {"": value}
            shown = ", ".join(f"{key} {_told(one)}".strip() for key, one in single.items())
            click.echo(f"{name:<9} {shown}{' bytes' if name == 'sizes' else ''}")
    if "words" in numbers:  # not of several files: a word may be in each of them
        _print_words(numbers["words"])
        _print_degrees(numbers["degrees"])


def _told(value: Any) -> str:
    """One number, or what stands in its place."""
    if value is None or isinstance(value, bool):
        return {None: "-", True: "yes", False: "no"}[value]
    return f"{value:,}" if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else str(value)


def _print_words(words: dict[str, Any]) -> None:
    click.echo(f"words     {words['vocabulary']:,} different")
    if words["zipf_slope"] is None or words["heaps_beta"] is None:
        return
    click.echo(f"  Zipf    frequency ~ rank^{words['zipf_slope']:.2f}, over the middle ranks")
    click.echo(f"  Heaps   vocabulary = {words['heaps_k']:.1f} x words^{words['heaps_beta']:.2f}")
    click.echo(
        f"          by {words['read']:,} words on {words['read_pages']:,} of {words['of']:,} pages, in the order of ids"
    )


def _print_degrees(degrees: dict[str, Any]) -> None:
    click.echo(f"links between pages, counted on {degrees['counted']:,} of {degrees['of']:,}")
    for side in ("in", "out"):
        found = degrees[side]
        click.echo(f"  {side:<7} mean {found['mean']:.1f}, median {found['median']:g}, most {found['max']:,}")
    bins = sorted({name for side in ("in", "out") for name in degrees[side]["bins"]}, key=_first)
    for name in bins:
        counts = (f"{degrees[side]['bins'].get(name, 0):>6,} {side}" for side in ("in", "out"))
        click.echo(f"  {name:>9} {'link ' if name == '1' else 'links'}  {'  '.join(counts)}")


def _first(name: str) -> int:
    return int(name.split("-")[0])
