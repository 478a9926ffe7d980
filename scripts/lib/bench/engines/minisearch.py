"""minisearch itself: the file as a crawl leaves it, then `index` and `rank`."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from bench.engines import words
from minisearch import Engine
from minisearch.search.searcher import Searcher

ENOUGH = 8  # queries to see by whether all words are asked for; explaining each hit takes its time


class Index:
    """One SQLite file."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._database = folder / "minisearch.db"

    def build(self, source: Path, limit: int | None) -> dict[str, float]:
        """Index and rank all pages of `source`, a file that was crawled and not indexed."""
        if limit is not None:
            raise NotImplementedError
        shutil.copy(source, self._database)
        put_on_disk(self._database)
        before = used(self._database)
        seconds = {"index": self._timed(Engine.index)}
        (self._folder / "size").write_text(str(used(self._database) - before), "utf-8")
        return {**seconds, "rank": self._timed(Engine.rank)}

    def _timed(self, stage: Callable[[Engine], object]) -> float:
        began = time.perf_counter()
        with Engine(self._database, create=False) as engine:
            stage(engine)
        return time.perf_counter() - began

    def size(self) -> int:
        """Bytes that indexing added to the file."""
        return int((self._folder / "size").read_text("utf-8"))

    def open(self) -> None:
        """Open the file."""
        self.engine = Engine(self._database, create=False)
        self._searcher = Searcher(self.engine.store)

    def any_word(self, query: str, limit: int) -> list[int]:
        """The query as it is."""
        return self._ask(query, limit)

    def all_words(self, query: str, limit: int) -> list[int]:
        """A plus before each word."""
        return self._ask(" ".join(f"+{word}" for word in words(query)), limit)

    def with_snippets(self, query: str, limit: int) -> list[int]:
        """Any word, and for each hit the passage that shows it."""
        return self._ask(query, limit, snippets=True)

    def first_link(self, query: str) -> str:
        """Where the first of ten hits links to: the URL of its passage."""
        hits = self._searcher.search(query, limit=10, snippets=True).hits
        return hits[0].link if hits else ""

    def _ask(self, query: str, limit: int, *, snippets: bool = False) -> list[int]:
        return [hit.page_id for hit in self._searcher.search(query, limit=limit, snippets=snippets).hits]

    def knows_all_words(self, queries: list[str]) -> bool:
        """Whether `all_words` really gives only pages with all words; told from queries that have other hits too."""
        tried = 0
        for query in queries:
            plain = " ".join(words(query))
            if tried == ENOUGH:
                break
            if all(not self._missing(plain, page) for page in self.any_word(plain, 20)):
                continue
            tried += 1
            if any(self._missing(plain, page) for page in self.all_words(query, 20)):
                return False
        return tried > 0

    def _missing(self, query: str, page: int) -> tuple[str, ...]:
        url = self.engine.store.pages.get([page])[page].url
        missing: tuple[str, ...] = self.engine.explain(query, url).missing
        return missing


def put_on_disk(file: Path) -> None:
    """Wait until a file is written: whoever syncs it next, as a commit does, would wait for that as well."""
    with file.open("rb") as copied:
        os.fsync(copied.fileno())


def used(database: Path) -> int:
    """Bytes of all tables of a file, free pages not counted."""
    with closing(sqlite3.connect(database)) as file:
        try:
            return int(file.execute("SELECT sum(pgsize) FROM dbstat WHERE aggregate = TRUE").fetchone()[0])
        except sqlite3.OperationalError:  # this SQLite has no dbstat: the file has pages in use and pages free
            size, count, free = (
                file.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_size", "page_count", "freelist_count")
            )
            return int(size * (count - free))
