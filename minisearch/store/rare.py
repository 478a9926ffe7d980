"""Rare terms in the file: some dozens share a row, which is found by the first of them."""

from __future__ import annotations

import sqlite3
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np

from minisearch.errors import careful
from minisearch.packing import Block, Row, apart, picked

SEGMENTS = 100  # that are asked by one statement
LAST = "\U0010ffff"  # comes after all letters: what begins with a prefix is less than the prefix with it


@lru_cache(maxsize=100)
def _finding(segments: tuple[int, ...]) -> str:
    """The statement that finds a term in some segments; most blocks that do not have it need not be looked at."""
    return " UNION ALL ".join(
        "SELECT segment, terms, counts, packed FROM rare WHERE id = (SELECT id FROM rare "
        f"WHERE segment = {segment:d} AND first <= ?1 ORDER BY first DESC LIMIT 1) AND instr(terms, ?1)"
        for segment in segments
    )


class Rare:
    """Reads and writes of `rare`."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn
        self.taken = 0  # terms of the segment that was written last

    def taken_out(self, segment: int, rows: Iterable[Row | Block]) -> Iterator[Row]:
        """The rows of a segment that are no blocks. Blocks are written."""
        self.taken = 0
        for row in rows:
            if isinstance(row, Block):
                self.taken += row.counts.count(",") + 1
                self._conn.execute(
                    "INSERT INTO rare (segment, first, terms, counts, packed) VALUES (?, ?, ?, ?, ?)",
                    (segment, row.terms.partition("\n")[0], *row),
                )
            else:
                yield row

    def rows(self, segment: int) -> Iterator[Row]:
        """All rows of a segment, in the order of their terms."""
        blocks = self._conn.execute(
            "SELECT terms, counts, packed FROM rare WHERE segment = ? ORDER BY first", (segment,)
        )
        return (row for block in blocks for row in apart(Block(*block)))

    def find(self, segments: Iterable[int], term: str) -> list[tuple[int, Row]]:
        """A term in each of the segments that have it among their rare ones."""
        asked = tuple(segments)
        found = []
        for start in range(0, len(asked), SEGMENTS):
            for segment, *block in self._conn.execute(_finding(asked[start : start + SEGMENTS]), (term,)):
                if (row := picked(Block(*block), term)) is not None:
                    found.append((segment, row))
        return found

    @careful
    def beginning(self, segment: int, prefix: str, shortest: int, longest: int) -> list[tuple[str, int]]:
        """(term, df) of all that begin with `prefix` and have so many letters."""
        terms, counts, low, high = self._lines(segment, prefix)
        found = zip(terms[low:high], counts[low:high], strict=True)
        return [(term, int(df)) for term, df in found if shortest <= len(term) <= longest]

    def _lines(self, segment: int, prefix: str) -> tuple[list[str], list[str], int, int]:
        """Terms and the df of each, with those that begin with `prefix` among them, from one place to another."""
        blocks = self._blocks(segment, prefix)
        if not blocks:
            return [], [], 0, 0
        terms = "\n".join(terms for terms, _ in blocks).split("\n")
        counts = ",".join(counts for _, counts in blocks).split(",")
        if len(terms) != len(counts):
            raise ValueError("too short or too long")
        return terms, counts, bisect_left(terms, prefix), bisect_left(terms, prefix + LAST)

    def _blocks(self, segment: int, prefix: str) -> list[tuple[str, str]]:
        return self._conn.execute(
            "SELECT terms, counts FROM rare WHERE segment = ?1 AND first < ?2 AND first >= "
            "coalesce((SELECT max(first) FROM rare WHERE segment = ?1 AND first <= ?3), '') ORDER BY first",
            (segment, prefix + LAST, prefix),
        ).fetchall()

    @careful
    def most_frequent(self, segment: int, prefix: str, limit: int) -> list[tuple[str, int]]:
        """(term, df) of the most frequent ones that begin with `prefix`."""
        terms, counts, low, high = self._lines(segment, prefix)
        first = np.argsort(-np.array(counts[low:high], dtype=np.int64), kind="stable")[:limit] + low
        return [(terms[place], int(counts[place])) for place in first.tolist()]

    def drop(self, segment: int) -> None:
        """Forget the rare terms of a segment."""
        self._conn.execute("DELETE FROM rare WHERE segment = ?", (segment,))
