"""What links say in the file: by which words pages are called on others.

Most links are those of menus, and say on every page of a site the same. SQLite writes the links of a page into two
lines, which takes less time than giving them row by row, and a saying is a number until it is known which differ.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import count

import numpy as np
from numpy.typing import NDArray

APART = "\x1f"  # stands between the texts of two links; that one has it within is noticed
PAGES_AT_A_TIME = 500
NUMBER_BITS = 32  # of a saying; those of the page it is about come before
LAST_NUMBER = (1 << NUMBER_BITS) - 1

Ints = NDArray[np.int64]
Linked = tuple[int, int, str, str]  # a page, how many links it has, where they lead, and their texts
Numbering = Mapping[str, Mapping[str, int]]  # the number of each saying, by language and text


def sayings(conn: sqlite3.Connection) -> list[tuple[int, str, str]]:
    """(page, anchor text, language of the linking page): what others say about a page, each saying once, in order."""
    met, numbers = read(conn)
    told = [(text, language) for language, known in numbers.items() for text in known]
    given = [number for known in numbers.values() for number in known.values()]
    order = sorted(range(len(told)), key=told.__getitem__)
    place = np.empty(len(told), dtype=np.int64)  # in that order, of each saying by its number
    place[np.array(given, dtype=np.int64)[order]] = np.arange(len(told))
    met = np.sort(met >> NUMBER_BITS << NUMBER_BITS | place[met & LAST_NUMBER])
    told = [told[number] for number in order]
    pages, places = (met >> NUMBER_BITS).tolist(), (met & LAST_NUMBER).tolist()
    return [(page, *told[place]) for page, place in zip(pages, places, strict=True)]


def read(conn: sqlite3.Connection) -> tuple[Ints, Numbering]:
    """Each page with the number of each saying about it, both in one number; and the numbers of the sayings."""
    tongues, about = _known(conn)
    following = count()
    numbers: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(following.__next__))
    met = [np.empty(0, dtype=np.int64)]
    for some in _links(conn):
        some = [row for row in some if row[0] in tongues]
        said: list[int] = []
        for page, size, _, texts in some:
            each = texts.split(APART) if texts.count(APART) < size else _anchors(conn, page)
            said += map(numbers[tongues[page]].__getitem__, each)
        target = _looked_up(about, np.fromstring(",".join(row[2] for row in some), dtype=np.int64, sep=","))
        source = np.repeat(np.array([row[0] for row in some], dtype=np.int64), [row[1] for row in some])
        ours = (target > 0) & (target != source)
        met.append(np.unique(target[ours] << NUMBER_BITS | np.array(said, dtype=np.int64)[ours]))
    return np.unique(np.concatenate(met)), numbers


def _known(conn: sqlite3.Connection) -> tuple[dict[int, str], Ints]:
    """The language of each page whose links count, and the page that each url leads to, if that is shown."""
    pages = conn.execute("SELECT id, noindex = '', language FROM pages WHERE merged_into IS NULL").fetchall()
    shown = {page for page, is_shown, _ in pages if is_shown}
    urls = conn.execute("SELECT id, page FROM urls WHERE page IS NOT NULL")
    return {page: language for page, _, language in pages}, _table([(url, page) for url, page in urls if page in shown])


def _links(conn: sqlite3.Connection) -> Iterator[list[Linked]]:
    """Pages with what their links say, some at a time."""
    # What stands between is in the statement itself: what is bound to it, SQLite would copy for every link.
    links = conn.execute(
        f"SELECT page, count(*), group_concat(url), group_concat(anchor, '{APART}') FROM links "
        "WHERE NOT nofollow AND anchor != '' GROUP BY page"
    )
    while some := links.fetchmany(PAGES_AT_A_TIME):
        yield some


def _anchors(conn: sqlite3.Connection, page: int) -> list[str]:
    """The texts of the links of a page, row by row."""
    rows = conn.execute("SELECT anchor FROM links WHERE page = ? AND NOT nofollow AND anchor != '' ORDER BY n", (page,))
    return [anchor for (anchor,) in rows]


def _table(pairs: list[tuple[int, int]]) -> Ints:
    """What belongs to each number; 0 if nothing does, which is so of the last."""
    keys, values = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    table = np.zeros(int(keys.max(initial=0)) + 2, dtype=np.int64)
    table[keys] = values
    return table


def _looked_up(table: Ints, keys: Ints) -> Ints:
    found: Ints = table[np.clip(keys, 0, len(table) - 1)]
    return found
