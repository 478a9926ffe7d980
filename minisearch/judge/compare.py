"""Compare: is one setting better than another, or was it luck with these queries?

The bounds come from the paired bootstrap (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993): draw as many
queries as there are, with repetition, many times, and see how the mean difference varies.

How likely luck is comes from Fisher's randomization test, which Smucker, Allan and Carterette ("A Comparison of
Statistical Significance Tests for Information Retrieval Evaluation", 2007) recommend: if both settings were equally
good, each query's difference might as well have had the other sign, so see how often other signs give as large a mean.
It cannot be surer than the queries allow: four of them never give less than 2 in 16.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from minisearch.errors import BadInput

Vector = npt.NDArray[np.float64]

ROUNDS = 5000
SEED = 7
FEW = 12  # differences of which all signs are tried: 4,096 ways
ALIKE = 1e-12  # sums of the same numbers in another order are no different means


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
    >>> paired([0.0] * 4, [1.0] * 4).p
    0.125
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
    return Difference(float(gained.mean()), float(low), float(high), _luck(gained, draw, rounds))


def _luck(gained: Vector, draw: np.random.Generator, rounds: int) -> float:
    """How often the differences with other signs come to as large a mean."""
    gained = gained[gained != 0]  # no sign changes the others
    count = len(gained)
    if count <= FEW:
        signs = 1 - 2 * (np.arange(2**count)[:, None] >> np.arange(count) & 1)
    else:
        signs = draw.choice([-1, 1], size=(rounds, count))
    as_large = np.count_nonzero(abs(signs @ gained) >= abs(gained.sum()) - ALIKE)
    if count <= FEW:
        return float(as_large / len(signs))
    return float((as_large + 1) / (len(signs) + 1))  # what was seen is one of the ways too
