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

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

import numpy as np

from minisearch.packing import Counts
from minisearch.search import bm25
from minisearch.search.arrays import Floats, Ints, Mask, Numbers
from minisearch.search.clauses import Clause
from minisearch.search.listening import Listener, Named
from minisearch.search.neighbours import gained
from minisearch.search.occurrences import Heard
from minisearch.search.query import Query
from minisearch.search.recipe import Recipe
from minisearch.search.snapshot import Snapshot

NEARLY = 1e-9  # scores that differ by less share a place: it is due to rounding
ALL = 1 << 62  # pages: more than there are
SPARSE = 3  # pages are scored one by one if fewer than one in so many can come first
BLOCKS = 64  # of which the best of each tells how good the best of all are at least

EVERY = slice(None)  # page

Worth = Callable[[Ints | slice], Floats]  # what some pages are ordered by


@dataclass(frozen=True, slots=True)
class Scored:
    """The pages of the snapshot, scored for one query."""

    index: Snapshot
    query: Query
    heard: list[Heard]
    named: list[Named]
    pairs: list[tuple[Heard, Heard]]
    text: Floats  # right for the first pages, as many as were wanted; too low for some of the others
    factor: Floats
    matched: Mask
    complete: Mask  # has all the words that tell something
    best: Ints | None  # some pages (rising) that the first ones are among; None: those that match
    looked_at: Ints  # the pages on which neighbouring words count, rising
    notes: tuple[str, ...]  # what the reader has to know of the answer

    def worth(self, pages: Ints | slice) -> Floats:
        """The scores of some pages."""
        return self.text[pages] * self.factor[pages]

    @property
    def headed(self) -> Numbers:
        """The pages that have a heading that is the whole query."""
        found = (one.heard.where.fields.get("headings") for one in self.named if one.kind == "name")
        return next((fields[0] for fields in found if fields), np.empty(0, dtype=np.int32))


def score(index: Snapshot, query: Query, blend: float, *, strict: bool = False, wanted: int = ALL) -> Scored:
    """The scores for a query, right for the first pages: as many as are `wanted`, or all.

    Only pages with all words match, if that is `strict`ly meant.
    """
    listener = Listener(index)
    held = listener.listen(query)
    matched = _matched(index, query, held, listener)
    complete = _complete(matched, held, index.recipe)
    if strict:
        matched = complete
    closely = int(index.recipe.closely)
    best = _best(matched, complete, max(wanted, closely))
    text = np.zeros(index.size)
    for heard in listener.heard:
        heard.where.add(text, heard.share, best)
    named = listener.named(query)
    for one in named:
        for name, (docs, counts) in one.heard.where.fields.items():
            text[docs] += one.shares[name] * one.heard.idf * named_often(index, name, docs, counts)
    pairs, factor, close = listener.pairs(query), index.factor(blend), np.empty(0, dtype=np.int64)
    if pairs:
        close = first_pages(lambda pages: text[pages] * factor[pages], matched, complete, closely, best)
    if len(close):
        text[close] += gained(index, pairs, close)
    notes = tuple(dict.fromkeys([query.note, *listener.notes] if query.note else listener.notes))
    return Scored(index, query, listener.heard, named, pairs, text, factor, matched, complete, best, close, notes)


def _best(matched: Mask, complete: Mask, count: int) -> Ints | None:
    """Some pages (rising) that have the first `count` of all with them; None, if these are no small part of all."""
    tier = complete if np.count_nonzero(complete) >= count else matched
    return np.flatnonzero(tier) if count < ALL and np.count_nonzero(tier) * SPARSE < len(tier) else None


def named_often(index: Snapshot, field: str, docs: Numbers, counts: Counts) -> Floats:
    """What it is worth that the whole query stands so often in a field of some pages."""
    if field == "anchor":
        return index.scale.saturation(field, counts, docs)
    return np.ones(len(docs))


def first_pages(worth: Worth, matched: Mask, complete: Mask, count: int, among: Ints | None = None) -> Ints:
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


def _promising(worth: Worth, matched: Mask, complete: Mask, count: int) -> Ints:
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


def _matched(index: Snapshot, query: Query, held: list[tuple[Clause, Mask]], listener: Listener) -> Mask:
    if any(clause.sign == "+" for clause, _ in held):
        return listener.within
    different = {id(clause): (clause, mask) for clause, mask in held if clause.sign != "-"}
    wanted = [listener.touches(*one) for one in different.values()]
    anything = bool(held or query.sites or query.languages)  # "-red" alone: all pages but the red ones
    matched: Mask = reduce(np.logical_or, wanted) if wanted else np.full(index.size, anything)
    found: Mask = matched & listener.within
    return found


def _complete(matched: Mask, held: list[tuple[Clause, Mask]], recipe: Recipe) -> Mask:
    """Of the pages that match, those that have all the words that tell something; or all, if the query is long.

    What a page must have or must not have to match at all is not asked for again.
    """
    asked = [mask for clause, mask in held if not clause.sign]
    if not asked or sum(clause.sign != "-" for clause, _ in held) > recipe.short:
        return matched
    telling = [(mask, bm25.idf(count, len(mask))) for mask in asked if (count := int(np.count_nonzero(mask)))]
    most = max((idf for _, idf in telling), default=0.0)
    return reduce(np.logical_and, (mask for mask, idf in telling if idf >= recipe.telling * most), matched)
