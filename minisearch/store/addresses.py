"""Where pages are: on which sites, and in which order their urls come."""

from __future__ import annotations

from minisearch.store.file import File


class AddressStore:
    """Reads of the urls of all pages."""

    def __init__(self, file: File) -> None:
        self._conn = file.db.conn

    def in_order(self) -> list[tuple[str, int]]:
        """(url, page) of every page, in the order of urls."""
        return self._conn.execute(
            "SELECT urls.url, pages.id FROM urls JOIN pages ON pages.url = urls.id ORDER BY urls.url"
        ).fetchall()
