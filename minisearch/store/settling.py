"""Settling: what was committed is put from SQLite's log into the file, by another thread.

SQLite does it when a transaction ends, and waits for the disk. Whoever has more to write could do that meanwhile.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread


class Aside:
    """Puts what is committed into a file, aside from those who write to it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread: Thread | None = None

    def settle(self) -> None:
        """Begin with what is committed by now."""
        self.wait()
        self._thread = Thread(target=self._settle, daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait until all that was begun is done."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _settle(self) -> None:
        with suppress(sqlite3.Error), closing(sqlite3.connect(self._path)) as conn:
            put_in_place(conn)


def put_in_place(conn: sqlite3.Connection) -> None:
    """Put what is committed into the file, as far as nobody is in the way."""
    with suppress(sqlite3.Error):  # nothing is lost: it stays in the log, where everybody reads it, until the next time
        conn.execute("PRAGMA synchronous = NORMAL")
        conn.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
