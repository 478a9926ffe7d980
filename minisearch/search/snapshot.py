"""A snapshot: the small part of the index that every query needs, read once and kept until the file changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np

from minisearch.packing import Counts, contained
from minisearch.records import Payment
from minisearch.search import places
from minisearch.search.arrays import Floats, Ints, Mask, Numbers
from minisearch.search.blend import prior
from minisearch.search.clauses import Variant, Word
from minisearch.search.entries import Entry, Found, united
from minisearch.search.memory import Memory
from minisearch.search.occurrences import Gains, Occurrences, Phrase, Scale
from minisearch.search.places import Places
from minisearch.search.recipe import DEFAULT, Recipe
from minisearch.search.shelves import shelved, total
from minisearch.search.sites import Sites
from minisearch.search.vocabulary import Vocabulary
from minisearch.store.pages import StoredPage
from minisearch.store.postings import Stored
from minisearch.store.store import Store
from minisearch.text.languages import primary
from minisearch.text.terms import SOUTH_SLAVIC, TOGETHER, language

RANKING = "pagerank"
MOST_KEPT = 50_000_000  # bytes of looked-up words that are kept for the queries to come
MOST_PLACES = 20_000_000  # and of their places, packed
MOST_FACTS = 4000  # pages whose facts are kept
MOST_PHRASES = 5_000_000  # and of the phrases that were looked for, and ways to pages
MOST_GAINS = 10_000_000  # and of what words that stand side by side gain
LONGEST = 1 << 30  # letters of a text: all of them
MOST_LINKING = 1000  # pages that are asked what they pay: those of the highest rank
MOST_COUNTED = 50  # of them: whose links are counted exactly
MOST_PAYMENTS = 5

Beside = Callable[[], Iterable[tuple[Variant, ...]]]  # the terms of other words of the query


class Snapshot:
    """All live pages, numbered from 0, with their field lengths and their link prior."""

    def __init__(self, store: Store, recipe: Recipe = DEFAULT) -> None:
        self._store = store
        self.pages, self.lengths, self._shelves = shelved(store.postings)
        self.size = len(self.pages)
        self.languages = sorted({spoken for shelf in self._shelves.values() for spoken in shelf.languages})
        pages = max(1, self.size)
        self.averages = {field: total(lengths) / pages for field, lengths in self.lengths.items()}
        self._factor: tuple[float, Floats] | None = None  # for the last blend that was asked for
        self._places: Memory[Places] = Memory(MOST_PLACES)
        self._facts: dict[int, StoredPage] = {}
        self.sites = Sites(store, self.pages)
        self.vocabulary = Vocabulary(store.postings, tuple(self._shelves), self.languages)
        self.phrases: Memory[Phrase] = Memory(MOST_PHRASES)
        self.corrections: dict[str, str] = {}  # what was meant by words that the index does not have (suggest.py)
        self._read: dict[str, list[Stored]] = {}  # postings that will be asked for
        self._weigh_by(recipe)

    def _weigh_by(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.scale = Scale(recipe, self.lengths, self.averages, self.size)
        self._memory: Memory[Occurrences] = Memory(MOST_KEPT)
        self._gains: Memory[Gains] = Memory(MOST_GAINS)

    def by(self, recipe: Recipe) -> Snapshot:
        """The same pages, to be ranked by another recipe."""
        other = copy(self)
        if (recipe.k1, recipe.b, recipe.weight) != (self.recipe.k1, self.recipe.b, self.recipe.weight):
            other._weigh_by(recipe)
            return other
        other.recipe = recipe  # single words weigh the same
        if recipe.neighbours != self.recipe.neighbours:
            other._gains = Memory(MOST_GAINS)
        return other

    def factor(self, blend: float) -> Floats:
        """What links make of the score of each page. Most files are asked for one blend only, and then it is written in
        place of the prior.
        """
        if self._factor is None or blend != self._factor[0]:
            factor = prior(self._ranks(), in_place=True) if self._factor is None else self.prior.copy()
            factor *= blend
            factor += 1
            self._factor = (blend, factor)
        return self._factor[1]

    def _ranks(self) -> Floats:
        ranking = self._store.ranks.get(RANKING)
        return _of_pages(self.pages, ranking.vector if ranking is not None else np.empty(0))

    def find(self, word: Word, field: str = "", beside: Beside = tuple) -> Occurrences:
        """Where a word stands, whichever of its terms it is; in one field only, if one is named. What will be asked for
        `beside` it is read together with it, for a statement takes a while to begin.
        """
        key = (word.terms, field)
        if (known := self._memory.get(key)) is not None:
            return known
        if not all(variant.term in self._read for variant in word.terms):
            others = (terms for terms in beside() if (terms, "") not in self._memory)
            wanted = dict.fromkeys(variant.term for terms in (word.terms, *others) for variant in terms)
            self._read = self._store.postings.docs(tuple(self._shelves), [*wanted])
        rows = {term: self._read.pop(term) for term in dict.fromkeys(variant.term for variant in word.terms)}
        entries = [entry for variant in word.terms for entry in self._entries(variant, rows[variant.term], field)]
        found = Occurrences(entries, field, self.scale, len(word.terms) > 1)
        self._memory.keep(key, found)
        return found

    def _entries(self, variant: Variant, rows: list[Stored], field: str) -> list[Entry]:
        kinds: dict[tuple[str, ...], list[Found]] = {}
        for segment, df, docs, positions in rows:
            shelf = self._shelves[segment]
            if not field or field in shelf.fields:
                kinds.setdefault(shelf.fields, []).append((shelf, df, docs, positions))
        entries = [united(variant, those) for those in kinds.values()]
        return [each for each in entries if each is not None]

    def spots(self, *asked: tuple[Occurrences, Ints]) -> list[Ints]:
        """Of each word that is asked for on some pages (rising), every spot it has there, rising."""
        return places.read(asked, self._located)

    def gains(self, pair: object) -> Gains:
        """What two words have been found to gain by standing side by side (neighbours.py), by whatever names them."""
        known = self._gains.get(pair)
        if known is None:
            known = Gains()
            self._gains.keep(pair, known)
        return known

    def _located(self, entries: list[Entry]) -> list[Places]:
        """The places of some terms. They are kept for the queries to come."""
        keys = [(entry.term, entry.fields) for entry in entries]
        found = [self._places.get(key) for key in keys]
        unknown = {key: entry for key, entry, known in zip(keys, entries, found, strict=True) if known is None}
        long = [
            (shelf, positions)
            for entry in unknown.values()
            for (shelf, _), positions in zip(entry.shelves, entry.positions, strict=True)
            if isinstance(positions, int)
        ]
        blobs = self._store.postings.positions(long) if long else {}
        read = {}
        for key, entry in unknown.items():
            told = zip(entry.shelves, entry.positions, strict=True)
            read[key] = Places([blobs[shelf, those] if isinstance(those, int) else those for (shelf, _), those in told])
            self._places.keep(key, read[key])
        return [known or read[key] for key, known in zip(keys, found, strict=True)]

    def facts(self, pages: list[int]) -> list[StoredPage]:
        """The facts of each of some pages, by their numbers here. They are kept, for good pages are shown again and
        again.
        """
        try:
            return [*map(self._facts.__getitem__, pages)]
        except KeyError:
            if len(self._facts) > MOST_FACTS:
                self._facts.clear()
        unknown = [page for page in pages if page not in self._facts]
        stored = self._store.pages.get(ids := self.pages[unknown].tolist())
        self._facts.update((page, stored[number]) for page, number in zip(unknown, ids, strict=True))
        return [self._facts[page] for page in pages]

    def urls(self, pages: Numbers) -> list[str]:
        """The urls of some pages, by their numbers here."""
        known = self._store.pages.urls(self.pages[pages].tolist())
        return [known[number] for number in self.pages[pages].tolist()]

    def read(self, pages: list[int]) -> tuple[dict[int, StoredPage], dict[int, tuple[str, list[list[Any]]]]]:
        """The facts of some pages; and of each its text, and its headings: [level, text, start, id]."""
        return self._store.pages.get(pages), self._store.pages.openings(pages, LONGEST)

    def in_languages(self, tags: tuple[str, ...]) -> Mask:
        """The pages in one of some languages. Those that are read alike, as Serbian and Croatian are, are told apart
        by what each page says of itself.
        """
        alike = {primary(tag) for tag in tags if primary(tag) in SOUTH_SLAVIC - {TOGETHER}}
        found = self._read_as({language(tag) for tag in tags if primary(tag) not in alike})
        stated = [tag for tag in self._store.pages.languages() if primary(tag) in alike] if alike else []
        return found | contained(self.pages, np.array(self._store.pages.in_languages(stated))) if stated else found

    def _read_as(self, wanted: set[str]) -> Mask:
        found = np.zeros(self.size, dtype=bool)
        for shelf in self._shelves.values():
            if shelf.own:
                fitting = np.array([spoken in wanted for spoken in shelf.languages], dtype=bool)
                live = shelf.numbers >= 0
                found[shelf.numbers[live]] = fitting[shelf.spoken[live]]
        return found

    @cached_property
    def prior(self) -> Floats:
        """How much each page matters by its links, on a scale from 0 to 1."""
        return prior(self._ranks(), in_place=True)

    @cached_property
    def ranks(self) -> Floats:
        """How much each page matters by its links; NaN if that is not known."""
        return self._ranks()

    @cached_property
    def tongues(self) -> tuple[list[str], Ints]:
        """The languages by whose rules pages were read, and for each page the place of its own among them."""
        spoken = np.zeros(self.size, dtype=np.int64)
        for shelf in self._shelves.values():
            if shelf.own:
                places = np.array([self.languages.index(name) for name in shelf.languages], dtype=np.int64)
                live = shelf.numbers >= 0
                spoken[shelf.numbers[live]] = places[shelf.spoken[live]]
        return self.languages, spoken

    @cached_property
    def standing(self) -> frozenset[int]:
        """The pages that stand for others, which were merged into them."""
        return frozenset(self._store.likeness.standing())

    def payments(self, page: int) -> tuple[Payment, ...]:
        """Who pays most of the rank of a page by linking to it; nobody, if the ranking is of another kind."""
        ranking = self._store.ranks.get(RANKING)
        if ranking is None or page >= len(ranking.vector) or ranking.parameters.get("repeated"):
            return ()
        damping, ranks = float(ranking.parameters.get("damping", 0.0)), ranking.vector
        if not (damping > 0 and ranks[page] > 0):  # NaN is not
            return ()
        linking = {told["page"]: told["url"] for told in self._store.pages.in_links(page)}
        ranked = [source for source in linking if source < len(ranks) and ranks[source] > 0]  # others came later
        first = sorted(ranked, key=lambda source: -ranks[source])[:MOST_LINKING]
        share = self._store.ranks.link_counts(first)  # quickly told, and nearly how many pages it links to
        first = sorted(first, key=lambda source: -ranks[source] / max(1, share[source]))[:MOST_COUNTED]
        made = []
        for source, links in self._store.ranks.out_degrees(first).items():
            paid = damping * float(ranks[source]) / links
            made.append(Payment(linking[source], float(ranks[source]), links, paid, paid / float(ranks[page])))
        return tuple(sorted(made, key=lambda payment: (-payment.paid, payment.url))[:MOST_PAYMENTS])

    def titles_beginning(self, typed: str, limit: int) -> list[str]:
        """Titles of pages that begin so."""
        return self._store.pages.titles_beginning(typed, limit)

    def headings(self, pages: Ints) -> list[str]:
        """The headings of some pages, page by page."""
        return self._store.pages.headings(self.pages[pages].tolist())


def _of_pages(pages: Counts, vector: Floats) -> Floats:
    """What a vector has for some pages; NaN for those beyond its end."""
    if pages.max(initial=0) < len(vector):
        return vector[pages]
    found = np.full(len(pages), np.nan)
    known = pages < len(vector)
    found[known] = vector[pages[known]]
    return found
