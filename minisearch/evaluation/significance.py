"""Significance: whether one ranking is better than another, or was only lucky with these queries.

The confidence interval comes from the paired bootstrap (Efron and Tibshirani, "An Introduction to the Bootstrap",
1993): draw as many queries as there are, with replacement, many times, and see how the mean difference varies.

The p-value comes from Fisher's randomization test, which Smucker, Allan and Carterette ("A Comparison of Statistical
Significance Tests for Information Retrieval Evaluation", 2007) recommend: if both rankings were equally good, the
difference of each query could as well have the opposite sign, so see how often random signs give a mean as large.
Few queries cannot give a small p-value: with four of them it is never below 2/16.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

import numpy as np
import numpy.typing as npt

from minisearch.errors import BadInput
from minisearch.evaluation.metrics import score_run
from minisearch.evaluation.trec import JudgedQuery, Ranking

RESAMPLES = 5000
SEED = 7
MAX_EXACT = 12  # up to this many differences all 4,096 combinations of signs are tried
EPSILON = 1e-12  # sums of the same numbers in another order differ by less


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean difference, its 95% confidence interval, and the probability of one as large by chance."""

    mean: float
    low: float
    high: float
    p: float


def paired_difference(
    before: Sequence[float], after: Sequence[float], *, resamples: int = RESAMPLES, seed: int = SEED
) -> Difference:
    """Compare `after` with `before`: one metric, for the same queries in the same order.

    >>> paired_difference([0.5, 0.2, 0.4], [0.5, 0.2, 0.4])
    Difference(mean=0.0, low=0.0, high=0.0, p=1.0)
    >>> paired_difference([0.0] * 20, [1.0] * 20).p < 0.001
    True
    >>> paired_difference([0.0] * 4, [1.0] * 4).p
    0.125
    """
    if len(before) != len(after) or not before:
        raise BadInput(f"a comparison needs the same queries on both sides, not {len(before)} and {len(after)}")
    differences = np.asarray(after, dtype=float) - np.asarray(before, dtype=float)
    if not differences.any():
        return Difference(0.0, 0.0, 0.0, 1.0)
    random = np.random.default_rng(seed)
    count = len(differences)
    means = [differences[random.integers(count, size=count)].mean() for _ in range(resamples)]
    low, high = np.quantile(means, [0.025, 0.975])
    p = _randomization_test(differences, random, resamples)
    return Difference(float(differences.mean()), float(low), float(high), p)


def evaluate(
    judged: Sequence[JudgedQuery],
    metrics: Sequence[str],
    run: Mapping[str, Ranking],
    others: Sequence[tuple[str, Mapping[str, Ranking]]] = (),
) -> dict[str, Any]:
    """The mean of each metric of a run, and how other runs, which have a name each, differ from it."""

    def means(scores: Mapping[str, Sequence[float]]) -> dict[str, float]:
        return {name: fmean(values) for name, values in scores.items()}

    current = {name: score_run(name, judged, run) for name in metrics}
    compared = []
    for setting, other in others:
        scores = {name: score_run(name, judged, other) for name in metrics}
        gained = {name: asdict(paired_difference(current[name], scores[name])) for name in metrics}
        compared.append({"setting": setting, "metrics": means(scores), "gained": gained})
    return {"queries": len(judged), "metrics": means(current), "compared": compared}


def _randomization_test(differences: npt.NDArray[np.float64], random: np.random.Generator, resamples: int) -> float:
    """The share of sign combinations whose mean is at least as far from 0 as the observed one."""
    differences = differences[differences != 0]  # the sign of 0 changes nothing
    count = len(differences)
    exact = count <= MAX_EXACT
    if exact:
        signs = 1 - 2 * (np.arange(2**count)[:, None] >> np.arange(count) & 1)
    else:
        signs = random.choice([-1, 1], size=(resamples, count))
    as_large = np.count_nonzero(abs(signs @ differences) >= abs(differences.sum()) - EPSILON)
    if exact:
        return float(as_large / len(signs))
    return float((as_large + 1) / (len(signs) + 1))  # the observed signs are one of the combinations
