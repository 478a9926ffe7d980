"""Time index structures: build an index of the same pages with each and look up words.

I. Ilic, master thesis, University of Belgrade, Faculty of Mathematics, 2016, chapter 5 and appendix: an index as a
list, as a hash table of lists, and as a Python map; here also as relational tables, and as any other structure that the
caller passes. The structures are in minisearch/textbook: listindex, hashtable, mapindex, sql_index.
"""

from __future__ import annotations

import random
import sysconfig
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Protocol

from minisearch.errors import BadInput
from minisearch.textbook import listindex, mapindex, sql_index
from minisearch.textbook.hashtable import bad_hash_string, chi_square, hash_string, make_hashtable, test_hash_function

SIZES = (10, 20, 50, 500)  # pages; the thesis stops at 50
TABLE_BUCKETS = 10  # of the thesis's timing
TEST_BUCKETS = 12  # of the thesis's distribution test
LOOKUPS = 300  # words looked up, of which a third are in no page

Pages = Sequence[tuple[str, str]]  # (url, text)
Hash = Callable[[str, int], int]


class Structure(Protocol):
    """An index under test."""

    def build(self, pages: Pages, stop: Callable[[], bool]) -> int:
        """Index the pages until `stop`; return how many were indexed."""
        ...

    def lookup(self, word: str) -> int:
        """How many pages have the word, or occurrences of it."""
        ...


class ListIndex:
    """[[keyword, [url, ...]], ...]: a word is found by going through all of them."""

    def __init__(self) -> None:
        self._index: listindex.Index = []

    def build(self, pages: Pages, stop: Callable[[], bool]) -> int:
        """Index the pages."""
        return _each(pages, stop, lambda url, text: listindex.add_page_to_index(self._index, url, text))

    def lookup(self, word: str) -> int:
        """How often the word occurs."""
        return len(listindex.lookup(self._index, word))


class HashIndex:
    """Buckets of [keyword, [url, ...]]: a word is looked for in one bucket only."""

    def __init__(self, hash: Hash = hash_string, buckets: int = TABLE_BUCKETS) -> None:  # noqa: A002
        self._hash, self._table = hash, make_hashtable(buckets)

    def build(self, pages: Pages, stop: Callable[[], bool]) -> int:
        """Index the pages."""
        return _each(pages, stop, self._add_page)

    def _add_page(self, url: str, text: str) -> None:
        for word in text.split():
            bucket = self._table[self._hash(word, len(self._table))]
            listindex.add_to_index(bucket, word, url)  # a bucket is a small list index

    def lookup(self, word: str) -> int:
        """How often the word occurs."""
        return len(listindex.lookup(self._table[self._hash(word, len(self._table))], word))


class MapIndex:
    """{keyword: [url, ...]}: Python's own hash table."""

    def __init__(self) -> None:
        self._index: mapindex.Index = {}

    def build(self, pages: Pages, stop: Callable[[], bool]) -> int:
        """Index the pages."""
        return _each(pages, stop, lambda url, text: mapindex.add_page_to_index(self._index, url, text))

    def lookup(self, word: str) -> int:
        """How often the word occurs."""
        return len(mapindex.lookup(self._index, word) or ())


class RelationalIndex:
    """Tables of documents, terms and postings in an SQLite database in memory; it can also rank, by BM25."""

    def __init__(self) -> None:
        self._index = sql_index.make_index()

    def build(self, pages: Pages, stop: Callable[[], bool]) -> int:
        """Index the pages."""
        return _each(pages, stop, self._add_page)

    def _add_page(self, url: str, text: str) -> None:
        sql_index.add_document(self._index, url, {"body": [text.split()]})

    def lookup(self, word: str) -> int:
        """How often the word occurs."""
        return sum(tf for _, _, tf in sql_index.lookup(self._index, word))


def _each(pages: Pages, stop: Callable[[], bool], add: Callable[[str, str], None]) -> int:
    for done, (url, text) in enumerate(pages):
        if stop():
            return done
        add(url, text)
    return len(pages)


STRUCTURES: dict[str, Callable[[], Structure]] = {
    "list": ListIndex,
    "hash table, first letter": lambda: HashIndex(bad_hash_string),
    "hash table, sum of letters": HashIndex,
    "Python map": MapIndex,
    "relational tables in SQLite": RelationalIndex,
}
PUBLISHED = {  # processor seconds for crawling and indexing 10, 20 and 50 pages, in the thesis's table 6
    "hash table, sum of letters": {10: 0.080776, 20: 0.381066, 50: 322.546326},
    "Python map": {10: 0.022313, 20: 0.046528, 50: 0.523919},
}


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of one structure for a number of pages."""

    structure: str
    pages: int
    words: int
    build: float  # processor seconds
    lookup: float | None  # seconds for one word; None if the building was stopped
    done: int  # pages indexed when it was stopped, or all
    published: float | None  # the thesis's seconds for this number of pages

    @property
    def stopped(self) -> bool:
        """Whether it took longer than anyone would wait."""
        return self.done < self.pages


def measure(
    pages: Pages,
    *,
    sizes: Iterable[int] = SIZES,
    structures: Mapping[str, Callable[[], Structure]] = STRUCTURES,
    patience: float = 20.0,
    clock: Callable[[], float] = time.process_time,
) -> Iterator[Timing]:
    """Each structure on each number of pages. What takes more than `patience` seconds to build is stopped."""
    for size in sizes:
        if not 1 <= size <= len(pages):
            raise BadInput(f"there are {len(pages)} pages to index, not {size}")
        some = pages[:size]
        words = [word for _, text in some for word in text.split()]
        asked = _questions(words)
        for name, make in structures.items():
            structure, begun = make(), clock()
            limit = begun + patience
            done = structure.build(some, lambda limit=limit: clock() > limit)  # type: ignore[misc]
            built = clock() - begun
            lookup = None
            if done == size:
                begun = clock()
                for word in asked:
                    structure.lookup(word)
                lookup = (clock() - begun) / max(len(asked), 1)
            yield Timing(name, size, len(words), built, lookup, done, PUBLISHED.get(name, {}).get(size))


def _questions(words: Sequence[str]) -> list[str]:
    """Words to look up: some that are there, and some that are nowhere, which is the worst case of a list."""
    draw = random.Random(0)  # noqa: S311
    known = draw.sample(words, min(len(words), LOOKUPS * 2 // 3))
    return known + [f"{word}~nowhere" for word in known[: LOOKUPS // 3]]


@dataclass(frozen=True, slots=True)
class Spread:
    """How evenly a hash function spreads words over buckets."""

    name: str
    counts: tuple[int, ...]
    chi_square: float
    published: tuple[int, int, float]  # the thesis's smallest and largest bucket, and its chi-square


def spreads(pages: Pages, buckets: int = TEST_BUCKETS) -> list[Spread]:
    """Both hash functions on the different words of the pages; the thesis had 15170 words of a book."""
    words = {word for _, text in pages for word in text.split()}
    rows = (
        ("first letter", bad_hash_string, (725, 2065, 1637.46)),
        ("sum of letters", hash_string, (1217, 1363, 14.59)),
    )
    found = []
    for name, function, published in rows:
        counts = tuple(test_hash_function(function, words, buckets))
        found.append(Spread(name, counts, chi_square(counts), published))
    return found


def library_pages(count: int, words: int) -> Pages:
    """`count` modules of Python's standard library as pages, each cut after `words` words."""
    folder = Path(sysconfig.get_paths()["stdlib"])
    modules = sorted(path for path in folder.rglob("*.py") if not {"site-packages", "dist-packages"} & {*path.parts})
    random.Random(0).shuffle(modules)  # noqa: S311  # or the first ten would all be of one kind
    texts = ((path.relative_to(folder).as_posix(), _start(path, words)) for path in modules)
    return list(islice(((name, text) for name, text in texts if text), count))


def _start(path: Path, words: int) -> str:
    return " ".join(path.read_text("utf-8", errors="replace").split()[:words])


def cut(pages: Iterable[tuple[str, str]], words: int) -> Pages:
    """Cut pages after `words` words and leave out those without any."""
    short = ((url, " ".join(text.split()[:words])) for url, text in pages)
    return [(url, text) for url, text in short if text]
