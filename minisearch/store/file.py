"""Opening the file: whose it is, which schema it has, and who may write to it.

The schema's version is kept in SQLite's `user_version`, the mark that a file is ours in its `application_id`.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path
from stat import S_ISDIR
from urllib.parse import quote

import sqlite_utils

from minisearch.errors import NewerSchema, NotOurFile, OlderSchema, StoreBusy, StoreError
from minisearch.store.lock import WriterLock

APPLICATION_ID = 0x6D696E69  # "mini"
SCHEMA = 11  # the version of schema.sql
BUSY_SECONDS = 10
CACHE = 16_384  # kilobytes of a file that its writer keeps at hand
MAPPED = 1 << 30  # bytes of a file that are read in place, those from its beginning on


class File:
    """One open SQLite file of ours, or one in memory."""

    def __init__(self, path: str | Path | None, *, create: bool = True, read_only: bool = False) -> None:
        self.path = None if path is None else Path(path)
        self._writer: WriterLock | None = None
        self._may_create = create and not read_only
        self._read_only = read_only
        self._granted: tuple[int, ...] = ()  # what we know of a file that is read as one that never changes
        self.db = sqlite_utils.Database(self._connect(self._may_create), execute_plugins=False)
        try:
            self._check_it_is_ours()
        except BaseException:
            self.close()
            raise

    def _connect(self, create: bool) -> sqlite3.Connection:
        if self.path is None:
            return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        try:
            self._check_the_path(self.path, create)
            address = self._reading_address(self.path) if self._hindrance() else ""
            self._granted = _facts(self.path) if address and _is_still(self.path) else ()
            return sqlite3.connect(
                address or self.path,
                timeout=BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
                uri=bool(address),
            )
        except (sqlite3.Error, OSError, ValueError) as error:  # such as a name that is too long or has a zero byte
            said = error.strerror if isinstance(error, OSError) else error
            raise StoreError(f'cannot open "{self.path}": {said}') from error

    @staticmethod
    def _check_the_path(path: Path, create: bool) -> None:
        try:
            if S_ISDIR(path.stat().st_mode):  # exists() keeps to itself, on newer Pythons, that a name is too long
                raise StoreError(f'"{path}" is a folder, not a file')
        except (FileNotFoundError, NotADirectoryError) as error:
            if not path.parent.is_dir():
                raise StoreError(f'cannot make "{path}": there is no folder "{path.parent}"') from error
            if not create:
                raise StoreError(f'there is no file "{path}": crawl a site into it first') from error
            if not os.access(path.parent, os.W_OK):
                raise StoreError(f'cannot make "{path}": the folder is read-only') from error

    @staticmethod
    def _reading_address(path: Path) -> str:
        """The file as a URI that lets SQLite read only."""
        return f"file:{quote(os.fsencode(path))}?mode=ro" + "&immutable=1" * _is_still(path)

    def is_outdated(self) -> bool:
        """Whether a file that we read as one that never changes has changed, or is about to."""
        if not self._granted or self.path is None:
            return False
        return _facts(self.path) != self._granted or _wal(self.path).exists()

    def open_anew(self) -> None:
        """Read the file as it is now; if that cannot be, what we had is kept."""
        db, granted = self.db, self._granted
        try:
            self.db = sqlite_utils.Database(self._connect(create=False), execute_plugins=False)
            self._check_it_is_ours()
        except BaseException:
            if self.db is not db:
                self.db.conn.close()
            self.db, self._granted = db, granted
            raise
        db.conn.close()

    def _hindrance(self) -> str:
        """Why we may only read, in words."""
        if self.path is None or not self.path.exists():
            return ""
        if self._read_only:
            return f'"{self.path}" was opened to be read only'
        if not os.access(self.path, os.W_OK):
            return f'"{self.path}" is read-only'
        return "" if os.access(self.path.parent, os.W_OK) else f'"{self.path}" is in a read-only folder'

    def _check_it_is_ours(self) -> None:
        try:
            self._read_marks()
        except sqlite3.DatabaseError as error:
            if "not a database" in str(error):
                raise NotOurFile(f'"{self.path}" is not a SQLite file') from error
            if self.path is not None and _wal(self.path).exists() and not os.access(self.path.parent, os.W_OK):
                raise StoreError(
                    f'"{self.path}" has changes beside it, in {_wal(self.path).name}, that cannot be read in a '
                    "read-only folder: open it once as somebody who may write there"
                ) from error
            raise StoreError(f'cannot read "{self.path}": {error}') from error

    def _read_marks(self) -> None:
        conn = self.db.conn
        conn.execute("PRAGMA synchronous = NORMAL")
        (mark,) = conn.execute("PRAGMA application_id").fetchone()
        tables = [] if mark == APPLICATION_ID else self.db.table_names()
        if tables:  # another process may just have made them, and the mark with them
            (mark,) = conn.execute("PRAGMA application_id").fetchone()
        (version,) = conn.execute("PRAGMA user_version").fetchone()
        if mark == APPLICATION_ID:
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
        elif mark or tables:
            raise NotOurFile(f'"{self.path}" is a SQLite file of another program')
        elif not self._may_create:
            raise NotOurFile(f'"{self.path}" is an empty file: crawl a site into it first')
        else:
            self._create()

    def _create(self) -> None:
        self._need_writable()
        self._let_readers_in()
        with self.transaction():
            if self.db.table_names():
                return  # another process was quicker
            for statement in _statements(files("minisearch.store").joinpath("schema.sql").read_text("utf-8")):
                self.db.conn.execute(statement)
            self.db.conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            self.db.conn.execute(f"PRAGMA user_version = {SCHEMA}")

    def _let_readers_in(self) -> None:
        """Switch to WAL, so that others can read while we write. The file remembers it."""
        with suppress(sqlite3.OperationalError):  # somebody has the file open just now: the next writer will do it
            self.db.conn.execute("PRAGMA journal_mode = WAL")

    def _need_writable(self) -> None:
        if hindrance := self._hindrance():
            raise StoreError(hindrance)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing. Taken at once for writing, so that it cannot fail halfway for a lock."""
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

    def read_in_place(self, mapped: bool) -> None:
        """Read the file where it lies, mapped into memory, or no longer so. What is read once need not be copied first,
        which takes a quarter of the time of a first query; if we went on like this, all of the file would count as
        ours.
        """
        self.db.conn.execute(f"PRAGMA mmap_size = {MAPPED if mapped else 0}")

    @contextmanager
    def reader(self) -> Iterator[sqlite3.Connection]:
        """A connection on which nothing can be written, neither here nor into another file."""
        if self.path is None:
            conn = self.db.conn
        else:
            conn = sqlite3.connect(self._reading_address(self.path), uri=True, timeout=BUSY_SECONDS)
        others = conn.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        try:
            conn.execute("PRAGMA query_only = ON")
            yield conn
        finally:
            if self.path is None:
                conn.execute("PRAGMA query_only = OFF")
                conn.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, others)
            else:
                conn.close()

    def lock_for_writing(self) -> None:
        """Be the one writer until `unlock` or `close`. The lock dies with the process, however that dies."""
        if self.path is None or self._writer is not None:
            return
        self._need_writable()
        self.db.conn.execute("SELECT 1")  # after `close` this fails, before there is a lock that nobody would take off
        self._writer = WriterLock(self.path)
        self.db.conn.execute(f"PRAGMA cache_size = -{CACHE}")
        self._let_readers_in()

    @property
    def is_writer(self) -> bool:
        """Whether we are the one writer."""
        return self._writer is not None

    def unlock(self) -> None:
        """Let others write."""
        if self._writer is not None:
            self._writer.release()
            self._writer = None

    def settle(self) -> None:
        """Put all that was written into the one file, so that it can be moved."""
        self.db.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Done with the file."""
        self.db.conn.close()
        self.unlock()


def _wal(path: Path) -> Path:
    """Where SQLite keeps what is written until it is put into the file."""
    return path.with_name(path.name + "-wal")


def _is_still(path: Path) -> bool:
    """Whether nobody writes: in a closed folder SQLite cannot make its helper files, and need not then."""
    return not os.access(path.parent, os.W_OK) and not _wal(path).exists()


def _facts(path: Path) -> tuple[int, ...]:
    try:
        known = path.stat()
    except OSError:
        return ()
    return known.st_dev, known.st_ino, known.st_size, known.st_mtime_ns


def _statements(script: str) -> Iterator[str]:
    """The single statements of a script (executescript would commit our transaction)."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
