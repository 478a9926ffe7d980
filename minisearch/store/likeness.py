"""Likeness in the file: which pages may be near-identical to which, found by an index and not by comparing all."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from minisearch.store.file import File


class DuplicateCandidate(NamedTuple):
    """What decides whether a page is merged into another."""

    id: int
    url_id: int
    url: str
    host: str
    depth: int
    canonical: str
    content_hash: str
    simhash: int | None
    words: int
    outline: str
    noindex: int  # a truth value, as SQLite has them
    merged_into: int | None
    leads_to: int | None  # the page that its url stands for, as is known so far


class LikenessStore:
    """Reads and writes of what makes pages alike."""

    def __init__(self, file: File) -> None:
        self._conn = file.db.conn

    def fingerprints(self) -> list[tuple[int, int, int, int]]:
        """(page, subject, fingerprint, words) of every page in the index that has a fingerprint."""
        return self._conn.execute(
            "SELECT id, title_hash, simhash, own_word_count FROM pages WHERE segment_id IS NOT NULL "
            "AND simhash IS NOT NULL"
        ).fetchall()

    def group(self, groups: Mapping[int, int]) -> None:
        """Note which pages are near-identical, by the numbers of their groups (inside a transaction)."""
        known = dict(
            self._conn.execute(
                "SELECT id, near_duplicate_group FROM pages WHERE near_duplicate_group IS NOT NULL"
            ).fetchall()
        )
        changed = [(groups.get(page), page) for page in known.keys() | groups if known.get(page) != groups.get(page)]
        self._conn.executemany("UPDATE pages SET near_duplicate_group = ? WHERE id = ?", changed)

    def alike(self, groups: Iterable[int]) -> list[int]:
        """The pages that belong to some groups of near-identical ones."""
        wanted = ", ".join(str(int(group)) for group in groups)
        return [
            page for (page,) in self._conn.execute(f"SELECT id FROM pages WHERE near_duplicate_group IN ({wanted})")
        ]

    def standing(self) -> list[int]:
        """The pages that stand for others, which were merged into them."""
        rows = self._conn.execute("SELECT DISTINCT canonical_page_id FROM pages WHERE canonical_page_id IS NOT NULL")
        return [page for (page,) in rows]

    def near_copies(self, numbers: Iterable[int]) -> list[tuple[int, str]]:
        """(page, url) for every url that was merged into one of these pages though it says not quite the same."""
        return self._conn.execute(
            "SELECT canonical_page_id, urls.url FROM json_each(?) AS wanted "
            "JOIN pages ON canonical_page_id = wanted.value "
            "JOIN urls ON urls.id = pages.url_id WHERE urls.rule = 'near-identical' ORDER BY urls.url",
            (json.dumps([*numbers]),),
        ).fetchall()


def signed(simhash: int) -> int | None:
    """64 bits as SQLite keeps them, which has no numbers without a sign; nothing for a page that says nothing."""
    return (simhash - (1 << 64) if simhash >> 63 else simhash) or None
