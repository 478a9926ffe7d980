"""The file behind the pages: an engine for each thread, and a stamp that tells whether the file has changed."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable
from glob import glob
from typing import Any

from flask import current_app, has_request_context, request

from minisearch.engine import Engine

KEY = "minisearch.library"  # among the extensions of the application


class Library:
    """Opens the file once a thread, as SQLite likes it, and again when another file has taken its place."""

    def __init__(self, db: str, readers: int | None = None) -> None:
        self.db, self._readers = db, readers
        self._local = threading.local()
        self._made: dict[str, tuple[str, Any]] = {}

    def engine(self) -> Engine:
        """The engine of this thread. It only reads."""
        here = self._identity()
        if getattr(self._local, "identity", None) != here or not hasattr(self._local, "engine"):
            self.close()
            self._local.engine = Engine(self.db, read_only=True, readers=self._readers)
            self._local.identity = here
        found: Engine = self._local.engine
        return found

    def remember(self, name: str, make: Callable[[], Any]) -> Any:
        """What `make` gives, made once for each state of the file."""
        stamp = self.stamp_now()
        known = self._made.get(name)
        if known is None or known[0] != stamp:
            known = self._made[name] = (stamp, make())
        return known[1]

    def close(self) -> None:
        """Forget the engine of this thread; the next request opens the file anew."""
        if hasattr(self._local, "engine"):
            self._local.engine.close()
            del self._local.engine

    def stamp(self) -> str:
        """Other letters whenever the file has changed; the same in all processes. It costs a few bytes read."""
        known = [(_facts(file), _facts(file + "-wal"), *_counters(file)) for file in self._files()]
        return hashlib.blake2s(repr(known).encode(), digest_size=8).hexdigest()

    def stamp_now(self) -> str:
        """The stamp when this request began, if there is one: what holds then holds for all of the request."""
        if not has_request_context():
            return self.stamp()
        found: str = request.environ.get("minisearch.stamp") or self.stamp()
        request.environ["minisearch.stamp"] = found
        return found

    def _identity(self) -> tuple[int, ...]:
        return tuple(fact for file in self._files() for fact in _facts(file)[:2])

    def _files(self) -> list[str]:
        """The file, or those that a pattern stands for."""
        return [self.db] if os.path.exists(self.db) else sorted(glob(self.db)) or [self.db]


def _facts(path: str) -> tuple[int, ...]:
    try:
        known = os.stat(path)
    except OSError:
        return ()
    return known.st_dev, known.st_ino, known.st_size, known.st_mtime_ns


def _counters(path: str) -> tuple[bytes, bytes]:
    """What SQLite itself counts: dates of files are too coarse for two commits within a tick of the clock.

    That is the head of the index of the write-ahead log, which every commit changes (a counter, the number of frames
    and a checksum over all of them); and without such a log the counter in the head of the file.
    """
    return _bytes(path + "-shm", 0, 48), _bytes(path, 24, 4)


def _bytes(path: str, start: int, count: int) -> bytes:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.pread(handle, count, start)
    except OSError:
        return b""
    finally:
        os.close(handle)


def library() -> Library:
    """The library of the application that answers now."""
    found: Library = current_app.extensions[KEY]
    return found


def engine() -> Engine:
    """The engine for this request."""
    return library().engine()
