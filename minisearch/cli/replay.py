"""replay: a recorded crawl walked again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from minisearch.crawl.replay import Replay

ORDERS = ("breadth", "newest", "best")
SHARES = (0.5, 0.8, 0.9)


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--order",
    "orders",
    type=click.Choice(ORDERS),
    multiple=True,
    help="Nearest first, newest first, or most linked first; may be repeated.  [default: all]",
)
@click.option("--svg", metavar="FILE", help="Draw the curves into this file (.svg or .png).")
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
def replay(file: str, orders: tuple[str, ...], svg: str | None, as_json: bool) -> None:
    """Walk the crawl in FILE again, without the network, and tell how soon the pages that matter are found.

    For each order of crawling: the share of all PageRank that is held after n pages. "ideal" is what a crawler
    could do that knew the ranks beforehand.
    """
    from minisearch.engine import Engine

    with Engine(file, create=False) as engine:
        walks = engine.replay(*(orders or ORDERS))
    if svg:
        _draw(svg, walks)
    if as_json:
        report = {
            walk.order: {
                "pages": len(walk.urls),
                "mean": walk.mean,
                "pages_for": {str(share): walk.pages_for(share) for share in SHARES},
                "mass": walk.mass.tolist(),
            }
            for walk in walks
        }
        click.echo(json.dumps(report, indent=2))
    else:
        _print_table(walks)


def _print_table(walks: list[Replay]) -> None:
    from minisearch.crawl.replay import table

    click.echo("pages  " + "  ".join(f"{walk.order:>8}" for walk in walks))
    for count, shares in table(walks):
        click.echo(f"{count:>5}  " + "  ".join(f"{share:>7.1%} " for share in shares).rstrip())
    click.echo("mean   " + "  ".join(f"{walk.mean:>7.1%} " for walk in walks).rstrip())
    for share in SHARES:
        click.echo(f"{share:.0%} at " + "  ".join(f"{walk.pages_for(share) or '-':>8}" for walk in walks))
    left = len(walks[-1].urls) - min(len(walk.urls) for walk in walks)
    if left:
        click.echo(f"{left} pages are not to be reached by the recorded links", err=True)


def _draw(path: str, walks: list[Replay]) -> None:
    from minisearch.lab.plots import Chart, Series, save

    lines = [Series(walk.order, *walk.curve()) for walk in walks]
    save(Chart("How soon the pages that matter are found", "pages fetched", "share of PageRank held", lines), path)
    click.echo(f"drawn: {path}", err=True)
