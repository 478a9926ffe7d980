"""Shelves: which pages the index has, how long their fields are, and where their postings stand.

All this is read anew whenever the file has changed, so what was read is let go as soon as its part is done: to get new
memory takes longer than to work on it.
"""

from __future__ import annotations

import numpy as np

from minisearch.packing import ANCHOR_FIELDS, PAGE_FIELDS, Counts
from minisearch.search.entries import Shelf
from minisearch.store.postings import PostingStore, SegmentFacts

NOT_LISTED: Counts = np.empty(0, dtype=np.int32)


def shelved(postings: PostingStore) -> tuple[Counts, dict[str, Counts], dict[int, Shelf]]:
    """All live pages; how many words each field of each has, by field; and the segments, the oldest first."""
    pages, lengths, shelves = _own(postings)
    for segment in postings.segments("anchor"):
        numbers = _numbered(pages, segment.pages)
        lengths["anchor"] = _spread(lengths.get("anchor"), len(pages), numbers, segment.lengths[0])
        shelves[segment.id] = _shelf(segment, ANCHOR_FIELDS, -1, numbers)
    return pages, {"anchor": np.zeros(len(pages), dtype=np.uint8), **lengths}, shelves


def _numbered(pages: Counts, some: Counts) -> Counts:
    """The number that each of some pages has among all, -1 if none."""
    by_page = np.full(max(int(pages.max(initial=0)), int(some.max(initial=0))) + 1, -1, dtype=np.int32)
    by_page[pages] = np.arange(len(pages), dtype=np.int32)
    numbers: Counts = by_page[some]
    return numbers


def total(lengths: Counts) -> int:
    """How many words there are in a field of all pages."""
    return int(lengths.sum(dtype=np.int64))


def _spread(told: Counts | None, size: int, numbers: Counts, known: Counts) -> Counts:
    """What is known of pages by their numbers, as a row of all pages; added to what was told of others."""
    row: Counts = np.zeros(size, dtype=known.dtype)
    if told is not None:
        row = told.astype(np.result_type(told, known))
    here = numbers >= 0
    row[numbers[here]] = known[here]
    return row


def _own(postings: PostingStore) -> tuple[Counts, dict[str, Counts], dict[int, Shelf]]:
    """The same, of what pages say of themselves; links say nothing as yet."""
    segments = postings.segments("page")
    shelves: dict[int, Shelf] = {}
    start = 0
    for segment in segments:
        begin, numbers = start, NOT_LISTED
        if segment.live is not None:
            begin, numbers = -1, np.where(segment.live, start - 1 + np.cumsum(segment.live), -1).astype(np.int32)
        shelves[segment.id] = _shelf(segment, PAGE_FIELDS, begin, numbers)
        start += len(_live(segment, segment.pages))
    pages: Counts = np.concatenate([np.empty(0, np.uint32), *(_live(segment, segment.pages) for segment in segments)])
    lengths: dict[str, Counts] = {
        field: np.concatenate([np.empty(0, np.uint8), *(_live(segment, segment.lengths[row]) for segment in segments)])
        for row, field in enumerate(PAGE_FIELDS)
    }
    return pages, lengths, shelves


def _shelf(segment: SegmentFacts, fields: tuple[str, ...], start: int, numbers: Counts) -> Shelf:
    return Shelf(segment.id, fields, len(segment.pages), start, numbers, segment.languages, segment.spoken)


def _live(segment: SegmentFacts, column: Counts) -> Counts:
    """What a column of a segment tells of the pages that still belong to it."""
    return column if segment.live is None else column[segment.live]
