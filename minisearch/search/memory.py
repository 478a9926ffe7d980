"""Memory: what was looked up last, kept for the queries to come."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, Protocol, TypeVar


class Sized(Protocol):
    """What knows how much memory it takes."""

    def memory(self) -> int: ...  # noqa: D102


Kept = TypeVar("Kept", bound=Sized)


class Memory(Generic[Kept]):
    """What was looked up last, as much as fits into `most` bytes."""

    def __init__(self, most: int) -> None:
        self._most, self._held = most, 0
        self._found: OrderedDict[object, Kept] = OrderedDict()

    def get(self, key: object) -> Kept | None:
        """What was looked up not long ago."""
        if key in self._found:
            self._found.move_to_end(key)
        return self._found.get(key)

    def keep(self, key: object, found: Kept) -> None:
        """Remember this, and forget others for it."""
        self._found[key] = found
        self._held += found.memory()
        while self._held > self._most and len(self._found) > 1:
            self._held -= self._found.popitem(last=False)[1].memory()
