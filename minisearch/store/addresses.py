"""Where pages are: on which sites, and in which order their urls come."""

from __future__ import annotations

from minisearch.store.file import File


class AddressStore:
    """Reads of the urls of all pages."""

    def __init__(self, file: File) -> None:
        self._conn = file.db.conn

    def hosts(self) -> dict[int, str]:
        """The host of every page, by its id."""
        return dict(self._conn.execute("SELECT pages.id, host FROM pages JOIN urls ON urls.id = pages.url"))

    def paths(self) -> dict[int, str]:
        """What follows the host in the url of every page, in small letters."""
        return dict(
            self._conn.execute(
                "SELECT pages.id, lower(substr(urls.url, instr(urls.url, '://') + 3 + length(host))) "
                "FROM pages JOIN urls ON urls.id = pages.url"
            )
        )

    def in_order(self) -> list[int]:
        """Every page, in the order of urls."""
        rows = self._conn.execute("SELECT pages.id FROM urls JOIN pages ON pages.url = urls.id ORDER BY urls.url")
        return [page for (page,) in rows]

    def urls(self) -> list[tuple[str, int]]:
        """(url, page) of every page."""
        return self._conn.execute("SELECT urls.url, pages.id FROM urls JOIN pages ON pages.url = urls.id").fetchall()
