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
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Heard:
    """A word of the query with what the index knows of it."""

    word: Word
    field: str
    where: Occurrences
    idf: float
    share: float  # 1, or WHOLE for an identifier beside its parts


class Neighbours:
    """Pairs of words on some pages (rising). Tables have a cell for each pair, page and field, in this order."""

    def __init__(self, index: Snapshot, pairs: list[tuple[Heard, Heard]], pages: Ints) -> None:
        self._index, self._pairs, self._pages = index, pairs, pages
        self._words = {id(one): one.where for pair in pairs for one in pair}
        counts = {key: where.counts(pages) for key, where in self._words.items()}
        # They stand side by side no more often than the rarer of them stands there at all.
        self._most = np.array([np.minimum(counts[id(first)], counts[id(second)]) for first, second in pairs])

    def at_most(self) -> Floats:
        """What each page may gain."""
        return self._worth(self._most, self._pages)

    def gained(self, which: Ints) -> Floats:
        """What some of the pages gain, told by their places among all."""
        return self._worth(self.counts(which), self._pages[which])

    def counts(self, which: Ints) -> Ints:
        """How often each pair stands side by side on some of the pages, told by their places among all."""
        pages, most = self._pages[which], self._most[:, which]
        useful = (most > 0).any(axis=2)  # of each pair, the pages that have both words in one field
        reading: dict[int, Mask] = {}  # the pages on which the places of a word have to be read, for all its pairs
        for (first, second), here in zip(self._pairs, np.asarray(useful), strict=True):
            for key in (id(first), id(second)):
                reading[key] = reading[key] | here if key in reading else here
        asked = [(where, pages[reading[key]]) for key, where in self._words.items()]
        spots = dict(zip(self._words, self._index.spots(*asked), strict=True))
        together = [following(spots[id(first)], spots[id(second)]) >> PLACE_BITS for first, second in self._pairs]
        cells = np.concatenate(together)  # each is a page and a field
        place = np.repeat(np.arange(len(together)), [len(each) for each in together]) * len(pages)
        place = (place + pages.searchsorted(cells >> FIELD_BITS)) * len(FIELDS) + (cells & (1 << FIELD_BITS) - 1)
        return np.bincount(place, minlength=most.size).reshape(most.shape)

    def _worth(self, counts: Ints, pages: Ints) -> Floats:
        """The sum over pairs and fields of share * the smaller idf * saturation of how often."""
        recipe = self._index.recipe
        norms = np.array([self._index.norms[name][pages] for name in FIELDS]).T
        raised = np.divide(counts * (recipe.k1 + 1), counts + norms, out=np.zeros(counts.shape), where=counts > 0)
        gained = np.zeros(len(pages))
        for (first, second), table in zip(self._pairs, raised, strict=True):
            idf = min(first.idf, second.idf)
            for number, name in enumerate(FIELDS):  # one after the other, so that no page's sum depends on the others
                gained += recipe.neighbours[name] * idf * table[:, number]
        return gained
