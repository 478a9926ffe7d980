"""Chunks: the fast way through a text. It is cut at bytes that no token can contain, and each different piece is
analysed once (pieces.py), many of them at one go; all further work is on numbers.

The same terms and places, token by token: Analyzer.terms in minisearch/text/terms.py
"""

from __future__ import annotations

import string
from array import array
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from minisearch.text.pieces import Pieces, Stemmed, token_by_token
from minisearch.text.table import Ints, Numbers, Table
from minisearch.text.terms import Analyzer
from minisearch.text.vocabulary import Vocabulary

# What a token may be made of (words.py), in UTF-8. All else separates.
_INSIDE = frozenset((string.ascii_letters + string.digits + "_.'-+#").encode()) | frozenset(range(128, 256))
GAP = b"\xff"  # is in no text
CUTS = bytes(byte if byte in _INSIDE else 32 for byte in range(256))


def chunks(text: str) -> list[bytes]:
    """The pieces of `text` between which a token cannot reach.

    >>> chunks("Use os.path (today), ok?")
    [b'Use', b'os.path', b'today', b'ok']
    """
    return encoded(text).translate(CUTS).split()


def encoded(text: str) -> bytes:
    """A text in UTF-8."""
    return text.encode("utf-8", "replace")


def encoded_lines(text: str) -> bytes:
    """The same, with a gap between lines."""
    return encoded(text).replace(b"\n", b" " + GAP + b" ")


class Lexicon:
    """All chunks and terms met so far, by number. Chunk n has `count[n]` terms, which stand one after the other from
    `first[n]` on, with their places beside them; the chunk after it begins `span[n]` places further on.
    """

    def __init__(self) -> None:
        self.vocabulary = Vocabulary()
        self._terms, self._places = array("i"), array("i")
        self._first, self._count, self._span = array("i"), array("i"), array("i")
        self.gap = 0  # stands between two lines that have nothing to do with each other
        nothing, one = np.zeros(0, np.int32), np.ones(1, np.int32)
        self.learn(1, [(np.array([self.gap]), Pieces(one * 0, one, nothing, nothing))])

    def __len__(self) -> int:
        return len(self._count)

    def learn(self, more: int, made: Iterable[tuple[NDArray[np.intp], Pieces]]) -> int:
        """Number so many new chunks, of which is told what they are made of, with terms for words; gives the number of
        the first.
        """
        known = len(self)
        first, counts, spans = (np.zeros(more, dtype=np.int32) for _ in range(3))
        for places, pieces in made:
            first[places] = len(self._terms) + np.cumsum(pieces.counts) - pieces.counts
            counts[places], spans[places] = pieces.counts, pieces.spans
            self._terms.frombytes(pieces.words.tobytes())
            self._places.frombytes(pieces.places.tobytes())
        for column, numbers in zip((self._first, self._count, self._span), (first, counts, spans), strict=True):
            column.frombytes(numbers.tobytes())
        return known

    def put_in_order(self) -> list[str]:
        """Number all terms anew, as the alphabet has them; gives them in this order. Nothing more can be learned."""
        terms, places = self.vocabulary.in_order()
        self._terms = array("i", places[_of(self._terms)].tobytes())
        self.vocabulary = Vocabulary()
        return terms

    def terms(self, chunks: Numbers) -> Ints:
        """The terms of some chunks, in a row."""
        having = _of(self._count)[chunks]
        entries = np.repeat(_of(self._first)[chunks] - (np.cumsum(having) - having), having)
        return _of(self._terms)[entries + np.arange(len(entries))].astype(np.int64)

    def columns(self) -> tuple[Numbers, Numbers, Numbers, Numbers, Numbers]:
        """Of each chunk where its terms begin, how many it has, and how far it reaches; of all these the terms, and
        their places in the chunk, of which the first is 0.
        """
        first, count, span, terms, places = map(_of, (self._first, self._count, self._span, self._terms, self._places))
        return first, count, span, terms, places

    def lengths(self, chunks: Numbers, sizes: Ints) -> Ints:
        """How many words texts of `sizes` chunks each have."""
        stops = np.cumsum(sizes)
        spans = _of(self._span)[chunks]
        spans[chunks == self.gap] = 0
        ends = np.append(0, np.cumsum(spans, dtype=np.int64))
        lengths: Ints = ends[stops] - ends[stops - sizes]
        return lengths


def _of(column: array[int]) -> Numbers:
    return np.frombuffer(column, dtype=np.int32)


class Reader:
    """Reads texts of one language: the number of every chunk. What is new is analysed, and learned by the lexicon."""

    def __init__(self, lexicon: Lexicon, analyzer: Analyzer) -> None:
        self._lexicon, self._analyzer, self._table = lexicon, analyzer, Table(CUTS)
        self._table.read([GAP], lexicon.gap)
        self.words, self._terms = Stemmed(analyzer), array("i")  # and the number of the term of each word
        self._met: list[bytes] = []  # different chunks, and their numbers
        self._numbers = array("i")

    def read(self, texts: list[bytes]) -> tuple[Numbers, Ints]:
        """The chunks of texts in UTF-8, by number, and how many each has."""
        numbers, sizes, fresh = self._table.read(texts, len(self._lexicon))
        if fresh:
            self._learn(fresh)
        return numbers, sizes

    def _learn(self, chunks: list[bytes]) -> None:
        plain, pieces = self.words.cut(chunks)
        fresh = self.words.terms[len(self._terms) :]  # others may have met some of them first
        self._terms.frombytes(self._lexicon.vocabulary.numbers(fresh).tobytes())
        odd = np.flatnonzero(~plain)
        others, terms = token_by_token([chunks[place] for place in odd.tolist()], self._analyzer)
        made = [
            (np.flatnonzero(plain), pieces._replace(words=_of(self._terms)[pieces.words])),
            (odd, others._replace(words=self._lexicon.vocabulary.numbers(terms))),
        ]
        first = self._lexicon.learn(len(chunks), made)
        self._met += chunks
        self._numbers.frombytes(np.arange(first, first + len(chunks), dtype=np.int32).tobytes())

    @property
    def met(self) -> tuple[list[bytes], Numbers]:
        """All different chunks, and their numbers."""
        return self._met, _of(self._numbers)
