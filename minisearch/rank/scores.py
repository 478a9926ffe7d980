"""What a link measure gives, and the loop that gets there.

Most measures are a fixed point: a vector that one more step leaves as it is. The power method finds it by
taking steps until they hardly change anything. How many steps it took, and how large the last change was,
is part of the answer: the reader can see whether it is one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import BadInput

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """One number per page, and how they were come by."""

    values: Vector = field(repr=False)
    rounds: int  # steps taken
    residual: float  # what the last step changed, added up over all pages; inf if none was taken
    converged: bool  # the residual is within the tolerance


def settle(
    step: Callable[[Vector], Vector],
    start: Vector,
    *,
    tolerance: float,
    max_rounds: int,
    rounds: int | None = None,
) -> Scores:
    """Where `start` comes to rest under `step`, or where it is after `max_rounds`.

    Given `rounds`, exactly so many steps are taken, at rest or not.

    >>> halving = settle(lambda x: x / 2, np.array([1.0]), tolerance=0.1, max_rounds=100)
    >>> halving.values, halving.rounds, halving.residual
    (array([0.0625]), 4, 0.0625)
    """
    if not tolerance >= 0:
        raise BadInput(f"tolerance must be 0 or more, not {tolerance}")
    limit = max_rounds if rounds is None else rounds
    if limit < 0:
        raise BadInput(f"the number of rounds must be 0 or more, not {limit}")

    values, residual, done = start, np.inf, 0
    while done < limit and (rounds is not None or residual > tolerance):
        before, values = values, step(values)
        residual = float(np.abs(values - before).sum())
        done += 1
    return Scores(values, done, residual, converged=residual <= tolerance)
