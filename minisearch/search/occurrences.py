"""Occurrences: where a word of the query stands, and what that is worth on each page."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from minisearch.packing import Counts, Postings
from minisearch.search import bm25
from minisearch.search.recipe import Recipe

Ints = NDArray[np.int64]
Numbers = Counts  # of pages, where many are kept: 32 bits each, half as large
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

FEW = 8  # a word is kept as a list of pages if fewer than one page in so many has it, else as a row of all pages


@dataclass(frozen=True, slots=True)
class Shelf:
    """One segment, and the numbers of its pages in the snapshot; -1 for pages that no longer belong to it."""

    id: int
    fields: tuple[str, ...]
    numbers: Numbers
    start: int  # the number of its first page if all of them follow on, else -1
    languages: tuple[str, ...]
    spoken: Ints  # the language of each page, a place in `languages`


@dataclass(frozen=True)
class Entry:
    """A term on a shelf: its pages by their number in the snapshot, -1 for those that do not count."""

    shelf: Shelf
    term: str
    postings: Postings
    rising: bool  # whether the numbers are, with no -1 among them

    @property
    def numbers(self) -> Numbers:
        """Its pages, by their number in the snapshot."""
        return self.postings.docs

    @cached_property
    def begins(self) -> Numbers:
        """How many words stand on the shelf before those of each page."""
        return self.postings.begins().astype(np.int32)

    def chosen(self, pages: Ints, size: int) -> Ints:
        """Which postings belong to some of the pages of the snapshot (rising)."""
        if self.rising:
            places = np.searchsorted(self.numbers, pages)
            inside = places < len(self.numbers)
            places, pages = places[inside], pages[inside]
            found: Ints = places[self.numbers[places] == pages]
            return found
        wanted = np.zeros(size + 1, dtype=bool)  # the last one is for what has the number -1
        wanted[pages] = True
        chosen: Ints = np.flatnonzero(wanted[self.numbers])
        return chosen

    def columns(self, field: str) -> Iterator[tuple[str, Numbers, Counts]]:
        """(field, pages, how often) for each field that has the term; of the one named, or of all."""
        for name, counts in zip(self.shelf.fields, self.postings.counts, strict=True):
            if counts is not None and field in ("", name):
                here = (counts > 0) & (self.numbers >= 0)
                yield name, self.numbers[here], counts[here]


@dataclass(frozen=True, slots=True)
class Scale:
    """What counts are weighed by: the recipe, and the norm of each field of each page."""

    recipe: Recipe
    norms: dict[str, Floats]

    def worth(self, field: str, counts: Counts, docs: Numbers) -> Floats:
        """What it is worth, before its idf, that a word stands so often in a field of some pages."""
        return self.recipe.weight[field] * bm25.saturation(counts, self.norms[field][docs], self.recipe.k1)


class Occurrences:
    """A word, looked up: on which pages it stands, and what it is worth there before its idf, in all fields together.

    A word that many pages have is kept as a row over all pages, for adding rows is faster than adding here and there.
    """

    def __init__(self, entries: list[Entry], field: str, scale: Scale, overlapping: bool) -> None:
        self.entries, self.field = entries, field
        self.size = len(scale.norms["body"])
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
            for name, docs, counts in entry.columns(self.field):
                pieces.setdefault(name, []).append((docs, counts))
        joined = {name: _joined(found, self._overlapping) for name, found in pieces.items()}
        return {name: found for name, found in joined.items() if len(found[0])}

    def add(self, text: Floats, weight: float) -> None:
        """Add to every page's score what the word is worth there."""
        if self._row is not None:
            text += weight * self._row
        else:
            text[self._docs] += weight * self._worth

    def bytes(self) -> int:
        """Roughly how much memory it takes to keep this."""
        postings = sum(len(entry.numbers) for entry in self.entries)
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
        own = _end_to_end([_weighed(entry, scale) for entry in self.entries if "body" in entry.shelf.fields])
        told = [_weighed(entry, scale) for entry in self.entries if "body" not in entry.shelf.fields]
        return _added(own, _end_to_end(told)) if told else own


class Memory:
    """The words looked up last, as many as fit into `most` bytes."""

    def __init__(self, most: int) -> None:
        self._most, self._held = most, 0
        self._found: OrderedDict[object, Occurrences] = OrderedDict()

    def get(self, key: object) -> Occurrences | None:
        """A word, if it was looked up not long ago."""
        if key in self._found:
            self._found.move_to_end(key)
        return self._found.get(key)

    def keep(self, key: object, found: Occurrences) -> None:
        """Remember a word, and forget others for it."""
        self._found[key] = found
        self._held += found.bytes()
        while self._held > self._most and len(self._found) > 1:
            self._held -= self._found.popitem(last=False)[1].bytes()


def _weighed(entry: Entry, scale: Scale) -> tuple[Numbers, Floats]:
    """(pages, what the word is worth there) of a term on a shelf."""
    numbers, live = entry.numbers, None
    if not entry.rising:
        live = numbers >= 0
        numbers = numbers[live]
    worth = np.zeros(len(numbers))
    for name, column in zip(entry.shelf.fields, entry.postings.counts, strict=True):
        if column is None:
            continue
        counts = column if live is None else column[live]
        having = np.flatnonzero(counts)
        if len(having) * 2 < len(counts):  # most pages have it in their text alone
            worth[having] += scale.worth(name, counts[having], numbers[having])
        else:
            worth += scale.worth(name, counts, numbers)
    return numbers, worth


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


def _end_to_end(parts: list[tuple[Numbers, Floats]]) -> tuple[Numbers, Floats]:
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return np.empty(0, dtype=np.int32), np.empty(0)
    docs, worth = (np.concatenate(column) for column in zip(*parts, strict=True))
    return docs, worth


def _joined(pieces: list[tuple[Numbers, Counts]], overlapping: bool) -> tuple[Numbers, Counts]:
    if len(pieces) == 1:
        return pieces[0]
    docs = np.concatenate([docs for docs, _ in pieces])
    counts = np.concatenate([counts for _, counts in pieces])
    if not overlapping:
        return docs, counts
    unique, place = np.unique(docs, return_inverse=True)
    return unique, np.bincount(place, weights=counts).astype(np.int64)
