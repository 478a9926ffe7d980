"""An outcome to look at: as rows of a table, as plain data for JSON, and as a picture."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from minisearch.errors import BadInput
from minisearch.lab.experiment import Outcome
from minisearch.lab.plots import Chart
from minisearch.lab.trace import convergence, frequencies, ranks_by_round
from minisearch.lab.webs import Web
from minisearch.rank.scores import Vector, places

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
    """An outcome as plain data: its pages by falling rank, whether it settled, and with `traced` every round."""
    pages = []
    for page, place in order_of(outcome.main):
        row: dict[str, Any] = {"page": web.names[page], "place": place}
        row |= {name.replace(" ", "_"): float(values[page]) for name, values in outcome.columns.items()}
        if outcome.fractions:
            row["exact"] = str(outcome.fractions[page])
        pages.append(row)
    found: dict[str, Any] = {"pages": pages, "verdict": outcome.verdict, "settled": outcome.converged}
    found |= {"rounds": outcome.rounds, "residual": outcome.residual if outcome.residual < float("inf") else None}
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
