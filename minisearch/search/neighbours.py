"""Neighbours: how often words that stand side by side in the query do so on pages, and what that is worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minisearch.packing import tally
from minisearch.search.clauses import Word
from minisearch.search.occurrences import Occurrences
from minisearch.search.recipe import FIELDS
from minisearch.search.snapshot import Snapshot
from minisearch.search.spots import FIELD_BITS, PLACE_BITS, following

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


PAIR_AT = 48  # the bit from which on a number tells a pair; below it are page and field


@dataclass(frozen=True, slots=True)
class Heard:
    """A word of the query with what the index knows of it."""

    word: Word
    field: str
    where: Occurrences
    idf: float
    share: float  # 1, or WHOLE for an identifier beside its parts


class Neighbours:
    """How often pairs of words stand side by side on some pages (rising)."""

    def __init__(self, index: Snapshot, pairs: list[tuple[Heard, Heard]], pages: Ints) -> None:
        self._index, self._pairs, self._pages = index, pairs, pages
        words = {id(one): one.where for pair in pairs for one in pair}
        spots = dict(zip(words, index.spots(*((where, pages) for where in words.values())), strict=True))
        together = [following(spots[id(first)], spots[id(second)]) >> PLACE_BITS for first, second in pairs]
        cells, self._counts = tally(np.concatenate([cells + (n << PAIR_AT) for n, cells in enumerate(together)]))
        self._pair, self._field = cells >> PAIR_AT, cells & (1 << FIELD_BITS) - 1
        self._page = cells >> FIELD_BITS & (1 << PAIR_AT - FIELD_BITS) - 1

    def table(self) -> Ints:
        """How often, for each pair, page and field."""
        found = np.zeros((len(self._pairs), len(self._pages), len(FIELDS)), dtype=np.int64)
        found[self._pair, self._pages.searchsorted(self._page), self._field] = self._counts
        return found

    def gained(self) -> Floats:
        """What each page gains: the sum over pairs and fields of share * the smaller idf * saturation of how often."""
        recipe = self._index.recipe
        idf = np.array([min(first.idf, second.idf) for first, second in self._pairs])
        share = np.array([recipe.neighbours[name] for name in FIELDS])
        worth = share[self._field] * idf[self._pair]
        for number, name in enumerate(FIELDS):
            (here,) = (self._field == number).nonzero()
            if len(here):
                worth[here] *= self._index.scale.saturation(name, self._counts[here], self._page[here])
        return np.asarray(np.bincount(self._pages.searchsorted(self._page), worth, len(self._pages)), dtype=np.float64)
