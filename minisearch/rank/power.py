"""The step of PageRank, and power iteration.

    next = damping * (follow @ rank + rank[stuck].sum() * fill) + (1 - damping) * jump

Every variant of PageRank is this step with another `jump` (the teleport vector) and another `fill`
(where the rank of dangling pages goes).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from minisearch.rank.graph import LinkGraph
from minisearch.rank.multiply import multiplier, row_blocks
from minisearch.rank.scores import Scores, Vector, settle


@dataclass(frozen=True, eq=False)
class Walk:
    """How the surfer moves: the links, and what happens when they are not followed."""

    graph: LinkGraph
    damping: float
    jump: Vector
    fill: Vector | None  # None: the rank of dangling pages is lost
    decimals: int | None = None  # round link probabilities to this many decimals
    again: bool = False  # and as many of damping times the share

    def shares(self) -> csr_array:
        """`graph.follow`, rounded if so asked."""
        follow = self.graph.follow
        if self.decimals is not None:
            follow = follow.copy()
            follow.data = np.round(follow.data, self.decimals)
            if self.again and self.damping:
                follow.data = np.round(self.damping * follow.data, self.decimals) / self.damping
        return follow

    def blocks(self) -> list[csr_array]:
        """The same in blocks of rows."""
        return self.graph.follow_blocks if self.decimals is None else row_blocks(self.shares())


def power(
    walk: Walk,
    start: Vector,
    *,
    tolerance: float,
    max_rounds: int,
    rounds: int | None = None,
    trace: bool = False,
) -> Scores:
    """Power iteration from `start`."""
    damping, jump, fill = walk.damping, walk.jump, walk.fill
    stuck = np.flatnonzero(walk.graph.dangling)
    teleported = (1 - damping) * jump

    with multiplier(walk.blocks()) as follow:

        def step(rank: Vector) -> Vector:
            after = follow(rank)
            if fill is not None and stuck.size:
                after += rank[stuck].sum() * fill
            after *= damping
            after += teleported
            return after

        return settle(step, start, tolerance=tolerance, max_rounds=max_rounds, rounds=rounds, trace=trace)
