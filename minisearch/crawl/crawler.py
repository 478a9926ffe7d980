"""The crawl: take a URL from the frontier, fetch it, judge its links.

robots.txt is read before anything else of a site is requested, every host gets its delay, and what failed for a moment
is requested again. A run fetches a limited number of pages, and sends a limited number of requests: redirects,
retries, robots.txt and sitemaps count too.
The same in plain Python: minisearch/textbook/crawler.py
"""

from __future__ import annotations

import heapq
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from cachetools import TTLCache

from minisearch.crawl.frontier import Frontier, RetryPolicy
from minisearch.crawl.policy import Policy
from minisearch.crawl.sitemaps import Sitemap, SitemapQueue, is_sitemap
from minisearch.crawl.visit import Task
from minisearch.crawl.workers import Pool
from minisearch.fetch.robots import RobotsFile, RobotsRules
from minisearch.models import Failed, Outcome, Page, Queued, Skipped, Visit
from minisearch.parse.fingerprints import with_fingerprints
from minisearch.urls import host, origin

ROBOTS_SECONDS = 3600.0  # for which the rules of an origin hold; then they are looked up again
MAX_ROBOTS = 100_000  # origins whose rules are held
STOP_SECONDS = 5.0  # that a crawl that is stopped waits for the pages in progress
TICK = 0.5


def default_max_requests(max_pages: int) -> int:
    """How many requests a run may send if it may fetch this many pages."""
    return 3 * max_pages + 100


class Crawl:
    """One run of a crawl. Iterate it for its visits, and write each to the file before asking for the next.

    None means that there is nothing to do just now: a good moment to commit.
    """

    def __init__(
        self,
        frontier: Frontier,
        pool: Pool,
        policy: Policy,
        retry_policy: RetryPolicy,
        sitemaps: SitemapQueue,
        *,
        max_pages: int,
        max_requests: int,
        revisits: Mapping[int, tuple[str, str, str]],
        load_robots: Callable[[str], RobotsFile | None] = lambda _: None,
        save_robots: Callable[[str, RobotsFile], None] = lambda *_: None,
        stop: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._frontier, self._pool = frontier, pool
        self.policy, self.retry_policy, self.sitemaps = policy, retry_policy, sitemaps
        self.pages_left = max_pages  # that may still be fetched
        self._max_requests = max_requests
        # URLs visited before: the ETag and Last-Modified of that version, and why it was not indexed.
        self._revisits = revisits
        self._load_robots, self._save_robots = load_robots, save_robots  # from one run to the next
        self._stop, self._clock, self._sleep = stop, clock, sleep
        # By site: its rules, or why nothing may be requested, not even robots.txt.
        self._robots: TTLCache[str, RobotsRules | Skipped] = TTLCache(MAX_ROBOTS, ROBOTS_SECONDS, clock)
        self._robots_attempts: Counter[str] = Counter()
        self._claims: set[str] = set()  # sites whose robots.txt was requested, and none of their pages yet
        # Hosts whose robots.txt is not requested until one of their pages may be: a heap of (depth, id, host).
        self._postponed: list[tuple[int, int, str]] = []
        self._in_progress: dict[int, Queued | str] = {}  # by request: a URL, or the site of a robots.txt
        self._pages_in_progress = 0
        self.requests = 0  # sent so far
        self.stopped = False

    def __iter__(self) -> Iterator[Visit | None]:
        try:
            self.sitemaps.add_named(self.policy.rules.roots)
            self._queue_sitemap()
            for site in set(map(origin, self.policy.rules.roots)):
                if (known := self._load_robots(site)) is not None:  # sitemaps may be left though no page is
                    self._apply_robots(site, known)
            while not self._stop():
                yield from self._submit_all()
                if self._in_progress:
                    yield from self._collect()
                elif self._within_limits() and (ready := self._frontier.next_ready_at(self._clock())) is not None:
                    yield None
                    self._sleep(max(0.0, min(ready - self._clock(), TICK)))
                else:
                    return
            self.stopped = True
            deadline = self._clock() + STOP_SECONDS
            while self._in_progress and self._clock() < deadline:
                yield from self._collect()
        finally:
            self._pool.close()

    @property
    def limit_reached(self) -> str:
        """Which limit ends this run: "pages", "requests" or none."""
        return "pages" if self.pages_left <= 0 else "requests" if self.requests >= self._max_requests else ""

    def _within_limits(self) -> bool:
        return self.pages_left > self._pages_in_progress and self.requests < self._max_requests

    def _has_room(self) -> bool:
        return not self.stopped and self._within_limits() and self._pool.has_room()

    # -- handing out tasks ---------------------------------------------------------------------------

    def _submit_all(self) -> Iterator[Visit]:
        """Submit as many tasks as the pool takes; robots.txt first where it is not known yet."""
        while self._has_room():
            for _ in range(min(self._unclaimed_pages(), len(self._postponed))):
                self._frontier.release(heapq.heappop(self._postponed)[2], 0.0, self._clock())
            queued = self._frontier.pop(self._clock())
            if queued is None:
                return
            site = origin(queued.url)
            rules = self._robots.get(site)
            if rules is None:
                self._request_robots(site, queued)
                continue
            self._claims.discard(site)
            refusal = self._refusal(queued, rules)
            if refusal is not None:
                yield self._visit(queued, refusal)
                self._frontier.done(queued, self._clock(), was_requested=False)
            else:
                self._pages_in_progress += 1
                self._submit(queued, self._task(queued))

    def _request_robots(self, site: str, queued: Queued) -> None:
        """Put back the URL, and get the robots.txt of its site before it."""
        self._frontier.block(queued)
        if (known := self._load_robots(site)) is not None:
            self._apply_robots(site, known)
        elif site in self._claims or self._unclaimed_pages() > 0:
            self._claims.add(site)
            self._submit(site, Task(site, robots=True, again=site in self._robots_attempts))
        else:
            heapq.heappush(self._postponed, (queued.depth, queued.id, queued.host))

    def _unclaimed_pages(self) -> int:
        """How many pages may be fetched beside those in progress, and one for each site in `_claims`."""
        return self.pages_left - self._pages_in_progress - len(self._claims)

    def _refusal(self, queued: Queued, rules: RobotsRules | Skipped) -> Skipped | None:
        """Why a URL is not requested though its turn has come."""
        if isinstance(rules, Skipped):
            return replace(rules, url=queued.url)
        if queued.host in self.retry_policy.skipped_hosts:
            return Skipped(queued.url, "host-failures", self.retry_policy.skipped_hosts[queued.host])
        refusal = rules.refusal(queued.url)
        return refusal if refusal is not None or not self._is_new(queued) else self.policy.due(queued)

    def _is_new(self, queued: Queued) -> bool:
        """Whether this may become another page of the crawl."""
        return not is_sitemap(queued) and queued.id not in self._revisits

    def _task(self, queued: Queued) -> Task:
        again = self.retry_policy.is_retry(queued)
        if queued.id in self._revisits and not again:  # some servers cannot deal with conditions
            etag, last_modified, noindex = self._revisits[queued.id]
            return Task(queued.url, etag=etag, last_modified=last_modified, noindex=noindex)
        return Task(queued.url, sitemap=is_sitemap(queued), again=again)

    def _submit(self, what: Queued | str, task: Task) -> None:
        self.requests += 1
        self._in_progress[self.requests] = what
        self._pool.submit(self.requests, task)

    # -- collecting results --------------------------------------------------------------------------

    def _collect(self) -> Iterator[Visit | None]:
        """What the pool has finished; if nothing yet, wait a little for it."""
        results = self._pool.results(0)
        if not results:
            yield None
            ready = self._frontier.next_ready_at(self._clock()) if self._has_room() else None
            results = self._pool.results(TICK if ready is None else max(0.0, min(TICK, ready - self._clock())))
        for key, result in results:
            what = self._in_progress.pop(key)
            if isinstance(result, RobotsFile):
                self._on_robots(str(what), result)
            elif isinstance(what, Queued):
                self._pages_in_progress -= 1
                yield from self._on_result(what, result)
            elif isinstance(result, Skipped):
                self._robots[what] = result
                self._frontier.release(host(what + "/"), 0.0, self._clock())

    def _on_robots(self, site: str, file: RobotsFile) -> None:
        self.requests += file.redirects
        self._robots_attempts[site] += 1
        pause = self.retry_policy.pause(self._robots_attempts[site], file.retry_after)
        if file.is_transient and pause is not None:  # nothing is fetched until it is read
            self._frontier.release(host(site + "/"), 0.0, self._clock(), pause=pause)
            return
        del self._robots_attempts[site]  # it is read again after a while
        if not file.unreachable:
            self._save_robots(site, file)
        self._apply_robots(site, file)

    def _apply_robots(self, site: str, file: RobotsFile) -> None:
        rules = self._robots[site] = RobotsRules(file)
        self._frontier.release(host(site + "/"), rules.delay, self._clock())
        self.sitemaps.add_from_robots(site, rules.sitemaps, self.policy.rules.roots)
        self._queue_sitemap()

    def _queue_sitemap(self) -> None:
        sitemap = self.sitemaps.pop()
        if sitemap is not None:
            self._frontier.push_front(sitemap)

    def _on_result(self, queued: Queued, outcome: Outcome | Sitemap) -> Iterator[Visit]:
        """What became of a URL, unless it is requested again."""
        if isinstance(outcome, Page):
            outcome = with_fingerprints(outcome)
            self.pages_left -= 1
        if self._is_new(queued):
            self.policy.on_result(queued, outcome)
        pause = self.retry_policy.on_result(queued, outcome)
        if pause is not None:
            self._frontier.retry(queued, self._clock() + pause)
            return
        if queued.id in self._revisits and not isinstance(outcome, Page):
            self.pages_left -= 1  # a revisit counts with any result
        if isinstance(outcome, Failed):
            outcome = self.retry_policy.final_failure(queued, outcome)
        yield self._visit(queued, outcome)
        self._frontier.done(queued, self._clock())

    def _visit(self, queued: Queued, outcome: Outcome | Sitemap) -> Visit:
        if not is_sitemap(queued) and not isinstance(outcome, Sitemap):
            return Visit(queued, outcome, self.policy.discovered(queued, outcome))
        result, found = self.sitemaps.on_result(queued, outcome, self.policy.verdict)
        self._queue_sitemap()
        return Visit(queued, result, found)
