"""Long values of the file, or the beginning of them. A SELECT would copy the whole of each once more."""

from __future__ import annotations

import sqlite3
from codecs import utf_8_decode

from minisearch.errors import Damaged

LONGEST = 4  # bytes of a letter


def read(conn: sqlite3.Connection, table: str, column: str, row: int) -> bytes:
    """A value, whole."""
    with _opened(conn, table, column, row) as blob:
        return blob.read()


def letters(conn: sqlite3.Connection, table: str, column: str, row: int, most: int) -> str:
    """The first letters of a text, so many at the most and none after a zero, as SQLite's substr gives them; which
    reads all of the text first.
    """
    with _opened(conn, table, column, row) as blob:
        raw = blob.read(min(most, len(blob)))
        if not raw.isascii():
            raw += blob.read(min((LONGEST - 1) * most, len(blob) - len(raw)))
        try:
            text, used = utf_8_decode(raw, "strict", False)
        except UnicodeDecodeError as error:
            raise Damaged from error
        if used < len(raw) == len(blob):  # a letter that is cut short
            raise Damaged
    return text[:most].partition("\0")[0]


def _opened(conn: sqlite3.Connection, table: str, column: str, row: int) -> sqlite3.Blob:
    try:
        return conn.blobopen(table, column, row, readonly=True)
    except sqlite3.OperationalError as error:
        if "no such rowid" in str(error) or "cannot open value" in str(error):  # a number, or nothing
            raise Damaged from error
        raise
