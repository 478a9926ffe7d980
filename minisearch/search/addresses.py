"""Addresses: the pages to which an identifier is the way (text/addresses.py), found by the words of their urls."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from minisearch.search.arrays import Ints, Numbers
from minisearch.search.clauses import Variant, Word
from minisearch.search.occurrences import Heard, Occurrences
from minisearch.search.recipe import FIELD_NUMBER
from minisearch.search.snapshot import Snapshot
from minisearch.search.spots import following, spot_doc, spot_field, spot_place
from minisearch.text.addresses import leads_to
from minisearch.text.terms import analyzer

FEW = 20  # pages whose urls are read without more ado
MOST = 100  # pages whose urls are read: what more of them end in, as in index.html, is no name
FRONT = "index"  # the page of a folder


def led_to(index: Snapshot, way: tuple[str, ...], heard: Sequence[Heard]) -> Numbers:
    """The pages (rising) to which the steps of an identifier lead; `heard` are its words, in order."""
    having = sorted((_with_url(one) for one in heard), key=len)
    pages: Numbers = having[0] if having else np.empty(0, dtype=np.int32)
    for others in having[1:]:
        if len(pages) > FEW:
            pages = np.intersect1d(pages, others, assume_unique=True)
    if len(pages) > FEW:
        pages = _ending(index, heard, pages.astype(np.int64)).astype(np.int32)
    if len(pages) > MOST:
        return pages[:0]
    numbers = index.pages[pages].tolist()
    facts = index.facts(numbers)
    return pages[[leads_to(way, facts[number].url) for number in numbers]] if numbers else pages


def _with_url(heard: Heard) -> Numbers:
    """The pages that have a word in their url."""
    docs, _ = heard.where.fields.get("url", (np.empty(0, dtype=np.int32), None))
    return docs


def _ending(index: Snapshot, heard: Sequence[Heard], pages: Ints) -> Ints:
    """Those of some pages whose urls have some words side by side near their end."""
    read = {id(one.where): one.where for one in heard}
    spots = dict(zip(read, index.spots(*((where, pages) for where in read.values())), strict=True))
    last = reduce(following, (spots[id(one.where)] for one in heard))
    last = last[spot_field(last) == FIELD_NUMBER["url"]]
    after = index.lengths["url"][spot_doc(last)].astype(np.int64) - spot_place(last) - 1  # words
    ending = last[after <= 1]
    (fronts,) = index.spots((_front(index), np.unique(spot_doc(last[after == 2]))))
    folder = following(last[after == 2], fronts)
    return np.unique(spot_doc(np.concatenate([ending, folder])))


def _front(index: Snapshot) -> Occurrences:
    terms = dict.fromkeys(Variant(analyzer(spoken).term(FRONT)) for spoken in index.languages)
    return index.find(Word(FRONT, tuple(terms)))
