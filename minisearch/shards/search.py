"""Search over shards: query, then fetch, with the statistics of all of them.

Every shard runs the same code as a single file does. Wherever that needs to know something of the whole collection, it
asks for a sum: of document frequencies, of the counts of matching documents, of the best candidates for a proximity
window, of the best hits, and in the end of their snippets, which come from the shards that hold the pages. Whoever runs
the shards adds up what they have, and lets all of them run again with the sums that are known by then. What was read
is cached, so that to run again is cheap; nothing is kept between two runs, so that a shard can run anywhere.

Elasticsearch calls this dfs_query_then_fetch.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from glob import glob, has_magic
from itertools import combinations
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from minisearch.errors import BadInput, Damaged, StoreError
from minisearch.search.index_reader import Added, IndexReader, Statistics
from minisearch.search.searcher import Searcher
from minisearch.store.database import Store

MOST_RESTARTS = 5  # of a query during which a file changes

P = ParamSpec("P")
T = TypeVar("T")


def shard_paths(path: str | Path | None) -> list[str]:
    """The files that a pattern matches; none if it names a single file.

    >>> shard_paths("docs.db")
    []
    """
    text = "" if path is None else str(path)
    if not has_magic(text) or Path(text).exists():
        return []
    found = sorted(glob(text))
    if not found:
        raise BadInput(f'no file matches "{text}"')
    return found


class IndexChanged(Exception):
    """The index of a shard is no longer the one whose statistics are known."""


class UnknownTotal(Exception):
    """A shard needs a sum over all shards that is not known yet; this is what it has itself."""

    def __init__(self, own: Any) -> None:
        super().__init__()
        self.own = own


@dataclass(frozen=True)
class Addend:
    """What a shard has of a sum that it needs."""

    own: Any


@dataclass(frozen=True)
class Call:
    """A function to be run on a shard, and what is known of all shards so far."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    shard: int = 0
    statistics: tuple[Statistics, ...] = ()  # of each shard
    totals: tuple[Any, ...] = ()  # in the order in which they are asked for


class ShardReader(IndexReader):
    """The index of a shard, with the totals of one call."""

    def __init__(self, store: Store, call: Call) -> None:
        self.shard, self.shards = call.shard, len(call.statistics)
        self._totals: Iterator[Any] = iter(())
        super().__init__(store, call.statistics[call.shard].generation, reduce(operator.add, call.statistics))

    def with_totals(self, totals: Sequence[Any]) -> ShardReader:
        """The same reader for a call."""
        reader = copy.copy(self)
        reader._totals = iter(totals)
        return reader

    def total(self, own: Added) -> Added:
        """The sum over all shards, if it is known."""
        for known in self._totals:
            return known  # type: ignore[no-any-return]
        raise UnknownTotal(own)


class ShardFile(Searcher):
    """A shard that is open to be searched."""

    def __init__(self, path: str) -> None:
        super().__init__(Store(path, create=False, read_only=True))
        self._path = path
        self._statistics: tuple[Statistics, ...] = ()
        self._shard_reader: ShardReader | None = None
        self._current: ShardReader | None = None

    def run(self, call: Call) -> Any:
        """What a function gives, or what it needs to know of all shards."""
        try:
            with self.store.reading():
                self._current = self._open_reader(call)
                return call.function(self, *call.arguments, **call.options)
        except UnknownTotal as unknown:
            return Addend(unknown.own)
        except Damaged as error:
            raise StoreError(f'"{self._path}": {error}') from error

    def _open_reader(self, call: Call) -> ShardReader | None:
        if not call.statistics:
            return None
        if call.statistics[call.shard].generation != self.store.postings.generation():
            raise IndexChanged
        if self._shard_reader is None or self._statistics != call.statistics:
            self._shard_reader, self._statistics = ShardReader(self.store, call), call.statistics
        return self._shard_reader.with_totals(call.totals)

    def reader(self) -> IndexReader:
        """The index, with the statistics of all shards."""
        return self._current or super().reader()

    def close(self) -> None:
        """Close the file."""
        self.store.close()


class Executor(Protocol):
    """Runs calls on the shards: see executors.py."""

    def map(self, calls: Sequence[Call]) -> list[Any]:
        """What each call gives, in order; all run at the same time."""

    def close(self) -> None:
        """Close the files."""


class Shards:
    """Several files that are read as one. Threads may share it."""

    def __init__(self, paths: Sequence[str], open_executor: Callable[[Sequence[str]], Executor]) -> None:
        self.paths = paths
        self._executor = open_executor(paths)
        self._statistics: tuple[Statistics, ...] = ()
        try:
            self._check_overlap()
        except BaseException:
            self.close()
            raise

    def run(self, function: Callable[Concatenate[Searcher, P], T], *arguments: P.args, **options: P.kwargs) -> T:
        """What a function gives that is run on every shard; all of them come to the same result."""
        for _ in range(MOST_RESTARTS):
            statistics = self._statistics or tuple(self.each(_statistics))
            try:
                result: T = self._run(Call(function, arguments, options, statistics=statistics))
            except IndexChanged:
                self._statistics = ()
            else:
                self._statistics = statistics
                return result
        raise StoreError("the files change too often to be searched as one: try again later")

    def _run(self, call: Call) -> Any:
        totals: list[Any] = []
        while True:
            calls = [
                Call(call.function, call.arguments, call.options, shard, call.statistics, tuple(totals))
                for shard in range(len(self.paths))
            ]
            answers = self._executor.map(calls)
            addends = [answer.own for answer in answers if isinstance(answer, Addend)]
            if not addends:
                return answers[0]
            if len(addends) < len(answers):
                raise AssertionError("shards ask for different totals")
            totals.append(reduce(operator.add, addends))

    def each(self, function: Callable[Concatenate[Searcher, P], T], *arguments: P.args, **options: P.kwargs) -> list[T]:
        """What a function gives on each shard by itself."""
        return self._executor.map([Call(function, arguments, options, shard) for shard in range(len(self.paths))])

    def _check_overlap(self) -> None:
        """Refuse files that hold the same page, which would count twice. Only pages of hosts in common are compared."""
        hosts = [set(found) for found in self.each(_hosts)]
        common = sorted({host for one, other in combinations(hosts, 2) for host in one & other})
        holders: dict[str, str] = {}
        for path, urls in zip(self.paths, self.each(_urls_on, common) if common else (), strict=False):
            for url in urls:
                if url in holders:
                    raise BadInput(f'"{holders[url]}" and "{path}" overlap: both hold {url}')
                holders[url] = path

    def close(self) -> None:
        """Close all files."""
        self._executor.close()


def _statistics(file: Searcher) -> Statistics:
    return file.reader().statistics()


def _hosts(file: Searcher) -> list[str]:
    return file.store.pages.hosts()


def _urls_on(file: Searcher, hosts: Sequence[str]) -> list[str]:
    return file.store.pages.urls_on(hosts)
