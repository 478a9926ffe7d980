"""A snapshot: the small part of the index that every query needs, read once and kept until the file changes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minisearch.packing import ANCHOR_FIELDS, PAGE_FIELDS, unpack
from minisearch.search.blend import prior
from minisearch.search.bm25 import FIELDS
from minisearch.search.query import Word
from minisearch.store.postings import SegmentFacts
from minisearch.store.store import Store

Ints = NDArray[np.int64]
RANKING = "pagerank"


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Where a word stands: for each field the pages (numbers in the snapshot) and how often they have it."""

    df: int
    docs: Ints  # all pages that have it anywhere
    fields: dict[str, tuple[Ints, Ints]]


@dataclass(frozen=True, slots=True)
class _Shelf:
    """One segment, and the numbers of its pages in the snapshot; -1 for pages that no longer belong to it."""

    id: int
    fields: tuple[str, ...]
    numbers: Ints
    whole: bool  # no page is outdated


class Snapshot:
    """All live pages, numbered from 0, with their field lengths and their link prior."""

    def __init__(self, store: Store) -> None:
        self._postings = store.postings
        own = store.postings.segments("page")
        told = store.postings.segments("anchor")
        self.pages = np.concatenate([np.empty(0, np.int64), *(segment.pages[segment.mask()] for segment in own)])
        self.size = len(self.pages)
        self.languages = sorted({spoken for segment in own + told for spoken in segment.languages})
        self.lengths = {field: np.zeros(self.size) for field in FIELDS}
        self._shelves: list[_Shelf] = []
        start = 0
        for segment in own:
            start = self._shelve(segment, start)
        for segment in told:
            self._shelve_anchors(segment)
        self.averages = {field: float(lengths.mean()) if self.size else 0.0 for field, lengths in self.lengths.items()}
        ranking = store.ranks.get(RANKING)
        ranks = ranking.vector if ranking is not None else np.empty(0)
        self.ranks = np.full(self.size, np.nan)
        ranked = self.pages < len(ranks)
        self.ranks[ranked] = ranks[self.pages[ranked]]
        self.prior = prior(self.ranks)

    def _shelve(self, segment: SegmentFacts, start: int) -> int:
        live = segment.mask()
        count = int(live.sum())
        numbers = np.full(len(live), -1, dtype=np.int64)
        numbers[live] = np.arange(start, start + count)
        for row, field in enumerate(PAGE_FIELDS):
            self.lengths[field][start : start + count] = segment.lengths[row][live]
        self._shelves.append(_Shelf(segment.id, PAGE_FIELDS, numbers, segment.live is None))
        return start + count

    def _shelve_anchors(self, segment: SegmentFacts) -> None:
        by_page = np.full(max(self.pages.max(initial=0), segment.pages.max(initial=0)) + 1, -1, dtype=np.int64)
        by_page[self.pages] = np.arange(self.size)
        numbers = by_page[segment.pages]
        here = numbers >= 0
        self.lengths["anchor"][numbers[here]] = segment.lengths[0][here]
        self._shelves.append(_Shelf(segment.id, ANCHOR_FIELDS, numbers, bool(here.all())))

    def find(self, word: Word) -> Occurrences:
        """Where a word stands, whichever of its terms it is."""
        found: dict[str, list[tuple[Ints, Ints]]] = {}
        anywhere = np.zeros(self.size, dtype=bool)
        for shelf in self._shelves:
            for term in word.terms:
                row = self._postings.docs(shelf.id, term)
                if row is None:
                    continue
                postings = unpack(row[1], row[0], len(shelf.fields))
                numbers = shelf.numbers[postings.docs]
                live = slice(None) if shelf.whole else numbers >= 0
                anywhere[numbers[live]] = True
                for field, counts in zip(shelf.fields, postings.counts, strict=True):
                    if counts is not None:
                        having = live if counts.all() else (counts > 0) & (shelf.whole | (numbers >= 0))
                        found.setdefault(field, []).append((numbers[having], counts[having]))
        fields = {field: _joined(pieces, len(word.terms) > 1) for field, pieces in found.items()}
        docs = np.flatnonzero(anywhere)
        return Occurrences(len(docs), docs, fields)


def _joined(pieces: list[tuple[Ints, Ints]], overlapping: bool) -> tuple[Ints, Ints]:
    docs = np.concatenate([docs for docs, _ in pieces])
    counts = np.concatenate([counts for _, counts in pieces])
    if not overlapping or len(pieces) == 1:
        return docs, counts
    unique, place = np.unique(docs, return_inverse=True)
    return unique, np.bincount(place, weights=counts).astype(np.int64)
