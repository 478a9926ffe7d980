"""Feeding pages to minisearch by its own path, from disk or from memory instead of the network.

A page that only links to all others stands at the front, so that none is missed. It asks not to be indexed.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from bench.places import ROOT, say
from minisearch import Engine
from minisearch.crawl.visit import Task
from minisearch.fetch.fetcher import Response
from minisearch.fetch.robots import RobotsFile
from minisearch.models import Failed, Link, Outcome, Page
from minisearch.parse.html import extract
from minisearch.parse.reader import read
from minisearch.urls import normalize

SCHEMA = ROOT / "minisearch" / "store" / "schema.sql"
FRONT = "http://localhost/"
TALK_EVERY = 2000  # pages


class Fed(NamedTuple):
    """What the engines start from: the same pages as minisearch's file, not indexed yet, and as JSON lines."""

    folder: Path

    @property
    def database(self) -> Path:
        """The pages as minisearch keeps them."""
        return self.folder / "pages.db"

    @property
    def documents(self) -> Path:
        """The pages for the peers. Written last, so if it is there the rest is whole."""
        return self.folder / "documents.jsonl"

    def is_ready(self) -> bool:
        """Whether all is there, in the tables of today."""
        stamp = self.folder / "schema.sql"
        return self.documents.exists() and stamp.exists() and stamp.read_bytes() == SCHEMA.read_bytes()


class Shelf:
    """A visitor that takes pages from a shelf: `bodies` tells by url how to read one."""

    def __init__(self, bodies: Mapping[str, Callable[[], bytes]]) -> None:
        self._bodies = {normalize(FRONT + quote(path)): body for path, body in bodies.items()}

    def __len__(self) -> int:
        return len(self._bodies)

    def __call__(self, task: Task) -> Outcome | RobotsFile:
        """Do a task."""
        if task.robots:
            return RobotsFile(404)
        if task.url == FRONT:
            return Page(FRONT, links=tuple(Link(url) for url in self._bodies), noindex="it only lists the others")
        if task.url not in self._bodies:
            return Failed(task.url, "http-404")
        return read(Response(task.url, 200, {"content-type": "text/html"}, self._bodies[task.url]()), extract)


def feed(folder: Path, bodies: Mapping[str, Callable[[], bytes]]) -> Fed:
    """Make the file of these pages in `folder`, unless it is there."""
    fed = Fed(folder)
    if not fed.is_ready():
        shelf = Shelf(bodies)
        say(f"reading {len(shelf):,} pages into {fed.database} (once) ...")
        fill(fed, (FRONT,), visitor=shelf, scope="host", max_depth=1, max_pages=len(shelf) + 1)
    return fed


def fill(fed: Fed, seeds: Iterable[str], **options: object) -> None:
    """Crawl into a fresh file, without indexing; then write the documents down."""
    fed.folder.mkdir(parents=True, exist_ok=True)
    fed.documents.unlink(missing_ok=True)
    for leftover in fed.folder.glob("pages.db*"):
        leftover.unlink()
    shutil.copy(SCHEMA, fed.folder / "schema.sql")
    with Engine(fed.database) as engine:
        for count, _ in enumerate(engine.crawling(*seeds, index=False, keep_html=False, **options), start=1):
            if count % TALK_EVERY == 0:
                say(f"  {count:,}")
    half = fed.documents.with_suffix(".half")
    with half.open("w", encoding="utf-8") as lines:
        for document in documents(fed.database):
            lines.write(json.dumps(document, ensure_ascii=False) + "\n")
    half.rename(fed.documents)


def documents(database: Path) -> Iterator[tuple[int, str, str, str]]:
    """(id, url, title, text) of every page that an index would hold."""
    with closing(sqlite3.connect(database)) as file:
        yield from file.execute(
            "SELECT pages.id, urls.url, pages.title, contents.text FROM pages "
            "JOIN urls ON urls.id = pages.url_id JOIN contents ON contents.page_id = pages.id "
            "WHERE pages.canonical_page_id IS NULL AND pages.noindex = '' ORDER BY pages.id"
        )
