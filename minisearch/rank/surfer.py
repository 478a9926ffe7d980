"""The random surfer: simulate a million moves and count the visits.

E. Stoimenova, "Random internet surfing": in 90 of 100 moves one of the links on the page, each as likely as another;
otherwise a teleport to any page. The frequencies converge to PageRank from any first page; the error falls with the
square root of the number of moves. The same in plain Python: minisearch/textbook/surfer.py

Between two teleports a walk does not depend on what was before. So the walk is cut at its teleports, all pieces are
simulated at the same time, and then joined.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph
from minisearch.rank.matrices import matrix
from minisearch.rank.pagerank import check_damping
from minisearch.rank.scores import Vector, probabilities

Pages = NDArray[np.int64]
BATCHES = 50  # parts of a walk, compared to estimate the standard error
FEW_JUMPS = 1e-3  # below this probability the pieces are so long that single moves are faster
AT_A_TIME = 2_000_000  # moves; for the next ones only the page that was reached is remembered
MOST_DENSE = 1000  # pages for which the fundamental matrix is computed


@dataclass(frozen=True, eq=False)
class Surf:
    """A walk through a graph: every page in the order of visits. The first page is not a visit."""

    start: int
    path: NDArray[np.integer[Any]] = field(repr=False)
    pages: int  # in the web

    @property
    def steps(self) -> int:
        """How many moves were made."""
        return len(self.path)

    @property
    def visits(self) -> Pages:
        """How often each page was arrived at."""
        return np.bincount(self.path, minlength=self.pages)

    @property
    def frequencies(self) -> Vector:
        """The share of all arrivals that each page has."""
        shares: Vector = self.visits / max(self.steps, 1)
        return shares

    def errors(self) -> Vector:
        """The standard error of each frequency, from how much pieces of the walk differ (batch means)."""
        batches = min(BATCHES, self.steps // 2)
        if batches < 2:
            return np.ones(self.pages)  # from so short a walk nothing is known
        size = self.steps // batches
        cut = self.path[: size * batches]
        cells = np.repeat(np.arange(batches), size) * self.pages + cut
        means = np.bincount(cells, minlength=batches * self.pages).reshape(batches, self.pages) / size
        spread: Vector = means.std(axis=0, ddof=1) / np.sqrt(batches)
        return spread

    def so_far(self, points: int = 20) -> list[tuple[int, Vector]]:
        """(moves, the frequencies up to then) at some moments, evenly spread in powers."""
        moments = np.geomspace(1, max(self.steps, 1), points).astype(np.int64)
        seen, counted, found = np.zeros(self.pages), 0, []
        for moment in np.unique(moments[moments <= self.steps]).tolist():
            seen += np.bincount(self.path[counted:moment], minlength=self.pages)
            counted = moment
            found.append((counted, seen / counted))
        return found

    def distances(self, exact: ArrayLike, points: int = 20) -> list[tuple[int, float]]:
        """(moves, L1 distance of the frequencies so far from `exact`) at the same moments."""
        target = np.asarray(exact, dtype=np.float64)
        return [(moves, float(np.abs(shares - target).sum())) for moves, shares in self.so_far(points)]


def surf(
    graph: LinkGraph,
    steps: int = 1_000_000,
    *,
    seed: int = 0,
    damping: float = 0.85,
    teleport: ArrayLike | None = None,
    dangling: str = "uniform",
    start: int | None = None,
) -> Surf:
    """Simulate `steps` moves. The same seed gives the same walk; without a start, the first page is random.

    From a dangling page the surfer goes to any page ("uniform") or teleports ("teleport").

    >>> ring = LinkGraph.from_edges(3, sources=[0, 1, 2], targets=[1, 2, 0])
    >>> surf(ring, 5, damping=1, start=0).path.tolist()
    [1, 2, 0, 1, 2]
    """
    check_damping(damping)
    n = graph.n
    if n == 0:
        raise BadInput("the graph has no pages to start from")
    if steps < 0:
        raise BadInput(f"the number of moves must be 0 or more, not {steps}")
    if seed < 0:
        raise BadInput(f"the seed must be 0 or more, not {seed}")
    if dangling not in ("uniform", "teleport"):
        raise BadInput(f'a surfer on a dangling page needs "uniform" or "teleport", not "{dangling}"')
    if start is not None and not 0 <= start < n:
        raise BadInput(f"there is no page {start}: pages are 0 to {n - 1}")
    dice = np.random.default_rng(seed)
    jump = _jumper(dice, n, teleport)
    first = int(jump(1)[0]) if start is None else start
    escape = jump if dangling == "teleport" else _jumper(dice, n, None)
    reader = _Reader(_Links(graph), damping, dice, jump, escape)
    walk = reader.one_by_one if 1 - damping < FEW_JUMPS else reader.in_pieces
    path: NDArray[np.integer[Any]] = np.empty(steps, dtype=np.int32 if n < 2**31 else np.int64)
    here = first
    for begin in range(0, steps, AT_A_TIME):
        piece = walk(here, min(AT_A_TIME, steps - begin))
        path[begin : begin + len(piece)] = piece
        here = int(piece[-1])
    return Surf(first, path, n)


def division_points(graph: LinkGraph, page: int, **how: Any) -> Vector:
    """The running sums of a page's row of the transition matrix: they divide the numbers from 0 to 1 among pages.

    Options are those of `matrix`: damping, teleport, dangling.
    """
    if not 0 <= page < graph.n:
        raise BadInput(f"there is no page {page}: pages are 0 to {graph.n - 1}")
    points: Vector = matrix(graph, "G", **how)[page].cumsum()
    return points


def next_page(points: ArrayLike, drawn: float) -> int:
    """The page that a number drawn from [0, 1) stands for: the first whose running sum is greater.

    >>> next_page([0.205, 0.59, 0.615, 1.0], 0.43)
    1
    """
    if not 0 <= drawn < 1:
        raise BadInput(f"a draw must be in [0, 1), not {drawn}")
    sums = np.asarray(points, dtype=np.float64)
    return min(int(np.searchsorted(sums, drawn, side="right")), len(sums) - 1)


def expected_errors(graph: LinkGraph, steps: int, *, damping: float = 0.85) -> Vector:
    """The expected standard error of the frequencies after `steps` moves, from the fundamental matrix of the chain."""
    if graph.n > MOST_DENSE:
        raise BadInput(f"the fundamental matrix needs {MOST_DENSE} pages or fewer: use the errors of a walk instead")
    if steps < 1:
        raise BadInput(f"the number of moves must be 1 or more, not {steps}")
    if not 0 <= damping < 1:
        raise BadInput(f"damping must be 0 or more and below 1, not {damping}")
    chain = matrix(graph, "G", damping=damping)
    n = graph.n
    stationary: Vector = np.linalg.solve(
        np.vstack([(chain.T - np.eye(n))[:-1], np.ones(n)]), np.append(np.zeros(n - 1), 1.0)
    )
    fundamental = np.linalg.inv(np.eye(n) - chain + stationary)
    variance = stationary * (2 * np.diag(fundamental) - 1 - stationary)
    spread: Vector = np.sqrt(np.maximum(variance, 0) / steps)
    return spread


class _Links:
    """The links of each page with the running sums of their probabilities, in which a draw finds the next page."""

    def __init__(self, graph: LinkGraph) -> None:
        counts = graph.counts
        self.targets = counts.indices
        self.begin, self.degree = counts.indptr[:-1].astype(np.int64), np.diff(counts.indptr)
        probabilities = counts.data / np.repeat(graph.out_degree, self.degree)
        self.sums = np.concatenate([[0.0], np.cumsum(probabilities)])

    def follow(self, pages: Pages, draws: Vector) -> Pages:
        """The next page after each of these pages, all of which have links."""
        begin, end = self.begin[pages], self.begin[pages] + self.degree[pages]
        lowest, highest = self.sums[begin], self.sums[end]
        chosen = np.searchsorted(self.sums, lowest + draws * (highest - lowest), side="right") - 1
        reached: Pages = self.targets[np.clip(chosen, begin, end - 1)].astype(np.int64)
        return reached


def _jumper(dice: np.random.Generator, n: int, teleport: ArrayLike | None) -> Callable[[int], Pages]:
    """A function that draws pages to teleport to."""
    if teleport is None:
        return lambda count: dice.integers(0, n, size=count)
    sums = np.cumsum(probabilities("teleport", teleport, n))
    last = int(np.flatnonzero(np.diff(sums, prepend=0.0))[-1])  # rounding must not lead past the last that has weight
    return lambda count: np.minimum(np.searchsorted(sums, dice.random(count), side="right"), last)


@dataclass(frozen=True, eq=False)
class _Reader:
    """How the surfer moves, and the random generator."""

    links: _Links
    damping: float
    dice: np.random.Generator
    jump: Callable[[int], Pages]  # draws pages to teleport to
    escape: Callable[[int], Pages]  # the same from a dangling page

    def in_pieces(self, start: int, steps: int) -> Pages:
        """Make the moves of all pieces between teleports at the same time."""
        path = np.empty(steps + 1, dtype=np.int64)
        path[0] = start
        begins = np.concatenate([[0], 1 + np.flatnonzero(self.dice.random(steps) >= self.damping)])
        path[begins[1:]] = self.jump(len(begins) - 1)
        lengths = np.diff(begins, append=steps + 1)
        longest_first = np.argsort(-lengths, kind="stable")
        at, left = begins[longest_first], lengths[longest_first]
        here = path[at]
        for step in range(1, int(left[0])):
            going = int(np.searchsorted(-left, -step, side="left"))  # pieces longer than `step`
            here, at = here[:going], at[:going]
            here = self._move(here)
            path[at + step] = here
        return path[1:]

    def _move(self, here: Pages) -> Pages:
        stuck = self.links.degree[here] == 0
        if not stuck.any():
            return self.links.follow(here, self.dice.random(len(here)))
        after = np.empty_like(here)
        after[stuck] = self.escape(int(stuck.sum()))
        free = ~stuck
        after[free] = self.links.follow(here[free], self.dice.random(int(free.sum())))
        return after

    def one_by_one(self, start: int, steps: int) -> Pages:
        """Make the moves one after the other."""
        links = self.links
        bored = np.flatnonzero(self.dice.random(steps) >= self.damping)
        jumps = dict(zip(bored.tolist(), self.jump(len(bored)).tolist(), strict=True))
        escapes = np.ascontiguousarray(self.escape(steps)).data if (links.degree == 0).any() else None
        draws = self.dice.random(steps).data
        begin, degree = np.ascontiguousarray(links.begin).data, np.ascontiguousarray(links.degree).data
        targets, sums = np.ascontiguousarray(links.targets).data, links.sums.data
        path, here = np.empty(steps, dtype=np.int64), start
        arrivals = path.data
        for step in range(steps):
            if step in jumps:
                here = jumps[step]
            elif degree[here] == 0 and escapes is not None:
                here = escapes[step]
            else:
                low, high = begin[here], begin[here] + degree[here]
                drawn = sums[low] + draws[step] * (sums[high] - sums[low])
                here = targets[min(bisect_right(sums, drawn, low, high), high) - 1]
            arrivals[step] = here
        return path
