"""The engines behind the pages: one for each thread, opened again when another file takes the place of the file.

Shards have one engine for all threads, which has its own connections or processes.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from glob import glob
from types import SimpleNamespace
from typing import Any, TypeVar

from flask import current_app

from minisearch.engine import Engine, Readers
from minisearch.shards.search import shard_paths

KEY = "minisearch.engines"  # among the extensions of the application
T = TypeVar("T")


class Engines:
    """Opens read-only engines on one file, or on the files of a pattern."""

    def __init__(self, db: str, readers: Readers | None = None) -> None:
        self.db, self._readers = db, readers
        self._is_shared = bool(shard_paths(db))
        self._local: Any = SimpleNamespace() if self._is_shared else threading.local()
        self._opening = threading.Lock()
        self._kept: dict[str, tuple[Any, Any]] = {}

    def get(self) -> Engine:
        """The engine of this thread."""
        with self._opening:
            files = tuple(map(_identity, self._files()))
            if getattr(self._local, "files", None) != files:
                if not self._is_shared:  # other threads may be using the engine of shards
                    self.close()
                self._local.engine = Engine(self.db, read_only=True, readers=self._readers)
                self._local.files = files
            found: Engine = self._local.engine
        return found

    def cached(self, name: str, compute: Callable[[], T]) -> T:
        """The result of `compute`, kept until the file changes."""
        version = [stat for path in self._files() for stat in (_stat(path), _stat(path + "-wal"))]
        known = self._kept.get(name)
        if known is None or known[0] != version:
            known = self._kept[name] = (version, compute())
        result: T = known[1]
        return result

    def close(self) -> None:
        """Close the engine of this thread; the next request opens a new one."""
        if hasattr(self._local, "files"):
            del self._local.files
            self._local.engine.close()

    def _files(self) -> list[str]:
        """The file, or the files that match the pattern."""
        return [self.db] if os.path.exists(self.db) else sorted(glob(self.db)) or [self.db]


def _stat(path: str) -> tuple[int, ...]:
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _identity(path: str) -> tuple[int, ...]:
    """What differs when another file is at this path. In a folder that cannot be written to, a file without a
    write-ahead log is opened as one that never changes, so there every change counts.
    """
    is_immutable = not os.access(os.path.dirname(path) or ".", os.W_OK) and not os.path.exists(path + "-wal")
    return _stat(path) if is_immutable else _stat(path)[:2]


def engines() -> Engines:
    """The engines of the current application."""
    found: Engines = current_app.extensions[KEY]
    return found


def engine() -> Engine:
    """The engine for this request."""
    return engines().get()
