"""The structure of a graph: bow tie and connected components.

A. Broder and others, "Graph structure in the Web", 2000: a core in which every page reaches every page, what leads
into it (IN), what it leads to (OUT), tubes from IN to OUT without it, tendrils of IN or OUT, and islands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from minisearch.rank.graph import LinkGraph
from minisearch.rank.pagerank import pagerank
from minisearch.rank.scores import Scores

CLASSES = ("core", "in", "out", "tendril", "tube", "island")
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class BowTie:
    """The class of each page, as a place in CLASSES."""

    labels: NDArray[np.int8]

    def pages(self, name: str) -> list[int]:
        """The pages of a class."""
        pages: list[int] = np.flatnonzero(self.labels == CLASSES.index(name)).tolist()
        return pages

    def sizes(self) -> dict[str, int]:
        """How many pages each class has."""
        found = np.bincount(self.labels, minlength=len(CLASSES)).tolist()
        return dict(zip(CLASSES, found, strict=True))


def bow_tie(graph: LinkGraph) -> BowTie:
    """Core: the largest strongly connected part, of equals the first. Tendril: also what hangs on one.

    >>> bow_tie(LinkGraph.from_edges(4, sources=[0, 1, 2, 1], targets=[1, 0, 0, 3])).sizes()
    {'core': 2, 'in': 1, 'out': 1, 'tendril': 0, 'tube': 0, 'island': 0}
    """
    labels = np.full(graph.n, CLASSES.index("island"), dtype=np.int8)
    if graph.n == 0:
        return BowTie(labels)
    _, group = connected_components(graph.counts, directed=True, connection="strong")
    core = group == _largest(group)
    forth, back = graph.counts, graph.incoming
    after, before = reached(forth, core), reached(back, core)
    into, out = before & ~after, after & ~before
    rest = ~(after | before)
    from_in, to_out = reached(forth, into) & rest, reached(back, out) & rest
    hanging = reached(forth + back, core) & rest
    for name, pages in (
        ("tendril", hanging),
        ("tube", from_in & to_out),
        ("in", into),
        ("out", out),
        ("core", core),
    ):
        labels[pages] = CLASSES.index(name)
    return BowTie(labels)


def reached(links: csr_array, start: Mask) -> Mask:
    """The pages that links lead to from `start`, and `start` itself."""
    seen: Mask = start.copy()
    frontier = np.flatnonzero(start)
    while frontier.size:
        begins, ends = links.indptr[frontier], links.indptr[frontier + 1]
        lengths = ends - begins
        offsets = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        targets = links.indices[np.repeat(begins, lengths) + offsets]
        frontier = np.unique(targets[~seen[targets]])
        seen[frontier] = True
    return seen


def components(graph: LinkGraph, *, strong: bool = False) -> list[list[int]]:
    """The connected components, the largest first; with `strong`, the strongly connected ones."""
    if graph.n == 0:
        return []
    kind = "strong" if strong else "weak"
    _, group = connected_components(graph.counts, directed=True, connection=kind)
    order = np.argsort(group, kind="stable")
    cuts = np.flatnonzero(np.diff(group[order])) + 1
    parts = [part.tolist() for part in np.split(order, cuts)]
    return sorted(parts, key=lambda part: (-len(part), part[0]))


def rank_apart(graph: LinkGraph, **how: Any) -> Scores:
    """Rank each connected component alone, then combine them, weighted by their number of pages.

    With uniform teleporting this equals the ranking of the whole graph, unless dangling pages lead from one
    component to another. Options are those of `pagerank`, without start and teleport.
    """
    values = np.zeros(graph.n)
    rounds, residual, settled = 0, 0.0, True
    with_loop = graph.incoming.diagonal() > 0
    alone: dict[bool, Scores] = {}  # a page by itself is ranked as any other such page
    for part in components(graph):
        if len(part) > 1:
            scores = pagerank(graph.part(part), **how)
        else:
            kind = bool(with_loop[part[0]])
            scores = alone[kind] if kind in alone else alone.setdefault(kind, pagerank(graph.part(part), **how))
        weight = len(part) / graph.n
        values[part] = scores.values * weight
        rounds, residual = max(rounds, scores.rounds), residual + weight * scores.residual
        settled = settled and scores.converged
    return Scores(values, rounds, residual, settled)


def _largest(group: NDArray[np.integer[Any]]) -> int:
    """The group with most members; of equals the one with the first page."""
    sizes = np.bincount(group)
    return int(group[np.flatnonzero(sizes[group] == sizes.max())[0]])
