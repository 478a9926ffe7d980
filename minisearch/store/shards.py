"""Many files as one: what the searcher reads of a store, gathered from several.

Every question goes to all files, or to the one that holds the page, at the same time; the answers are put together
before anything is counted. So document frequencies, average lengths and the link prior are those of all pages, and
a query gets the scores that one big file would give it. Pages and segments are numbered through, file after file.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from glob import glob
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeVar

from minisearch.errors import BadInput
from minisearch.store.gathering import Elsewhere, ShardJournal, ShardLikeness, ShardPages, ShardPostings, ShardRanks
from minisearch.store.store import Store

T = TypeVar("T")


def shard_paths(path: str | Path | None) -> list[str]:
    """The files that a pattern stands for; none if it names a single file.

    >>> shard_paths("docs.db")
    []
    """
    text = "" if path is None else str(path)
    if not any(sign in text for sign in "*?[") or Path(text).exists():
        return []
    found = sorted(glob(text))
    if not found:
        raise BadInput(f'no file matches "{text}"')
    return found


class Shards:
    """Several files, read as one store. Nothing can be written."""

    def __init__(self, paths: Sequence[str | Path]) -> None:
        self.stores: list[Store] = []
        try:
            for path in paths:
                self.stores.append(Store(path, create=False, read_only=True))
            self._check_apart(paths)
        except BaseException:
            self.close()
            raise
        self._pool = ThreadPoolExecutor(len(self.stores))
        self.pages, self.postings = ShardPages(self), ShardPostings(self)
        self.ranks, self.likeness = ShardRanks(self), ShardLikeness(self)
        self.journal = ShardJournal(self)
        self.inside = self.robots = self.recorded = self.revisits = Elsewhere()
        self.file = Elsewhere()
        self.look_again()

    def _check_apart(self, paths: Sequence[str | Path]) -> None:
        """No page may be in two files: it would count twice."""
        holder: dict[str, str | Path] = {}
        for path, store in zip(paths, self.stores, strict=True):
            for url in _urls(store):
                if url in holder:
                    raise BadInput(f'"{holder[url]}" and "{path}" overlap: both hold {url}')
                holder[url] = path

    def look_again(self) -> None:
        """Find out how pages and segments are numbered through."""
        self.page_bases = [0, *accumulate(_last(store, "pages") + 1 for store in self.stores)]
        self.segment_bases = [0, *accumulate(_last(store, "segments") + 1 for store in self.stores)]
        self.segments = {
            kind: [
                base + number
                for base, store in zip(self.segment_bases, self.stores, strict=False)
                for number in _segments(store, kind)
            ]
            for kind in ("page", "anchor")
        }

    def ask(self, question: Callable[[int, Store], T]) -> list[T]:
        """The answers of all files, asked at the same time."""
        return list(self._pool.map(question, range(len(self.stores)), self.stores))

    def by_page(self, numbers: Iterable[int]) -> dict[int, list[int]]:
        """Which file holds which of some pages, by their numbers there."""
        return _apart(self.page_bases, numbers)

    def by_segment(self, numbers: Iterable[int]) -> dict[int, list[int]]:
        """The same for segments."""
        return _apart(self.segment_bases, numbers)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One and the same state of each file."""
        with ExitStack() as stack:
            for store in self.stores:
                stack.enter_context(store.reading())
            self.look_again()
            yield

    def version(self) -> tuple[Any, ...]:
        """Changes whenever one of the files has changed."""
        return tuple(store.version() for store in self.stores)

    def close(self) -> None:
        """Done with the files."""
        for store in self.stores:
            store.close()
        if hasattr(self, "_pool"):
            self._pool.shutdown()


def _apart(bases: Sequence[int], numbers: Iterable[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for number in numbers:
        shard = bisect_right(bases, number) - 1
        found.setdefault(shard, []).append(number - bases[shard])
    return found


def _urls(store: Store) -> Iterator[str]:
    """The url of every page of a file."""
    rows = store.file.db.conn.execute("SELECT urls.url FROM pages JOIN urls ON urls.id = pages.url")
    return (url for (url,) in rows)


def _last(store: Store, table: str) -> int:
    """The largest id in a table; 0 if it is empty."""
    (last,) = store.file.db.conn.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()
    return int(last)


def _segments(store: Store, kind: str) -> list[int]:
    """The segments of a kind, oldest first."""
    rows = store.file.db.conn.execute("SELECT id FROM segments WHERE kind = ? ORDER BY id", (kind,))
    return [number for (number,) in rows]
