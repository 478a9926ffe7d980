"""Places: the distances between the places of a term, of which a query needs those on a few pages only."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import careful
from minisearch.packing import DEFLATED, chunks, inflated

Ints = NDArray[np.int64]


class Places:
    """The distances in the `positions` blobs of a term, blob after blob. A chunk is inflated when first asked for."""

    def __init__(self, blobs: Iterable[tuple[bytes, int]]) -> None:
        packed = [chunk for blob, distances in blobs for chunk in chunks(blob, distances)]
        self._packed = [chunk for chunk, _ in packed]
        self._ends = list(accumulate(size for _, size in packed))
        self._open: dict[int, tuple[int, int, int, bytes]] = {}  # first distance, how many, planes, and the planes
        self._planes = max((chunk[0] & ~DEFLATED for chunk in self._packed if chunk), default=1)

    def memory(self) -> int:
        """How much memory it takes to keep this, if all of it is looked at."""
        return 1000 + sum(map(len, self._packed)) + self._planes * self._ends[-1]

    @careful
    def distances(self, starts: list[int], counts: list[int]) -> Ints:
        """Those of some pages: of each, how many distances come before its own, and how many it has."""
        # Slicing bytes page by page takes less time than getting numpy to do it for all at once.
        pieces: list[list[bytes]] = [[] for _ in range(self._planes)]
        lowest, higher = pieces[0], pieces[1:]
        ends, known = self._ends, self._open
        for start, count in zip(starts, counts, strict=True):
            number = bisect_right(ends, start)
            first, size, planes, raw = known.get(number) or self._inflate(number)
            at = start - first
            lowest.append(raw[at : at + count])
            for plane, piece in enumerate(higher, 1):
                piece.append(raw[plane * size + at : plane * size + at + count] if plane < planes else bytes(count))
        found: Ints = np.frombuffer(b"".join(lowest), np.uint8).astype(np.int64)
        for plane, piece in enumerate(higher, 1):
            found |= np.frombuffer(b"".join(piece), np.uint8).astype(np.int64) << (8 * plane)
        return found

    def _inflate(self, number: int) -> tuple[int, int, int, bytes]:
        first = self._ends[number - 1] if number else 0
        size = self._ends[number] - first
        opened = self._open[number] = (first, size, *inflated(self._packed[number], size))
        return opened
