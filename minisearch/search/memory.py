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
        self._sizes: dict[object, int] = {}

    def get(self, key: object) -> Kept | None:
        """What was looked up not long ago."""
        found = self._found.get(key)
        if found is not None:
            self._found.move_to_end(key)
            if found.memory() != self._sizes[key]:  # it has grown
                self._weigh(key, found)
        return found

    def keep(self, key: object, found: Kept) -> None:
        """Remember this, and forget others for it."""
        self._found[key] = found
        self._weigh(key, found)

    def _weigh(self, key: object, found: Kept) -> None:
        size = found.memory()
        self._held += size - self._sizes.get(key, 0)
        self._sizes[key] = size
        while self._held > self._most and len(self._found) > 1:
            oldest, _ = self._found.popitem(last=False)
            self._held -= self._sizes.pop(oldest)
