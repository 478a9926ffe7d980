"""Places: where a term stands, of which a query needs what is on a few pages only."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain, pairwise

import numpy as np

from minisearch.errors import careful
from minisearch.packing import Chunks, Counts, chunks, gaps
from minisearch.search.arrays import Ints, Numbers
from minisearch.search.entries import Entry
from minisearch.search.occurrences import Occurrences
from minisearch.search.recipe import FIELD_NUMBER, FIELDS
from minisearch.search.spots import FIELD_BITS, PLACE_BITS, spot_field

WIDTH = 4  # bytes of a distance
FEW = 64  # pages whose places are fetched one by one

Asked = tuple[Occurrences, Ints]
Told = tuple[Numbers, Ints, list[tuple[int, Counts]]]  # of a term: pages, which of its postings, counts by field


class Places:
    """The distances in the `positions` blobs of a term, blob after blob. A chunk is inflated when first asked for."""

    def __init__(self, blobs: Sequence[bytes]) -> None:
        self._blobs = blobs
        self._cut: tuple[list[Chunks], list[int], list[int]] | None = None  # of the blobs, when Python asks
        self._open: dict[int, bytes] = {}  # the chunks that were asked for, four bytes for each distance
        self._held = 1000 + sum(map(len, blobs))

    def memory(self) -> int:
        """How much memory it takes to keep this, with what was looked at."""
        return self._held

    def of(self, entry: Entry, postings: Ints) -> list[bytes]:
        """The distances of some postings (rising) of the term."""
        return self.distances(entry.sizes, *_stretches(entry, postings))

    def distances(self, sizes: Iterable[int], starts: list[int], stops: list[int]) -> list[bytes]:
        """Those of some stretches: of each, from which distance on, and up to which. `sizes` tells how many each blob
        has.
        """
        if self._cut is None:
            packed = [chunks(blob, size) for blob, size in zip(self._blobs, sizes, strict=True)]
            after = list(accumulate(len(some.sizes) for some in packed))  # chunks up to the end of each blob
            self._cut = packed, after, list(accumulate(chain.from_iterable(some.sizes for some in packed)))
            self._held += 100 * len(self._cut[2])
        # Slicing bytes stretch by stretch takes less time than getting numpy to do it for all at once.
        ends = self._cut[2]
        found, first, last, those = [], 0, 0, b""
        for start, stop in zip(starts, stops, strict=True):
            while start < stop:
                if not first <= start < last:
                    number = bisect_right(ends, start)
                    first, last = ends[number - 1] if number else 0, ends[number]
                    those = self._open.get(number) or self._inflate(number, last - first)
                found.append(those[WIDTH * (start - first) : WIDTH * (stop - first)])
                start = last
        return found

    def _inflate(self, number: int, size: int) -> bytes:
        assert self._cut is not None
        packed, after, _ = self._cut
        blob = bisect_right(after, number)
        chunk = packed[blob].chunk(number - after[blob - 1] if blob else number)
        opened = self._open[number] = gaps(chunk, size)
        self._held += 300 + len(opened)
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
    distances: list[bytes] = []
    for (_, entry, postings), places in zip(wanted, located([entry for _, entry, _ in wanted]), strict=True):
        distances += places.of(entry, postings)
    told = [
        (entry.docs, postings, [(FIELD_NUMBER[name], counts) for name, counts in entry.columns()])
        for _, entry, postings in wanted
    ]
    spots, ends = _spots(told, distances)
    last = [0] * (len(asked) + 1)  # of the spots of each word
    for (number, _, _), end in zip(wanted, ends, strict=True):
        last[number + 1] = end
    cuts = pairwise(accumulate(last, max))
    return [_rising(spots[low:high], where) for (where, _), (low, high) in zip(asked, cuts, strict=True)]


@careful
def _spots(wanted: list[Told], distances: list[bytes]) -> tuple[Ints, list[int]]:
    """The spots of some terms, and how many there are up to the last of each."""
    rows = [len(postings) for _, postings, _ in wanted]
    runs = np.zeros((sum(rows), len(FIELDS)), dtype=np.int64)
    low = 0
    for _, postings, columns in wanted:
        high = low + len(postings)
        for field, counts in columns:
            runs[low:high, field] = counts[postings]
        low = high
    docs = np.concatenate([docs[postings] for docs, postings, _ in wanted], dtype=np.int64)
    cells = (docs[:, None] << FIELD_BITS | np.arange(len(FIELDS))).ravel()
    reach = np.frombuffer(b"".join(distances), "<u4").astype(np.int64)
    np.cumsum(reach, out=reach)
    flat = runs.ravel()
    stops = np.cumsum(flat)
    starts = stops - flat
    before = reach[starts - 1]  # what the earlier cells have added up to
    before[starts == 0] = 0
    reach += np.repeat((cells << PLACE_BITS) - before, flat)
    return reach, [int(stops[len(FIELDS) * end - 1]) for end in accumulate(rows)]


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
        spots = np.sort(spots, kind="stable")
    return spots[spot_field(spots) == FIELD_NUMBER[where.field]] if where.field else spots
