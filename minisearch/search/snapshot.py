"""A snapshot: the small part of the index that every query needs, read once and kept until the file changes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minisearch.packing import ANCHOR_FIELDS, PAGE_FIELDS, Column, Postings, positions_of, unpack
from minisearch.search import bm25
from minisearch.search.blend import prior
from minisearch.search.query import Variant, Word
from minisearch.store.postings import SegmentFacts
from minisearch.store.store import Store
from minisearch.text import words
from minisearch.text.terms import analyzer, language

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

RANKING = "pagerank"
MOST_COMPLETIONS = 50  # words that a prefix may stand for: the most frequent ones
MOST_READ = 5  # pages that are read to see how a word is spelled
FIELD_NUMBER = {field: number for number, field in enumerate(bm25.FIELDS)}


@dataclass(frozen=True, slots=True)
class _Shelf:
    """One segment, and the numbers of its pages in the snapshot; -1 for pages that no longer belong to it."""

    id: int
    fields: tuple[str, ...]
    numbers: Ints
    start: int  # the number of its first page if all of them follow on, else -1
    languages: tuple[str, ...]
    spoken: Ints  # the language of each page, a place in `languages`


@dataclass(frozen=True, slots=True)
class _Entry:
    """A term on a shelf: its pages by their number in the snapshot, -1 for those that do not count."""

    shelf: _Shelf
    term: str
    numbers: Ints
    postings: Postings


@dataclass(frozen=True)
class Occurrences:
    """Where a word stands: for each field the pages (numbers in the snapshot) and how often they have it."""

    size: int
    fields: dict[str, tuple[Ints, NDArray[Any]]]
    entries: list[_Entry]

    @cached_property
    def mask(self) -> Mask:
        """Which pages have it anywhere."""
        anywhere = np.zeros(self.size, dtype=bool)
        for docs, _ in self.fields.values():
            anywhere[docs] = True
        return anywhere

    @cached_property
    def df(self) -> int:
        """How many pages have it."""
        if len(self.fields) == 1:
            return len(next(iter(self.fields.values()))[0])
        return int(np.count_nonzero(self.mask))


class Snapshot:
    """All live pages, numbered from 0, with their field lengths and their link prior."""

    def __init__(self, store: Store) -> None:
        self._store = store
        own = store.postings.segments("page")
        told = store.postings.segments("anchor")
        self.pages = np.concatenate([np.empty(0, np.int64), *(segment.pages[segment.mask()] for segment in own)])
        self.size = len(self.pages)
        self.languages = sorted({spoken for segment in own + told for spoken in segment.languages})
        self.lengths = {field: np.zeros(self.size) for field in bm25.FIELDS}
        self._shelves: list[_Shelf] = []
        for segment in own:
            self._shelve(segment)
        for segment in told:
            self._shelve_anchors(segment)
        self.averages = {field: float(lengths.mean()) if self.size else 0.0 for field, lengths in self.lengths.items()}
        self.norms = {field: bm25.norm(self.lengths[field], self.averages[field], field) for field in bm25.FIELDS}
        ranking = store.ranks.get(RANKING)
        ranks = ranking.vector if ranking is not None else np.empty(0)
        self.ranks = np.full(self.size, np.nan)
        ranked = self.pages < len(ranks)
        self.ranks[ranked] = ranks[self.pages[ranked]]
        self.prior = prior(self.ranks)

    def _shelve(self, segment: SegmentFacts) -> None:
        live = segment.mask()
        start, count = sum(int((shelf.numbers >= 0).sum()) for shelf in self._shelves), int(live.sum())
        numbers = np.full(len(live), -1, dtype=np.int64)
        numbers[live] = np.arange(start, start + count)
        for row, field in enumerate(PAGE_FIELDS):
            self.lengths[field][start : start + count] = segment.lengths[row][live]
        begin = start if segment.live is None else -1
        self._shelves.append(_Shelf(segment.id, PAGE_FIELDS, numbers, begin, segment.languages, segment.spoken))

    def _shelve_anchors(self, segment: SegmentFacts) -> None:
        by_page = np.full(max(self.pages.max(initial=0), segment.pages.max(initial=0)) + 1, -1, dtype=np.int64)
        by_page[self.pages] = np.arange(self.size)
        numbers = by_page[segment.pages]
        here = numbers >= 0
        self.lengths["anchor"][numbers[here]] = segment.lengths[0][here]
        self._shelves.append(_Shelf(segment.id, ANCHOR_FIELDS, numbers, -1, segment.languages, segment.spoken))

    def find(self, word: Word, field: str = "") -> Occurrences:
        """Where a word stands, whichever of its terms it is; in one field only, if one is named."""
        pieces: dict[str, list[tuple[Ints, NDArray[Any]]]] = {}
        entries = []
        for shelf in self._shelves:
            if field and field not in shelf.fields:
                continue
            for variant in word.terms:
                entry = self._entry(shelf, variant)
                if entry is None:
                    continue
                entries.append(entry)
                for name, column in zip(shelf.fields, entry.postings.columns, strict=True):
                    if column is not None and field in ("", name):
                        pieces.setdefault(name, []).append(_live(entry.numbers, column))
        fields = {name: _joined(found, len(word.terms) > 1) for name, found in pieces.items()}
        return Occurrences(self.size, {name: found for name, found in fields.items() if len(found[0])}, entries)

    def _entry(self, shelf: _Shelf, variant: Variant) -> _Entry | None:
        row = self._store.postings.docs(shelf.id, variant.term)
        if row is None:
            return None
        postings = unpack(row[1], row[0], len(shelf.fields))
        numbers = postings.docs + shelf.start if shelf.start >= 0 else shelf.numbers[postings.docs]
        if variant.languages and not variant.languages >= set(shelf.languages):
            fitting = np.array([spoken in variant.languages for spoken in shelf.languages])
            numbers = np.where(fitting[shelf.spoken[postings.docs]], numbers, -1)
        return _Entry(shelf, variant.term, numbers, postings)

    def places(self, where: Occurrences, wanted: Mask) -> dict[int, Ints]:
        """Every spot at which the wanted pages have a word, rising, for each shelf."""
        found: dict[int, list[Ints]] = {}
        for entry in where.entries:
            chosen = np.flatnonzero(entry.numbers >= 0)
            chosen = chosen[wanted[entry.numbers[chosen]]]
            if not len(chosen):
                continue
            blob = self._store.postings.positions(entry.shelf.id, entry.term)
            posting, field, place = positions_of(blob, entry.postings.table(), chosen)
            names = np.array([FIELD_NUMBER[name] for name in entry.shelf.fields])
            spots = spot(entry.numbers[posting], names[field], place)
            asked = np.array([name in where.fields for name in entry.shelf.fields])
            if not asked.all():  # a word in one field only, or one that the other fields do not have
                spots = spots[asked[field]]
            if len(spots):
                found.setdefault(entry.shelf.id, []).append(spots)
        return {shelf: _rising(spots) for shelf, spots in found.items()}

    def in_languages(self, tags: tuple[str, ...]) -> Mask:
        """The pages in one of some languages."""
        wanted = {language(tag) for tag in tags}
        found = np.zeros(self.size, dtype=bool)
        for shelf in self._shelves:
            if shelf.fields == PAGE_FIELDS:
                fitting = np.array([spoken in wanted for spoken in shelf.languages], dtype=bool)
                live = shelf.numbers >= 0
                found[shelf.numbers[live]] = fitting[shelf.spoken[live]]
        return found

    def on_sites(self, sites: tuple[str, ...]) -> Mask:
        """The pages of one of some sites: a host with its subdomains, or a folder of it."""
        return np.isin(self.pages, [page for site in sites for page in self._store.pages.on_site(site)])

    def terms_beginning(self, prefix: str, limit: int) -> dict[str, int]:
        """The most frequent terms that begin so, and how many pages have each (roughly: fields are counted apart)."""
        counted: dict[str, int] = {}
        for shelf in self._shelves:
            for term, df in self._store.postings.beginning(shelf.id, prefix, limit):
                counted[term] = counted.get(term, 0) + df
        return counted

    def titles_beginning(self, typed: str, limit: int) -> list[str]:
        """Titles of pages that begin so."""
        return self._store.pages.titles_beginning(typed, limit)

    def spellings(self, term: str) -> list[str]:
        """A term as it is written on some pages that have it, in the order in which it stands there."""
        found: dict[str, None] = {}
        for shelf in self._shelves:
            row = self._store.postings.docs(shelf.id, term)
            docs = unpack(row[1], row[0], len(shelf.fields)).docs if row else np.empty(0, dtype=np.int64)
            for doc in [int(doc) for doc in docs[:MOST_READ] if shelf.numbers[doc] >= 0]:
                rules = analyzer(shelf.languages[int(shelf.spoken[doc])])
                page = int(self.pages[shelf.numbers[doc]])
                text = f"{self._store.pages.get([page])[page].title}\n{self._store.pages.text(page)[0]}"
                for token in dict.fromkeys(match.group() for match in words.tokens(text)):
                    pieces, whole = rules.of_token(token)
                    if term == whole or pieces == (term,):
                        found.setdefault(token.lower())
                    elif term in pieces:
                        found.setdefault(words.parts(token)[pieces.index(term)].lower())
            if found:
                return list(found)
        return [term]

    def completions(self, prefix: str) -> Word:
        """The words of the index that begin so, as one word of the query."""
        counted = self.terms_beginning(prefix, MOST_COMPLETIONS)
        chosen = sorted(counted, key=lambda term: (-counted[term], term))[:MOST_COMPLETIONS]
        return Word(f"{prefix}*", tuple(Variant(term) for term in chosen))


PLACE_BITS, FIELD_BITS = 20, 3


def spot(docs: Ints, fields: Ints, places: Ints) -> Ints:
    """A place in a field of a page as one number; the next place is that number plus one."""
    return (docs << FIELD_BITS | fields) << PLACE_BITS + 1 | places


def following(first: dict[int, Ints], second: dict[int, Ints]) -> dict[int, Ints]:
    """The spots of the second word that come right after one of the first."""
    found = {}
    for shelf in first.keys() & second.keys():
        after, there = first[shelf] + 1, second[shelf]
        at = np.minimum(np.searchsorted(there, after), len(there) - 1)
        found[shelf] = after[there[at] == after]
    return found


def _rising(spots: list[Ints]) -> Ints:
    joined = np.concatenate(spots) if len(spots) > 1 else spots[0]
    return joined if (joined[1:] >= joined[:-1]).all() else np.sort(joined)


def spot_doc(spots: Ints) -> Ints:
    """The page of a spot."""
    return spots >> FIELD_BITS + PLACE_BITS + 1


def spot_field(spots: Ints) -> Ints:
    """The field of a spot, a place in bm25.FIELDS."""
    return spots >> PLACE_BITS + 1 & (1 << FIELD_BITS) - 1


def _live(numbers: Ints, column: Column) -> tuple[Ints, NDArray[Any]]:
    which, counts = column
    docs = numbers if which is None else numbers[which]
    if len(docs) and docs.min() < 0:
        return docs[docs >= 0], counts[docs >= 0]
    return docs, counts


def _joined(pieces: list[tuple[Ints, NDArray[Any]]], overlapping: bool) -> tuple[Ints, NDArray[Any]]:
    if len(pieces) == 1:
        return pieces[0]
    docs = np.concatenate([docs for docs, _ in pieces])
    counts = np.concatenate([counts for _, counts in pieces])
    if not overlapping:
        return docs, counts
    unique, place = np.unique(docs, return_inverse=True)
    return unique, np.bincount(place, weights=counts).astype(np.int64)
