"""Patience: when a url is asked for again, and when a host has failed so often that it is left in peace.

Pauses double with each try, and a little chance is added so that many clients of a server that stumbled do not come
back all at once. A server that says how long it needs (Retry-After) is believed, within reason.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from minisearch.limits import Limits
from minisearch.records import Failed, Queued

FIRST_PAUSE = 1.0  # seconds before the second try; each further pause is twice as long
JITTER = 0.5  # by which share of itself a pause may be longer
OF_THE_HOST = ("timeout", "crash")  # failures that speak against a host though they are not tried again
TOLD_TWICE = 2  # urls in a row whose host asks for more patience than we have: one may be out of order by itself
TOO_MUCH = ("http-429", "http-503")  # what a host says that is asked for too many pages at a time
YEAR = 31_536_000.0  # seconds


class Patience:
    """Counts the tries of each url, and the urls of each host that failed in a row."""

    def __init__(self, limits: Limits, chance: Callable[[], float] = random.random) -> None:
        self._limits = limits
        self._chance = chance
        self._tries: dict[int, int] = {}
        self._failing: dict[str, set[int]] = {}  # of each host: the different urls that failed since it last answered
        self._told_to_wait: dict[str, set[int]] = {}  # and those of them that are to be asked for much later
        self.resting: dict[str, str] = {}  # host -> why it is not asked any more
        self.overworked: set[str] = set()  # hosts that are asked for one page at a time from now on

    def heard(self, queued: Queued, outcome: object) -> float | None:
        """A server has answered, or not: in how many seconds to try this url again; None if that is its last word."""
        self._note(queued, outcome)
        if isinstance(outcome, Failed) and outcome.rule in TOO_MUCH:
            self.overworked.add(queued.host)
        if isinstance(outcome, Failed) and outcome.transient and outcome.retry_after <= self._limits.pause_seconds:
            tries = self._tries[queued.id] = self._tries.get(queued.id, 0) + 1
            if tries < self._limits.tries and queued.host not in self.resting:
                return max(self.pause(tries), outcome.retry_after)
        return None

    def has_tried(self, queued: Queued) -> bool:
        """Whether this url was asked for in vain before."""
        return queued.id in self._tries

    def pause(self, tries: int) -> float:
        """Seconds to wait after so many tries that were in vain."""
        pause = FIRST_PAUSE * 2.0 ** (tries - 1) * (1 + JITTER * self._chance())
        return min(pause, self._limits.pause_seconds)

    def last_word(self, queued: Queued, outcome: Failed) -> Failed:
        """The failure that a url ends with, with all that led to it."""
        tries = self._tries.pop(queued.id, 1)
        reason = outcome.reason
        if outcome.transient and outcome.retry_after > self._limits.pause_seconds:
            reason += f" and asked us to wait {_told(outcome.retry_after)}: it is left to the next crawl"
        elif tries > 1:
            reason += f" ({tries} tries)"
        return replace(outcome, reason=reason)

    def _note(self, queued: Queued, outcome: object) -> None:
        if not isinstance(outcome, Failed) or not (outcome.transient or outcome.rule in OF_THE_HOST):
            self._failing.pop(queued.host, None)
            self._told_to_wait.pop(queued.host, None)
            return
        failing = self._failing.setdefault(queued.host, set())
        failing.add(queued.id)
        told_to_wait = self._told_to_wait.setdefault(queued.host, set())
        if outcome.retry_after > self._limits.pause_seconds:
            told_to_wait.add(queued.id)
        if queued.host in self.resting:
            return
        if len(told_to_wait) >= TOLD_TWICE:
            self.sent_away(queued.host, outcome.retry_after)
        elif len(failing) >= self._limits.host_failures:
            self._rest(queued.host, f"for {len(failing)} of its urls failed in a row; the last: {outcome.reason}")

    def sent_away(self, host: str, seconds: float) -> None:
        """A host asks for more patience than we have."""
        self._rest(host, f"for it asked us to wait {_told(seconds)}")

    def _rest(self, host: str, why: str) -> None:
        self.resting[host] = f"{host} is left in peace until the next crawl, {why}"


def _told(seconds: float) -> str:
    return f"{seconds:,.0f} seconds" if seconds <= YEAR else "more than a year"
