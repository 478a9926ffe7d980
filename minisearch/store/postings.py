"""The inverted index in the file: segments and their rows."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import Damaged
from minisearch.packing import ANCHOR_FIELDS, PAGE_FIELDS, Block, Counts, Row, contained
from minisearch.store import blobs, columns
from minisearch.store.file import File
from minisearch.store.places import Places
from minisearch.store.rare import LAST, Rare

FREQUENT = 8  # pages that a term must have to be in the small index postings_frequent
LONG = 4  # letters that few enough terms begin with

Ints = NDArray[np.int64]
Stored = tuple[int, int, bytes, bytes | int]  # segment, df, docs, positions
FIRST = itemgetter(0)


@dataclass(frozen=True, slots=True)
class SegmentFacts:
    """A stored segment without its rows. `live` is None when all of its pages still belong to it."""

    id: int
    kind: str
    pages: Counts
    lengths: list[Counts]  # field by field, the words of each page
    languages: tuple[str, ...]
    spoken: Counts  # the language of each page, as a place in `languages`
    live: NDArray[np.bool_] | None

    def mask(self) -> NDArray[np.bool_]:
        """Which pages still belong to the segment."""
        return np.ones(len(self.pages), dtype=bool) if self.live is None else self.live


class PostingStore:
    """Reads and writes of `segments` and `postings`."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._conn = file.db.conn
        self._places = Places(self._conn)
        self._rare = Rare(self._conn)

    def add(
        self,
        kind: str,
        pages: Ints,
        lengths: Ints,
        languages: tuple[str, ...],
        spoken: Ints,
        rows: Iterable[Row | Block],
    ) -> int:
        """Write a segment and make its pages belong to it. Call it inside a transaction."""
        packed = (columns.packed(columns.steps(pages)), columns.packed(*lengths), columns.packed(spoken))
        cursor = self._conn.execute(
            "INSERT INTO segments (kind, size, terms, languages, pages, lengths, spoken) VALUES (?, ?, 0, ?, ?, ?, ?)",
            (kind, len(pages), json.dumps(languages), *packed),
        )
        segment = int(cursor.lastrowid or 0)
        if kind == "page":  # first, for those who make the rows may not be done yet
            self._conn.execute(
                "UPDATE pages SET segment = ? WHERE id IN (SELECT value FROM json_each(?))",
                (segment, json.dumps(pages.tolist())),
            )
        inserted = self._conn.executemany(
            f"INSERT INTO postings (segment, term, df, docs, positions, word) VALUES ({segment}, ?, ?, ?, ?, ?)",
            self._places.shortened(segment, self._rare.taken_out(segment, rows)),
        )
        terms = max(inserted.rowcount, 0) + self._rare.taken
        self._conn.execute("UPDATE segments SET terms = ? WHERE id = ?", (terms, segment))
        return segment

    def forget(self) -> None:
        """Let all pages wait to be indexed again. Call it inside a transaction."""
        for table in ("postings", "rare", "places", "segments"):
            self._conn.execute(f"DELETE FROM {table}")
        self._conn.execute("UPDATE pages SET segment = NULL WHERE segment IS NOT NULL")

    def drop(self, segments: list[int]) -> None:
        """Forget segments whose pages belong elsewhere by now. Call it inside a transaction."""
        for segment in segments:
            self._conn.execute("DELETE FROM postings WHERE segment = ?", (segment,))
            self._rare.drop(segment)
            self._places.drop(segment)
            self._conn.execute("DELETE FROM segments WHERE id = ?", (segment,))

    def segments(self, kind: str) -> list[SegmentFacts]:
        """All segments of a kind, oldest first."""
        try:
            return self._segments(kind)
        except (ValueError, TypeError, IndexError) as error:  # lists that do not belong together
            raise Damaged from error

    def _segments(self, kind: str) -> list[SegmentFacts]:
        rows = self._conn.execute(
            "SELECT id, size, languages FROM segments WHERE kind = ? ORDER BY id", (kind,)
        ).fetchall()
        found, whole = [], kind != "page" or self._held() == sum(size for _, size, _ in rows)
        fields = len(PAGE_FIELDS if kind == "page" else ANCHOR_FIELDS)
        for segment, size, languages in rows:
            packed = [blobs.read(self._conn, "segments", name, segment) for name in ("pages", "lengths", "spoken")]
            pages = columns.rising(packed[0], size)
            lengths = columns.unpacked(packed[1], size, fields)
            (spoken,) = columns.unpacked(packed[2], size, 1)
            live = None if whole else self._live(segment, pages)
            found.append(SegmentFacts(segment, kind, pages, lengths, tuple(json.loads(languages)), spoken, live))
        return found

    def _held(self) -> int:
        """How many pages belong to a segment: if as many as all segments have, then no page has left its own. SQLite
        knows how many pages there are, and has to count those only that wait or are left out.
        """
        (count,) = self._conn.execute(
            "SELECT (SELECT count(*) FROM pages) - (SELECT count(*) FROM pages WHERE segment IS NULL)"
        ).fetchone()
        return int(count)

    def _live(self, segment: int, pages: Counts) -> NDArray[np.bool_] | None:
        (count,) = self._conn.execute("SELECT count(*) FROM pages WHERE segment = ?", (segment,)).fetchone()
        if count == len(pages):
            return None
        belonging = [row[0] for row in self._conn.execute("SELECT id FROM pages WHERE segment = ?", (segment,))]
        return contained(pages, np.array(belonging, dtype=np.int64))

    def rows(self, segment: int) -> Iterator[Row]:
        """The rows of a segment in the order of its terms."""
        rows = self._conn.execute(
            "SELECT term, df, docs, positions, word FROM postings WHERE segment = ? ORDER BY term", (segment,)
        )
        own = (Row(term, df, docs, self._places.whole(positions), word) for term, df, docs, positions, word in rows)
        return heapq.merge(own, self._rare.rows(segment))

    def known(self, segments: tuple[int, ...], terms: list[str]) -> set[str]:
        """Those of some terms that one of the segments has."""
        marks, asked = (", ".join("?" * len(values)) for values in (segments, terms))
        rows = self._conn.execute(
            f"SELECT term FROM postings WHERE segment IN ({marks}) AND term IN ({asked})", (*segments, *terms)
        )
        found = {term for (term,) in rows}
        return found | {term for term in terms if term not in found and self._rare.find(segments, term)}

    def words(self, segment: int, prefix: str, shortest: int, longest: int) -> list[tuple[str, int]]:
        """(term, df) of all that begin with `prefix` and have so many letters."""
        rows = self._conn.execute(
            "SELECT term, df FROM postings WHERE segment = ? AND term >= ? AND term < ? "
            "AND length(term) BETWEEN ? AND ?",  # making strings of all of them would take longest
            (segment, prefix, prefix + LAST, shortest, longest),
        )
        return rows.fetchall() + self._rare.beginning(segment, prefix, shortest, longest)

    def written(self, segments: tuple[int, ...], terms: list[str]) -> dict[str, str]:
        """How some words are written; those that are written just so are left out."""
        marks, asked = (", ".join("?" * len(values)) for values in (segments, terms))
        rows = self._conn.execute(
            f"SELECT df, term, word FROM postings WHERE segment IN ({marks}) AND term IN ({asked})",
            (*segments, *terms),
        ).fetchall()
        rows += [(row.df, row.term, row.word) for term in terms for _, row in self._rare.find(segments, term)]
        return {term: word for _, term, word in sorted(rows) if word}

    def docs(self, segments: tuple[int, ...], terms: Sequence[str]) -> dict[str, list[Stored]]:
        """Of each of some terms (segment, df, docs, positions) for each of the segments that have it, the oldest first.
        Long ones have a number in their place.
        """
        marks, asked = (", ".join("?" * len(values)) for values in (segments, terms))
        rows = self._conn.execute(
            f"SELECT term, segment, df, docs, positions FROM postings WHERE segment IN ({marks}) AND term IN ({asked})",
            (*segments, *terms),
        )
        found: dict[str, list[Stored]] = {term: [] for term in terms}
        for term, segment, df, docs, positions in rows:
            found[term].append((segment, df, docs, positions))
        for term, having in found.items():
            if len(having) < len(segments):
                others = set(segments).difference(row[0] for row in having)
                rare = self._rare.find(others, term)
                having += [(segment, row.df, row.docs, row.positions) for segment, row in rare]
            having.sort(key=FIRST)
        return found

    def positions(self, wanted: Iterable[tuple[int, int]]) -> dict[tuple[int, int], bytes]:
        """The long positions of terms, by their segment and the number that stands for them."""
        return {(segment, number): self._places.whole(number) for segment, number in wanted}

    def beginning(self, segment: int, prefix: str, limit: int) -> list[tuple[str, int]]:
        """(term, df) of the most frequent terms that begin with `prefix`."""
        bounds = (segment, prefix, prefix + LAST, limit)
        for asked in ([f"df >= {FREQUENT} AND"] if len(prefix) < LONG else []) + [""]:  # few terms are frequent
            found = self._conn.execute(
                f"SELECT term, df FROM postings WHERE {asked} segment = ? AND term >= ? AND term < ? "
                "ORDER BY df DESC, term LIMIT ?",
                bounds,
            ).fetchall()
            if len(found) == limit and found[-1][1] >= FREQUENT:  # which no rare term is
                return found
        found += self._rare.most_frequent(segment, prefix, limit)
        return sorted(found, key=lambda row: (-row[1], row[0]))[:limit]

    def is_empty(self) -> bool:
        """Whether nothing was ever indexed."""
        return self._conn.execute("SELECT 1 FROM segments LIMIT 1").fetchone() is None

    def count_terms(self) -> int:
        """How many different terms the pages have."""
        (count,) = self._conn.execute("SELECT count(*) FROM index_terms").fetchone()
        return int(count)
