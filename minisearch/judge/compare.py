"""Compare: is one setting better than another, or was it luck with these queries?

The paired bootstrap: Efron and Tibshirani, "An Introduction to the Bootstrap", 1993. Draw as many queries as there are,
with repetition, many times; see how the mean difference varies, and how often it changes sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from minisearch.errors import BadInput

ROUNDS = 5000
SEED = 7


@dataclass(frozen=True, slots=True)
class Difference:
    """How much is gained on average, between what bounds in 95 of 100 draws, and how likely it is to be luck."""

    mean: float
    low: float
    high: float
    p: float


def paired(before: Sequence[float], after: Sequence[float], *, rounds: int = ROUNDS, seed: int = SEED) -> Difference:
    """What `after` gains over `before`: the same metric for the same queries, in the same order.

    >>> paired([0.5, 0.2, 0.4], [0.5, 0.2, 0.4])
    Difference(mean=0.0, low=0.0, high=0.0, p=1.0)
    >>> paired([0.0] * 20, [1.0] * 20).p < 0.001
    True
    """
    if len(before) != len(after) or not before:
        raise BadInput(f"only the same queries can be compared, not {len(before)} with {len(after)}")
    gained = np.asarray(after, dtype=float) - np.asarray(before, dtype=float)
    if not gained.any():
        return Difference(0.0, 0.0, 0.0, 1.0)
    draw = np.random.default_rng(seed)
    count = len(gained)
    means = np.array([gained[draw.integers(count, size=count)].mean() for _ in range(rounds)])
    low, high = np.quantile(means, [0.025, 0.975])
    other_side = min(np.count_nonzero(means <= 0), np.count_nonzero(means >= 0))
    p = min(1.0, 2 * (int(other_side) + 1) / (rounds + 1))
    return Difference(float(gained.mean()), float(low), float(high), p)
