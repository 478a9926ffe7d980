"""What the classes that read and write the tables share."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlite_utils


class TableStore:
    """Base class: the connection, and queries with a list or a single value as their result."""

    def __init__(self, db: sqlite_utils.Database) -> None:
        self._db = db
        self._conn = db.conn

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._conn.execute(query, values).fetchall()

    def _column(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """The first column of a query."""
        return [row[0] for row in self._conn.execute(query, values)]

    def _value(self, query: str, values: Sequence[Any] = ()) -> Any:
        """The first column of the first row of a query; None if there is no row."""
        row = self._conn.execute(query, values).fetchone()
        return row[0] if row else None


_to_json = json.JSONEncoder(default=int).encode


def json_list(values: Iterable[Any]) -> str:
    """A list for `json_each(?)` in a query, of strings or of Python's or numpy's integers."""
    return _to_json([*values])
