"""Where pages are: on which sites, and in which order their urls come."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from minisearch.store.file import File

PAGES_AT_A_TIME = 1_000_000  # whose urls fit into one value

Pages = NDArray[np.int64]


class AddressStore:
    """Reads of the urls of all pages: SQLite makes one line of them sooner than Python takes row after row."""

    def __init__(self, file: File) -> None:
        self._conn = file.db.conn

    def every(self) -> tuple[list[str], Pages]:
        """The url of every page, and the page of each."""
        (last,) = self._conn.execute("SELECT coalesce(max(id), 0) FROM pages").fetchone()
        rows = [
            self._conn.execute(
                "SELECT group_concat(urls.url, char(10)), group_concat(pages.id) FROM pages CROSS JOIN urls "
                "ON urls.id = pages.url_id WHERE pages.id > ? AND pages.id <= ?",
                (low, low + PAGES_AT_A_TIME),
            ).fetchone()
            for low in range(0, last, PAGES_AT_A_TIME)
        ]
        told = [row for row in rows if row[0] is not None]
        urls = [url for lines, _ in told for url in lines.split("\n")]
        return urls, _numbers(",".join(pages for _, pages in told))

    def standing(self) -> list[tuple[str, str]]:
        """(address, url of the page that stands for it) of every address that leads to a page we hold."""
        return self._conn.execute(
            "SELECT urls.url, own.url FROM urls JOIN pages ON pages.id = urls.page_id "
            "JOIN urls AS own ON own.id = pages.url_id"
        ).fetchall()

    def in_order(self) -> Pages:
        """Every page, in the order of urls."""
        (pages,) = self._conn.execute(
            "SELECT group_concat(id) FROM "
            "(SELECT pages.id AS id FROM urls JOIN pages ON pages.url_id = urls.id ORDER BY urls.url)"
        ).fetchone()
        return _numbers(pages or "")


def _numbers(line: str) -> Pages:
    return np.fromstring(line, dtype=np.int64, sep=",") if line else np.empty(0, dtype=np.int64)
