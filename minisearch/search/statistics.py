"""The laws of text and of links: how the numbers of a collection usually fall, and how they fall here.

Zipf: the r-th most frequent word occurs about 1/r as often as the first.
Heaps: the first n words of a collection hold about K n^beta different ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minisearch.search.index_reader import Floats, Ints

FIRST_RANK = 10  # the words before it are grammar, and follow no law
RAREST = 3  # occurrences: words with fewer lie on steps, not on a line
POINTS = 50  # at which a curve is looked at, evenly on a logarithmic scale


def zipf(terms: Ints) -> float | None:
    """The slope of log frequency on log rank over the middle ranks of a text, a number for each of its words.

    >>> text = np.repeat(np.arange(1, 1001), [round(10_000 / rank) for rank in range(1, 1001)])
    >>> round(zipf(text), 2)
    -1.0
    """
    counts = np.sort(np.unique(terms, return_counts=True)[1])[::-1]
    last = int(np.count_nonzero(counts >= RAREST))
    if last < 2 * FIRST_RANK:
        return None
    ranks = _points(FIRST_RANK, last)
    return _line(ranks.astype(float), counts[ranks - 1].astype(float))[0]


def curve(terms: Ints) -> list[tuple[int, int]]:
    """(rank, how often) at some ranks of a text, a number for each of its words: what Zipf's law is about.

    >>> curve(np.array([7, 7, 7, 4, 4, 9]))
    [(1, 3), (2, 2), (3, 1)]
    """
    counts = np.sort(np.unique(terms, return_counts=True)[1])[::-1]
    if not len(counts):
        return []
    ranks = _points(1, len(counts))
    return list(zip(ranks.tolist(), counts[ranks - 1].tolist(), strict=True))


def heaps(terms: Ints) -> tuple[float, float] | None:
    """(beta, K) of a text, a number for each of its words in the order in which they are read.

    >>> heaps(np.arange(100))
    (1.0, 1.0)
    """
    if len(terms) < POINTS:
        return None
    firsts = np.sort(np.unique(terms, return_index=True)[1])
    read = _points(max(len(terms) // 100, 10), len(terms))
    beta, shift = _line(read.astype(float), np.searchsorted(firsts, read).astype(float))
    return round(beta, 6), round(float(np.exp(shift)), 6)


def spread(degrees: list[int]) -> dict[str, Any]:
    """How numbers are spread: mean, median, largest, and how many lie from each power of two up to the next.

    >>> spread([0, 1, 2, 3, 9])
    {'mean': 3.0, 'median': 2.0, 'max': 9, 'bins': {'0': 1, '1': 1, '2-3': 2, '8-15': 1}}
    """
    if not degrees:
        return {"mean": 0.0, "median": 0.0, "max": 0, "bins": {}}
    bins: dict[str, int] = {}
    for size in sorted(degree.bit_length() for degree in degrees):
        low, high = (1 << size) // 2, (1 << size) - 1
        name = f"{low}-{high}" if low < high else str(low)
        bins[name] = bins.get(name, 0) + 1
    return {"mean": float(np.mean(degrees)), "median": float(np.median(degrees)), "max": max(degrees), "bins": bins}


def _points(low: int, high: int) -> Ints:
    return np.unique(np.geomspace(low, high, POINTS).round().astype(np.int64))


def _line(x: Floats, y: Floats) -> tuple[float, float]:
    """The slope and the height of the straight line nearest to the points on a log-log sheet."""
    slope, shift = np.polyfit(np.log(x), np.log(y), 1)
    return float(slope), float(shift)
