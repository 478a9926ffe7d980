"""The crawl: from a frontier of urls to visits, one by one.

The loop of every crawler since the first: take a url, fetch it, look at its links. Around it: robots.txt comes
before anything else of a site, no host is hurried, and what failed for a moment is tried again.
The same in plain Python: minisearch/textbook/crawler.py
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter

from minisearch.crawl.frontier import Frontier
from minisearch.crawl.kin import Kin
from minisearch.crawl.limits import Limits
from minisearch.crawl.patience import Patience
from minisearch.crawl.pool import Pool
from minisearch.crawl.robots import RobotsFile, RobotsMemory, RobotsRules
from minisearch.crawl.scope import Rules, means
from minisearch.crawl.shapes import is_ordinary, kind
from minisearch.crawl.sitemap import Sitemap
from minisearch.crawl.survey import Survey, is_sitemap
from minisearch.crawl.traps import Traps
from minisearch.crawl.urls import host, origin, unfollowable
from minisearch.crawl.visit import Task
from minisearch.records import Failed, Found, Moved, Outcome, Page, Queued, Skipped, Visit

MOST_VERDICTS = 50_000  # that are remembered
MOST_ODD = 1000  # links of a crawl that nobody can follow and that are written down all the same
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
        revisits: Mapping[int, tuple[str, str]] | None = None,
        path: Callable[[int], Sequence[str]] = lambda _: (),
        recall: Callable[[str], RobotsFile | None] = lambda _: None,
        remember: Callable[[str, RobotsFile], None] = lambda *_: None,
        stop: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.rules, self._frontier, self._pool = rules, frontier, pool
        self._budget = max_pages  # pages that may still be fetched
        self._limits = limits or Limits()
        self.patience = patience or Patience(self._limits)
        self.traps = traps or Traps(self._limits)
        self.kin = kin or Kin(self._limits)
        self._counted: set[int] = set()  # pages under way of which the traps keep count
        self._odd: set[str] = set()
        self._verdicts: dict[tuple[str, int, bool], Found] = {}  # on urls met of late: (url, depth, may be followed)
        self._survey = survey or Survey()
        self._revisits = revisits or {}  # urls visited before: the ETag and Last-Modified of what they gave then
        self._path = path  # from the start to the url with this number: where it was found, and where that was found
        self._recall, self._remember = recall, remember  # robots.txt, from one run to the next
        self._stop, self._clock, self._sleep = stop, clock, sleep
        self._robots = RobotsMemory(clock)
        self._closed: dict[str, Skipped] = {}  # origins of which nothing may be asked for, not even robots.txt
        self._robots_tries: dict[str, int] = {}
        self._under_way: dict[int, Queued | str] = {}  # by key: a page, or the origin whose robots.txt was asked for
        self._keys = self._pages_under_way = 0
        self.stopped = False

    def __iter__(self) -> Iterator[Visit | None]:
        try:
            self._offer(self._survey.begin(self.rules.roots))
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
            if site not in self._robots and site not in self._closed:
                self._frontier.put_back(queued)
                self._frontier.block(queued.host)
                if (known := self._recall(site)) is not None:
                    self._obey(site, known)
                else:
                    self._submit(site, Task(site, robots=True))
                continue
            refusal = self._refusal(queued, site)
            if refusal is not None:
                yield self._visit(queued, refusal)
                self._frontier.drop(queued)
            else:
                self._pages_under_way += 1
                self._submit(queued, self._task(queued))

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
        path = self._path(queued.id) if self.kin.asleep or self.traps.asleep else ()
        if self.kin.asleep and queued.url not in self.rules.roots:
            refusal = self.kin.judge(queued.url, ("", *path)[-1])
            if refusal is not None:
                return refusal
        listed = bool(self.traps.asleep) and self._is_listed(queued.url, path)
        refusal = self.traps.begin(queued.url, queued.host, listed=listed)
        if refusal is None:
            self._counted.add(queued.id)
        return None if queued.url in self.rules.roots else refusal

    def _is_listed(self, url: str, path: Sequence[str]) -> bool:
        """Whether a url is one of so many: in a sitemap, on an ordinary page, or on another kind of page there."""
        *_, before, teller = ("", "", *path)
        leads_on = len(path) == 1 or self._leads_on(teller)  # what was itself found nowhere is a start or a sitemap
        return leads_on or (self._leads_on(before) and kind(teller) != kind(url))

    def _leads_on(self, url: str) -> bool:
        return bool(url) and (is_ordinary(url) or url in self.rules.roots)

    def _task(self, queued: Queued) -> Task:
        if is_sitemap(queued):
            return Task(queued.url, sitemap=True)
        if queued.id in self._revisits:
            etag, last_modified = self._revisits[queued.id]
            return Task(queued.url, etag=etag, last_modified=last_modified)
        return Task(queued.url, sketch=self.traps.is_suspect(queued.url))

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
        if file.is_passing and tries < self._limits.tries and patient:  # nothing may be fetched until it is read
            pause = max(self.patience.pause(tries), file.retry_after)
            self._frontier.release(host(site + "/"), 0.0, self._clock(), rest=pause)
            return
        if not file.unreachable:
            self._remember(site, file)
        self._obey(site, file)

    def _obey(self, site: str, file: RobotsFile) -> None:
        rules = self._robots[site] = RobotsRules(file)
        self._frontier.release(host(site + "/"), rules.delay, self._clock())
        self._offer(self._survey.heard_of(site, rules.sitemaps, self.rules.roots))

    def _offer(self, sitemap: Queued | None) -> None:
        if sitemap is not None:
            self._frontier.offer(sitemap)

    def _settle(self, queued: Queued, outcome: Outcome | Sitemap) -> Iterator[Visit]:
        """What became of a url, unless it is tried again."""
        counted = queued.id in self._counted
        self._counted.discard(queued.id)
        if isinstance(outcome, Page):
            self._budget -= 1
            if queued.id not in self._revisits:
                path = self._path(queued.id) if outcome.sketch is not None else ()
                suspect = outcome.sketch is not None and not self._is_listed(queued.url, path)
                if not suspect or not self.traps.fetched(outcome, path):
                    self.kin.fetched(outcome, lambda: ("", *(path or self._path(queued.id)))[-1])
        elif counted:
            self.traps.give_back(queued.url, queued.host)
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
            return Visit(queued, outcome, tuple(self._found(queued, outcome)))
        told, found = self._survey.read(queued, outcome, partial(self._judged, follow=True, listed=True))
        self._offer(self._survey.next())
        return Visit(queued, told, found)

    def _found(self, queued: Queued, outcome: Outcome) -> Iterator[Found]:
        """The urls a visit led to, each with the verdict of the rules."""
        if isinstance(outcome, Moved):
            yield self._hop(queued, outcome.target)
        elif isinstance(outcome, Page):
            met = dict.fromkeys(map(itemgetter(0), outcome.links))
            shuns = any(map(itemgetter(2), outcome.links))  # which few pages do
            followed = dict.fromkeys(url for url, _, nofollow in outcome.links if not nofollow) if shuns else met
            if outcome.canonical and host(outcome.canonical) == queued.host:
                met[outcome.canonical] = followed[outcome.canonical] = None
            depth, listed = queued.depth + 1, bool(self.traps.asleep) and self._leads_on(queued.url)
            verdicts = {} if self.traps.asleep else self._verdicts
            for url in met:
                key = url, depth, url in followed
                found = verdicts.get(key) or self._judged(url, depth, follow=key[2], listed=listed)
                asleep = self.kin.judge(url, queued.url) if self.kin.asleep and not found.rule else None
                yield found if asleep is None else replace(found, rule=asleep.rule, reason=asleep.reason)
            for written in outcome.odd_links:
                if len(self._odd) < MOST_ODD and written not in self._odd:
                    self._odd.add(written)
                    yield Found(written, "", queued.depth + 1, 0, *unfollowable(written))

    def _hop(self, queued: Queued, target: str) -> Found:
        if queued.depth == 0 and target not in self.rules.roots and means(queued.url, target):
            # Whoever names http://example.com means the place it leads to.
            self.rules = replace(self.rules, roots=(*self.rules.roots, target))
            self._verdicts.clear()
        found = replace(self._judged(target, queued.depth, follow=True), hops=queued.hops + 1)
        if found.hops > self._limits.redirects:
            return replace(found, rule="redirects", reason=f"more than {self._limits.redirects} redirects in a row")
        return found

    def _judged(self, url: str, depth: int, *, follow: bool, listed: bool = False) -> Found:
        """The verdict of the rules, which is known already for most links of most pages."""
        if self.traps.asleep:
            return self._judge(url, depth, follow=follow, listed=listed)
        found = self._verdicts.get((url, depth, follow))
        if found is None:
            if len(self._verdicts) >= MOST_VERDICTS:
                self._verdicts.clear()
            found = self._verdicts[url, depth, follow] = self._judge(url, depth, follow=follow)
        return found

    def _judge(self, url: str, depth: int, *, follow: bool, listed: bool = False) -> Found:
        verdict = self.rules.judge(url, depth)
        if verdict is None and url not in self.rules.roots and not listed:
            verdict = self.traps.judge(url)
        if not follow and (
            verdict is None or verdict.rule in ("depth", "partition")
        ):  # it has no depth until a link leads to it
            return Found(url, host(url), depth, 0, "nofollow", "only met in links marked nofollow")
        if verdict is not None:
            return Found(url, host(url), depth, 0, verdict.rule, verdict.reason)
        return Found(url, host(url), depth)
