"""Recrawls: which URLs are visited again, what was fetched and is not applied yet, and what is written at the end.

Visits, and the URLs they led to, are staged in tables of their own and applied in one transaction (crawl/recrawl.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, get_args

from minisearch.models import Detail, Found, Heading, Link, Outcome, Page, Queued, Redirect, Skipped, Visit
from minisearch.store.base import TableStore, json_list
from minisearch.store.pages import INDEXABLE, stored_text
from minisearch.store.urls import MAX_PATH, ORDERS, POLICY_RULES, TRANSIENT_RULES, decode_detail, encode_detail

KEPT = "kept"  # the rule of a page that could not be fetched again and stays as it was
FIRST_ID = 1 << 40  # ids of staged URLs begin here, so that they differ from those of `urls`
OUTCOMES: dict[str, type[Any]] = {each.__name__: each for each in get_args(Outcome)}
VISITED = """SELECT urls.id, urls.url, host, depth, redirects, referrer_id, crawl_id, pages.id, coalesce(etag, ''),
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


class Staged(NamedTuple):
    """A visit, and what it means for the page that the file holds."""

    visit: Visit
    result: str
    cause: Detail
    visited_at: str


class RevisitStore(TableStore):
    """Reads and writes of pages that are visited again."""

    def known(self) -> list[Visited]:
        """The URLs of pages, redirects, client errors and robots rules, and all that once had a page: it may return."""
        return self._visited(
            "pages.id IS NOT NULL OR rule IN ('redirect', 'redirect-loop', 'soft-404', 'javascript', 'robots') "
            "OR state = 'failed' AND (rule LIKE 'http-4%' OR rule LIKE 'http-2%') "
            "OR state IN ('skipped', 'failed') AND urls.id IN (SELECT url_id FROM url_history WHERE state = 'fetched')"
        )

    def named(self, url: str) -> Visited | None:
        """What is known of one URL; None if it was never discovered."""
        return next(iter(self._visited("urls.url = ?", url)), None)

    def pages_by_host(self, crawl: int) -> dict[str, int]:
        """How many pages of each host a crawl has."""
        count = "SELECT host, count(*) FROM pages JOIN urls ON urls.id = pages.url_id WHERE crawl_id = ? GROUP BY host"
        return dict(self._rows(count, (crawl,)))

    def _visited(self, condition: str, *values: str) -> list[Visited]:
        return [Visited(Queued(*row[:6]), *row[6:]) for row in self._rows(VISITED + condition, values)]

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
        stored = self._rows(
            "SELECT title, language, noindex, headings, text FROM pages JOIN contents ON contents.page_id = pages.id "
            "WHERE pages.url_id = ?",
            (url_id,),
        )
        return stored == [(page.title, page.language, page.noindex, *stored_text(page))]

    def is_in_results(self, url_id: int) -> bool:
        """Whether a page is in the results under its own URL."""
        return bool(self._value(f"SELECT 1 FROM pages WHERE url_id = ? AND {INDEXABLE}", (url_id,)))

    def has_new_canonical(self, url_id: int, canonical: str) -> bool:
        """Whether a new canonical URL of a page names another stored page of its host."""
        found = (
            "SELECT 1 FROM urls AS here JOIN pages ON pages.url_id = here.id "
            "JOIN urls AS named ON named.host = here.host "
            "JOIN pages AS other ON other.url_id = named.id "
            "WHERE here.id = ?1 AND named.url = ?2 AND named.id != here.id AND pages.canonical != ?2"
        )
        return bool(canonical and self._value(found, (url_id, canonical)))

    def index_state(self, url_id: int) -> tuple[int | None, int | None, str]:
        """The segment of a page, its canonical page, and when it was fetched."""
        query = "SELECT segment_id, canonical_page_id, fetched_at FROM pages WHERE url_id = ?"
        ((segment, canonical, fetched_at),) = self._rows(query, (url_id,))
        return segment, canonical, fetched_at

    def restore_index_state(self, url_id: int, state: tuple[int | None, int | None, str], when: str) -> None:
        """Give a page that was saved again, with the same content, its earlier index state."""
        self._conn.execute(
            "UPDATE pages SET segment_id = ?, canonical_page_id = ?, fetched_at = ?, checked_at = ? WHERE url_id = ?",
            (*state, when, url_id),
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


class StagingStore(TableStore):
    """Reads and writes of `staged_recrawls`, `staged_visits` and `staged_urls`."""

    def begin(self, crawl: int, command: dict[str, Any]) -> None:
        """Continue with what is staged if it is the same command; else start with the queued URLs of the crawl."""
        wanted = json.dumps(command, sort_keys=True)
        if self._value("SELECT command FROM staged_recrawls WHERE crawl_id = ?", (crawl,)) == wanted:
            return
        self.discard(crawl)
        self._conn.execute("INSERT INTO staged_recrawls (crawl_id, command) VALUES (?, ?)", (crawl, wanted))
        self._conn.execute(
            "INSERT INTO staged_urls (crawl_id, url, host, depth, redirects, turn, referrer, rule) "
            "SELECT urls.crawl_id, urls.url, urls.host, urls.depth, urls.redirects, urls.turn, "
            "coalesce(source.url, ''), '' "
            "FROM urls LEFT JOIN urls AS source ON source.id = urls.referrer_id WHERE urls.crawl_id = ? AND "
            "(urls.state = 'queued' OR urls.state IN ('failed', 'skipped') "
            "AND (urls.rule IN (SELECT value FROM json_each(?)) OR urls.rule LIKE 'http-5%')) ORDER BY urls.id",
            (crawl, json_list(TRANSIENT_RULES)),
        )

    def remove_urls(self, crawl: int, urls: Iterable[str]) -> None:
        """Remove URLs that are visited anyway."""
        rows = ((crawl, url) for url in urls)
        self._conn.executemany("DELETE FROM staged_urls WHERE crawl_id = ? AND url = ?", rows)

    def discard(self, crawl: int) -> None:
        """Drop everything that is staged for a crawl."""
        for table in ("staged_recrawls", "staged_visits", "staged_urls"):
            self._conn.execute(f"DELETE FROM {table} WHERE crawl_id = ?", (crawl,))

    # -- visits ------------------------------------------------------------------------------

    def add(self, crawl: int, staged: Staged) -> None:
        """Stage a visit."""
        queued, outcome = staged.visit.queued, staged.visit.outcome
        target = outcome.target if isinstance(outcome, Redirect) else ""
        content_hash, html = (outcome.content_hash, outcome.html) if isinstance(outcome, Page) else ("", None)
        self._conn.execute(
            "INSERT INTO staged_visits (crawl_id, url, host, result, cause, target, content_hash, visited_at, visit, "
            "html) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(crawl, queued.url, queued.host, staged.result, encode_detail(staged.cause), target, content_hash),
                *(staged.visited_at, _encode(staged.visit), html),
            ),
        )
        self._conn.execute("UPDATE staged_urls SET visited = 1 WHERE crawl_id = ? AND url = ?", (crawl, queued.url))

    def visits(self, crawl: int) -> Iterator[Staged]:
        """The staged visits in their order; those of pages that are gone come last."""
        for is_gone in (False, True):  # one by one, not sorted by it: pages are large
            rows = self._conn.execute(
                "SELECT visit, html, result, cause, visited_at FROM staged_visits "
                "WHERE crawl_id = ? AND (result = 'gone') = ? ORDER BY id",
                (crawl, is_gone),
            )
            for visit, html, result, cause, visited_at in rows:
                yield Staged(_decode(visit, html), result, decode_detail(cause), visited_at)

    def visited(self, crawl: int) -> dict[str, str]:
        """The results of the staged visits, by URL."""
        return dict(self._rows("SELECT url, result FROM staged_visits WHERE crawl_id = ?", (crawl,)))

    def losses(self, crawl: int) -> list[tuple[str, str, str, bool, str]]:
        """(URL, host, result, whether a page would leave the results, redirect target) of each staged visit."""
        return self._rows(
            "SELECT url, host, result, result = 'gone' OR cause != '' AND result IN ('same', 'changed'), target "
            "FROM staged_visits WHERE crawl_id = ? ORDER BY id",
            (crawl,),
        )

    def first_with(self, crawl: int, content_hash: str, *, other_than: str) -> str | None:
        """The URL of the first staged visit of a known page that has this content."""
        url: str | None = self._value(
            "SELECT url FROM staged_visits WHERE crawl_id = ? AND content_hash = ? AND url != ? "
            "AND result IN ('same', 'changed') ORDER BY id LIMIT 1",
            (crawl, content_hash, other_than),
        )
        return url

    # -- the frontier ------------------------------------------------------------------------

    def discover(self, crawl: int, referrer: str, found: Collection[Found], turn: Callable[[str], int]) -> set[str]:
        """Stage the URLs that a visit led to, unless the file has decided on them; returns the hosts of new ones."""
        known = self._decided(crawl, (each.url for each in found))
        hosts = set()
        for each in found:
            if each.url in known:
                continue
            rule = each.rule
            cursor = self._conn.execute(
                "INSERT INTO staged_urls (crawl_id, url, host, depth, redirects, turn, referrer, rule) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (crawl_id, url) DO UPDATE SET rule = excluded.rule, "
                "depth = min(depth, excluded.depth), redirects = min(redirects, excluded.redirects) "
                "WHERE NOT visited AND (excluded.rule = '' OR rule = excluded.rule)",
                (crawl, each.url, each.host, each.depth, each.hops, 0 if rule else turn(each.url), referrer, rule),
            )
            if cursor.rowcount and not rule:
                hosts.add(each.host)
        return hosts

    def visited_by_others(self, crawl: int, urls: Iterable[str]) -> set[str]:
        """Those of the URLs that another crawl of the file has visited."""
        found = self._column(
            "SELECT url FROM json_each(?) JOIN urls ON url = value "
            "WHERE crawl_id != ? AND state IN ('fetched', 'merged', 'failed')",
            (json_list(urls), crawl),
        )
        return {*found}

    def _decided(self, crawl: int, urls: Iterable[str]) -> set[str]:
        """Those of the URLs whose status does not change because they are discovered again."""
        found = self._column(
            "SELECT url FROM json_each(?) JOIN urls ON url = value "
            "WHERE crawl_id = ? AND NOT (state = 'skipped' AND rule IN (SELECT value FROM json_each(?)))",
            (json_list(urls), crawl, json_list(POLICY_RULES)),
        )
        return {*found}

    def reconsider(self, crawl: int, judge: Callable[[str, int], Skipped | None]) -> set[str]:
        """Apply a wider scope to staged URLs, and to URLs of the file that are out of scope; returns their hosts."""
        rows = self._rows(
            "SELECT url, host, depth, redirects, referrer FROM staged_urls WHERE crawl_id = ?1 AND rule = 'scope' "
            "UNION SELECT url, host, depth, redirects, '' FROM urls WHERE crawl_id = ?1 AND rule = 'scope'",
            (crawl,),
        )
        hosts = set()
        for url, host, depth, hops, referrer in rows:
            if judge(url, depth) is None:
                hosts |= self.discover(crawl, referrer, [Found(url, host, depth, hops)], lambda _: 0)
        return hosts

    def hosts(self, crawl: int) -> list[str]:
        """The hosts with staged URLs to visit."""
        return self._column(
            "SELECT DISTINCT host FROM staged_urls WHERE crawl_id = ? AND rule = '' AND NOT visited", (crawl,)
        )

    def next(self, crawl: int, host: str, order: str, limit: int) -> list[Queued]:
        """The next staged URLs of a host in the order of the crawl; their in-links are not counted."""
        columns = ORDERS["breadth" if order == "best" else order]
        rows = self._rows(
            f"SELECT id + {FIRST_ID}, url, host, depth, redirects FROM staged_urls WHERE crawl_id = ? AND host = ? "
            f"AND rule = '' AND NOT visited ORDER BY {columns} LIMIT ?",
            (crawl, host, limit),
        )
        return [Queued(*row) for row in rows]

    def count(self, crawl: int) -> int:
        """How many staged URLs are not visited yet."""
        return int(self._db.table("staged_urls").count_where("crawl_id = ? AND rule = '' AND NOT visited", [crawl]))

    def path(self, crawl: int, number: int) -> list[str]:
        """The staged URLs through which the one with this id was reached; the first may be in `urls`."""
        query = "SELECT referrer FROM staged_urls WHERE crawl_id = ? AND"
        referrer = self._value(f"{query} id = ?", (crawl, number - FIRST_ID))
        path: list[str] = []
        while referrer and referrer not in path and len(path) < MAX_PATH:
            path.insert(0, referrer)
            referrer = self._value(f"{query} url = ?", (crawl, referrer))
        return path


# -- visits as JSON ------------------------------------------------------------------------------


def _encode(visit: Visit) -> str:
    outcome: dict[str, Any] = asdict(visit.outcome)
    outcome.pop("html", None)
    kind = type(visit.outcome).__name__
    return json.dumps({"queued": asdict(visit.queued), "kind": kind, "outcome": outcome, "found": visit.found})


def _decode(text: str, html: bytes | None) -> Visit:
    data = json.loads(text)
    fields = data["outcome"]
    if data["kind"] == "Page":
        fields |= {
            "headings": tuple(Heading(*each) for each in fields["headings"]),
            "links": tuple(Link(*each) for each in fields["links"]),
            "odd_links": tuple(fields["odd_links"]),
            "html": html or b"",
        }
    outcome: Outcome = OUTCOMES[data["kind"]](**fields)
    return Visit(Queued(**data["queued"]), outcome, tuple(Found(*each) for each in data["found"]))
