"""Rankers: six ways to rank, each a step up from the one before.

boolean   the pages that have all the words, in the order of their URLs
tfidf     words count more the rarer they are, and the more often they stand on the page
bm25      the same, but repeating a word helps ever less, and long pages are held back
fields    the same for titles, headings, URLs and anchor texts, each with its own weight
links     what was found, in the order of PageRank alone: the oldest way to use links
blend     all of it: fields, proximity, exact matches, and links as a tie-breaker
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from minisearch.errors import BadInput
from minisearch.search.index_reader import FIELDS, Floats
from minisearch.search.params import DEFAULT
from minisearch.search.scoring import Scored

SORTS = ("blend", "text", "rank", "tfidf", "boolean")
_BODY = FIELDS.index("body")
_WORDS_ALONE = {
    **{name: 0.0 for name in DEFAULT.settings() if name.startswith(("neighbours.", "names."))},
    "exact": 0.0,
    "address": 0.0,
    "whole": 0.0,
    "alone": 0.0,
    "short": 0.0,
    "sentence": 1000.0,
    "blend": 0.0,
}


class Ranker(NamedTuple):
    """A way to rank: what decides, and which ranking parameters are changed."""

    description: str
    sort: str
    settings: Mapping[str, float]


RANKERS = {
    "boolean": Ranker("all words required, by URL", "boolean", {**_WORDS_ALONE, "telling": 0.0, "short": 1000.0}),
    "tfidf": Ranker("rare words count more, and so do repetitions", "tfidf", _WORDS_ALONE),
    "bm25": Ranker(
        "repetitions saturate, long pages count less",
        "text",
        {**_WORDS_ALONE, **{f"weight.{field}": float(field == "body") for field in DEFAULT.weight}},
    ),
    "fields": Ranker("BM25 for titles, headings, URLs and link texts, too", "text", _WORDS_ALONE),
    "links": Ranker("matching pages, sorted by PageRank only", "rank", _WORDS_ALONE),
    "blend": Ranker("fields, proximity, exact matches and links", "blend", {}),
}


def ranker(name: str) -> Ranker:
    """A ranker by its name."""
    if name not in RANKERS:
        raise BadInput(f"there is no ranker {name!r}; there are {', '.join(RANKERS)}")
    return RANKERS[name]


def sort_keys(scored: Scored, sort: str) -> Floats:
    """What documents are ordered by."""
    if sort == "rank":
        return np.nan_to_num(scored.reader.ranks_by(scored.params.prior))
    if sort == "boolean":
        return np.zeros(scored.reader.size)
    if sort == "tfidf":
        return _tfidf(scored)
    return scored.scores


def _tfidf(scored: Scored) -> Floats:
    """The sum of (1 + log tf) * log(documents / df) over the words in the body."""
    total = np.zeros(scored.reader.size)
    for word in scored.matches.words:
        having = np.flatnonzero(word.postings.tf[_BODY])
        if len(having) and not word.word.is_whole:
            counts = word.postings.tf[_BODY, having].astype(np.float64)
            total[word.postings.docs[having]] += (1 + np.log(counts)) * np.log(scored.reader.documents / word.df)
    return total
