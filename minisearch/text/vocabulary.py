"""Vocabulary: the different terms of many texts, numbered as they are met, and put in order in the end."""

from __future__ import annotations

from collections import defaultdict
from itertools import count

import numpy as np

from minisearch.text.table import Numbers


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
