"""The searcher: from a query to hits, best first.

Pages that have all words come first, then those that have some; among equals the score decides, then the url.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import BadInput
from minisearch.records import Hit, Results
from minisearch.search import bm25
from minisearch.search.blend import BLEND
from minisearch.search.query import Query, parse
from minisearch.search.snapshot import Occurrences, Snapshot
from minisearch.search.snippet import snippet
from minisearch.store.store import Store
from minisearch.text.terms import language

SORTS = ("blend", "text", "rank")


@dataclass(frozen=True, slots=True)
class Scored:
    """Every page of the snapshot, scored for one query."""

    found: list[Occurrences]  # one for each word
    text: NDArray[np.float64]
    factor: NDArray[np.float64]
    matched: NDArray[np.bool_]
    complete: NDArray[np.bool_]  # has all the words that any page has


class Searcher:
    """Answers queries from a store, also while it is being written to."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._snapshot: Snapshot | None = None
        self._version: tuple[int, int, int] | None = None

    def snapshot(self) -> Snapshot:
        """The index as it is now. Call it inside `reading`."""
        version = self._store.version()
        if self._snapshot is None or version != self._version:
            self._snapshot, self._version = Snapshot(self._store), version
        return self._snapshot

    def search(
        self,
        text: str,
        *,
        limit: int = 10,
        offset: int = 0,
        sort: str = "blend",
        blend: float = BLEND,
        snippets: bool = True,
    ) -> Results:
        """The hits for a query from place `offset` on."""
        check(sort, blend, limit, offset)
        began = time.perf_counter()
        with self._store.reading():
            index = self.snapshot()
            query = parse(text, index.languages)
            scored = score(index, query, 0.0 if sort == "text" else blend)
            keys = _sort_keys(index, scored, sort)
            best = self._best(index, scored, keys, offset + limit)[offset : offset + limit]
            hits = tuple(self._hits(index, query, scored, keys, best, snippets))
        took = (time.perf_counter() - began) * 1000
        return Results(text, int(scored.matched.sum()), hits, took, offset, query.note)

    def _best(self, index: Snapshot, scored: Scored, keys: NDArray[np.float64], count: int) -> list[int]:
        candidates = np.flatnonzero(scored.matched)
        tiers = scored.complete[candidates]
        order = np.lexsort((-keys[candidates], ~tiers))
        ranked = candidates[order]
        if 0 < count < len(ranked):
            last = ranked[count - 1]
            tied = (keys[ranked] == keys[last]) & (scored.complete[ranked] == scored.complete[last])
            count = int(np.flatnonzero(tied)[-1]) + 1  # the url decides which of the tied ones are in
        ranked = ranked[:count]
        urls = {number: page.url for number, page in self._pages(index, ranked).items()}
        return sorted(ranked.tolist(), key=lambda n: (not scored.complete[n], -keys[n], urls[n]))

    def _pages(self, index: Snapshot, numbers: NDArray[np.int64]) -> dict[int, _Page]:
        stored = self._store.pages.get(index.pages[numbers].tolist())
        return {int(n): _Page(p.url, p.title, p.language) for n in numbers for p in [stored[int(index.pages[n])]]}

    def _hits(
        self,
        index: Snapshot,
        query: Query,
        scored: Scored,
        keys: NDArray[np.float64],
        best: list[int],
        snippets: bool,
    ) -> list[Hit]:
        pages = self._pages(index, np.array(best, dtype=np.int64))
        terms = frozenset(term for word in query.words for term in word.terms)
        hits = []
        for number in best:
            page_id = int(index.pages[number])
            spoken = [language(pages[number].language)]  # by whose rules the page was indexed
            text = self._store.pages.text(page_id)[0] if snippets else ""
            passage, marks = snippet(text, terms, spoken)
            hits.append(
                Hit(
                    url=pages[number].url,
                    title=pages[number].title or pages[number].url,
                    score=float(keys[number]),
                    text_score=float(scored.text[number]),
                    link_factor=float(scored.factor[number]),
                    snippet=passage,
                    marks=marks,
                    page_id=page_id,
                    all_words=bool(scored.complete[number]),
                )
            )
        return hits


@dataclass(frozen=True, slots=True)
class _Page:
    url: str
    title: str
    language: str


def score(index: Snapshot, query: Query, blend: float) -> Scored:
    """Every page's score for the query: the sum over words and fields, times the link factor."""
    text = np.zeros(index.size)
    matched = np.zeros(index.size, dtype=bool)
    have = np.zeros(index.size, dtype=np.int64)
    needed = 0
    found = []
    for word in query.words:
        where = index.find(word)
        found.append(where)
        if not where.df:
            continue
        weight = bm25.idf(where.df, index.size)
        for field in bm25.FIELDS:
            if field in where.fields:
                docs, counts = where.fields[field]
                part = bm25.saturation(counts.astype(float), index.lengths[field][docs], index.averages[field])
                text[docs] += bm25.WEIGHTS[field] * weight * part
        matched[where.docs] = True
        if not word.bonus:
            have[where.docs] += 1
            needed += 1
    factor = 1 + blend * index.prior
    return Scored(found, text, factor, matched, matched & (have >= needed))


def _sort_keys(index: Snapshot, scored: Scored, sort: str) -> NDArray[np.float64]:
    if sort == "rank":
        ranks: NDArray[np.float64] = np.nan_to_num(index.ranks)
        return ranks
    blended: NDArray[np.float64] = scored.text * scored.factor
    return blended


def check(sort: str, blend: float, limit: int, offset: int) -> None:
    """Refuse what makes no sense."""
    if sort not in SORTS:
        raise BadInput(f"sort must be one of {', '.join(SORTS)}, not {sort!r}")
    if not 0 <= blend <= 1:
        raise BadInput(f"blend must lie between 0 (words only) and 1, not {blend:g}")
    if limit < 1 or offset < 0:
        raise BadInput("ask for at least one hit, from the first page on")
