"""A total time limit for a request, whatever the server does.

A socket's timeout starts again with every byte, so a server that sends a byte now and then can keep a client waiting
for ever, in the headers as well as in the body. Here each wait for a byte gets no more time than is left in all.
"""

from __future__ import annotations

import math
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import RawIOBase
from typing import Any

_ends_at: ContextVar[float] = ContextVar("ends_at", default=math.inf)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Give the requests made inside this context this many seconds in all; inside another one no more than it has."""
    token = _ends_at.set(min(time.monotonic() + seconds, _ends_at.get()))
    try:
        yield
    finally:
        _ends_at.reset(token)


def remaining() -> float:
    """Seconds that are left for the current request; not above 0 if its time is up."""
    return _ends_at.get() - time.monotonic()


class TimedReader(RawIOBase):
    """The bytes that a connection receives; TimeoutError after its own timeout, or when the time is up."""

    def __init__(self, connection: socket.socket, raw: Any) -> None:
        self._connection, self._raw = connection, raw
        self._timeout: Any = connection.gettimeout()  # seconds, as fetcher.request gives them

    def readable(self) -> bool:
        """Whether it can be read: always."""
        return True

    def readinto(self, buffer: Any) -> int | None:
        """Wait for bytes."""
        if (left := remaining()) <= 0:
            raise TimeoutError("the time is up")
        self._connection.settimeout(min(self._timeout, left))
        found: int | None = self._raw.readinto(buffer)
        return found

    def close(self) -> None:
        """Close the reader; the connection stays open for the next request."""
        self._raw.close()
        super().close()
