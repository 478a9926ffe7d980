"""Allowance: how much is read for one query to see whether words stand side by side."""

from __future__ import annotations

from collections.abc import Sequence

from minisearch.search import phrases
from minisearch.search.clauses import Clause
from minisearch.search.occurrences import Heard

MOST_READ = 40_000  # postings whose places are read; the first words that have to stand side by side get more
PAGE = 20  # postings that take as long as it takes to read a page


class Allowance:
    """What the words of a query that have to stand side by side take to read, those that are said twice once."""

    def __init__(self) -> None:
        self._costs: dict[object, int] = {}

    def is_enough(self, heard: Sequence[Heard], phrase: Clause | None, pages: int) -> bool:
        """Whether it is enough for these words, too, which so many pages have; for a phrase, pages are read as well."""
        cost = pages * len(heard) + (min(pages, phrases.MOST_READ) * PAGE if phrase else 0)
        self._costs[phrase and phrase.text, tuple(id(one) for one in heard)] = cost
        return len(self._costs) == 1 or sum(self._costs.values()) <= MOST_READ
