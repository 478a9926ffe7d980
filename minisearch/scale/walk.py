"""PageRank of a web in blocks: the same step as in minisearch/rank/power.py, piece by piece.

    next = damping * (what links pay + what stuck readers bring) + (1 - damping) * jump

Every round is a set of tasks; only two numbers of each piece come back: how much the round changed, and how many
readers are stuck on pages without links. TrustRank and topic-sensitive PageRank are the same with another `teleport`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from minisearch.errors import BadInput
from minisearch.rank.pagerank import DAMPING, DANGLING, check_damping
from minisearch.rank.scores import Scores, Vector, check_limits, probabilities
from minisearch.scale.blocks import Blocks
from minisearch.scale.checkpoint import Checkpoints, State
from minisearch.scale.passes import Passes, added
from minisearch.scale.workshop import Handle, Workshop, tree

Part = float | Vector  # a piece of a vector; one number if it is the same on all pages
IN_BLOCKS = ("uniform", "teleport", "leak")
CHANGE, STUCK = 0, 1  # of what a round tells


def pagerank(
    web: Blocks,
    workshop: Workshop,
    *,
    damping: float = DAMPING,
    teleport: ArrayLike | None = None,
    dangling: str = "uniform",
    tolerance: float = 1e-10,
    max_rounds: int = 1000,
    start: ArrayLike | None = None,
    rounds: int | None = None,
    checkpoints: Checkpoints | None = None,
) -> Scores:
    """The share of time spent on each page. Options are those of `minisearch.rank.pagerank.pagerank`.

    Given `checkpoints`, rounds that were taken before are not taken again.
    """
    check_damping(damping)
    limit = check_limits(tolerance, max_rounds, rounds)
    if dangling not in IN_BLOCKS:
        known = "is for webs in memory, not for blocks" if dangling in DANGLING else "is no policy for dead ends"
        raise BadInput(f'"{dangling}" {known}: choose from {", ".join(IN_BLOCKS)}')
    if web.n == 0:
        return Scores(np.zeros(0), 0, 0.0, converged=True)
    jump = _parts(web, "teleport", teleport)
    fill = {"uniform": _parts(web, "", None), "teleport": jump, "leak": None}[dangling]
    told = checkpoints.resumed() if checkpoints else None
    state = told or State(0, np.inf, {"rank": _parts(web, "start", start)})
    return _Walk(web, workshop, damping, jump, fill).settle(state, tolerance, limit, rounds is not None, checkpoints)


def _parts(web: Blocks, name: str, weights: ArrayLike | None) -> list[Any]:
    """A vector in pieces; if all pages weigh the same, one number a piece will do."""
    if weights is None:
        return [1 / web.n] * web.k
    whole = probabilities(name, weights, web.n)
    return [whole[web.pages(piece)] for piece in range(web.k)]


class _Walk:
    """Readers on their way through a web."""

    def __init__(
        self, web: Blocks, workshop: Workshop, damping: float, jump: list[Part], fill: list[Part] | None
    ) -> None:
        self._web, self._workshop, self._damping = web, workshop, damping
        self._passes = Passes(web, workshop)
        self._degrees = [workshop.lay(degree) for degree in web.degrees]
        self._jump = [self._given(part) for part in jump]
        self._fill = self._jump if fill is jump else None if fill is None else [self._given(part) for part in fill]

    def _given(self, part: Part) -> Handle:
        return part if isinstance(part, float) else self._workshop.lay(part)

    def settle(
        self, state: State, tolerance: float, limit: int, exactly: bool, checkpoints: Checkpoints | None
    ) -> Scores:
        done, residual = state.done, state.residual
        rank = self._laid(state.pieces["rank"])
        facts = self._facts([self._workshop.do(_stuck, part, d) for part, d in self._pairs(rank)])
        while done < limit and (exactly or residual > tolerance):
            rank, facts = self._round(rank, float(facts[STUCK]))
            done, residual = done + 1, float(facts[CHANGE])
            if checkpoints and done % self._workshop.rounds_between == 0:
                kept = checkpoints.save(State(done, residual, {"rank": self._workshop.take(rank)}))
                rank = self._laid(kept["rank"])
        values = np.concatenate(self._workshop.take(rank))
        return Scores(values, done, residual, converged=residual <= tolerance)

    def _laid(self, rank: list[Any]) -> list[Handle]:
        return [self._workshop.do(_spread, self._given(part), degree) for part, degree in self._pairs(rank)]

    def _pairs(self, pieces: list[Any]) -> Any:
        return zip(pieces, self._degrees, strict=True)

    def _round(self, rank: list[Handle], stuck: float) -> tuple[list[Handle], Vector]:
        do = self._workshop.do
        paid = self._passes.forward([do(_pays, piece, degree) for piece, degree in self._pairs(rank)])
        fill = self._fill or [0.0] * self._web.k
        after = [
            do(_arrived, paid[i], self._damping, stuck, fill[i], self._jump[i], rank[i]) for i in range(self._web.k)
        ]
        told = [do(_told, before, now, d) for before, now, d in zip(rank, after, self._degrees, strict=True)]
        return after, self._facts(told)

    def _facts(self, told: list[Handle]) -> Vector:
        (facts,) = self._workshop.take([tree(self._workshop, added, told)])
        return np.asarray(facts)


def _spread(part: Part, degree: Vector) -> Vector:
    """A piece of a vector, page by page."""
    return np.full(len(degree), part) if isinstance(part, float) else np.asarray(part)


def _pays(rank: Vector, degree: Vector) -> Vector:
    """What a page pays along each of its links."""
    return np.divide(rank, degree, out=np.zeros(len(rank)), where=degree > 0)


def _arrived(paid: Vector | None, damping: float, stuck: float, fill: Part, jump: Part, before: Vector) -> Vector:
    moved = np.zeros(len(before)) if paid is None else paid
    after: Vector = damping * (moved + stuck * fill) + (1 - damping) * jump
    return after


def _stuck(rank: Vector, degree: Vector) -> Vector:
    return np.array([0.0, rank[degree == 0].sum()])


def _told(before: Vector, after: Vector, degree: Vector) -> Vector:
    return np.array([np.abs(after - before).sum(), after[degree == 0].sum()])
