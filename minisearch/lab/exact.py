"""Experiments in exact fractions on small graphs: as a linear system, or iteration by iteration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from minisearch.errors import BadInput
from minisearch.lab.options import Experiment
from minisearch.lab.results import Outcome, Trace
from minisearch.lab.webs import Web
from minisearch.models import counted
from minisearch.rank.graph import LinkGraph
from minisearch.rank.hits import ORDERS
from minisearch.rank.matrices import Matrix, Number, fraction, fractions, jumps, share
from minisearch.rank.patience import look
from minisearch.rank.scores import Vector
from minisearch.rank.solve import FILLS, exact
from minisearch.rank.topic import topic_vector

MOST_PAGES, MOST_ROUNDS = 50, 100  # the fractions grow with every round

Row = list[Fraction]


def exact_rounds(
    graph: LinkGraph,
    rounds: int,
    *,
    damping: Number,
    teleport: Sequence[Number] | None = None,
    dangling: str = "uniform",
) -> list[Row]:
    """The start vector 1/n and each iteration of PageRank in exact fractions.

    >>> pair = LinkGraph.from_edges(2, sources=[0, 1], targets=[1, 1], loops=True)
    >>> [str(share) for share in exact_rounds(pair, 1, damping=1)[1]]
    ['0', '1']
    """
    chance = share(damping, "damping")
    _check(graph, rounds)
    follow = fractions(graph, "S", teleport=teleport, dangling=dangling)
    jump = jumps(graph.n, teleport)
    rows = [[Fraction(1, graph.n)] * graph.n]
    for _ in range(rounds):
        moved = _times(rows[-1], follow)
        rows.append([chance * paid + (1 - chance) * given for paid, given in zip(moved, jump, strict=True)])
    return rows


def exact_hits(
    graph: LinkGraph,
    rounds: int,
    *,
    order: str = "authority",
    weighted: bool = False,
    fits: Sequence[Number] | None = None,
) -> list[tuple[str, Row, Row]]:
    """(name, raw, scaled to a maximum of 1) of every update of HITS, in exact fractions."""
    if order not in ORDERS:
        raise BadInput(f'unknown order "{order}": choose from {", ".join(ORDERS)}')
    _check(graph, rounds)
    out = fractions(graph, "counts" if weighted else "links")
    into = [list(column) for column in zip(*out, strict=True)]
    topic = [Fraction(1)] * graph.n if fits is None else [fraction(weight, "fits") for weight in fits]
    now = {"h": [Fraction(1)] * graph.n, "a": [Fraction(1)] * graph.n}
    steps = []
    for number in range(1, rounds + 1):
        for name in ("a", "h") if order == "authority" else ("h", "a"):
            given = [value * fit for value, fit in zip(now["h" if name == "a" else "a"], topic, strict=True)]
            raw = _times(given, out if name == "a" else into)
            top = max(raw)
            now[name] = [value / top for value in raw] if top else raw
            steps.append((f"{name}{number}", raw, now[name]))
    return steps


def _times(row: Row, matrix: Matrix) -> Row:
    pages, out = range(len(row)), []
    for to in pages:
        look()
        out.append(sum((row[page] * matrix[page][to] for page in pages if row[page]), start=Fraction(0)))
    return out


def _check(graph: LinkGraph, rounds: int) -> None:
    if not 0 <= rounds <= MOST_ROUNDS or graph.n > MOST_PAGES:
        raise BadInput(
            f"exact iterations are limited to {MOST_PAGES} pages and {MOST_ROUNDS} iterations, not "
            f"{graph.n} pages and {rounds} iterations"
        )


def cut_off(value: float) -> str:
    """A number with sixteen decimals, the digits after them cut off: what is left of the digits that tell it apart.

    >>> cut_off(2 / 3), cut_off(0.25)
    ('0.6666666666666666', '0.2500000000000000')
    """
    whole, _, rest = format(Decimal(repr(value)), "f").partition(".")
    return f"{whole}.{rest[:16]:0<16}"


def in_decimals(value: Fraction | float, digits: int) -> str:
    """A number with `digits` decimals; a fraction is rounded exactly.

    >>> in_decimals(Fraction(2, 3), 20), in_decimals(0.5, 2)
    ('0.66666666666666666667', '0.50')
    """
    if not isinstance(value, Fraction):
        return f"{value:.{digits}f}"
    whole, rest = divmod(round(abs(value) * 10**digits), 10**digits)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}.{rest:0{digits}d}" if digits else f"{sign}{whole}"


NOT_EXACT = {
    "eigen": "method eigen uses floating point: --method solve gives the same ranks as exact fractions",
    "surfer": "a random walk has no exact result: --method solve gives the exact ranks",
}
MOST_ON_A_BOARD = 5000  # rounds times pages times pages of a trace that is computed in fractions


def exactly(web: Web, what: Experiment, damping: float) -> Outcome:
    """PageRank in exact fractions: the limit, or a number of iterations."""
    return solve(web, what, damping) if what.rounds is None else some_rounds(web, what, damping)


def solve(web: Web, what: Experiment, damping: float) -> Outcome:
    """PageRank by Gaussian elimination."""
    if what.apart or what.start is not None or what.decimals is not None:
        raise BadInput("an exact solution cannot be combined with start, apart or decimals")
    chance: Number = damping if what.damping is None else what.damping
    values = exact(
        web.graph(),
        damping=chance,
        teleport=as_written(web, "teleport", what.teleport),
        dangling=what.dangling or "uniform",
    )
    if what.rescale:
        values = rescaled(values)
    said = f"solved exactly; the ranks sum to {sum(values)}"
    return Outcome({"pagerank": _floats(values)}, said, fractions=values)


def some_rounds(web: Web, what: Experiment, damping: float) -> Outcome:
    """A number of iterations of PageRank, with their trace if requested."""
    if what.apart or what.start is not None or what.decimals is not None:
        raise BadInput("exact iterations cannot be combined with start, apart or decimals")
    chance: Number = damping if what.damping is None else what.damping
    rows = exact_rounds(
        web.graph(),
        what.rounds or 0,
        damping=chance,
        teleport=as_written(web, "teleport", what.teleport),
        dangling=what.dangling or "uniform",
    )
    values = np.array([[float(value) for value in row] for row in rows])
    last = rescaled(rows[-1]) if what.rescale else rows[-1]
    residual = float(np.abs(np.diff(values[-2:], axis=0)).sum()) if len(values) > 1 else np.inf
    traced = Trace(web.names, tuple(values), tuple(tuple(row) for row in rows)) if what.trace else None
    said = f"{counted(what.rounds or 0, 'iteration')}, in exact fractions"
    notes = sums(sum(last))
    return Outcome({"pagerank": _floats(last)}, said, False, what.rounds or 0, residual, last, traced, notes=notes)


def hubs_and_authorities(web: Web, what: Experiment) -> Outcome:
    """A number of iterations of HITS."""
    if not what.rounds:
        raise BadInput("the limit of HITS is usually not a fraction (sqrt(3) - 1 for three-sites): set --iterations N")
    steps = exact_hits(
        web.graph(), what.rounds, order=what.order, weighted=what.weighted, fits=as_written(web, "fits", what.fits)
    )
    last = {name[0]: scaled for name, _, scaled in steps}
    first = "a" if what.order == "authority" else "h"
    names = {"a": "authority", "h": "hub"}
    columns = {names[name]: _floats(last[name]) for name in sorted(last, key=lambda name: name != first)}
    said = f"{counted(what.rounds, 'iteration')}, in exact fractions"
    outcome = Outcome(columns, said, False, what.rounds, np.inf, last[first])
    plain = [(name, _floats(raw), _floats(scaled)) for name, raw, scaled in steps]
    return replace(outcome, steps=plain, exact_steps=steps) if what.trace else outcome


def rescaled(values: list[Fraction]) -> list[Fraction]:
    """The same made to sum to 1, unless there is nothing to scale."""
    total = sum(values)
    return [value / total for value in values] if total else values


def _floats(row: list[Fraction]) -> Vector:
    return np.array([float(value) for value in row])


def one_topic(web: Web, what: Experiment, damping: float, topics: Mapping[str, list[int]]) -> Outcome:
    """PageRank for readers of one topic."""
    if len(topics) > 1 or what.preference:
        raise BadInput("exact fractions take one topic only: leave out the others and the preference")
    ((name, pages),) = topics.items()
    jump = topic_vector(web.n, pages, name=f'topic "{name}"')
    outcome = exactly(web, replace(what, teleport=jump, dangling=what.dangling or "teleport"), damping)
    return replace(outcome, columns={"topic": outcome.main})


def on_a_board(web: Web, what: Experiment) -> bool:
    """Whether its rounds are few and plain enough to be computed in fractions, so that every digit shown is right."""
    odd = what.start is not None or what.decimals is not None or what.rescale or what.apart
    few = 0 < (what.rounds or 0) * web.n**2 <= MOST_ON_A_BOARD
    return few and not odd and (what.dangling or "uniform") in FILLS


def as_written(web: Web, name: str, weights: ArrayLike | None) -> list[str] | None:
    """Weights as numbers are written, so that 0.1 means a tenth."""
    return None if weights is None else [str(weight) for weight in web.checked(name, weights).tolist()]


def sums(total: Any) -> list[str]:
    """A note on ranks that do not sum to 1, if they do not."""
    return [] if abs(total - 1) < 1e-6 else [f"the ranks sum to {float(total):.6g}, not to 1"]
