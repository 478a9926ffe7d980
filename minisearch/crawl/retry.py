"""Retry policy: when a URL is requested again, and when a host has failed so often that it is skipped.

The back-off doubles with each attempt, with jitter so that the clients of a server that failed do not all return at
once. Retry-After is obeyed up to a limit.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from minisearch.limits import Limits
from minisearch.models import YEAR, Detail, Failed, Queued

FIRST_BACKOFF = 1.0  # seconds before the second attempt; doubled for each further one
JITTER = 0.5  # the share of itself by which a back-off may be longer
HOST_FAILURES = ("timeout", "crash")  # count against a host though the URL is not requested again
THROTTLED = ("http-429", "http-503")  # too many requests: from now on one at a time
LONG_WAITS = 2  # URLs in a row with a Retry-After beyond the limit, after which the host is skipped


class RetryPolicy:
    """Counts the attempts at each URL, and the URLs of each host that failed in a row."""

    def __init__(self, limits: Limits, chance: Callable[[], float] = random.random) -> None:
        self._limits = limits
        self._chance = chance
        self._attempts: dict[int, int] = {}  # of URLs that failed and are to be requested again
        self._failing: dict[str, set[int]] = {}  # host -> URLs that failed since its last response
        self._long_waits: dict[str, set[int]] = {}  # host -> those of them with a Retry-After beyond the limit
        self.skipped_hosts: dict[str, Detail] = {}  # host -> why it is not requested any more
        self.throttled: set[str] = set()  # hosts to which one request at a time is sent

    def on_result(self, queued: Queued, outcome: object) -> float | None:
        """Seconds until this URL is to be requested again; None if the outcome is final."""
        self._count_failures(queued, outcome)
        if not isinstance(outcome, Failed):
            self._attempts.pop(queued.id, None)
            return None
        if outcome.rule in THROTTLED:
            self.throttled.add(queued.host)
        if outcome.transient and outcome.retry_after <= self._limits.pause_seconds:
            attempts = self._attempts[queued.id] = self._attempts.get(queued.id, 0) + 1
            if attempts < self._limits.tries and queued.host not in self.skipped_hosts:
                return max(self.backoff(attempts), outcome.retry_after)
        return None

    def is_retry(self, queued: Queued) -> bool:
        """Whether this URL was requested before, and failed."""
        return queued.id in self._attempts

    def backoff(self, attempts: int) -> float:
        """Seconds to wait after this many attempts."""
        seconds = FIRST_BACKOFF * 2.0 ** (attempts - 1) * (1 + JITTER * self._chance())
        return min(seconds, self._limits.pause_seconds)

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
            self._long_waits.pop(queued.host, None)
            return
        failing = self._failing.setdefault(queued.host, set())
        failing.add(queued.id)
        long_waits = self._long_waits.setdefault(queued.host, set())
        if outcome.retry_after > self._limits.pause_seconds:
            long_waits.add(queued.id)
        if queued.host in self.skipped_hosts:
            return
        if len(long_waits) >= LONG_WAITS:
            self.skip_host_that_asks_to_wait(queued.host, outcome.retry_after)
        elif len(failing) >= self._limits.host_failures:
            last = {"rule": outcome.rule, **outcome.detail}
            self.skipped_hosts[queued.host] = {"host": queued.host, "failures": len(failing), "cause": last}

    def skip_host_that_asks_to_wait(self, host: str, seconds: float) -> None:
        """Request nothing more of a host whose Retry-After is beyond the limit."""
        self.skipped_hosts[host] = {"problem": "wait", "host": host, "pause": _seconds(seconds)}


def _seconds(wait: float) -> float:
    return min(wait, YEAR + 1.0)  # a header may name any number, infinity too
