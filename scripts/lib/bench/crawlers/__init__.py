"""The crawlers that are compared.

Each module has one function, `crawl(job)`, which crawls a site from its seed and stores the title, the visible text and
the links of each page, with their anchor texts, in an SQLite file. The peers do not import minisearch.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

TITLES = {
    "scrapy": "Scrapy, LinkExtractor and XPath",
    "tuned": "Scrapy, tuned: selectolax, own set of seen URLs, no robots.txt",
    "minisearch": "**minisearch**",
    "keeping": "minisearch, with the HTML of pages (its default)",
}
MODULES = {"scrapy": "plain_scrapy", "tuned": "tuned_scrapy", "minisearch": "minisearch", "keeping": "minisearch"}
BATCH = 64  # pages of a transaction, with all crawlers


class Job(NamedTuple):
    """A site to crawl."""

    crawler: str
    file: str  # the database to create
    home: str  # prefix of all URLs of the site
    excluded: tuple[str, ...]  # prefixes of URLs to skip
    pages: int | None  # maximum; None for all

    @property
    def seed(self) -> str:
        """The first URL."""
        return f"{self.home}index.html"

    def wants(self, url: str) -> bool:
        """Whether to visit a URL, which may have a fragment.

        >>> job = Job("scrapy", "", "http://a/", ("http://a/core/",), None)
        >>> [job.wants(url) for url in ("http://a/b.html#c", "http://a/core/d.html", "http://b/", "http://a/e.txt")]
        [True, False, False, False]
        """
        return url.startswith(self.home) and not url.startswith(self.excluded) and not url.endswith(".txt")


class PageStore:
    """Stores Scrapy's pages: a row for each page and for each of its links, in transactions like minisearch's."""

    def __init__(self, file: str) -> None:
        self._db = sqlite3.connect(file)
        self._db.execute("PRAGMA journal_mode = wal")
        self._db.execute("PRAGMA synchronous = normal")
        self._db.execute("CREATE TABLE pages (id INTEGER PRIMARY KEY, url TEXT UNIQUE, title TEXT, text TEXT)")
        self._db.execute("CREATE TABLE links (page INTEGER, url TEXT, anchor TEXT)")
        self.count = 0

    def add(self, url: str, title: str, text: str, links: list[tuple[str, str]]) -> None:
        """Store a page once, even if redirects lead to it again."""
        row = self._db.execute("INSERT OR IGNORE INTO pages (url, title, text) VALUES (?, ?, ?)", (url, title, text))
        if not row.rowcount:
            return
        page = row.lastrowid
        self._db.executemany("INSERT INTO links VALUES (?, ?, ?)", ((page, *link) for link in links))
        self.count += 1
        if self.count % BATCH == 0:
            self._db.commit()

    def close(self) -> None:
        """Commit the last pages."""
        self._db.commit()
        self._db.close()


def stored(crawler: str, file: Path) -> dict[str, int]:
    """Pages, characters of text, links and bytes of a crawler's file."""
    texts = "contents" if MODULES[crawler] == "minisearch" else "pages"
    queries = {
        "pages": "SELECT count(*) FROM pages",
        "characters": f"SELECT sum(length(text)) FROM {texts}",
        "links": "SELECT count(*) FROM links",
    }
    with closing(sqlite3.connect(file)) as db:
        counts = {name: db.execute(query).fetchone()[0] or 0 for name, query in queries.items()}
    return {**counts, "bytes": file.stat().st_size}


def crawl(crawler: str, file: str, home: str, excluded: list[str], pages: int | None) -> dict[str, float]:
    """Do a job in the child process; returns the seconds after all imports, commits included."""
    job = Job(crawler, file, home, tuple(excluded), pages)
    module = import_module(f"bench.crawlers.{MODULES[crawler]}")
    began = time.perf_counter()
    module.crawl(job)
    return {"seconds": time.perf_counter() - began}
