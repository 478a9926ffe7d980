"""Links in the file: a row for each different link of a page. There are more of them than of anything else."""

from __future__ import annotations

import sqlite3
from collections import Counter
from functools import cache

from minisearch.models import Link
from minisearch.store.known import Known

WIDTH = 5  # values of a row that differ from link to link
MANY = 64  # rows that are written by one statement, which is sooner done than as many statements


def write_links(conn: sqlite3.Connection, page: int, values: list[int | str]) -> None:
    """Write the links of a page, of which `link_rows` has told the values."""
    for start in range(0, len(values), MANY * WIDTH):
        some = values[start : start + MANY * WIDTH]
        conn.execute(_into_links(len(some) // WIDTH), [page, start // WIDTH, *some])


@cache
def _into_links(count: int) -> str:
    """The statement for so many rows. What they have in common is told once: the page, and which link is the first."""
    rows = ", ".join(f"(?1, ?2 + {n}, ?, ?, ?, ?, ?)" for n in range(count))
    return f"INSERT INTO links (page_id, position, url_id, anchor, nofollow, count, fragment) VALUES {rows}"


def link_rows(links: tuple[Link, ...], ids: dict[str, int] | dict[str, Known]) -> list[int | str]:
    """The values of the rows of a page's links, one row after the other. `ids` are those of the urls they lead to.

    >>> link_rows((Link("a", "x"), Link("b"), Link("a", "x")), {"a": 1, "b": 2})
    [1, 'x', 0, 2, '', 2, '', 0, 1, '']
    """
    found = Counter(links).items()
    rows = [(_number(ids[link.url]), link.anchor, +link.nofollow, count, link.fragment) for link, count in found]
    return [value for row in rows for value in row]


def _number(known: int | Known) -> int:
    return known if isinstance(known, int) else known.id
