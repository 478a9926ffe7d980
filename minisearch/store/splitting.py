"""One file cut into several, and several put together: the rows, in SQL. For the index see wiring/sharding.py"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from minisearch.errors import BadInput
from minisearch.store.database import Store

HELD_ELSEWHERE = "shard"  # the rule of a url that is here only because a page links to it


@contextmanager
def beside(store: Store, path: Path) -> Iterator[sqlite3.Connection]:
    """The connection of a store, with another file beside it as `other`."""
    conn = store.db.conn
    conn.execute("ATTACH ? AS other", (str(path),))
    try:
        yield conn
    finally:
        conn.execute("DETACH other")


def first_of_hosts(store: Store) -> list[tuple[str, int]]:
    """A url of each host that has pages, and how many pages it has; copies of pages are not counted."""
    rows = store.db.conn.execute(
        "SELECT min(urls.url), count(*) FROM pages JOIN urls ON urls.id = pages.url_id "
        "WHERE pages.canonical_page_id IS NULL GROUP BY urls.host"
    )
    return [(str(url), int(pages)) for url, pages in rows]


def copy_share(part: Store, whole: Path, owner: Callable[[str], int], number: int) -> list[int]:
    """Copy what belongs to a share: its pages with their links, and their urls. Gives the pages.

    Pages go where the page goes that stands for them, urls where their page goes. Ids stay the same.
    """
    with beside(part, whole) as conn:
        conn.create_function("owner", 1, owner, deterministic=True)
        with part.transaction():
            conn.execute("CREATE TEMP TABLE mine (id INTEGER PRIMARY KEY)")
            conn.execute(
                "INSERT INTO mine SELECT page.id FROM other.pages AS page "
                "JOIN other.pages AS stands ON stands.id = coalesce(page.canonical_page_id, page.id) "
                "JOIN other.urls AS urls ON urls.id = stands.url_id WHERE owner(urls.url) = ?",
                (number,),
            )
            for table, which in (
                ("crawls", "1"),
                ("robots", "1"),
                ("traps", "1"),
                ("settings", "1"),
                ("pages", "id IN mine"),
                ("contents", "page_id IN mine"),
                ("links", "page_id IN mine"),
                ("urls", f"page_id IN mine OR page_id IS NULL AND owner(url) = {number:d}"),
                ("url_history", "url_id IN (SELECT id FROM main.urls)"),
            ):
                names = _columns(conn, table)
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


def add_rows(store: Store, path: Path) -> dict[int, int]:
    """Add the rows of another file; gives the new number of each of its pages. BadInput if a page is here already.

    Of a url that both have met, the verdict of the one who was to decide counts.
    """
    with beside(store, path) as conn, store.transaction():
        _add_settings(conn)
        _add_urls(conn)
        _number_pages(conn, path)
        _add_pages(conn)
        _point_urls(conn)
        pages = dict(conn.execute("SELECT old, new FROM page_of"))
        conn.execute("DROP TABLE url_of")
        conn.execute("DROP TABLE page_of")
    return pages


def _add_settings(conn: sqlite3.Connection) -> None:
    for table in ("crawls", "robots", "settings"):
        names = _columns(conn, table, but=("id",) if table == "crawls" else ())
        conn.execute(f"INSERT OR IGNORE INTO main.{table} ({names}) SELECT {names} FROM other.{table}")


def _add_urls(conn: sqlite3.Connection) -> None:
    """Add urls with their verdicts; `url_of` tells the new number of each."""
    facts = ("state", "depth", "redirects", "inlinks", "rule", "detail")
    names, news = ", ".join(facts), ", ".join(f"excluded.{name}" for name in facts)
    crawl = "SELECT ours.id FROM other.crawls AS theirs JOIN main.crawls AS ours USING (seeds)"
    conn.execute(
        f"INSERT INTO main.urls (url, host, crawl_id, {names}) "
        f"SELECT url, host, ({crawl} WHERE theirs.id = crawl_id), {names} FROM other.urls WHERE 1 "
        f"ON CONFLICT (url) DO UPDATE SET (crawl_id, {names}) = (excluded.crawl_id, {news}) "
        "WHERE urls.rule = 'shard'"
    )
    conn.execute("CREATE TEMP TABLE url_of (old INTEGER PRIMARY KEY, new INTEGER)")
    conn.execute(
        "INSERT INTO url_of SELECT theirs.id, ours.id FROM other.urls AS theirs JOIN main.urls AS ours USING (url)"
    )
    names = _columns(conn, "url_history", but=("url_id",))
    conn.execute(
        f"INSERT INTO main.url_history (url_id, {names}) SELECT url_of.new, {names} FROM other.url_history AS history "
        "JOIN url_of ON url_of.old = history.url_id"
    )


def _number_pages(conn: sqlite3.Connection, path: Path) -> None:
    """Let `page_of` tell the new number of each page; BadInput if one of them is here already."""
    conn.execute("CREATE TEMP TABLE page_of (old INTEGER PRIMARY KEY, new INTEGER)")
    conn.execute(
        "INSERT INTO page_of SELECT id, row_number() OVER (ORDER BY id) + "
        "(SELECT coalesce(max(id), 0) FROM main.pages) FROM other.pages"
    )
    twice = conn.execute(
        "SELECT urls.url FROM other.pages AS theirs JOIN url_of ON url_of.old = theirs.url_id "
        "JOIN main.pages AS ours ON ours.url_id = url_of.new JOIN main.urls AS urls ON urls.id = ours.url_id LIMIT 1"
    ).fetchone()
    if twice:
        raise BadInput(f'"{path}" overlaps with a file before it: both hold {twice[0]}')


def _add_pages(conn: sqlite3.Connection) -> None:
    """Add pages, what they say, and their links."""
    names = _columns(conn, "pages", but=("id", "url_id", "segment_id", "canonical_page_id"))
    conn.execute(
        f"INSERT INTO main.pages (id, url_id, canonical_page_id, {names}) SELECT page_of.new, url_of.new, "
        f"(SELECT new FROM page_of WHERE old = canonical_page_id), {names} FROM other.pages AS page "
        "JOIN page_of ON page_of.old = page.id JOIN url_of ON url_of.old = page.url_id"
    )
    names = _columns(conn, "contents", but=("page_id",))
    conn.execute(
        f"INSERT INTO main.contents (page_id, {names}) SELECT page_of.new, {names} FROM other.contents AS content "
        "JOIN page_of ON page_of.old = content.page_id"
    )
    names = _columns(conn, "links", but=("page_id", "url_id"))
    conn.execute(
        f"INSERT INTO main.links (page_id, url_id, {names}) "
        f"SELECT page_of.new, url_of.new, {names} FROM other.links AS link "
        "JOIN page_of ON page_of.old = link.page_id JOIN url_of ON url_of.old = link.url_id"
    )


def _point_urls(conn: sqlite3.Connection) -> None:
    """Let urls point at where they were found, at what they redirect to and at their pages, by the new numbers."""
    conn.execute(
        "UPDATE main.urls SET (referrer_id, redirect_target_id, page_id) = (SELECT "
        "(SELECT new FROM url_of WHERE old = theirs.referrer_id), (SELECT new FROM url_of "
        "WHERE old = theirs.redirect_target_id), "
        "(SELECT new FROM page_of WHERE old = theirs.page_id) FROM other.urls AS theirs WHERE theirs.url = urls.url) "
        "WHERE id IN (SELECT url_of.new FROM url_of JOIN other.urls AS theirs ON theirs.id = url_of.old "
        "WHERE theirs.rule <> 'shard')"
    )


def _columns(conn: sqlite3.Connection, table: str, but: tuple[str, ...] = ()) -> str:
    rows = conn.execute(f"PRAGMA main.table_info({table})")
    return ", ".join(name for _, name, *_ in rows if name not in but)
