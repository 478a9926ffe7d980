"""Many chunks of text taken apart at one go: what is plain by short cuts, what is not by the rules of terms.py.

Plain is what has no letters but those of ASCII and is one token: a word, perhaps with a full stop, or an identifier.
All of a batch are cut by looking at the kinds of their bytes, with no loop over them, and put into lower case by one
call. What they are made of is known by numbers, so that each different word need be stemmed but once.
"""

from __future__ import annotations

import string
from collections import defaultdict
from itertools import compress, count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from minisearch.text.terms import Analyzer
from minisearch.text.words import LONGEST

BEFORE, BEHIND = b"'-+#", b".'-"  # stand before or after a word, and never make it another
_LOWER, _UPPER, _DIGIT, _JOIN, _END = 1, 2, 4, 8, 16  # kinds of bytes: those that join two words, and ends of lines
_KINDS = np.zeros(256, dtype=np.uint8)
for _letters, _kind in (
    (string.ascii_lowercase, _LOWER),
    (string.ascii_uppercase, _UPPER),
    (string.digits, _DIGIT),
    (".'-", _JOIN),
    ("\n", _END),
):
    _KINDS[list(_letters.encode())] = _kind
_KINDS[ord("_")] = _WORD = 32  # is a letter, and joins words as well
_CUT = bytes.maketrans((string.ascii_uppercase + ".-_").encode(), (string.ascii_lowercase + "   ").encode())

Numbers = NDArray[np.int32]


class Pieces(NamedTuple):
    """What chunks are made of: how many words and how many places each has; the words of all of them in a row, by
    number, and the place of each in its chunk.
    """

    counts: Numbers
    spans: Numbers
    words: Numbers
    places: Numbers


class Cut(NamedTuple):
    """Which of some chunks are plain, what those are made of, and their words that were never met before: they have
    the next numbers, in this order.
    """

    plain: NDArray[np.bool_]
    pieces: Pieces
    fresh: list[str]


class Words:
    """Words in lower case, by number."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)

    def cut(self, chunks: list[bytes]) -> Cut:
        """What chunks are made of: each token has its parts, and perhaps stands whole where it begins
        (terms.stands_whole).
        """
        known = len(self._numbers)
        bare = [chunk.lstrip(BEFORE).rstrip(BEHIND) for chunk in chunks]
        plain = _plain(chunks, bare)
        pieces = _quickly(list(compress(bare, plain.tolist())), self._numbers)
        return Cut(plain, pieces, list(self._numbers)[known:])


class Stemmed:
    """Words and their terms by the rules of one language: each is stemmed once, whoever meets it."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._words, self._analyzer = Words(), analyzer
        self.terms: list[str] = []  # of the words, by their numbers

    def cut(self, chunks: list[bytes]) -> tuple[NDArray[np.bool_], Pieces]:
        """Which of some chunks are plain, and what those are made of."""
        plain, pieces, fresh = self._words.cut(chunks)
        self.terms += self._analyzer.of_plain(fresh)
        return plain, pieces


def _plain(chunks: list[bytes], bare: list[bytes]) -> NDArray[np.bool_]:
    """Which of the chunks are one token, all of what is left when nothing is around it."""
    kinds = _KINDS[np.frombuffer(b"\n".join([b"", *bare]), np.uint8)]
    flaws = kinds == 0
    flaws[1:] |= (kinds[1:] == _JOIN) & ((kinds[:-1] == _JOIN) | (kinds[:-1] == _END))
    sizes = np.array(list(map(len, bare)), dtype=np.intp)
    ends = np.cumsum(sizes + 1)
    before = np.append(0, np.cumsum(flaws))
    found: NDArray[np.bool_] = (before[ends] == before[ends - sizes]) & (sizes > 0)
    return found & (np.array(list(map(len, chunks)), dtype=np.intp) <= LONGEST)


def _quickly(tokens: list[bytes], numbers: defaultdict[str, int]) -> Pieces:
    lines = b"\n".join([*tokens, b""])
    raw = np.frombuffer(lines, np.uint8)
    kinds = _KINDS[raw]
    joint = np.zeros(len(raw), dtype=bool)  # before a capital: dD, 2D, DDd
    joint[1:] = (kinds[1:] == _UPPER) & ((kinds[:-1] & (_LOWER | _DIGIT)) > 0)
    joint[1:-1] |= (kinds[1:-1] == _UPPER) & (kinds[:-2] == _UPPER) & (kinds[2:] == _LOWER)
    cut = np.insert(np.frombuffer(lines.translate(_CUT), np.uint8), np.flatnonzero(joint), ord(" "))
    blank = (cut == ord(" ")) | (cut == ord("\n"))
    begins = ~blank
    begins[1:] &= blank[:-1]
    ends = np.append(0, np.cumsum(begins)[cut == ord("\n")])
    spans = np.diff(ends)
    stop = np.flatnonzero(raw == ord("\n"))
    start = np.append(0, stop + 1)[:-1]
    whole = (spans > 1) | ((spans == 1) & ((raw[start] == ord("_")) | (raw[stop - 1] == ord("_"))))
    parts = list(map(numbers.__getitem__, cut.tobytes().decode().split()))
    wholes = compress(lines.lower().decode().split("\n"), whole.tolist())
    counts = spans + whole
    first = np.cumsum(counts) - counts
    which, places = (np.zeros(int(counts.sum()), dtype=np.int32) for _ in range(2))
    later = np.arange(len(parts)) - np.repeat(ends[:-1], spans)  # the place of each part in its token
    at = np.repeat(first, spans) + later + (np.repeat(whole, spans) & (later > 0))
    which[at], places[at] = parts, later
    which[first[whole] + 1] = list(map(numbers.__getitem__, wholes))
    return Pieces(counts.astype(np.int32), spans.astype(np.int32), which, places)


def token_by_token(chunks: list[bytes], analyzer: Analyzer) -> tuple[Pieces, list[str]]:
    """What any chunks are made of, and the terms that their words are: one for each, in a row."""
    counts, spans, found, places = [], [], [], []
    for chunk in chunks:
        terms, here = analyzer.terms(chunk.decode("utf-8"))
        counts.append(len(terms))
        spans.append(here[-1] + 1 if here else 0)
        found += terms
        places += here
    columns = [np.array(numbers, dtype=np.int32) for numbers in (counts, spans, range(len(found)), places)]
    return Pieces(*columns), found
