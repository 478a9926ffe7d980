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
from minisearch.rank.scores import Scores
from minisearch.rank.surfer import Surf

Vector = NDArray[np.float64]

BESIDE = 0.12  # how far apart two dots for one page lie
MOST_PAGES = 30  # of a chart


@dataclass(frozen=True, eq=False)
class Trace:
    """The start and every round after it, for the pages that take part."""

    names: tuple[str, ...]
    rows: tuple[Vector, ...]  # rows[k] is what k multiplications give
    fractions: tuple[tuple[Fraction, ...], ...] = ()  # the same exactly, where it is known
    printed: tuple[tuple[str, ...], ...] = ()  # the same to sixteen decimals, as a source prints them
    moments: tuple[int, ...] = ()  # of a surfer: the moves after which each row was counted

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
        raise BadInput("this ranking has no iterations to show")
    names: Sequence[str] = web.names
    if dangling == "remove":
        names = [web.names[page] for page in removal(web.graph()).kept]
    elif dangling == "two-pass":
        names = [name for name, stuck in zip(web.names, web.graph().dangling, strict=True) if not stuck]
    return Trace(tuple(names), scores.iterates)


def counted(web: Web, surf: Surf) -> Trace:
    """What a surfer had counted after 1, 2, 4, ... moves, each page's share of them."""
    so_far = surf.so_far()
    return Trace(web.names, tuple(shares for _, shares in so_far), moments=tuple(moves for moves, _ in so_far))


def convergence(traced: Trace, title: str, *, damping: float | None = None) -> Chart:
    """How fast it settles: the change of each round, in powers of ten, and how fast damping alone makes it."""
    changes = traced.changes
    rounds = [float(number) for number in range(1, len(changes) + 1)]
    lines = [Series("change", rounds, changes)]
    if damping is not None and 0 < damping < 1 and changes:
        bound = [changes[0] * damping**number for number in range(len(changes))]
        lines.append(Series(f"{damping:g} per iteration", rounds, bound))
    return Chart(title, "iteration", "residual (sum of changes)", lines, log=True)


def ranks_by_round(traced: Trace, title: str) -> Chart:
    """A line for each page; of many pages the highest ones at the end."""
    order = np.argsort(-traced.rows[-1], kind="stable")
    rounds = [float(number) for number in range(len(traced.rows))]
    lines = [Series(traced.names[page], rounds, [float(row[page]) for row in traced.rows]) for page in order]
    return Chart(title, "iteration", "rank", lines)


def frequencies(web: Web, surf: Surf, exact: ArrayLike, title: str) -> Chart:
    """What a surfer counted beside what is exact, with bars of two standard errors."""
    target = np.asarray(exact, dtype=np.float64)
    order = np.argsort(-target, kind="stable")[:MOST_PAGES]
    places = [float(place) for place in range(len(order))]
    counted, bars = surf.frequencies[order], 2 * surf.errors()[order]
    lines = [
        Series("counted", places, counted.tolist(), errors=bars.tolist(), dots=True),
        Series("exact", [place + BESIDE for place in places], target[order].tolist(), dots=True),
    ]
    return Chart(
        title, "page", "share of visits; bars: two standard errors", lines, x_names=[web.names[page] for page in order]
    )
