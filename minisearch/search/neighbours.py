"""Neighbours: how often words that stand side by side in the query do so on pages, and what that is worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minisearch.search.clauses import Word
from minisearch.search.occurrences import Occurrences
from minisearch.search.recipe import FIELDS
from minisearch.search.snapshot import Snapshot
from minisearch.search.spots import FIELD_BITS, PLACE_BITS, following

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


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
        words = {id(one.where): one.where for pair in pairs for one in pair}
        spots = dict(zip(words, index.seen(list(words.values()), pages), strict=True))
        cells = len(pages) << FIELD_BITS
        together = (following(spots[id(first.where)], spots[id(second.where)]) for first, second in pairs)
        counted = [np.bincount(found >> PLACE_BITS, minlength=cells) for found in together]
        # How often, by pair, page and field.
        self.table = np.concatenate(counted).reshape(len(pairs), len(pages), 1 << FIELD_BITS)

    def gained(self) -> Floats:
        """What each page gains: the sum over pairs and fields of share * the smaller idf * saturation of how often."""
        recipe = self._index.recipe
        idf = np.array([min(first.idf, second.idf) for first, second in self._pairs])
        share = np.array([recipe.neighbours[name] for name in FIELDS])
        pair, page, field = self.table.nonzero()
        worth = share[field] * idf[pair]
        worth *= self._index.scale.saturations(field, self.table[pair, page, field], self._pages[page])
        return np.bincount(page, worth, len(self._pages)).astype(np.float64, copy=False)
