"""Recrawls: which URLs are visited again, and what is written about their pages."""

from __future__ import annotations

from dataclasses import dataclass

import sqlite_utils

from minisearch.models import Detail, Page, Queued
from minisearch.store.pages import stored_text
from minisearch.store.urls import encode_detail

KEPT = "kept"  # the rule of a page that could not be fetched again and stays as it was


@dataclass(frozen=True, slots=True)
class Visited:
    """A URL that was visited before, with what matters for the next visit."""

    queued: Queued
    crawl: int
    page: int | None  # the page it gave; None for a redirect or a failure
    etag: str
    last_modified: str
    fetched_at: str
    checked_at: str
    score: float  # of the ranking, 0 if there is none
    noindex: str = ""  # the rule that keeps it out of the index


_KNOWN = """SELECT urls.id, urls.url, host, depth, redirects, referrer_id, crawl_id, pages.id, coalesce(etag, ''),
    coalesce(last_modified, ''), coalesce(fetched_at, ''), coalesce(checked_at, ''), coalesce(score, 0),
    coalesce(noindex, '')
    FROM urls LEFT JOIN pages ON pages.url_id = urls.id
    LEFT JOIN scores ON scores.page_id = urls.page_id AND ranking = 'pagerank' WHERE """


class RevisitStore:
    """Reads and writes of pages that are visited again."""

    def __init__(self, db: sqlite_utils.Database) -> None:
        self._conn = db.conn

    def known(self) -> list[Visited]:
        """The URLs of pages, redirects, client errors and robots rules, and all that once had a page: it may return."""
        return self._ask(
            "pages.id IS NOT NULL OR rule IN ('redirect', 'redirect-loop', 'soft-404', 'javascript', 'robots') "
            "OR state = 'failed' AND (rule LIKE 'http-4%' OR rule LIKE 'http-2%') "
            "OR state IN ('skipped', 'failed') AND urls.id IN (SELECT url_id FROM url_history WHERE state = 'fetched')"
        )

    def named(self, url: str) -> Visited | None:
        """What is known of one URL; None if it was never discovered."""
        return next(iter(self._ask("urls.url = ?", url)), None)

    def pages_by_host(self, crawl: int) -> dict[str, int]:
        """How many pages of each host a crawl has."""
        count = "SELECT host, count(*) FROM pages JOIN urls ON urls.id = pages.url_id WHERE crawl_id = ? GROUP BY host"
        return dict(self._conn.execute(count, (crawl,)))

    def _ask(self, condition: str, *values: str) -> list[Visited]:
        rows = self._conn.execute(_KNOWN + condition, values)
        return [Visited(Queued(*row[:6]), *row[6:]) for row in rows]

    # -- writing (inside a transaction) ------------------------------------------------------

    def check(self, url_id: int, when: str) -> None:
        """Record that a page has not changed."""
        self._conn.execute("UPDATE pages SET checked_at = ? WHERE url_id = ?", (when, url_id))
        self._conn.execute(f"UPDATE urls SET rule = '', detail = '' WHERE id = ? AND rule = '{KEPT}'", (url_id,))

    def keep(self, url_id: int, detail: Detail) -> None:
        """Record that a page could not be fetched again and stays as it was."""
        self._conn.execute(
            "UPDATE urls SET rule = ?1, detail = ?2 WHERE id = ?3 AND state = 'fetched' AND rule IN ('', ?1)",
            (KEPT, encode_detail(detail), url_id),
        )

    def has_same_content(self, url_id: int, page: Page) -> bool:
        """Whether a page is indexed as the stored one is: same title, language, headings and text."""
        row = self._conn.execute(
            "SELECT title, language, noindex, headings, text FROM pages JOIN contents ON contents.page_id = pages.id "
            "WHERE pages.url_id = ?",
            (url_id,),
        ).fetchone()
        return bool(row == (page.title, page.language, page.noindex, *stored_text(page)))

    def is_in_results(self, url_id: int) -> bool:
        """Whether a page is in the results under its own URL."""
        found = "SELECT 1 FROM pages WHERE url_id = ? AND canonical_page_id IS NULL AND noindex = ''"
        return self._conn.execute(found, (url_id,)).fetchone() is not None

    def has_new_canonical(self, url_id: int, canonical: str) -> bool:
        """Whether a new canonical URL of a page names another stored page of its host."""
        found = (
            "SELECT 1 FROM urls AS here JOIN pages ON pages.url_id = here.id "
            "JOIN urls AS named ON named.host = here.host "
            "JOIN pages AS other ON other.url_id = named.id "
            "WHERE here.id = ?1 AND named.url = ?2 AND named.id != here.id AND pages.canonical != ?2"
        )
        return bool(canonical) and self._conn.execute(found, (url_id, canonical)).fetchone() is not None

    def index_state(self, url_id: int) -> tuple[int | None, int | None, str]:
        """The segment of a page, its canonical page, and when it was fetched."""
        row = self._conn.execute(
            "SELECT segment_id, canonical_page_id, fetched_at FROM pages WHERE url_id = ?", (url_id,)
        ).fetchone()
        return row[0], row[1], str(row[2])

    def restore_index_state(self, url_id: int, state: tuple[int | None, int | None, str], when: str) -> None:
        """Give a page that was saved again, with the same content, its earlier index state."""
        self._conn.execute(
            "UPDATE pages SET segment_id = ?, canonical_page_id = ?, fetched_at = ?, checked_at = ? WHERE url_id = ?",
            (*state, when, url_id),
        )

    def remove(self, url_id: int) -> None:
        """Delete a page; its URL stays, and its duplicates become pages of their own."""
        row = self._conn.execute("SELECT id FROM pages WHERE url_id = ?", (url_id,)).fetchone()
        if row is None:
            return
        self._conn.execute(
            "UPDATE urls SET state = 'fetched', rule = '', detail = '', redirect_target_id = NULL "
            "WHERE id IN (SELECT url_id FROM pages WHERE canonical_page_id = ?)",
            row,
        )
        self._conn.execute(
            "UPDATE pages SET canonical_page_id = NULL, segment_id = NULL WHERE canonical_page_id = ?", row
        )
        self._conn.execute("UPDATE urls SET page_id = NULL WHERE page_id = ?", row)
        for table, column in (("contents", "page_id"), ("links", "page_id"), ("scores", "page_id"), ("pages", "id")):
            self._conn.execute(f"DELETE FROM {table} WHERE {column} = ?", row)
