"""PageRank of large webs: the same fixed point as by the power method, in fewer and cheaper passes over the links.

With y for the ranks before they are scaled, PageRank is the linear system y = damping * follow @ y + jump.

- The system is over the kernel of the graph only (minisearch/rank/peel.py): what is read at random then fits in the
  cache. Pages that lead to it are known before, pages without links follow from the others at the end.
- Links to a page are added up by row blocks in threads; the product releases Python's lock.
- It starts from what the number of in-links alone would give, and every pass is followed by a rescale that makes
  the sum over all equations hold. On random webs that halves the passes.
- Where passes help little (sites whose pages link among themselves), it goes on by GMRES, which makes the best of all
  passes so far: Y. Saad and M. Schultz, 1986.

D. Gleich, L. Zhukov and P. Berkhin, "Fast Parallel PageRank: A Linear System Approach", 2004.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from minisearch.rank.graph import LinkGraph
from minisearch.rank.passes import Pass, threads
from minisearch.rank.peel import Kernel
from minisearch.rank.scores import Scores, Vector

WATCH = 4  # passes after which their pace is known
NEARLY = 0.9  # of the tolerance is where GMRES stops, whose own count of what is left is a little off
LONG = 200  # passes; who needs more, or whom GMRES does not help, gets plain ones
PATIENCE = 12  # passes still to go, from which GMRES is quicker
MOST_KEPT, KEPT_BYTES = 40, 2**27  # of the passes that GMRES makes the best of: how many, and how much memory


@dataclass(frozen=True, eq=False)
class System:
    """The system to be solved for one vector of jumps: one unknown for each page of the kernel."""

    kernel: Kernel
    share: Vector  # damping / links on the page, for all pages: what a page pays along each link
    known: Vector  # y of the pages that lead to the kernel, 0 for all others
    given: Vector  # what a page of the kernel gets from these and by jumps
    damping: float

    @classmethod
    def of(cls, graph: LinkGraph, damping: float, jump: Vector, all_links: Pass) -> System:
        """The system of a graph."""
        kernel, degree = graph.core, graph.out_degree
        share = np.divide(damping, degree, out=np.zeros(graph.n), where=degree > 0)
        known, given = np.zeros(graph.n), jump
        for place, pages in enumerate(kernel.levels):
            known[pages] = jump[pages]
            if place:
                known[pages] += graph.incoming[pages] @ (known * share)
        if known.any():
            given = all_links(known * share) + jump
        return cls(kernel, share, known, given if kernel.pages is None else given[kernel.pages], damping)

    @property
    def own_share(self) -> Vector:
        """`share` of the pages of the kernel."""
        return self.share if self.kernel.pages is None else self.share[self.kernel.pages]

    def total(self, y: Vector) -> float:
        """The sum over all pages: the jumps are 1, and pages with links hand on `damping` of what they have."""
        return float(y.sum()) if self.kernel.pages is None else 1 + self.damping * float(y.sum() + self.known.sum())

    def for_all(self, graph: LinkGraph, y: Vector, jump: Vector) -> Vector:
        """y of all pages; those without links get what is paid to them."""
        if self.kernel.pages is None:
            return y.copy()
        values = self.known.copy()
        values[self.kernel.pages] = y
        stuck = np.flatnonzero(graph.dangling)
        values[stuck] = graph.incoming[stuck] @ (values * self.share) + jump[stuck]
        return values


def fast(
    graph: LinkGraph,
    damping: float,
    jump: Vector,
    fill: Vector | None,
    guess: Vector | None = None,
    *,
    tolerance: float,
    max_rounds: int,
) -> Scores:
    """The PageRank of a graph in which pages divide by the links they have; damping is less than 1.

    `fill` is where a reader goes from a page without links; None, and the reader is lost. `guess` is where to start
    from, if something better is known than the number of in-links. `rounds` are passes.
    """
    kernel = graph.core
    with threads(kernel.links.nnz) as (pool, count):
        links, all_links = Pass(kernel.links, pool, count), Pass(graph.incoming, pool, count)

        def solve(into: Vector, to_ranks: Callable[[float], float], within: float) -> tuple[Vector, float]:
            system = System.of(graph, damping, into, all_links)
            start = _guess(system)
            if guess is not None and into is jump:
                start = guess if kernel.pages is None else guess[kernel.pages]
            y, change = _solve(system, links, start, lambda y: to_ranks(system.total(y)), within, max_rounds)
            return system.for_all(graph, y, into), change

        if fill is None:
            values, residual = solve(jump, lambda _: 1 - damping, tolerance)
            values *= 1 - damping
        elif fill is jump or not graph.dangling.any() or np.array_equal(fill, jump):
            values, residual = solve(jump, lambda total: 1 / total, tolerance)
            values /= values.sum()
        else:  # ranks are linear in both, and the share of dangling pages says how much of each
            bored, residual = solve(jump, lambda _: 1 - damping, tolerance / 2)
            lost, more = solve(fill, lambda _: damping, tolerance / 2)
            stuck = graph.dangling
            share = (1 - damping) * float(bored[stuck].sum()) / (1 - damping * float(lost[stuck].sum()))
            values, residual = (1 - damping) * bored + damping * share * lost, residual + share * more
    np.maximum(values, 0, out=values)  # not even by a rounding error
    return Scores(values, links.count, residual, converged=residual <= tolerance)


def _guess(system: System) -> Vector:
    """Where to start: each page as if all its in-links paid the same."""
    share = system.own_share
    pays = np.divide(system.damping, share, out=np.zeros_like(share), where=share > 0)
    links = max(float(pays.sum()), 1.0)  # on all pages, those to dangling pages included
    in_links = np.diff(system.kernel.links.indptr)
    total = float(system.given.sum()) / (1 - system.damping * min(float(in_links.sum()) / links, 1.0))
    guess: Vector = system.given + in_links * (system.damping * total / links)
    return guess


def _solve(
    system: System,
    links: Pass,
    y: Vector,
    to_ranks: Callable[[Vector], float],
    tolerance: float,
    max_rounds: int,
) -> tuple[Vector, float]:
    """y that is what is paid to it plus what is given, and what the last pass changed in the ranks."""
    jump, share = system.given, system.own_share
    total, change, before = float(jump.sum()), np.inf, np.inf
    if total == 0:
        return np.zeros(len(jump)), 0.0  # nobody jumps to where links are
    y = y if y.any() else jump

    def paid(vector: Vector) -> Vector:
        return links(vector * share)

    done, jumped_from, helps = 0, np.inf, True
    while links.count < max_rounds and change > tolerance:
        arrives = paid(y)
        # the stretch makes the summed equation hold; a plain pass gains by `damping` each time, whatever the links
        stretch = total / (float(y.sum()) - float(arrives.sum())) if helps else 1.0
        y, last = arrives * stretch + jump, y * stretch
        unknown = 1 if helps else 2  # what is missing in the sum comes on top when ranks are scaled to 1
        before, change = change, unknown * to_ranks(y) * float(np.abs(y - last).sum())
        done += 1
        helps = helps and done < LONG and (before < np.inf or change <= jumped_from / 2)
        slow = done >= WATCH and _passes_to_go(change, change / before, tolerance) > PATIENCE
        if slow and helps and links.count < max_rounds:
            enough = NEARLY * tolerance / to_ranks(y)
            most = min(MOST_KEPT, max(WATCH, KEPT_BYTES // (y.nbytes + 1)), max_rounds - links.count - 1)
            y = _gmres(paid, y - last, last, enough, most) if most > 0 else y
            jumped_from, before, change = change, np.inf, np.inf
    return y, change


def _passes_to_go(change: float, pace: float, tolerance: float) -> float:
    if change <= tolerance:
        return 0.0
    return float(np.log(tolerance / change) / np.log(pace)) if 0 < pace < 1 and tolerance > 0 else np.inf


def _gmres(paid: Callable[[Vector], Vector], rest: Vector, y: Vector, enough: float, most: int) -> Vector:
    """The y that leaves least, of all that some passes on from one that leaves `rest` can reach.

    Each pass gives a direction, made upright on those before; the best step along all of them is a small system with
    one more row than columns, which turns of two rows at a time make triangular.
    """
    size = math.sqrt(_dot(rest, rest))
    if not size:
        return y
    kept = np.empty((most + 1, len(rest)))
    kept[0] = rest / size
    triangle, right = np.zeros((most, most)), [size]
    turns: list[tuple[float, float]] = []
    steps, goal = 0, enough * size / float(np.abs(rest).sum())  # as a length, which is known without adding up
    while steps < most:
        moved = kept[steps] - paid(kept[steps])
        before = kept[: steps + 1]
        along = before @ moved
        moved -= along @ before
        length = math.sqrt(_dot(moved, moved))
        column = [*along.tolist(), length]
        for row, (cos, sin) in enumerate(turns):
            column[row], column[row + 1] = (
                cos * column[row] + sin * column[row + 1],
                cos * column[row + 1] - sin * column[row],
            )
        reach = math.hypot(column[-2], column[-1])
        if not reach:
            break
        turns.append((column[-2] / reach, column[-1] / reach))
        triangle[:steps, steps], triangle[steps, steps] = column[:-2], reach
        right[-1:] = [turns[-1][0] * right[-1], -turns[-1][1] * right[-1]]
        steps += 1
        kept[steps] = moved / length if length else 0.0
        if abs(right[-1]) <= goal:
            left = float(np.abs(_turned_back(turns, right[-1]) @ kept[: steps + 1]).sum())
            if left <= enough:
                break
            goal = abs(right[-1]) * enough / left
    if not steps:
        return y
    weights = np.linalg.solve(triangle[:steps, :steps], np.array(right[:steps]))
    better: Vector = y + weights @ kept[:steps]
    return better


def _turned_back(turns: list[tuple[float, float]], last: float) -> Vector:
    """What is left, by directions: the last row of the turned system before it was turned."""
    rows = [0.0] * len(turns) + [last]
    for row in range(len(turns) - 1, -1, -1):
        cos, sin = turns[row]
        rows[row], rows[row + 1] = cos * rows[row] - sin * rows[row + 1], sin * rows[row] + cos * rows[row + 1]
    return np.array(rows)


def _dot(one: Vector, other: Vector) -> float:
    """The inner product, without BLAS, whose own threads would wait for ours."""
    return float(np.einsum("i,i", one, other))
