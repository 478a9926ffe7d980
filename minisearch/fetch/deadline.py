"""Deadlines: a request is over when its time is up, whatever the server does.

A socket's timeout starts anew with every byte, so that a server that sends one byte now and then can hold a client
for ever, in the headers as well as in the body. Here one thread for the whole process watches over all requests that
are under way and shuts the connection of those that are late; whoever reads from it then wakes up.
"""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from math import inf


class Deadline:
    """The time that one request has, and the connection it is made over."""

    def __init__(self, seconds: float) -> None:
        self.until = time.monotonic() + seconds
        self.late = False
        self.connection: socket.socket | None = None

    def left(self) -> float:
        """Seconds that are left, but never none: no timeout at all is what 0 would mean to a socket."""
        return max(self.until - time.monotonic(), 0.001)

    def shut(self) -> None:
        """Time is up."""
        self.late = True
        if self.connection is not None:
            with suppress(OSError, TypeError):  # it was closed already, or is TLS inside TLS, which is no socket
                # Not the method of a TLS socket, which would say goodbye first, from under the reader's hands.
                socket.socket.shutdown(self.connection, socket.SHUT_RDWR)


class _Watchman:
    """Sleeps until the next deadline."""

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._open: set[Deadline] = set()
        self._wakes_at = inf
        self._thread: threading.Thread | None = None

    def add(self, deadline: Deadline) -> None:
        with self._lock:
            self._open.add(deadline)
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, daemon=True)
                self._thread.start()
            elif deadline.until < self._wakes_at:  # else it wakes in time, and need not be disturbed now
                self._lock.notify()

    def remove(self, deadline: Deadline) -> None:
        with self._lock:
            self._open.discard(deadline)

    def hold(self, deadline: Deadline, connection: socket.socket) -> None:
        with self._lock:
            deadline.connection = connection
            if deadline.late:
                deadline.shut()

    def _watch(self) -> None:
        with self._lock:
            while True:
                now = time.monotonic()
                for deadline in [each for each in self._open if each.until <= now]:
                    deadline.shut()
                    self._open.discard(deadline)
                self._wakes_at = min((each.until for each in self._open), default=inf)
                self._lock.wait(None if self._wakes_at == inf else self._wakes_at - now)


_watchman = _Watchman()
_current = threading.local()


def start_anew() -> None:
    """In a copy of a process: the watchman's thread was not copied."""
    global _watchman
    _watchman = _Watchman()
    _current.deadline = None


class within:  # noqa: N801 - which is quicker than a function that is made a context
    """What is asked and read inside has so many seconds; then its connection is shut, and `late` is true."""

    def __init__(self, seconds: float) -> None:
        self._deadline = Deadline(seconds)

    def __enter__(self) -> Deadline:
        self._before, _current.deadline = current(), self._deadline
        _watchman.add(self._deadline)
        return self._deadline

    def __exit__(self, *_: object) -> None:
        _watchman.remove(self._deadline)
        _current.deadline = self._before


def current() -> Deadline | None:
    """The deadline inside which this thread is at work."""
    return getattr(_current, "deadline", None)


def hold(connection: socket.socket) -> None:
    """Say which connection is to be shut when the time is up."""
    deadline = current()
    if deadline is not None:
        _watchman.hold(deadline, connection)
