"""lab farm, compare, convert: the commands that change a graph."""

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
    talk,
)
from minisearch.errors import BadInput

_damping = click.option(
    "--damping", type=options.FLOAT, default=0.85, show_default=True, help="Chance to follow a link."
)


@click.command(short_help="Plant a spam farm.")
@click.option(
    "--supporters", type=click.IntRange(1, 1_000_000), default=3, show_default=True, help="Pages of the farm."
)
@_damping
@click.option("--in", "graph", metavar="GRAPH", help="The web around it.  [default: four pages]")
@click.option("--from", "doors", metavar="PAGES", help="Accessible pages that link to the target, as in A,B.")
@as_json
def farm(supporters: int, damping: float, graph: str | None, doors: str | None, as_json: bool) -> None:
    """Plant a spam farm: one target, many supporters, and links from accessible pages.

    The rank of the target by the formula and by ranking the whole web: both must agree.
    """
    from minisearch.lab.views import farm_view
    from minisearch.lab.webs import Web
    from minisearch.lab.written import parts_of

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
        ("d, the damping", f"{damping:g}"),
        ("m supporters of n pages", f"{supporters} of {found['pages']}"),
        ("x, from accessible pages", f"{found['x']:.9f}"),
        ("1/(1-d^2), the amplification", f"{found['amplification']:.4f}"),
        ("c", f"{found['c']:.4f}"),
        ("y by the formula", f"{target['formula']:.9f}"),
        ("y by ranking the whole web", f"{target['ranked']:.9f}"),
        ("y without the target's own jumps, as published", f"{target['published']:.9f}"),
        ("a supporter", f"{found['supporter']['ranked']:.9f}"),
    ]
    show_table(["", "value"], rows)
    talk(found["verdict"])


@click.command(short_help="Before and after a change.")
@graph_argument
@click.argument("other", required=False, metavar="[GRAPH2]")
@_damping
@click.option(
    "--dangling",
    type=click.Choice(["uniform", "teleport", "leak", "remove", "two-pass"]),
    default="uniform",
    show_default=True,
    help="What becomes of readers on pages without links.",
)
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="Show so many pages.")
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
    """Compare the ranks of GRAPH with those of GRAPH2, or of GRAPH after each --edit: who moved, and why.

    \b
      minisearch lab compare ten-pages ten-pages-one-link-more --damping 1
      minisearch lab compare ten-pages --edit "add J A"
    """
    from minisearch.lab.views import comparison_view

    if other is None and not changes:
        raise BadInput('compare with what? Name a second graph, or an edit such as --edit "add A B"')
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
            _place(move["place_before"]),
            _place(move["place_after"]),
        )
        for move in moves[:top]
    ]
    show_table(["page", "why", "before", "after", "change", "place", "then"], rows, words=(0, 1))
    if len(moves) > top:
        talk(f"{len(moves) - top} more pages moved less: --top {len(moves)} shows all")


def _rank(value: float | None, shown: int) -> str:
    return "-" if value is None else f"{value:.{shown}f}"


def _place(place: int | None) -> str:
    return "-" if place is None else str(place)


@click.command(short_help="Write a graph in another format.")
@graph_argument
@click.argument("out", metavar="OUT")
@click.option("--to", "to_form", metavar="FORMAT", help="The format to write, if the name of OUT is silent.")
@click.option("--scores", is_flag=True, help="With PageRank, authority and hub of each page (gexf, graphml, json).")
def convert(graph: str, out: str, to_form: str | None, scores: bool, **opening: Any) -> None:
    """Write GRAPH into the file OUT in another format; the name of OUT tells which.

    \b
      .pairs.txt .ints.txt   the two small text formats
      .matrix.txt            rows of numbers, as spreadsheets have them
      .csv .tsv              edge lists
      .json                  node-link; .exchange.json for GoJS diagrams
      .gexf .graphml         for Gephi and others
      ...vertices.txt.gz     Common Crawl's pair of files
    """
    from minisearch.lab import formats

    web = open_graph(graph, **opening).web
    form = formats.write(web, out, to_form, _scores(web) if scores else None)
    lost = "; names became letters or numbers: csv keeps them" if formats.loses_names(web, form) else ""
    talk(f"{web.n} pages and {web.size:g} links as {form}{lost}")


def _scores(web: Any) -> dict[str, Any]:
    from minisearch.rank.hits import hits
    from minisearch.rank.pagerank import pagerank

    found = hits(web.graph())
    return {
        "pagerank": pagerank(web.graph()).values,
        "authorities": found.authorities.values,
        "hubs": found.hubs.values,
    }
