"""The store: one file, and a drawer for each thing kept in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import Any, cast

from minisearch.store.addresses import AddressStore
from minisearch.store.file import File
from minisearch.store.inside import InsideStore
from minisearch.store.journal import Journal
from minisearch.store.likeness import LikenessStore
from minisearch.store.pages import PageStore
from minisearch.store.postings import PostingStore
from minisearch.store.ranks import RankStore
from minisearch.store.recorded import RecordedStore
from minisearch.store.revisits import RevisitStore
from minisearch.store.robots import RobotsStore
from minisearch.store.staging import StagingStore
from minisearch.store.traps import TrapStore


class Store:
    """What the engine writes and the searcher reads."""

    def __init__(self, path: str | Path | None = None, *, create: bool = True, read_only: bool = False) -> None:
        self.file = File(path, create=create, read_only=read_only)
        self._undone = 0  # times that what was read may hold no longer, though nothing was written
        self._was_read = self._is_mapped = False
        self._is_writing = False
        self._turns = RLock()  # threads that share us have one connection, and so one transaction
        self._open_drawers()

    def _open_drawers(self) -> None:
        self.journal = Journal(self.file)
        self.pages = PageStore(self.file)
        self.addresses = AddressStore(self.file)
        self.likeness = LikenessStore(self.file)
        self.postings = PostingStore(self.file)
        self.ranks = RankStore(self.file)
        self.inside = InsideStore(self.file)
        self.robots = RobotsStore(self.file)
        self.recorded = RecordedStore(self.file)
        self.revisits = RevisitStore(self.file)
        self.staging = StagingStore(self.file)
        self.traps = TrapStore(self.file)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, as the one writer of the file. One within another is part of it."""
        with self._turns:
            if self._is_writing:
                yield
                return
            was_writer = self.file.is_writer
            self._let_go()
            self.file.lock_for_writing()
            try:
                with self.file.transaction():
                    self._is_writing = True
                    yield
            except BaseException:
                self._is_writing = False
                if not was_writer:  # what could not begin keeps nobody else from writing
                    self.unlock()
                self._undone += 1
                self.journal.forget_cache()
                raise
            finally:
                self._is_writing = False

    def reading(self) -> AbstractContextManager[None]:
        """One and the same state of the file, however many reads, whatever others write meanwhile."""
        return _Reading(self, self._turns)

    def state(self) -> AbstractContextManager[None]:
        """The same, for a caller who sees to it that no two threads want it at once."""
        return _Reading(self, None)

    def begin(self) -> bool:
        """Hold on to the state of the file as it is, until `end`; false if it is held on to already."""
        if self.file.db.conn.in_transaction:
            return False  # we are in the middle of writing, and see our own work
        if self.file.is_outdated():
            self.file.open_anew()
            self._open_drawers()
            self._undone += 1
            self._was_read = self._is_mapped = False
        if self._was_read:
            self._let_go()
        else:
            self.file.read_in_place(True)
            self._was_read = self._is_mapped = True
        self.file.db.conn.execute("BEGIN")
        return True

    def end(self) -> None:
        """Let go of it."""
        self.file.db.conn.execute("ROLLBACK")

    def _let_go(self) -> None:
        """Read the file no longer where it lies: that was for the first time only. It takes a while, so whoever asked
        first does not wait for it, and it is done when something else is wanted.
        """
        if self._is_mapped:
            self._is_mapped = False
            self.file.read_in_place(False)

    def version(self) -> tuple[int, int, int]:
        """Changes whenever the file has changed, by our hand or another's."""
        conn = self.file.db.conn
        (foreign,) = conn.execute("PRAGMA data_version").fetchone()
        return int(foreign), conn.total_changes, self._undone

    def start_run(self, stage: str, settings: dict[str, Any]) -> int:
        """Note that a stage begins."""
        with self.transaction():
            row = {"stage": stage, "settings": json.dumps(settings), "started_at": now()}
            return cast(int, self.file.db.table("runs").insert(row).last_pk)

    def finish_run(self, run: int, counts: dict[str, Any]) -> None:
        """Note how a stage ended."""
        with self.transaction():
            self.file.db.table("runs").update(run, {"finished_at": now(), "counts": json.dumps(counts)})

    def forget_run(self, run: int) -> None:
        """Note nothing of a stage that did nothing."""
        with self.transaction():
            self.file.db.table("runs").delete(run)

    def unlock(self) -> None:
        """A stage is over: let others write, unless it is part of a transaction that goes on."""
        if not self._is_writing:
            self.file.unlock()

    def close(self) -> None:
        """Done with the file."""
        self.file.close()


class _Reading(AbstractContextManager[None]):
    """One and the same state of a file; the threads that want it take turns. A class, for every query needs it."""

    def __init__(self, store: Store, turns: RLock | None) -> None:
        self._store, self._turns, self._began = store, turns, False

    def __enter__(self) -> None:
        if self._turns:
            self._turns.acquire()
        try:
            self._began = self._store.begin()
        except BaseException:
            if self._turns:
                self._turns.release()
            raise

    def __exit__(self, *raised: object) -> None:
        try:
            if self._began:
                self._store.end()
        finally:
            if self._turns:
                self._turns.release()


def now() -> str:
    """The time, as it is written into the file."""
    return datetime.now(UTC).isoformat(timespec="seconds")
