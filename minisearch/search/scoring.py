"""Scoring: how well every page answers a query. Pure arithmetic over a snapshot.

A page's text score is the sum of
    words        for each word and field  weight * idf * saturation                            (bm25.py)
    neighbours   for each two words side by side  share * the smaller idf * saturation of how often
    names        for a title, heading or link text that is the whole query  share * idf
and its score is that times the link factor (blend.py). The same in plain Python: minisearch/textbook/engine.py
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from minisearch.search import bm25
from minisearch.search.query import Clause, Query, Variant, Word
from minisearch.search.snapshot import Occurrences, Snapshot, following, spot_doc, spot_field
from minisearch.text.terms import analyzer

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

TELLING = 0.25  # a word counts for "all words" if its idf is at least this share of the most telling word's
SHORT = 4  # words up to which pages with all of them come first


@dataclass(frozen=True, slots=True)
class Heard:
    """A word of the query with what the index knows of it."""

    word: Word
    field: str
    where: Occurrences
    idf: float
    share: float  # 1, or WHOLE for an identifier beside its parts


@dataclass
class Scored:
    """Every page of the snapshot, scored for one query."""

    index: Snapshot
    query: Query
    heard: list[Heard]
    named: Heard | None
    pairs: list[tuple[Heard, Heard]]
    text: Floats  # words and names; neighbours are added for the pages where they could matter
    factor: Floats
    matched: Mask
    complete: Mask  # has all the words that tell something
    counted: Mask = field(init=False)  # pages whose neighbours have been added

    def __post_init__(self) -> None:
        self.counted = np.zeros(self.index.size, dtype=bool)

    def add_neighbours(self, wanted: Mask) -> None:
        """Add what neighbouring words are worth to the score of the wanted pages."""
        fresh = wanted & ~self.counted
        if self.pairs and fresh.any():
            for first, second, together in neighbours(self.index, self.pairs, fresh):
                for name, docs, counts in together:
                    weight = bm25.NEIGHBOURS[name] * min(first.idf, second.idf)
                    self.text[docs] += weight * bm25.saturation(counts, self.index.norms[name][docs])
        self.counted |= fresh

    def bound(self) -> Floats:
        """No page gains more than this by neighbouring words: as if every possible pair were one."""
        most = np.zeros(self.index.size)
        for first, second in self.pairs:
            for name, share in bm25.NEIGHBOURS.items():
                if name in first.where.fields and name in second.where.fields:
                    smaller = np.zeros(self.index.size)
                    docs, counts = first.where.fields[name]
                    smaller[docs] = counts
                    docs, counts = second.where.fields[name]
                    both = np.minimum(smaller[docs], counts)
                    weight = share * min(first.idf, second.idf)
                    most[docs] += weight * bm25.saturation(both, self.index.norms[name][docs])
        return most


def score(index: Snapshot, query: Query, blend: float) -> Scored:
    """Every page's score for a query, but for what neighbouring words add."""
    listener = _Listener(index)
    held = [(clause, listener.holds(clause)) for clause in query.clauses]
    matched = _matched(index, query, held, listener)
    for mask in listener.filters(query):
        matched = matched & mask
    text = np.zeros(index.size)
    for heard in listener.heard:
        for name in bm25.FIELDS:
            if name in heard.where.fields:
                docs, counts = heard.where.fields[name]
                weight = bm25.WEIGHTS[name] * heard.idf * heard.share
                text[docs] += weight * bm25.saturation(counts, index.norms[name][docs])
    named = listener.named(query)
    if named is not None:
        for name, (docs, _) in named.where.fields.items():
            text[docs] += bm25.NAMES[name] * named.idf
    pairs = listener.pairs(query)
    complete = matched & _complete(held)
    return Scored(index, query, listener.heard, named, pairs, text, 1 + blend * index.prior, matched, complete)


class _Listener:
    """Looks up the words of a query, each once."""

    def __init__(self, index: Snapshot) -> None:
        self._index = index
        self._known: dict[tuple[object, str], Heard] = {}

    @property
    def heard(self) -> list[Heard]:
        """The words that add to the score, in order."""
        return [heard for heard in self._known.values() if heard.share]

    def hear(self, word: Word, field: str, share: float) -> Heard:
        """A word, looked up. Spelled in another way it is the same word if it has the same terms."""
        key = (word.terms or word.text, field)
        known = self._known.get(key)
        if known is None or share > known.share:
            where = known.where if known else self._index.find(word, field)
            idf = bm25.idf(where.df, self._index.size) if where.df else 0.0
            known = self._known[key] = Heard(word, field, where, idf, share)
        return known

    def holds(self, clause: Clause, share: float = 1.0) -> Mask:
        """The pages that have what a clause asks for. What must not be there adds nothing to the score."""
        if clause.sign == "-":
            share = 0.0
        if clause.kind == "group":
            options = [reduce(np.logical_and, self._all(option, share)) for option in clause.options]
            return reduce(np.logical_or, options)
        words = (self._completed(clause.text),) if clause.kind == "prefix" else clause.words
        heard = [self.hear(word, clause.field, share * (bm25.WHOLE if word.bonus else 1)) for word in words]
        parts = [one.where.mask for word, one in zip(words, heard, strict=True) if not word.bonus]
        held: Mask = reduce(np.logical_and, parts) if parts else np.zeros(self._index.size, dtype=bool)
        if clause.kind == "phrase":
            return self._side_by_side(heard, held)
        wholes = [one.where.mask for word, one in zip(words, heard, strict=True) if word.bonus]
        return reduce(np.logical_or, wholes, held)

    def _completed(self, prefix: str) -> Word:
        """The words that begin so, and the one that it may be by itself: the index has the stem of "pruning"."""
        found = self._index.completions(prefix)
        itself = (Variant(analyzer(spoken).term(prefix)) for spoken in self._index.languages)
        return found._replace(terms=tuple(dict.fromkeys((*found.terms, *itself))))

    def _all(self, option: tuple[Clause, ...], share: float) -> list[Mask]:
        masks = [np.ones(self._index.size, dtype=bool)]
        for clause in option:
            held = self.holds(clause, share)
            masks.append(~held if clause.sign == "-" else held)
        return masks

    def _side_by_side(self, heard: list[Heard], candidates: Mask) -> Mask:
        places = self._index.places(heard[0].where, candidates)
        for one in heard[1:]:
            places = following(places, self._index.places(one.where, candidates))
        found = np.zeros(self._index.size, dtype=bool)
        for spots in places.values():
            found[spot_doc(spots)] = True
        return found

    def touches(self, clause: Clause, held: Mask) -> Mask:
        """The pages that have anything of a clause at all: of an identifier, a part will do."""
        if clause.kind == "word":
            return reduce(np.logical_or, [self._again(word, clause).where.mask for word in clause.words])
        return held

    def _again(self, word: Word, clause: Clause) -> Heard:
        return self._known[word.terms or word.text, clause.field]

    def named(self, query: Query) -> Heard | None:
        """The whole query as a title, heading or link text."""
        if not query.names:
            return None
        word = Word(query.text, query.names)
        where = self._index.find(word)
        fields = {name: found for name, found in where.fields.items() if name in bm25.NAMES}
        where = Occurrences(where.size, fields, where.entries)
        return Heard(word, "", where, bm25.idf(where.df, self._index.size), 1.0) if where.df else None

    def pairs(self, query: Query) -> list[tuple[Heard, Heard]]:
        """Words that stand side by side in the query, and could do so on a page."""
        row: list[Heard | None] = []
        for clause in query.clauses:
            plain = clause.kind in ("word", "phrase") and clause.sign != "-"
            row += [self._again(word, clause) for word in clause.words if not word.bonus] if plain else [None]
        found: dict[tuple[object, object], tuple[Heard, Heard]] = {}
        for first, second in pairwise(row):
            if first and second and first.where.df and second.where.df and first.word.terms != second.word.terms:
                found[first.word.terms, second.word.terms] = (first, second)
        return list(found.values())

    def filters(self, query: Query) -> list[Mask]:
        """What site: and lang: leave."""
        masks: list[Mask] = []
        for asked, look_up in ((query.sites, self._index.on_sites), (query.languages, self._index.in_languages)):
            wanted = tuple(name for name in asked if not name.startswith("-"))
            unwanted = tuple(name[1:] for name in asked if name.startswith("-"))
            masks += [look_up(wanted)] if wanted else []
            masks += [~look_up(unwanted)] if unwanted else []
        return masks


def _matched(index: Snapshot, query: Query, held: list[tuple[Clause, Mask]], listener: _Listener) -> Mask:
    wanted = [listener.touches(clause, mask) for clause, mask in held if clause.sign != "-"]
    anything = bool(held or query.sites or query.languages)  # "-red" alone: all pages but the red ones
    matched: Mask = reduce(np.logical_or, wanted) if wanted else np.full(index.size, anything)
    for clause, mask in held:
        if clause.sign == "+":
            matched = matched & mask
        elif clause.sign == "-":
            matched = matched & ~mask
    return matched


def _complete(held: list[tuple[Clause, Mask]]) -> Mask | np.bool_:
    """The pages that have all the words that tell something, or all pages if the query is long."""
    wanted = [(clause, mask, int(np.count_nonzero(mask))) for clause, mask in held if clause.sign != "-"]
    telling = [(mask, bm25.idf(count, len(mask))) for _, mask, count in wanted if count]
    if not telling or len(wanted) > SHORT:
        return np.True_
    most = max(idf for _, idf in telling)
    return reduce(np.logical_and, [mask for mask, idf in telling if idf >= TELLING * most])


def neighbours(
    index: Snapshot, pairs: list[tuple[Heard, Heard]], wanted: Mask
) -> Iterator[tuple[Heard, Heard, list[tuple[str, Ints, Ints]]]]:
    """For each pair of words: (field, pages, how often) they stand side by side on the wanted pages."""
    useful: dict[int, Mask] = {}  # the pages on which the places of a word have to be read, once for all its pairs
    for first, second in pairs:
        both = wanted & first.where.mask & second.where.mask
        for one in (first, second):
            useful[id(one)] = useful[id(one)] | both if id(one) in useful else both
    places = {
        id(one): index.places(one.where, useful[id(one)]) for one in {id(o): o for p in pairs for o in p}.values()
    }
    for first, second in pairs:
        yield first, second, list(_by_field(following(places[id(first)], places[id(second)])))


def _by_field(spots: dict[int, Ints]) -> Iterator[tuple[str, Ints, Ints]]:
    for number, name in enumerate(bm25.FIELDS):
        docs = [spot_doc(found[spot_field(found) == number]) for found in spots.values()]
        counts = np.bincount(np.concatenate(docs)) if docs else np.empty(0, dtype=np.int64)
        pages = np.flatnonzero(counts)
        if len(pages):
            yield name, pages, counts[pages]
