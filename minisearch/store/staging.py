"""What a recrawl has fetched and not applied yet: its visits, and the URLs it has discovered."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import asdict
from typing import Any, NamedTuple

import sqlite_utils

from minisearch.models import (
    Detail,
    Failed,
    Found,
    Heading,
    Link,
    Outcome,
    Page,
    Queued,
    Redirect,
    Skipped,
    Unchanged,
    Visit,
)
from minisearch.store.urls import MAX_PATH, POLICY_RULES, TRANSIENT_RULES, decode_detail, encode_detail

FIRST_ID = 1 << 40  # ids of staged URLs begin here, so that they differ from those of `urls`
ORDERS = {"breadth": "depth, turn, id", "newest": "id DESC", "best": "depth, turn, id"}
OUTCOMES: dict[str, type[Any]] = {each.__name__: each for each in (Page, Redirect, Skipped, Failed, Unchanged)}
_POLICY_RULES = ", ".join(f"'{rule}'" for rule in POLICY_RULES)
_TRANSIENT_RULES = ", ".join(f"'{rule}'" for rule in TRANSIENT_RULES)


class Staged(NamedTuple):
    """A visit, and what it means for the page that the file holds."""

    visit: Visit
    result: str
    cause: Detail
    visited_at: str


class StagingStore:
    """Reads and writes of `staged_recrawls`, `staged_visits` and `staged_urls`."""

    def __init__(self, db: sqlite_utils.Database) -> None:
        self._conn = db.conn

    def begin(self, crawl: int, command: dict[str, Any]) -> None:
        """Continue with what is staged if it is the same command; else start with the queued URLs of the crawl."""
        wanted = json.dumps(command, sort_keys=True)
        row = self._conn.execute("SELECT command FROM staged_recrawls WHERE crawl_id = ?", (crawl,)).fetchone()
        if row == (wanted,):
            return
        self.discard(crawl)
        self._conn.execute("INSERT INTO staged_recrawls (crawl_id, command) VALUES (?, ?)", (crawl, wanted))
        self._conn.execute(
            "INSERT INTO staged_urls (crawl_id, url, host, depth, redirects, turn, referrer, rule) "
            "SELECT urls.crawl_id, urls.url, urls.host, urls.depth, urls.redirects, urls.turn, "
            "coalesce(source.url, ''), '' "
            "FROM urls LEFT JOIN urls AS source ON source.id = urls.referrer_id WHERE urls.crawl_id = ? AND "
            "(urls.state = 'queued' OR urls.state IN ('failed', 'skipped') "
            f"AND (urls.rule IN ({_TRANSIENT_RULES}) OR urls.rule LIKE 'http-5%')) ORDER BY urls.id",
            (crawl,),
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
        return dict(self._conn.execute("SELECT url, result FROM staged_visits WHERE crawl_id = ?", (crawl,)))

    def losses(self, crawl: int) -> Iterator[tuple[str, str, str, bool, str]]:
        """(URL, host, result, whether a page would leave the results, redirect target) of each staged visit."""
        rows = self._conn.execute(
            "SELECT url, host, result, result = 'gone' OR cause != '' AND result IN ('same', 'changed'), target "
            "FROM staged_visits WHERE crawl_id = ? ORDER BY id",
            (crawl,),
        )
        return ((url, host, result, bool(lost), target) for url, host, result, lost, target in rows)

    def first_with(self, crawl: int, content_hash: str, *, other_than: str = "") -> str | None:
        """The URL of the first staged visit of a known page that has this content."""
        row = self._conn.execute(
            "SELECT url FROM staged_visits WHERE crawl_id = ? AND content_hash = ? AND url != ? "
            "AND result IN ('same', 'changed') ORDER BY id LIMIT 1",
            (crawl, content_hash, other_than),
        ).fetchone()
        return row[0] if row else None

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
        rows = self._conn.execute(
            "SELECT urls.url FROM json_each(?) AS found JOIN urls ON urls.url = found.value "
            "WHERE crawl_id != ? AND state IN ('fetched', 'merged', 'failed')",
            (json.dumps([*urls]), crawl),
        )
        return {url for (url,) in rows}

    def _decided(self, crawl: int, urls: Iterable[str]) -> set[str]:
        """Those of the URLs whose status does not change because they are discovered again."""
        rows = self._conn.execute(
            "SELECT urls.url FROM json_each(?) AS found JOIN urls ON urls.url = found.value "
            f"WHERE crawl_id = ? AND NOT (state = 'skipped' AND rule IN ({_POLICY_RULES}))",
            (json.dumps([*urls]), crawl),
        )
        return {url for (url,) in rows}

    def reconsider(self, crawl: int, judge: Callable[[str, int], Skipped | None]) -> set[str]:
        """Apply a wider scope to staged URLs, and to URLs of the file that are out of scope; returns their hosts."""
        rows = self._conn.execute(
            "SELECT url, host, depth, redirects, referrer FROM staged_urls WHERE crawl_id = :crawl AND rule = 'scope' "
            "UNION SELECT url, host, depth, redirects, '' FROM urls WHERE crawl_id = :crawl AND rule = 'scope'",
            {"crawl": crawl},
        ).fetchall()
        hosts = set()
        for url, host, depth, hops, referrer in rows:
            if judge(url, depth) is None:
                hosts |= self.discover(crawl, referrer, [Found(url, host, depth, hops)], lambda _: 0)
        return hosts

    def hosts(self, crawl: int) -> list[str]:
        """The hosts with staged URLs to visit."""
        rows = self._conn.execute(
            "SELECT DISTINCT host FROM staged_urls WHERE crawl_id = ? AND rule = '' AND NOT visited", (crawl,)
        )
        return [host for (host,) in rows]

    def next(self, crawl: int, host: str, order: str, limit: int) -> list[Queued]:
        """The next staged URLs of a host in the order of the crawl."""
        rows = self._conn.execute(
            f"SELECT id + {FIRST_ID}, url, host, depth, redirects FROM staged_urls WHERE crawl_id = ? AND host = ? "
            f"AND rule = '' AND NOT visited ORDER BY {ORDERS[order]} LIMIT ?",
            (crawl, host, limit),
        )
        return [Queued(*row) for row in rows]

    def count(self, crawl: int) -> int:
        """How many staged URLs are not visited yet."""
        (count,) = self._conn.execute(
            "SELECT count(*) FROM staged_urls WHERE crawl_id = ? AND rule = '' AND NOT visited", (crawl,)
        ).fetchone()
        return int(count)

    def path(self, crawl: int, number: int) -> list[str]:
        """The staged URLs through which the one with this id was reached; the first may be in `urls`."""
        ask = "SELECT referrer FROM staged_urls WHERE crawl_id = ? AND"
        row = self._conn.execute(f"{ask} id = ?", (crawl, number - FIRST_ID)).fetchone()
        path: list[str] = []
        while row and row[0] and row[0] not in path and len(path) < MAX_PATH:
            path.insert(0, row[0])
            row = self._conn.execute(f"{ask} url = ?", (crawl, path[0])).fetchone()
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
