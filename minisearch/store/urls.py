"""URLs in the file: crawls, the frontier, the status of every URL, and what a crawl knows about traps.

A URL's depth is the number of links from the nearest seed. When a shorter path to a URL is found, the paths to all that
it leads to become shorter as well (relaxation), so the rows of a crawl do not depend on the order of its responses.
Of referrers at the same depth the first by URL is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, cast

from minisearch.models import Detail, Found, PastVerdict, Queued, Skipped, Verdict
from minisearch.store.base import TableStore, json_list

# A URL skipped by one of these may be fetched when it is discovered again under better circumstances.
# Every other skip (robots, type, size ...) was decided by the server.
SCOPE_RULES = ("scope", "depth", "pattern", "nofollow", "length", "path")
POLICY_RULES = (*SCOPE_RULES, "redirects")

TRANSIENT_RULES = (
    *("timeout", "connection", "dns", "truncated", "crash", "http-408", "http-425", "http-429"),
    *("robots-unreachable", "host-failures", "archive"),
)
REFUSALS = ("http-401", "http-403")  # that credentials may change
ORDERS = {"breadth": "depth, turn, id", "newest": "id DESC", "best": "inlinks DESC, depth, turn, id"}
FIRST = 1 << 40  # "in-links" of URLs that come before all others
MAX_PATH = 100  # URLs of a crawl path
KNOWN = """
    SELECT urls.id, urls.url, urls.host, urls.crawl_id, urls.state, urls.rule,
        coalesce(json_extract(nullif(urls.detail, ''), '$.limit'), 0), urls.depth, urls.redirects,
        coalesce(referrer.url, '')
    FROM urls LEFT JOIN urls AS referrer ON referrer.id = urls.referrer_id WHERE """
# Where URLs lead: the links and canonical link of a page, which are one step, and a redirect, which is none.
STEPS = """
    SELECT pages.url_id AS source, links.url_id AS target, 1 AS steps, NOT nofollow AS followed, page_id, position
        FROM pages JOIN links ON links.page_id = pages.id
    UNION ALL SELECT here.id, target.id, 1, 1, pages.id, NULL FROM pages JOIN urls AS here ON here.id = pages.url_id
        JOIN urls AS target ON target.url = pages.canonical AND target.host = here.host
    UNION ALL SELECT id, redirect_target_id, 0, 1, NULL, NULL FROM urls
        WHERE rule IN ('redirect', 'redirect-loop') AND redirect_target_id IS NOT NULL"""
DETAIL_ENCODER = json.JSONEncoder(sort_keys=True)


class KnownUrl(NamedTuple):
    """What decides whether another path changes a URL."""

    id: int
    url: str
    host: str
    crawl_id: int | None
    state: str
    rule: str
    limit: int  # of the rule, if it has one
    depth: int
    redirects: int
    referrer: str  # '' for a seed

    @property
    def is_nofollow_only(self) -> bool:
        """Whether only nofollow links lead to it: they do not count as paths."""
        return self.state == "skipped" and self.rule == "nofollow"

    @property
    def is_within_limit(self) -> bool:
        """Whether it was skipped for its depth or its redirects, and they are within the limit now."""
        lengths = {"depth": self.depth, "redirects": self.redirects}
        return self.state == "skipped" and self.rule in lengths and lengths[self.rule] <= self.limit


class Path(NamedTuple):
    """A path to a URL: its length in links and in redirects at its end, and the last URL before."""

    url_id: int
    depth: int
    redirects: int
    referrer_id: int | None
    referrer: str  # '' for a seed

    def is_better(self, known: KnownUrl) -> bool:
        """Whether it is shorter than the known path, or the same length from a referrer that comes first."""
        if self.depth != known.depth:
            return self.depth < known.depth
        return self.redirects <= known.redirects and self.referrer < known.referrer


class Redirect(NamedTuple):
    """A URL that redirects to another one."""

    url: str
    target: int
    detail: Detail


class UrlStore(TableStore):
    """Reads and writes of `crawls`, `urls`, `url_history` and `traps`. Writes need a transaction."""

    # -- crawls --------------------------------------------------------------------------------

    def begin_crawl(self, seeds: Sequence[str], settings: dict[str, object]) -> tuple[int, dict[str, Any] | None]:
        """Return the id of the crawl with these seeds, and the other settings that it had until now, if any."""
        names, new = json.dumps(sorted(set(seeds))), json.dumps(settings, sort_keys=True)
        table = self._db.table("crawls")
        for row in table.rows_where("seeds = ?", [names]):
            table.update(row["id"], {"settings": new})
            return int(row["id"]), None if row["settings"] == new else json.loads(row["settings"])
        return cast(int, table.insert({"seeds": names, "settings": new}).last_pk), None

    def crawls(self) -> list[tuple[int, list[str], dict[str, Any]]]:
        """(id, seeds, settings) of every crawl."""
        rows = self._db.table("crawls").rows_where(order_by="id")
        return [(row["id"], json.loads(row["seeds"]), json.loads(row["settings"])) for row in rows]

    def last_run_settings(self, seeds: Sequence[str]) -> dict[str, Any]:
        """Return all options of the last run of the crawl with these seeds."""
        for row in self._db.table("runs").rows_where("stage = 'crawl'", order_by="id DESC"):
            settings = json.loads(row["settings"])
            if set(settings.get("seeds", ())) == set(seeds):
                return dict(settings)
        return {}

    def reevaluate(
        self, crawl: int, judge: Callable[[str, int], Skipped | None], rules: Iterable[str] = SCOPE_RULES
    ) -> set[str]:
        """Apply changed rules to what was queued, or skipped by one of `rules`.

        Returns the hosts that have something to fetch now.
        """
        hosts = set()
        rows = self._conn.execute(
            "SELECT id, url, host, depth, state, EXISTS (SELECT 1 FROM links WHERE url_id = urls.id AND nofollow) "
            "AND NOT EXISTS (SELECT 1 FROM links WHERE url_id = urls.id AND NOT nofollow) FROM urls "
            "WHERE crawl_id = ? AND (state = 'queued' OR state = 'skipped' "
            "AND rule IN (SELECT value FROM json_each(?))) ORDER BY id",
            (crawl, json_list(rules)),
        )
        for url_id, url, host, depth, state, nofollow_only in rows:
            skipped = judge(url, depth)
            if skipped is not None:
                self.set_status(url_id, "skipped", skipped.rule, skipped.detail)
            elif state == "skipped" and nofollow_only:
                self.set_status(url_id, "skipped", "nofollow")
            elif state == "skipped":
                self.set_status(url_id, "queued")
                hosts.add(host)
        return hosts

    def copy_from(self, other: UrlStore, crawl: int) -> None:
        """Copy the URLs of a crawl from another file, but not what is known of their pages."""
        columns = "id, url, host, crawl_id, state, rule, detail, depth, redirects, referrer_id, turn, inlinks"
        rows = other._conn.execute(f"SELECT {columns} FROM urls WHERE crawl_id = ?", (crawl,))
        self._conn.executemany(f"INSERT INTO urls ({columns}) VALUES ({', '.join('?' * 12)})", rows)

    def queue_first(self, url_ids: Iterable[int]) -> None:
        """Queue URLs, in this order and before all others if the order is best-first."""
        self._conn.executemany(
            "UPDATE urls SET state = 'queued', inlinks = ? WHERE id = ?",
            ((FIRST - place, url_id) for place, url_id in enumerate(url_ids)),
        )

    def retry(self, crawl: int, seeds: Iterable[str], *, with_headers: bool = False) -> None:
        """Queue what failed for a transient reason, and seeds that failed for any: who names them wants them now.

        With headers, which may hold credentials, queue what was refused without them.
        """
        self._conn.execute(
            "UPDATE urls SET state = 'queued', rule = '', detail = '' WHERE crawl_id = ? AND state IN "
            "('failed', 'skipped') AND (rule IN (SELECT value FROM json_each(?)) OR rule LIKE 'http-5%')",
            (crawl, json_list((*TRANSIENT_RULES, *REFUSALS) if with_headers else TRANSIENT_RULES)),
        )
        self._conn.executemany(
            "UPDATE urls SET state = 'queued', crawl_id = ?, rule = '', detail = '', redirect_target_id = NULL "
            "WHERE url = ? AND state IN ('failed', 'skipped')",
            ((crawl, seed) for seed in seeds),
        )

    # -- discovered URLs -----------------------------------------------------------------------

    def discover(
        self,
        crawl: int,
        referrer_id: int | None,
        found: Iterable[Found],
        *,
        count_inlinks: bool = False,
        turn: Callable[[str], int] = lambda _: 0,
    ) -> set[str]:
        """Write the URLs that a page led to; return the hosts that have something to fetch now.

        A known URL keeps its status unless it is admitted now, or is nearer to a seed than was known. What another
        crawl has discovered is this one's to visit, too. `turn` gives a new URL its turn.
        """
        different: dict[str, Found] = {}
        for url in found:
            different.setdefault(url.url, url)
        referrer = "" if referrer_id is None else self._known(referrer_id).url
        rows = self._rows(f"{KNOWN} urls.url IN (SELECT value FROM json_each(?))", (json_list(different),))
        known = {row[1]: KnownUrl(*row) for row in rows}
        new = [url for url in different.values() if url.url not in known]
        self._insert(crawl, referrer_id, new, turn)
        hosts = {url.host for url in new if not url.rule}
        for url in known:
            hosts |= self._improve(crawl, referrer_id, referrer, different[url], known[url])
        if count_inlinks:
            linked = [(url.url,) for url in different.values() if not url.rule]
            self._conn.executemany("UPDATE urls SET inlinks = inlinks + 1 WHERE url = ?", linked)
        return hosts

    def _known(self, url_id: int) -> KnownUrl:
        (row,) = self._rows(f"{KNOWN} urls.id = ?", (url_id,))
        return KnownUrl(*row)

    def _insert(self, crawl: int, referrer_id: int | None, urls: Iterable[Found], turn: Callable[[str], int]) -> None:
        self._conn.executemany(
            "INSERT INTO urls (url, host, depth, redirects, rule, detail, state, turn, crawl_id, referrer_id) "
            "VALUES (?, ?, ?, ?, ?, ?, CASE ?5 WHEN '' THEN 'queued' ELSE 'skipped' END, ?, ?, ?)",
            (
                (*url[:5], encode_detail(url.detail), 0 if url.rule else turn(url.url), crawl, referrer_id)
                for url in urls
            ),
        )

    def _improve(self, crawl: int, referrer_id: int | None, referrer: str, found: Found, known: KnownUrl) -> set[str]:
        """Change a known URL if another link to it is better; return the hosts that have something to fetch now."""
        is_ours = known.crawl_id == crawl
        path = Path(known.id, found.depth, found.hops, referrer_id, referrer)
        if found.rule == "nofollow":
            if is_ours and known.is_nofollow_only and referrer < known.referrer:
                self._set_path(path)
            return set()
        is_first_path = not is_ours or known.is_nofollow_only
        is_open = is_first_path or (known.state == "skipped" and known.rule in POLICY_RULES)
        hosts = set()
        if is_open and (not found.rule or (is_ours and is_first_path)):
            self._conn.execute(
                "UPDATE urls SET state = ?, crawl_id = ?, rule = ?, detail = ? WHERE id = ?",
                ("skipped" if found.rule else "queued", crawl, found.rule, encode_detail(found.detail), known.id),
            )
            hosts = set() if found.rule else {found.host}
            if is_first_path:
                self._set_path(path)
                self._set_redirects(path)
                return hosts
        if is_ours and (path.is_better(known) or path.redirects < known.redirects):
            hosts |= self._relax([path])
        return hosts

    def ids(self, urls: Iterable[str]) -> dict[str, int]:
        """Return the ids of those of some URLs that were discovered."""
        query = "SELECT url, urls.id FROM json_each(?) JOIN urls ON url = value"
        return dict(self._rows(query, (json_list(urls),)))

    # -- shorter paths -------------------------------------------------------------------------

    def catch_up(self, queued: Queued) -> set[str]:
        """Shorten the paths through a URL if its own path became shorter while it was fetched.

        Returns the hosts that have something to fetch now.
        """
        known = self._known(queued.id)
        is_shorter = known.depth < queued.depth or known.redirects < queued.hops
        return self._relax(self._paths_through(known)) if is_shorter else set()

    def _relax(self, paths: list[Path]) -> set[str]:
        """Give URLs these paths where they are shorter, and shorten the paths to all that they lead to."""
        hosts = set()
        while paths:
            path = paths.pop()
            before = self._known(path.url_id)
            if path.is_better(before):
                self._set_path(path)
            if path.redirects < before.redirects:
                self._set_redirects(path)
            if path.depth >= before.depth and path.redirects >= before.redirects:
                continue
            known = self._known(path.url_id)
            if known.is_within_limit:
                self.set_status(known.id, "queued")
                hosts.add(known.host)
            paths += self._paths_through(known)
        return hosts

    def _set_path(self, path: Path) -> None:
        values = (path.depth, path.referrer_id, path.url_id)
        self._conn.execute("UPDATE urls SET depth = ?, referrer_id = ? WHERE id = ?", values)

    def _set_redirects(self, path: Path) -> None:
        self._conn.execute("UPDATE urls SET redirects = ? WHERE id = ?", (path.redirects, path.url_id))

    def _paths_through(self, known: KnownUrl) -> list[Path]:
        """Where the links of a page, its canonical link or a redirect lead."""
        query = f"SELECT DISTINCT target, steps FROM ({STEPS}) WHERE source = ? AND followed"
        return [
            Path(target, known.depth + step, 0 if step else known.redirects + 1, known.id, known.url)
            for target, step in self._rows(query, (known.id,))
        ]

    # -- status --------------------------------------------------------------------------------

    def set_status(
        self, url_id: int, state: str, rule: str = "", detail: Detail | None = None, target: int | None = None
    ) -> None:
        """Set the state of a URL, the rule that decided, and the URL it redirects to."""
        self._conn.execute(
            "UPDATE urls SET state = ?, rule = ?, detail = ?, redirect_target_id = ? WHERE id = ?",
            (state, rule, encode_detail(detail or {}), target, url_id),
        )

    def status(self, url_id: int) -> tuple[str, str, str, Detail]:
        """(url, state, rule, detail) of a URL."""
        ((url, state, rule, detail),) = self._rows("SELECT url, state, rule, detail FROM urls WHERE id = ?", (url_id,))
        return url, state, rule, decode_detail(detail)

    def counts(self, crawl: int | None = None) -> dict[str, dict[str, int]]:
        """The number of URLs by state and rule."""
        where = "" if crawl is None else f"WHERE crawl_id = {crawl:d}"
        found: dict[str, dict[str, int]] = {}
        for state, rule, count in self._rows(f"SELECT state, rule, count(*) FROM urls {where} GROUP BY state, rule"):
            found.setdefault(state, {})[rule] = count
        return found

    def verdict(self, url: str) -> Verdict | None:
        """What became of a URL, how it was reached and what it was before, without the reason in words."""
        rows = self._rows(
            "SELECT url_id, url, state, rule, detail, depth, coalesce(referrer, ''), coalesce(leads_to, ''), "
            "EXISTS (SELECT 1 FROM pages WHERE pages.url_id = url_status.url_id AND segment_id IS NOT NULL) "
            "FROM url_status WHERE url = ?",
            (url,),
        )
        for url_id, url, state, rule, detail, depth, referrer, target, indexed in rows:
            known = (url, state, rule, "", depth, referrer, target, bool(indexed))
            return Verdict(*known, self.path(url_id), self._history(url_id), decode_detail(detail))
        return None

    def _history(self, url_id: int) -> tuple[PastVerdict, ...]:
        rows = self._db.table("url_history").rows_where("url_id = ?", [url_id], order_by="rowid DESC")
        return tuple(
            PastVerdict(row["until"], row["state"], row["rule"], "", decode_detail(row["detail"])) for row in rows
        )

    def path(self, url_id: int) -> tuple[str, ...]:
        """The crawl path to a URL, from the seed on; the last part of a very long one."""
        urls = self._column(
            "WITH RECURSIVE back(id, url, referrer_id, step) AS ("
            "  SELECT id, url, referrer_id, 0 FROM urls WHERE id = ?"
            "  UNION SELECT urls.id, urls.url, urls.referrer_id, step + 1 FROM back "
            f"  JOIN urls ON urls.id = back.referrer_id WHERE step < {MAX_PATH}) "
            "SELECT url FROM back WHERE step > 0 ORDER BY step DESC",
            (url_id,),
        )
        return tuple(urls)

    def redirects(self) -> dict[int, Redirect]:
        """The redirects by their ids, each with the next URL of its chain."""
        rows = self._rows(
            "SELECT id, url, redirect_target_id, detail FROM urls "
            "WHERE rule IN ('redirect', 'redirect-loop') AND redirect_target_id IS NOT NULL"
        )
        return {url_id: Redirect(url, target, decode_detail(detail)) for url_id, url, target, detail in rows}

    def redirect_targets(self, urls: Iterable[str]) -> list[str]:
        """The URLs of the redirect chains that begin at `urls`."""
        return self._column(
            "WITH RECURSIVE chain(id) AS (SELECT redirect_target_id FROM json_each(?) JOIN urls ON url = value "
            "WHERE rule = 'redirect' UNION SELECT redirect_target_id FROM chain JOIN urls USING (id) "
            "WHERE rule = 'redirect') SELECT url FROM chain JOIN urls USING (id)",
            (json_list(urls),),
        )

    def fetched(self, crawl: int) -> Iterator[tuple[str, str]]:
        """(url, host) of every page that a crawl has fetched."""
        query = "SELECT urls.url, host FROM urls JOIN pages ON pages.url_id = urls.id WHERE crawl_id = ?"
        return self._conn.execute(query, (crawl,))

    # -- the frontier --------------------------------------------------------------------------

    def queued_hosts(self, crawl: int) -> list[str]:
        """Hosts with queued URLs."""
        return self._column("SELECT DISTINCT host FROM urls WHERE crawl_id = ? AND state = 'queued'", (crawl,))

    def count_queued(self, crawl: int) -> int:
        """The number of queued URLs."""
        return int(self._db.table("urls").count_where("crawl_id = ? AND state = 'queued'", [crawl]))

    def queued_turns(self, crawl: int) -> Iterator[tuple[str, int]]:
        """(url, turn) of the queued URLs whose turn is not the first."""
        query = "SELECT url, turn FROM urls WHERE crawl_id = ? AND state = 'queued' AND turn > 0"
        return self._conn.execute(query, (crawl,))

    def next_queued(self, crawl: int, host: str, order: str, limit: int) -> list[Queued]:
        """The next URLs of a host in the order of the crawl."""
        rows = self._rows(
            "SELECT id, url, host, depth, redirects FROM urls "
            f"WHERE crawl_id = ? AND host = ? AND state = 'queued' ORDER BY {ORDERS[order]} LIMIT ?",
            (crawl, host, limit),
        )
        return [Queued(*row) for row in rows]

    def count_inlinks(self, crawl: int) -> None:
        """Update `inlinks` of the queued URLs, for best-first order."""
        self._conn.execute(
            "UPDATE urls SET inlinks = "
            "(SELECT count(DISTINCT page_id) FROM links WHERE links.url_id = urls.id AND NOT nofollow) "
            "WHERE crawl_id = ? AND state = 'queued'",
            (crawl,),
        )

    # -- crawler traps -------------------------------------------------------------------------

    def save_trap(
        self, crawl: int, pattern: str, blocked: bool, recent: Iterable[int], different: Iterable[Any]
    ) -> None:
        """Save the state of a URL pattern."""
        self._conn.execute(
            "INSERT OR REPLACE INTO traps (crawl_id, pattern, blocked, recent, different) VALUES (?, ?, ?, ?, ?)",
            (crawl, pattern, int(blocked), json.dumps([*map(int, recent)]), json.dumps([*different])),
        )

    def clear_traps(self, crawl: int) -> None:
        """Delete the URL patterns of a crawl."""
        self._db.table("traps").delete_where("crawl_id = ?", [crawl])

    def traps(self, crawl: int) -> Iterator[tuple[str, bool, list[int], list[Any]]]:
        """(pattern, blocked, recent, different) of every saved URL pattern of a crawl."""
        for row in self._db.table("traps").rows_where("crawl_id = ?", [crawl]):
            yield row["pattern"], bool(row["blocked"]), json.loads(row["recent"]), json.loads(row["different"])

    def sitemaps_read(self, crawl: int) -> set[str]:
        """The sitemaps of a crawl that were read to their end and name no others."""
        rows = self._db.table("urls").rows_where("crawl_id = ? AND rule = 'sitemap'", [crawl], select="url, detail")
        to_read_again = {"problem", "sitemaps", "unfinished"}
        return {row["url"] for row in rows if to_read_again.isdisjoint(json.loads(row["detail"]))}

    def repeated_contents(self, crawl: int) -> Iterator[tuple[str, str]]:
        """(url, content hash) of the undated pages of a crawl that share their text, oldest first."""
        undated = "crawl_id = ?1 AND last_modified = '' AND etag NOT LIKE '\"%'"
        return self._conn.execute(
            f"SELECT urls.url, content_hash FROM pages JOIN urls ON urls.id = pages.url_id WHERE {undated} "
            "AND content_hash IN (SELECT content_hash FROM pages JOIN urls ON urls.id = pages.url_id "
            f"WHERE {undated} GROUP BY content_hash HAVING count(*) > 1) ORDER BY pages.id",
            (crawl,),
        )

    # -- a recorded crawl, to be replayed ------------------------------------------------------

    def replay_pages(self) -> dict[int, int | None]:
        """Every URL that was answered with a page: its id, and the page it finally leads to."""
        return dict(self._rows("SELECT urls.id, urls.page_id FROM pages JOIN urls ON urls.id = pages.url_id"))

    def replay_seeds(self) -> list[int]:
        """The URLs without a referrer, in the order in which they were named."""
        return self._column("SELECT id FROM urls WHERE referrer_id IS NULL ORDER BY rule = 'sitemap', id")

    def replay_links(self) -> Iterator[tuple[int, int, int, bool]]:
        """(url, target, steps, whether it is followed): links in the order of the page, then other ways to a URL."""
        queries = (
            f"SELECT source, target, steps, followed FROM ({STEPS}) ORDER BY position IS NULL, page_id, position",
            "SELECT sitemap.id, urls.id, 1, 1 FROM urls JOIN urls AS sitemap ON sitemap.id = urls.referrer_id "
            "WHERE sitemap.rule = 'sitemap' ORDER BY urls.id",
        )
        for query in queries:
            for source, target, steps, is_followed in self._conn.execute(query):
                yield source, target, steps, bool(is_followed)


def encode_detail(detail: Detail) -> str:
    """The details of a decision as they are written into the file: equal text for equal details."""
    return DETAIL_ENCODER.encode(detail) if detail else ""


def decode_detail(text: str) -> Detail:
    """The details that were written as this text."""
    return dict(json.loads(text)) if text else {}
