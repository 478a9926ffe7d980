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

from minisearch.search.arrays import Floats
from minisearch.search.recipe import Recipe

LEAST = 1e-300  # of a norm: a word that is not there is worth nothing, also in an empty field if b is 1


def idf(df: int, pages: int) -> float:
    """How telling a word is that `df` of `pages` pages have. Never negative, even if all have it.

    >>> round(idf(1, 100), 3), round(idf(100, 100), 3)
    (4.21, 0.005)
    """
    return math.log(1 + (pages - df + 0.5) / (df + 0.5))


def norm(lengths: NDArray[Any], average: float, field: str, recipe: Recipe) -> Floats:
    """How many times a word must stand in a field of each length to be worth half of what it can be at most."""
    if not average:
        return np.full(len(lengths), max(recipe.k1, LEAST))
    return norms(lengths, average, recipe.b[field], recipe.k1)


def norms(lengths: NDArray[Any], average: float | Floats, b: float | Floats, k1: float) -> Floats:
    """The same for fields of which some page has words; they may be different ones, each with its average and b."""
    found: Floats = b * lengths
    found /= average
    found += 1 - b
    found *= k1
    return np.maximum(found, LEAST, out=found)


def saturation(counts: NDArray[Any], norms: Floats, k1: float) -> Floats:
    """Between 0 and k1 + 1: grows with the count, ever more slowly, and slower in long fields."""
    raised: Floats = counts * (k1 + 1)
    raised /= counts + norms
    return raised
