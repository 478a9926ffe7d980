"""lab farm, compare, convert: change a graph."""

from __future__ import annotations

from typing import Any

import click

from minisearch.cli import options
from minisearch.cli.lab_show import (
    as_json,
    decimals,
    digits,
    graph_argument,
    open_graph,
    print_json,
    show_table,
    size_of,
    talk,
)
from minisearch.cli.options import Integer
from minisearch.errors import BadInput
from minisearch.models import counted


@click.command(short_help="Compute the gain of a spam farm.")
@click.option(
    "--supporters", type=Integer(1, 1_000_000), default=3, show_default=True, help="Number of supporting pages."
)
@options.damping
@click.option("--in", "graph", metavar="GRAPH", help="Graph to add the farm to.  [default: four pages]")
@click.option("--from", "doors", metavar="PAGES", help="Accessible pages that link to the target, such as A,B.")
@as_json
def farm(supporters: int, damping: float, graph: str | None, doors: str | None, as_json: bool) -> None:
    """Add a spam farm to a graph: one target, many supporters, and links from accessible pages.

    Shows the rank of the target by the formula and by ranking the whole graph; both agree.
    """
    from minisearch.lab.options import parts_of
    from minisearch.lab.views import farm_view
    from minisearch.lab.webs import Web

    around = [("w1", "w2"), ("w2", "w3"), ("w3", "w4"), ("w3", "w1"), ("w4", "w1")]
    web = Web.of(["w1", "w2", "w3", "w4"], around) if graph is None else open_graph(graph).web
    accessible = parts_of(doors) if doors is not None else [] if graph else ["w1"]
    found = farm_view(web, supporters, accessible, damping=damping)
    if as_json:
        print_json(found)
        return
    click.echo("y = (x + (1-d)/n) / (1-d^2) + c m/n,  c = d/(1+d)")
    target = found["target"]
    rows = [
        ("d, damping", f"{damping:g}"),
        ("m supporters of n pages", f"{supporters} of {found['pages']}"),
        ("x, from accessible pages", f"{found['x']:.9f}"),
        ("1/(1-d^2), amplification", f"{found['amplification']:.4f}"),
        ("c", f"{found['c']:.4f}"),
        ("y by the formula", f"{target['formula']:.9f}"),
        ("y by ranking the whole graph", f"{target['ranked']:.9f}"),
        ("y without teleporting to the target, as published", f"{target['published']:.9f}"),
        ("rank of a supporter", f"{found['supporter']['ranked']:.9f}"),
    ]
    show_table(["", "value"], rows)
    talk(found["verdict"])


@click.command(short_help="Compare ranks before and after a change.")
@graph_argument
@click.argument("other", required=False, metavar="[GRAPH2]")
@options.damping
@click.option(
    "--dangling",
    type=click.Choice(["uniform", "teleport", "leak", "remove", "two-pass"]),
    default="uniform",
    show_default=True,
    help="Where the rank of dangling pages goes.",
)
@click.option("--top", type=Integer(1), default=20, show_default=True, help="Number of pages to show.")
@digits("6")
@as_json
def compare(
    graph: str,
    other: str | None,
    damping: float,
    dangling: str,
    top: int,
    digits: int | None,
    as_json: bool,
    changes: tuple[str, ...],
    **opening: Any,
) -> None:
    """Compare the ranks of GRAPH with GRAPH2, or with GRAPH after each --edit, and show the reason of each change.

    \b
      minisearch lab compare ten-pages ten-pages-one-link-more --damping 1
      minisearch lab compare ten-pages --edit "add J A"
    """
    from minisearch.lab.views import comparison_view

    if other is None and not changes:
        raise BadInput('nothing to compare with: give a second graph, or an edit such as --edit "add A B"')
    before = open_graph(graph, **opening).web
    after = open_graph(other or graph, changes=changes, **opening).web
    moves = comparison_view(before, after, damping=damping, dangling=dangling)
    if as_json:
        print_json(moves)
        return
    shown = decimals(digits, max(before.n, after.n))
    rows = [
        (
            move["page"],
            move["why"],
            _rank(move["before"], shown),
            _rank(move["after"], shown),
            f"{move['change']:+.{shown}f}",
            f"{_place(move['place_before'])} -> {_place(move['place_after'])}",
        )
        for move in moves[:top]
    ]
    show_table(["page", "why", "before", "after", "change", "position"], rows, words=(0, 1))
    if len(moves) > top:
        talk(f"{top:,} of {counted(len(moves), 'page')}; --top {len(moves)} shows all")


def _rank(value: float | None, shown: int) -> str:
    return "-" if value is None else f"{value:.{shown}f}"


def _place(place: int | None) -> str:
    return "-" if place is None else str(place)


@click.command(short_help="Write a graph in another format.")
@graph_argument
@click.argument("out", metavar="OUT")
@click.option("--to", "to_form", metavar="FORMAT", help="Output format, if the file name does not show it.")
@click.option("--scores", is_flag=True, help="Include PageRank, authority and hub of each page (gexf, graphml, json).")
def convert(graph: str, out: str, to_form: str | None, scores: bool, **opening: Any) -> None:
    """Write GRAPH to the file OUT in another format, chosen by the file name.

    \b
      .pairs.txt .ints.txt   the two small text formats
      .matrix.txt            adjacency matrix, as in a spreadsheet
      .csv .tsv              edge lists
      .json                  node-link; .exchange.json for GoJS diagrams
      .gexf .graphml         for Gephi and similar tools
      ...vertices.txt.gz     Common Crawl's pair of files
    """
    from minisearch.lab import formats

    web = open_graph(graph, **opening).web
    form = formats.write(web, out, to_form, _scores(web) if scores else None)
    lost = "; names were replaced by letters or numbers (csv keeps names)" if formats.loses_names(web, form) else ""
    talk(f"{size_of(web)} as {form}{lost}")


def _scores(web: Any) -> dict[str, Any]:
    from minisearch.rank.hits import hits
    from minisearch.rank.pagerank import pagerank

    found = hits(web.graph())
    return {
        "pagerank": pagerank(web.graph()).values,
        "authorities": found.authorities.values,
        "hubs": found.hubs.values,
    }
