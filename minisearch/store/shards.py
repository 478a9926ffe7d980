"""Many files as one: what the searcher reads of a store, gathered from several.

Every question goes to all files, or to the one that holds the page, at the same time; the answers are put together
before anything is counted. So document frequencies, average lengths and the link prior are those of all pages, and
a query gets the scores that one big file would give it. Pages and segments are numbered through, file after file.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import accumulate
from pathlib import Path
from threading import RLock
from typing import Any, NoReturn

from minisearch.errors import BadInput, MiniSearchError
from minisearch.store.dossier import ShardInside
from minisearch.store.drawers import (
    OneFileOnly,
    ShardPages,
    ShardPostings,
    ShardRanks,
    ShardUrls,
)
from minisearch.store.readers import HERE, Hire, InThreads, Question


class Shards:
    """Several files, read as one store. Nothing can be written. `hire` gets those who read them; if not, threads do."""

    def __init__(self, paths: Sequence[str | Path], hire: Hire = InThreads) -> None:
        self._count = len(paths)
        self._turns = RLock()  # of threads that share us: there is one state of each file, and one line to who reads it
        self._readers = hire([str(path) for path in paths])
        try:
            self._check_apart(paths)
            self.pages, self.postings = ShardPages(self), ShardPostings(self)
            self.rankings, self.urls = ShardRanks(self), ShardUrls(self)
            self.inspect = ShardInside(self)
            self.revisits = self.db = OneFileOnly()
            with self.reading():
                pass  # so that it is known how pages and segments are numbered through
        except BaseException:
            self.close()
            raise

    def __getattr__(self, name: str) -> NoReturn:
        """What a store can do and we cannot: it would write."""
        if name.startswith("_"):
            raise AttributeError(name)
        raise MiniSearchError("nothing is written to several files at a time: name one of them with --db")

    def _check_apart(self, paths: Sequence[str | Path]) -> None:
        """No page may be in two files: it would count twice."""
        holder: dict[str, str | Path] = {}
        for path, urls in zip(paths, self.ask(HERE, "urls"), strict=True):
            for url in urls:
                if url in holder:
                    raise BadInput(f'"{holder[url]}" and "{path}" overlap: both hold {url}')
                holder[url] = path

    def ask(self, drawer: str, question: str, *given: Any) -> list[Any]:
        """The answers of all files to one question."""
        return self.ask_all([(file, drawer, question, given) for file in range(self._count)])

    def ask_some(self, drawer: str, question: str, given: Mapping[int, tuple[Any, ...]]) -> dict[int, Any]:
        """The answers of some files, each asked with something of its own."""
        answers = self.ask_all([(file, drawer, question, own) for file, own in given.items()])
        return dict(zip(given, answers, strict=True))

    def ask_all(self, questions: Sequence[Question]) -> list[Any]:
        """The answers to some questions, all asked at the same time."""
        with self._turns:
            return self._readers.ask(questions) if questions else []

    def by_page(self, numbers: Iterable[int]) -> dict[int, list[int]]:
        """Which file holds which of some pages, by their numbers there."""
        return _apart(self.page_bases, numbers)

    def by_segment(self, numbers: Iterable[int]) -> dict[int, list[int]]:
        """The same for segments."""
        return _apart(self.segment_bases, numbers)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One and the same state of each file."""
        with self._turns:
            try:
                told = self.ask(HERE, "begin")
            except BaseException:
                with suppress(Exception):  # what is wrong is told already
                    self.ask(HERE, "end")  # for those that did begin
                raise
            pages, segments = zip(*told, strict=True)
            try:
                self.page_bases = [0, *accumulate(last + 1 for last in pages)]
                self.segment_bases = [0, *accumulate(last + 1 for last in segments)]
                yield
            finally:
                self.ask(HERE, "end")

    def numbers(self) -> dict[str, Any]:
        """All files in numbers: what can be added up."""
        urls: Counter[str] = Counter()
        rules: dict[str, Counter[str]] = {"skipped": Counter(), "failed": Counter()}
        for tally in self.ask("urls", "counts"):
            for state, rule, count in tally:
                if rule != "shard":
                    urls[state] += count
                    if state in rules:
                        rules[state][rule] += count
        pages, sizes, languages, depths = (
            _summed(self.ask(drawer, question))
            for drawer, question in (
                ("pages", "counts"),
                *(("inspect", name) for name in ("sizes", "languages", "depths")),
            )
        )
        told = {spoken or "not told": count for spoken, count in languages.most_common()}
        by_depth = {str(depth): depths[depth] for depth in sorted(depths)}
        by_rule = {state: dict(counts) for state, counts in rules.items()}
        summed = {"urls": dict(+urls), **by_rule, "sizes": dict(sizes), "languages": told, "depths": by_depth}
        return {"files": self._count, **pages, **summed}

    def sql(self, _statement: str) -> NoReturn:
        """Raise: a statement is for one file."""
        raise MiniSearchError("this cannot be asked of several files at a time: name one of them with --db")

    def close(self) -> None:
        """Done with the files."""
        self._readers.close()


def _summed(told: Iterable[Mapping[Any, int]]) -> Counter[Any]:
    """Numbers of the same name, added up."""
    total: Counter[Any] = Counter()
    for numbers in told:
        total.update(numbers)
    return total


def _apart(bases: Sequence[int], numbers: Iterable[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for number in numbers:
        shard = bisect_right(bases, number) - 1
        if 0 <= shard < len(bases) - 1:  # anybody may ask for a page that is nowhere
            found.setdefault(shard, []).append(number - bases[shard])
    return found
