"""Meeting: which pages have what a query asks for, from the pages that have each of its words."""

from __future__ import annotations

from functools import reduce
from typing import NamedTuple, cast

import numpy as np

from minisearch.search.arrays import Mask, Numbers

SPARSE = 3  # pages are scored one by one if fewer than one in so many can come first

Having = Mask | Numbers  # the pages that have something: as a row of all pages, or those themselves, rising


class Met(NamedTuple):
    """The pages that match a query."""

    matched: Mask
    complete: Mask  # has all the words that tell something
    best: Numbers | None  # some pages (rising) that the first ones are among; None: those that match


def row(size: int, having: Having) -> Mask:
    """The pages that have something, as a row of all pages."""
    return cast(Mask, having) if having.dtype == bool else mask_of(size, cast(Numbers, having))


def mask_of(size: int, *having: Numbers) -> Mask:
    """The pages that are in one of some lists, as a row over all pages."""
    mask = np.zeros(size, dtype=bool)
    for docs in having:
        mask[docs] = True
    return mask


def meet(
    size: int,
    count: int | None,
    must: list[Having],
    barred: list[Having],
    choice: list[Having] | None,
    telling: list[Having],
) -> Met:
    """Of so many pages those that have all that must be there, nothing that is barred, and something of the choice, if
    there is one; and which of them have all that tells something. If the first `count` of them (None: all of them) are
    among few, these are the best.
    """
    matched = np.ones(size, dtype=bool)
    if choice is not None:
        matched = reduce(np.logical_or, (row(size, having) for having in choice), np.zeros(size, dtype=bool))
    matched = reduce(np.logical_and, (row(size, having) for having in must), matched)
    matched = reduce(np.logical_and, (~row(size, having) for having in barred), matched)
    complete = reduce(np.logical_and, (row(size, having) for having in telling), matched)
    if count is None:
        return Met(matched, complete, None)
    tier = complete if np.count_nonzero(complete) >= count else matched
    few = np.count_nonzero(tier) * SPARSE < size
    return Met(matched, complete, np.flatnonzero(tier).astype(np.int32) if few else None)
