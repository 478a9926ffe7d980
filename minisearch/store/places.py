"""Long positions in the file, several in one blob: SQLite gives a long value whole pages of its own, and most of the
last one would stay empty.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from minisearch.packing import Row
from minisearch.store import blobs

LONG = 600  # bytes from which on positions are kept here
FULL = 60_000  # bytes of a blob that takes no more
OFFSET_BITS = 17


class Places:
    """Reads and writes of `places`. What is kept here is known by a number: the row, and where in it."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn

    def shortened(self, segment: int, rows: Iterator[Row]) -> Iterator[tuple[str, int, bytes, bytes | int, str]]:
        """The rows of a segment, those with long positions with a number in their place."""
        (number,) = self._conn.execute("SELECT coalesce(max(id), 0) + 1 FROM places").fetchone()
        blob = bytearray()
        for term, df, docs, positions, word in rows:
            if len(positions) < LONG:
                yield term, df, docs, positions, word
                continue
            yield term, df, docs, number << OFFSET_BITS | len(blob), word
            blob += len(positions).to_bytes(4, "little") + positions
            if len(blob) >= FULL:
                self._write(number, segment, blob)
                number, blob = number + 1, bytearray()
        if blob:
            self._write(number, segment, blob)

    def _write(self, number: int, segment: int, blob: bytearray) -> None:
        self._conn.execute("INSERT INTO places (id, segment, bytes) VALUES (?, ?, ?)", (number, segment, bytes(blob)))

    def whole(self, positions: bytes | int) -> bytes:
        """Positions as they were before they were shortened."""
        if isinstance(positions, bytes):
            return positions
        start = positions & (1 << OFFSET_BITS) - 1
        return blobs.counted(self._conn, "places", "bytes", positions >> OFFSET_BITS, start)

    def drop(self, segment: int) -> None:
        """Forget what belongs to a segment."""
        self._conn.execute("DELETE FROM places WHERE segment = ?", (segment,))
