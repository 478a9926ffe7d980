"""SQL statements of users: they can read one file, and nothing else.

SQLite's authorizer refuses what is not a read. A statement with limits runs in a process of its own: SQLite checks the
time between the steps of a statement, but not inside a function such as replace(), so the process is killed if it does
not end. The process runs this module as a script, which therefore imports nothing from minisearch.
"""

from __future__ import annotations

import json
import math
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from itertools import takewhile
from typing import Any, NamedTuple

STEPS = 1000  # of SQLite's virtual machine between two checks of the time
START_SECONDS = 5.0  # for a process to start on a busy machine
GRACE_SECONDS = 0.5  # after the limit, for a process to report that it has exceeded it
MEMORY = 512_000_000  # bytes of address space of the process
MAX_LENGTH = 20_000_000  # bytes of one value inside a statement
MAX_BYTES = 5_000_000  # of all values of a result

READS = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE}
UNSAFE_FUNCTIONS = {"load_extension", "fts3_tokenizer", "sqlite_log"}
TABLE_FUNCTIONS = ("json_each", "json_tree", "pragma_table_info")
PRAGMAS_OF_TABLES = {"table_info", "table_xinfo", "table_list", "index_list", "index_info", "foreign_key_list"}
PRAGMAS = {"user_version", "application_id", "page_count", "page_size", "encoding", "compile_options", "function_list"}


class QueryResult(NamedTuple):
    """The rows of a statement; `truncated` if there are more."""

    columns: list[str]
    rows: list[tuple[Any, ...]]
    truncated: bool = False


class Table(NamedTuple):
    """A table or view, with the statement that created it."""

    name: str
    type: str
    sql: str

    @property
    def description(self) -> str:
        """The comment at the beginning of the statement."""
        lines = [line.strip() for line in self.sql.splitlines()[1:]]
        return " ".join(line.removeprefix("--").strip() for line in takewhile(lambda line: line[:2] == "--", lines))


class TimeLimitExceeded(Exception):
    """A statement took too long."""


def authorize(action: int, first: str | None, second: str | None, _database: str | None, _source: str | None) -> int:
    """Allow a step of a statement only if it reads."""
    if action == sqlite3.SQLITE_FUNCTION:
        allowed = (second or "").lower() not in UNSAFE_FUNCTIONS
    elif action == sqlite3.SQLITE_PRAGMA:
        allowed = first in PRAGMAS_OF_TABLES or (first in PRAGMAS and second is None)
    else:
        allowed = action in READS
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def execute(
    conn: sqlite3.Connection,
    statement: str,
    *,
    seconds: float = math.inf,
    max_rows: int | None = None,
) -> QueryResult:
    """Run a statement that only reads. KeyboardInterrupt if SQLite was interrupted, but not by the time limit."""
    deadline = time.monotonic() + seconds
    for function in TABLE_FUNCTIONS:  # SQLite declares them at their first use, which the authorizer would refuse
        conn.execute(f"SELECT 1 FROM {function}('[]')").fetchall()
    conn.set_authorizer(authorize)
    conn.set_progress_handler(lambda: time.monotonic() > deadline, STEPS)  # also lets Python handle Ctrl-C
    try:
        cursor = conn.execute(statement)
        rows, truncated = (cursor.fetchall(), False) if max_rows is None else _fetch(cursor, max_rows)
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_INTERRUPT:
            raise
        if time.monotonic() > deadline:
            raise TimeLimitExceeded from error
        raise KeyboardInterrupt from error
    finally:
        conn.set_progress_handler(None, STEPS)
        conn.set_authorizer(None)
    if cursor.description is None:
        raise ValueError("this statement has no result; ask for rows, such as: select * from url_status")
    return QueryResult([column[0] for column in cursor.description], rows, truncated)


def _fetch(cursor: sqlite3.Cursor, max_rows: int) -> tuple[list[tuple[Any, ...]], bool]:
    """The first rows, fewer if they are large, and whether there are more."""
    rows: list[tuple[Any, ...]] = []
    size = 0
    for row in cursor:
        if len(rows) == max_rows or size > MAX_BYTES:
            return rows, True
        rows.append(tuple(map(_as_json, row)))
        size += sum(len(value) if isinstance(value, str) else 8 for value in rows[-1])
    return rows, False


def _as_json(value: Any) -> Any:
    """A value that JSON can hold: blobs become their size, infinite numbers their name."""
    if isinstance(value, bytes):
        return f"<{len(value):,} bytes>"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def execute_isolated(uri: str, statement: str, *, seconds: float, max_rows: int) -> QueryResult:
    """Run a statement on the file at `uri` in a process of its own, which ends in time, whatever the statement is."""
    request = {"uri": uri, "statement": statement, "seconds": seconds, "max_rows": max_rows}
    try:
        process = subprocess.run(
            [sys.executable, "-I", "-S", __file__],
            input=json.dumps(request).encode(),
            capture_output=True,
            timeout=seconds + START_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise TimeLimitExceeded from error
    if process.returncode:  # killed by its timer or for its memory, which the process could not report itself
        raise TimeLimitExceeded
    response = json.loads(process.stdout)
    if response.get("timeout"):
        raise TimeLimitExceeded
    if "error" in response:
        failure = sqlite3.OperationalError(response["error"])
        failure.sqlite_errorcode = response["code"]
        raise failure
    return QueryResult(response["columns"], [tuple(row) for row in response["rows"]], response["truncated"])


def open_reader(uri: str, timeout: float) -> sqlite3.Connection:
    """A connection that can write neither the file nor another."""
    conn = sqlite3.connect(uri, uri=True, timeout=timeout)
    conn.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    conn.execute("PRAGMA query_only = ON")
    conn.text_factory = lambda text: text.decode("utf-8", "replace")
    return conn


def main() -> None:
    """Run the statement that stdin describes, and write its result to stdout."""
    request = json.load(sys.stdin)
    seconds = request["seconds"]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.setitimer(signal.ITIMER_REAL, seconds + GRACE_SECONDS)  # which ends the process
    response: dict[str, Any]
    try:
        conn = open_reader(request["uri"], seconds)
        conn.execute("PRAGMA temp_store = MEMORY")  # a large sort fills no disk
        conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_LENGTH)
        found = execute(conn, request["statement"], seconds=seconds, max_rows=request["max_rows"])
        response = found._asdict()
    except TimeLimitExceeded:
        response = {"timeout": True}
    except MemoryError:
        response = {"error": "out of memory", "code": sqlite3.SQLITE_NOMEM}
    except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
        response = {"error": str(error), "code": getattr(error, "sqlite_errorcode", None)}
    json.dump(response, sys.stdout)


if __name__ == "__main__":
    main()
