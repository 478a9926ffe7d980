"""BM25: how much a page is about a word.

Robertson and Walker, "Some simple effective approximations to the 2-Poisson model", 1994. Each field is saturated on
its own and the fields are then added with weights: a word in the title helps once, however often the body repeats it.
The same in plain Python: minisearch/textbook/bm25.py
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

K1 = 1.2  # how soon repeating a word stops helping
B = 0.75  # how much long pages are held back
FIELDS = ("title", "headings", "url", "body", "anchor")
WEIGHTS = {"title": 0.7, "headings": 0.5, "url": 0.2, "body": 1.0, "anchor": 1.0}

Floats = NDArray[np.float64]


def idf(df: int, pages: int) -> float:
    """How telling a word is that `df` of `pages` pages have. Never negative, even if all have it.

    >>> round(idf(1, 100), 3), round(idf(100, 100), 3)
    (4.21, 0.005)
    """
    return math.log(1 + (pages - df + 0.5) / (df + 0.5))


def saturation(counts: Floats, lengths: Floats, average: float) -> Floats:
    """Between 0 and K1 + 1: grows with the count, ever more slowly, and slower in long fields."""
    return counts * (K1 + 1) / (counts + K1 * (1 - B + B * lengths / average))
