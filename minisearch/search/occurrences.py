"""Occurrences: where a word of the query stands, and what that is worth on each page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from minisearch.packing import ANCHOR_FIELDS, Counts
from minisearch.search import bm25
from minisearch.search.entries import Entry, Ints, Mask, Numbers
from minisearch.search.recipe import FIELD_NUMBER, FIELDS, Recipe

Floats = NDArray[np.float64]

FEW = 8  # a word is kept as a list of pages if fewer than one page in so many has it, else as a row of all pages


@dataclass(frozen=True, slots=True)
class Scale:
    """What counts are weighed by: the recipe, and the norm of each field of each page."""

    recipe: Recipe
    norms: Floats  # FIELDS x pages

    def worth(self, field: str, counts: Counts, docs: Numbers) -> Floats:
        """What it is worth, before its idf, that a word stands so often in a field of some pages."""
        norms = self.norms[FIELD_NUMBER[field]][docs]
        return self.recipe.weight[field] * bm25.saturation(counts, norms, self.recipe.k1)


class Occurrences:
    """A word, looked up: on which pages it stands, and what it is worth there before its idf, in all fields together.

    A word that many pages have is kept as a row over all pages, for adding rows is faster than adding here and there.
    """

    def __init__(self, entries: list[Entry], field: str, scale: Scale, overlapping: bool) -> None:
        self.entries, self.field = entries, field
        self.size = scale.norms.shape[1]
        self._overlapping = overlapping
        docs, worth = self._weighed_fields(scale) if overlapping or field else self._weighed_entries(scale)
        self.df = len(docs)
        self._docs, self._worth, self._row = docs, worth, None
        if self.df * FEW >= self.size:
            self._row, self._mask = np.zeros(self.size), self.mask
            self._row[docs] = worth
            self._docs, self._worth = docs[:0], worth[:0]

    @property
    def mask(self) -> Mask:
        """Which pages have it."""
        if self._row is not None:
            return self._mask
        mask = np.zeros(self.size, dtype=bool)
        mask[self._docs] = True
        return mask

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

    def add(self, text: Floats, weight: float, pages: Ints | None) -> None:
        """Add to the score of some pages (rising), or of all, what the word is worth there; others may gain as well."""
        if self._row is not None:
            if pages is None:
                text += weight * self._row
            else:
                text[pages] += weight * self._row[pages]
        elif pages is None or len(pages) * FEW > len(self._docs):
            text[self._docs] += weight * self._worth
        else:
            places = self._docs.searchsorted(pages.astype(np.int32))
            places[places == len(self._docs)] = 0
            having = np.flatnonzero(self._docs[places] == pages)
            text[pages[having]] += weight * self._worth[places[having]]

    def memory(self) -> int:
        """Roughly how much memory it takes to keep this."""
        postings = sum(len(entry.docs) for entry in self.entries)
        return 1000 + 14 * postings + (12 * self.df if self._row is None else 9 * self.size)

    def _weighed_fields(self, scale: Scale) -> tuple[Numbers, Floats]:
        """(pages, what the word is worth there) from the fields, one by one."""
        none = np.empty(0, dtype=np.int32)
        docs = np.unique(np.concatenate([none, *(docs for docs, _ in self.fields.values())]))
        worth = np.zeros(len(docs))
        for name, (having, counts) in self.fields.items():
            worth[np.searchsorted(docs, having)] += scale.worth(name, counts, having)
        return docs, worth

    def _weighed_entries(self, scale: Scale) -> tuple[Numbers, Floats]:
        """The same for one term in all fields, without joining the fields first."""
        own = [_weighed(entry, scale) for entry in self.entries if entry.fields != ANCHOR_FIELDS]
        told = [_weighed(entry, scale) for entry in self.entries if entry.fields == ANCHOR_FIELDS]
        found = own[0] if own else (np.empty(0, dtype=np.int32), np.empty(0))
        return _added(found, told[0]) if told else found


@dataclass(frozen=True, slots=True)
class Phrase:
    """The pages that have a phrase, by their numbers (rising); and what has to be told of it."""

    pages: Numbers
    note: str = ""

    def memory(self) -> int:
        """How much memory it takes to keep this."""
        return 500 + 4 * len(self.pages)


def _weighed(entry: Entry, scale: Scale) -> tuple[Numbers, Floats]:
    """(pages, what the word is worth there) of a term."""
    worth = np.zeros(len(entry.docs))
    for name, counts in entry.columns():
        having = np.flatnonzero(counts)
        if len(having) * 2 < len(counts):  # most pages have it in their text alone
            worth[having] += scale.worth(name, counts[having], entry.docs[having])
        else:
            worth += scale.worth(name, counts, entry.docs)
    return entry.docs, worth


def _added(own: tuple[Numbers, Floats], told: tuple[Numbers, Floats]) -> tuple[Numbers, Floats]:
    """What a word is worth on pages that have it, and what more it is worth in links to some pages."""
    docs, worth = own
    place = np.searchsorted(docs, told[0])
    known = np.append(docs, np.int32(-1))[place] == told[0]
    worth[place[known]] += told[1][known]
    if known.all():
        return docs, worth
    joined = np.concatenate([docs, told[0][~known]])
    order = np.argsort(joined)
    return joined[order], np.concatenate([worth, told[1][~known]])[order]


def _joined(pieces: list[tuple[Numbers, Counts]], overlapping: bool) -> tuple[Numbers, Counts]:
    if len(pieces) == 1:
        return pieces[0]
    docs = np.concatenate([docs for docs, _ in pieces])
    counts = np.concatenate([counts for _, counts in pieces])
    if not overlapping:
        return docs, counts
    unique, place = np.unique(docs, return_inverse=True)
    return unique, np.bincount(place, weights=counts).astype(np.int64)
