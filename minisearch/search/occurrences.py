"""Occurrences: where a word of the query stands, and what that is worth on each page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from minisearch.packing import Counts, changes
from minisearch.search import bm25
from minisearch.search.arrays import Floats, Ints, Mask, Numbers
from minisearch.search.clauses import Word
from minisearch.search.entries import Entry
from minisearch.search.meeting import Having, mask_of
from minisearch.search.recipe import FIELD_NUMBER, FIELDS, Recipe

FEW = 8  # a word is kept as a list of pages if fewer than one page in so many has it, else as a row of all pages
MOST_LENGTHS = 4096  # words of the longest title (heading, url ...) up to which something is kept for each length
BLOCK = 8192  # postings that are weighed at a time: getting memory for more takes longer than the arithmetic


@dataclass(frozen=True)
class Scale:
    """What counts are weighed by: the recipe, and how long each field of each page is."""

    recipe: Recipe
    lengths: dict[str, Counts]  # by field
    averages: dict[str, float]
    pages: int
    _norms: dict[str, Floats] = field(default_factory=dict)

    def saturation(self, field: str, counts: Counts, docs: Numbers) -> Floats:
        """How much it raises a score, before its weight, that a word stands so often in a field of some pages."""
        lengths, known = self.lengths[field][docs], self._norms_by_length(field)
        norms = known[lengths] if len(known) else self._norm(field, lengths)
        return bm25.saturation(counts, norms, self.recipe.k1)

    def _norms_by_length(self, field: str) -> Floats:
        """The norm of a field of each length; nothing, if some are so long that to work it out takes no longer."""
        known = self._norms.get(field)
        if known is None:
            longest = int(self.lengths[field].max(initial=0))
            known = self._norm(field, np.arange(longest + 1 if longest < MOST_LENGTHS else 0))
            self._norms[field] = known
        return known

    def _norm(self, field: str, lengths: Counts) -> Floats:
        return bm25.norm(lengths, self.averages[field], field, self.recipe)

    def saturations(self, fields: Ints, counts: Counts, docs: Numbers) -> Floats:
        """The same where words do stand there, each of them in a field of its own, a place in FIELDS."""
        average, b = (table[fields] for table in self.by_number)
        columns = [self.lengths[name] for name in FIELDS]
        lengths = [columns[field][page] for field, page in zip(fields.tolist(), docs.tolist(), strict=True)]
        norms = bm25.norms(np.array(lengths, dtype=np.int64), average, b, self.recipe.k1)
        return bm25.saturation(counts, norms, self.recipe.k1)

    @cached_property
    def by_number(self) -> tuple[Floats, Floats]:
        """For each of the FIELDS its average length, and b."""
        return np.array([self.averages[name] for name in FIELDS]), np.array([self.recipe.b[name] for name in FIELDS])

    def worth(self, field: str, counts: Counts, docs: Numbers) -> Floats:
        """What it is worth, before its idf, that a word stands so often in a field of some pages."""
        worth = self.saturation(field, counts, docs)
        worth *= self.recipe.weight[field]
        return worth


class Occurrences:
    """A word, looked up: on which pages it stands, and what it is worth there, in all fields together.

    A word that many pages have is kept as a row over all pages, for adding rows is faster than adding here and there.
    """

    def __init__(self, entries: list[Entry], field: str, scale: Scale, overlapping: bool) -> None:
        self.entries, self.field = entries, field
        self.size = scale.pages
        self._scale, self._overlapping = scale, overlapping
        self._by_field = overlapping or field != ""
        having = [docs for docs, _ in self.fields.values()] if self._by_field else [entry.docs for entry in entries]
        self._is_row, self._asked = sum(map(len, having)) * FEW >= self.size, False
        self._docs: Numbers = np.empty(0, dtype=np.int32)  # either they are made, or the mask
        self._mask = np.empty(0, dtype=bool)
        if self._is_row:
            self._mask = mask_of(self.size, *having)
        else:
            self._docs = together(having)
        self.having: Having = self._mask if self._is_row else self._docs  # the pages that have it, as it is kept
        self.df = int(np.count_nonzero(self._mask)) if self._is_row else len(self._docs)
        self.idf = bm25.idf(self.df, self.size) if self.df else 0.0
        postings = sum(len(entry.docs) for entry in entries)
        self._held = 1000 + 14 * postings + (9 * self.size if self._is_row else 12 * self.df)

    @property
    def mask(self) -> Mask:
        """Which pages have it."""
        return self._mask if self._is_row else mask_of(self.size, self._docs)

    @cached_property
    def fields(self) -> dict[str, tuple[Numbers, Counts]]:
        """For each field the pages and how often they have the word."""
        pieces: dict[str, list[tuple[Numbers, Counts]]] = {}
        for entry in self.entries:
            for name, counts in entry.columns(self.field):
                here = np.flatnonzero(counts)
                pieces.setdefault(name, []).append((entry.docs[here], counts[here]))
        joined = {name: _joined(found, self._overlapping) for name, found in pieces.items()}
        return {name: found for name, found in joined.items() if len(found[0])}

    def counts(self, pages: Ints) -> Ints:
        """How often it stands on some pages (rising), in each field: pages x FIELDS."""
        table = np.zeros((len(pages), len(FIELDS)), dtype=np.int64)
        for entry in self.entries:
            which, postings = entry.among(pages)
            for name, counts in entry.columns(self.field):
                table[which, FIELD_NUMBER[name]] += counts[postings]
        return table

    def worth(self, pages: Numbers | None) -> tuple[Numbers | None, Floats]:
        """Some pages (rising; None: all), and what the word is worth on each: all that have it, or those of `pages`,
        if it is asked for the first time. Only when asked for again is it worked out for all, and kept.
        """
        if self._is_for_all(pages):
            return None if self._is_row else self._docs, self._worth
        assert pages is not None
        self._asked = True
        return pages, self._worth_on(pages)

    def _is_for_all(self, pages: Numbers | None) -> bool:
        return pages is None or self._asked or self._by_field or not self._is_row

    def add(self, text: Floats, share: float, pages: Numbers | None) -> None:
        """Add to the score of some pages (rising), or of all, a share of what the word is worth there; others may gain
        as well.
        """
        docs, worth = self.worth(pages)
        here: Numbers | slice = slice(None) if docs is None else docs
        if pages is not None and docs is None:
            here, worth = pages, worth[pages]
        elif pages is not None and docs is not None and len(pages) * FEW <= len(docs):
            places = docs.searchsorted(pages)
            (having,) = (docs.take(places, mode="clip") == pages).nonzero()
            here, worth = pages[having], worth[places[having]]
        text[here] += worth if share == 1 else share * worth

    def _worth_on(self, pages: Numbers) -> Floats:
        worth = np.zeros(len(pages))
        for entry in self.entries:
            which, postings = entry.among(pages)
            worth[which] += _weighed(entry, self._scale, postings)
        return worth * self.idf

    @cached_property
    def _worth(self) -> Floats:
        """What the word is worth on each page, or on those that have it."""
        worth = np.zeros(self.size if self._is_row else self.df)
        weighed = self._weighed_fields() if self._by_field else self._weighed_entries()
        for number, (docs, more) in enumerate(weighed):
            if self._is_row and number == 0:
                worth[docs] = more  # takes half the time of adding to nothing
            elif self._is_row:
                worth[docs] += more
            elif len(docs) == self.df:
                worth += more
            else:
                worth[self._docs.searchsorted(docs)] += more
        worth *= self.idf
        return worth

    def _weighed_fields(self) -> Iterator[tuple[Numbers, Floats]]:
        """(pages, what the word is worth there) field by field."""
        for name, (docs, counts) in self.fields.items():
            yield docs, self._scale.worth(name, counts, docs)

    def _weighed_entries(self) -> Iterator[tuple[Numbers, Floats]]:
        """The same of what pages say, and of what links say: all fields together, for no page has two of an entry."""
        for entry in self.entries:
            yield entry.docs, _weighed(entry, self._scale)

    def memory(self) -> int:
        """Roughly how much memory it takes to keep this."""
        return self._held


class Heard(NamedTuple):
    """A word of the query with what the index knows of it."""

    word: Word
    field: str
    where: Occurrences
    idf: float
    share: float  # that counts: less than 1 for an identifier beside its parts, 0 for what must not be there


def heard(word: Word, field: str, where: Occurrences, share: float) -> Heard:
    """A word as it is heard; made without a look at names, for every query needs some."""
    return tuple.__new__(Heard, (word, field, where, where.idf, share))


@dataclass(frozen=True, slots=True)
class Phrase:
    """The pages that have a phrase, or to which one is the way, by their numbers (rising); and what has to be told."""

    pages: Numbers
    note: str = ""

    def memory(self) -> int:
        """How much memory it takes to keep this."""
        return 500 + 4 * len(self.pages)


class Gains(dict[int, float]):
    """What two words gain by standing side by side, on the pages where that was looked for."""

    def memory(self) -> int:
        """Roughly how much memory it takes to keep this."""
        return 500 + 120 * len(self)


def _weighed(entry: Entry, scale: Scale, which: Ints | None = None) -> Floats:
    """What a term is worth on the pages that have it, or by `which` of its postings."""
    docs = entry.docs if which is None else entry.docs[which]
    worth = np.zeros(len(docs))
    for name, column in entry.columns():
        counts = column if which is None else column[which]
        for low in range(0, len(docs), BLOCK):
            here = slice(low, low + BLOCK)
            (having,) = counts[here].nonzero()
            if 2 * len(having) < len(counts[here]):  # most pages have it in their text alone
                having += low
                worth[having] += scale.worth(name, counts[having], docs[having])
            else:
                worth[here] += scale.worth(name, counts[here], docs[here])
    return worth


def together(having: list[Numbers]) -> Numbers:
    """The pages of several lists, each once, rising."""
    if len(having) == 1:
        return having[0]
    docs = np.sort(np.concatenate([np.empty(0, dtype=np.int32), *having]))
    return docs[changes(docs)]


def _joined(pieces: list[tuple[Numbers, Counts]], overlapping: bool) -> tuple[Numbers, Counts]:
    if len(pieces) == 1:
        return pieces[0]
    docs = np.concatenate([docs for docs, _ in pieces])
    counts = np.concatenate([counts for _, counts in pieces])
    if not overlapping:
        return docs, counts
    often = np.bincount(docs, counts)
    here = np.flatnonzero(often).astype(np.int32)
    return here, often[here].astype(np.int64)
