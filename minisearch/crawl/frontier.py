"""The frontier: which url is next, and which host has to be left in peace for a while.

The urls themselves wait in the file; only the next few of each host are held here, so that a frontier of
millions needs no more memory than one of hundreds.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from minisearch.fetch.guard import is_loopback
from minisearch.records import Queued

PUBLIC_DELAY = 1.0  # seconds between two requests to one public host
WINDOWS = {"breadth": 64, "newest": 1, "best": 16}  # urls held a host
PATIENT_WINDOW = 4  # and of a host that is asked only now and then
AHEAD = 256  # hosts whose next url is known at a time


@dataclass
class _Host:
    delay: float
    parallel: int
    window: int  # urls held
    upcoming: deque[Queued] = field(default_factory=deque)
    later: list[tuple[float, int, Queued]] = field(default_factory=list)  # a heap: tried before, to be tried again
    taken: set[int] = field(default_factory=set)  # handed out, and not yet settled in the file
    ready_at: float = 0.0
    busy: int = 0
    asleep: bool = False  # nothing more in the file, as far as we know
    blocked: bool = False  # waiting for its robots.txt
    place: int = 0  # which of its entries in the queues below counts: the others are of the past


class Frontier:
    """Hands out queued urls in order, host by host, never too many of one host at a time.

    `source(host, limit)` gives the next queued urls of a host; `delay` is the number of seconds between two
    requests to one host, None for the polite default; hosts that are `near` need no politeness.
    """

    def __init__(
        self,
        source: Callable[[str, int], list[Queued]],
        *,
        order: str = "breadth",
        delay: float | None = None,
        parallel: int = 8,
        near: Callable[[str], bool] | None = None,
    ) -> None:
        self._source = source
        self._window = WINDOWS[order]
        self._delay = delay
        self._parallel = parallel
        self._near = near or is_loopback
        self._hosts: dict[str, _Host] = {}
        # Two heaps, so that it does not matter how many hosts there are. An entry is dropped when it comes to the
        # top and its host has moved to another place in the meantime.
        self._resting: list[tuple[float, int, str]] = []  # (when to look, place, host)
        self._ready: list[tuple[int, int, int, str]] = []  # (depth and id of its next url, place, host)
        self._places = 0

    def wake(self, hosts: Iterable[str]) -> None:
        """There is something new in the file for these hosts."""
        for name in hosts:
            host = self._host(name)
            if host.asleep or not host.place:
                host.asleep = False
                self._put(name, host)

    def _host(self, name: str) -> _Host:
        if name not in self._hosts:
            near = self._near(name)
            delay = self._delay if self._delay is not None else 0.0 if near else PUBLIC_DELAY
            window = min(self._window, PATIENT_WINDOW) if delay else self._window
            self._hosts[name] = _Host(delay, self._parallel if near and not delay else 1, window)
        return self._hosts[name]

    def _put(self, name: str, host: _Host, at: float | None = None) -> None:
        """Have a look at this host when its time has come, if it may be asked at all."""
        self._places += 1
        host.place = self._places
        if not host.blocked and host.busy < host.parallel:
            heapq.heappush(self._resting, (host.ready_at if at is None else at, host.place, name))

    def block(self, name: str) -> None:
        """Hand out nothing of this host until it is released."""
        host = self._host(name)
        host.blocked = True
        self._put(name, host)

    def unblock(self, name: str) -> None:
        """Hand out urls of this host again: it was not asked for anything meanwhile."""
        host = self._host(name)
        host.blocked = False
        self._put(name, host)

    def release(self, name: str, delay: float, now: float, *, rest: float = 0.0) -> None:
        """Hand out urls of this host again, after `rest` seconds; a public host may ask for a longer delay."""
        host = self._host(name)
        host.blocked = False
        host.ready_at = max(host.ready_at, now + rest)
        if host.delay:
            host.delay = max(host.delay, delay)
            host.ready_at = now + max(host.delay, rest)
        self._put(name, host)

    def pop(self, now: float) -> Queued | None:
        """The next url whose host may be asked now."""
        name = self._first(now)
        if name is None:
            return None
        host = self._hosts[name]
        queued = heapq.heappop(host.later)[2] if host.later and host.later[0][0] <= now else host.upcoming.popleft()
        host.taken.add(queued.id)
        host.busy += 1
        host.ready_at = now + host.delay
        self._put(name, host)
        return queued

    def _first(self, now: float) -> str | None:
        """The host that is ready and has the nearest url."""
        while self._ready and self._hosts[self._ready[0][3]].place != self._ready[0][2]:
            heapq.heappop(self._ready)
        while self._resting and self._resting[0][0] <= now and len(self._ready) < AHEAD:
            _, place, name = heapq.heappop(self._resting)
            host = self._hosts[name]
            if host.place != place:
                continue
            head = self._head(name, host, now)
            if head is not None:
                heapq.heappush(self._ready, (head.depth, head.id, place, name))
            elif host.later:
                self._put(name, host, max(host.ready_at, host.later[0][0]))
        return self._ready[0][3] if self._ready else None

    def _head(self, name: str, host: _Host, now: float) -> Queued | None:
        if host.later and host.later[0][0] <= now:
            return host.later[0][2]
        if not host.upcoming and not host.asleep:
            more = self._source(name, host.window + len(host.taken))
            host.upcoming.extend(queued for queued in more if queued.id not in host.taken)
            host.asleep = not host.upcoming
        return host.upcoming[0] if host.upcoming else None

    def offer(self, queued: Queued) -> None:
        """A url that does not wait in the file: it is first in line."""
        host = self._host(queued.host)
        host.upcoming.appendleft(queued)
        self._put(queued.host, host)

    def put_back(self, queued: Queued) -> None:
        """A url that was handed out was not fetched after all: it is first in line again."""
        host = self._host(queued.host)
        host.upcoming.appendleft(queued)
        self._not_asked(queued.host, host)

    def drop(self, queued: Queued) -> None:
        """The fate of a url is in the file, and its host was not even asked."""
        host = self._host(queued.host)
        host.taken.discard(queued.id)
        self._not_asked(queued.host, host)

    def _not_asked(self, name: str, host: _Host) -> None:
        host.busy -= 1
        if host.delay:
            host.ready_at = 0.0  # it has rested enough for the next one
        self._put(name, host)

    def again(self, queued: Queued, at: float, *, alone: bool = False) -> None:
        """Try a url once more, not before `at`; its host rests until then too, and then may get one at a time."""
        host = self._host(queued.host)
        host.busy -= 1
        if alone:
            host.parallel = 1
        host.ready_at = max(host.ready_at, at)
        heapq.heappush(host.later, (at, queued.id, queued))
        self._put(queued.host, host)

    def done(self, queued: Queued, now: float) -> None:
        """The fate of a url is in the file."""
        host = self._host(queued.host)
        host.busy -= 1
        if host.delay:
            host.ready_at = max(host.ready_at, now + host.delay)
        host.taken.discard(queued.id)
        self._put(queued.host, host)

    def next_at(self, now: float) -> float | None:
        """When something may be handed out, if nothing else happens; None if never."""
        name = self._first(now)
        if name is not None:
            return self._hosts[name].ready_at
        while self._resting and self._hosts[self._resting[0][2]].place != self._resting[0][1]:
            heapq.heappop(self._resting)
        return self._resting[0][0] if self._resting else None
