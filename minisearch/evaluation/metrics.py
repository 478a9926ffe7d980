"""Metrics: how good a ranking is, from 0 (nothing relevant found) to 1 (could not be better).

Each metric takes the ranked URLs and the grades of the judged URLs. A grade above 0 means relevant; a URL without a
judgement is not relevant. A URL that is ranked twice counts at its first rank. A query without relevant pages scores 0.
nDCG: Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence

from minisearch.errors import BadInput
from minisearch.evaluation.trec import JudgedQuery, Ranking

Grades = Mapping[str, int]
Metric = Callable[[Sequence[str], Grades], float]

DEFAULT_METRICS = ("P@10", "MRR@10", "MAP", "nDCG@10", "success@1", "success@10", "recall@100")


def gains(ranked: Sequence[str], grades: Grades) -> list[int]:
    """The grade of each ranked URL, 0 if it is not relevant.

    >>> gains(["a", "b", "a", "c"], {"a": 1, "c": 2})
    [1, 0, 2]
    """
    return [max(0, grades.get(url, 0)) for url in dict.fromkeys(ranked)]


def ideal_gains(grades: Grades) -> list[int]:
    """The grades of all relevant URLs, highest first: the gains of the best possible ranking.

    >>> ideal_gains({"a": 1, "b": 0, "c": 2})
    [2, 1]
    """
    return sorted((grade for grade in grades.values() if grade > 0), reverse=True)


def precision(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """P@k: the share of the first k ranks that hold a relevant URL. An empty rank counts as not relevant.

    >>> precision(["a", "x", "b", "y"], {"a": 1, "b": 1}, 4)
    0.5
    """
    return _relevant_in_top(ranked, grades, k) / k


def recall(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """recall@k: the share of all relevant URLs that are among the first k.

    >>> recall(["a", "x", "b"], {"a": 1, "b": 1, "c": 1, "d": 1}, 3)
    0.5
    """
    return _relevant_in_top(ranked, grades, k) / max(1, len(ideal_gains(grades)))


def success(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """success@k: 1 if any of the first k URLs is relevant, else 0.

    >>> success(["x", "a"], {"a": 1}, 1), success(["x", "a"], {"a": 1}, 2)
    (0.0, 1.0)
    """
    return float(_relevant_in_top(ranked, grades, k) > 0)


def reciprocal_rank(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """MRR@k: 1 / rank of the first relevant URL, 0 if none is among the first k.

    >>> reciprocal_rank(["x", "a", "b"], {"a": 1, "b": 1}, 10)
    0.5
    """
    for rank, gain in enumerate(gains(ranked, grades)[:k], 1):
        if gain:
            return 1 / rank
    return 0.0


def average_precision(ranked: Sequence[str], grades: Grades) -> float:
    """AP: the precision at the rank of each relevant URL, averaged over all relevant URLs, found or not.

    >>> average_precision(["a", "x", "y", "b"], {"a": 1, "b": 1})  # the mean of 1/1 and 2/4
    0.75
    """
    ranks = [rank for rank, gain in enumerate(gains(ranked, grades), 1) if gain]
    return math.fsum(found / rank for found, rank in enumerate(ranks, 1)) / max(1, len(ideal_gains(grades)))


def ndcg(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """nDCG@k: the sum of gains, each divided by log2(rank + 1), relative to that of the best possible ranking.

    >>> ndcg(["b", "a"], {"a": 2, "b": 1}, 10) < ndcg(["a", "b"], {"a": 2, "b": 1}, 10) == 1
    True
    """
    ideal = _discounted_sum(ideal_gains(grades)[:k])
    return _discounted_sum(gains(ranked, grades)[:k]) / ideal if ideal else 0.0


def _relevant_in_top(ranked: Sequence[str], grades: Grades, k: int) -> int:
    return sum(gain > 0 for gain in gains(ranked, grades)[:k])


def _discounted_sum(gains: Sequence[int]) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


WITH_CUTOFF = {"P": precision, "MRR": reciprocal_rank, "nDCG": ndcg, "success": success, "recall": recall}


def canonical_name(name: str) -> str:
    """The name of a metric in its usual spelling.

    >>> canonical_name("ndcg@5"), canonical_name("AP"), canonical_name("mrr10")
    ('nDCG@5', 'MAP', 'MRR@10')
    """
    if name.lower() in ("ap", "map"):
        return "MAP"
    spellings = {kind.lower(): kind for kind in WITH_CUTOFF}
    match = re.fullmatch(r"([a-z]+)@?0*([1-9][0-9]{0,5})", name.lower())
    if not match or match[1] not in spellings:
        kinds = ", ".join(WITH_CUTOFF)
        raise BadInput(f"unknown metric {name!r}: use MAP, or one of {kinds} with a cutoff, as in nDCG@10")
    return f"{spellings[match[1]]}@{match[2]}"


def get_metric(name: str) -> Metric:
    """The function that computes the metric of this name.

    >>> get_metric("success@2")(["x", "a"], {"a": 1})
    1.0
    """
    kind, _, k = canonical_name(name).partition("@")
    if not k:
        return average_precision
    return lambda ranked, grades: WITH_CUTOFF[kind](ranked, grades, int(k))


def limit_cutoff(name: str, limit: int) -> str:
    """The metric with a cutoff of at most `limit`, for rankings that are not longer.

    >>> limit_cutoff("P@10", 5), limit_cutoff("P@10", 50), limit_cutoff("MAP", 5)
    ('P@5', 'P@10', 'MAP')
    """
    kind, _, k = name.partition("@")
    return f"{kind}@{min(int(k), limit)}" if k else name


def score_run(name: str, judged: Sequence[JudgedQuery], run: Mapping[str, Ranking]) -> list[float]:
    """The metric for each judged query; 0 for a query without a ranking in the run."""
    metric = get_metric(name)
    scores = []
    for query in judged:
        ranked = [query.judged_url(url) for url, _ in run.get(query.id, ())]
        scores.append(metric(ranked, query.grades))
    return scores
