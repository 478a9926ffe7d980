"""Scoring: how well each document answers a query.

    score       = text score * link factor
    link factor = 1 + blend * z, where z is the logarithm of the PageRank on a scale from 0 to 1
    text score  = the sum of
        words          weight * idf * saturation             for each word and field
        proximity      share * smaller idf * saturation      for each two adjacent words and field, on the best pages
        exact match    share * idf                           if the query is a title, heading or the end of a URL path
                       share * idf * saturation              if it is an anchor text: one among hundreds says little
    saturation  = tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average length))

This is BM25 with each field saturated by itself: a word in the title helps once, however often the body repeats it.
Robertson and Walker, 1994; Robertson and Zaragoza, 2009. In plain Python: minisearch/textbook/engine.py

`contributions` is the only place where BM25 is computed: `search` sums what it returns and `explain` prints it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from minisearch.index.codec import Postings
from minisearch.search.index_reader import (
    FIELD_BITS,
    FIELDS,
    POSITION_BITS,
    Docs,
    Floats,
    IndexReader,
    Ints,
    Mask,
    following,
)
from minisearch.search.matching import ExactMatch, Matches, QueryWord, match
from minisearch.search.params import RankingParams
from minisearch.search.query import Query

SAME_SCORE = 1e-9  # scores that differ by less share a place: the difference is due to rounding
MANY = 0.2  # share of the documents from which on the impacts of a word are kept for all: these are added faster
SAMPLES = 8  # maxima, for each of the best documents that are sought, by which the others are left out
LEAST_NORM = 1e-300  # an empty field has none if b is 1

Pair = tuple[QueryWord, QueryWord]


def saturation(params: RankingParams, field: str, counts: Floats, lengths: Floats, average: float) -> Floats:
    """From 0 to k1 + 1: grows with the count, ever more slowly, and less in long fields."""
    b = params.b[field] if average else 0.0
    norms = params.k1 * (1 - b) + params.k1 * b / (average or 1.0) * lengths
    return (params.k1 + 1) * counts / (counts + np.maximum(norms, LEAST_NORM))


class Contribution(NamedTuple):
    """What a field adds to the scores of some documents, places in a list of postings."""

    field: str
    places: Ints
    saturation: Floats
    weight: float
    scores: Floats


def contributions(
    reader: IndexReader, params: RankingParams, postings: Postings, idf: float, weights: Mapping[str, float]
) -> Iterator[Contribution]:
    """What each field adds to the score by the occurrences of a word."""
    for row, field in enumerate(FIELDS):
        places = np.flatnonzero(postings.tf[row] != 0)  # which is far quicker with truth values
        if len(places):
            counts = postings.tf[row, places].astype(np.float64)
            lengths = reader.lengths[row, postings.docs[places]]
            raised = saturation(params, field, counts, lengths, reader.averages[row])
            yield Contribution(field, places, raised, weights[field], weights[field] * idf * raised)


def exact_contributions(reader: IndexReader, params: RankingParams, exact: ExactMatch) -> Iterator[Contribution]:
    """What each field adds by being the whole query: in all but anchor texts it does not matter how often."""
    shares = {field: exact.shares.get(field, 0.0) for field in FIELDS}
    for found in contributions(reader, params, exact.postings, exact.idf, shares):
        if found.field == "anchor":
            yield found
        else:
            once = np.ones(len(found.places))
            yield found._replace(saturation=once, scores=found.weight * exact.idf * once)


def summed(size: int, contributions: Iterable[Contribution]) -> Floats:
    """What all fields add together, for each of `size` documents."""
    total = np.zeros(size)
    for found in contributions:
        total[found.places] += found.scores
    return total


def adjacent(reader: IndexReader, pairs: Sequence[Pair], docs: Docs) -> list[Postings]:
    """How often the words of each pair stand next to each other in each field of some documents."""
    words = list(dict.fromkeys((word.word.terms, word.field) for pair in pairs for word in pair))
    occurrences = dict(zip(words, reader.occurrences(words, docs), strict=True))
    found = []
    for first, second in pairs:
        before, after = (occurrences[word.word.terms, word.field] for word in (first, second))
        cells = following(before, after) >> POSITION_BITS
        places = np.searchsorted(docs, cells >> FIELD_BITS)
        table = np.zeros((1 << FIELD_BITS, len(docs)), dtype=np.int64)
        np.add.at(table, (cells & (1 << FIELD_BITS) - 1, places), 1)
        found.append(Postings(docs, table[: len(FIELDS)]))
    return found


def pair_idf(pair: Pair) -> float:
    """That of the more frequent word."""
    return min(word.idf for word in pair)


@dataclass(frozen=True, slots=True)
class Scored:
    """All documents, scored for a query."""

    reader: IndexReader
    params: RankingParams
    query: Query
    matches: Matches
    text: Floats  # text scores
    factor: Floats  # link factors
    scores: Floats
    window: Docs  # the best by words, on which proximity was counted; ascending

    def best(self, keys: Floats, count: int) -> Docs:
        """The first `count` documents by some keys, and those that share the last place with them, in any order."""
        matched, complete = self.matches.matched, self.matches.complete
        if keys is self.scores and count <= len(self.window):  # all others have a lower score
            in_window = top(keys[self.window], matched[self.window], complete[self.window], count)
            return self.window[in_window]
        return top(keys, matched, complete, count)


def score(reader: IndexReader, params: RankingParams, query: Query, *, strict: bool = False) -> Scored:
    """Score all documents for a query; if it is meant `strict`ly, those with all discriminative words match alone."""
    matches = match(reader, params, query, strict=strict)
    text = np.zeros(reader.size)
    for word in matches.words:
        impact = _impact(reader, params, word)
        if len(impact) == reader.size:
            text += impact
        else:
            np.add.at(text, word.postings.docs, impact)  # quicker than text[docs] +=
    for exact in matches.exact:
        np.add.at(text, exact.postings.docs, _exact_impact(reader, params, exact, query.path))
    prior = reader.prior_by(params.prior)
    factor = reader.cached(("link factor", params.prior, params.blend), lambda: 1 + params.blend * prior)
    scores = text * factor
    window: Docs = np.empty(0, dtype=np.intp)
    if matches.pairs and params.closely >= 1:
        window = np.sort(best_of_all(reader, scores, matches, int(params.closely)))
        text[window] += _proximity(reader, params, matches.pairs, window)
        scores[window] = text[window] * factor[window]
    return Scored(reader, params, query, matches, text, factor, scores, window)


def _impact(reader: IndexReader, params: RankingParams, word: QueryWord) -> Floats:
    """What a word adds to the score of each document that has it; of all documents, if many have it."""
    numbers = (params.k1, *params.b.values(), *params.weight.values())

    def read() -> Floats:
        docs = word.postings.docs
        found = word.share * summed(len(docs), contributions(reader, params, word.postings, word.idf, params.weight))
        if len(docs) < reader.size * MANY:
            return found
        impact = np.zeros(reader.size)
        impact[docs] = found
        return impact

    return reader.cached(("impact", word.key, word.share, numbers), read)


def _exact_impact(reader: IndexReader, params: RankingParams, exact: ExactMatch, path: tuple[str, ...]) -> Floats:
    """What it adds to the score of each document that it is the whole query."""
    numbers = (params.k1, params.b["anchor"], *exact.shares.values())
    return reader.cached(
        ("exact impact", exact.kind, exact.terms or path, numbers),
        lambda: summed(len(exact.postings.docs), exact_contributions(reader, params, exact)),
    )


def _proximity(reader: IndexReader, params: RankingParams, pairs: Sequence[Pair], docs: Docs) -> Floats:
    """What adjacent words add to the score of some documents."""
    numbers = (params.k1, *params.b.values(), *params.neighbours.values())
    names = tuple((first.key, second.key) for first, second in pairs)

    def read() -> Floats:
        total = np.zeros(len(docs))
        for pair, found in zip(pairs, adjacent(reader, pairs, docs), strict=True):
            total += summed(len(docs), contributions(reader, params, found, pair_idf(pair), params.neighbours))
        return total

    return reader.cached(("proximity", names, numbers, docs.tobytes()), read)


def best_of_all(reader: IndexReader, keys: Floats, matches: Matches, count: int) -> Docs:
    """Those documents of this shard that are among the `count` best of all shards, or share the last place with them.

    A document that is among the best of all is among the best of its shard.
    """
    complete = matches.complete
    docs = top(keys, matches.matched, complete, count)
    found = reader.total([(complete[docs], keys[docs])])
    if len(found) == 1:
        return docs
    tiers, values = (np.concatenate(columns) for columns in zip(*found, strict=True))
    if len(values) <= count:
        return docs
    last = np.lexsort((-values, ~tiers))[count - 1]
    is_before = (complete[docs] > tiers[last]) | (complete[docs] == tiers[last]) & (
        keys[docs] >= values[last] - SAME_SCORE
    )
    kept: Docs = docs[is_before]
    return kept


def top(keys: Floats, matched: Mask, complete: Mask, count: int) -> Docs:
    """The `count` documents with the largest keys, and those that share the last place with them, in any order. Those
    that have all discriminative words come before the others.
    """
    first = np.flatnonzero(complete)
    if len(first) >= count:
        return _largest(keys, first, count)
    return np.concatenate([first, _largest(keys, np.flatnonzero(matched & ~complete), count - len(first))])


def _largest(keys: Floats, docs: Docs, count: int) -> Docs:
    if len(docs) <= count:
        return docs
    values = keys[docs]
    return docs[values >= _nth_largest(values, count) - SAME_SCORE]


def _nth_largest(values: Floats, n: int) -> float:
    """The n-th largest value. Only those are partitioned that are not less than the n-th largest of some maxima."""
    step = len(values) // (SAMPLES * n)
    if step > 1:
        maxima = values[: len(values) // step * step].reshape(step, -1).max(axis=0)
        values = values[values >= np.partition(maxima, -n)[-n]]
    return float(np.partition(values, -n)[-n])
