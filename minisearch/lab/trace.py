"""Every round of a ranking, as a table and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minisearch.errors import BadInput
from minisearch.lab.plots import Chart, Series
from minisearch.lab.webs import Web
from minisearch.rank.dangling import removal
from minisearch.rank.graph import LinkGraph
from minisearch.rank.matrices import Number, fractions, jumps, share
from minisearch.rank.scores import Scores
from minisearch.rank.surfer import Surf

Vector = NDArray[np.float64]

BESIDE = 0.12  # how far apart two dots for one page lie
MOST_EXACT_PAGES, MOST_EXACT_ROUNDS = 50, 100  # the fractions grow with every round


@dataclass(frozen=True, eq=False)
class Trace:
    """The start and every round after it, for the pages that take part."""

    names: tuple[str, ...]
    rows: tuple[Vector, ...]  # rows[k] is what k multiplications give
    fractions: tuple[tuple[Fraction, ...], ...] = ()  # the same exactly, if so asked

    @property
    def changes(self) -> list[float]:
        """What each round changed, added up over all pages."""
        return [float(np.abs(after - before).sum()) for before, after in zip(self.rows, self.rows[1:], strict=False)]

    def as_dicts(self) -> list[dict[str, float]]:
        """Each round as numbers by name."""
        return [dict(zip(self.names, row.tolist(), strict=True)) for row in self.rows]


def trace(web: Web, scores: Scores, *, dangling: str = "uniform") -> Trace:
    """The rounds of a ranking that was computed with `trace=True`.

    Pages that are taken out beforehand have no rounds; only the others are columns of it.
    """
    if not scores.iterates:
        raise BadInput("this ranking has no rounds to show")
    names: Sequence[str] = web.names
    if dangling == "remove":
        names = [web.names[page] for page in removal(web.graph()).kept]
    elif dangling == "two-pass":
        names = [name for name, stuck in zip(web.names, web.graph().dangling, strict=True) if not stuck]
    return Trace(tuple(names), scores.iterates)


def exact_rounds(
    graph: LinkGraph,
    rounds: int,
    *,
    damping: Number,
    teleport: Sequence[Number] | None = None,
    dangling: str = "uniform",
) -> list[list[Fraction]]:
    """The start and so many rounds of PageRank in exact fractions, from 1/n each.

    >>> pair = LinkGraph.from_edges(2, sources=[0, 1], targets=[1, 1], loops=True)
    >>> [str(share) for share in exact_rounds(pair, 1, damping=1)[1]]
    ['0', '1']
    """
    chance = share(damping, "damping")
    if not 0 <= rounds <= MOST_EXACT_ROUNDS or graph.n > MOST_EXACT_PAGES:
        raise BadInput(
            f"exact rounds are for {MOST_EXACT_PAGES} pages and {MOST_EXACT_ROUNDS} rounds at most: "
            f"here are {graph.n} pages and {rounds} rounds"
        )
    follow = fractions(graph, "S", teleport=teleport, dangling=dangling)
    jump = jumps(graph.n, teleport)
    rows = [[Fraction(1, graph.n)] * graph.n]
    for _ in range(rounds):
        now, pages = rows[-1], range(graph.n)
        moved = (sum((now[page] * follow[page][to] for page in pages), start=Fraction(0)) for to in pages)
        rows.append([chance * paid + (1 - chance) * given for paid, given in zip(moved, jump, strict=True)])
    return rows


def convergence(traced: Trace, title: str, *, damping: float | None = None) -> Chart:
    """How fast it settles: the change of each round, in powers of ten, and how fast damping alone makes it."""
    changes = traced.changes
    rounds = [float(number) for number in range(1, len(changes) + 1)]
    lines = [Series("change", rounds, changes)]
    if damping is not None and 0 < damping < 1 and changes:
        bound = [changes[0] * damping**number for number in range(len(changes))]
        lines.append(Series(f"{damping:g} a round", rounds, bound))
    return Chart(title, "round", "change, summed over all pages", lines, log=True)


def ranks_by_round(traced: Trace, title: str) -> Chart:
    """A line for each page; of many pages the highest ones at the end."""
    order = np.argsort(-traced.rows[-1], kind="stable")
    rounds = [float(number) for number in range(len(traced.rows))]
    lines = [Series(traced.names[page], rounds, [float(row[page]) for row in traced.rows]) for page in order]
    return Chart(title, "round", "rank", lines)


def frequencies(web: Web, surf: Surf, exact: ArrayLike, title: str, *, most: int = 30) -> Chart:
    """What a surfer counted beside what is exact, with bars of two standard errors."""
    target = np.asarray(exact, dtype=np.float64)
    order = np.argsort(-target, kind="stable")[:most]
    places = [float(place) for place in range(len(order))]
    counted, bars = surf.frequencies[order], 2 * surf.errors()[order]
    lines = [
        Series("counted", places, counted.tolist(), errors=bars.tolist(), dots=True),
        Series("exact", [place + BESIDE for place in places], target[order].tolist(), dots=True),
    ]
    return Chart(title, "page", "share of visits", lines, x_names=[web.names[page] for page in order])
