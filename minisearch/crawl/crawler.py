"""The crawl: from a frontier of urls to visits, one by one.

The loop of every crawler since the first: take a url, fetch it, look at its links. Around it: robots.txt comes
before anything else of a site, no host is hurried, and what failed for a moment is tried again.
The same in plain Python: minisearch/textbook/crawler.py
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from minisearch.crawl.frontier import Frontier
from minisearch.crawl.pool import Pool
from minisearch.crawl.robots import RobotsFile, RobotsRules
from minisearch.crawl.scope import Rules
from minisearch.crawl.urls import host, origin
from minisearch.crawl.visit import Task
from minisearch.records import Failed, Found, Moved, Outcome, Page, Queued, Skipped, Visit

TRIES = 3
FIRST_PAUSE = 1.0  # seconds before the second try; each further pause is twice as long
LONGEST_PAUSE = 120.0
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
        max_redirects: int = 10,
        stop: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.rules = rules
        self._frontier = frontier
        self._pool = pool
        self._budget = max_pages  # pages that may still be fetched
        self._max_redirects = max_redirects
        self._stop, self._clock, self._sleep = stop, clock, sleep
        self._robots: dict[str, RobotsRules] = {}
        self._robots_tries: dict[str, int] = {}
        self._under_way: dict[int, Queued | str] = {}  # by key: a page, or the origin whose robots.txt was asked for
        self._keys = 0
        self._pages_under_way = 0
        self._tries: dict[int, int] = {}
        self.stopped = False

    def __iter__(self) -> Iterator[Visit | None]:
        try:
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
            queued = self._frontier.pop(self._clock())
            if queued is None:
                return
            site = origin(queued.url)
            if site not in self._robots:
                self._frontier.put_back(queued)
                self._frontier.block(queued.host)
                self._submit(site, Task(site, robots=True))
                continue
            reason, rule = self._robots[site].refusal(queued.url)
            if rule:
                yield Visit(queued, Skipped(queued.url, reason, rule))
                self._frontier.drop(queued)
            else:
                self._pages_under_way += 1
                self._submit(queued, Task(queued.url))

    def _has_room(self) -> bool:
        """Whether another page may be begun."""
        return not self.stopped and self._budget > self._pages_under_way and self._pool.has_room()

    def _submit(self, what: Queued | str, task: Task) -> None:
        self._keys += 1
        self._under_way[self._keys] = what
        self._pool.submit(self._keys, task)

    def _rest(self) -> Iterator[None]:
        """Wait until some host is ready again."""
        ready = self._frontier.next_at(self._clock())
        if ready is not None:
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
                if not self._retried(what, result):
                    self._budget -= isinstance(result, Page)
                    yield from self._finish(what, result)

    def _heed(self, site: str, file: RobotsFile) -> None:
        tries = self._robots_tries[site] = self._robots_tries.get(site, 0) + 1
        if not file.status and tries < TRIES:  # no answer at all: too much hangs on it to believe that at once
            self._submit(site, Task(site, robots=True))
            return
        rules = self._robots[site] = RobotsRules(file)
        self._frontier.release(host(site + "/"), rules.delay, self._clock())

    def _retried(self, queued: Queued, outcome: Outcome) -> bool:
        if not isinstance(outcome, Failed) or not outcome.transient:
            return False
        tries = self._tries[queued.id] = self._tries.get(queued.id, 0) + 1
        if tries >= TRIES:
            return False
        pause = min(max(FIRST_PAUSE * 2 ** (tries - 1), outcome.retry_after), LONGEST_PAUSE)
        self._frontier.again(queued, self._clock() + pause)
        return True

    def _finish(self, queued: Queued, outcome: Outcome) -> Iterator[Visit]:
        yield Visit(queued, outcome, tuple(self._found(queued, outcome)))
        self._frontier.done(queued, self._clock())

    def _found(self, queued: Queued, outcome: Outcome) -> Iterator[Found]:
        """The urls a visit led to, each with the verdict of the rules."""
        if isinstance(outcome, Moved):
            yield self._hop(queued, outcome.target)
        elif isinstance(outcome, Page):
            met = dict.fromkeys((link.url for link in outcome.links), False)
            met.update((link.url, True) for link in outcome.links if not link.nofollow)
            if outcome.canonical and host(outcome.canonical) == queued.host:
                met[outcome.canonical] = True
            for url, follow in met.items():
                yield self._judged(url, queued.depth + 1, follow=follow)

    def _hop(self, queued: Queued, target: str) -> Found:
        if queued.depth == 0 and target not in self.rules.roots:
            # Whoever names http://example.com means the place it leads to.
            self.rules = replace(self.rules, roots=(*self.rules.roots, target))
        found = replace(self._judged(target, queued.depth, follow=True), hops=queued.hops + 1)
        if found.hops > self._max_redirects:
            return replace(found, rule="redirects", reason=f"more than {self._max_redirects} redirects in a row")
        return found

    def _judged(self, url: str, depth: int, *, follow: bool) -> Found:
        verdict = self.rules.judge(url, depth)
        if not follow and (verdict is None or verdict.rule == "depth"):  # it has no depth until a link leads to it
            return Found(url, host(url), depth, 0, "nofollow", "only met in links marked nofollow")
        if verdict is not None:
            return Found(url, host(url), depth, 0, verdict.rule, verdict.reason)
        return Found(url, host(url), depth)
