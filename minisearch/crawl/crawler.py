"""The crawl: from a frontier of urls to visits, one by one.

The loop of every crawler since the first: take a url, fetch it, look at its links. Around it: robots.txt comes
before anything else of a site, no host is hurried, and what failed for a moment is tried again.
The same in plain Python: minisearch/textbook/crawler.py
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from minisearch.crawl.frontier import Frontier
from minisearch.crawl.judging import Judge
from minisearch.crawl.kin import Kin
from minisearch.crawl.retry import Patience
from minisearch.crawl.scope import Rules
from minisearch.crawl.sitemaps import Sitemap
from minisearch.crawl.survey import Survey, is_sitemap
from minisearch.crawl.traps import Traps
from minisearch.crawl.visit import Task
from minisearch.crawl.workers import Pool
from minisearch.fetch.robots import RobotsCache, RobotsFile, RobotsRules
from minisearch.limits import Limits
from minisearch.records import Failed, Outcome, Page, Queued, Skipped, Visit
from minisearch.urls import host, origin

PATIENCE_AT_STOP = 5.0  # seconds we wait for pages under way when told to stop
TICK = 0.5


class Crawl:
    """One run of a crawl. Iterate it for its visits, and settle each in the file before asking for the next.

    None stands for "nothing just now": a good moment to make sure that what was settled lasts.
    """

    def __init__(
        self,
        frontier: Frontier,
        pool: Pool,
        rules: Rules,
        *,
        max_pages: int,
        limits: Limits | None = None,
        patience: Patience | None = None,
        traps: Traps | None = None,
        kin: Kin | None = None,
        survey: Survey | None = None,
        revisits: Mapping[int, tuple[str, str, str]] | None = None,
        path: Callable[[int], Sequence[str]] = lambda _: (),
        recall: Callable[[str], RobotsFile | None] = lambda _: None,
        remember: Callable[[str, RobotsFile], None] = lambda *_: None,
        stop: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._frontier, self._pool = frontier, pool
        self._budget = max_pages  # pages that may still be fetched
        self._limits = limits or Limits()
        self.patience = patience or Patience(self._limits)
        self.judge = Judge(rules, self._limits, traps=traps, kin=kin, path=path)
        self._survey = survey or Survey()
        # Urls visited before: the ETag and Last-Modified of what they gave then, and why that was not indexed.
        self._revisits = revisits or {}
        self._recall, self._remember = recall, remember  # robots.txt, from one run to the next
        self._stop, self._clock, self._sleep = stop, clock, sleep
        self._robots = RobotsCache(clock)
        self._closed: dict[str, Skipped] = {}  # origins of which nothing may be asked for, not even robots.txt
        self._robots_tries: dict[str, int] = {}
        self._next_sites: set[str] = set()  # whose robots.txt was asked for, and of which no page was begun yet
        # Hosts of which nothing is asked until a page may be fetched of them: (depth and id of the next, host), a heap.
        self._later: list[tuple[int, int, str]] = []
        self._under_way: dict[int, Queued | str] = {}  # by key: a page, or the origin whose robots.txt was asked for
        self._keys = self._pages_under_way = 0
        self.stopped = False

    def __iter__(self) -> Iterator[Visit | None]:
        try:
            self._offer(self._survey.begin(self.judge.rules.roots))
            while not self._stop():
                yield from self._fill()
                if self._under_way:
                    yield from self._collect()
                elif self._budget > 0 and self._frontier.next_at(self._clock()) is not None:
                    yield from self._rest()
                else:
                    return
            self.stopped = True
            deadline = self._clock() + PATIENCE_AT_STOP
            while self._under_way and self._clock() < deadline:
                yield from self._collect()
        finally:
            self._pool.close()

    def _fill(self) -> Iterator[Visit]:
        """Give the pool what it can take, asking for robots.txt where it is not known yet."""
        while self._has_room():
            for _ in range(min(self._unclaimed(), len(self._later))):
                self._frontier.unblock(heapq.heappop(self._later)[2])
            queued = self._frontier.pop(self._clock())
            if queued is None:
                return
            site = origin(queued.url)
            if site not in self._robots and site not in self._closed:
                self._frontier.put_back(queued)
                self._frontier.block(queued.host)
                if (known := self._recall(site)) is not None:
                    self._obey(site, known)
                elif site in self._next_sites or self._unclaimed() > 0:
                    self._next_sites.add(site)
                    self._submit(site, Task(site, robots=True, again=site in self._robots_tries))
                else:
                    heapq.heappush(self._later, (queued.depth, queued.id, queued.host))
                continue
            self._next_sites.discard(site)
            refusal = self._refusal(queued, site)
            if refusal is not None:
                yield self._visit(queued, refusal)
                self._frontier.drop(queued)
            else:
                self._pages_under_way += 1
                self._submit(queued, self._task(queued))

    def _unclaimed(self) -> int:
        """How many pages may be fetched beside those under way, and one of each site that was asked how."""
        return self._budget - self._pages_under_way - len(self._next_sites)

    def _refusal(self, queued: Queued, site: str) -> Skipped | None:
        """Why a url is not asked for though its turn has come."""
        if site in self._closed:
            return replace(self._closed[site], url=queued.url)
        if queued.host in self.patience.resting:
            return Skipped(queued.url, self.patience.resting[queued.host], "resting")
        reason, rule = self._robots[site].refusal(queued.url)
        if rule:
            return Skipped(queued.url, reason, rule)
        if is_sitemap(queued) or queued.id in self._revisits:
            return None
        return self.judge.refusal(queued)

    def _task(self, queued: Queued) -> Task:
        again = self.patience.has_tried(queued)
        if is_sitemap(queued):
            return Task(queued.url, sitemap=True, again=again)
        if queued.id in self._revisits:
            etag, last_modified, noindex = self._revisits[queued.id]
            return Task(queued.url, etag=etag, last_modified=last_modified, noindex=noindex, again=again)
        return Task(queued.url, again=again, sketch=self.judge.traps.is_suspect(queued.url))

    def _has_room(self) -> bool:
        """Whether another page may be begun."""
        return not self.stopped and self._budget > self._pages_under_way and self._pool.has_room()

    def _submit(self, what: Queued | str, task: Task) -> None:
        self._keys += 1
        self._under_way[self._keys] = what
        self._pool.submit(self._keys, task)

    def _rest(self) -> Iterator[None]:
        """Wait until some host is ready again."""
        if (ready := self._frontier.next_at(self._clock())) is not None:
            yield None
            self._sleep(max(0.0, min(ready - self._clock(), TICK)))

    def _collect(self) -> Iterator[Visit | None]:
        """What the pool has finished; if nothing yet, wait a little for it."""
        results = self._pool.results(0)
        if not results:
            yield None
            ready = self._frontier.next_at(self._clock()) if self._has_room() else None
            results = self._pool.results(TICK if ready is None else max(0.0, min(TICK, ready - self._clock())))
        for key, result in results:
            what = self._under_way.pop(key)
            if isinstance(result, RobotsFile):
                self._heed(str(what), result)
            elif isinstance(what, Queued):
                self._pages_under_way -= 1
                yield from self._settle(what, result)
            elif isinstance(result, Skipped):
                self._closed[what] = result
                self._frontier.release(host(what + "/"), 0.0, self._clock())

    def _heed(self, site: str, file: RobotsFile) -> None:
        tries = self._robots_tries[site] = self._robots_tries.get(site, 0) + 1
        patient = file.retry_after <= self._limits.pause_seconds
        if file.is_transient and tries < self._limits.tries and patient:  # nothing may be fetched until it is read
            pause = max(self.patience.pause(tries), file.retry_after)
            self._frontier.release(host(site + "/"), 0.0, self._clock(), rest=pause)
            return
        if not file.is_transient or (patient and not file.unreachable):
            self._remember(site, file)
        elif not file.unreachable:  # who wants no more questions for an hour means all that we could ask
            self.patience.sent_away(host(site + "/"), file.retry_after)
        self._obey(site, file)

    def _obey(self, site: str, file: RobotsFile) -> None:
        rules = self._robots[site] = RobotsRules(file)
        self._frontier.release(host(site + "/"), rules.delay, self._clock())
        self._offer(self._survey.heard_of(site, rules.sitemaps, self.judge.rules.roots))

    def _offer(self, sitemap: Queued | None) -> None:
        if sitemap is not None:
            self._frontier.offer(sitemap)

    def _settle(self, queued: Queued, outcome: Outcome | Sitemap) -> Iterator[Visit]:
        """What became of a url, unless it is tried again."""
        if isinstance(outcome, Page):
            self._budget -= 1
            if queued.id not in self._revisits:
                self.judge.fetched(queued, outcome)
        else:
            self.judge.came_to_nothing(queued)
        pause = self.patience.heard(queued, outcome)
        if pause is not None:
            self._frontier.again(queued, self._clock() + pause, alone=queued.host in self.patience.overworked)
            return
        if queued.id in self._revisits and not isinstance(outcome, Page):
            self._budget -= 1  # to ask is what costs, whatever the answer
        yield self._visit(queued, self.patience.last_word(queued, outcome) if isinstance(outcome, Failed) else outcome)
        self._frontier.done(queued, self._clock())

    def _visit(self, queued: Queued, outcome: Outcome | Sitemap) -> Visit:
        if not is_sitemap(queued) and not isinstance(outcome, Sitemap):
            return Visit(queued, outcome, self.judge.led_to(queued, outcome))
        told, found = self._survey.read(queued, outcome, self.judge.listed)
        self._offer(self._survey.next())
        return Visit(queued, told, found)
