"""The frontier: which URL is next, and which host must not be requested yet.

Queued URLs are in the file; only the next few of each host are held here, so that a frontier of millions needs no more
memory than one of hundreds.

Failed URLs are requested again. The back-off doubles with each attempt, with jitter so that the clients of a server
that failed do not all return at once. Retry-After is obeyed up to a limit, and a host that fails again and again is
skipped.
"""

from __future__ import annotations

import heapq
import random
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from zlib import crc32

from minisearch.crawl.policy import url_pattern
from minisearch.fetch.guard import is_loopback
from minisearch.limits import Limits
from minisearch.models import YEAR, Detail, Failed, Queued

PUBLIC_DELAY = 1.0  # seconds between two requests to one public host
WINDOWS = {"breadth": 16, "newest": 1, "best": 16}  # URLs held for each host
AHEAD = 256  # hosts whose next URL is held at a time
PATTERN_SHARE = 10  # URLs of a pattern that come before those of other patterns get their turn
PATTERN_SLOTS = 1 << 16
LAST_SEGMENT = re.compile(r"(?<!/)/[^/?]+/?(?=\?|$)")  # of the path of a URL
FIRST_BACKOFF = 1.0  # seconds before the second attempt; doubled for each further one
JITTER = 0.5  # the share of itself by which a back-off may be longer
HOST_FAILURES = ("timeout", "crash")  # count against a host though the URL is not requested again
LONG_WAITS = 2  # URLs in a row with a Retry-After beyond the limit, after which the host is skipped


class PatternTurns:
    """Gives URLs their turns: at the same depth, the first ten of every URL pattern come before the next ten of any.

    So a page with tens of thousands of links of one pattern does not use up the pages that may be fetched of a host.
    The last segment of a path is not part of the pattern here: of tags or authors, each is another word.
    Patterns are counted by their hashes, for there may be millions; two that share one wait a little longer.
    """

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()

    def take(self, url: str) -> int:
        """The turn of a URL that was discovered, from 0 on."""
        slot = self._slot(url)
        self._counts[slot] += 1
        return (self._counts[slot] - 1) // PATTERN_SHARE

    def restore(self, url: str, turn: int) -> None:
        """Count on after a URL that was given this turn in an earlier run."""
        slot = self._slot(url)
        self._counts[slot] = max(self._counts[slot], (turn + 1) * PATTERN_SHARE)

    def _slot(self, url: str) -> int:
        return crc32(LAST_SEGMENT.sub("/", url_pattern(url), count=1).encode()) % PATTERN_SLOTS


@dataclass
class _Host:
    delay: float
    parallel: int
    upcoming: deque[Queued] = field(default_factory=deque)
    taken: set[int] = field(default_factory=set)  # handed out, and not yet done
    ready_at: float = 0.0
    blocked: bool = False  # waiting for its robots.txt
    version: int = 0  # which of its entries in the heaps below is valid: the others are outdated


class Frontier:
    """Hands out queued URLs in order, host by host, never too many of one host at a time.

    `source(host, limit)` gives the next queued URLs of a host; `delay` is the number of seconds between two
    requests to one host, None for the polite default; hosts that are `is_local` need no politeness.
    """

    def __init__(
        self,
        source: Callable[[str, int], list[Queued]],
        *,
        order: str = "breadth",
        delay: float | None = None,
        parallel: int = 8,
        is_local: Callable[[str], bool] = is_loopback,
    ) -> None:
        self._source = source
        self._window = WINDOWS[order]
        self._delay = delay
        self._parallel = parallel
        self._is_local = is_local
        self._hosts: dict[str, _Host] = {}
        # Two heaps, so that the number of hosts does not matter. An entry is dropped when it comes to the top and its
        # host has another version by then.
        self._delayed: list[tuple[float, int, str]] = []  # (when to look, version, host)
        self._ready: list[tuple[int, int, int, str]] = []  # (depth and id of its next URL, version, host)

    def refresh(self, hosts: Iterable[str]) -> None:
        """There are new URLs in the file for these hosts."""
        for name in hosts:
            self._schedule(name, self._host(name))

    def _host(self, name: str) -> _Host:
        if name not in self._hosts:
            is_local = self._is_local(name)
            delay = self._delay if self._delay is not None else 0.0 if is_local else PUBLIC_DELAY
            self._hosts[name] = _Host(delay, self._parallel if is_local and not delay else 1)
        return self._hosts[name]

    def _schedule(self, name: str, host: _Host) -> None:
        """Look at this host when it is ready, if it may be requested at all."""
        host.version += 1
        if not host.blocked and len(host.taken) < host.parallel:
            heapq.heappush(self._delayed, (host.ready_at, host.version, name))

    def release(self, name: str, delay: float, now: float, *, pause: float = 0.0) -> None:
        """Hand out URLs of this host again after `pause` seconds; a public host may ask for a longer delay."""
        host = self._host(name)
        host.blocked = False
        host.ready_at = max(host.ready_at, now + pause)
        if host.delay:
            host.delay = max(host.delay, delay)
            host.ready_at = max(host.ready_at, now + host.delay)
        self._schedule(name, host)

    def pop(self, now: float) -> Queued | None:
        """The next URL whose host may be requested now."""
        name = self._first(now)
        if name is None:
            return None
        host = self._hosts[name]
        queued = host.upcoming.popleft()
        host.taken.add(queued.id)
        host.ready_at = now + host.delay
        self._schedule(name, host)
        return queued

    def _first(self, now: float) -> str | None:
        """The host that is ready and whose next URL is first in order."""
        while self._ready and self._hosts[self._ready[0][3]].version != self._ready[0][2]:
            heapq.heappop(self._ready)
        while self._delayed and self._delayed[0][0] <= now and len(self._ready) < AHEAD:
            _, version, name = heapq.heappop(self._delayed)
            host = self._hosts[name]
            if host.version != version:
                continue
            if not host.upcoming:
                more = self._source(name, self._window + len(host.taken))
                host.upcoming.extend(queued for queued in more if queued.id not in host.taken)
            if host.upcoming:
                queued = host.upcoming[0]
                heapq.heappush(self._ready, (queued.depth, queued.id, version, name))
        return self._ready[0][3] if self._ready else None

    def push_front(self, queued: Queued) -> None:
        """Make this URL the next of its host, though it is not in the file, or was handed out already."""
        host = self._host(queued.host)
        host.upcoming.appendleft(queued)
        self._schedule(queued.host, host)

    def block(self, queued: Queued) -> None:
        """Hand out nothing of a host until it is released; this URL, which was not requested after all, comes next."""
        host = self._host(queued.host)
        host.upcoming.appendleft(queued)
        host.blocked = True
        self.done(queued, 0.0, was_requested=False)

    def retry(self, queued: Queued, at: float) -> None:
        """Hand out a URL again, and nothing of its host, not before `at`."""
        host = self._host(queued.host)
        host.taken.discard(queued.id)
        host.ready_at = max(host.ready_at, at)
        self.push_front(queued)

    def done(self, queued: Queued, now: float, *, was_requested: bool = True) -> None:
        """What became of a URL is in the file."""
        host = self._host(queued.host)
        host.taken.discard(queued.id)
        if host.delay:  # the delay before a URL that was not requested after all holds for the next one
            host.ready_at = max(host.ready_at, now + host.delay) if was_requested else 0.0
        self._schedule(queued.host, host)

    def next_ready_at(self, now: float) -> float | None:
        """When a URL may be handed out, if nothing else happens; None if never."""
        name = self._first(now)
        if name is not None:
            return self._hosts[name].ready_at
        while self._delayed and self._hosts[self._delayed[0][2]].version != self._delayed[0][1]:
            heapq.heappop(self._delayed)
        return self._delayed[0][0] if self._delayed else None


class RetryPolicy:
    """Counts the attempts at each URL, and the URLs of each host that failed in a row."""

    def __init__(self, limits: Limits, chance: Callable[[], float] = random.random) -> None:
        self._limits = limits
        self._chance = chance
        self._attempts: dict[int, int] = {}  # of URLs that failed and are to be requested again
        self._failing: dict[str, dict[int, float]] = {}  # host -> URLs that failed since its last response: Retry-After
        self.skipped_hosts: dict[str, Detail] = {}  # host -> why it is not requested any more

    def on_result(self, queued: Queued, outcome: object) -> float | None:
        """Seconds until this URL is to be requested again; None if the outcome is final."""
        self._count_failures(queued, outcome)
        if not isinstance(outcome, Failed):
            self._attempts.pop(queued.id, None)
            return None
        if not outcome.transient or queued.host in self.skipped_hosts:
            return None
        attempts = self._attempts[queued.id] = self._attempts.get(queued.id, 0) + 1
        return self.pause(attempts, outcome.retry_after)

    def is_retry(self, queued: Queued) -> bool:
        """Whether this URL was requested before, and failed."""
        return queued.id in self._attempts

    def pause(self, attempts: int, retry_after: float) -> float | None:
        """Seconds to wait after this many failed attempts, in the answer to the last of which the server asked to wait
        `retry_after`; None if there is to be no other.
        """
        longest = self._limits.pause_seconds
        if attempts >= self._limits.tries or retry_after > longest:
            return None
        backoff = FIRST_BACKOFF * 2.0 ** (attempts - 1) * (1 + JITTER * self._chance())
        return max(min(backoff, longest), retry_after)

    def final_failure(self, queued: Queued, outcome: Failed) -> Failed:
        """The failure that is recorded for a URL, with the number of attempts."""
        attempts = self._attempts.pop(queued.id, 1)
        detail = outcome.detail
        if outcome.transient and outcome.retry_after > self._limits.pause_seconds:
            detail = {**detail, "wait": _seconds(outcome.retry_after)}
        elif attempts > 1:
            detail = {**detail, "tries": attempts}
        return replace(outcome, detail=detail)

    def _count_failures(self, queued: Queued, outcome: object) -> None:
        if not isinstance(outcome, Failed) or not (outcome.transient or outcome.rule in HOST_FAILURES):
            self._failing.pop(queued.host, None)
            return
        failing = self._failing.setdefault(queued.host, {})
        failing[queued.id] = outcome.retry_after
        if queued.host in self.skipped_hosts:
            return
        if sum(wait > self._limits.pause_seconds for wait in failing.values()) >= LONG_WAITS:
            pause = _seconds(outcome.retry_after)
            self.skipped_hosts[queued.host] = {"problem": "wait", "host": queued.host, "pause": pause}
        elif len(failing) >= self._limits.host_failures:
            last = {"rule": outcome.rule, **outcome.detail}
            self.skipped_hosts[queued.host] = {"host": queued.host, "failures": len(failing), "cause": last}


def _seconds(wait: float) -> float:
    return min(wait, YEAR + 1.0)  # a header may name any number, infinity too
