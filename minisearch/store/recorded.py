"""A crawl as the file recorded it: where it began, what it asked for, and where each answer led."""

from __future__ import annotations

from collections.abc import Iterator

from minisearch.store.file import File


class RecordedStore:
    """Reads of `urls`, `pages` and `links` as a walk."""

    def __init__(self, file: File) -> None:
        self._conn = file.db.conn

    def pages(self) -> dict[int, int | None]:
        """Every url that was answered with a page: its id, and the page that stands for it."""
        rows = self._conn.execute("SELECT urls.id, urls.page_id FROM pages JOIN urls ON urls.id = pages.url_id")
        return dict(rows.fetchall())

    def starts(self) -> list[int]:
        """The urls that nothing led to, in the order in which they were named."""
        rows = self._conn.execute("SELECT id FROM urls WHERE referrer_id IS NULL ORDER BY rule = 'sitemap', id")
        return [number for (number,) in rows]

    def leads(self) -> Iterator[tuple[int, int, int, bool]]:
        """(url, where it leads, steps, whether that is followed): links in the order of the page, then the rest."""
        yield from (
            (source, target, 1, bool(followed))
            for source, target, followed in self._conn.execute(
                "SELECT pages.url_id, links.url_id, NOT links.nofollow FROM links "
                "JOIN pages ON pages.id = links.page_id "
                "ORDER BY links.page_id, links.position"
            )
        )
        yield from (
            (source, target, 1, True)
            for source, target in self._conn.execute(
                "SELECT here.id, told.id FROM pages JOIN urls AS here ON here.id = pages.url_id "
                "JOIN urls AS told ON told.url = pages.canonical AND told.host = here.host WHERE pages.canonical != ''"
            )
        )
        yield from (
            (source, target, 0, True)
            for source, target in self._conn.execute(
                "SELECT id, redirect_target_id FROM urls WHERE rule IN ('redirect', 'redirect-loop') "
                "AND redirect_target_id IS NOT NULL"
            )
        )
        yield from (
            (source, target, 1, True)
            for source, target in self._conn.execute(
                "SELECT map.id, urls.id FROM urls JOIN urls AS map ON map.id = urls.referrer_id "
                "WHERE map.rule = 'sitemap' ORDER BY urls.id"
            )
        )
