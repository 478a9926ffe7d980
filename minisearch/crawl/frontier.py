"""The frontier: which url is next, and which host has to be left in peace for a while.

The urls themselves wait in the file; only the next few of each host are held here, so that a frontier of
millions needs no more memory than one of hundreds.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from ipaddress import ip_address

from minisearch.records import Queued

PUBLIC_DELAY = 1.0  # seconds between two requests to one public host
WINDOWS = {"breadth": 64, "newest": 1, "best": 16}  # urls held a host


@dataclass
class _Host:
    delay: float
    parallel: int
    upcoming: deque[Queued] = field(default_factory=deque)
    later: list[tuple[float, int, Queued]] = field(default_factory=list)  # a heap: tried before, to be tried again
    ready_at: float = 0.0
    busy: int = 0
    asleep: bool = False  # nothing more in the file, as far as we know
    blocked: bool = False  # waiting for its robots.txt


class Frontier:
    """Hands out queued urls in order, host by host, never too many of one host at a time.

    `source(host, limit)` gives the next queued urls of a host; `delay` is the number of seconds between two
    requests to one host, None for the polite default.
    """

    def __init__(
        self,
        source: Callable[[str, int], list[Queued]],
        *,
        order: str = "breadth",
        delay: float | None = None,
        parallel: int = 8,
    ) -> None:
        self._source = source
        self._window = WINDOWS[order]
        self._delay = delay
        self._parallel = parallel
        self._hosts: dict[str, _Host] = {}
        self._taken: dict[str, set[int]] = {}  # handed out, and not yet settled in the file

    def wake(self, hosts: Iterable[str]) -> None:
        """There is something new in the file for these hosts."""
        for name in hosts:
            self._host(name).asleep = False

    def _host(self, name: str) -> _Host:
        if name not in self._hosts:
            near = is_loopback(name)
            delay = self._delay if self._delay is not None else 0.0 if near else PUBLIC_DELAY
            self._hosts[name] = _Host(delay, self._parallel if near and not delay else 1)
            self._taken[name] = set()
        return self._hosts[name]

    def block(self, name: str) -> None:
        """Hand out nothing of this host until it is released."""
        self._host(name).blocked = True

    def release(self, name: str, delay: float, now: float) -> None:
        """Hand out urls of this host again; a public host may ask for a longer delay."""
        host = self._host(name)
        host.blocked = False
        if host.delay:
            host.delay = max(host.delay, delay)
            host.ready_at = now + host.delay

    def pop(self, now: float) -> Queued | None:
        """The next url whose host may be asked now."""
        best: tuple[tuple[int, int], str] | None = None
        for name, host in self._hosts.items():
            if host.blocked or host.busy >= host.parallel or host.ready_at > now:
                continue
            head = self._head(name, host, now)
            if head is not None and (best is None or (head.depth, head.id) < best[0]):
                best = ((head.depth, head.id), name)
        if best is None:
            return None
        host = self._hosts[best[1]]
        queued = heapq.heappop(host.later)[2] if host.later and host.later[0][0] <= now else host.upcoming.popleft()
        self._taken[best[1]].add(queued.id)
        host.busy += 1
        host.ready_at = now + host.delay
        return queued

    def _head(self, name: str, host: _Host, now: float) -> Queued | None:
        if host.later and host.later[0][0] <= now:
            return host.later[0][2]
        if not host.upcoming and not host.asleep:
            taken = self._taken[name]
            more = self._source(name, self._window + len(taken))
            host.upcoming.extend(queued for queued in more if queued.id not in taken)
            host.asleep = not host.upcoming
        return host.upcoming[0] if host.upcoming else None

    def put_back(self, queued: Queued) -> None:
        """A url that was handed out was not fetched after all: it is first in line again."""
        self._not_asked(queued).upcoming.appendleft(queued)

    def drop(self, queued: Queued) -> None:
        """The fate of a url is in the file, and its host was not even asked."""
        self._not_asked(queued)
        self._taken[queued.host].discard(queued.id)

    def _not_asked(self, queued: Queued) -> _Host:
        host = self._host(queued.host)
        host.busy -= 1
        if host.delay:
            host.ready_at = 0.0  # it has rested enough for the next one
        return host

    def again(self, queued: Queued, at: float) -> None:
        """Try a url once more, not before `at`; its host rests until then too."""
        host = self._host(queued.host)
        host.busy -= 1
        host.ready_at = max(host.ready_at, at)
        heapq.heappush(host.later, (at, queued.id, queued))

    def done(self, queued: Queued, now: float) -> None:
        """The fate of a url is in the file."""
        host = self._host(queued.host)
        host.busy -= 1
        host.ready_at = max(host.ready_at, now + host.delay)
        self._taken[queued.host].discard(queued.id)

    def next_at(self, now: float) -> float | None:
        """When something may be handed out, if nothing else happens; None if never."""
        times = []
        for name, host in self._hosts.items():
            if host.blocked or host.busy >= host.parallel:
                continue
            if self._head(name, host, now) is not None:
                times.append(host.ready_at)
            elif host.later:
                times.append(max(host.ready_at, host.later[0][0]))
        return min(times, default=None)


def is_loopback(host: str) -> bool:
    """Whether a host is this very machine, which needs no politeness.

    >>> is_loopback("127.0.0.1:8000"), is_loopback("localhost"), is_loopback("[::1]:80"), is_loopback("example.com")
    (True, True, True, False)
    """
    name = host.rpartition("]")[0].lstrip("[") if host.startswith("[") else host.partition(":")[0]
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
