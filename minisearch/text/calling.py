"""Calling: lines by which pages can be called, each known by the numbers of all its names (names.py)."""

from __future__ import annotations

import numpy as np

from minisearch.text.chunks import Lexicon
from minisearch.text.names import Parts, names_of, title_names_of
from minisearch.text.pieces import Pieces
from minisearch.text.table import Numbers
from minisearch.text.vocabulary import Vocabulary

Called = tuple[Numbers, Numbers]  # how many names each of some lines has, and the numbers of them all in a row


class Caller:
    """Numbers lines as a whole: their terms are all their names. Those of titles are named in more ways."""

    def __init__(self, lexicon: Lexicon, parts: Parts, *, titles: bool = False) -> None:
        self._lexicon, self._parts, self._titles = lexicon, parts, titles
        self._known: dict[str, int] = {}

    def read(self, lines: list[str]) -> list[int]:
        """The numbers of some lines."""
        new = [line for line in dict.fromkeys(lines) if line not in self._known]
        counts, numbers = called(new, self._parts, self._lexicon.vocabulary, titles=self._titles)
        pieces = Pieces(counts, np.zeros_like(counts), numbers, np.zeros_like(numbers))
        first = self._lexicon.learn(len(new), [(np.arange(len(new)), pieces)])
        self._known.update(zip(new, range(first, first + len(new)), strict=True))
        return list(map(self._known.__getitem__, lines))


def called(lines: list[str], parts: Parts, vocabulary: Vocabulary, *, titles: bool) -> Called:
    """All names of each of many lines."""
    found = (title_names_of if titles else names_of)(lines, parts.analyzer)
    numbers = vocabulary.numbers([name for names in found for name in names])
    return np.array(list(map(len, found)), dtype=np.int32), numbers
