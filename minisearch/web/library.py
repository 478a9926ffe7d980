"""The file behind the pages: an engine for each thread, and a stamp that tells whether the file has changed.

Shards have one engine for all threads, which has connections, or processes, of its own.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable
from glob import glob
from types import SimpleNamespace
from typing import Any

from flask import current_app, has_request_context, request

from minisearch.engine import Engine, Readers
from minisearch.shards.search import shard_paths

KEY = "minisearch.library"  # among the extensions of the application


class Library:
    """Opens the file once a thread, as SQLite likes it, and again when another file has taken its place."""

    def __init__(self, db: str, readers: Readers | None = None) -> None:
        self.db, self._readers = db, readers
        self._local: Any = threading.local() if not shard_paths(db) else SimpleNamespace()
        self._opening = threading.Lock()
        self._made: dict[str, tuple[str, Any]] = {}

    def engine(self) -> Engine:
        """The engine of this thread. It only reads."""
        here = self._identity()
        with self._opening:
            if getattr(self._local, "identity", None) != here or not hasattr(self._local, "engine"):
                if not isinstance(self._local, SimpleNamespace):  # another thread may be using the one of shards
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
        return tuple(fact for file in self._files() for fact in (*_facts(file)[:2], *_taken_for_granted(file)))

    def _files(self) -> list[str]:
        """The file, or those that a pattern stands for."""
        return [self.db] if os.path.exists(self.db) else sorted(glob(self.db)) or [self.db]


def _facts(path: str) -> tuple[int, ...]:
    try:
        known = os.stat(path)
    except OSError:
        return ()
    return known.st_dev, known.st_ino, known.st_size, known.st_mtime_ns


def _taken_for_granted(path: str) -> tuple[int, ...]:
    """What holds as long as we may read a file as one that never changes: in a read-only folder without a log."""
    closed = not os.access(os.path.dirname(path) or ".", os.W_OK)
    return _facts(path) if closed and not os.path.exists(path + "-wal") else ()


def _counters(path: str) -> tuple[bytes, bytes]:
    """What SQLite itself counts: dates of files are too coarse for two commits within a tick of the clock.

    That is the head of the index of the write-ahead log, which every commit changes (a counter, the number of frames
    and a checksum over all of them); and without such a log the counter in the head of the file.
    """
    return _PEEPHOLES.read(path + "-shm", 0, 48), _PEEPHOLES.read(path, 24, 4)


class _Peepholes:
    """Reads a few bytes of SQLite's files and leaves the files open.

    To close a file is to give up, by the rules of POSIX, every lock that the process has on it, SQLite's own too. Then
    another process thinks that it is the last one here and takes the write-ahead log away from under us. Only what has
    no name any more, and so can't be met by others, is closed.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, tuple[tuple[int, ...], int]] = {}

    def read(self, path: str, start: int, count: int) -> bytes:
        try:
            return os.pread(self._handle(path), count, start)
        except OSError:
            return b""  # there is no such file now

    def _handle(self, path: str) -> int:
        with self._lock:
            named = os.stat(path)
            identity, handle = self._open.get(path, ((), -1))
            if identity == (named.st_dev, named.st_ino):
                return handle
            fresh = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            if identity and not os.fstat(handle).st_nlink:
                os.close(handle)
            opened = os.fstat(fresh)
            self._open[path] = (opened.st_dev, opened.st_ino), fresh
            return fresh


_PEEPHOLES = _Peepholes()  # one for the process, as the locks are


def library() -> Library:
    """The library of the application that answers now."""
    found: Library = current_app.extensions[KEY]
    return found


def engine() -> Engine:
    """The engine for this request."""
    return library().engine()
