"""Views of a graph beside its ranks, as plain data for --json and for the lab page.

Matrices, removal of dangling pages, bow tie, blocks, spam farm, comparison of two graphs, conventions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import numpy as np

from minisearch.errors import BadInput
from minisearch.lab.exact import as_written
from minisearch.lab.webs import Web
from minisearch.rank.blocks import added_up, block_step, stripes, tables
from minisearch.rank.chains import Answer, regular, strongly_connected
from minisearch.rank.compare import Move, compare
from minisearch.rank.conventions import CONVENTIONS
from minisearch.rank.dangling import NOTHING_LEFT
from minisearch.rank.dangling import removal as order_of_removal
from minisearch.rank.farm import harvest, plant
from minisearch.rank.matrices import MATRICES, Number, fractions, share
from minisearch.rank.pagerank import DAMPING, pagerank
from minisearch.rank.solve import MOST_EXACT, exact
from minisearch.rank.structure import CLASSES, bow_tie, components
from minisearch.rank.surfer import division_points, next_page

MOST_IN_BLOCKS = 1000  # pages whose block tables somebody may want to read
BOW_TIE = {
    "core": "largest strongly connected component",
    "in": "links lead into the core",
    "out": "reached from the core",
    "tendril": "attached to IN or OUT, not through the core",
    "tube": "leads from IN to OUT without the core",
    "island": "not connected to any of these",
}


def matrix_view(
    web: Web,
    name: str = "G",
    *,
    damping: Number = DAMPING,
    teleport: Sequence[float] | None = None,
    dangling: str = "teleport",
    columns: bool = False,
) -> dict[str, Any]:
    """A matrix of a web: its `entries` as exact fractions, the way from a page to a page, or in columns the other way.

    >>> [[str(entry) for entry in row] for row in matrix_view(Web.of("AB", ["AB"]), "S")["entries"]]
    [['0', '1'], ['1/2', '1/2']]
    """
    orientation = "column" if columns else "row"
    jump = as_written(web, "teleport", teleport)
    rows = fractions(web.graph(), name, damping=damping, teleport=jump, dangling=dangling, orientation=orientation)
    facts = {"matrix": name, "meaning": MATRICES[name], "orientation": orientation}
    return {**facts, "pages": list(web.names), "entries": rows}


def removal_view(web: Web, *, damping: Number = 1) -> dict[str, Any]:
    """How dead ends go one by one, what is left, and all ranks when they are back, exact where the web is small."""
    took, graph, chance = order_of_removal(web.graph()), web.graph(), share(damping, "damping")
    steps = [{"page": web.names[page], "left": [web.names[other] for other in left]} for page, left in took.steps()]
    kept = [web.names[page] for page in took.kept]
    verdict, note = "", "" if kept else NOTHING_LEFT
    values: Sequence[Fraction | float] = []
    if web.n > MOST_EXACT:
        scores = pagerank(graph, damping=float(chance), dangling="remove")
        values, verdict = scores.values.tolist(), scores.verdict
    else:
        try:
            values = exact(graph, damping=chance, dangling="remove")
        except BadInput as error:  # what is left can be taken apart, but not ranked
            note = f"the remaining pages cannot be ranked: {error}; choose damping below 1"
    ranks = [
        {"page": name, "exact": str(value) if isinstance(value, Fraction) else "", "score": float(value)}
        for name, value in zip(web.names, values, strict=False)
    ]
    found = {"removed": steps, "kept": kept, "ranks": ranks, "sum": float(sum(values))}
    return found | {"verdict": verdict, "note": note}


def bow_tie_view(web: Web) -> dict[str, Any]:
    """The pages of each part of the bow tie, the separate components, and whether a walk must settle."""
    links = web.graph()
    shape = bow_tie(links)
    connected, settles = strongly_connected(links, names=web.names), regular(links, fill=True, names=web.names)
    return {
        "parts": {name: [web.names[page] for page in shape.pages(name)] for name in CLASSES},
        "components": [len(part) for part in components(links)],
        "strongly_connected": _answer(connected),
        "regular": _answer(settles),
    }


def _answer(answer: Answer) -> dict[str, Any]:
    return {"yes": answer.yes, "why": answer.reason}


def blocks_view(web: Web, k: int) -> dict[str, Any]:
    """The k x k block tables of a web, what each pays in one step from 1/n, and the sum: the direct product."""
    if web.n > MOST_IN_BLOCKS:
        raise BadInput(f"block tables are limited to {MOST_IN_BLOCKS} pages, not {web.n}")
    if not web.n:
        raise BadInput("nothing to cut into blocks: the graph has no pages")
    cut = tables(web.graph(), k)
    paid = block_step(cut, [Fraction(1, web.n)] * web.n)
    names = web.names
    blocks = {
        f"M{row}{column}" if k < 10 else f"M{row},{column}": {
            "links": {
                names[source]: [degree, [names[target] for target in targets]]
                for source, (degree, targets) in block.items()
            },
            "pays": {names[page]: str(amount) for page, amount in paid[row, column].items()},
        }
        for (row, column), block in cut.items()
    }
    return {"k": k, "blocks": blocks, "sum": dict(zip(names, map(str, added_up(paid, web.n)), strict=True))}


def draw_view(
    web: Web,
    start: str,
    drawn: float,
    *,
    damping: Number = DAMPING,
    teleport: Sequence[float] | None = None,
    dangling: str = "uniform",
) -> dict[str, Any]:
    """How a number drawn from [0, 1) chooses the next page: the chances of all pages, and their running sums."""
    how = {"damping": damping, "teleport": as_written(web, "teleport", teleport), "dangling": dangling}
    sums = division_points(web.graph(), web.number(start), **how)
    chances = np.diff(sums, prepend=0.0).tolist()
    points = [list(row) for row in zip(web.names, chances, sums.tolist(), strict=True)]
    return {"from": start, "drawn": drawn, "to": web.names[next_page(sums, drawn)], "points": points}


def stripes_view(web: Web, k: int) -> dict[str, Any]:
    """The k stripes of a web: all links from one piece of the pages, which alone has to be read for them."""
    if not 0 < web.n <= MOST_IN_BLOCKS:
        raise BadInput(f"stripes need 1 to {MOST_IN_BLOCKS} pages, not {web.n}")
    names = web.names
    cut = {
        f"M{number}": {names[page]: [degree, [names[to] for to in targets]] for page, (degree, targets) in part.items()}
        for number, part in stripes(web.graph(), k).items()
    }
    return {"k": k, "stripes": cut}


def farm_view(web: Web, supporters: int, accessible: Sequence[str] = (), *, damping: float = DAMPING) -> dict[str, Any]:
    """A spam farm planted beside a web: the rank of its target by ranking all, and by the formula."""
    planted = plant(web.graph(), supporters, [web.number(page) for page in accessible])
    found = harvest(planted, damping=damping)
    paper = found.formula
    return {
        "supporters": supporters,
        "pages": planted.graph.n,
        "damping": damping,
        "amplification": paper.amplification,
        "c": paper.c,
        "x": found.x,
        "target": {"ranked": found.target, "formula": paper.target, "published": paper.target_without_own_jumps},
        "supporter": {"ranked": found.supporter, "formula": paper.supporter},
        "verdict": found.scores.verdict,
    }


def comparison_view(before: Web, after: Web, **how: Any) -> list[dict[str, Any]]:
    """Every page of two webs, the one that moved most first, with its rank and place in both, and why."""
    return moves_view(compare(before.graph(), after.graph(), before.names, after.names, **how))


def moves_view(moves: Sequence[Move]) -> list[dict[str, Any]]:
    """The moves of pages as plain data."""
    return [{**asdict(move), "change": move.change} for move in moves]


def conventions_view() -> list[dict[str, Any]]:
    """The named conventions with all their choices."""
    return [asdict(one) for one in CONVENTIONS.values()]
