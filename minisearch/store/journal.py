"""The journal: every url ever met and what became of it. Its queued part is the frontier."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any, cast

from minisearch.models import Detail, Found, Link, Skipped
from minisearch.store.distances import Distances
from minisearch.store.file import File
from minisearch.store.known import ELSEWHERE, FAR, Known, unsettled
from minisearch.store.links import link_rows
from minisearch.store.verdicts import packed

# A url skipped by one of these may be fetched after all when it is met again under better circumstances.
# Every other skip (robots, type, size ...) was decided by the server.
OURS = ("scope", "depth", "pattern", "nofollow", "length", "path", "redirects")

# These failures may be gone the next time.
PASSING = (
    *("timeout", "connection", "dns", "truncated", "crash", "http-408", "http-425", "http-429"),
    *("robots-unreachable", "host-failures", "archive"),
)


TOGETHER = (32, 16, 8, 4, 2, 1)  # urls that are written by one statement, which is sooner done than by as many


class Journal(Distances):
    """Reads and writes of `crawls` and `urls`."""

    def __init__(self, file: File) -> None:
        super().__init__(file)
        self._db = file.db
        self._crawl = 0  # the one under way

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

    def settings(self, seeds: list[str]) -> dict[str, Any]:
        """The settings under which the crawl with these seeds was begun or last gone on with."""
        named = json.dumps(sorted(set(seeds)))
        row = self._conn.execute("SELECT settings FROM crawls WHERE seeds = ?", (named,)).fetchone()
        return dict(json.loads(row[0])) if row else {}

    def reconsider(self, crawl: int, judge: Callable[[str, int], Skipped | None], also: Iterable[str] = ()) -> set[str]:
        """Apply changed rules to what was queued or skipped by the old ones, or by the rules named in `also`.

        Gives the hosts that have something to fetch now.
        """
        woken = set()
        rules = ", ".join(f"'{rule}'" for rule in {*OURS, *also} if rule != "redirects" or rule in also)
        rows = self._in_batches(
            "SELECT id, url, host, depth, state, EXISTS (SELECT 1 FROM links WHERE links.url_id = urls.id "
            "AND nofollow) "
            f"AND NOT EXISTS (SELECT 1 FROM links WHERE links.url_id = urls.id AND NOT nofollow) FROM urls "
            f"WHERE crawl_id = {crawl:d} AND (state = 'queued' OR state = 'skipped' AND rule IN ({rules}))"
        )
        for number, url, host, depth, state, shunned in rows:
            verdict = judge(url, depth)
            if verdict is not None:
                self.settle(number, "skipped", verdict.rule, verdict.detail)
            elif state == "skipped" and shunned:
                self.settle(number, "skipped", "nofollow")
            elif state == "skipped":
                self.settle(number, "queued")
                woken.add(host)
        self._known.clear()
        return woken

    def try_again(self, crawl: int, seeds: list[str]) -> None:
        """Queue what could not be had the last time: the seeds, for whoever names them again wants them now, and
        all that failed for a passing reason.
        """
        rules = ", ".join(f"'{rule}'" for rule in PASSING)
        self._conn.execute(
            "UPDATE urls SET state = 'queued', rule = '', detail = '' WHERE crawl_id = ? "
            f"AND state IN ('failed', 'skipped') AND (rule IN ({rules}) OR rule LIKE 'http-5%')",
            (crawl,),
        )
        self._conn.executemany(
            "UPDATE urls SET state = 'queued', crawl_id = ?, rule = '', detail = '', redirect_target_id = NULL "
            "WHERE url = ? AND state IN ('failed', 'skipped')",
            ((crawl, seed) for seed in seeds),
        )
        self._known.clear()

    # -- meeting urls --------------------------------------------------------------------

    def meet(
        self,
        crawl: int,
        found_on: int | None,
        found: Iterable[Found],
        *,
        max_depth: int,
        max_redirects: int = 10,
        count: bool = False,
        teller: str = "",
        turn: Callable[[str], int] = lambda _: 0,
    ) -> set[str]:
        """Write down the urls a page led to; the hosts that have something to fetch now. `teller` is the page's url.

        `turn` gives a new url its turn: at the same depth, smaller turns come first.

        A url met before keeps its verdict unless it is let in now, or is nearer to a seed than was known. What
        another crawl has met is this one's to visit, too.
        """
        teller = teller or ("" if found_on is None else self.fate(found_on)[0])
        here = [*found] if count else unsettled(tuple(found), self._known, teller)
        added = self._add(crawl, found_on, teller, [url for url in here if self._known.get(url.url) is None], turn)
        woken = {url.host for url in added.values() if not url.rule}
        for url in here if len(added) < len(here) else ():
            if added.get(url.url) is url:
                continue
            known = self._known.get(url.url) or self._recall(url.url)
            near = FAR if url.rule == "nofollow" else url.depth
            if known.is_open and (not url.rule or (known.depth == FAR and near < FAR)):
                self._judge_again(known, crawl, found_on, teller, url)
                if not url.rule:
                    woken.add(url.host)
            elif near < known.depth:
                woken |= self._fewer_links([(known.id, url.depth, found_on)], max_depth)
            elif near == known.depth and teller < known.teller and url.hops <= known.hops:
                self._reached(known.id, url.depth, found_on)
                self._known.keep(url.url, known._replace(teller=teller))
            if url.hops < known.hops:
                woken |= self._fewer_redirects(known.id, url.hops, max_redirects)
            if count and not url.rule:
                self._conn.execute("UPDATE urls SET inlinks = inlinks + 1 WHERE url = ?", (url.url,))
        return woken

    def _recall(self, url: str) -> Known:
        row = self._conn.execute(
            "SELECT id, depth, state, rule, crawl_id, redirects, "
            "(SELECT url FROM urls AS told_by WHERE told_by.id = urls.referrer_id) FROM urls WHERE url = ?",
            (url,),
        ).fetchone()
        if row is None:
            raise KeyError(url)
        number, depth, state, rule, crawl, hops, teller = row
        if crawl != self._crawl:
            return Known(number, ELSEWHERE, True, 0, "")
        return self._remember(url, number, depth, rule if state == "skipped" else "", hops, teller or "")

    def _remember(self, url: str, number: int, depth: int, rule: str, hops: int, teller: str) -> Known:
        known = Known(number, FAR if rule == "nofollow" else depth, rule in OURS, hops, teller)
        self._known.keep(url, known)
        return known

    def _add(
        self, crawl: int, found_on: int | None, teller: str, urls: list[Found], turn: Callable[[str], int]
    ) -> dict[str, Found]:
        """Write down urls, unless they are there already; gives those that were not, by name."""
        added: dict[str, Found] = {}
        begin = 0
        for size in TOGETHER:
            for start in range(begin, len(urls) - size + 1, size):
                added |= self._add_some(crawl, found_on, teller, urls[start : start + size], turn)
                begin = start + size
        return added

    def _add_some(
        self, crawl: int, found_on: int | None, teller: str, urls: list[Found], turn: Callable[[str], int]
    ) -> dict[str, Found]:
        values: list[int | str | None] = [crawl, found_on]
        for url in urls:
            state = "skipped" if url.rule else "queued"
            number = 0 if url.rule else turn(url.url)
            values += (url.url, url.host, state, url.depth, url.hops, number, url.rule, packed(url.detail))
        cursor = self._conn.execute(_into_urls(len(urls)), values)
        if not cursor.rowcount:
            return {}
        before = int(cursor.lastrowid or 0) - cursor.rowcount  # ids are given one after the other
        if cursor.rowcount < len(urls):  # some were there, or stand here twice
            rows = self._conn.execute("SELECT url FROM urls WHERE id > ? ORDER BY id", (before,)).fetchall()
            named = {url.url: url for url in reversed(urls)}
            urls = [named[name] for (name,) in rows]
        for number, url in enumerate(urls, before + 1):
            self._remember(url.url, number, url.depth, url.rule, url.hops, teller)
        return {url.url: url for url in urls}

    def _judge_again(self, known: Known, crawl: int, found_on: int | None, teller: str, url: Found) -> None:
        number, depth, told_by = known.id, known.depth, known.teller
        self._conn.execute(
            "UPDATE urls SET state = ?, crawl_id = ?, redirects = ?, rule = ?, detail = ? WHERE id = ?",
            ("skipped" if url.rule else "queued", crawl, url.hops, url.rule, packed(url.detail), number),
        )
        if url.depth < depth or depth == ELSEWHERE or (url.depth == depth and teller <= told_by):
            self._reached(number, url.depth, found_on)
            depth, told_by = url.depth, teller
        self._remember(url.url, number, min(depth, url.depth), url.rule, url.hops, told_by)

    def ids(self, urls: Iterable[str]) -> dict[str, int]:
        """The ids of urls that have all been met."""
        return {url: (self._known.get(url) or self._recall(url)).id for url in urls}

    def link_rows(self, links: tuple[Link, ...]) -> list[int | str]:
        """The values of the rows of links to urls that have all been met: what is known of most is at hand."""
        with suppress(KeyError):
            return link_rows(links, self._known)
        return link_rows(links, self.ids({link.url for link in links}))

    def forget_cache(self) -> None:
        """After a transaction was rolled back, nothing remembered can be trusted."""
        self._known.clear()

    # -- deciding ------------------------------------------------------------------------

    def forget_past(self, details: Mapping[int, Detail]) -> None:
        """Remove past verdicts with these details: they were given in the course of one visit."""
        rows = ((number, packed(detail)) for number, detail in details.items())
        self._conn.executemany("DELETE FROM url_history WHERE url_id = ? AND detail = ?", rows)

    def count_inlinks(self, crawl: int) -> None:
        """Bring `inlinks` of the queued urls up to date, for best-first order."""
        self._conn.execute(
            "UPDATE urls SET inlinks = "
            "(SELECT count(DISTINCT page_id) FROM links WHERE links.url_id = urls.id AND NOT nofollow) "
            "WHERE crawl_id = ? AND state = 'queued'",
            (crawl,),
        )


@cache
def _into_urls(count: int) -> str:
    """The statement that writes so many urls. What they have in common is told once: the crawl, and where they were
    found.
    """
    rows = ", ".join(["(?1, ?2, ?, ?, ?, ?, ?, ?, ?, ?)"] * count)
    names = "crawl_id, referrer_id, url, host, state, depth, redirects, turn, rule, detail"
    return f"INSERT INTO urls ({names}) VALUES {rows} ON CONFLICT (url) DO NOTHING"
