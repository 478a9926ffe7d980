"""Metrics: how good a list of answers is, from 0 (useless) to 1 (could not be better).

Each takes the urls in the order found, and the relevance of the judged ones: above 0 is good, everything else is not.
A url that comes twice counts where it came first. Where nothing is good there is nothing to find: 0.
Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002, for nDCG.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence

from minisearch.errors import BadInput
from minisearch.judge.qrels import Judged

Grades = Mapping[str, int]
Metric = Callable[[Sequence[str], Grades], float]

TABLE = ("P@10", "MRR@10", "MAP", "nDCG@10", "success@1", "success@10", "recall@100")


def gains(ranked: Sequence[str], grades: Grades) -> list[int]:
    """What each answer is worth, in order.

    >>> gains(["a", "b", "a", "c"], {"a": 1, "c": 2})
    [1, 0, 2]
    """
    return [max(0, grades.get(url, 0)) for url in dict.fromkeys(ranked)]


def good(grades: Grades) -> list[int]:
    """What the good pages are worth, best first.

    >>> good({"a": 1, "b": 0, "c": 2})
    [2, 1]
    """
    return sorted((grade for grade in grades.values() if grade > 0), reverse=True)


def precision(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """P@k: which part of the first k places holds good answers. A place left empty is no good one.

    >>> precision(["a", "x", "b", "y"], {"a": 1, "b": 1}, 4)
    0.5
    """
    return _count(gains(ranked, grades)[:k]) / k


def recall(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """recall@k: which part of the good pages is among the first k answers.

    >>> recall(["a", "x", "b"], {"a": 1, "b": 1, "c": 1, "d": 1}, 3)
    0.5
    """
    return _count(gains(ranked, grades)[:k]) / max(1, len(good(grades)))


def success(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """success@k: 1 if any of the first k answers is good.

    >>> success(["x", "a"], {"a": 1}, 1), success(["x", "a"], {"a": 1}, 2)
    (0.0, 1.0)
    """
    return float(any(gains(ranked, grades)[:k]))


def reciprocal_rank(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """MRR@k: one divided by the place of the first good answer, if it is among the first k.

    >>> reciprocal_rank(["x", "a", "b"], {"a": 1, "b": 1}, 10)
    0.5
    """
    return next((1 / place for place, gain in enumerate(gains(ranked, grades)[:k], 1) if gain), 0.0)


def average_precision(ranked: Sequence[str], grades: Grades) -> float:
    """AP: at each good answer, the precision up to there; the mean of that over all good pages, found or not.

    >>> average_precision(["a", "x", "y", "b"], {"a": 1, "b": 1})  # the mean of 1/1 and 2/4
    0.75
    """
    places = [place for place, gain in enumerate(gains(ranked, grades), 1) if gain]
    return math.fsum(found / place for found, place in enumerate(places, 1)) / max(1, len(good(grades)))


def ndcg(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """nDCG@k: what the first k answers are worth, less the lower they stand, as a part of what the best order is worth.

    >>> ndcg(["b", "a"], {"a": 2, "b": 1}, 10) < ndcg(["a", "b"], {"a": 2, "b": 1}, 10) == 1
    True
    """
    best = _discounted(good(grades)[:k])
    return _discounted(gains(ranked, grades)[:k]) / best if best else 0.0


def _discounted(worth: Sequence[int]) -> float:
    return math.fsum(gain / math.log2(place + 1) for place, gain in enumerate(worth, 1))


def _count(worth: Sequence[int]) -> int:
    return sum(gain > 0 for gain in worth)


AT = {"P": precision, "MRR": reciprocal_rank, "nDCG": ndcg, "success": success, "recall": recall}
NAMES = {name.lower(): name for name in AT}


def spell(name: str) -> str:
    """The one spelling of a metric's name.

    >>> spell("ndcg@5"), spell("AP"), spell("mrr10")
    ('nDCG@5', 'MAP', 'MRR@10')
    """
    if name.lower() in ("ap", "map"):
        return "MAP"
    match = re.fullmatch(r"([a-z]+)@?0*([1-9][0-9]{0,5})", name.lower())
    if not match or match[1] not in NAMES:
        raise BadInput(f"there is no metric {name!r}: take MAP, or one of {', '.join(AT)} with a place, as in nDCG@10")
    return f"{NAMES[match[1]]}@{match[2]}"


def metric(name: str) -> Metric:
    """The metric of this name.

    >>> metric("success@2")(["x", "a"], {"a": 1})
    1.0
    """
    name = spell(name)
    if name == "MAP":
        return average_precision
    at, _, k = name.partition("@")
    return lambda ranked, grades: AT[at](ranked, grades, int(k))


def within(name: str, limit: int) -> str:
    """The metric as it can be measured when there are no more than `limit` answers to a query.

    >>> within("P@10", 5), within("P@10", 50), within("MAP", 5)
    ('P@5', 'P@10', 'MAP')
    """
    at, _, k = name.partition("@")
    return f"{at}@{min(int(k), limit)}" if k else name


def per_query(name: str, judged: Sequence[Judged], run: Mapping[str, Sequence[tuple[str, float]]]) -> list[float]:
    """The metric for each judged query; 0 for one that the run does not answer."""
    measure = metric(name)
    return [measure([one.name_of(url) for url, _ in run.get(one.id, ())], one.grades) for one in judged]


def mean(values: Sequence[float]) -> float:
    """Their mean; 0 if there are none.

    >>> mean([1, 0])
    0.5
    """
    return math.fsum(values) / len(values) if values else 0.0
