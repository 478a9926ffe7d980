"""Chunks: the fast way through a text. It is cut at bytes that no token can contain, and each different piece is
analysed once, by the rules of words.py and terms.py; all further work is on numbers.

The same terms and places, token by token: Analyzer.terms in minisearch/text/terms.py
"""

from __future__ import annotations

import string

import numpy as np
from numpy.typing import NDArray

from minisearch.text.terms import Analyzer

# What a token may be made of (words.py), in UTF-8. All else separates.
_INSIDE = frozenset((string.ascii_letters + string.digits + "_.'-+#").encode()) | frozenset(range(128, 256))
_CUTS = bytes(byte if byte in _INSIDE else 32 for byte in range(256))

Ints = NDArray[np.int64]


def chunks(text: str) -> list[bytes]:
    """The pieces of `text` between which a token cannot reach.

    >>> chunks("Use os.path (today), ok?")
    [b'Use', b'os.path', b'today', b'ok']
    """
    return text.encode("utf-8", "replace").translate(_CUTS).split()


class Lexicon:
    """All chunks and terms met so far, by number. Chunk n has `count[n]` terms, which stand one after the other in
    `terms` with their `places` beside them; the chunk after it begins `span[n]` places further on.
    """

    def __init__(self) -> None:
        self.vocabulary: dict[str, int] = {}
        self.terms: list[int] = []
        self.places: list[int] = []
        self.count: list[int] = []
        self.span: list[int] = []
        self.gap = self.add([], [])  # stands between two lines that have nothing to do with each other
        self.span[self.gap] = 1

    def number(self, term: str) -> int:
        """The number of a term."""
        return self.vocabulary.setdefault(term, len(self.vocabulary))

    def add(self, terms: list[str], places: list[int]) -> int:
        """A new chunk with its terms."""
        self.terms.extend(map(self.number, terms))
        self.places.extend(places)
        self.count.append(len(terms))
        self.span.append(places[-1] + 1 if places else 0)
        return len(self.count) - 1

    def expand(self, numbers: Ints, sizes: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """(term, text, place) of every word in texts of `sizes` chunks each, and how many words each text has."""
        count, span = np.array(self.count, dtype=np.int64), np.array(self.span, dtype=np.int64)
        first = np.cumsum(count) - count
        text_of = np.repeat(np.arange(len(sizes)), sizes)
        spans = span[numbers]
        ends = np.append(0, np.cumsum(spans))
        starts = np.cumsum(sizes) - sizes
        reach = ends[:-1] - ends[starts][text_of]  # each text begins at place 0
        gaps = np.bincount(text_of[numbers == self.gap], minlength=len(sizes))
        lengths = ends[starts + sizes] - ends[starts] - gaps
        having = count[numbers]
        owner = np.repeat(np.arange(len(numbers)), having)
        entry = np.arange(len(owner)) + (first[numbers] - (np.cumsum(having) - having))[owner]
        terms = np.array(self.terms, dtype=np.int64)[entry]
        places = np.array(self.places, dtype=np.int64)[entry] + reach[owner]
        return terms, text_of[owner], places, lengths


class Reader(dict[bytes, int]):
    """Reads texts of one language: the number of every chunk, analysed when it is first met."""

    def __init__(self, lexicon: Lexicon, analyzer: Analyzer) -> None:
        super().__init__()
        self._lexicon, self.analyzer = lexicon, analyzer

    def __missing__(self, chunk: bytes) -> int:
        number = self[chunk] = self._lexicon.add(*self.analyzer.terms(chunk.decode("utf-8")))
        return number

    def read(self, text: str) -> list[int]:
        """The chunks of a text, by number."""
        return list(map(self.__getitem__, chunks(text)))

    def read_lines(self, text: str) -> list[int]:
        """The same, with a gap between lines."""
        numbers: list[int] = []
        for line in text.split("\n"):
            numbers += self.read(line)
            numbers.append(self._lexicon.gap)
        return numbers[:-1]
