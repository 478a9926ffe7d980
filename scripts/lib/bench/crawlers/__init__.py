"""How does one have each of them crawl the same site?

Each module here has one function, `crawl(job)`, which goes from the seed to all pages of the site and stores the title,
the visible text and the links of each, with their words, into an SQLite file. The modules of the peers need nothing of
minisearch.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

TITLES = {
    "scrapy": "Scrapy, LinkExtractor and XPath",
    "tuned": "Scrapy at its best: selectolax, own seen-set, tuned",
    "minisearch": "**minisearch**",
    "keeping": "minisearch, the HTML kept as well (its default)",
}
MODULES = {"scrapy": "plain_scrapy", "tuned": "tuned_scrapy", "minisearch": "minisearch", "keeping": "minisearch"}
OURS = ("minisearch", "keeping")
BATCH = 64  # pages that share a transaction, with all crawlers


class Job(NamedTuple):
    """What is to be crawled."""

    crawler: str
    file: str  # the database to be made
    home: str  # what all urls of the site begin with
    avoided: tuple[str, ...]  # and with what those begin that are left out
    pages: int | None  # no more than these; None: all there are

    @property
    def seed(self) -> str:
        """Where to begin."""
        return f"{self.home}index.html"

    def wants(self, url: str) -> bool:
        """Whether a url, which may have a fragment, is to be visited.

        >>> job = Job("scrapy", "", "http://a/", ("http://a/core/",), None)
        >>> [job.wants(url) for url in ("http://a/b.html#c", "http://a/core/d.html", "http://b/", "http://a/e.txt")]
        [True, False, False, False]
        """
        return url.startswith(self.home) and not url.startswith(self.avoided) and not url.endswith(".txt")


class Shelf:
    """Where Scrapy's pages go: a row for each page and for each of its links, in transactions like minisearch's."""

    def __init__(self, file: str) -> None:
        self._db = sqlite3.connect(file)
        self._db.execute("PRAGMA journal_mode = wal")
        self._db.execute("PRAGMA synchronous = normal")
        self._db.execute("CREATE TABLE pages (id INTEGER PRIMARY KEY, url TEXT UNIQUE, title TEXT, text TEXT)")
        self._db.execute("CREATE TABLE links (page INTEGER, url TEXT, anchor TEXT)")
        self.count = 0

    def put(self, url: str, title: str, text: str, links: list[tuple[str, str]]) -> None:
        """Store a page; one that is there already (by a redirect) is not stored again."""
        row = self._db.execute("INSERT OR IGNORE INTO pages (url, title, text) VALUES (?, ?, ?)", (url, title, text))
        if not row.rowcount:
            return
        page = row.lastrowid
        self._db.executemany("INSERT INTO links VALUES (?, ?, ?)", ((page, *link) for link in links))
        self.count += 1
        if self.count % BATCH == 0:
            self._db.commit()

    def close(self) -> None:
        """Make the rest last."""
        self._db.commit()
        self._db.close()


def stored(crawler: str, file: Path) -> dict[str, int]:
    """How many pages, characters of text and links there are in a file."""
    text = "SELECT sum(length(text)) FROM " + ("contents" if crawler in OURS else "pages")
    with closing(sqlite3.connect(file)) as db:
        counts = [db.execute(ask).fetchone()[0] or 0 for ask in ("SELECT count(*) FROM pages", text)]
        links = db.execute("SELECT count(*) FROM links").fetchone()[0]
    return {"pages": counts[0], "characters": counts[1], "links": links, "bytes": file.stat().st_size}
