"""Split a file into shards by host, and merge files into one.

A shard carries all that a query needs of its pages: their postings, the anchor texts of links from everywhere, and
their ranks among all pages. Searched together, shards answer as the one file did.

Files are made under temporary names and renamed when they are complete. While a file is read, it is locked for writers.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from minisearch.crawl.duplicates import merge_pages
from minisearch.errors import BadInput, StoreError
from minisearch.index.indexer import group_near_duplicates, index_anchors, index_pages
from minisearch.rank.job import rank
from minisearch.store.database import Store, read_only_uri
from minisearch.store.rankings import RankingFacts

NEW_IDS = {  # by column: the id, in the file that is made, of a row of another file
    "crawl_id": "(SELECT ours.id FROM other.crawls AS theirs JOIN main.crawls AS ours USING (seeds) "
    "WHERE theirs.id = crawl_id)",
    "url_id": "(SELECT new FROM url_of WHERE old = url_id)",
    "page_id": "(SELECT new FROM page_of WHERE old = page_id)",
    "pages.id": "(SELECT new FROM page_of WHERE old = id)",
    "canonical_page_id": "(SELECT new FROM page_of WHERE old = canonical_page_id)",
}
HELD_ELSEWHERE = "shard"  # the rule of a URL that another shard decides: it is here because a page links to it


def split(path: Path, folder: Path, count: int) -> list[tuple[Path, int]]:
    """Split a file by host into at most `count` files in a new folder; gives each with its number of pages.

    There are no more shards than hosts that have pages.
    """
    if count < 1:
        raise BadInput(f"a file can be split into 1 shard or more, not {count}")
    folder = folder if folder.name else folder.resolve()  # the current folder has no name
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise StoreError(f'"{folder}" exists already: move it away first')
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    with _locked(path) as whole:
        pages_of_hosts = _count_pages(whole)
        if not pages_of_hosts:
            raise BadInput(f'"{path}" has no pages to split')
        count = min(count, len(pages_of_hosts))
        names = [f"{path.stem}-{number:0{len(str(count))}}.db" for number in range(1, count + 1)]
        whose = assign(pages_of_hosts, count)
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        try:
            pages = [
                _make_shard(whole, path, unfinished / name, number, count, whose)
                for number, name in enumerate(names, start=1)
            ]
            unfinished.replace(folder)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return [(folder / name, some) for name, some in zip(names, pages, strict=True)]


def merge(paths: Sequence[Path], into: Path) -> int:
    """Merge files into a new one, index all anchor texts, and rank; gives how many pages it has."""
    if into.exists():
        raise StoreError(f'"{into}" exists already: move it away first')
    for path, times in Counter(path.resolve() for path in paths).items():
        if times > 1:
            raise BadInput(f'"{path}" is given twice')
    unfinished = into.with_name(f"{into.name}.unfinished")
    _remove(unfinished)
    try:
        with _new(unfinished) as store:
            parameters = _add_files(store, paths)
            merge_pages(store)
            for _ in index_pages(store):
                pass
            index_anchors(store)
            group_near_duplicates(store)
            kept = ("damping", "dangling", "tolerance", "repeated", "loops")
            rank(store, **{name: value for name, value in parameters.items() if name in kept})
            pages = store.pages.size()
        _remove_beside(into)  # SQLite would apply the -wal of a file that is gone to the new one
        unfinished.replace(into)
    finally:
        _remove(unfinished)
    return pages


@contextmanager
def _locked(path: Path) -> Iterator[Store]:
    """A file locked for writers; StoreBusy if another process is writing."""
    with closing(Store(path, create=False)) as store:
        if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
            store.lock()
        with store.reading():
            yield store


@contextmanager
def _new(path: Path) -> Iterator[Store]:
    """A file to be made; when it is closed, nothing of it is in other files beside it."""
    with closing(Store(path)) as store:
        yield store
        store.unlock()
        store.db.conn.execute("PRAGMA journal_mode = DELETE")  # a reader of a WAL leaves files beside it


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
    _remove_beside(path)


def _remove_beside(path: Path) -> None:
    for suffix in ("-wal", "-shm", "-journal", "-writer"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _make_shard(
    whole: Store, whole_path: Path, path: Path, number: int, count: int, whose: Callable[[str], int]
) -> int:
    with _new(path) as part:
        mine = np.array(_copy_rows(part, whole_path, whose, number), dtype=np.int64)
        for _ in index_pages(part):
            pass
        index_anchors(whole, among=mine.tolist(), into=part)
        with part.transaction():
            for name in whole.rankings.names():
                if (ranking := whole.rankings.get(name)) is not None:
                    part.rankings.save(_ranking_of(ranking, mine))
        run = part.start_run("shard", {"of": str(whole_path), "number": number, "count": count})
        part.finish_run(run, {"pages": len(mine)})
    return len(mine)


def assign(pages_of_hosts: Mapping[str, int], count: int) -> Callable[[str], int]:
    """Assign hosts to `count` shards, the largest first, each to the shard with the fewest pages so far.

    Returns the shard (1 to `count`) of a URL; a host that has no pages is assigned by a checksum of its name.

    >>> whose = assign({"a": 5, "b": 3, "c": 3}, 2)
    >>> [whose(f"http://{host}:8080/") for host in "abc"]
    [1, 2, 2]
    """
    has, owners = [0] * count, {}
    for name, some in sorted(pages_of_hosts.items(), key=lambda host: (-host[1], host[0])):
        least = has.index(min(has))
        owners[name] = least + 1
        has[least] += some

    def shard(url: str) -> int:
        name = host_name(url)
        return owners.get(name) or crc32(name.encode("utf-8", "replace")) % count + 1

    return shard


def host_name(url: str) -> str:
    """The host of a URL without its port: all ports of a host are in one shard; '' for a malformed URL.

    >>> host_name("https://EXAMPLE.com:8080/b"), host_name("http://[bad/")
    ('example.com', '')
    """
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""


def _ranking_of(ranking: RankingFacts, pages: NDArray[np.int64]) -> RankingFacts:
    """A ranking of some pages alone."""
    pages = pages[pages < len(ranking.vector)]
    vector = np.full(int(pages.max(initial=0)) + 1, np.nan)
    vector[pages] = ranking.vector[pages]
    return dataclasses.replace(ranking, vector=vector)


def _add_files(store: Store, paths: Sequence[Path]) -> dict[str, Any]:
    """Add the rows of files; gives the parameters of their ranking."""
    parameters: dict[str, Any] = {}
    with ExitStack() as locked:
        others = [locked.enter_context(_locked(path)) for path in paths]
        for path, other in zip(paths, others, strict=True):
            _add_rows(store, path)
            ranking = other.rankings.get("pagerank")
            parameters = ranking.parameters if ranking is not None else parameters
    return parameters


# -- rows ----------------------------------------------------------------------------------


@contextmanager
def _attached(store: Store, path: Path) -> Iterator[sqlite3.Connection]:
    """The connection of a store, with another file attached as `other`."""
    conn = store.db.conn
    conn.execute("ATTACH ? AS other", (read_only_uri(path),))
    try:
        yield conn
    finally:
        conn.execute("DETACH other")


def _count_pages(store: Store) -> Counter[str]:
    """How many pages each host has; duplicates are not counted."""
    pages: Counter[str] = Counter()
    rows = store.db.conn.execute(
        "SELECT min(urls.url), count(*) FROM pages JOIN urls ON urls.id = pages.url_id "
        "WHERE pages.canonical_page_id IS NULL GROUP BY urls.host"
    )
    for url, count in rows:
        pages[host_name(url)] += count
    return pages


def _copy_rows(part: Store, whole: Path, owner: Callable[[str], int], number: int) -> list[int]:
    """Copy what belongs to a shard: its pages with their links, and their URLs; gives the ids of the pages.

    Ids stay the same. A duplicate goes where its canonical page goes, a URL where its page goes.
    """
    with _attached(part, whole) as conn:
        conn.create_function("owner", 1, owner, deterministic=True)
        with part.transaction():
            conn.execute("CREATE TEMP TABLE mine (id INTEGER PRIMARY KEY)")
            conn.execute(
                "INSERT INTO mine SELECT page.id FROM other.pages AS page "
                "JOIN other.pages AS canonical ON canonical.id = coalesce(page.canonical_page_id, page.id) "
                "JOIN other.urls AS urls ON urls.id = canonical.url_id WHERE owner(urls.url) = ?",
                (number,),
            )
            for table, which in (
                ("crawls", "1"),
                ("robots", "1"),
                ("traps", "1"),
                ("settings", "1"),
                ("runs", "stage = 'crawl'"),
                ("pages", "id IN mine"),
                ("contents", "page_id IN mine"),
                ("links", "page_id IN mine"),
                ("urls", f"page_id IN mine OR page_id IS NULL AND owner(url) = {number:d}"),
                ("url_history", "url_id IN (SELECT id FROM main.urls)"),
            ):
                names = ", ".join(_columns(conn, table))
                conn.execute(f"INSERT INTO main.{table} ({names}) SELECT {names} FROM other.{table} WHERE {which}")
            conn.execute("UPDATE main.pages SET segment_id = NULL")
            conn.execute(
                "INSERT OR IGNORE INTO main.urls (id, url, host, crawl_id, state, depth, rule) "
                "SELECT id, url, host, crawl_id, 'skipped', depth, ? FROM other.urls "
                "WHERE id IN (SELECT url_id FROM main.links)",
                (HELD_ELSEWHERE,),
            )
            mine = [page for (page,) in conn.execute("SELECT id FROM mine ORDER BY id")]
            conn.execute("DROP TABLE mine")
    return mine


def _add_rows(store: Store, path: Path) -> None:
    """Add the rows of another file; BadInput if a page is here already.

    Of a URL that both files know, the verdict of the file that had to decide counts.
    """
    with _attached(store, path) as conn, store.transaction():
        _add_settings(conn)
        _add_urls(conn)
        _add_pages(conn, path)
        _point_urls(conn)
        conn.execute("DROP TABLE url_of")
        conn.execute("DROP TABLE page_of")


def _add_settings(conn: sqlite3.Connection) -> None:
    _copy(conn, "crawls", omit="id", insert="INSERT OR IGNORE")
    for table in ("robots", "settings", "traps"):
        _copy(conn, table, insert="INSERT OR IGNORE")
    names = "stage, settings, started_at, finished_at, counts"
    conn.execute(
        f"INSERT INTO main.runs ({names}) SELECT {names} FROM (SELECT {names} FROM other.runs WHERE stage = 'crawl' "
        f"EXCEPT SELECT {names} FROM main.runs) ORDER BY started_at"
    )


def _add_urls(conn: sqlite3.Connection) -> None:
    """Add URLs with their verdicts; `url_of` has the new id of each."""
    facts = ("state", "depth", "redirects", "inlinks", "rule", "detail")
    names, news = ", ".join(facts), ", ".join(f"excluded.{name}" for name in facts)
    conn.execute(
        f"INSERT INTO main.urls (url, host, crawl_id, {names}) "
        f"SELECT url, host, {NEW_IDS['crawl_id']}, {names} FROM other.urls WHERE 1 "
        f"ON CONFLICT (url) DO UPDATE SET (crawl_id, {names}) = (excluded.crawl_id, {news}) "
        "WHERE urls.rule = 'shard'"
    )
    conn.execute("CREATE TEMP TABLE url_of (old INTEGER PRIMARY KEY, new INTEGER)")
    conn.execute(
        "INSERT INTO url_of SELECT theirs.id, ours.id FROM other.urls AS theirs JOIN main.urls AS ours USING (url)"
    )
    _copy(conn, "url_history")


def _add_pages(conn: sqlite3.Connection, path: Path) -> None:
    """Add pages, `page_of` has the new id of each; BadInput if one of them is here already."""
    twice = conn.execute(
        "SELECT urls.url FROM other.pages AS theirs JOIN url_of ON url_of.old = theirs.url_id "
        "JOIN main.pages AS ours ON ours.url_id = url_of.new JOIN main.urls AS urls ON urls.id = ours.url_id LIMIT 1"
    ).fetchone()
    if twice:
        raise BadInput(f'"{path}" overlaps with a file before it: both hold {twice[0]}')
    conn.execute("CREATE TEMP TABLE page_of (old INTEGER PRIMARY KEY, new INTEGER)")
    conn.execute(
        "INSERT INTO page_of SELECT id, row_number() OVER (ORDER BY id) + "
        "(SELECT coalesce(max(id), 0) FROM main.pages) FROM other.pages"
    )
    _copy(conn, "pages", omit="segment_id")
    _copy(conn, "contents")
    _copy(conn, "links")


def _copy(conn: sqlite3.Connection, table: str, *, omit: str = "", insert: str = "INSERT") -> None:
    """Copy the rows of a table, with the new ids of crawls, URLs and pages."""
    names = [name for name in _columns(conn, table) if name != omit]
    values = [NEW_IDS.get(f"{table}.{name}", NEW_IDS.get(name, name)) for name in names]
    conn.execute(f"{insert} INTO main.{table} ({', '.join(names)}) SELECT {', '.join(values)} FROM other.{table}")


def _columns(conn: sqlite3.Connection, table: str) -> list[str]:
    return [name for _, name, *_ in conn.execute(f"PRAGMA main.table_info({table})")]


def _point_urls(conn: sqlite3.Connection) -> None:
    """Set where URLs were found, what they redirect to, and their pages, by the new ids."""
    conn.execute(
        "UPDATE main.urls SET (referrer_id, redirect_target_id, page_id) = (SELECT "
        "(SELECT new FROM url_of WHERE old = theirs.referrer_id), "
        "(SELECT new FROM url_of WHERE old = theirs.redirect_target_id), "
        "(SELECT new FROM page_of WHERE old = theirs.page_id) FROM other.urls AS theirs WHERE theirs.url = urls.url) "
        "WHERE id IN (SELECT url_of.new FROM url_of JOIN other.urls AS theirs ON theirs.id = url_of.old "
        "WHERE theirs.rule <> 'shard')"
    )
