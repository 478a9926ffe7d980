"""A spam farm: m supporters that link to one target, which links back to all of them.

The target's rank is y = (x + (1 - damping)/n) / (1 - damping^2) + c m/n with c = damping / (1 + damping), where
x is what comes in from pages outside and n is the number of all pages. The Belgrade PageRank thesis leaves out the
target's own share of the teleports as small; with it the formula is exact, as the generated farm shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph
from minisearch.rank.pagerank import check_damping, pagerank
from minisearch.rank.scores import Scores


@dataclass(frozen=True, slots=True)
class Formula:
    """The formula of a farm."""

    x: float  # rank that comes in from accessible pages
    supporters: int
    pages: int  # in the whole web, the farm included
    damping: float

    @property
    def amplification(self) -> float:
        """How many times the farm multiplies what comes in from outside."""
        return 1 / (1 - self.damping**2)

    @property
    def c(self) -> float:
        """The part of the farm's own share of the web that ends up at the target."""
        return self.damping / (1 + self.damping)

    @property
    def target(self) -> float:
        """The rank of the target, with its own teleports: exact."""
        return (self.x + (1 - self.damping) / self.pages) * self.amplification + self.c * self.supporters / self.pages

    @property
    def target_without_own_jumps(self) -> float:
        """The rank of the target as published, without its own teleports."""
        return self.x * self.amplification + self.c * self.supporters / self.pages

    @property
    def supporter(self) -> float:
        """The rank of each supporter."""
        own = (1 - self.damping) / self.pages
        return self.damping * self.target / self.supporters + own if self.supporters else own


@dataclass(frozen=True, eq=False)
class Farm:
    """A farm in a web: the graph with it, and where its pages are."""

    graph: LinkGraph
    target: int
    supporters: tuple[int, ...]
    accessible: tuple[int, ...]  # pages outside that link to the target


@dataclass(frozen=True, eq=False)
class Harvest:
    """A farm ranked, and what the formula says: both should agree."""

    scores: Scores
    x: float
    target: float
    supporter: float
    formula: Formula


def formula(x: float, supporters: int, pages: int, damping: float = 0.85) -> Formula:
    """The farm on paper; BadInput for numbers that make none."""
    check_damping(damping)
    if damping == 1:
        raise BadInput("with damping 1 the farm's rank grows without bound: choose damping below 1")
    if supporters < 0 or pages < supporters + 1:
        raise BadInput(f"{supporters} supporters and a target do not fit into {pages} pages")
    if not 0 <= x < np.inf:
        raise BadInput(f"x, the rank from outside, must be a finite number, 0 or more, not {x}")
    return Formula(x, supporters, pages, damping)


def plant(graph: LinkGraph, supporters: int, accessible: Sequence[int] = ()) -> Farm:
    """The graph with a farm added at its end: the target first, then its supporters.

    Each accessible page gets one more link, to the target.
    """
    if supporters < 1:
        raise BadInput(f"a farm needs at least one supporter, not {supporters}")
    for page in accessible:
        if not 0 <= page < graph.n:
            raise BadInput(f"accessible names page {page}, but there are {graph.n} pages, counted from 0")
    links = graph.counts.tocoo()
    sources, targets = (ends.astype(np.int64) for ends in links.coords)
    target, first = graph.n, graph.n + 1
    helpers = np.arange(first, first + supporters)
    outside = np.array(sorted(set(accessible)), dtype=np.int64)
    to_target = np.full(supporters, target)
    grown = LinkGraph.from_edges(
        first + supporters,
        np.concatenate([sources, outside, to_target, helpers]),
        np.concatenate([targets, np.full(len(outside), target), helpers, to_target]),
        loops=True,
        weights=np.concatenate([links.data, np.ones(len(outside) + 2 * supporters)]),
    )
    return Farm(grown, target, tuple(helpers.tolist()), tuple(outside.tolist()))


def harvest(farm: Farm, *, damping: float = 0.85, **how: Any) -> Harvest:
    """Rank the web with the farm, and put the formula beside it.

    The formula knows of no pages without links, so what such pages hold leaks unless `dangling` says otherwise.
    """
    options = {"dangling": "leak", "tolerance": 1e-14, **how}
    scores = pagerank(farm.graph, damping=damping, **options)
    ranks, degree = scores.values, farm.graph.out_degree
    x = damping * sum(
        float(ranks[page] * farm.graph.counts[page, farm.target] / degree[page]) for page in farm.accessible
    )
    paper = formula(x, len(farm.supporters), farm.graph.n, damping)
    return Harvest(scores, x, float(ranks[farm.target]), float(ranks[farm.supporters[0]]), paper)
