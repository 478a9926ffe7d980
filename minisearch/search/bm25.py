"""BM25: how much a page is about a word.

Robertson and Walker, "Some simple effective approximations to the 2-Poisson model", 1994. Each field is saturated on
its own and the fields are then added with weights: a word in the title helps once, however often the body repeats it.
The same in plain Python: minisearch/textbook/bm25.py
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

K1 = 2.0  # how soon repeating a word stops helping
FIELDS = ("title", "headings", "url", "body", "anchor")
WEIGHTS = {"title": 1.2, "headings": 0.5, "url": 0.2, "body": 1.0, "anchor": 0.8}
B = {"title": 0.75, "headings": 0.6, "url": 0.75, "body": 0.75, "anchor": 0.5}  # how much long fields are held back

# What two words of the query add that stand side by side, as a share of the less telling one of them.
NEIGHBOURS = {"title": 0.5, "headings": 0.5, "url": 0.1, "body": 0.4, "anchor": 0.5}
# What a title, heading or link text adds that is the whole query, as a share of how telling that is.
NAMES = {"title": 2.0, "headings": 1.5, "anchor": 1.5}
WHOLE = 0.3  # what an identifier as a whole adds beside its parts, as a share of a word

Floats = NDArray[np.float64]


def idf(df: int, pages: int) -> float:
    """How telling a word is that `df` of `pages` pages have. Never negative, even if all have it.

    >>> round(idf(1, 100), 3), round(idf(100, 100), 3)
    (4.21, 0.005)
    """
    return math.log(1 + (pages - df + 0.5) / (df + 0.5))


def norm(lengths: Floats, average: float, field: str) -> Floats:
    """How many times a word must stand in a field of each length to be worth half of what it can be at most."""
    return K1 * (1 - B[field] + B[field] * lengths / average) if average else np.full(len(lengths), K1)


def saturation(counts: NDArray[Any], norms: Floats) -> Floats:
    """Between 0 and K1 + 1: grows with the count, ever more slowly, and slower in long fields."""
    raised: Floats = counts * (K1 + 1) / (counts + norms)
    return raised
