"""The SQLite file: opening, checking and creating it, one writer, transactions and read snapshots.

`application_id` marks a file as ours, `user_version` is the version of its schema. The tables are read and written by
the classes of the other modules of this package, which a Store holds.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from stat import S_ISDIR
from threading import RLock
from typing import Any, cast
from urllib.parse import quote

import sqlite_utils
from sqlite_utils.migrations import Migrations

from minisearch.errors import BadInput, NewerSchema, NotOurFile, OlderSchema, StoreBusy, StoreError
from minisearch.store.inspect import InspectStore
from minisearch.store.pages import PageStore
from minisearch.store.postings import PostingStore
from minisearch.store.rankings import RankingStore
from minisearch.store.revisits import RevisitStore
from minisearch.store.staging import StagingStore
from minisearch.store.urls import UrlStore

APPLICATION_ID = 0x6D696E69  # "mini"
SCHEMA = 12  # version of schema.sql
BUSY_SECONDS = 10
PROGRESS_STEPS = 1_000_000  # of SQLite's virtual machine between two checks for Ctrl-C: some ten milliseconds

migrations = Migrations("minisearch")


@migrations()
def create_schema(db: sqlite_utils.Database) -> None:
    """Create all tables and views. Later versions add a function each, which changes the tables of older files."""
    for statement in _statements(files("minisearch.store").joinpath("schema.sql").read_text("utf-8")):
        db.execute(statement)


class Store:
    """One open file of ours, or a database in memory, and the readers and writers of its tables."""

    def __init__(self, path: str | Path | None = None, *, create: bool = True, read_only: bool = False) -> None:
        self.path = None if path is None else Path(path)
        self._may_create = create and not read_only
        self._read_only = read_only
        self._writer_lock: WriterLock | None = None
        self._in_transaction = False
        self._thread_lock = RLock()  # threads that share a store share one connection, and so one transaction
        self.db = sqlite_utils.Database(self._connect(), execute_plugins=False)
        try:
            self._check_schema()
        except BaseException:
            self.close()
            raise
        self.urls = UrlStore(self.db)
        self.pages = PageStore(self.db)
        self.postings = PostingStore(self.db)
        self.rankings = RankingStore(self.db)
        self.inspect = InspectStore(self.db)
        self.revisits = RevisitStore(self.db)
        self.staging = StagingStore(self.db)

    # -- opening -------------------------------------------------------------------------------

    def _connect(self) -> sqlite3.Connection:
        if self.path is None:
            return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        try:
            self._check_path(self.path)
            uri = _read_only_uri(self.path) if self.path.exists() and self._write_obstacle() else ""
            return sqlite3.connect(
                uri or self.path,
                timeout=BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
                uri=bool(uri),
            )
        except (sqlite3.Error, OSError, ValueError) as error:  # such as a name that is too long or has a zero byte
            message = error.strerror if isinstance(error, OSError) else error
            raise StoreError(f'cannot open "{self.path}": {message}') from error

    def _check_path(self, path: Path) -> None:
        try:
            if S_ISDIR(path.stat().st_mode):  # exists() is false, on newer Pythons, for a name that is too long
                raise StoreError(f'"{path}" is a folder, not a file')
        except (FileNotFoundError, NotADirectoryError) as error:
            if not self._may_create:
                raise StoreError(f'there is no file "{path}": crawl a site into it first') from error
            if not path.parent.is_dir():
                raise StoreError(f'cannot create "{path}": there is no folder "{path.parent}"') from error
            if not os.access(path.parent, os.W_OK):
                raise StoreError(f'cannot create "{path}": permission denied') from error
        else:
            if not os.access(path, os.R_OK):
                raise StoreError(f'cannot open "{path}": permission denied')

    def _write_obstacle(self) -> str:
        """Return why the file cannot be written to; '' if it can."""
        if self.path is None:
            return ""
        if self._read_only:
            return f'cannot write to "{self.path}": it was opened read-only'
        if self.path.exists() and not os.access(self.path, os.W_OK):
            return f'cannot write to "{self.path}": permission denied'
        if not os.access(self.path.parent, os.W_OK):
            return f'cannot write to "{self.path}": permission denied for its folder'
        return ""

    def _check_schema(self) -> None:
        try:
            self.db.execute("PRAGMA synchronous = NORMAL")
            mark, version = self._pragma("application_id"), self._pragma("user_version")
            tables = [] if mark == APPLICATION_ID else self.db.table_names()
            if tables:  # another process may have created them in the meantime, and the mark with them
                mark, version = self._pragma("application_id"), self._pragma("user_version")
            if mark == APPLICATION_ID:
                self._check_version(version)
            elif mark or tables:
                raise NotOurFile(f'"{self.path}" is a SQLite file of another program')
            elif not self._may_create:
                raise NotOurFile(f'"{self.path}" is an empty file: crawl a site into it first')
            else:
                self._create()
        except sqlite3.DatabaseError as error:
            if _code(error) == sqlite3.SQLITE_NOTADB:
                raise NotOurFile(f'"{self.path}" is not a SQLite file') from error
            if self.path is not None and _wal(self.path).exists() and not os.access(self.path.parent, os.W_OK):
                raise StoreError(
                    f'cannot read "{self.path}": it has changes in {_wal(self.path).name}, which cannot be read in a '
                    "read-only folder: open it once as a user who may write there"
                ) from error
            raise StoreError(f'cannot read "{self.path}": {error}') from error

    def _pragma(self, name: str) -> int:
        return int(self.db.execute(f"PRAGMA {name}").fetchone()[0])

    def _check_version(self, version: int) -> None:
        if version > SCHEMA:
            raise NewerSchema(
                f'"{self.path}" was written by a newer minisearch (schema {version}, this one reads {SCHEMA})'
            )
        if version < SCHEMA:
            raise OlderSchema(
                f'"{self.path}" was written by an older minisearch (schema {version}, this one reads {SCHEMA}): '
                'run "minisearch crawl URL --db NEW.db", or "minisearch import FILE --db NEW.db" if the crawl was '
                "recorded with --warc"
            )

    def _create(self) -> None:
        if obstacle := self._write_obstacle():
            raise StoreError(obstacle)
        self._enable_wal()
        with self._immediate():
            if not self.db.table_names():  # else another process was quicker
                migrations.apply(self.db)
                self.db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                self.db.execute(f"PRAGMA user_version = {SCHEMA}")

    def _enable_wal(self) -> None:
        """Let others read while we write. The file remembers it."""
        with suppress(sqlite3.OperationalError):  # somebody has the file open: the next writer will do it
            self.db.enable_wal()

    # -- writing -------------------------------------------------------------------------------

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run a block as the one writer: all of its changes or none. One inside another is a part of it."""
        with self._thread_lock:
            if self._in_transaction:
                yield
                return
            was_writer = self.is_writer
            self.lock()
            try:
                with self._immediate():
                    self._in_transaction = True
                    yield
            except BaseException:
                self._in_transaction = False
                if not was_writer:  # a transaction that failed does not keep others from writing
                    self.unlock()
                raise
            finally:
                self._in_transaction = False

    @contextmanager
    def _immediate(self) -> Iterator[None]:
        """A transaction that takes SQLite's write lock at once, so that it cannot fail halfway for a lock."""
        conn = self.db.conn
        try:
            conn.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise StoreBusy(f'cannot write to "{self.path}": {error}') from error
        try:
            yield
            conn.execute("COMMIT")
        except BaseException as error:
            if conn.in_transaction:
                conn.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError):
                raise StoreError(f'cannot write to "{self.path}": {error}') from error
            raise

    def lock(self) -> None:
        """Become the one writer until `unlock` or `close`. The lock ends with the process, however that ends."""
        if self.path is None or self._writer_lock is not None:
            return
        if obstacle := self._write_obstacle():
            raise StoreError(obstacle)
        self.db.execute("SELECT 1")  # fails after `close`, before there is a lock that nobody would release
        self._writer_lock = WriterLock(self.path)
        self._enable_wal()

    @property
    def is_writer(self) -> bool:
        """Whether we are the one writer."""
        return self._writer_lock is not None

    def unlock(self) -> None:
        """Let others write; does nothing inside a transaction."""
        if self._writer_lock is not None and not self._in_transaction:
            self._writer_lock.release()
            self._writer_lock = None

    def start_run(self, stage: str, settings: dict[str, Any]) -> int:
        """Record that a stage begins; return the id of the run."""
        with self.transaction():
            row = {"stage": stage, "settings": json.dumps(settings), "started_at": now()}
            return cast(int, self.db.table("runs").insert(row).last_pk)

    def finish_run(self, run: int, counts: dict[str, Any]) -> None:
        """Record how a stage ended."""
        with self.transaction():
            self.db.table("runs").update(run, {"finished_at": now(), "counts": json.dumps(counts)})

    def forget_run(self, run: int) -> None:
        """Delete the record of a stage that did nothing."""
        with self.transaction():
            self.db.table("runs").delete(run)

    # -- reading -------------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read one snapshot of the file in a block, whatever others write meanwhile."""
        with self._thread_lock:
            if self.db.conn.in_transaction:  # our own transaction or snapshot
                yield
                return
            self.db.execute("BEGIN")
            try:
                yield
            finally:
                self.db.execute("ROLLBACK")

    def sql(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return the columns and rows of a statement on a connection that can only read."""
        with self._reader() as conn:
            conn.set_progress_handler(lambda: 0, PROGRESS_STEPS)  # lets Python handle Ctrl-C
            try:
                cursor = conn.execute(statement)
                rows = cursor.fetchall()
            except sqlite3.OperationalError as error:
                if _code(error) == sqlite3.SQLITE_INTERRUPT:
                    raise KeyboardInterrupt from error
                raise BadInput(f"SQL: {self._describe(error)}") from error
            except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
                raise BadInput(f"SQL: {self._describe(error)}") from error
            finally:
                conn.set_progress_handler(None, PROGRESS_STEPS)
        if cursor.description is None:
            raise BadInput("SQL: this statement has no result; ask for rows, such as: select * from url_status")
        return [column[0] for column in cursor.description], rows

    @contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection]:
        """A connection that can write neither this file nor another."""
        if self.path is None:
            conn = self.db.conn
        else:
            conn = sqlite3.connect(_read_only_uri(self.path), uri=True, timeout=BUSY_SECONDS)
        attached = conn.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        try:
            conn.execute("PRAGMA query_only = ON")
            yield conn
        finally:
            if self.path is None:
                conn.execute("PRAGMA query_only = OFF")
                conn.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, attached)
            else:
                conn.close()

    def _describe(self, error: Exception) -> str:
        """An error of somebody's own SQL, with what helps to correct it."""
        message = str(error)
        if _code(error) == sqlite3.SQLITE_READONLY:
            return "only reading is allowed"
        if message.startswith("no such table"):
            names = [name for name in self.db.table_names() + self.db.view_names() if not name.startswith("_")]
            return f"{message}; there are {', '.join(names)}"
        if "attached databases" in message:
            return "no other file can be opened or written here"
        if "one statement at a time" in message:
            return "one statement at a time"
        return message

    # -- closing -------------------------------------------------------------------------------

    def checkpoint(self) -> None:
        """Move all that was written into the one file, so that it can be moved."""
        self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the file, and let others write."""
        self.db.conn.close()
        self.unlock()


class WriterLock:
    """The lock of the one writer of a file: a locked file beside it. It ends with the process, however that ends."""

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(path.name + "-writer")
        while True:
            try:
                handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            except OSError as error:
                raise StoreError(f'cannot write beside "{path}": {error.strerror}') from error
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                os.close(handle)
                raise StoreBusy(f'"{path}" is locked by another minisearch process: wait for it, or stop it') from error
            if _is_same_file(handle, self._path):
                self._handle = handle
                return
            os.close(handle)  # its last owner removed it between our open and our lock

    def release(self) -> None:
        """Let others write."""
        self._path.unlink(missing_ok=True)
        os.close(self._handle)


def _code(error: Exception) -> int | None:
    """SQLite's code of an error; None for one that Python's sqlite3 raised itself."""
    return getattr(error, "sqlite_errorcode", None)


def _is_same_file(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _wal(path: Path) -> Path:
    """SQLite's write-ahead log of a file."""
    return path.with_name(path.name + "-wal")


def _read_only_uri(path: Path) -> str:
    """The file as a URI for reading. In a read-only folder SQLite cannot create its -shm file, and need not, if nobody
    writes: then the file is opened as immutable.
    """
    immutable = not os.access(path.parent, os.W_OK) and not _wal(path).exists()
    return f"file:{quote(os.fsencode(path))}?mode=ro" + "&immutable=1" * immutable


def _statements(script: str) -> Iterator[str]:
    """The statements of a script, one by one (executescript would commit our transaction)."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def now() -> str:
    """The current time, as it is written into the file."""
    return datetime.now(UTC).isoformat(timespec="seconds")
