"""Vocabulary: the different terms of many texts, numbered as they are met, and put in order in the end.

The same in C: minisearch/native/text/terms.c
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import count

import numpy as np

from minisearch.native.loops import compiled
from minisearch.text.table import SEEDS, Ints, Numbers


class Vocabulary:
    """Terms and their numbers."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)

    def __len__(self) -> int:
        return len(self._numbers)

    def numbers(self, terms: list[str]) -> Numbers:
        """The numbers of some terms; new ones have the next."""
        return np.array(list(map(self._numbers.__getitem__, terms)), dtype=np.int32)

    def in_order(self) -> tuple[list[str], Numbers]:
        """All terms as the alphabet has them, and the place there of each, by its number."""
        terms = sorted(self._numbers)
        places = np.empty(len(terms), dtype=np.int32)
        places[list(map(self._numbers.__getitem__, terms))] = np.arange(len(terms), dtype=np.int32)
        return terms, places


class CompiledVocabulary:
    """The same, compiled."""

    def __init__(self) -> None:
        self._table, self._known = compiled.Table(bytes(256), int(SEEDS[0])), 0

    def __len__(self) -> int:
        return self._known

    def numbers(self, terms: list[str]) -> Numbers:
        """What the other gives."""
        return self._met(self._table.number(terms, self._known))

    def named(
        self,
        words: tuple[list[str], Numbers, Ints],
        lines: list[bytes],
        mark: bytes,
        ask: Callable[[str], str],
        longest: int,
        most: int,
    ) -> Numbers:
        """The numbers of the names of lines, -1 for those that have none (text/calling.py)."""
        return self._met(self._table.name(*words, lines, mark, ask, longest, most, self._known))

    def _met(self, told: bytes) -> Numbers:
        numbers = np.frombuffer(told, np.int32)
        self._known = max(self._known, int(numbers.max(initial=-1)) + 1)
        return numbers

    def in_order(self) -> tuple[list[str], Numbers]:
        """What the other gives."""
        terms, places = self._table.in_order()
        return terms, np.frombuffer(places, np.int32)


def vocabulary() -> Vocabulary | CompiledVocabulary:
    """The quicker one, if it is at hand."""
    return CompiledVocabulary() if compiled else Vocabulary()
