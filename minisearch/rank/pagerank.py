"""PageRank: where a reader who clicks at random spends the time.

Page, Brin, Motwani and Winograd, "The PageRank Citation Ranking", 1999.
The same in plain Python: minisearch/textbook/pagerank.py

In each round the reader follows one of the links on the page, with probability `damping`, or gets bored and
jumps to a page drawn from `teleport`. Nothing to follow? Then `dangling` says what happens.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph
from minisearch.rank.scores import Scores, Vector, settle

DAMPING = 0.85  # how likely the reader is to follow a link rather than jump


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
) -> Scores:
    """The share of time spent on each page; the shares sum to 1, unless some of it leaks.

    `teleport` and `start` are weights, one per page, scaled here to sum to 1; without them all pages weigh
    the same. From a page without links (`dangling`) the reader goes to any page ("uniform"), jumps as if
    bored ("teleport"), or is lost to us ("leak").

    It ends when a round moves no more than `tolerance` in all, or after `max_rounds`, and the scores say
    which; `rounds=20` takes exactly twenty.

    >>> ring = LinkGraph.from_edges(4, sources=[0, 1, 2, 3], targets=[1, 2, 3, 0])
    >>> pagerank(ring).values
    array([0.25, 0.25, 0.25, 0.25])
    """
    if not 0 <= damping <= 1:
        raise BadInput(f"damping is a probability and lies between 0 and 1, not at {damping}")
    uniform = np.full(graph.n, 1 / max(graph.n, 1))
    jump = uniform if teleport is None else probabilities("teleport", teleport, graph.n)
    rank = uniform if start is None else probabilities("start", start, graph.n)

    fills = {"uniform": uniform, "teleport": jump, "leak": np.zeros(graph.n)}
    if dangling not in fills:
        raise BadInput(f'no dangling policy is called "{dangling}": choose from {", ".join(fills)}')
    fill, stuck = fills[dangling], graph.dangling

    def step(rank: Vector) -> Vector:
        after: Vector = damping * (graph.follow @ rank + rank[stuck].sum() * fill) + (1 - damping) * jump
        return after

    return settle(step, rank, tolerance=tolerance, max_rounds=max_rounds, rounds=rounds)


def probabilities(name: str, weights: ArrayLike, n: int) -> Vector:
    """The weights of n pages, scaled to sum to 1.

    >>> probabilities("teleport", [3, 0, 1], n=3)
    array([0.75, 0.  , 0.25])
    """
    try:
        vector = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadInput(f"{name} must be a list of numbers, one for each of the {n} pages") from None
    if vector.shape != (n,):
        raise BadInput(f"{name} needs one number for each of the {n} pages, but has shape {vector.shape}")
    senseless = np.flatnonzero(~(vector >= 0) | np.isinf(vector))  # ~(nan >= 0) is true
    if senseless.size:
        page = senseless[0]
        raise BadInput(f"{name} gives page {page} the weight {vector[page]}: use finite numbers, 0 or more")
    if n == 0:
        return vector
    if not vector.any():
        raise BadInput(f"{name} is zero everywhere: at least one page needs a positive weight")
    vector = vector / vector.max()  # so that adding up huge weights does not overflow
    scaled: Vector = vector / vector.sum()
    return scaled
