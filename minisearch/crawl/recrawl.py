"""Recrawl: visit known pages again, update those that changed, and remove those that are gone.

Servers are sent the ETag and Last-Modified of the stored version, and most respond that it is unchanged. Visits are
staged in tables of their own (store/recrawl.py) and applied in one transaction at the end, so that the old pages stay
searchable until then, and a recrawl that was killed continues where it was. A site that would lose more than a third of
its pages is left as it was: a server that has lost its pages may respond to every URL with the same login page.

The order of requests depends on the rank of a page and on the probability that it has changed: a page that was found
unchanged again and again changes seldom. Changes are taken as random events that happen at some rate (Cho and
Garcia-Molina, "The Evolution of the Web and Implications for an Incremental Crawler", 2000): after `t` days without a
change the rate is about 1 / t.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import exp
from typing import Any

from minisearch.crawl.crawler import default_max_requests
from minisearch.crawl.duplicates import merge_pages
from minisearch.crawl.job import CrawlJob, CrawlOptions, restored
from minisearch.crawl.sitemaps import is_sitemap
from minisearch.crawl.verdicts import describe
from minisearch.crawl.visit import status
from minisearch.errors import BadInput, NotFound
from minisearch.limits import check_number
from minisearch.models import Detail, Failed, Found, Page, Queued, Redirect, Skipped, Unchanged, Visit
from minisearch.store.database import Store, now
from minisearch.store.recrawl import StoredPage, Visited
from minisearch.urls import normalize, origin

# These do not describe a page.
TEMPORARY = ("robots-unreachable", "host-failures", "address", "http-408", "http-425", "http-429")
FIRST_GUESS = 1.0  # days after which a page of unknown rate is expected to have changed
DAY = 86_400.0
MAX_LOST = 1 / 3  # share of its pages that a site, or all of them, may lose at once
MIN_PAGES = 10  # of a site that is judged alone: a third of a few pages is soon lost
LASTING = {each.name for each in fields(CrawlOptions)} - {"workers", "warc", "max_requests"}  # taken from the last run


# -- order and refusal -----------------------------------------------------------------------


def likely_change(known: Visited, moment: datetime) -> float:
    """The probability that a page has changed since it was last visited."""
    fetched = _time(datetime.fromisoformat, known.fetched_at)
    seen = _time(datetime.fromisoformat, known.checked_at) or fetched
    since = min(filter(None, (fetched, _time(parsedate_to_datetime, known.last_modified))), default=None)
    if seen is None or since is None:
        return 1.0
    steady = max(0.0, (seen - since).total_seconds() / DAY)
    waited = max(0.0, (moment - seen).total_seconds() / DAY)
    return 1 - exp(-waited / (steady + FIRST_GUESS))


def in_order(known: Iterable[Visited], moment: datetime) -> list[Visited]:
    """Pages by rank x probability of change; after them the URLs that were no pages the last time."""

    def key(each: Visited) -> tuple[bool, float, int, int]:
        return each.page is None, -each.score * likely_change(each, moment), each.queued.depth, each.queued.id

    return sorted(known, key=key)


def _time(parse: Callable[[str], datetime], written: str) -> datetime | None:
    try:
        found = parse(written)
    except (TypeError, ValueError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def shrinking_sites(before: Mapping[str, int], after: Mapping[str, int]) -> set[str]:
    """The sites that lose too many of the pages that their URLs lead to; all sites if the sum is still too much.

    A site that loses a third of its pages at once is more likely to be out of order, or to block us.

    >>> shrinking_sites({"a": 60, "b": 12}, {"a": 59, "b": 1}), sorted(shrinking_sites({"a": 6, "b": 3}, {"a": 5}))
    ({'b'}, ['a', 'b'])
    """
    lost = {site: pages - after.get(site, 0) for site, pages in before.items()}
    refused = {site for site, count in lost.items() if before[site] >= MIN_PAGES and count > MAX_LOST * before[site]}
    others = sum(count for site, count in lost.items() if site not in refused)
    return {*before, *after} if others > MAX_LOST * sum(before.values()) else refused


# -- one crawl, run again --------------------------------------------------------------------


@dataclass
class RecrawlSummary:
    """The pages that were visited again, by result."""

    unchanged: int = 0  # according to the server, or with the same text
    changed: int = 0
    new: int = 0
    gone: list[tuple[str, str]] = field(default_factory=list)  # (URL, why)
    kept: int = 0  # could not be fetched now, and stay as they were
    pages: int = 0  # before
    refused: list[str] = field(default_factory=list)  # sites that would lose too many pages, and were left as they were
    interrupted: bool = False
    not_visited: int = 0  # when the request limit was reached, or it was interrupted
    seconds: float = 0.0

    @property
    def shrunk(self) -> bool:
        """Whether more than a third of the pages, of a site or of all, would have left the results."""
        return bool(self.refused)

    @property
    def altered(self) -> bool:
        """Whether a page has changed, appeared or gone."""
        return bool(self.changed or self.new or self.gone)

    @property
    def visited(self) -> int:
        """How many pages were checked."""
        return self.unchanged + self.changed + len(self.gone) + self.kept


class RecrawlJob(CrawlJob):
    """One crawl, run again. Iterating it stages its visits; `apply` decides what may be dropped, and writes them.

    Known URLs come first, then those that are queued, and those that this recrawl discovers. Its frontier is a copy of
    the URLs in memory: those in the file stay as they are.
    """

    _stage = "recrawl"

    def __init__(
        self,
        store: Store,
        seeds: Sequence[str],
        options: CrawlOptions,
        plan: Sequence[Visited],
        *,
        crawl_id: int,
        budget: int | None = None,
        only: Sequence[str] = (),
        accept_shrink: bool = False,
        **how: Any,
    ) -> None:
        super().__init__(store, seeds, options, **how)
        self.crawl_id = crawl_id
        self._plan, self._only, self._budget = list(plan), list(only), budget
        self._accept_shrink = accept_shrink or bool(only)
        self._known_urls = {known.queued.url for known in plan}
        self._visited: set[str] = set()
        self._staged = 0  # visits before a kill that count in the page limit
        self.planned = len(self._plan)
        self.found = RecrawlSummary()
        self.is_complete = False  # everything is staged

    # -- fetching ----------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Visit]:
        with closing(Store()) as copy:
            self._urls = copy.urls
            try:
                yield from super().__iter__()
            finally:
                self._urls = self._store.urls

    def _begin(self) -> None:
        """Continue with what is staged, or start with the known URLs and those that are queued."""
        recrawls, roots = self._store.recrawls, [*self._roots()]
        with self._store.transaction():
            recrawls.begin(self.crawl_id, {"only": sorted(self._only), **self._policy()})
        self._urls.copy_from(self._store.urls, self.crawl_id)
        self._urls.retry(self.crawl_id, ())
        self._staged = 0
        for url, is_page, target, found in recrawls.staged_found(self.crawl_id):
            self._staged += is_page or url in self._known_urls
            self._follow(url, found)
            if target and url in roots and self._is_root(target):
                roots.append(target)
        self._rules = self._rules_for(tuple(dict.fromkeys(roots)))
        self._urls.reevaluate(self.crawl_id, self._rules.judge, ["scope"])  # a seed was redirected, or it was an import
        self._urls.queue_first(each.queued.id for each in self._plan if each.queued.url not in self._visited)
        for known in self._plan:
            conditions = ("", "", "") if self._only else (known.etag, known.last_modified, known.noindex)
            self._revisits[known.queued.id] = conditions
        self.fetched_before = self.found.pages = self._store.pages.count(self.crawl_id)

    def _max_pages(self) -> int:
        most = self._budget or len(self._plan) + (0 if self._only else super()._max_pages())
        return max(0, most - self._staged)

    def _default_max_requests(self) -> int:
        return default_max_requests(self._max_pages())

    def _sitemaps_read(self) -> Collection[str]:
        return ()  # they are read again

    def _upcoming(self, name: str, limit: int) -> list[Queued]:
        upcoming = self._urls.next_queued(self.crawl_id, name, "best", limit)
        return [queued for queued in upcoming if not self._only or queued.url in self._known_urls]

    def _save(self, visit: Visit) -> set[str]:
        """Stage a visit. What another crawl of the file has visited is left to it."""
        if is_sitemap(visit.queued) and visit.queued.url in {each.url for each in visit.found}:
            return self._discover(None, visit.found)  # no sitemap but a page, which is visited as one
        others = self._store.recrawls.visited_by_others(self.crawl_id, (each.url for each in visit.found))
        visit = replace(visit, found=tuple(each for each in visit.found if each.url not in others))
        self._store.recrawls.stage(self.crawl_id, visit, now())
        return self._follow(visit.queued.url, visit.found)

    def _follow(self, url: str, found: Iterable[Found]) -> set[str]:
        """Queue what a visit of `url` led to; returns the hosts with new URLs."""
        self._visited.add(url)
        number = self._urls.ids([url]).get(url)  # a sitemap may have none
        if number is not None:
            self._urls.set_status(number, "fetched")
        return self._discover(number, found)

    def _finish(self) -> None:
        self.is_complete = True
        self.found.interrupted, self.found.seconds = self._crawl.stopped, self.elapsed()
        if self._crawl.limit_reached == "requests" or self._crawl.stopped:
            self.found.not_visited = len(self._known_urls - self._visited)

    # -- applying ----------------------------------------------------------------------------

    def apply(self) -> None:
        """Write all staged visits; inside a transaction.

        If a site would lose too much, that is undone, and what was staged is written without its visits.
        """
        store, conn = self._store, self._store.db.conn
        before = store.recrawls.pages_by_host(self.crawl_id)
        conn.execute("SAVEPOINT before_recrawl")
        summary = self._apply_visits(set())
        refused = shrinking_sites(before, store.recrawls.pages_by_host(self.crawl_id))
        if refused and not self._accept_shrink:
            conn.execute("ROLLBACK TO before_recrawl")
            summary = self._apply_visits(refused)
        conn.execute("RELEASE before_recrawl")
        self.found = summary
        store.recrawls.discard(self.crawl_id)

    def _apply_visits(self, refused: Collection[str]) -> RecrawlSummary:
        """Write the staged visits, but those of `refused` sites, whose pages stay as they were."""
        store, summary = self._store, replace(self.found, refused=sorted(refused), gone=[])
        is_wider = self._rules.roots != self._roots()  # a seed was redirected
        self._start()
        for visit, visited_at in store.recrawls.staged(self.crawl_id):
            is_refused = visit.queued.host in refused
            page = store.recrawls.stored_page(visit.queued.url)
            if page is None and is_refused:
                continue
            visit = replace(visit, queued=self._stored(visit.queued))
            if page is not None:
                self._apply(visit, visited_at, page, summary, is_refused=is_refused)
            else:
                super()._save(visit)
                summary.new += isinstance(visit.outcome, Page)
        if is_wider:
            store.urls.reevaluate(self.crawl_id, self._rules.judge, ["scope"])
        merge_pages(store)
        return summary

    def _apply(
        self, visit: Visit, visited_at: str, page: StoredPage, summary: RecrawlSummary, *, is_refused: bool
    ) -> None:
        """Write what became of a page."""
        recrawls, number, outcome = self._store.recrawls, visit.queued.id, visit.outcome
        same = isinstance(outcome, Page) and page.is_indexed_as(outcome)
        is_kept_whole = is_refused and isinstance(outcome, Page) and same and outcome.canonical == page.canonical
        if isinstance(outcome, Unchanged) or is_kept_whole:
            recrawls.check(number, visited_at)
            summary.unchanged += 1
        elif is_refused or (not isinstance(outcome, Page | Redirect) and not _is_final(outcome)):
            self._keep(visit, visited_at, page, is_refused=is_refused)
            summary.kept += 1
        elif isinstance(outcome, Page):
            super()._save(visit)
            if same:
                recrawls.restore(number, page, visited_at)
            summary.unchanged += same
            summary.changed += not same
        else:
            summary.gone.append((visit.queued.url, self._drop(visit)))

    def _stored(self, queued: Queued) -> Queued:
        """A staged URL with the id that it has in the file."""
        if is_sitemap(queued):
            return queued
        if queued.url not in self._urls.ids([queued.url]):  # only pages of sites that are left as they were link to it
            self._discover(None, [Found(queued.url, queued.host, queued.depth, queued.hops)])
        return replace(queued, id=self._urls.ids([queued.url])[queued.url])

    def _drop(self, visit: Visit) -> str:
        """Remove a page that is gone; returns why it is."""
        number, outcome = visit.queued.id, visit.outcome
        self._discover(number, visit.found)
        self._store.recrawls.remove(number)
        self._set_status(number, outcome, **({} if isinstance(outcome, Redirect) else {"was_page": True}))
        return describe(*status(outcome))

    def _keep(self, visit: Visit, visited_at: str, page: StoredPage, *, is_refused: bool) -> None:
        """Keep a page as it was, since it is out of reach now; `is_refused`: or too much of its site would leave."""
        _, rule, detail = status(visit.outcome)
        cause = {"rule": rule or "changed", **detail}
        why: Detail = {"fetched": page.fetched_at[:10], "visited": visited_at[:10], "cause": cause}
        self._store.recrawls.keep(visit.queued.id, why | ({"refused": True} if is_refused else {}))


def _is_final(outcome: Skipped | Failed) -> bool:
    """Whether a page is gone, and not just out of reach for now."""
    if outcome.rule in TEMPORARY:
        return False
    return isinstance(outcome, Skipped) or outcome.rule.startswith("http-4")


def recrawl(
    store: Store,
    seeds: Sequence[str],
    *,
    only: Sequence[str] = (),
    budget: int | None = None,
    accept_shrink: bool = False,
    then: Callable[[], object] = lambda: None,
    report: Callable[[str], object] = lambda _: None,
    **chosen: Any,
) -> Iterator[RecrawlJob]:
    """The crawls of the file (the one with these `seeds`, or all), each to be iterated for its visits.

    When all of them are fetched, they are applied in one transaction, together with `then` if a page has changed.
    `budget` is the number of pages to request in all; with `only`, just these URLs are requested, changed or not;
    with `accept_shrink` more than a third of the pages may be dropped. The other options are those of CrawlJob, and
    those of CrawlOptions that differ from the last run.
    """
    if budget is not None:
        check_number("the budget", budget, 1)
    how = {name: chosen.pop(name) for name in ("stop", "visitor", "resolve", "headers") if name in chosen}
    seeds = [normalize(seed) for seed in seeds]
    known = [*map(store.recrawls.named, map(normalize, only))] or in_order(store.recrawls.known(), datetime.now(UTC))
    crawls = [crawl for crawl in store.urls.crawls() if not seeds or set(seeds) == set(crawl[1])]
    if not crawls:
        named = " ".join(seeds)
        raise NotFound(
            f"there is no crawl of {named} in the file" if seeds else "nothing was crawled into the file yet"
        )
    allowed = {number for number, *_ in crawls}
    known = [each for each in known if each.crawl in allowed][:budget]
    crawls = [crawl for crawl in crawls if not only or crawl[0] in {each.crawl for each in known}]
    if how.get("headers") and len({frozenset(map(origin, starts)) for _, starts, _ in crawls}) > 1:
        raise BadInput("the file holds crawls of several sites: name the seed URLs of the one that gets the headers")
    jobs = []
    for number, starts, settings in crawls:
        plan = [each for each in known if each.crawl == number]
        options = CrawlOptions(**restored({**store.urls.last_run_settings(starts), **settings}, LASTING) | chosen)
        limits: dict[str, Any] = {"budget": budget, "only": only, "accept_shrink": accept_shrink}
        jobs.append(RecrawlJob(store, starts, options, plan, crawl_id=number, **limits, **how))
        yield jobs[-1]
    complete = [job for job in jobs if job.is_complete]
    if not complete:
        return
    report("applying what was fetched ...")
    try:
        with store.transaction():
            for job in complete:
                job.apply()
            if any(job.found.altered for job in complete):
                report("indexing and ranking ...")
                then()
    finally:
        store.unlock()


def run(
    crawls: Iterable[RecrawlJob], *, watch: Callable[[RecrawlJob], object] = lambda job: deque(job, maxlen=0)
) -> RecrawlSummary:
    """Run these crawls to their end, and add up their summaries; `watch` iterates one."""
    jobs = []
    for job in crawls:
        jobs.append(job)
        watch(job)
    total = RecrawlSummary()
    for job in jobs:  # all of them are applied by now
        for each in fields(total):
            setattr(total, each.name, getattr(total, each.name) + getattr(job.found, each.name))
    total.interrupted = bool(total.interrupted)
    total.refused = sorted({*total.refused})  # several crawls may be of one site
    return total
