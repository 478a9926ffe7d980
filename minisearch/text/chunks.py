"""Chunks: the fast way through a text. It is cut at bytes that no token can contain, and each different piece is
analysed once (pieces.py), many of them at one go; all further work is on numbers.

The same terms and places, token by token: Analyzer.terms in minisearch/text/terms.py
"""

from __future__ import annotations

import string
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from minisearch.text.pieces import Pieces, analysed
from minisearch.text.terms import Analyzer

# What a token may be made of (words.py), in UTF-8. All else separates.
_INSIDE = frozenset((string.ascii_letters + string.digits + "_.'-+#").encode()) | frozenset(range(128, 256))
_GAP = b"\xff"  # is in no text
_CUTS = bytes(byte if byte in _INSIDE else 32 for byte in range(256))

Ints = NDArray[np.int64]
Numbers = NDArray[np.integer[Any]]
K = TypeVar("K", bytes, str)


def chunks(text: str) -> list[bytes]:
    """The pieces of `text` between which a token cannot reach.

    >>> chunks("Use os.path (today), ok?")
    [b'Use', b'os.path', b'today', b'ok']
    """
    return text.encode("utf-8", "replace").translate(_CUTS).split()


class Learner(defaultdict[K, int]):
    """Who numbers what is met, and can tell of what is new what it is made of."""

    def __init__(self, lexicon: Lexicon, analyzer: Analyzer) -> None:
        super().__init__(lexicon.new)
        self._lexicon, self._analyzer, self._learned = lexicon, analyzer, 0
        lexicon.learners.append(self)

    def learn(self) -> Iterator[tuple[list[int], Pieces]]:
        """The numbers of what is new since the last time, and what it is made of."""
        fresh = list(islice(reversed(self.items()), len(self) - self._learned))
        self._learned = len(self)
        for places, pieces in self._analysed([met for met, _ in fresh]):
            yield [fresh[place][1] for place in places], pieces

    def _analysed(self, met: list[K]) -> Iterator[tuple[Sequence[int], Pieces]]:
        raise NotImplementedError


class Lexicon:
    """All chunks and terms met so far, by number. Chunk n has `count[n]` terms, which stand one after the other from
    `first[n]` on, with their places beside them; the chunk after it begins `span[n]` places further on.

    A chunk has a number as soon as it is met, and is analysed when its terms are asked for.
    """

    def __init__(self) -> None:
        self.vocabulary: defaultdict[str, int] = defaultdict(count().__next__)
        self.new = count().__next__
        self.gap = self.new()  # stands between two lines that have nothing to do with each other
        self.learners: list[Learner[Any]] = []
        self._terms, self._places = array("q"), array("q")
        self._first, self._count, self._span = (np.zeros(1, dtype=np.int64) for _ in range(3))
        self._span[self.gap] = 1
        self._words, self._shift = np.empty(0, dtype=np.int64), 0

    def __len__(self) -> int:
        return len(self._count)

    def learn(self) -> None:
        """Analyse what was met since the last time."""
        met = self.gap + 1 + sum(map(len, self.learners))
        more = np.zeros(met - len(self._count), dtype=np.int64)
        self._first, self._count, self._span = (
            np.concatenate([column, more]) for column in (self._first, self._count, self._span)
        )
        for learner in self.learners:
            for numbers, pieces in learner.learn():
                counts = np.array(pieces.counts, dtype=np.int64)
                self._count[numbers] = counts
                self._span[numbers] = pieces.spans
                self._first[numbers] = len(self._terms) + np.cumsum(counts) - counts
                self._terms.extend(map(self.vocabulary.__getitem__, pieces.terms))
                self._places.extend(pieces.places)

    def put_in_order(self, shift: int) -> list[str]:
        """Number all terms anew, as the alphabet has them; gives them in this order. Nothing more can be learned: from
        now on each word is one number, its term times 2**shift plus its place.
        """
        terms = sorted(self.vocabulary)
        place = np.empty(len(terms), dtype=np.int64)  # in the alphabet, of each term by its number
        place[list(map(self.vocabulary.__getitem__, terms))] = np.arange(len(terms)) << shift
        self._words = place[np.frombuffer(self._terms, dtype=np.int64)]
        self._words += np.frombuffer(self._places, dtype=np.int64)
        self._shift = shift
        return terms

    def terms(self, numbers: Numbers) -> Ints:
        """The terms of some chunks, in a row."""
        self.learn()
        terms: Ints = np.frombuffer(self._terms, dtype=np.int64)[self._entries(numbers, self._count[numbers])]
        return terms

    def words(self, numbers: Numbers, bases: Ints) -> Ints:
        """Every word of some chunks, plus the base of its chunk."""
        having = self._count[numbers]
        found = self._words[self._entries(numbers, having)]
        found += np.repeat(bases, having)
        return found

    def _entries(self, numbers: Numbers, having: Ints) -> Ints:
        """Where the terms of some chunks are kept, which have so many."""
        entries = np.repeat(self._first[numbers] - (np.cumsum(having) - having), having)
        entries += np.arange(len(entries))
        return entries

    def lengths(self, numbers: Numbers, sizes: Ints) -> Ints:
        """How many words texts of `sizes` chunks each have."""
        stops = np.cumsum(sizes)
        spans = self._span[numbers]
        spans[numbers == self.gap] = 0
        ends = np.append(0, np.cumsum(spans))
        lengths: Ints = ends[stops] - ends[stops - sizes]
        return lengths

    def expand(self, numbers: Numbers, sizes: Ints, bases: Ints, last: int) -> Ints:
        """Every word of texts of `sizes` chunks each, plus the base of its text; no place is further on than `last`."""
        stops = np.cumsum(sizes)
        starts = stops - sizes
        ends = np.append(0, np.cumsum(self._span[numbers]))
        bases = bases - ends[starts]  # each text begins at place 0
        if (ends[stops] - ends[starts]).max(initial=0) <= last:
            return self.words(numbers, np.repeat(bases, sizes) + ends[:-1])
        found = self.words(numbers, ends[:-1])
        mask = (1 << self._shift) - 1
        counts = np.append(0, np.cumsum(self._count[numbers]))
        having = counts[stops] - counts[starts]
        places = np.minimum((found & mask) - np.repeat(ends[starts], having), last)
        found &= ~mask
        found += places + np.repeat(bases + ends[starts], having)
        return found


class Reader(Learner[bytes]):
    """Reads texts of one language: the number of every chunk."""

    def __init__(self, lexicon: Lexicon, analyzer: Analyzer) -> None:
        super().__init__(lexicon, analyzer)
        self[_GAP], self._learned = lexicon.gap, 1

    def _analysed(self, met: list[bytes]) -> Iterator[tuple[Sequence[int], Pieces]]:
        return analysed(met, self._analyzer)

    def read(self, text: str) -> list[int]:
        """The chunks of a text, by number."""
        return list(map(self.__getitem__, chunks(text)))

    def read_lines(self, text: str) -> list[int]:
        """The same, with a gap between lines."""
        lines = text.encode("utf-8", "replace").replace(b"\n", b" " + _GAP + b" ")
        return list(map(self.__getitem__, lines.translate(_CUTS).split()))


class Caller(Learner[str]):
    """Numbers lines by which a page can be called, as a whole: their terms are all its names."""

    def __init__(
        self, lexicon: Lexicon, analyzer: Analyzer, names: Callable[[list[str], Analyzer], list[set[str]]]
    ) -> None:
        super().__init__(lexicon, analyzer)
        self._names = names

    def _analysed(self, met: list[str]) -> Iterator[tuple[Sequence[int], Pieces]]:
        found = self._names(met, self._analyzer)
        terms = [name for names in found for name in names]
        yield range(len(met)), Pieces([len(names) for names in found], [0] * len(met), terms, [0] * len(terms))
