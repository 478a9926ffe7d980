"""Calling: lines by which pages can be called, each known by the numbers of all its names (names.py).

The same in C, without a set or a str for any of them: minisearch/native/text/others.c tells what else a line is called,
minisearch/native/text/named.c numbers the names.
"""

from __future__ import annotations

import numpy as np

from minisearch.native.loops import compiled
from minisearch.text.chunks import Lexicon, encoded
from minisearch.text.names import (
    LONGEST,
    MARK,
    MOST_WORDS,
    Parts,
    dashes,
    names_of,
    others,
    parts_of,
    title_lines,
    title_names_of,
)
from minisearch.text.pieces import Pieces
from minisearch.text.table import Numbers
from minisearch.text.terms import speller
from minisearch.text.vocabulary import CompiledVocabulary, Vocabulary

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


def called(lines: list[str], parts: Parts, vocabulary: Vocabulary | CompiledVocabulary, *, titles: bool) -> Called:
    """All names of each of many lines."""
    if isinstance(vocabulary, CompiledVocabulary):
        return by_numbers(lines, parts, vocabulary, titles=titles)
    return by_names(lines, parts, vocabulary, titles=titles)


def by_names(lines: list[str], parts: Parts, vocabulary: Vocabulary, *, titles: bool) -> Called:
    """By having the names first."""
    found = (title_names_of if titles else names_of)(lines, parts.analyzer)
    numbers = vocabulary.numbers([name for names in found for name in names])
    return np.array(list(map(len, found)), dtype=np.int32), numbers


def by_numbers(lines: list[str], parts: Parts, vocabulary: CompiledVocabulary, *, titles: bool) -> Called:
    """The compiled way. The numbers of each line are in order."""
    of_line = np.arange(len(lines))
    count, ways = len(lines), lines
    if titles:
        told = [title_lines(line) for line in lines]
        ways, of_line = [way for some in told for way in some], np.repeat(of_line, list(map(len, told)))
    texts, more = compiled.others(ways, others)
    found = [_named(texts, parts, vocabulary, MARK)]
    owners = [np.repeat(of_line, np.frombuffer(more, np.int32))]
    if titles:
        literally = parts_of(speller(parts.analyzer.language))
        found.append(_named([encoded(way) for way in ways], literally, vocabulary, MARK * 2))
        owners.append(of_line)
    numbers, lines_of = np.concatenate(found), np.concatenate(owners)
    having = numbers >= 0
    keys = lines_of[having] << 32 | numbers[having]
    keys.sort()
    keys = keys[np.flatnonzero(np.diff(keys, prepend=-1))]  # two ways to say it may be one name
    return np.bincount(keys >> 32, minlength=count).astype(np.int32), keys.astype(np.int32)


def _named(lines: list[bytes], parts: Parts, vocabulary: CompiledVocabulary, mark: str) -> Numbers:
    """The numbers of lines as a whole, after a mark; -1 for those that have no name."""
    return vocabulary.named(parts.in_lines(lines), lines, mark.encode(), dashes, LONGEST, MOST_WORDS)
