"""A crawl and its file: what is fetched is written down, and what was written down is gone on with."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from minisearch.crawl.crawler import Crawl, default_max_requests
from minisearch.crawl.frontier import Frontier, PatternTurns
from minisearch.crawl.pool import Inline, Pool
from minisearch.crawl.scope import Rules, means
from minisearch.crawl.sitemaps import SitemapQueue, is_sitemap
from minisearch.crawl.traps import Traps
from minisearch.crawl.verdicts import describe
from minisearch.crawl.visit import Task
from minisearch.crawl.workers import AHEAD, pool_of
from minisearch.errors import BadInput
from minisearch.fetch.fetcher import headers_for_seeds
from minisearch.fetch.guard import Resolver, guard_for, system_addresses
from minisearch.fetch.robots import RobotsFile
from minisearch.records import CrawlSummary, Failed, Found, Page, Queued, Redirect, Skipped, Visit
from minisearch.store.store import Store
from minisearch.urls import host, normalize
from minisearch.wiring.batching import Batch
from minisearch.wiring.choices import CrawlOptions
from minisearch.wiring.merging import merge_pages
from minisearch.wiring.remarks import decided_by, redirects, remark

MOST_WORKERS = 8  # processes, when it is left to us how many there are
INDEX_FIRST = 25  # pages after which what was fetched becomes searchable, while the crawl goes on
INDEX_EVERY = 1000  # and, in ever longer steps, how many pages later at the most it does so again
# What verdicts depend on, from one run of a crawl to the next.
LASTING = ("scope", "include", "exclude", "max_depth", "limits", "allow_private")


class Crawling:
    """One run of a crawl. Iterating it crawls, and gives each visit when it is written down."""

    _stage = "crawl"
    _plan: Sequence[Queued] = ()  # urls to visit again, and what their servers called them the last time
    _revisits: Mapping[int, tuple[str, str, str]] = {}

    def __init__(
        self,
        store: Store,
        seeds: Sequence[str],
        options: CrawlOptions,
        *,
        stop: Callable[[], bool] = lambda: False,
        each_batch: Callable[[], object] = lambda: None,
        visitor: Callable[[Task], Any] | None = None,
        resolve: Resolver = system_addresses,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        if not seeds:
            raise BadInput("name at least one url to start from")
        self._store = store
        self._options = options
        self._stop = stop
        self._each_batch = each_batch  # makes what was fetched searchable
        self._visitor = visitor
        self._seeds = [normalize(seed) for seed in seeds]
        asked = self._seeds if visitor is None else ()  # who brings a visitor needs no names of hosts looked up
        self._guard = guard_for(asked, allow_private=options.allow_private, resolve=resolve)
        # Secret: no part of the options, which are written into the file and into web archives.
        self._origin_headers = headers_for_seeds(headers or {}, self._seeds)
        self._began = time.monotonic()
        self._interrupted = False
        self._notes: tuple[str, ...] = ()
        self._requests = 0  # sent in this run
        self._limit_reached = ""
        self._robots_read: dict[str, RobotsFile] = {}  # to be written with the next visit
        self._new_redirects: set[int] = set()  # redirects found in this run, which have no verdict yet
        self._turns = PatternTurns()
        self.crawl_id = self._begin()
        self.fetched_before = store.pages.count(self.crawl_id)

    def _begin(self) -> int:
        """Note the seeds, or find them again; rules that have changed since are applied to what was met before."""
        options, journal = self._options, self._store.journal
        led_to = (to for to in journal.redirect_targets(self._seeds) if all(means(seed, to) for seed in self._seeds))
        roots = (*self._seeds, *led_to)
        self._rules = Rules(roots, options.scope, options.include, options.exclude, options.max_depth, options.limits)
        with self._store.transaction():
            kept = {name: asdict(options)[name] for name in LASTING}
            before = journal.settings(self._seeds)
            crawl, changed = journal.begin(self._seeds, kept)
            seeds = [Found(seed, host(seed), 0) for seed in self._seeds]
            journal.meet(crawl, None, seeds, max_depth=options.max_depth)
            journal.try_again(crawl, self._seeds)
            if changed:
                rules = decided_by(before, kept)
                if "trap" in rules:
                    self._store.traps.clear(crawl)
                journal.reconsider(crawl, self._rules.judge, rules)
            if options.order == "best":
                journal.count_inlinks(crawl)
        return crawl

    def __iter__(self) -> Iterator[Visit]:
        try:
            yield from self._visits()
        finally:
            self._store.unlock()

    def _visits(self) -> Iterator[Visit]:
        frontier = self._frontier()
        crawl = self._crawl(frontier)
        run = self._store.start_run(self._stage, {"seeds": self._seeds, **asdict(self._options)})
        pages, index_at = 0, INDEX_FIRST
        with Batch(self._store) as batch:
            for visit in crawl:
                if visit is None:
                    batch.pause()
                    continue
                batch.take_one_more()
                frontier.refresh(self._keep(visit))
                for pattern, known in crawl.policy.traps.changes():
                    self._store.traps.save(self.crawl_id, pattern, known.blocked, known.recent, known.different)
                if crawl.policy.rules is not self._rules:  # a seed led elsewhere: what was outside may be inside now
                    self._rules = crawl.policy.rules
                    frontier.refresh(self._store.journal.reconsider(self.crawl_id, self._rules.judge))
                pages += isinstance(visit.outcome, Page)
                if pages == index_at and isinstance(visit.outcome, Page):
                    batch.end()
                    self._each_batch()
                    index_at += min(index_at, INDEX_EVERY)
                try:
                    yield visit
                except GeneratorExit:  # whoever listened has gone: what was fetched is kept all the same
                    batch.end()
                    raise
        self._interrupted = crawl.stopped
        self._requests = crawl.requests
        self._limit_reached = "pages" if not crawl.pages_left else "requests" if not crawl.requests_left else ""
        traps, hosts = crawl.policy.traps, crawl.retry_policy.skipped_hosts
        self._notes = (
            *(describe("skipped", "host-failures", detail) for detail in hosts.values()),
            *(describe("skipped", "trap", traps.detail(pattern)) for pattern in sorted(traps.blocked)),
        )
        self._come_to_rest()
        self._store.finish_run(run, {"pages": pages, "waiting": self.waiting()})

    def _frontier(self) -> Frontier:
        """The urls that wait in the file, host by host."""
        options = self._options
        workers = MOST_WORKERS if options.workers is None else max(1, options.workers)
        frontier = Frontier(
            self._upcoming,
            order=options.order,
            delay=options.delay,
            parallel=workers * AHEAD,
            is_local=self._guard.is_near,
        )
        for url, turn in self._store.journal.queued_turns(self.crawl_id):
            self._turns.restore(url, turn)
        waiting = self._store.journal.waiting_hosts(self.crawl_id)
        frontier.refresh([*(queued.host for queued in self._plan), *waiting])
        return frontier

    def _crawl(self, frontier: Frontier) -> Crawl:
        """The crawl itself, with all that earlier runs have learned."""
        options = self._options
        return Crawl(
            frontier,
            self._pool(options.workers if options.workers is not None else os.cpu_count() or 1),
            self._rules,
            max_pages=self._allowance(),
            max_requests=self._options.max_requests or self._default_max_requests(),
            limits=options.limits,
            traps=self._restored_traps(),
            sitemaps=SitemapQueue(options.sitemaps, wanted=options.max_pages - self.fetched_before),
            revisits=self._revisits,
            path=self._store.journal.path,
            load_robots=self._recall_robots,
            save_robots=self._robots_read.__setitem__,
            stop=self._stop,
        )

    def _upcoming(self, name: str, limit: int) -> list[Queued]:
        return self._store.journal.next(self.crawl_id, name, self._options.order, limit)

    def _allowance(self) -> int:
        """How many pages may be fetched."""
        return self._options.max_pages - self.fetched_before

    def _default_max_requests(self) -> int:
        return default_max_requests(self._options.max_pages)

    def _come_to_rest(self) -> None:
        merge_pages(self._store, self._new_redirects)

    def _pool(self, workers: int) -> Pool:
        options = self._options
        if self._visitor is not None:
            return Inline(self._visitor)
        chosen: dict[str, Any] = {"user_agent": options.user_agent, "parser": options.parser}
        chosen |= {"limits": options.limits, "guard": self._guard, "keep_html": options.keep_html}
        chosen["origin_headers"] = self._origin_headers
        most = MOST_WORKERS if options.workers is None else workers
        if options.warc:
            from minisearch.crawl.recording import recording_pool  # loads warcio

            about = {"seeds": self._seeds, **asdict(options)}
            return recording_pool(options.warc, about, workers, most=most, **chosen)
        return pool_of(workers, most=most, **chosen)

    def _restored_traps(self) -> Traps:
        """The trap detector as earlier runs of this crawl left it."""
        traps = Traps(self._options.limits)
        for url, name in self._store.journal.fetched(self.crawl_id):
            traps.restore(url, name)
        for url, content_hash in self._store.traps.copies(self.crawl_id):
            traps.count_content(url, content_hash)
        for pattern, blocked, recent, different in self._store.traps.patterns(self.crawl_id):
            traps.restore_pattern(pattern, blocked, recent, different)
        return traps

    def _keep(self, visit: Visit) -> set[str]:
        """Write a visit down: the page, its links, the urls it led to and what became of its own."""
        journal, options = self._store.journal, self._options
        self._keep_robots()
        if is_sitemap(visit.queued):
            return self._keep_sitemap(visit)
        queued, outcome = visit.queued, visit.outcome
        number = queued.id
        woken = self._meet(visit)
        if isinstance(outcome, Page):
            links = journal.link_rows(outcome.links)
            self._store.pages.save_with(number, outcome, links, keep_html=options.keep_html, remark=remark(outcome))
        elif isinstance(outcome, Redirect):
            target = journal.ids([outcome.target])[outcome.target]
            journal.settle(number, "merged", "redirect", redirects(outcome), target)
            if number not in self._revisits:
                self._new_redirects.add(number)
        elif isinstance(outcome, Skipped):
            journal.settle(number, "skipped", outcome.rule, outcome.detail)
        elif isinstance(outcome, Failed):
            journal.settle(number, "failed", outcome.rule, outcome.detail)
        return woken | journal.catch_up(number, queued.depth, queued.hops, **self._bounds(), url=queued.url)

    def _meet(self, visit: Visit) -> set[str]:
        """Write down the urls that a visit led to."""
        counted, teller = self._options.order == "best", visit.queued.url
        return self._store.journal.meet(
            self.crawl_id,
            visit.queued.id,
            visit.found,
            **self._bounds(),
            count=counted,
            teller=teller,
            turn=self._turns.take,
        )

    def _keep_sitemap(self, visit: Visit) -> set[str]:
        """Write a sitemap down, which gets a verdict like any other url, and the urls in it."""
        max_depth = self._options.max_depth
        journal, url, outcome = self._store.journal, visit.queued.url, visit.outcome
        if any(found.url == url for found in visit.found):  # it is no sitemap, and is to be visited as a page
            return journal.meet(self.crawl_id, None, visit.found, max_depth=max_depth, turn=self._turns.take)
        journal.meet(self.crawl_id, None, [Found(url, visit.queued.host, 0)], max_depth=max_depth)
        number = journal.ids([url])[url]
        if self._store.pages.id_of(url) is None and isinstance(outcome, Failed | Skipped):  # a list may be a page, too
            journal.settle(number, "failed" if isinstance(outcome, Failed) else "skipped", "sitemap", outcome.detail)
        return journal.meet(self.crawl_id, number, visit.found, max_depth=max_depth, turn=self._turns.take)

    def _bounds(self) -> dict[str, int]:
        return {"max_depth": self._options.max_depth, "max_redirects": self._options.limits.redirects}

    def _recall_robots(self, site: str) -> RobotsFile | None:
        known = self._store.robots.get(site)
        return RobotsFile(*known) if known else None

    def _keep_robots(self) -> None:
        for site, file in self._robots_read.items():
            self._store.robots.keep(site, file.status, file.text)
        self._robots_read.clear()

    def waiting(self) -> int:
        """How many urls wait for their turn."""
        return self._store.journal.count_waiting(self.crawl_id)

    def elapsed(self) -> float:
        """Seconds since the crawl began."""
        return time.monotonic() - self._began

    def summary(self) -> CrawlSummary:
        """What became of every url of this crawl."""
        states: dict[str, dict[str, int]] = {}
        for state, rule, count in self._store.journal.tally(self.crawl_id):
            states.setdefault(state, {})[rule] = count
        queued = sum(states.get("queued", {}).values())
        return CrawlSummary(
            fetched=sum(states.get("fetched", {}).values()),
            indexed=self._store.pages.count_indexed(self.crawl_id),
            merged=sum(states.get("merged", {}).values()),
            skipped=states.get("skipped", {}),
            failed=states.get("failed", {}),
            waiting=queued,
            seconds=self.elapsed(),
            interrupted=self._interrupted,
            notes=self._notes,
            requests=self._requests,
            limit_reached=self._limit_reached if queued else "",
        )
