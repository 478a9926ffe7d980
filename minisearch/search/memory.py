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
        self._found: OrderedDict[object, tuple[Kept, int]] = OrderedDict()  # and how much memory each was found to take

    def __contains__(self, key: object) -> bool:
        return key in self._found

    def get(self, key: object) -> Kept | None:
        """What was looked up not long ago."""
        known = self._found.get(key)
        if known is None:
            return None
        found, size = known
        self._found.move_to_end(key)
        if found.memory() != size:  # it has grown
            self.keep(key, found)
        return found

    def keep(self, key: object, found: Kept) -> None:
        """Remember this, and forget others for it."""
        size, (_, before) = found.memory(), self._found.get(key, (found, 0))
        self._found[key] = found, size
        self._held += size - before
        while self._held > self._most and len(self._found) > 1:
            _, (_, oldest) = self._found.popitem(last=False)
            self._held -= oldest
