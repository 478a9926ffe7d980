"""PageRank of large webs: the same fixed point as by the power method, in fewer and cheaper passes over the links.

With y for the ranks before they are scaled, PageRank is the linear system y = damping * follow @ y + jump: pages
without links give nothing, so they need not be in it, and their own ranks follow from the others' at the end.

- The system is over pages with links only, numbered anew: what is read at random then fits in the cache.
- Links to a page are added up by row blocks in threads; the product releases Python's lock.
- It starts from what the number of in-links alone would give, and every pass is followed by a rescale that makes
  the sum over all equations hold. On random webs that halves the passes.
- Where passes help little (sites whose pages link among themselves), it goes on by BiCGSTAB, H. van der Vorst, 1992.

D. Gleich, L. Zhukov and P. Berkhin, "Fast Parallel PageRank: A Linear System Approach", 2004.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from minisearch.rank.graph import LinkGraph
from minisearch.rank.passes import Pass, threads
from minisearch.rank.scores import Scores, Vector

WATCH = 4  # passes after which their pace is known
NEARLY = 0.9  # of the tolerance is where BiCGSTAB stops, whose own count of what is left is a little off
ASTRAY = 1e3  # times the least that was ever left: no use going on
LONG = 200  # passes; who needs more, or whom BiCGSTAB does not help, gets plain ones
PATIENCE = 12  # passes still to go, from which BiCGSTAB is quicker


@dataclass(frozen=True, eq=False)
class Core:
    """The system to be solved: one unknown for each page with links, or for all pages."""

    pages: NDArray[np.int64] | None  # None: all
    links: csr_array  # row: target, column: source
    share: Vector  # damping / links on the page: what a page pays along each link
    damping: float

    @classmethod
    def of(cls, graph: LinkGraph, damping: float) -> Core:
        """The system of a graph."""
        pages, links = graph.core
        degree = graph.out_degree if pages is None else graph.out_degree[pages]
        share = np.divide(damping, degree, out=np.zeros(len(degree)), where=degree > 0)
        return cls(pages, links, share, damping)

    def cut(self, vector: Vector) -> Vector:
        """What a vector over all pages says of the core."""
        return vector if self.pages is None else vector[self.pages]

    def total(self, y: Vector) -> float:
        """The sum of y over all pages: the jumps are 1, and the core hands on `damping` of what it has."""
        return float(y.sum()) if self.pages is None else 1 + self.damping * float(y.sum())


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
    core = Core.of(graph, damping)
    with threads(core.links.nnz) as (pool, count):
        links = Pass(core.links, pool, count)

        def solve(into: Vector, to_ranks: Callable[[Vector], float], within: float) -> tuple[Vector, float]:
            start = core.cut(guess) if guess is not None and into is jump else _guess(core, core.cut(into))
            y, change = _solve(core, links, core.cut(into), start, to_ranks, within, max_rounds)
            return _with_dangling(graph, core, y, into), change

        if fill is None:
            values, residual = solve(jump, lambda _: 1 - damping, tolerance)
            values *= 1 - damping
        elif fill is jump or not graph.dangling.any() or np.array_equal(fill, jump):
            values, residual = solve(jump, lambda y: 1 / core.total(y), tolerance)
            values /= values.sum()
        else:  # ranks are linear in both, and the share of dangling pages says how much of each
            bored, residual = solve(jump, lambda _: 1 - damping, tolerance / 2)
            lost, more = solve(fill, lambda _: damping, tolerance / 2)
            stuck = graph.dangling
            share = (1 - damping) * float(bored[stuck].sum()) / (1 - damping * float(lost[stuck].sum()))
            values, residual = (1 - damping) * bored + damping * share * lost, residual + share * more
    np.maximum(values, 0, out=values)  # not even by a rounding error
    return Scores(values, links.count, residual, converged=residual <= tolerance)


def _guess(core: Core, jump: Vector) -> Vector:
    """Where to start: each page as if all its in-links paid the same."""
    pays = np.divide(core.damping, core.share, out=np.zeros_like(core.share), where=core.share > 0)
    links = max(float(pays.sum()), 1.0)  # on all pages, those to dangling pages included
    in_links = np.diff(core.links.indptr)
    total = float(jump.sum()) / (1 - core.damping * min(float(in_links.sum()) / links, 1.0))
    guess: Vector = jump + in_links * (core.damping * total / links)
    return guess


def _solve(
    core: Core,
    links: Pass,
    jump: Vector,
    y: Vector,
    to_ranks: Callable[[Vector], float],
    tolerance: float,
    max_rounds: int,
) -> tuple[Vector, float]:
    """y that is what is paid to it plus `jump`, and what the last pass changed in the ranks."""
    total, change, before = float(jump.sum()), np.inf, np.inf
    if total == 0:
        return np.zeros(len(jump)), 0.0  # nobody jumps to where links are
    y = y if y.any() else jump

    def paid(vector: Vector) -> Vector:
        return links(vector * core.share)

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
            better = _bicgstab(paid, y - last, last, enough, (max_rounds - links.count - 1) // 2)
            y = y if better is last else better
            jumped_from, before, change = change, np.inf, np.inf
    return y, change


def _passes_to_go(change: float, pace: float, tolerance: float) -> float:
    if change <= tolerance:
        return 0.0
    return float(np.log(tolerance / change) / np.log(pace)) if 0 < pace < 1 and tolerance > 0 else np.inf


def _bicgstab(paid: Callable[[Vector], Vector], rest: Vector, y: Vector, enough: float, max_turns: int) -> Vector:
    """A better y than the one that leaves `rest`, by H. van der Vorst's method; the best so far if it breaks down."""
    shadow, direction = rest, rest
    rho = _dot(shadow, rest)
    best, least = y, float(np.abs(rest).sum())
    for _ in range(max_turns):
        moved = direction - paid(direction)
        along = _dot(shadow, moved)
        alpha = rho / along if along else 0.0
        half = rest - alpha * moved
        if float(np.abs(half).sum()) <= enough:
            return y + alpha * direction
        turned = half - paid(half)
        size = _dot(turned, turned)
        omega = _dot(turned, half) / size if size else 0.0
        y = y + alpha * direction + omega * half
        rest = half - omega * turned
        left = float(np.abs(rest).sum())
        if left < least:
            best, least = y, left
        if least <= enough or not left < ASTRAY * least:
            break
        rho, before = _dot(shadow, rest), rho
        if not (rho and before and alpha and omega):
            break
        direction = rest + (rho / before) * (alpha / omega) * (direction - omega * moved)
    return best


def _dot(one: Vector, other: Vector) -> float:
    """The inner product, without BLAS, whose own threads would wait for ours."""
    return float(np.einsum("i,i", one, other))


def _with_dangling(graph: LinkGraph, core: Core, y: Vector, jump: Vector) -> Vector:
    """y for all pages: those without links get what is paid to them."""
    if core.pages is None:
        return y.copy()
    values = np.zeros(graph.n)
    values[core.pages] = y
    stuck = np.flatnonzero(graph.dangling)
    paid = np.zeros(graph.n)
    paid[core.pages] = y * core.share
    values[stuck] = graph.incoming[stuck] @ paid + jump[stuck]
    return values
