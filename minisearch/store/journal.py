"""The journal: every url ever met and what became of it. Its queued part is the frontier."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from minisearch.records import Found, Queued, Skipped, Verdict
from minisearch.store.file import File

# A url skipped by one of these may be fetched after all when it is met again under better circumstances.
# Every other skip (robots, type, size ...) was decided by the server.
OURS = ("scope", "depth", "pattern", "nofollow", "length", "redirects")

ORDERS = {"breadth": "depth, id", "newest": "id DESC", "best": "inlinks DESC, depth, id"}
REMEMBERED = 300_000  # urls whose ids are kept in memory
LONGEST_PATH = 100


class Journal:
    """Reads and writes of `crawls` and `urls`."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._db = file.db
        self._conn = file.db.conn
        self._known: dict[str, tuple[int, int, bool]] = {}  # url -> id, depth, may still be let in

    # -- crawls --------------------------------------------------------------------------

    def begin(self, seeds: list[str], settings: dict[str, object]) -> tuple[int, bool]:
        """The id of the crawl with these seeds, and whether it was begun before under other settings."""
        named, wanted = json.dumps(sorted(seeds)), json.dumps(settings, sort_keys=True)
        row = self._conn.execute("SELECT id, settings FROM crawls WHERE seeds = ?", (named,)).fetchone()
        if row is None:
            self._db.table("crawls").insert({"seeds": named, "settings": wanted})
            row = self._conn.execute("SELECT id, settings FROM crawls WHERE seeds = ?", (named,)).fetchone()
            return int(row[0]), False
        self._conn.execute("UPDATE crawls SET settings = ? WHERE id = ?", (wanted, row[0]))
        return int(row[0]), row[1] != wanted

    def reconsider(self, crawl: int, judge: Callable[[str, int], Skipped | None]) -> None:
        """Apply changed rules to what was queued or skipped by the old ones."""
        rules = ", ".join(f"'{rule}'" for rule in OURS if rule != "nofollow")
        rows = self._conn.execute(
            f"SELECT id, url, depth, state FROM urls WHERE crawl = ? AND "
            f"(state = 'queued' OR state = 'skipped' AND rule IN ({rules}))",
            (crawl,),
        ).fetchall()
        for number, url, depth, state in rows:
            verdict = judge(url, depth)
            if verdict is not None:
                self.settle(number, "skipped", verdict.rule, verdict.reason)
            elif state == "skipped":
                self._queue(number, crawl, depth)
        self._known.clear()

    # -- meeting urls --------------------------------------------------------------------

    def meet(
        self, crawl: int, found_on: int | None, found: Iterable[Found], *, max_depth: int, count: bool = False
    ) -> set[str]:
        """Write down the urls a page led to; the hosts that have something to fetch now.

        A url met before keeps its verdict unless it is let in now, or is nearer to a seed than was known.
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
                if open_still and not url.rule:
                    self._queue(number, crawl, min(depth, url.depth), found_on, url.hops)
                    self._known[url.url] = (number, min(depth, url.depth), False)
                    woken.add(url.host)
                elif url.depth < depth:
                    woken |= self._nearer(number, url.depth, found_on, max_depth)
                    self._known[url.url] = (number, url.depth, open_still)
            if count and not url.rule:
                self._conn.execute("UPDATE urls SET inlinks = inlinks + 1 WHERE url = ?", (url.url,))
        return woken

    def _recall(self, url: str) -> tuple[int, int, bool] | None:
        row = self._conn.execute("SELECT id, depth, state, rule FROM urls WHERE url = ?", (url,)).fetchone()
        if row is None:
            return None
        number, depth, state, rule = row
        return self._remember(url, number, depth, state == "skipped" and rule in OURS)

    def _remember(self, url: str, number: int, depth: int, open_still: bool) -> tuple[int, int, bool]:
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        known = self._known[url] = (number, depth, open_still)
        return known

    def _add(self, crawl: int, found_on: int | None, url: Found) -> None:
        state = "skipped" if url.rule else "queued"
        cursor = self._conn.execute(
            "INSERT INTO urls (url, host, crawl, state, depth, hops, found_on, rule, reason) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (url.url, url.host, crawl, state, url.depth, url.hops, found_on, url.rule, url.reason),
        )
        self._remember(url.url, int(cursor.lastrowid or 0), url.depth, url.rule in OURS)

    def _queue(self, number: int, crawl: int, depth: int, found_on: int | None = None, hops: int = 0) -> None:
        self._conn.execute(
            "UPDATE urls SET state = 'queued', crawl = ?, depth = ?, hops = ?, rule = '', reason = '', "
            "found_on = coalesce(?, found_on) WHERE id = ?",
            (crawl, depth, hops, found_on, number),
        )

    def _nearer(self, number: int, depth: int, found_on: int | None, max_depth: int) -> set[str]:
        """A url turned out to be nearer to a seed, and so may be all that it leads to."""
        woken = set()
        waiting = [(number, depth, found_on)]
        while waiting:
            number, depth, found_on = waiting.pop()
            before, state, rule, host, crawl = self._conn.execute(
                "SELECT depth, state, rule, host, crawl FROM urls WHERE id = ?", (number,)
            ).fetchone()
            if depth >= before:
                continue
            self._conn.execute(
                "UPDATE urls SET depth = ?, found_on = coalesce(?, found_on) WHERE id = ?",
                (depth, found_on, number),
            )
            if state == "skipped" and rule == "depth" and depth <= max_depth:
                self._queue(number, crawl, depth)
                woken.add(host)
            step = 0 if rule == "redirect" else 1
            leads_to = self._conn.execute(
                "SELECT links.url FROM links JOIN pages ON pages.id = links.page "
                "WHERE pages.url = ? AND NOT links.nofollow "
                "UNION SELECT target FROM urls WHERE id = ? AND rule = 'redirect'",
                (number, number),
            )
            waiting += [(target, depth + step, number) for (target,) in leads_to]
            self._known.clear()
        return woken

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
        rows = self._conn.execute("SELECT id, url, target FROM urls WHERE rule IN ('redirect', 'redirect-loop')")
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
