"""Pages that wait to be indexed: all that a process that indexes for another has to know of the file.

It loads nothing that writing a file or looking after it takes, for it is started anew each time.
"""

from __future__ import annotations

import json
import sqlite3

TO_INDEX = "pages.segment IS NULL AND pages.merged_into IS NULL AND pages.noindex = ''"

Waiting = tuple[int, str, str, str, bytes, str]  # id, url, title, headings, text in UTF-8, language


class WaitingPages:
    """The waiting pages of a file. Whoever hands it over has opened the file, and knows that it is ours."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn

    def to_index(self, limit: int, after: int = 0, up_to: int = 1 << 62) -> list[Waiting]:
        """The next pages that wait to be indexed."""
        rows = self._conn.execute(
            f"SELECT pages.id, urls.url, title, headings, CAST(text AS BLOB), language FROM pages "
            f"JOIN urls ON urls.id = pages.url JOIN contents ON contents.page = pages.id "
            f"WHERE {TO_INDEX} AND pages.id > ? AND pages.id <= ? ORDER BY pages.id LIMIT ?",
            (after, up_to, limit),
        ).fetchall()
        headings = heading_lines([row[3] for row in rows])
        return [
            (number, url, title, lines, text, language)
            for (number, url, title, _, text, language), lines in zip(rows, headings, strict=True)
        ]


def heading_lines(kept: list[str]) -> list[str]:
    """The texts of the headings of pages, of each one a line.

    >>> heading_lines(['[[1, "Roses", 0, ""], [2, "Pruning", 9, "prune"]]', "[]"])
    ['Roses\\nPruning', '']
    """
    return list(map(_heading_lines, kept))


def _heading_lines(kept: str) -> str:
    return "\n".join([heading[1] for heading in json.loads(kept)])


def opened(path: str) -> WaitingPages:
    """Those of a file that another process of ours keeps open."""
    return WaitingPages(sqlite3.connect(path))
