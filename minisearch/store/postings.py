"""The inverted index in the file: segments, their terms and blocks of postings, and the word list.

Blocks are bytes here; index/codec.py knows what is in them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from minisearch.errors import Damaged
from minisearch.store.base import TableStore, json_list

LAST = "\U0010ffff"  # comes after all letters: what begins with a prefix is less than the prefix with it


class StoredSegment(NamedTuple):
    """A segment without its postings; page ids, lengths and languages of its documents are encoded columns."""

    id: int
    kind: str
    size: int
    languages: tuple[str, ...]
    pages: bytes
    lengths: bytes
    language: bytes
    live: list[int] | None  # ids of the pages that still belong to it; None: all of them


class StoredPostings(NamedTuple):
    """The postings of a term in a segment, at a place in a block."""

    term: str
    segment_id: int
    df: int
    block_id: int
    place: int
    docs: bytes


class PostingStore(TableStore):
    """Reads and writes of `segments`, `terms`, `blocks` and `words`."""

    # -- writing, inside a transaction ---------------------------------------------------------

    def add(
        self,
        kind: str,
        page_ids: Sequence[int],
        languages: Sequence[str],
        columns: tuple[bytes, bytes, bytes],
        terms: Sequence[tuple[str, int, int, int]],
        blocks: Sequence[tuple[bytes, bytes]],
        words: Iterable[tuple[str, int, str]],
    ) -> int:
        """Write a segment, and make its pages belong to it. Blocks are named by their place among `blocks`."""
        cursor = self._conn.execute(
            "INSERT INTO segments (kind, size, terms, languages, pages, lengths, language) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (kind, len(page_ids), len(terms), json.dumps(languages), *columns),
        )
        segment = int(cursor.lastrowid or 0)
        base = self._value("SELECT coalesce(max(id), 0) + 1 FROM blocks")
        self._conn.executemany(
            f"INSERT INTO blocks (segment_id, id, docs, positions) VALUES ({segment}, ?, ?, ?)",
            ((base + number, *block) for number, block in enumerate(blocks)),
        )
        self._conn.executemany(
            f"INSERT INTO terms (segment_id, term, df, block_id, place) VALUES ({segment}, ?, ?, {base} + ?, ?)", terms
        )
        self._conn.executemany(
            f"INSERT INTO words (segment_id, word, count, spelling) VALUES ({segment}, ?, ?, ?)", words
        )
        if kind == "page":
            self._conn.execute(
                "UPDATE pages SET segment_id = ? WHERE id IN (SELECT value FROM json_each(?))",
                (segment, json_list(page_ids)),
            )
        return segment

    def drop(self, segments: Iterable[int]) -> None:
        """Delete segments."""
        for segment in segments:
            for table in ("terms", "blocks", "words"):
                self._conn.execute(f"DELETE FROM {table} WHERE segment_id = ?", (segment,))
            self._conn.execute("DELETE FROM segments WHERE id = ?", (segment,))

    # -- reading -------------------------------------------------------------------------------

    def generation(self) -> tuple[int, ...]:
        """What identifies the state of the index and of the ranking: no two states have the same, in any file."""
        return (self._value("SELECT generation FROM index_state"),)

    def sizes(self) -> list[tuple[int, int, int]]:
        """(id, documents, documents that still belong to it) of each page segment, the oldest first."""
        return self._rows(
            "SELECT id, size, (SELECT count(*) FROM pages WHERE segment_id = segments.id) FROM segments "
            "WHERE kind = 'page' ORDER BY id"
        )

    def members(self, segments: Iterable[int]) -> list[int]:
        """The pages that belong to some segments."""
        query = "SELECT id FROM pages WHERE segment_id IN (SELECT value FROM json_each(?))"
        return self._column(query, (json_list(segments),))

    def segments(self) -> list[StoredSegment]:
        """All segments, the oldest first."""
        rows = self._rows("SELECT id, kind, size, languages, pages, lengths, language FROM segments ORDER BY id")
        live = {number: count for number, _, count in self.sizes()}
        found = []
        for number, kind, size, languages, pages, lengths, language in rows:
            members = self.members([number]) if kind == "page" and live[number] != size else None
            found.append(StoredSegment(number, kind, size, _names(languages), pages, lengths, language, members))
        return found

    def postings(self, segments: Iterable[int], terms: Iterable[str]) -> list[StoredPostings]:
        """The postings of some terms in some segments, the oldest segment first."""
        rows = self._rows(
            "SELECT term, terms.segment_id, df, block_id, place, docs "
            "FROM terms LEFT JOIN blocks ON blocks.id = block_id "
            "WHERE terms.segment_id IN (SELECT value FROM json_each(?)) "
            "AND term IN (SELECT value FROM json_each(?)) ORDER BY terms.segment_id",
            (json_list(segments), json_list(terms)),
        )
        return [StoredPostings(*row) for row in rows]

    def positions(self, blocks: Iterable[tuple[int, int]]) -> dict[tuple[int, int], bytes]:
        """The positions of some blocks, each named by its segment and its own id."""
        query = "SELECT positions FROM blocks WHERE id = ?"
        return {(segment, block): self._value(query, (block,)) for segment, block in blocks}

    def terms_with_prefix(self, prefix: str, limit: int) -> list[tuple[str, int]]:
        """(term, df) of the most frequent terms that begin so. Page and anchor segments are counted together."""
        return self._rows(
            "SELECT term, sum(df) FROM segments CROSS JOIN terms ON segment_id = segments.id "
            "WHERE term >= ? AND term < ? GROUP BY term ORDER BY sum(df) DESC, term LIMIT ?",
            (prefix, prefix + LAST, limit),
        )

    def words_with_prefix(self, prefix: str, limit: int) -> list[tuple[str, int]]:
        """(word, occurrences) of the most frequent words that begin so."""
        return self._rows(
            "SELECT word, sum(count) FROM segments CROSS JOIN words ON segment_id = segments.id "
            "WHERE word >= ? AND word < ? GROUP BY word ORDER BY sum(count) DESC, word LIMIT ?",
            (prefix, prefix + LAST, limit),
        )

    def words_of_length(self, prefix: str, shortest: int, longest: int) -> list[tuple[str, int]]:
        """(word, occurrences) of all words of some length that begin so."""
        return self._rows(
            "SELECT word, sum(count) FROM segments CROSS JOIN words ON segment_id = segments.id "
            "WHERE word >= ? AND word < ? AND length(word) BETWEEN ? AND ? GROUP BY word",
            (prefix, prefix + LAST, shortest, longest),
        )

    def spellings(self, words: Iterable[str]) -> dict[str, str]:
        """The usual spelling of some words; those that are spelled as they are listed are left out."""
        rows = self._rows(
            "SELECT word, spelling FROM segments CROSS JOIN words ON segment_id = segments.id "
            "WHERE word IN (SELECT value FROM json_each(?)) AND spelling <> '' ORDER BY count",
            (json_list(words),),
        )
        return dict(rows)

    def is_empty(self) -> bool:
        """Whether nothing was ever indexed."""
        return self._value("SELECT 1 FROM segments LIMIT 1") is None

    def count_terms(self) -> int:
        """How many different terms the pages have."""
        return int(self._value("SELECT count(*) FROM vocabulary"))


def _names(languages: str) -> tuple[str, ...]:
    """The languages of a segment, from JSON."""
    try:
        return tuple(map(str, json.loads(languages)))
    except (TypeError, ValueError) as error:
        raise Damaged from error
