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
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from stat import S_ISDIR
from threading import RLock
from typing import Any, cast
from urllib.parse import quote

import sqlite_utils
from sqlite_utils.migrations import Migrations

from minisearch.errors import BadInput, NewerSchema, NotFound, NotOurFile, OlderSchema, StoreBusy, StoreError
from minisearch.store.inspect import InspectStore
from minisearch.store.pages import PageStore
from minisearch.store.postings import PostingStore
from minisearch.store.rankings import RankingStore
from minisearch.store.recrawl import RecrawlStore
from minisearch.store.robots import RobotsStore
from minisearch.store.sql import QueryResult, Table, TimeLimitExceeded, execute, execute_isolated, open_reader
from minisearch.store.urls import UrlStore

APPLICATION_ID = 0x6D696E69  # "mini"
SCHEMA = 13  # version of schema.sql
BUSY_SECONDS = 10
STORAGE_CLASSES = {"INTEGER": ("integer",), "REAL": ("real", "integer"), "TEXT": ("text",), "BLOB": ("blob",)}

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
        self.robots = RobotsStore(self.db)
        self.recrawls = RecrawlStore(self.db)

    # -- opening -------------------------------------------------------------------------------

    def _connect(self) -> sqlite3.Connection:
        if self.path is None:
            return sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        try:
            self._check_path(self.path)
            uri = read_only_uri(self.path) if self.path.exists() and self._write_obstacle() else ""
            return sqlite3.connect(
                uri or self.path.absolute(),  # which no URI begins like
                timeout=BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
                uri=True,
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
        except UnicodeDecodeError as error:
            raise StoreError(f'cannot read "{self.path}": its schema is damaged') from error

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
        with suppress(sqlite3.OperationalError):  # another process has the file open: the next writer does it
            self.db.enable_wal()

    # -- writing -------------------------------------------------------------------------------

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run a block as the one writer: all of its changes or none. One inside another is a part of it."""
        with self._thread_lock:
            if self._in_transaction:
                yield
                return
            was_writer = self._writer_lock is not None
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
        self.db.execute("SELECT 1")  # fails after `close`, before there is a lock that would never be released
        self._writer_lock = WriterLock(self.path)
        self._enable_wal()

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
        """Read one snapshot of the file in a block, while others may write."""
        with self._thread_lock:
            if self.db.conn.in_transaction:  # our own transaction or snapshot
                yield
                return
            self.db.conn.execute("BEGIN")
            try:
                with self.checking_types():
                    yield
            finally:
                self.db.conn.execute("ROLLBACK")

    @contextmanager
    def checking_types(self) -> Iterator[None]:
        """Look for values of a wrong type if a block fails: SQLite lets a person write them.

        StoreError names the column; an error that has another cause is raised as it is.
        """
        try:
            yield
        except BadInput:
            raise
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            if column := self._column_of_wrong_type():
                raise StoreError(f'"{self.path}" is damaged: a value of a wrong type in {column}') from error
            raise

    def _column_of_wrong_type(self) -> str:
        for table in self.db.tables:
            for column in table.columns:
                types = STORAGE_CLASSES.get(column.type)
                if types is None or (table.name, column.name) == ("settings", "value"):  # which may be text
                    continue
                where = f"typeof({_quoted(column.name)}) NOT IN ({', '.join(map(repr, types))}, 'null')"
                if table.count_where(where):
                    return f"{table.name}.{column.name}"
        return ""

    def sql(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return the columns and rows of a statement on a connection that can only read."""
        with self._reader() as conn, self._sql_errors():
            found = execute(conn, statement)
        return found.columns, found.rows

    def query(self, statement: str, *, seconds: float, max_rows: int) -> QueryResult:
        """The same for a statement that may be hostile: it ends in time, and its result is small."""
        with self._sql_errors(seconds):
            if self.path is not None:
                return execute_isolated(read_only_uri(self.path), statement, seconds=seconds, max_rows=max_rows)
            with self._reader() as conn:
                return execute(conn, statement, seconds=seconds, max_rows=max_rows)

    def tables(self) -> list[Table]:
        """The tables and views, without those of libraries."""
        rows = self.db.execute(
            "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view') "
            "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_%' ESCAPE '\\' ORDER BY type DESC, name"
        )
        return [Table(*row) for row in rows]

    def count_rows(self, name: str, most: int) -> int:
        """The number of rows of a table, or `most` if there are more."""
        counted = self.db.execute(f"SELECT count(*) FROM (SELECT 1 FROM {_quoted(name)} LIMIT {int(most)})")
        return int(counted.fetchone()[0])

    def table_rows(
        self, name: str, *, sort: str, descending: bool, offset: int, max_rows: int, max_length: int, seconds: float
    ) -> QueryResult:
        """Rows of a table or view, with texts cut to `max_length` characters."""
        if name not in [table.name for table in self.tables()]:
            raise NotFound(f'there is no table or view "{name[:60]}"')
        columns = [row[0] for row in self.db.execute("SELECT name FROM pragma_table_info(?)", (name,))]
        if sort and sort not in columns:
            raise BadInput(f'"{name}" has no column "{sort[:60]}": choose from {", ".join(columns)}')
        values = (
            f"CASE typeof({column}) WHEN 'text' THEN substr({column}, 1, {int(max_length)}) WHEN 'blob' "
            f"THEN printf('<%,d bytes>', length({column})) ELSE {column} END AS {column}"
            for column in map(_quoted, columns)
        )
        order = f" ORDER BY source.{_quoted(sort)}{' DESC' * descending}" if sort else ""
        statement = f"SELECT {', '.join(values)} FROM {_quoted(name)} AS source{order} LIMIT -1 OFFSET {int(offset)}"
        with self._reader() as conn, self._sql_errors(seconds):
            return execute(conn, statement, seconds=seconds, max_rows=max_rows)

    @contextmanager
    def _sql_errors(self, seconds: float = 0) -> Iterator[None]:
        """Raise what SQLite says about a statement as an error that helps to correct it."""
        try:
            yield
        except TimeLimitExceeded as error:
            raise BadInput(f"SQL: time limit of {seconds:g} s exceeded") from error
        except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
            raise BadInput(f"SQL: {self._describe(error)}") from error

    @contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection]:
        """A connection that can write neither this file nor another."""
        with closing(open_reader(":memory:" if self.path is None else read_only_uri(self.path), BUSY_SECONDS)) as conn:
            if self.path is None:
                with self._thread_lock:
                    self.db.conn.backup(conn)
            yield conn

    def _describe(self, error: Exception) -> str:
        """An error in the user's SQL, with a hint how to correct it."""
        message = str(error)
        if _code(error) in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_AUTH):
            return "only reading this file is allowed"
        if message.startswith("no such table"):
            return f"{message}; there are {', '.join(table.name for table in self.tables())}"
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


def _quoted(name: str) -> str:
    """A name as an identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'


def _is_same_file(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _wal(path: Path) -> Path:
    """SQLite's write-ahead log of a file."""
    return path.with_name(path.name + "-wal")


def read_only_uri(path: Path) -> str:
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
