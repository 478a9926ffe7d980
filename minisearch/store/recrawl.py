"""Recrawls: which URLs are visited again, what was fetched and is not applied yet, and what is written at the end.

Visits are staged in a table of their own and applied in one transaction (crawl/recrawl.py).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, get_args

from minisearch.errors import NotFound
from minisearch.models import Detail, Found, Heading, Link, Outcome, Page, Queued, Unchanged, Visit
from minisearch.store.base import TableStore, json_list
from minisearch.store.pages import INDEXABLE, stored_text
from minisearch.store.urls import encode_detail

KEPT = "kept"  # the rule of a page that could not be fetched again and stays as it was
OUTCOMES: dict[str, type[Any]] = {each.__name__: each for each in get_args(Outcome)}
VISITED = """SELECT urls.id, urls.url, host, depth, redirects, crawl_id, pages.id, coalesce(etag, ''),
    coalesce(last_modified, ''), coalesce(fetched_at, ''), coalesce(checked_at, ''), coalesce(score, 0),
    coalesce(noindex, '')
    FROM urls LEFT JOIN pages ON pages.url_id = urls.id
    LEFT JOIN scores ON scores.page_id = urls.page_id AND ranking = 'pagerank' WHERE """


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


class StoredPage(NamedTuple):
    """What matters of a page when it was visited again."""

    segment_id: int | None
    canonical_page_id: int | None
    fetched_at: str
    canonical: str  # the URL that it names
    content: tuple[str, ...]

    def is_indexed_as(self, page: Page) -> bool:
        """Whether a page has the same title, language, headings and text."""
        return self.content == (page.title, page.language, page.noindex, *stored_text(page))


class RecrawlStore(TableStore):
    """Reads and writes of `staged_recrawls` and `staged_visits`, and of pages that are visited again."""

    # -- what is visited again ---------------------------------------------------------------

    def known(self) -> list[Visited]:
        """The URLs of pages, redirects, client errors and robots rules, and all that once had a page: it may return."""
        return self._visited(
            "pages.id IS NOT NULL OR rule IN ('redirect', 'redirect-loop', 'soft-404', 'javascript', 'robots') "
            "OR state = 'failed' AND (rule LIKE 'http-4%' OR rule LIKE 'http-2%') "
            "OR state IN ('skipped', 'failed') AND urls.id IN (SELECT url_id FROM url_history WHERE state = 'fetched')"
        )

    def named(self, url: str) -> Visited:
        """What is known of one URL."""
        for visited in self._visited("urls.url = ?", url):
            return visited
        raise NotFound(f"{url} is not in the file: to start there, run minisearch crawl {url}")

    def _visited(self, condition: str, *values: str) -> list[Visited]:
        return [Visited(Queued(*row[:5]), *row[5:]) for row in self._rows(VISITED + condition, values)]

    def visited_by_others(self, crawl: int, urls: Iterable[str]) -> set[str]:
        """Those of the URLs that another crawl has visited."""
        query = (
            "SELECT url FROM json_each(?) JOIN urls ON url = value "
            "WHERE crawl_id != ? AND state IN ('fetched', 'merged', 'failed')"
        )
        return set(self._column(query, (json_list(urls), crawl)))

    # -- staged visits -----------------------------------------------------------------------

    def begin(self, crawl: int, command: dict[str, Any]) -> None:
        """Continue with what is staged if it is the same command; else start over."""
        wanted = json.dumps(command, sort_keys=True)
        if self._value("SELECT command FROM staged_recrawls WHERE crawl_id = ?", (crawl,)) != wanted:
            self.discard(crawl)
            self._conn.execute("INSERT INTO staged_recrawls (crawl_id, command) VALUES (?, ?)", (crawl, wanted))

    def discard(self, crawl: int) -> None:
        """Drop everything that is staged for a crawl."""
        for table in ("staged_recrawls", "staged_visits"):
            self._db.table(table).delete_where("crawl_id = ?", [crawl])

    def stage(self, crawl: int, visit: Visit, visited_at: str) -> None:
        """Stage a visit."""
        outcome: dict[str, Any] = asdict(visit.outcome)
        html = outcome.pop("html", None)
        data = json.dumps({"queued": asdict(visit.queued), "outcome": outcome, "found": visit.found})
        self._conn.execute(
            "INSERT INTO staged_visits (crawl_id, url, kind, visited_at, visit, html) VALUES (?, ?, ?, ?, ?, ?)",
            (crawl, visit.queued.url, type(visit.outcome).__name__, visited_at, data, html),
        )

    def staged(self, crawl: int) -> Iterator[tuple[Visit, str]]:
        """The staged visits and their times: first those that found a page, so that no page takes the id of another."""
        pages = json_list([Page.__name__, Unchanged.__name__])
        for condition in ("IN", "NOT IN"):  # one by one, not sorted by it: pages are large
            rows = self._conn.execute(
                "SELECT visit, kind, html, visited_at FROM staged_visits WHERE crawl_id = ? "
                f"AND kind {condition} (SELECT value FROM json_each(?)) ORDER BY id",
                (crawl, pages),
            )
            for data, kind, html, visited_at in rows:
                yield _visit(json.loads(data), kind, html), visited_at

    def staged_found(self, crawl: int) -> Iterator[tuple[str, bool, str, list[Found]]]:
        """(URL, whether it is a page, the target of a redirect, the URLs it led to) of the staged visits."""
        rows = self._conn.execute(
            "SELECT url, kind, json_extract(visit, '$.outcome.target'), json_extract(visit, '$.found') "
            "FROM staged_visits WHERE crawl_id = ? ORDER BY id",
            (crawl,),
        )
        for url, kind, target, found in rows:
            yield url, kind == Page.__name__, target or "", [Found(*each) for each in json.loads(found)]

    # -- applying them (inside a transaction) ------------------------------------------------

    def pages_by_host(self, crawl: int) -> dict[str, int]:
        """To how many pages in the results the URLs of each host lead, wherever these pages are."""
        query = (
            "SELECT host, count(DISTINCT pages.id) FROM urls JOIN pages ON pages.id = urls.page_id "
            f"WHERE crawl_id = ? AND {INDEXABLE} GROUP BY host"
        )
        return dict(self._rows(query, (crawl,)))

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

    def stored_page(self, url: str) -> StoredPage | None:
        """The page of a URL, if it has one."""
        rows = self._rows(
            "SELECT segment_id, canonical_page_id, fetched_at, canonical, title, language, noindex, headings, text "
            "FROM urls JOIN pages ON pages.url_id = urls.id JOIN contents ON contents.page_id = pages.id WHERE url = ?",
            (url,),
        )
        for segment_id, canonical_page_id, fetched_at, canonical, *content in rows:
            return StoredPage(segment_id, canonical_page_id, fetched_at, canonical, tuple(content))
        return None

    def restore(self, url_id: int, page: StoredPage, when: str) -> None:
        """Give a page that was saved again, with the same content, its earlier place in the index."""
        self._conn.execute(
            "UPDATE pages SET segment_id = ?, canonical_page_id = ?, fetched_at = ?, checked_at = ? WHERE url_id = ?",
            (page.segment_id, page.canonical_page_id, page.fetched_at, when, url_id),
        )

    def remove(self, url_id: int) -> None:
        """Delete a page; its URL stays, and its duplicates become pages of their own."""
        page = (self._value("SELECT id FROM pages WHERE url_id = ?", (url_id,)),)
        self._conn.execute(
            "UPDATE urls SET state = 'fetched', rule = '', detail = '', redirect_target_id = NULL "
            "WHERE id IN (SELECT url_id FROM pages WHERE canonical_page_id = ?)",
            page,
        )
        self._conn.execute(
            "UPDATE pages SET canonical_page_id = NULL, segment_id = NULL WHERE canonical_page_id = ?", page
        )
        self._conn.execute("UPDATE urls SET page_id = NULL WHERE page_id = ?", page)
        for table, column in (("contents", "page_id"), ("links", "page_id"), ("scores", "page_id"), ("pages", "id")):
            self._conn.execute(f"DELETE FROM {table} WHERE {column} = ?", page)


def _visit(data: dict[str, Any], kind: str, html: bytes | None) -> Visit:
    """A visit that was staged as JSON."""
    outcome = data["outcome"]
    if kind == Page.__name__:
        outcome |= {
            "headings": tuple(Heading(*each) for each in outcome["headings"]),
            "links": tuple(Link(*each) for each in outcome["links"]),
            "odd_links": tuple(outcome["odd_links"]),
            "html": html or b"",
        }
    return Visit(Queued(**data["queued"]), OUTCOMES[kind](**outcome), tuple(Found(*each) for each in data["found"]))
