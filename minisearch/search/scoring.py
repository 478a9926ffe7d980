"""Scoring: how well every page answers a query. Pure arithmetic over a snapshot.

A page's text score is the sum of
    words        for each word and field  weight * idf * saturation                            (bm25.py)
    neighbours   for each two words side by side  share * the smaller idf * saturation of how often
    names        for a title, heading or link text that is the whole query  share * idf, for link texts also
                 * saturation of how often: one link among hundreds that is the query says little
    exact        for a title that is the query to the letter  share * idf
    address      for a url that ends in the query, step by step  share * idf                   (addresses.py)
and its score is that times the link factor (blend.py). The same in plain Python: minisearch/textbook/engine.py
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from minisearch.packing import Counts
from minisearch.search import bm25
from minisearch.search.arrays import Floats, Mask, Numbers
from minisearch.search.clauses import Clause
from minisearch.search.listening import Listener, Named
from minisearch.search.made import Row
from minisearch.search.meeting import SPARSE, Having, Met, meet
from minisearch.search.neighbours import gained
from minisearch.search.occurrences import Heard
from minisearch.search.query import Query
from minisearch.search.snapshot import Snapshot

NEARLY = 1e-9  # scores that differ by less share a place: it is due to rounding
BLOCKS = 64  # of which the best of each tells how good the best of all are at least

EVERY = slice(None)  # page
NO_PAGES: Numbers = np.empty(0, dtype=np.int32)

Worth = Callable[[Numbers | slice], Floats]  # what some pages are ordered by


@dataclass(frozen=True, slots=True)
class Scored:
    """The pages of the snapshot, scored for one query."""

    index: Snapshot
    query: Query
    heard: list[Heard]
    named: list[Named]
    pairs: list[tuple[Heard, Heard]]
    pages: Numbers | None  # the first pages (rising), as many as were wanted; None: all
    text: Floats  # of these pages
    factor: Floats  # of all pages
    matched: Mask
    complete: Mask  # has all the words that tell something
    looked_at: Numbers  # the pages on which neighbouring words count, rising
    notes: tuple[str, ...]  # what the reader has to know of the answer

    def words(self, pages: Numbers | slice) -> Floats:
        """The text scores of some pages."""
        return self.text[_places(self.pages, pages)]

    def first(self, count: int) -> list[Row]:
        """The first `count` pages, and all that share the last place with them; their numbers rise."""
        return self.rows(first_pages(self.worth, self.matched, self.complete, count, self.pages), self.worth)

    def rows(self, pages: Numbers, keys: Worth) -> list[Row]:
        """What is known of some pages that are ordered by some keys."""
        key = keys(pages)
        columns = (pages, key, self.words(pages), self.factor[pages], key.round(9), self.complete[pages])
        return list(zip(*(column.tolist() for column in columns), strict=True))  # at one go: one by one takes longer

    def worth(self, pages: Numbers | slice) -> Floats:
        """The scores of some pages."""
        return self.words(pages) * self.factor[pages]

    @property
    def headed(self) -> Numbers:
        """The pages that have a heading that is the whole query."""
        found = (one.heard.where.fields.get("headings") for one in self.named if one.kind == "name")
        return next((fields[0] for fields in found if fields), NO_PAGES)


def score(index: Snapshot, query: Query, blend: float, *, strict: bool = False, wanted: int | None = None) -> Scored:
    """The scores for a query: of the first pages, as many as are `wanted`, or of all.

    Only pages with all words match, if that is `strict`ly meant.
    """
    listener = Listener(index)
    held = listener.listen(query)
    closely = int(index.recipe.closely)
    met = _met(index, query, held, listener, strict, None if wanted is None else max(wanted, closely))
    named, pairs, factor = listener.named(query), listener.pairs(query), index.factor(blend)
    heard = listener.heard
    if wanted is None:
        pages, text = None, _added_up(index, heard, named, None)
    else:
        pages, text = _first(index, heard, named, met, factor, max(wanted, closely) if pairs else wanted)
    close = pages if pages is not None and pairs else NO_PAGES
    if pairs and (wanted is None or wanted > closely):
        scores = text * (factor if pages is None else factor[pages])
        close = first_pages(lambda some: scores[_places(pages, some)], met.matched, met.complete, closely, pages)
    if close is pages and pairs:
        text = text + gained(index, pairs, close)
    elif len(close):
        text = text.copy()
        text[_places(pages, close)] += gained(index, pairs, close)
    notes = tuple(dict.fromkeys([query.note, *listener.notes] if query.note else listener.notes))
    return Scored(index, query, heard, named, pairs, pages, text, factor, met.matched, met.complete, close, notes)


def _places(pages: Numbers | None, some: Numbers | slice) -> Numbers | slice:
    """Where some pages stand among `pages` (rising; None: all)."""
    return some if pages is None or isinstance(some, slice) else pages.searchsorted(some)


def _first(
    index: Snapshot, heard: list[Heard], named: list[Named], met: Met, factor: Floats, count: int
) -> tuple[Numbers, Floats]:
    """The first `count` pages and all that share the last place, rising; and what each is worth by its words."""
    text = _added_up(index, heard, named, met.best)
    chosen = first_pages(lambda pages: text[pages] * factor[pages], met.matched, met.complete, count, met.best)
    return chosen, text[chosen]


def _added_up(index: Snapshot, heard: list[Heard], named: list[Named], pages: Numbers | None) -> Floats:
    """What some pages (rising), or all, are worth by their words; others may be worth more than they are told to be."""
    text = np.zeros(index.size)
    for one in heard:
        one.where.add(text, one.share, pages)
    for docs, worth in _by_name(index, named):
        text[docs] += worth
    return text


def _by_name(index: Snapshot, named: list[Named]) -> Iterator[tuple[Numbers, Floats]]:
    """(pages, rising, and what each of them is worth) for what the whole query names."""
    for one in named:
        for field, (docs, counts) in one.heard.where.fields.items():
            yield docs, one.shares[field] * one.heard.idf * named_often(index, field, docs, counts)


def named_often(index: Snapshot, field: str, docs: Numbers, counts: Counts) -> Floats:
    """What it is worth that the whole query stands so often in a field of some pages."""
    if field == "anchor":
        return index.scale.saturation(field, counts, docs)
    return np.ones(len(docs))


def first_pages(worth: Worth, matched: Mask, complete: Mask, count: int, among: Numbers | None = None) -> Numbers:
    """The first `count` pages, and all that share the last place with them; their numbers rise.

    Pages that have all words come before the others, whatever they are worth. `among` are some (rising) that the first
    ones are known to be among.
    """
    if among is None:
        among = _promising(worth, matched, complete, count)
    if len(among) <= count:
        return among
    values, full = worth(among), complete[among]
    wanting = count - int(np.count_nonzero(full))
    if wanting <= 0:
        return among[full & (values >= _least(values[full], count) - NEARLY)]
    return among[full | (values >= _least(values[~full], wanting) - NEARLY)]


def _promising(worth: Worth, matched: Mask, complete: Mask, count: int) -> Numbers:
    """Some pages (rising) that have the first `count` of all with them."""
    enough = int(np.count_nonzero(complete)) >= count
    tier = complete if enough else matched
    if BLOCKS * 8 * max(1, count) > len(tier) or int(np.count_nonzero(tier)) * SPARSE < len(tier):
        return np.flatnonzero(tier)
    values = worth(EVERY)  # going through all takes less time than picking most of them
    if enough:
        among = np.flatnonzero(values >= _floor(values, count) - NEARLY)
        among = among[tier[among]]
        if len(among) >= count:  # what does not match is no better, as a rule
            return among
    values = np.where(tier, values, -np.inf)
    if not enough:
        values[complete] = np.inf
    return np.flatnonzero(tier & (values >= _floor(values, count) - NEARLY))


def _least(values: Floats, count: int) -> float:
    """The smallest of the `count` largest values, of which there are more."""
    if count <= 0:
        return np.inf
    if BLOCKS * 8 * count <= len(values):
        values = values[values >= _floor(values, count)]
    return float(np.partition(values, len(values) - count)[len(values) - count])


def _floor(values: Floats, count: int) -> float:
    """What the `count` largest of many values are at least: so much are the best of each of many blocks, and whatever
    is no worse is not much more.
    """
    height = len(values) // BLOCKS
    tops = values[: height * BLOCKS].reshape(BLOCKS, height).max(axis=0)
    return float(np.partition(tops, height - count)[height - count])


def _met(
    index: Snapshot,
    query: Query,
    held: list[tuple[Clause, Having]],
    listener: Listener,
    strict: bool,
    count: int | None,
) -> Met:
    """Which pages match; those that have all the words that tell something, if that is `strict`ly meant."""
    must, telling = listener.must, _telling(index, held)
    if strict:
        must, telling = must + telling, []
    choice: list[Having] | None = None
    if not any(clause.sign == "+" for clause, _ in held):
        different = {id(clause): (clause, having) for clause, having in held if clause.sign != "-"}
        choice = [listener.touches(*one) for one in different.values()]
        if not choice and (held or query.sites or query.languages):  # "-red" alone: all pages but the red ones
            choice = None
    return meet(index.size, count, must, listener.barred, choice, telling)


def _telling(index: Snapshot, held: list[tuple[Clause, Having]]) -> list[Having]:
    """What the pages have that have all the words that tell something; nothing, if the query is long.

    What a page must have or must not have to match at all is not asked for again.
    """
    asked = [having for clause, having in held if not clause.sign]
    if not asked or sum(clause.sign != "-" for clause, _ in held) > index.recipe.short:
        return []
    counts = [int(np.count_nonzero(having)) if having.dtype == bool else len(having) for having in asked]
    told = [(having, bm25.idf(count, index.size)) for having, count in zip(asked, counts, strict=True) if count]
    most = max((idf for _, idf in told), default=0.0)
    return [having for having, idf in told if idf >= index.recipe.telling * most]
