"""The journal: every url ever met and what became of it. Its queued part is the frontier."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import cast

from minisearch.records import Found, Queued, Skipped, Verdict
from minisearch.store.file import File

# A url skipped by one of these may be fetched after all when it is met again under better circumstances.
# Every other skip (robots, type, size ...) was decided by the server.
OURS = ("scope", "depth", "pattern", "nofollow", "length", "redirects")

# These failures may be gone the next time.
PASSING = ("timeout", "connection", "dns", "truncated", "crash", "http-429", "robots-unreachable")

NOFOLLOW = "only met in links marked nofollow"

ORDERS = {"breadth": "depth, id", "newest": "id DESC", "best": "inlinks DESC, depth, id"}
ELSEWHERE = -1  # the depth of what another crawl has met: it says nothing about this one
FAR = 1 << 30  # the depth of what only nofollow links lead to: they are no way to go
REMEMBERED = 300_000  # urls whose ids are kept in memory
LONGEST_PATH = 100


class Journal:
    """Reads and writes of `crawls` and `urls`."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._db = file.db
        self._conn = file.db.conn
        self._crawl = 0  # the one under way
        self._known: dict[str, tuple[int, int, bool]] = {}  # url -> id, depth, may still be let in

    # -- crawls --------------------------------------------------------------------------

    def begin(self, seeds: list[str], settings: dict[str, object]) -> tuple[int, bool]:
        """The id of the crawl with these seeds, and whether it was begun before under other settings."""
        named, wanted = json.dumps(sorted(set(seeds))), json.dumps(settings, sort_keys=True)
        self._known.clear()
        row = self._conn.execute("SELECT id, settings FROM crawls WHERE seeds = ?", (named,)).fetchone()
        if row is None:
            self._crawl = cast(int, self._db.table("crawls").insert({"seeds": named, "settings": wanted}).last_pk)
            return self._crawl, False
        self._crawl = int(row[0])
        self._conn.execute("UPDATE crawls SET settings = ? WHERE id = ?", (wanted, self._crawl))
        return self._crawl, row[1] != wanted

    def reconsider(self, crawl: int, judge: Callable[[str, int], Skipped | None]) -> None:
        """Apply changed rules to what was queued or skipped by the old ones."""
        rules = ", ".join(f"'{rule}'" for rule in OURS if rule != "redirects")
        rows = self._conn.execute(
            f"SELECT id, url, depth, state, EXISTS (SELECT 1 FROM links WHERE links.url = urls.id AND nofollow) "
            f"AND NOT EXISTS (SELECT 1 FROM links WHERE links.url = urls.id AND NOT nofollow) FROM urls "
            f"WHERE crawl = ? AND (state = 'queued' OR state = 'skipped' AND rule IN ({rules}))",
            (crawl,),
        ).fetchall()
        for number, url, depth, state, shunned in rows:
            verdict = judge(url, depth)
            if verdict is not None:
                self.settle(number, "skipped", verdict.rule, verdict.reason)
            elif state == "skipped" and shunned:
                self.settle(number, "skipped", "nofollow", NOFOLLOW)
            elif state == "skipped":
                self.settle(number, "queued")
        self._known.clear()

    def try_again(self, crawl: int, seeds: list[str]) -> None:
        """Queue what could not be had the last time: the seeds, for whoever names them again wants them now, and
        all that failed for a passing reason.
        """
        rules = ", ".join(f"'{rule}'" for rule in PASSING)
        self._conn.execute(
            "UPDATE urls SET state = 'queued', rule = '', reason = '' WHERE crawl = ? "
            f"AND state IN ('failed', 'skipped') AND (rule IN ({rules}) OR rule LIKE 'http-5%')",
            (crawl,),
        )
        self._conn.executemany(
            "UPDATE urls SET state = 'queued', crawl = ?, rule = '', reason = '', target = NULL "
            "WHERE url = ? AND state IN ('failed', 'skipped')",
            ((crawl, seed) for seed in seeds),
        )
        self._known.clear()

    # -- meeting urls --------------------------------------------------------------------

    def meet(
        self, crawl: int, found_on: int | None, found: Iterable[Found], *, max_depth: int, count: bool = False
    ) -> set[str]:
        """Write down the urls a page led to; the hosts that have something to fetch now.

        A url met before keeps its verdict unless it is let in now, or is nearer to a seed than was known. What
        another crawl has met is this one's to visit, too.
        """
        woken = set()
        for url in found:
            known = self._known.get(url.url) or self._recall(url.url)
            if known is None:
                self._add(crawl, found_on, url)
                if not url.rule:
                    woken.add(url.host)
            else:
                number, depth, open_still = known
                if open_still and (not url.rule or (depth == FAR and url.rule != "nofollow")):
                    self._judge_again(number, depth, crawl, found_on, url)
                    if not url.rule:
                        woken.add(url.host)
                elif url.depth < depth and url.rule != "nofollow":
                    woken |= self._relax([(number, url.depth, found_on)], max_depth)
            if count and not url.rule:
                self._conn.execute("UPDATE urls SET inlinks = inlinks + 1 WHERE url = ?", (url.url,))
        return woken

    def _recall(self, url: str) -> tuple[int, int, bool] | None:
        row = self._conn.execute("SELECT id, depth, state, rule, crawl FROM urls WHERE url = ?", (url,)).fetchone()
        if row is None:
            return None
        number, depth, state, rule, crawl = row
        if crawl != self._crawl:
            return number, ELSEWHERE, True
        return self._remember(url, number, depth, rule if state == "skipped" else "")

    def _remember(self, url: str, number: int, depth: int, rule: str) -> tuple[int, int, bool]:
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        known = self._known[url] = (number, FAR if rule == "nofollow" else depth, rule in OURS)
        return known

    def _add(self, crawl: int, found_on: int | None, url: Found) -> None:
        state = "skipped" if url.rule else "queued"
        cursor = self._conn.execute(
            "INSERT INTO urls (url, host, crawl, state, depth, hops, found_on, rule, reason) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (url.url, url.host, crawl, state, url.depth, url.hops, found_on, url.rule, url.reason),
        )
        self._remember(url.url, int(cursor.lastrowid or 0), url.depth, url.rule)

    def _judge_again(self, number: int, depth: int, crawl: int, found_on: int | None, url: Found) -> None:
        self._conn.execute(
            "UPDATE urls SET state = ?, crawl = ?, hops = ?, rule = ?, reason = ? WHERE id = ?",
            ("skipped" if url.rule else "queued", crawl, url.hops, url.rule, url.reason, number),
        )
        if url.depth <= depth or depth == ELSEWHERE:
            self._come_nearer(number, url.depth, found_on)
            depth = url.depth
        self._remember(url.url, number, min(depth, url.depth), url.rule)

    def _come_nearer(self, number: int, depth: int, found_on: int | None) -> None:
        self._conn.execute("UPDATE urls SET depth = ?, found_on = ? WHERE id = ?", (depth, found_on, number))

    def catch_up(self, number: int, depth: int, *, max_depth: int) -> set[str]:
        """A url may have come nearer than `depth` while its page was under way; then so has what it leads to."""
        (now,) = self._conn.execute("SELECT depth FROM urls WHERE id = ?", (number,)).fetchone()
        return self._relax(self._leads_to(number, now), max_depth) if now < depth else set()

    def _relax(self, nearer: list[tuple[int, int, int | None]], max_depth: int) -> set[str]:
        """Urls turned out to be nearer to a seed, and so may be all that they lead to: (url, depth, found on)."""
        woken = set()
        while nearer:
            number, depth, found_on = nearer.pop()
            before, state, rule, host = self._conn.execute(
                "SELECT depth, state, rule, host FROM urls WHERE id = ?", (number,)
            ).fetchone()
            if depth >= before:
                continue
            self._come_nearer(number, depth, found_on)
            if state == "skipped" and rule == "depth" and depth <= max_depth:
                self.settle(number, "queued")
                woken.add(host)
            nearer += self._leads_to(number, depth)
            self._known.clear()
        return woken

    def _leads_to(self, number: int, depth: int) -> list[tuple[int, int, int | None]]:
        """Where a page's links, its canonical link or a redirect lead, and how deep that is."""
        rows = self._conn.execute(
            "SELECT links.url, 1 FROM links JOIN pages ON pages.id = links.page "
            "WHERE pages.url = :here AND NOT links.nofollow "
            "UNION SELECT told.id, 1 FROM urls AS here JOIN pages ON pages.url = here.id "
            "JOIN urls AS told ON told.url = pages.canonical AND told.host = here.host WHERE here.id = :here "
            "UNION SELECT target, 0 FROM urls WHERE id = :here AND rule = 'redirect'",
            {"here": number},
        )
        return [(target, depth + step, number) for target, step in rows]

    def ids(self, urls: Iterable[str]) -> dict[str, int]:
        """The ids of urls that have all been met."""
        found = {}
        for url in urls:
            known = self._known.get(url) or self._recall(url)
            if known is None:
                raise KeyError(url)
            found[url] = known[0]
        return found

    def forget_cache(self) -> None:
        """After a transaction was rolled back, nothing remembered can be trusted."""
        self._known.clear()

    # -- deciding ------------------------------------------------------------------------

    def settle(self, number: int, state: str, rule: str = "", reason: str = "", target: int | None = None) -> None:
        """What became of a url."""
        self._conn.execute(
            "UPDATE urls SET state = ?, rule = ?, reason = ?, target = ? WHERE id = ?",
            (state, rule, reason, target, number),
        )

    def count_inlinks(self, crawl: int) -> None:
        """Bring `inlinks` of the queued urls up to date, for best-first order."""
        self._conn.execute(
            "UPDATE urls SET inlinks = "
            "(SELECT count(DISTINCT page) FROM links WHERE links.url = urls.id AND NOT nofollow) "
            "WHERE crawl = ? AND state = 'queued'",
            (crawl,),
        )

    # -- the frontier --------------------------------------------------------------------

    def waiting_hosts(self, crawl: int) -> list[str]:
        """Hosts with queued urls."""
        rows = self._conn.execute("SELECT DISTINCT host FROM urls WHERE crawl = ? AND state = 'queued'", (crawl,))
        return [host for (host,) in rows]

    def count_waiting(self, crawl: int) -> int:
        """How many urls are queued."""
        (count,) = self._conn.execute(
            "SELECT count(*) FROM urls WHERE crawl = ? AND state = 'queued'", (crawl,)
        ).fetchone()
        return int(count)

    def next(self, crawl: int, host: str, order: str, limit: int) -> list[Queued]:
        """The next urls of a host in the order of the crawl."""
        rows = self._conn.execute(
            f"SELECT id, url, host, depth, hops, found_on FROM urls WHERE crawl = ? AND host = ? AND state = 'queued' "
            f"ORDER BY {ORDERS[order]} LIMIT ?",
            (crawl, host, limit),
        )
        return [Queued(*row) for row in rows]

    # -- looking -------------------------------------------------------------------------

    def tally(self, crawl: int | None = None) -> list[tuple[str, str, int]]:
        """(state, rule, how many urls)."""
        where = "" if crawl is None else f"WHERE crawl = {crawl:d}"
        return self._conn.execute(f"SELECT state, rule, count(*) FROM urls {where} GROUP BY state, rule").fetchall()

    def moved(self) -> dict[int, tuple[str, int]]:
        """Where redirects lead: id -> its url, and the id of the next hop."""
        rows = self._conn.execute(
            "SELECT id, url, target FROM urls WHERE rule IN ('redirect', 'redirect-loop') AND target IS NOT NULL"
        )
        return {number: (url, target) for number, url, target in rows}

    def redirect_targets(self, urls: list[str]) -> Iterator[str]:
        """Where `urls` were sent to by redirects, hop by hop."""
        for url in urls:
            seen = set()
            here: str | None = url
            while here and here not in seen:
                seen.add(here)
                row = self._conn.execute(
                    "SELECT target.url FROM urls JOIN urls AS target ON target.id = urls.target "
                    "WHERE urls.url = ? AND urls.rule = 'redirect'",
                    (here,),
                ).fetchone()
                here = row[0] if row else None
                if here:
                    yield here

    def verdict(self, url: str) -> Verdict | None:
        """What is known about a url."""
        row = self._conn.execute(
            "SELECT urls.id, urls.url, state, rule, reason, depth, source.url, target.url, "
            "EXISTS (SELECT 1 FROM pages WHERE pages.url = urls.id AND segment IS NOT NULL) "
            "FROM urls LEFT JOIN (SELECT id, url FROM urls) AS source ON source.id = urls.found_on "
            "LEFT JOIN (SELECT id, url FROM urls) AS target ON target.id = urls.target WHERE urls.url = ?",
            (url,),
        ).fetchone()
        if row is None:
            return None
        number, url, state, rule, reason, depth, source, target, indexed = row
        return Verdict(url, state, rule, reason, depth, source or "", target or "", bool(indexed), self._path(number))

    def _path(self, number: int) -> tuple[str, ...]:
        rows = self._conn.execute(
            "WITH RECURSIVE back(id, url, found_on, step) AS ("
            "  SELECT id, url, found_on, 0 FROM urls WHERE id = ?"
            "  UNION SELECT urls.id, urls.url, urls.found_on, step + 1 FROM back JOIN urls ON urls.id = back.found_on"
            f"  WHERE step < {LONGEST_PATH}) SELECT url FROM back WHERE step > 0 ORDER BY step DESC",
            (number,),
        )
        return tuple(url for (url,) in rows)
