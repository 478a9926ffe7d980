"""Places: where a term stands, of which a query needs what is on a few pages only."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain, pairwise

import numpy as np

from minisearch.packing import chunks, gaps
from minisearch.search.arrays import Ints
from minisearch.search.entries import Entry
from minisearch.search.occurrences import Occurrences
from minisearch.search.recipe import FIELD_NUMBER, FIELDS
from minisearch.search.spots import FIELD_BITS, PLACE_BITS, spot_field

WIDTH = 4  # bytes of a distance
FEW = 64  # pages whose places are fetched one by one

Asked = tuple[Occurrences, Ints]


class Places:
    """The distances in the `positions` blobs of a term, blob after blob. A chunk is inflated when first asked for."""

    def __init__(self, blobs: Iterable[tuple[bytes, int]]) -> None:
        self._packed = [chunks(blob, size) for blob, size in blobs]
        self._after = list(accumulate(len(some.sizes) for some in self._packed))  # chunks up to the end of each blob
        self._ends = list(accumulate(chain.from_iterable(some.sizes for some in self._packed)))
        # How many distances come before a chunk, how many have come with its last, and four bytes for each.
        self._open: dict[int, tuple[int, int, bytes]] = {}
        self._held = 1000 + sum(len(some.packed) for some in self._packed) + 100 * len(self._ends)

    def memory(self) -> int:
        """How much memory it takes to keep this, with what was looked at."""
        return self._held

    def distances(self, starts: list[int], stops: list[int]) -> list[bytes]:
        """Those of some stretches: of each, from which distance on, and up to which."""
        # Slicing bytes stretch by stretch takes less time than getting numpy to do it for all at once.
        found, first, last, those = [], 0, 0, b""
        for start, stop in zip(starts, stops, strict=True):
            while start < stop:
                if not first <= start < last:
                    number = bisect_right(self._ends, start)
                    first, last, those = self._open.get(number) or self._inflate(number)
                found.append(those[WIDTH * (start - first) : WIDTH * (stop - first)])
                start = last
        return found

    def _inflate(self, number: int) -> tuple[int, int, bytes]:
        first, last = self._ends[number - 1] if number else 0, self._ends[number]
        blob = bisect_right(self._after, number)
        chunk = self._packed[blob].chunk(number - self._after[blob - 1] if blob else number)
        opened = self._open[number] = (first, last, gaps(chunk, last - first))
        self._held += 300 + len(opened[2])
        return opened


Located = Callable[[list[Entry]], list[Places]]


def read(asked: Sequence[Asked], located: Located) -> list[Ints]:
    """Of each word that is asked for on some pages (rising), every spot it has there, rising.

    All words are worked out together: most of the time would go into getting started for each.
    """
    wanted: list[tuple[int, Entry, Ints]] = []  # a word, by number; one of its terms; which of its postings
    for number, (where, pages) in enumerate(asked):
        found = ((entry, entry.among(pages)[1]) for entry in where.entries)
        wanted += [(number, entry, postings) for entry, postings in found if len(postings)]
    if not wanted:
        return [np.empty(0, dtype=np.int64) for _ in asked]
    runs = np.zeros((sum(len(postings) for *_, postings in wanted), len(FIELDS)), dtype=np.int64)
    distances: list[bytes] = []
    ends = [0] * (len(asked) + 1)  # of the rows of each word
    low = 0
    for (number, entry, postings), places in zip(wanted, located([entry for _, entry, _ in wanted]), strict=True):
        high = low + len(postings)
        for name, counts in entry.columns():
            runs[low:high, FIELD_NUMBER[name]] = counts[postings]
        distances += places.distances(*_stretches(entry, postings))
        ends[number + 1] = low = high
    docs = np.concatenate([entry.docs[postings] for _, entry, postings in wanted], dtype=np.int64)
    cells = (docs[:, None] << FIELD_BITS | np.arange(len(FIELDS))).ravel()
    reach = np.frombuffer(b"".join(distances), "<u4").astype(np.int64)
    np.cumsum(reach, out=reach)
    flat = runs.ravel()
    stops = np.cumsum(flat)
    starts = stops - flat
    before = reach[starts - 1]  # what the earlier cells have added up to
    before[starts == 0] = 0
    reach += np.repeat((cells << PLACE_BITS) - before, flat)
    last = [int(stops[len(FIELDS) * end - 1]) if end else 0 for end in accumulate(ends, max)]
    return [_rising(reach[low:high], where) for (where, _), (low, high) in zip(asked, pairwise(last), strict=True)]


def _stretches(entry: Entry, postings: Ints) -> tuple[list[int], list[int]]:
    """From which distance on the places of some pages are kept, and up to which; those of pages that follow on are one
    stretch, if that is worth finding out.
    """
    begin, end = entry.stretches(postings)
    if len(postings) > FEW:
        apart = begin[1:] != end[:-1]
        begin, end = begin[np.append(True, apart)], end[np.append(apart, True)]
    return begin.tolist(), end.tolist()


def _rising(spots: Ints, where: Occurrences) -> Ints:
    """The spots of a word in the field that was asked for. Those of each term rise already: they are to be merged."""
    if len(where.entries) > 1:
        spots.sort(kind="stable")
    return spots[spot_field(spots) == FIELD_NUMBER[where.field]] if where.field else spots
