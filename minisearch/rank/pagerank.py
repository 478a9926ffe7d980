"""PageRank: the share of time that a random surfer spends on each page.

Page, Brin, Motwani and Winograd, "The PageRank Citation Ranking", 1999.
The same in plain Python: minisearch/textbook/pagerank.py

In each iteration the surfer follows a link of the page with probability `damping`, or teleports to a page drawn from
`teleport`. `dangling` says what happens on a page without links.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from minisearch.errors import BadInput
from minisearch.rank.dangling import remove, two_pass
from minisearch.rank.graph import LinkGraph
from minisearch.rank.power import Walk, power
from minisearch.rank.scores import Scores, Vector, probabilities

DAMPING = 0.85  # probability of following a link

DANGLING = {  # what a surfer on a dangling page does
    "uniform": "goes to any page",
    "teleport": "teleports",
    "leak": "is lost",
    "remove": "never gets there: these pages are removed one by one and put back after ranking",
    "two-pass": "never gets there at first: these pages are ranked in a second pass",
}


def pagerank(
    graph: LinkGraph,
    *,
    damping: float = DAMPING,
    teleport: ArrayLike | None = None,
    dangling: str = "uniform",
    tolerance: float = 1e-10,
    max_rounds: int = 1000,
    start: ArrayLike | None = None,
    rounds: int | None = None,
    trace: bool = False,
    decimals: int | None = None,
    rescale: bool = False,
) -> Scores:
    """The share of time spent on each page; the shares sum to 1, unless some of it leaks.

    `teleport` and `start` are weights, one per page, scaled here to sum to 1; without them all pages weigh
    the same. From a page without links (`dangling`) the surfer goes to any page ("uniform"), teleports
    ("teleport"), or is lost ("leak"); or such pages are left out at first: "remove" removes them one by one and
    puts them back in reverse order, "two-pass" does it once. `rescale` scales the ranks of "leak" and "remove" to
    sum to 1.

    It stops when the residual is at most `tolerance`, or after `max_rounds` iterations; `rounds=20` runs exactly
    twenty, and `trace` keeps every one of them. With `decimals=2` the probability of a link is rounded, as in a
    program that stores 1/3 as 0.33.

    >>> ring = LinkGraph.from_edges(4, sources=[0, 1, 2, 3], targets=[1, 2, 3, 0])
    >>> pagerank(ring).values
    array([0.25, 0.25, 0.25, 0.25])
    """
    check_damping(damping)
    if decimals is not None and decimals < 0:
        raise BadInput(f"decimals must be 0 or more, not {decimals}")
    if dangling not in DANGLING:
        raise BadInput(f'unknown dangling policy "{dangling}": choose from {", ".join(DANGLING)}')
    uniform = np.full(graph.n, 1 / max(graph.n, 1))
    jump = uniform if teleport is None else probabilities("teleport", teleport, graph.n)
    first = uniform if start is None else probabilities("start", start, graph.n)
    how: dict[str, Any] = {"tolerance": tolerance, "max_rounds": max_rounds, "rounds": rounds, "trace": trace}
    if dangling == "remove":
        scores = remove(graph, damping, jump, first, decimals=decimals, **how)
    elif dangling == "two-pass":
        return two_pass(graph, damping, jump, first, decimals=decimals, **how)
    else:
        fill = {"uniform": uniform, "teleport": jump, "leak": None}[dangling]
        scores = power(Walk(graph, damping, jump, fill, decimals), first, **how)
    return rescaled(scores) if rescale else scores


def check_damping(damping: float) -> None:
    """Raise BadInput unless damping is a probability."""
    if not 0 <= damping <= 1:
        raise BadInput(f"damping must be between 0 and 1, not {damping}")


def advice(damping: float) -> str:
    """A note on damping 0 and 1; '' for all others.

    >>> advice(1.0)
    'damping 1: no teleporting, so closed groups of pages keep all rank and the iteration may not converge'
    """
    if damping == 0:
        return "damping 0: links are never followed, so every rank comes from teleporting"
    if damping == 1:
        return "damping 1: no teleporting, so closed groups of pages keep all rank and the iteration may not converge"
    return ""


def rescaled(scores: Scores) -> Scores:
    """The same scores scaled to sum to 1, unless all are 0."""
    total = float(scores.values.sum())
    if not total > 0:
        return scores
    values: Vector = scores.values / total
    return Scores(values, scores.rounds, scores.residual, scores.converged, scores.iterates, scores.note)
