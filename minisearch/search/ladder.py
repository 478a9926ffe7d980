"""The ladder: the same query through one ranker after the other, each a step cleverer than the one before.

boolean   the pages that have all the words, in the order of their addresses
tfidf     words count more the rarer they are, and the more often they stand on the page
bm25      the same, but repeating a word helps ever less, and long pages are held back
fields    the same for titles, headings, addresses and the words of links, each with its own weight
links     what was found, in the order of PageRank alone: the oldest way to use links
blend     all of it: fields, words side by side, whole names, and links as a tie-breaker
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from minisearch.errors import BadInput
from minisearch.search.arrays import Floats
from minisearch.search.recipe import DEFAULT
from minisearch.search.scoring import Scored, Worth

SORTS = ("blend", "text", "rank", "tfidf", "boolean")
_ALONE = {name: 0.0 for name in DEFAULT.settings() if name.startswith(("neighbours.", "names."))}
_BARE = {
    **_ALONE,
    "exact": 0.0,
    "address": 0.0,
    "whole": 0.0,
    "alone": 0.0,
    "short": 0.0,
    "sentence": 1000.0,
    "blend": 0.0,
}


class Ranker(NamedTuple):
    """A way to rank: what decides, and which numbers of the recipe are changed."""

    said: str
    sort: str
    settings: Mapping[str, float]


RANKERS = {
    "boolean": Ranker("all the words, by address", "boolean", {**_BARE, "telling": 0.0, "short": 1000.0}),
    "tfidf": Ranker("rare words, often there", "tfidf", _BARE),
    "bm25": Ranker(
        "with diminishing returns, long pages held back",
        "text",
        {**_BARE, **{f"weight.{field}": float(field == "body") for field in DEFAULT.weight}},
    ),
    "fields": Ranker("titles, headings and link texts apart", "text", _BARE),
    "links": Ranker("what was found, by PageRank alone", "rank", _BARE),
    "blend": Ranker("all of it, links as a tie-breaker", "blend", {}),
}


def ranker(name: str) -> Ranker:
    """A ranker by its name."""
    if name not in RANKERS:
        raise BadInput(f"there is no ranker {name!r}; there are {', '.join(RANKERS)}")
    return RANKERS[name]


def keys(scored: Scored, sort: str) -> Worth:
    """What pages are ordered by."""
    if sort == "rank":
        return lambda pages: np.nan_to_num(scored.index.ranks[pages])
    if sort == "boolean":
        return np.zeros(scored.index.size).__getitem__
    if sort == "tfidf":
        return _tfidf(scored).__getitem__
    return scored.worth


def _tfidf(scored: Scored) -> Floats:
    """The sum of (1 + log count) * log(pages / pages that have it) over the words that stand in the text."""
    total = np.zeros(scored.index.size)
    for heard in scored.heard:
        if "body" in heard.where.fields and not heard.word.bonus:
            docs, counts = heard.where.fields["body"]
            total[docs] += (1 + np.log(counts.astype(float))) * np.log(scored.index.size / heard.where.df)
    return total
