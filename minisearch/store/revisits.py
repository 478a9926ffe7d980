"""Visiting again: which pages to ask for, and what to write down about them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import sqlite_utils

from minisearch.models import Detail, Page, Queued
from minisearch.store.pages import stored_text
from minisearch.store.urls import encode_detail

KEPT = "kept"  # the rule by which a page stays though it could not be had again


@dataclass(frozen=True, slots=True)
class Visited:
    """A url that was visited before, with what matters for visiting it again."""

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

    def crawls(self) -> list[tuple[int, list[str], dict[str, Any]]]:
        """(id, seeds, settings) of every crawl."""
        rows = self._conn.execute("SELECT id, seeds, settings FROM crawls ORDER BY id")
        return [(number, json.loads(seeds), json.loads(settings)) for number, seeds, settings in rows]

    def last_run(self, seeds: list[str]) -> dict[str, Any]:
        """The settings with which the crawl from these seeds was last run."""
        rows = self._conn.execute("SELECT settings FROM runs WHERE stage = 'crawl' ORDER BY id DESC")
        for settings in (json.loads(row[0]) for row in rows):
            if set(settings.get("seeds", ())) == set(seeds):
                return dict(settings)
        return {}

    def known(self) -> list[Visited]:
        """Every url that gave a page, sent us elsewhere, could not be found or was forbidden; and what gives no page
        now, if only it did once: one bad night must not be the end of it.
        """
        return self._ask(
            "pages.id IS NOT NULL OR rule IN ('redirect', 'redirect-loop', 'soft-404', 'javascript', 'robots') "
            "OR state = 'failed' AND (rule LIKE 'http-4%' OR rule LIKE 'http-2%') "
            "OR state IN ('skipped', 'failed') AND urls.id IN (SELECT url_id FROM url_history WHERE state = 'fetched')"
        )

    def named(self, url: str) -> Visited | None:
        """The url that was asked for by name."""
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
        """A page is still the same."""
        self._conn.execute("UPDATE pages SET checked_at = ? WHERE url_id = ?", (when, url_id))
        self._conn.execute(f"UPDATE urls SET rule = '', detail = '' WHERE id = ? AND rule = '{KEPT}'", (url_id,))

    def keep(self, url_id: int, detail: Detail) -> None:
        """A page could not be had again; what we have of it stays."""
        self._conn.execute(
            "UPDATE urls SET rule = ?1, detail = ?2 WHERE id = ?3 AND state = 'fetched' AND rule IN ('', ?1)",
            (KEPT, encode_detail(detail), url_id),
        )

    def says_the_same(self, url_id: int, page: Page) -> bool:
        """Whether the index would not notice if this took the place of the page we have."""
        row = self._conn.execute(
            "SELECT title, language, noindex, headings, text FROM pages JOIN contents ON contents.page_id = pages.id "
            "WHERE pages.url_id = ?",
            (url_id,),
        ).fetchone()
        return bool(row == (page.title, page.language, page.noindex, *stored_text(page)))

    def stands_for_itself(self, url_id: int) -> bool:
        """Whether a page may be found, and under its own url."""
        found = "SELECT 1 FROM pages WHERE url_id = ? AND canonical_page_id IS NULL AND noindex = ''"
        return self._conn.execute(found, (url_id,)).fetchone() is not None

    def yields_to(self, url_id: int, canonical: str) -> bool:
        """Whether a page that says so would stand back for another one that we have of its site, and did not before."""
        found = (
            "SELECT 1 FROM urls AS here JOIN pages ON pages.url_id = here.id "
            "JOIN urls AS told ON told.host = here.host "
            "JOIN pages AS other ON other.url_id = told.id "
            "WHERE here.id = ?1 AND told.url = ?2 AND told.id != here.id AND pages.canonical != ?2"
        )
        return bool(canonical) and self._conn.execute(found, (url_id, canonical)).fetchone() is not None

    def place(self, url_id: int) -> tuple[int | None, int | None, str]:
        """Where a page stands in the index, which one stands for it, and since when we have it."""
        row = self._conn.execute(
            "SELECT segment_id, canonical_page_id, fetched_at FROM pages WHERE url_id = ?", (url_id,)
        ).fetchone()
        return row[0], row[1], str(row[2])

    def put_back(self, url_id: int, place: tuple[int | None, int | None, str], when: str) -> None:
        """A newer version of a page takes the place of the older one, for it says the same."""
        self._conn.execute(
            "UPDATE pages SET segment_id = ?, canonical_page_id = ?, fetched_at = ?, checked_at = ? WHERE url_id = ?",
            (*place, when, url_id),
        )

    def remove(self, url_id: int) -> None:
        """A page is gone: nothing of it remains but its line in the urls. Pages that it stood for are back."""
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
