"""Crawler traps in the file: what a crawl has found out about URL patterns, and which pages are copies."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from minisearch.store.file import File


class TrapStore:
    """Reads and writes of `traps`."""

    def __init__(self, file: File) -> None:
        self._conn = file.db.conn

    def save(self, crawl: int, pattern: str, blocked: bool, recent: Iterable[int], different: Iterable[Any]) -> None:
        """Save the state of a URL pattern (inside a transaction)."""
        self._conn.execute(
            "INSERT OR REPLACE INTO traps (crawl_id, pattern, blocked, recent, different) VALUES (?, ?, ?, ?, ?)",
            (crawl, pattern, int(blocked), json.dumps([*map(int, recent)]), json.dumps([*different])),
        )

    def clear(self, crawl: int) -> None:
        """Forget the patterns of a crawl (inside a transaction)."""
        self._conn.execute("DELETE FROM traps WHERE crawl_id = ?", (crawl,))

    def patterns(self, crawl: int) -> Iterator[tuple[str, bool, list[int], list[Any]]]:
        """(pattern, blocked, recent, different) of every pattern of a crawl that was saved."""
        rows = self._conn.execute("SELECT pattern, blocked, recent, different FROM traps WHERE crawl_id = ?", (crawl,))
        for pattern, blocked, recent, different in rows:
            yield pattern, bool(blocked), json.loads(recent), json.loads(different)

    def copies(self, crawl: int) -> Iterator[tuple[str, str]]:
        """(url, content hash) of the undated pages of a crawl that share their text, oldest first."""
        undated = "crawl_id = :crawl AND last_modified = '' AND etag NOT LIKE '\"%'"
        return iter(
            self._conn.execute(
                f"SELECT urls.url, content_hash FROM pages JOIN urls ON urls.id = pages.url_id WHERE {undated} "
                "AND content_hash IN (SELECT content_hash FROM pages JOIN urls ON urls.id = pages.url_id "
                f"WHERE {undated} GROUP BY content_hash HAVING count(*) > 1) ORDER BY pages.id",
                {"crawl": crawl},
            )
        )
