"""One run of a crawl: fetched pages are written to the file, and a crawl that was stopped continues from it.

The options of a crawl are stored with it; when those change that decisions depend on, these are made again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from minisearch.crawl.crawler import Crawl, default_max_requests
from minisearch.crawl.duplicates import merge_pages
from minisearch.crawl.frontier import Frontier, PatternTurns, RetryPolicy
from minisearch.crawl.policy import Policy, Rules, Traps, means
from minisearch.crawl.sitemaps import SitemapQueue, check_sources, is_sitemap
from minisearch.crawl.verdicts import describe
from minisearch.crawl.visit import Task, status
from minisearch.crawl.workers import AHEAD, Inline, Pool, pool_of
from minisearch.errors import BadInput
from minisearch.fetch.fetcher import USER_AGENT, check_agent, headers_for_seeds
from minisearch.fetch.guard import Resolver, guard_for, system_addresses
from minisearch.fetch.robots import RobotsFile
from minisearch.limits import MAX_SECONDS, Limits, check_number
from minisearch.models import CrawlSummary, Found, Outcome, Page, Queued, Redirect, Visit
from minisearch.parse.reader import PARSERS
from minisearch.store.database import Store
from minisearch.store.urls import ORDERS, SCOPE_RULES
from minisearch.urls import host, normalize

MOST_WORKERS = 8  # processes, if the number is not given
INDEX_FIRST = 25  # pages after which what was fetched becomes searchable, while the crawl continues
INDEX_EVERY = 1000  # and, in growing steps, the most pages until it is done again
BATCH_SECONDS = 0.25  # of visits are written in one transaction
MAX_WORKERS = 1000
# Options that decisions about URLs depend on. They are stored with the crawl.
POLICY = ("scope", "include", "exclude", "max_depth", "limits", "allow_private")
FORMER_NAMES = {"shape_pages": "pattern_pages", "shape_alike": "pattern_repeats"}  # of limits
RULES_OF_OPTIONS = {  # option -> the rules that go by it, and by no other
    "allow_private": "address",
    "page_bytes": "size",
    "header_bytes": "headers",
    "types": "type",
    "redirects": "redirects",
    "host_pages": "host-pages",
    "pattern_pages": "pattern-pages",
    "pattern_repeats": "trap duplicate-content",
}


# -- options -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CrawlOptions:
    """How to crawl."""

    max_pages: int = 1000
    max_requests: int | None = None  # sent in one run, with robots.txt, redirects ...; None: 3 x max_pages + 100
    max_depth: int = 20
    scope: str = "path"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    order: str = "breadth"
    delay: float | None = None  # seconds between two requests to one host; None: 1 s, and none for this machine
    workers: int | None = None  # processes; None: one per core, more while they wait; 0: this process fetches
    user_agent: str = USER_AGENT
    parser: str = "fast"
    keep_html: bool = True
    limits: Limits = field(default_factory=Limits)
    allow_private: bool = False  # follow links to private addresses, wherever the seeds are
    sitemaps: tuple[str, ...] = ("robots",)  # those in robots.txt; or auto, none, or their URLs
    warc: str = ""  # the file into which all responses are recorded

    def __post_init__(self) -> None:
        check_agent(self.user_agent)
        check_sources(self.sitemaps)
        check_number("the page limit", self.max_pages, 1)
        check_number("the maximum depth", self.max_depth, 0)
        if self.max_requests is not None:
            check_number("the request limit", self.max_requests, 1)
        if self.order not in ORDERS:
            raise BadInput(f"order must be one of {', '.join(ORDERS)}, not {self.order!r}")
        if self.parser not in PARSERS:
            raise BadInput(f"parser must be one of {', '.join(PARSERS)}, not {self.parser!r}")
        if not all(isinstance(pattern, str) for pattern in (*self.include, *self.exclude)):
            raise BadInput("the patterns of URLs to include or exclude must be texts")
        if self.warc and not Path(self.warc).parent.is_dir():
            raise BadInput(f'cannot write "{self.warc}": there is no folder "{Path(self.warc).parent}"')
        if self.delay is not None:
            check_number("the delay", self.delay, 0, MAX_SECONDS, fraction=True)
        if self.workers is not None:
            check_number("the number of workers", self.workers, 0, MAX_WORKERS)


def with_limits(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a crawl, after limits given by their own names, such as `page_bytes=1000`, are collected.

    >>> with_limits({"tries": 1, "max_pages": 5})["limits"].tries
    1
    >>> with_limits({"shape_pages": 7})["limits"].pattern_pages  # a former name
    7
    """
    names = {each.name for each in fields(Limits)}
    options = {FORMER_NAMES.get(name, name): value for name, value in options.items()}
    chosen = {name: _from_json(value) for name, value in options.items() if name in names}
    rest = {name: value for name, value in options.items() if name not in names}
    return {**rest, "limits": replace(rest.get("limits") or Limits(), **chosen)}


def restored(stored: dict[str, Any], names: Collection[str]) -> dict[str, Any]:
    """The options with these `names`, as they were before they were stored as JSON."""
    options = {name: _from_json(value) for name, value in stored.items() if name in names}
    if "limits" in options:
        options["limits"] = with_limits(options["limits"])["limits"]
    return options


def changed_rules(before: dict[str, Any], policy: dict[str, Any]) -> set[str]:
    """The rules whose earlier decisions no longer hold, because the options they depend on have changed."""
    old, new = ({**options.get("limits", {}), **options} for options in (before, policy))
    changed = (rules for name, rules in RULES_OF_OPTIONS.items() if _from_json(old.get(name)) != new.get(name))
    return {rule for rules in changed for rule in rules.split()}


def _from_json(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


# -- the run -------------------------------------------------------------------------------------


class CrawlJob:
    """One run of a crawl. Iterating it crawls, and yields each visit after it is stored. Nothing is written before."""

    _stage = "crawl"

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
            raise BadInput("name at least one URL to start from")
        self._store = store
        self._urls = store.urls  # with the frontier; a recrawl has a copy
        self._options = options
        self._stop = stop
        self._each_batch = each_batch  # makes what was fetched searchable
        self._visitor = visitor
        self._seeds = [normalize(seed) for seed in seeds]
        resolved = self._seeds if visitor is None else ()  # a visitor that is given needs no DNS
        self._guard = guard_for(resolved, allow_private=options.allow_private, resolve=resolve)
        # Secret: not among the options, which are written into the file and into web archives.
        self._origin_headers = headers_for_seeds(headers or {}, self._seeds)
        self._rules = self._rules_for(tuple(self._seeds))
        self._began = time.monotonic()
        self._crawl: Crawl  # of this run
        self._turns = PatternTurns()
        self._retry_policy = RetryPolicy(options.limits)
        self._delay = options.delay
        self._load_robots: Callable[[str], RobotsFile | None] = store.robots.get
        self._save_robots: Callable[[str, RobotsFile], None] = store.robots.save
        # URLs that are visited again: the ETag and Last-Modified of the stored version, and why it is not indexed.
        self._revisits: dict[int, tuple[str, str, str]] = {}
        self.crawl_id = 0  # until it begins
        self.fetched_before = 0

    def _rules_for(self, roots: tuple[str, ...]) -> Rules:
        options = self._options
        return Rules(roots, options.scope, options.include, options.exclude, options.max_depth, options.limits)

    def _begin(self) -> None:
        self._rules = self._rules_for(self._roots())
        with self._store.transaction():
            self._start()
            self._store.recrawls.discard(self.crawl_id)  # a recrawl that was killed does not continue after this

    def _start(self) -> None:
        """Store the seeds and the policy; a policy that has changed is applied to earlier decisions."""
        options, urls = self._options, self._store.urls
        policy = self._policy()
        self.crawl_id, before = urls.begin_crawl(self._seeds, policy)
        self._discover(None, [Found(seed, host(seed), 0) for seed in self._seeds])
        urls.retry(self.crawl_id, self._seeds, with_headers=bool(self._origin_headers.headers))
        if before is not None:
            rules = changed_rules(before, policy)
            if "trap" in rules:
                urls.clear_traps(self.crawl_id)
            urls.reevaluate(self.crawl_id, self._rules.judge, {*SCOPE_RULES, *rules})
        if options.order == "best":
            urls.count_inlinks(self.crawl_id)
        self.fetched_before = self._store.pages.count(self.crawl_id)

    def _roots(self) -> tuple[str, ...]:
        """The seeds, and where they were redirected to."""
        return (*self._seeds, *filter(self._is_root, self._store.urls.redirect_targets(self._seeds)))

    def _is_root(self, target: str) -> bool:
        """Whether the target of a seed's redirect belongs to the roots."""
        return all(means(seed, target) for seed in self._seeds)

    def __iter__(self) -> Iterator[Visit]:
        try:
            self._begin()
            yield from self._visits()
        finally:
            self._store.unlock()

    def _visits(self) -> Iterator[Visit]:
        frontier = self._frontier()
        crawl = self._crawl = self._crawl_of(frontier)
        run = self._store.start_run(self._stage, {"seeds": self._seeds, **self._settings()})
        pages, index_at = 0, INDEX_FIRST
        since = 0.0  # when the transaction began; 0: there is none
        with ExitStack() as transaction:  # of several visits: a commit takes longer than writing a visit
            for visit in crawl:
                if since and time.monotonic() - since >= BATCH_SECONDS:
                    transaction.close()
                    since = 0.0
                if visit is None:
                    continue
                if not since:
                    transaction.enter_context(self._store.transaction())
                    since = time.monotonic()
                frontier.refresh(self._save(visit))
                for pattern in crawl.policy.traps.changes():
                    self._store.urls.save_trap(self.crawl_id, *pattern)
                if crawl.policy.rules is not self._rules:  # a seed was redirected: the scope is wider now
                    self._rules = crawl.policy.rules
                    frontier.refresh(self._urls.reevaluate(self.crawl_id, self._rules.judge, ["scope"]))
                pages += isinstance(visit.outcome, Page)
                if pages >= index_at:
                    transaction.close()
                    since = 0.0
                    self._each_batch()
                    index_at += min(index_at, INDEX_EVERY)
                try:
                    yield visit
                except GeneratorExit:  # the caller stops iterating: what was fetched is kept
                    transaction.close()
                    raise
        self._finish()
        self._store.finish_run(run, {"pages": pages, "waiting": self.waiting()})

    def _frontier(self) -> Frontier:
        """The queued URLs of the file, host by host."""
        options = self._options
        workers = MOST_WORKERS if options.workers is None else max(1, options.workers)
        frontier = Frontier(
            self._upcoming,
            order=options.order,
            delay=self._delay,
            parallel=workers * AHEAD,
            is_local=self._guard.is_near,
        )
        for url, turn in self._urls.queued_turns(self.crawl_id):
            self._turns.restore(url, turn)
        frontier.refresh(self._urls.queued_hosts(self.crawl_id))
        return frontier

    def _crawl_of(self, frontier: Frontier) -> Crawl:
        """The crawler, with what earlier runs have learned."""
        options = self._options
        wanted = options.max_pages - self.fetched_before
        return Crawl(
            frontier,
            self._pool(),
            Policy(self._rules, self._restored_traps(), self._urls.path),
            self._retry_policy,
            SitemapQueue(options.sitemaps, wanted=wanted, done=self._sitemaps_read()),
            max_pages=self._max_pages(),
            max_requests=options.max_requests or self._default_max_requests(),
            revisits=self._revisits,
            load_robots=self._load_robots,
            save_robots=self._save_robots,
            stop=self._stop,
        )

    def _sitemaps_read(self) -> Collection[str]:
        """The sitemaps that earlier runs have read, and that name no others."""
        return self._urls.sitemaps_read(self.crawl_id)

    def _settings(self) -> dict[str, Any]:
        """The options that a recrawl repeats."""
        return asdict(self._options)

    def _policy(self) -> dict[str, Any]:
        """Those of them that decisions about URLs depend on."""
        return {name: value for name, value in self._settings().items() if name in POLICY}

    def _upcoming(self, name: str, limit: int) -> list[Queued]:
        return self._urls.next_queued(self.crawl_id, name, self._options.order, limit)

    def _max_pages(self) -> int:
        """How many pages this run may fetch."""
        return max(0, self._options.max_pages - self.fetched_before)

    def _default_max_requests(self) -> int:
        return default_max_requests(self._options.max_pages)

    def _finish(self) -> None:
        """Decide which pages are duplicates, when all are fetched."""
        merge_pages(self._store)

    def _pool(self) -> Pool:
        options = self._options
        if self._visitor is not None:
            return Inline(self._visitor)
        workers = options.workers if options.workers is not None else os.cpu_count() or 1
        chosen: dict[str, Any] = {"user_agent": options.user_agent, "parser": options.parser}
        chosen |= {"limits": options.limits, "guard": self._guard, "keep_html": options.keep_html}
        chosen["origin_headers"] = self._origin_headers
        most = MOST_WORKERS if options.workers is None else workers
        if options.warc:
            from minisearch.crawl.recording import RecordingPool  # loads warcio

            about = {"seeds": self._seeds, **asdict(options)}
            return RecordingPool(options.warc, about, workers, most=most, **chosen)
        return pool_of(workers, most=most, **chosen)

    def _restored_traps(self) -> Traps:
        """The trap detector as earlier runs of this crawl left it."""
        traps = Traps(self._options.limits)
        for url, name in self._urls.fetched(self.crawl_id):
            traps.count(url, name)
        for url, content_hash in self._urls.repeated_contents(self.crawl_id):
            traps.count_content(url, content_hash)
        for pattern, blocked, recent, different in self._urls.traps(self.crawl_id):
            traps.restore_pattern(pattern, blocked, recent, different)
        return traps

    def _save(self, visit: Visit) -> set[str]:
        """Write a visit: its page, links and status, and the URLs it led to. Returns the hosts with new URLs."""
        urls, options = self._urls, self._options
        if is_sitemap(visit.queued):
            return self._save_sitemap(visit)
        queued, outcome = visit.queued, visit.outcome
        number = queued.id
        hosts = self._discover(number, visit.found, count_inlinks=options.order == "best")
        if isinstance(outcome, Page):
            ids = urls.ids({link.url for link in outcome.links})
            self._store.pages.save(number, outcome, ids, keep_html=options.keep_html)
        self._set_status(number, outcome)
        return hosts | urls.catch_up(queued)

    def _set_status(self, number: int, outcome: Outcome, **more: Any) -> None:
        """Write what became of a URL, with `more` details."""
        state, rule, detail = status(outcome)
        target = self._urls.ids([outcome.target])[outcome.target] if isinstance(outcome, Redirect) else None
        self._urls.set_status(number, state, rule, {**detail, **more}, target)

    def _discover(self, referrer: int | None, found: Iterable[Found], *, count_inlinks: bool = False) -> set[str]:
        """Write the URLs that a page led to; returns the hosts with new URLs."""
        return self._urls.discover(
            self.crawl_id,
            referrer,
            found,
            count_inlinks=count_inlinks,
            turn=self._turns.take,
        )

    def _save_sitemap(self, visit: Visit) -> set[str]:
        """Write the status of a sitemap, and the URLs in it."""
        urls, url, outcome = self._urls, visit.queued.url, visit.outcome
        if any(found.url == url for found in visit.found):  # no sitemap: it is visited as a page
            return self._discover(None, visit.found)
        self._discover(None, [Found(url, visit.queued.host, 0)])
        number = urls.ids([url])[url]
        if self._store.pages.id_of(url) is None:  # a sitemap may be a page, too
            state, _, detail = status(outcome)
            urls.set_status(number, state, "sitemap", detail)
        return self._discover(number, visit.found)

    def waiting(self) -> int:
        """How many URLs are queued."""
        return self._urls.count_queued(self.crawl_id)

    def elapsed(self) -> float:
        """Seconds since the job was made."""
        return time.monotonic() - self._began

    def summary(self) -> CrawlSummary:
        """The status of every URL of this crawl, counted."""
        states = self._urls.counts(self.crawl_id)
        queued = sum(states.get("queued", {}).values())
        traps, hosts = self._crawl.policy.traps, self._crawl.retry_policy.skipped_hosts
        return CrawlSummary(
            fetched=sum(states.get("fetched", {}).values()),
            indexed=self._store.pages.count_indexed(self.crawl_id),
            merged=sum(states.get("merged", {}).values()),
            skipped=states.get("skipped", {}),
            failed=states.get("failed", {}),
            waiting=queued,
            seconds=self.elapsed(),
            interrupted=self._crawl.stopped,
            notes=(
                *(describe("skipped", "host-failures", detail) for detail in hosts.values()),
                *(describe("skipped", "trap", traps.detail(pattern)) for pattern in sorted(traps.blocked)),
            ),
            requests=self._crawl.requests,
            limit_reached=self._crawl.limit_reached if queued or self._crawl.sitemaps.has_unread() else "",
        )
