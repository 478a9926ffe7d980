"""Scores of pages, and the loop that computes them.

Most measures are a fixed point: a vector that one more step does not change. Power iteration finds it by taking steps
until the change is small. The number of steps and the size of the last change are part of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minisearch.errors import BadInput
from minisearch.models import counted

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """One number per page, and how they were computed."""

    values: Vector = field(repr=False)
    rounds: int  # steps taken, each a pass over all links
    residual: float  # what the last step changed, added up over all pages; inf if none was taken
    converged: bool  # the residual is within the tolerance
    iterates: tuple[Vector, ...] = field(default=(), repr=False)  # on request: the start, then every step
    note: str = ""  # what a reader should know about these numbers

    @property
    def verdict(self) -> str:
        """Whether it converged, as a sentence.

        >>> Scores(np.ones(1), rounds=20, residual=0.3, converged=False).verdict
        'did not converge: residual 3.0e-01 after 20 iterations'
        """
        if self.converged and not self.rounds:
            return "nothing to compute"
        if self.converged:
            return f"converged after {counted(self.rounds, 'iteration')} (residual {self.residual:.1e})"
        if self.rounds == 0:
            return "this is the start vector: no iteration was run"
        return f"did not converge: residual {self.residual:.1e} after {counted(self.rounds, 'iteration')}"


def settle(
    step: Callable[[Vector], Vector],
    start: Vector,
    *,
    tolerance: float,
    max_rounds: int,
    rounds: int | None = None,
    trace: bool = False,
) -> Scores:
    """Iterate `step` from `start` until it converges, at most `max_rounds` times.

    With `rounds`, exactly this many steps are taken; with `trace`, every step is kept.

    >>> halving = settle(lambda x: x / 2, np.array([1.0]), tolerance=0.1, max_rounds=100)
    >>> halving.values, halving.rounds, halving.residual
    (array([0.0625]), 4, 0.0625)
    """
    limit = check_limits(tolerance, max_rounds, rounds)
    values, residual, done = start, np.inf, 0
    iterates = [start] if trace else []
    while done < limit and (rounds is not None or residual > tolerance):
        before, values = values, step(values)
        residual = float(np.abs(values - before).sum())
        done += 1
        if trace:
            iterates.append(values)
    return Scores(values, done, residual, converged=residual <= tolerance, iterates=tuple(iterates))


def check_limits(tolerance: float, max_rounds: int, rounds: int | None) -> int:
    """The most rounds there may be; BadInput for limits that make no sense."""
    if not tolerance >= 0:
        raise BadInput(f"tolerance must be 0 or more, not {tolerance}")
    limit = max_rounds if rounds is None else rounds
    if limit < 0:
        raise BadInput(f"the number of iterations must be 0 or more, not {limit}")
    return limit


def probabilities(name: str, weights: ArrayLike, n: int) -> Vector:
    """The weights of n pages, scaled to sum to 1.

    >>> probabilities("teleport", [3, 0, 1], n=3)
    array([0.75, 0.  , 0.25])
    """
    vector = numbers(name, weights, n)
    if n == 0:
        return vector
    if not vector.any():
        raise BadInput(f"{name} is zero everywhere: at least one page needs a positive weight")
    vector = vector / vector.max()  # so that adding up huge weights does not overflow
    scaled: Vector = vector / vector.sum()
    return scaled


def numbers(name: str, weights: ArrayLike, n: int) -> Vector:
    """One finite number, 0 or more, for each of n pages; BadInput if they are not."""
    try:
        vector = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadInput(f"{name} must be a list of numbers, one for each of the {n} pages") from None
    if vector.shape != (n,):
        raise BadInput(f"{name} needs one number for each of the {n} pages, but has shape {vector.shape}")
    senseless = np.flatnonzero(~(vector >= 0) | np.isinf(vector))  # ~(nan >= 0) is true
    if senseless.size:
        page = senseless[0]
        raise BadInput(f"{name} gives page {page} the weight {vector[page]}: use finite numbers, 0 or more")
    return vector


def places(values: ArrayLike) -> list[int]:
    """The place of each page, the largest first; equals share a place, and the next one is left out.

    >>> places([0.2, 0.5, 0.2, 0.1])
    [2, 1, 2, 4]
    """
    array = np.asarray(values, dtype=np.float64)
    falling = np.sort(-array)
    return [int(place) + 1 for place in np.searchsorted(falling, -array)]
