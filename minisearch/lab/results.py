"""The result of an experiment: its iterations, and the result as rows of a table, as JSON and as a chart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from minisearch.errors import BadInput
from minisearch.lab.plots import Chart, Series
from minisearch.lab.webs import Web
from minisearch.rank.dangling import removal
from minisearch.rank.pagerank import DAMPING
from minisearch.rank.scores import Scores, Vector, places
from minisearch.rank.surfer import Surf

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
        lines.append(Series(f"bound {damping:g}^n", rounds, bound))
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


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of it: columns of numbers, one for each page, the first of which orders the pages."""

    columns: Mapping[str, Vector]
    verdict: str = ""
    converged: bool = True
    rounds: int = 0
    residual: float = 0.0
    fractions: Sequence[Fraction] = ()
    trace: Trace | None = None
    steps: Sequence[tuple[str, Vector, Vector]] = ()  # of HITS: name, raw, scaled
    exact_steps: Sequence[tuple[str, list[Fraction], list[Fraction]]] = ()  # the same exactly, if so asked
    surf: Surf | None = None
    damping: float = DAMPING
    notes: Sequence[str] = ()

    @property
    def main(self) -> Vector:
        """The column that orders the pages."""
        return next(iter(self.columns.values()))


PICTURES = ("convergence", "ranks")
SAME = 12  # decimals to which ranks are compared: what differs by less shares a place


def order_of(values: Vector) -> list[tuple[int, int]]:
    """(page, its place) of every page, the largest value first; equals share a place.

    >>> import numpy as np
    >>> order_of(np.array([0.2, 0.6, 0.2]))
    [(1, 1), (0, 2), (2, 2)]
    """
    place = places(values.round(SAME))
    return [(page, place[page]) for page in (-values.round(SAME)).argsort(kind="stable").tolist()]


def as_dict(web: Web, outcome: Outcome, *, traced: bool = False) -> dict[str, Any]:
    """An outcome as plain data: its pages by falling rank, whether it converged, and with `traced` every iteration."""
    pages = []
    for page, place in order_of(outcome.main):
        row: dict[str, Any] = {"page": web.names[page], "place": place}
        row |= {name.replace(" ", "_"): float(values[page]) for name, values in outcome.columns.items()}
        if outcome.fractions:
            row["exact"] = str(outcome.fractions[page])
        pages.append(row)
    found: dict[str, Any] = {"pages": pages, "verdict": outcome.verdict, "converged": outcome.converged}
    found |= {"settled": outcome.converged, "rounds": outcome.rounds}  # former names
    found |= {"iterations": outcome.rounds, "residual": outcome.residual if outcome.residual < float("inf") else None}
    if traced and outcome.trace is not None:
        found["trace"] = outcome.trace.as_dicts()
        found |= {"moves": list(outcome.trace.moments)} if outcome.trace.moments else {}
        exact = [dict(zip(outcome.trace.names, map(str, row), strict=True)) for row in outcome.trace.fractions]
        found |= {"exact_trace": exact} if exact else {}
    for key, steps in (("steps", outcome.steps), ("exact_steps", outcome.exact_steps)):
        if traced and steps:
            found[key] = [
                {"name": name, "raw": _named(web, raw), "scaled": _named(web, scaled)} for name, raw, scaled in steps
            ]
    return found | {"notes": list(outcome.notes)}


def _named(web: Web, values: Iterable[Any]) -> dict[str, float | str]:
    plain = (str(value) if isinstance(value, Fraction) else float(value) for value in values)
    return dict(zip(web.names, plain, strict=True))


def picture(web: Web, outcome: Outcome, title: str, kind: str = "convergence") -> Chart:
    """The picture of an outcome: how fast it settled, its "ranks" by round, or what a surfer counted."""
    if kind not in PICTURES:
        raise BadInput(f'unknown picture "{kind}": choose from {", ".join(PICTURES)}')
    if outcome.surf is not None:
        said = f"{title}: a surfer after {outcome.surf.steps:,} moves"
        return frequencies(web, outcome.surf, outcome.columns["exact"], said)
    if outcome.trace is None:
        raise BadInput("nothing to plot: only pagerank, trustrank, topic and surfer have plots")
    if kind == "ranks":
        return ranks_by_round(outcome.trace, f"{title}: ranks by iteration")
    return convergence(outcome.trace, f"{title}: convergence", damping=outcome.damping)
