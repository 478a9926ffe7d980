"""Links in the file: a row for each different link of a page. There are more of them than of anything else."""

from __future__ import annotations

import sqlite3
from collections import Counter

from minisearch.native.loops import compiled
from minisearch.records import Link

INTO_LINKS, WIDTH = "INSERT INTO links (page, n, url, anchor, nofollow, count) VALUES", 6
ROW = "(?, ?, ?, ?, ?, ?)"
MANY = 64  # rows that are written by one statement, which is sooner done than as many statements


def write_links(conn: sqlite3.Connection, page: int, links: tuple[Link, ...], ids: dict[str, int]) -> None:
    """Write the links of a page; `ids` are those of the urls they lead to."""
    values = link_rows(page, links, ids)
    for start in range(0, len(values), MANY * WIDTH):
        some = values[start : start + MANY * WIDTH]
        conn.execute(f"{INTO_LINKS} {', '.join([ROW] * (len(some) // WIDTH))}", some)


def link_rows(page: int, links: tuple[Link, ...], ids: dict[str, int]) -> list[int | str]:
    """The values of the rows of a page's links, one row after the other.

    >>> link_rows(7, (Link("a", "x"), Link("b"), Link("a", "x")), {"a": 1, "b": 2})
    [7, 0, 1, 'x', 0, 2, 7, 1, 2, '', 0, 1]
    """
    if compiled:
        return compiled.link_rows(page, links, ids)
    found = enumerate(Counter(links).items())
    rows = [(page, n, ids[url], anchor, +nofollow, count) for n, ((url, anchor, nofollow), count) in found]
    return [value for row in rows for value in row]
