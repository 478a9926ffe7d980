"""Tallies: how many of the last pages of a kind said nearly the same as others before, which a few always do.

There may be more kinds than there is memory, so tallies are kept of those met last.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

WINDOW = 1.25  # of so many times as many last pages as are too many, so many have to be alike
MOST_TALLIES = 20_000

Kept = TypeVar("Kept")


@dataclass(slots=True)
class Tally:
    """The last pages of a kind."""

    recent: deque[bool] = field(default_factory=deque)  # which of them were like one before
    alike: int = 0  # how many of these were

    def take(self, like_another: bool, most: int) -> bool:
        """A page has come in: whether `most` of the last ones were like one before."""
        self.recent.append(like_another)
        self.alike += like_another
        if len(self.recent) > _window(most):
            self.alike -= self.recent.popleft()
        return self.alike >= most

    def is_fruitful(self) -> bool:
        """Whether most of the last pages had something new to say."""
        return self.alike * 2 < len(self.recent)


def why_asleep(urls: str, most: int) -> str:
    """Why no more urls of a kind are asked for."""
    found = f"of the last {_window(most)} pages there {most} said nearly the same as others before"
    return f"put to sleep: all urls {urls}, for {found}"


def _window(most: int) -> int:
    return round(most * WINDOW)


class Latest(OrderedDict[str, Kept]):
    """Something kept of each kind, but only of those asked for last."""

    def __init__(self, make: Callable[[], Kept], most: int = MOST_TALLIES) -> None:
        super().__init__()
        self._make, self._most = make, most

    def of(self, kind: str) -> Kept:
        """What is kept of a kind; something new if that is nothing."""
        if kind not in self:
            self[kind] = self._make()
            if len(self) > self._most:
                self.popitem(last=False)
        self.move_to_end(kind)
        return self[kind]
