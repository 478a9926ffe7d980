"""Likeness in the file: which pages may be near-identical to which, found by an index and not by comparing all."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from minisearch.store.file import File

SHIFTS = (0, 16, 32, 48)  # where the quarters of a fingerprint begin
AT_A_TIME = 500  # fingerprints looked up with one statement


class LikenessStore:
    """Reads and writes of what makes pages alike."""

    def __init__(self, file: File) -> None:
        self._conn = file.db.conn

    def maybe_near(self, faces: Sequence[tuple[int, int]]) -> dict[int, int]:
        """page -> its fingerprint, for every page that may be near-identical to one of (subject, fingerprint).

        It has the same subject, and a quarter of the bits in common.
        """
        found: dict[int, int] = {}
        for start in range(0, len(faces), AT_A_TIME):
            some = faces[start : start + AT_A_TIME]
            marks = ", ".join("?" * len(some))
            quarters = [
                f"SELECT id, simhash FROM pages WHERE (subject << 16) | (simhash >> {shift} & 65535) IN ({marks})"
                for shift in SHIFTS
            ]
            keys = [(subject << 16) | (simhash >> shift & 65535) for shift in SHIFTS for subject, simhash in some]
            found.update(self._conn.execute(" UNION ALL ".join(quarters), keys))
        return found

    def near_copies(self, numbers: Iterable[int]) -> list[tuple[int, str]]:
        """(page, url) for every url that was merged into one of these pages though it says not quite the same."""
        wanted = ", ".join(str(int(number)) for number in numbers)
        return self._conn.execute(
            "SELECT merged_into, urls.url FROM pages JOIN urls ON urls.id = pages.url "
            f"WHERE merged_into IN ({wanted}) AND urls.rule = 'near-identical' ORDER BY urls.url"
        ).fetchall()

    def unknown(self, limit: int) -> list[tuple[int, str, str, str, list[str]]]:
        """(id, url, title, text, anchors of its links) of some pages that an older minisearch has fetched."""
        rows = self._conn.execute(
            "SELECT pages.id, urls.url, title, text, "
            "(SELECT json_group_array(anchor) FROM links WHERE links.page = pages.id) "
            "FROM pages JOIN urls ON urls.id = pages.url JOIN contents ON contents.page = pages.id "
            "WHERE words IS NULL ORDER BY pages.id LIMIT ?",
            (limit,),
        )
        return [(*row[:4], json.loads(row[4])) for row in rows]

    def learn(self, number: int, simhash: int, words: int, subject: int, outline: str) -> None:
        """Note the likeness of a page (inside a transaction)."""
        self._conn.execute(
            "UPDATE pages SET simhash = ?, words = ?, subject = ?, outline = ? WHERE id = ?",
            (signed(simhash), words, subject, outline, number),
        )


def signed(simhash: int) -> int | None:
    """64 bits as SQLite keeps them, which has no numbers without a sign; nothing for a page that says nothing."""
    return (simhash - (1 << 64) if simhash >> 63 else simhash) or None
