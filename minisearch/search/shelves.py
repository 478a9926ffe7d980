"""Shelves: which pages the index has, how long their fields are, and where their postings stand.

All this is read anew whenever the file has changed, so what was read is let go as soon as its part is done: to get new
memory takes longer than to work on it.
"""

from __future__ import annotations

import numpy as np

from minisearch.packing import ANCHOR_FIELDS, PAGE_FIELDS, Counts
from minisearch.search.entries import Ints, Shelf
from minisearch.search.recipe import FIELD_NUMBER, FIELDS
from minisearch.store.postings import PostingStore, SegmentFacts


def shelved(postings: PostingStore) -> tuple[Ints, Counts, dict[int, Shelf]]:
    """All live pages; how many words each field of each has (FIELDS x pages); and the segments, the oldest first."""
    pages, lengths, shelves = _own(postings)
    for segment in postings.segments("anchor"):
        by_page = np.full(max(int(pages.max(initial=0)), int(segment.pages.max(initial=0))) + 1, -1, dtype=np.int32)
        by_page[pages] = np.arange(len(pages), dtype=np.int32)
        numbers = by_page[segment.pages]
        anchor = lengths[FIELD_NUMBER["anchor"]]
        if numbers.min(initial=0) >= 0:
            anchor[numbers] = segment.lengths[0]
        else:
            here = numbers >= 0
            anchor[numbers[here]] = segment.lengths[0][here]
        shelves[segment.id] = Shelf(segment.id, ANCHOR_FIELDS, numbers, -1, segment.languages, segment.spoken)
    return pages, lengths, shelves


def _own(postings: PostingStore) -> tuple[Ints, Counts, dict[int, Shelf]]:
    """The same, of what pages say of themselves."""
    segments = postings.segments("page")
    pages = np.concatenate([np.empty(0, np.int64), *(_live(segment, segment.pages) for segment in segments)])
    lengths = np.zeros((len(FIELDS), len(pages)), dtype=np.uint32)
    shelves: dict[int, Shelf] = {}
    start = 0
    for segment in segments:
        begin, numbers = start, np.arange(start, start + len(segment.pages), dtype=np.int32)
        if segment.live is not None:
            begin, numbers = -1, np.where(segment.live, start - 1 + np.cumsum(segment.live), -1).astype(np.int32)
        shelves[segment.id] = Shelf(segment.id, PAGE_FIELDS, numbers, begin, segment.languages, segment.spoken)
        end = start + len(_live(segment, segment.pages))
        for row, field in enumerate(PAGE_FIELDS):
            lengths[FIELD_NUMBER[field], start:end] = _live(segment, segment.lengths[row])
        start = end
    return pages, lengths, shelves


def _live(segment: SegmentFacts, column: Counts) -> Counts:
    """What a column of a segment tells of the pages that still belong to it."""
    return column if segment.live is None else column[segment.live]
