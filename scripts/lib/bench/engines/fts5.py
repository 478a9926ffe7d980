"""SQLite FTS5: Porter stemmer, titles with five times the weight of bodies, contentless table."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from bench.engines import Document, words


class Index:
    """One virtual table."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def build(self, documents: list[Document]) -> float:
        """Index the documents in one transaction."""
        began = time.perf_counter()
        self.open()
        with self._file:
            self._file.execute(
                "CREATE VIRTUAL TABLE pages USING fts5(title, body, content='', tokenize='porter unicode61')"
            )
            self._file.execute("INSERT INTO pages (pages, rank) VALUES ('rank', 'bm25(5.0, 1.0)')")
            self._file.executemany(
                "INSERT INTO pages (rowid, title, body) VALUES (?, ?, ?)",
                ((document.id, document.title, document.text) for document in documents),
            )
        self._file.close()
        return time.perf_counter() - began

    def open(self) -> None:
        """Open the file."""
        self._file = sqlite3.connect(self._folder / "fts5.db")

    def any_word(self, query: str, limit: int) -> list[int]:
        """Join the words with OR."""
        return self._ask(" OR ".join(f'"{word}"' for word in words(query)), limit)

    def all_words(self, query: str, limit: int) -> list[int]:
        """Put the words side by side."""
        return self._ask(" ".join(f'"{word}"' for word in words(query)), limit)

    def _ask(self, match: str, limit: int) -> list[int]:
        if not match:
            return []
        rows = self._file.execute(
            "SELECT rowid FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT ?", (match, limit)
        )  # by rank: faster than bm25(), according to its documentation
        return [number for (number,) in rows]
