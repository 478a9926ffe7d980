"""Neighbours: how often words that stand side by side in the query do so on pages, and what that is worth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from operator import add

import numpy as np

from minisearch.search.arrays import Floats, Ints, Numbers
from minisearch.search.occurrences import Gains, Heard
from minisearch.search.recipe import FIELDS
from minisearch.search.snapshot import Snapshot
from minisearch.search.spots import FIELD_BITS, PLACE_BITS, following

Pair = tuple[Heard, Heard]
Spots = dict[int, Ints]  # of each word on some pages, by the id of where it stands


def gained(index: Snapshot, pairs: Sequence[Pair], pages: Numbers) -> Floats:
    """What each of some pages (rising) gains by the pairs of words that stand side by side there: the sum over pairs
    and fields of share * the smaller idf * saturation of how often.

    What a pair gains on a page is kept, for good pages are looked at again and again.
    """
    known = [index.gains(_named(pair)) for pair in pairs]
    numbers = pages.tolist()
    try:
        rows = _rows(known, numbers)
    except KeyError:
        lacking = {number for gains in known for number in numbers if number not in gains}
        those = np.array(sorted(lacking))
        for gains, row in zip(known, _looked_for(index, pairs, those), strict=True):
            gains.update(zip(those.tolist(), row.tolist(), strict=True))
        rows = _rows(known, numbers)
    return np.array(reduce(lambda total, row: [*map(add, total, row)], rows))


def _rows(known: list[Gains], pages: list[int]) -> list[list[float]]:
    """What each pair gains on each of some pages, if that is known."""
    return [[*map(gains.__getitem__, pages)] for gains in known]


def _named(pair: Pair) -> tuple[object, ...]:
    first, second = pair
    return first.word.terms, first.field, second.word.terms, second.field


def _looked_for(index: Snapshot, pairs: Sequence[Pair], pages: Ints) -> Floats:
    """What each pair gains on each of some pages."""
    spots = _spots(index, pairs, pages)
    idf = np.array([min(first.idf, second.idf) for first, second in pairs])
    share = np.array([index.recipe.neighbours[name] for name in FIELDS])
    table = _counted(pairs, pages, spots)
    pair, page, field = table.nonzero()
    worth = share[field] * idf[pair]
    worth *= index.scale.saturations(field, table[pair, page, field], pages[page])
    found = np.bincount(pair * len(pages) + page, worth, len(pairs) * len(pages))
    return found.reshape(len(pairs), len(pages)).astype(np.float64, copy=False)


def counted(index: Snapshot, pairs: Sequence[Pair], pages: Ints) -> Ints:
    """How often the words of each pair stand side by side, by pair, page (rising) and field."""
    return _counted(pairs, pages, _spots(index, pairs, pages))


def _spots(index: Snapshot, pairs: Sequence[Pair], pages: Ints) -> Spots:
    words = {id(one.where): one.where for pair in pairs for one in pair}
    return dict(zip(words, index.spots(*((where, pages) for where in words.values())), strict=True))


def _counted(pairs: Sequence[Pair], pages: Ints, spots: Spots) -> Ints:
    found = [following(spots[id(first.where)], spots[id(second.where)]) >> PLACE_BITS for first, second in pairs]
    cells = np.concatenate(found)
    row = np.repeat(np.arange(len(pairs)) * len(pages), [len(each) for each in found])
    row += pages.searchsorted(cells >> FIELD_BITS)
    shape = len(pairs), len(pages), 1 << FIELD_BITS
    row <<= FIELD_BITS
    row |= cells & (1 << FIELD_BITS) - 1
    table: Ints = np.bincount(row, minlength=math.prod(shape)).reshape(shape)[:, :, : len(FIELDS)]
    return table
