"""lab presets, matrix, removal, bowtie, blocks: inspect a graph."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from minisearch.cli.lab_show import (
    as_json,
    digits,
    echo,
    graph_argument,
    open_graph,
    print_json,
    show_table,
    talk,
)
from minisearch.cli.options import Integer
from minisearch.models import counted

MOST_COLUMNS = 60  # of a matrix that is printed rather than handed on as JSON


@click.command(short_help="List the example graphs.")
@as_json
def presets(as_json: bool) -> None:
    """List the example graphs with their names and sources."""
    from minisearch.lab.presets import presets as all_presets

    rows = []
    for preset in all_presets():
        web = preset.web()
        source = f"{preset.source}, {preset.where}" if preset.source else "made for minisearch"
        rows.append((preset, web, source))
    if as_json:
        print_json(
            [
                {"name": preset.name, "id": preset.id, "pages": list(preset.pages), "links": int(web.size)}
                | {"about": preset.about, "source": preset.source, "where": preset.where}
                for preset, web, _ in rows
            ]
        )
        return
    for preset, web, source in rows:
        size = f"{counted(web.n, 'page')}, {counted(int(web.size), 'link')}"
        click.echo(f"{preset.name}  ({preset.id}; {size})")
        click.echo(f"    {preset.about}\n    {source}")


@click.command(short_help="Show the matrices links, H, S, E, G.")
@graph_argument
@click.argument("name", metavar="[links|counts|H|S|E|G|S+E]", default="G")
@click.option("--damping", default="0.85", show_default=True, metavar="D", help="Probability of following a link.")
@click.option(
    "--teleport", metavar="WEIGHTS", help="Pages to teleport to, such as A,E or A=0.5,E=0.5.  [default: all pages]"
)
@click.option(
    "--dangling",
    type=click.Choice(["teleport", "uniform", "leak"]),
    default="teleport",
    show_default=True,
    help="How to fill the rows of dangling pages in S.",
)
@click.option("--fractions", "exact", is_flag=True, help="Show exact fractions.")
@click.option("--columns", is_flag=True, help="Transpose: entry (i, j) is for links from page j to page i.")
@digits("4")
@as_json
def matrix(
    graph: str,
    name: str,
    damping: str,
    teleport: str | None,
    dangling: str,
    exact: bool,
    columns: bool,
    digits: int | None,
    as_json: bool,
    **opening: Any,
) -> None:
    """Show a matrix of GRAPH: links, counts, H (link probabilities), S (dangling rows filled), E (teleport), G, S+E."""
    from minisearch.errors import BadInput
    from minisearch.lab.options import weights_of
    from minisearch.lab.views import matrix_view

    web = open_graph(graph, **opening).web
    jump = None if teleport is None else weights_of(teleport, web, "teleport")
    found = matrix_view(web, name, damping=damping, teleport=jump, dangling=dangling, columns=columns)
    if as_json:
        entry = str if exact else float
        print_json({"graph": graph, **found, "entries": [[entry(cell) for cell in row] for row in found["entries"]]})
        return
    if web.n > MOST_COLUMNS:
        raise BadInput(f"a matrix of {web.n} pages is too wide: --json prints all of it")
    talk(f"{name}: {found['meaning']}" + (", transposed" if columns else ""))
    shown = 4 if digits is None else digits
    rows = zip(web.names, found["entries"], strict=True)
    show_table(["", *web.names], [[page, *(_cell(cell, exact, shown) for cell in row)] for page, row in rows])


def _cell(value: Fraction, exact: bool, shown: int) -> str:
    return str(value) if exact or value == int(value) else f"{float(value):.{shown}f}"


@click.command(short_help="Remove dangling pages one by one.")
@graph_argument
@click.option("--damping", default="1", show_default=True, metavar="D", help="Probability of following a link.")
@as_json
def removal(graph: str, damping: str, as_json: bool, **opening: Any) -> None:
    """Remove dangling pages one by one, rank the rest, and put the removed pages back.

    A removed page gets the rank that the pages linking to it contribute, so the ranks do not sum to 1. The ranks of
    small graphs are exact fractions.
    """
    from minisearch.lab.views import removal_view

    found = removal_view(open_graph(graph, **opening).web, damping=damping)
    if as_json:
        print_json({"graph": graph} | found)
        return
    steps = found["removed"]
    if not steps:
        talk("there are no dangling pages to remove")
    for number, step in enumerate(steps, 1):
        echo(f"{number}. remove {step['page']}; remaining: {_some(step['left']) or 'none'}")
    if found["note"]:
        talk(found["note"])
        return
    if steps:
        echo(f"put back in this order: {', '.join(step['page'] for step in reversed(steps[-20:]))}")
    show_table(["page", "rank", ""], [(row["page"], f"{row['score']:.6f}", row["exact"]) for row in found["ranks"]])
    talk(found["verdict"])
    talk(f"the ranks sum to {found['sum']:.6g}" + ("; scale them to 1 to compare with other rankings" if steps else ""))


def _some(names: list[str]) -> str:
    return ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")


@click.command(short_help="Show the bow-tie structure.")
@graph_argument
@as_json
def bowtie(graph: str, as_json: bool, **opening: Any) -> None:
    """Show the bow-tie parts of GRAPH, and whether a random walk on it converges."""
    from minisearch.lab.views import BOW_TIE, bow_tie_view

    found = bow_tie_view(open_graph(graph, **opening).web)
    if as_json:
        print_json({"graph": graph} | found)
        return
    rows = [(name, BOW_TIE[name], str(len(pages)), _some(pages)) for name, pages in found["parts"].items()]
    show_table(["part", "meaning", "pages", ""], rows, words=(0, 1, 3))
    separate = found["components"]
    talk(f"connected components: {len(separate)}; the largest has {counted(separate[0], 'page')}")
    talk(f"strongly connected: {_yes(found['strongly_connected'])}")
    talk(f"regular, with dangling rows filled: {_yes(found['regular'])}")


def _yes(answer: dict[str, Any]) -> str:
    return f"{'yes' if answer['yes'] else 'no'}, {answer['why']}"


@click.command(short_help="Show k x k blocks and one MapReduce step.")
@graph_argument
@click.option("-k", "--k", type=Integer(1), default=2, show_default=True, help="Number of blocks per side.")
@click.option("--stripes", is_flag=True, help="Use k stripes instead of blocks.")
@as_json
def blocks(graph: str, k: int, stripes: bool, as_json: bool, **opening: Any) -> None:
    """Cut GRAPH into k x k blocks and show one MapReduce step of PageRank on them.

    The degree is that of the whole page. Pages without a target in a block are left out of it. The contributions of
    the blocks sum to the product of the whole matrix.
    """
    from minisearch.lab.views import blocks_view, stripes_view

    web = open_graph(graph, **opening).web
    found = stripes_view(web, k) if stripes else blocks_view(web, k)
    if as_json:
        print_json({"graph": graph} | found)
        return
    if stripes:
        for name, links in found["stripes"].items():
            _show_links(name, links)
            click.echo()
        return
    for name, block in found["blocks"].items():
        _show_links(name, block["links"])
        pays = ", ".join(f"{page} {amount}" for page, amount in block["pays"].items())
        echo(f"contributions: {pays or 'none'}", "")
    show_table(["page", "after one iteration from 1/n"], list(found["sum"].items()))


def _show_links(title: str, links: dict[str, Any]) -> None:
    lines = [(page, str(degree), " ".join(targets)) for page, (degree, targets) in links.items()]
    show_table(["page", "degree", "links to"], lines, words=(0, 2), title=title)
