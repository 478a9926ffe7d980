"""How does one ask each of them the same?

Each module here has one class, `Index`, of the shape below. The modules of the peers need nothing of minisearch.
"""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol

WORD = re.compile(r"[^\W_]+")
TITLES = {"fts5": "SQLite FTS5", "tantivy": "tantivy", "bm25s": "bm25s", "whoosh": "Whoosh", "minisearch": "minisearch"}


class Document(NamedTuple):
    """A page as the peers see it."""

    id: int
    url: str
    title: str
    text: str


class Index(Protocol):
    """An engine's index, in a folder of its own."""

    def __init__(self, folder: Path) -> None: ...

    def build(self, source: Path, limit: int | None) -> dict[str, float]:
        """Index the first `limit` documents of `source`; gives the seconds of each stage."""

    def size(self) -> int:
        """Bytes of the index."""

    def open(self) -> None:
        """Make ready to search."""

    def any_word(self, query: str, limit: int) -> list[int]:
        """Ids of the best documents that have any word of the query."""

    def all_words(self, query: str, limit: int) -> list[int]:
        """Ids of the best documents that have all words of the query."""


def load(name: str, folder: Path) -> Index:
    """The engine of that name over the index in `folder`."""
    index: Index = import_module(f"bench.engines.{name}").Index(folder)
    return index


def words(query: str) -> list[str]:
    """The words of a query, for engines whose query language would trip over punctuation.

    >>> words("os.path: read_csv() OR C++")
    ['os', 'path', 'read', 'csv', 'OR', 'C']
    """
    return WORD.findall(query)


def read_documents(source: Path, limit: int | None) -> list[Document]:
    """All documents, in memory: reading them is nobody's work."""
    with source.open(encoding="utf-8") as lines:
        return [Document(*json.loads(line)) for _, line in zip(range(limit or 1 << 62), lines, strict=False)]


def bytes_in(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
