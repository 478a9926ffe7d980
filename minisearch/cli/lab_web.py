"""lab presets, matrix, removal, bowtie, blocks: the commands that look at a graph."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from minisearch.cli.lab_show import (
    as_json,
    decimals,
    digits,
    graph_argument,
    open_graph,
    print_json,
    show_table,
    talk,
    weights_of,
)

MOST_COLUMNS = 60  # of a matrix that is printed rather than handed on as JSON


@click.command(short_help="The graphs that come with minisearch.")
@as_json
def presets(as_json: bool) -> None:
    """List the graphs that come with minisearch, with the name of each and where it is from."""
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
        click.echo(f"{preset.name}  ({preset.id}; {web.n} pages, {int(web.size)} links)")
        click.echo(f"    {preset.about}\n    {source}")


@click.command(short_help="The matrices links, H, S, E, G.")
@graph_argument
@click.argument("name", metavar="[links|counts|H|S|E|G|S+E]", default="G")
@click.option("--damping", default="0.85", show_default=True, metavar="D", help="Chance to follow a link, or 17/20.")
@click.option("--teleport", metavar="WEIGHTS", help="Where jumps lead: A=0.5,E=0.5 or A,E.  [default: anywhere]")
@click.option(
    "--dangling",
    type=click.Choice(["teleport", "uniform", "leak"]),
    default="teleport",
    show_default=True,
    help="What fills the rows of pages without links in S.",
)
@click.option("--fractions", "exact", is_flag=True, help="Exact fractions in place of decimals.")
@click.option("--columns", is_flag=True, help="Written in columns: entry (i, j) is the way from page j to page i.")
@digits
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
    """Show a matrix of GRAPH: its links, H (chances by links), S (dead ends filled), E (jumps), G, or S+E."""
    from minisearch.errors import BadInput
    from minisearch.rank.matrices import MATRICES, fractions

    web = open_graph(graph, **opening).web
    jump = None if teleport is None else [str(float(weight)) for weight in weights_of(teleport, web, "teleport")]
    rows = fractions(
        web.graph(),
        name,
        damping=damping,
        teleport=jump,
        dangling=dangling,
        orientation="column" if columns else "row",
    )
    if as_json:
        entry = str if exact else float
        entries = [[entry(cell) for cell in row] for row in rows]
        facts = {
            "graph": graph,
            "matrix": name,
            "meaning": MATRICES[name],
            "orientation": "column" if columns else "row",
        }
        print_json(facts | {"pages": list(web.names), "entries": entries})
        return
    if web.n > MOST_COLUMNS:
        raise BadInput(f"a matrix of {web.n} pages does not fit on a screen: --json gives all of it")
    talk(f"{name}: {MATRICES[name]}" + ("; read down the columns" if columns else ""))
    shown = decimals(4 if digits is None else digits, web.n)
    lines = [[page, *(_cell(cell, exact, shown) for cell in row)] for page, row in zip(web.names, rows, strict=True)]
    show_table(["", *web.names], lines)


def _cell(value: Fraction, exact: bool, shown: int) -> str:
    return str(value) if exact or value == int(value) else f"{float(value):.{shown}f}"


@click.command(short_help="Remove dead ends one by one.")
@graph_argument
@click.option("--damping", default="1", show_default=True, metavar="D", help="Chance to follow a link among the rest.")
@as_json
def removal(graph: str, damping: str, as_json: bool, **opening: Any) -> None:
    """Show how pages without links are removed one by one, and put back with what is linked to them.

    The ranks are exact fractions where the graph is small. They do not sum to 1 when removed pages are back.
    """
    from minisearch.rank.dangling import NOTHING_LEFT
    from minisearch.rank.dangling import removal as order_of

    web = open_graph(graph, **opening).web
    took = order_of(web.graph())
    ranks = _ranks_after_removal(web, damping)
    steps = [(web.names[page], [web.names[other] for other in left]) for page, left in took.steps()]
    kept = [web.names[page] for page in took.kept]
    if as_json:
        removed = [{"page": page, "left": left} for page, left in steps]
        values = [{"page": page, "exact": exact, "score": float(value)} for page, exact, value in ranks]
        print_json({"graph": graph, "removed": removed, "kept": kept, "ranks": values})
        return
    if not steps:
        talk("no page is without links: nothing has to be removed")
    for number, (page, left) in enumerate(steps, 1):
        click.echo(f"{number}. {page} has no links and goes; left: {_some(left) or 'nothing'}")
    if not kept:
        talk(NOTHING_LEFT)
    if steps:
        click.echo(f"put back in the order {', '.join(page for page, _ in reversed(steps[-20:]))}")
    show_table(["page", "rank", ""], [(page, f"{float(value):.6f}", exact) for page, exact, value in ranks])
    total = sum(float(value) for *_, value in ranks)
    talk(f"the ranks sum to {total:.6g}" + ("; scaled to 1 they are comparable with others" if steps else ""))


def _ranks_after_removal(web: Any, damping: str) -> list[tuple[str, str, Any]]:
    from minisearch.rank.matrices import share
    from minisearch.rank.pagerank import pagerank
    from minisearch.rank.solve import MOST_EXACT, exact

    chance = share(damping, "damping")
    if web.n <= MOST_EXACT:
        values = exact(web.graph(), damping=chance, dangling="remove")
        return [(page, str(value), value) for page, value in zip(web.names, values, strict=True)]
    scores = pagerank(web.graph(), damping=float(chance), dangling="remove")
    talk(scores.note or scores.verdict)
    return [(page, "", float(value)) for page, value in zip(web.names, scores.values, strict=True)]


def _some(names: list[str]) -> str:
    return ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")


BOW_TIE = {
    "core": "the largest group in which every page reaches every page",
    "in": "leads into the core",
    "out": "the core leads there",
    "tendril": "hangs on IN or OUT, past the core",
    "tube": "leads from IN to OUT past the core",
    "island": "no way to or from all this",
}


@click.command(short_help="Core, IN, OUT, tendrils, tubes, islands.")
@graph_argument
@as_json
def bowtie(graph: str, as_json: bool, **opening: Any) -> None:
    """Sort the pages of GRAPH into the parts of a bow tie, and say whether a random walk on it must settle."""
    from minisearch.rank.chains import regular, strongly_connected
    from minisearch.rank.structure import bow_tie, components

    web = open_graph(graph, **opening).web
    links = web.graph()
    shape = bow_tie(links)
    parts = {name: [web.names[page] for page in shape.pages(name)] for name in BOW_TIE}
    separate = components(links)
    connected, settles = strongly_connected(links, names=web.names), regular(links, fill=True, names=web.names)
    if as_json:
        answers = {
            "strongly_connected": {"yes": connected.yes, "why": connected.reason},
            "regular": {"yes": settles.yes, "why": settles.reason},
        }
        print_json({"graph": graph, "parts": parts, "components": [len(part) for part in separate], **answers})
        return
    rows = [(name, BOW_TIE[name], str(len(pages)), _some(pages)) for name, pages in parts.items()]
    show_table(["part", "meaning", "pages", ""], rows, words=(0, 1, 3))
    talk(f"separate components: {len(separate)}, the largest of {len(separate[0])} pages")
    talk(f"strongly connected: {_yes(connected)}")
    talk(f"regular, with dead ends filled: {_yes(settles)}")


def _yes(answer: Any) -> str:
    return f"{'yes' if answer.yes else 'no'}, {answer.reason}"


@click.command(short_help="k x k blocks, and one MapReduce step.")
@graph_argument
@click.option("-k", "--k", type=click.IntRange(1), default=2, show_default=True, help="Cut it into k x k blocks.")
@as_json
def blocks(graph: str, k: int, as_json: bool, **opening: Any) -> None:
    """Cut GRAPH into k x k blocks, and show one MapReduce step of PageRank on them.

    The degree is that of the whole page; pages without a target in the block are left out. What the blocks pay adds
    up to the direct product.
    """
    from minisearch.errors import BadInput
    from minisearch.rank.blocks import added_up, block_step, tables

    web = open_graph(graph, **opening).web
    if web.n > 1000:
        raise BadInput(f"{web.n} pages in block tables are not to be read any more: 1000 is the most")
    cut = tables(web.graph(), k)
    paid = block_step(cut, [Fraction(1, web.n)] * web.n)
    names, total = web.names, added_up(paid, web.n)
    if as_json:
        found = {
            f"M{row}{column}" if k < 10 else f"M{row},{column}": {
                "links": {
                    names[source]: [degree, [names[t] for t in targets]] for source, (degree, targets) in block.items()
                },
                "pays": {names[page]: str(amount) for page, amount in paid[row, column].items()},
            }
            for (row, column), block in cut.items()
        }
        print_json({"graph": graph, "k": k, "blocks": found, "sum": dict(zip(names, map(str, total), strict=True))})
        return
    for (row, column), block in cut.items():
        lines = [
            (names[source], str(degree), " ".join(names[target] for target in targets))
            for source, (degree, targets) in block.items()
        ]
        show_table(["page", "degree", "links to"], lines, words=(0, 2), title=f"block {row}, {column}")
        pays = ", ".join(f"{names[page]} {amount}" for page, amount in paid[row, column].items())
        click.echo(f"pays: {pays or 'nothing'}\n")
    show_table(["page", "one step from 1/n"], [(n, str(v)) for n, v in zip(names, total, strict=True)])
