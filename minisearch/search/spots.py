"""Spots: where exactly words stand on some pages, for phrases and neighbours.

A place in a field of a page is one number, and the next place is that number plus one: a word follows another if one
of its spots is a spot of the other plus one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from minisearch.search.entries import Entry, Ints
from minisearch.search.occurrences import FIELD_NUMBER, Occurrences
from minisearch.search.places import Places
from minisearch.search.recipe import FIELDS

PLACE_BITS, FIELD_BITS = 21, 3

Asked = tuple[Occurrences, Ints]
# The places of some terms.
Located = Callable[[list[Entry]], list[Places]]


def read(asked: Sequence[Asked], located: Located) -> list[Ints]:
    """Of each word that is asked for on some pages (rising), every spot it has there, rising.

    All words are worked out together: most of the time would go into getting started for each.
    """
    wanted: list[tuple[int, Entry, Ints]] = []  # a word, by number; one of its terms; which of its postings
    for number, (where, pages) in enumerate(asked):
        found = ((entry, entry.among(pages)[1]) for entry in where.entries)
        wanted += [(number, entry, postings) for entry, postings in found if len(postings)]
    if not wanted:
        return [np.empty(0, dtype=np.int64) for _ in asked]
    tables, gaps, ends = [], [], [0] * (len(asked) + 1)
    for (number, entry, postings), places in zip(wanted, located([entry for _, entry, _ in wanted]), strict=True):
        table = np.zeros((len(postings), len(FIELDS)), dtype=np.int64)
        for name, column in zip(entry.fields, entry.counts, strict=True):
            if column is not None:
                table[:, FIELD_NUMBER[name]] = column[postings]
        tables.append(table)
        gaps.append(places.distances(entry.places[0][postings].tolist(), table.sum(axis=1).tolist()))
        ends[number + 1] += len(gaps[-1])
    runs = np.concatenate(tables).ravel()
    docs = np.concatenate([entry.docs[postings] for _, entry, postings in wanted]).astype(np.int64)
    cells = (docs[:, None] << FIELD_BITS | np.arange(len(FIELDS))).ravel()
    reach = np.cumsum(np.concatenate(gaps))
    before = np.append(0, reach)[np.cumsum(runs) - runs]  # what the earlier cells have added up to
    spots = reach + np.repeat((cells << PLACE_BITS) - before, runs)
    last = np.cumsum(ends).tolist()
    return [_rising(spots[low:high], where) for (where, _), low, high in zip(asked, last, last[1:], strict=False)]


def _rising(spots: Ints, where: Occurrences) -> Ints:
    """The spots of a word in the field that was asked for. Those of each term rise already: they are to be merged."""
    if len(where.entries) > 1:
        spots = np.sort(spots, kind="stable")
    return spots[spot_field(spots) == FIELD_NUMBER[where.field]] if where.field else spots


def following(first: Ints, second: Ints) -> Ints:
    """The spots of the second word that come right after one of the first."""
    after = first + 1
    return _common(after, second) if len(after) < len(second) else _common(second, after)


def _common(few: Ints, many: Ints) -> Ints:
    at = np.searchsorted(many, few)
    found: Ints = few[many[np.minimum(at, len(many) - 1)] == few] if len(many) else few[:0]
    return found


def spot(docs: Ints, fields: Ints, places: Ints) -> Ints:
    """A place in a field of a page as one number."""
    return (docs << FIELD_BITS | fields) << PLACE_BITS | places


def spot_doc(spots: Ints) -> Ints:
    """The page of a spot."""
    return spots >> FIELD_BITS + PLACE_BITS


def spot_field(spots: Ints) -> Ints:
    """The field of a spot, a place in FIELDS."""
    return spots >> PLACE_BITS & (1 << FIELD_BITS) - 1


def spot_place(spots: Ints) -> Ints:
    """The place of a spot in its field."""
    return spots & (1 << PLACE_BITS) - 1
