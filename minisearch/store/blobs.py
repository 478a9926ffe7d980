"""Long values of the file, or stretches of them, as bytes. A SELECT would copy the whole of each once more."""

from __future__ import annotations

import sqlite3

from minisearch.errors import Damaged


def read(conn: sqlite3.Connection, table: str, column: str, row: int) -> bytes:
    """A value, whole."""
    with _opened(conn, table, column, row) as blob:
        return blob.read()


def counted(conn: sqlite3.Connection, table: str, column: str, row: int, start: int) -> bytes:
    """The bytes in a value from `start` on, the first four of which tell how many more there are."""
    with _opened(conn, table, column, row) as blob:
        if start + 4 > len(blob):
            raise Damaged
        blob.seek(start)
        return blob.read(int.from_bytes(blob.read(4), "little"))


def _opened(conn: sqlite3.Connection, table: str, column: str, row: int) -> sqlite3.Blob:
    try:
        return conn.blobopen(table, column, row, readonly=True)
    except sqlite3.OperationalError as error:
        if "no such rowid" in str(error) or "cannot open value" in str(error):  # a number, or nothing
            raise Damaged from error
        raise
