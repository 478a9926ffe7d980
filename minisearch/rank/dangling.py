"""Pages without links: taken out, and brought back when the others are ranked.

Taking one out may leave another without links, so it goes on until none is left or nothing is. After the rest
is ranked, pages come back in reverse: each gets what the pages linking to it pay, who divide by the links they
had just before it went. The Belgrade PageRank thesis shows it on two stacks of matrices; E. Stoimenova,
"Random internet surfing", does it in two passes. The same in plain Python: minisearch/textbook/dangling.py
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph
from minisearch.rank.power import Walk, power
from minisearch.rank.scores import Scores, Vector, probabilities

NOTHING_LEFT = "every page was removed: the links have no cycle, so nothing is left to rank, and all ranks are 0"


@dataclass(frozen=True, eq=False)
class Removal:
    """Which pages go, in order, and which stay."""

    order: tuple[int, ...]  # the first dangling page goes first; read backwards, it is the order of their return
    kept: tuple[int, ...]

    def steps(self) -> list[tuple[int, tuple[int, ...]]]:
        """Each page that goes, with the pages that are left after it has gone."""
        left = sorted((*self.order, *self.kept))
        steps = []
        for page in self.order:
            left.remove(page)
            steps.append((page, tuple(left)))
        return steps


def removal(graph: LinkGraph) -> Removal:
    """The order in which pages without links go: always the first there is.

    >>> chain = LinkGraph.from_edges(4, sources=[0, 1, 1, 2], targets=[1, 0, 2, 3])
    >>> removal(chain)
    Removal(order=(3, 2), kept=(0, 1))
    """
    left = graph.out_degree.copy() if graph.degree is None else graph.counts.sum(axis=1)
    links = graph.incoming
    stack = np.flatnonzero(left == 0).tolist()
    gone = np.zeros(graph.n, dtype=bool)
    order = []
    while stack:
        page = heapq.heappop(stack)
        gone[page] = True
        order.append(page)
        row = slice(links.indptr[page], links.indptr[page + 1])
        sources = links.indices[row]
        left[sources] -= links.data[row]
        for source in sources[(left[sources] <= 0) & ~gone[sources]].tolist():
            heapq.heappush(stack, source)
    return Removal(tuple(order), tuple(np.flatnonzero(~gone).tolist()))


def remove(graph: LinkGraph, damping: float, jump: Vector, start: Vector, **how: Any) -> Scores:
    """Rank what is left when all dangling pages are removed, then put them back. The sum is not 1 any more.

    Teleports stay inside what is left: `jump` is cut to those pages and scaled to 1.
    """
    took = removal(graph)
    kept = np.array(took.kept, dtype=np.int64)
    values = np.zeros(graph.n)
    if not took.kept:
        return Scores(values, 0, 0.0, converged=True, note=NOTHING_LEFT if graph.n else "")
    scores = rank_part(graph, kept, damping, jump, start, **how)
    values[kept] = scores.values
    links = graph.incoming
    degree = degrees_at_removal(graph, took)
    for page in reversed(took.order):
        row = slice(links.indptr[page], links.indptr[page + 1])
        values[page] = values[links.indices[row]] @ (links.data[row] / degree[row])
    return Scores(values, scores.rounds, scores.residual, scores.converged, scores.iterates)


def two_pass(graph: LinkGraph, damping: float, jump: Vector, start: Vector, **how: Any) -> Scores:
    """Rank the pages that have links, add the others by what links to them, and scale all to sum to 1."""
    kept = np.flatnonzero(~graph.dangling)
    values = np.zeros(graph.n)
    if not kept.size:
        note = NOTHING_LEFT if graph.n else ""
        return Scores(values, 0, 0.0, converged=True, note=note)
    scores = rank_part(graph, kept, damping, jump, start, **how)
    values[kept] = scores.values
    added: Vector = graph.follow @ values
    values[graph.dangling] = added[graph.dangling]
    total = float(values.sum())
    values = values / total if total > 0 else values
    return Scores(values, scores.rounds, scores.residual, scores.converged, scores.iterates)


def rank_part(
    graph: LinkGraph,
    kept: NDArray[np.integer[Any]],
    damping: float,
    jump: Vector,
    start: Vector,
    *,
    decimals: int | None = None,
    **how: Any,
) -> Scores:
    """The scores of some pages as if there were no others; a page left without links loses its rank."""
    part = graph.part(kept)
    if not jump[kept].any():
        raise BadInput("no page of the teleport vector is left once dangling pages are removed")
    inside = probabilities("teleport", jump[kept], part.n)
    first = probabilities("start", start[kept], part.n) if start[kept].any() else inside
    return power(Walk(part, damping, inside, None, decimals), first, **how)


def degrees_at_removal(graph: LinkGraph, took: Removal) -> Vector:
    """For each entry of `graph.incoming`, the links its source still had when its target was taken out."""
    when = np.full(graph.n, len(took.order))
    when[list(took.order)] = np.arange(len(took.order))
    counts = graph.counts.tocoo()
    sources, targets = counts.coords
    soonest = np.lexsort((when[targets], sources))  # by source, then by when the target goes
    paid = counts.data[soonest]
    before = np.cumsum(paid) - paid
    first_of_source = np.searchsorted(sources[soonest], sources[soonest])
    left = graph.counts.sum(axis=1)[sources[soonest]] - (before - before[first_of_source])
    by_target = np.lexsort((sources[soonest], targets[soonest]))  # the order of `incoming`
    degree: Vector = left[by_target]
    return degree
