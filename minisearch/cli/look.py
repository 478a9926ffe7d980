"""why, stats: the commands that look into the file."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from minisearch.cli import options

if TYPE_CHECKING:
    from minisearch.records import Verdict


@click.command()
@click.argument("url")
@options.db
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
def why(url: str, db: str, as_json: bool) -> None:
    """Tell what became of URL in the crawl, which rule decided, and how it was reached."""
    from minisearch.engine import Engine
    from minisearch.errors import NotFound

    with Engine(db, create=False) as engine:
        try:
            verdict = engine.why(url)
        except NotFound as error:
            click.echo(str(error), err=True)
            sys.exit(1)
    if as_json:
        click.echo(json.dumps(asdict(verdict), ensure_ascii=False, indent=2))
    else:
        _print_verdict(verdict)


def _print_verdict(verdict: Verdict) -> None:
    state = "waiting" if verdict.state == "queued" else verdict.state
    click.echo(f"{verdict.url}\n{state}: {verdict.reason}\nrule: {verdict.rule}\ndepth: {verdict.depth}")
    for step, url in enumerate(verdict.path):
        click.echo(f"{'reached by' if step == 0 else '        ->':>10} {url}")


@click.command()
@options.db
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
def stats(db: str, as_json: bool) -> None:
    """Show the file in numbers."""
    from minisearch.engine import Engine

    with Engine(db, create=False) as engine:
        numbers = engine.stats()
    if as_json:
        click.echo(json.dumps(numbers, indent=2))
    else:
        _print_numbers(numbers)


def _print_numbers(numbers: dict[str, Any]) -> None:
    for name, value in numbers.items():
        shown = ", ".join(f"{key} {count}" for key, count in value.items()) if isinstance(value, dict) else value
        click.echo(f"{name:<9} {shown if shown is not None else '-'}")
