"""The search engines that are compared, and what is measured of each in a child process.

Each module has one class, `Index`, with the interface below. The peers do not import minisearch.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from bench.runner import own_peak_memory

WORD = re.compile(r"[^\W_]+")
TITLES = {"fts5": "SQLite FTS5", "tantivy": "tantivy", "bm25s": "bm25s", "whoosh": "Whoosh", "minisearch": "minisearch"}
WITHOUT_ALL_WORDS = ("bm25s",)
LIMIT = 10  # hits of a timed query


class Document(NamedTuple):
    """A page as the peers see it."""

    id: int
    url: str
    title: str
    text: str


class Index(Protocol):
    """An engine's index in a folder of its own."""

    def __init__(self, folder: Path) -> None: ...

    def build(self, documents: list[Document]) -> float:
        """Index documents and return the seconds; minisearch has `build_from` instead, for the file of a crawl."""

    def open(self) -> None:
        """Open the index for searching."""

    def any_word(self, query: str, limit: int) -> list[int]:
        """Return the ids of the best documents with any word of the query."""

    def all_words(self, query: str, limit: int) -> list[int]:
        """Return the ids of the best documents with all words of the query."""


def index_of(engine: str, folder: str) -> Any:
    """The `Index` of an engine in `folder`, not opened yet."""
    return import_module(f"bench.engines.{engine}").Index(Path(folder))


def opened(engine: str, folder: str) -> Any:
    """The index of an engine, opened for searching."""
    index = index_of(engine, folder)
    index.open()
    return index


def words(query: str) -> list[str]:
    """The words of a query, for engines whose query syntax gives punctuation a meaning.

    >>> words("os.path: read_csv() OR C++")
    ['os', 'path', 'read', 'csv', 'OR', 'C']
    """
    return WORD.findall(query)


def read_documents(source: Path, limit: int | None = None) -> list[Document]:
    """Read documents into memory, so that no engine is charged for it."""
    with source.open(encoding="utf-8") as lines:
        return [Document(*json.loads(line)) for _, line in zip(range(limit or 1 << 62), lines, strict=False)]


def read_queries(file: str) -> list[str]:
    """The queries in a JSON file."""
    queries: list[str] = json.loads(Path(file).read_text("utf-8"))
    return queries


# -- measured in a child process -------------------------------------------------------------


def build(engine: str, folder: str, source: str, limit: int | None = None) -> dict[str, Any]:
    """Build an index; returns the seconds of each stage and the size in bytes."""
    shutil.rmtree(folder, ignore_errors=True)
    Path(folder).mkdir(parents=True)
    index = index_of(engine, folder)
    if engine == "minisearch":
        built: dict[str, Any] = index.build_from(Path(source))
        return built
    seconds = index.build(read_documents(Path(source), limit))
    size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
    return {"seconds": {"index": seconds}, "bytes": size}


def ask(engine: str, folder: str, method: str, queries: str) -> dict[str, Any]:
    """Ask all queries twice; returns the milliseconds of each, both times, and the peak memory."""
    search = getattr(opened(engine, folder), method)
    asked = read_queries(queries)
    return {"first ms": timed(search, asked), "ms": timed(search, asked), "memory": own_peak_memory()}


def timed(search: Callable[[str, int], list[int]], queries: list[str]) -> list[float]:
    """The milliseconds of each query."""
    times = []
    for query in queries:
        began = time.perf_counter()
        search(query, LIMIT)
        times.append((time.perf_counter() - began) * 1000)
    return times


def first_query(engine: str, folder: str, query: str) -> float:
    """Milliseconds to open an index and answer one query; imports are not included."""
    index = index_of(engine, folder)
    began = time.perf_counter()
    getattr(index, "open_for_one_query", index.open)()
    index.any_word(query, LIMIT)
    return (time.perf_counter() - began) * 1000


def throughput(engine: str, folder: str, queries: str, seconds: float) -> float:
    """Queries a second; prints a line when the index is warm and begins when it reads one."""
    index = opened(engine, folder)
    asked = read_queries(queries)
    for query in asked:
        index.any_word(query, LIMIT)
    print("ready", flush=True)
    sys.stdin.readline()
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        index.any_word(asked[count % len(asked)], LIMIT)
        count += 1
    return count / (time.perf_counter() - began)


def hits(engine: str, folder: str, queries: str, limit: int) -> list[list[int]]:
    """The ids of the best documents for each query."""
    index = opened(engine, folder)
    return [index.any_word(query, limit) for query in read_queries(queries)]


def first_links(folder: str, queries: str) -> list[str]:
    """The link of minisearch's first hit for each query; empty if there is none."""
    index = opened("minisearch", folder)
    return [index.first_link(query) for query in read_queries(queries)]
