"""minisearch: an unindexed file, then `index` and `rank`."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from bench.engines import words
from minisearch import Engine
from minisearch.search.searcher import Searcher


class Index:
    """One SQLite file."""

    def __init__(self, folder: Path) -> None:
        self._database = folder / "minisearch.db"

    def build_from(self, source: Path) -> dict[str, Any]:
        """Index and rank the pages of an unindexed file; returns the seconds of each and the bytes of the index."""
        shutil.copy(source, self._database)
        with self._database.open("rb") as copy:
            os.fsync(copy.fileno())  # or the first commit would have to wait for it
        before = used_bytes(self._database)
        seconds = {"index": self._timed(Engine.index)}
        added = used_bytes(self._database) - before
        seconds["rank"] = self._timed(Engine.rank)
        return {"seconds": seconds, "bytes": added}

    def _timed(self, stage: Callable[[Engine], object]) -> float:
        began = time.perf_counter()
        with Engine(self._database, create=False) as engine:
            stage(engine)
        return time.perf_counter() - began

    def open(self) -> None:
        """Open the file."""
        self._engine = Engine(self._database, create=False)
        self._searcher = Searcher(self._engine.store)

    def any_word(self, query: str, limit: int) -> list[int]:
        """Search for the query as it is."""
        return self._ask(query, limit)

    def all_words(self, query: str, limit: int) -> list[int]:
        """Search with a plus before each word."""
        return self._ask(" ".join(f"+{word}" for word in words(query)), limit)

    def with_snippets(self, query: str, limit: int) -> list[int]:
        """Search for any word, with a snippet for each hit."""
        return self._ask(query, limit, snippets=True)

    def first_link(self, query: str) -> str:
        """The link of the first hit, which leads to the passage of its snippet."""
        hits = self._searcher.search(query, limit=10, snippets=True).hits
        return hits[0].link if hits else ""

    def _ask(self, query: str, limit: int, *, snippets: bool = False) -> list[int]:
        return [hit.page_id for hit in self._searcher.search(query, limit=limit, snippets=snippets).hits]


def used_bytes(database: Path) -> int:
    """Bytes of a file without its free pages."""
    with closing(sqlite3.connect(database)) as file:
        names = ("page_size", "page_count", "freelist_count")
        size, count, free = (file.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
    return int(size * (count - free))
