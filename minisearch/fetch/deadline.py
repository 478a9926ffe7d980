"""A total time limit for a request, whatever the server does.

A socket's timeout starts again with every byte, so a server that sends a byte now and then can keep a client waiting
for ever, in the headers as well as in the body. Here a timer shuts the connection down when the time is up; whoever
reads from it wakes up.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar


class Deadline:
    """The end of the time for a request and its redirects, and the connections that they are made over."""

    def __init__(self, seconds: float) -> None:
        self._ends_at = time.monotonic() + seconds
        self._lock = threading.Lock()
        self._connections: list[socket.socket] = []
        self.expired = False

    def remaining(self) -> float:
        """Seconds that are left; never 0, which would mean no timeout to a socket."""
        return max(self._ends_at - time.monotonic(), 0.001)

    def watch(self, connection: socket.socket) -> None:
        """Shut this connection down when the time is up."""
        # A second descriptor of the same connection stays valid when TLS takes over the first one, or it is closed.
        duplicate = socket.socket(fileno=os.dup(connection.fileno()))
        with self._lock:
            self._connections.append(duplicate)
        if self.expired:
            self.expire()

    def expire(self) -> None:
        """End the request."""
        self.expired = True
        with self._lock:
            for connection in self._connections:
                with suppress(OSError):  # the other side may have closed it
                    connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Stop watching."""
        with self._lock:
            while self._connections:
                self._connections.pop().close()


_current: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


@contextmanager
def within(seconds: float) -> Iterator[Deadline]:
    """Give the requests made inside this context this many seconds in all; `expired` is true if they took longer.

    Inside another deadline they have no more time than is left there.
    """
    if (outer := current()) is not None:
        seconds = min(seconds, outer.remaining())
    deadline = Deadline(seconds)
    timer = threading.Timer(seconds, deadline.expire)
    timer.daemon = True
    timer.start()
    token = _current.set(deadline)
    try:
        yield deadline
    finally:
        _current.reset(token)
        timer.cancel()
        deadline.close()


def current() -> Deadline | None:
    """The deadline of the request that is being made."""
    return _current.get()


def watch(connection: socket.socket) -> None:
    """Shut this connection down when the current deadline expires, if there is one."""
    if (deadline := current()) is not None:
        deadline.watch(connection)
