"""Spots: where exactly words stand on some pages, for phrases and neighbours.

A place in a field of a page is one number, and the next place is that number plus one: a word follows another if one
of its spots is a spot of the other plus one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

import numpy as np

from minisearch.packing import ANCHOR_FIELDS, PAGE_FIELDS, Counts, distances
from minisearch.search.occurrences import Entry, Ints, Occurrences
from minisearch.search.recipe import FIELDS

PLACE_BITS, FIELD_BITS = 21, 3
# Of the fields of each kind of shelf, their places in FIELDS.
FIELD_NUMBERS: dict[tuple[str, ...], Ints] = {
    fields: np.array([FIELDS.index(name) for name in fields]) for fields in (PAGE_FIELDS, ANCHOR_FIELDS)
}

Asked = tuple[Occurrences, Ints]
# The packed positions of some terms in some segments, by segment and term.
Positions = Callable[[set[int], set[str]], dict[tuple[int, str], bytes]]


def read(asked: Iterable[Asked], positions: Positions) -> list[Ints]:
    """Of each word that is asked for on some pages (rising), every spot it has there, rising.

    All words are worked out together: most of the time would go into getting started for each.
    """
    wanted: list[tuple[Entry, Ints]] = []
    bounds = [0]
    for where, pages in asked:
        chosen = ((entry, entry.chosen(pages, where.size)) for entry in where.entries)
        wanted += [(entry, postings) for entry, postings in chosen if len(postings)]
        bounds.append(len(wanted))
    if not wanted:
        return [np.empty(0, dtype=np.int64) for _ in bounds[1:]]
    blobs = positions({entry.shelf.id for entry, _ in wanted}, {entry.term for entry, _ in wanted})
    found = [_cells(entry, postings, blobs[entry.shelf.id, entry.term]) for entry, postings in wanted]
    cells, runs, gaps = (np.concatenate(column) for column in zip(*found, strict=True))
    reach = np.cumsum(gaps, dtype=np.int64)
    ends = np.cumsum(runs)
    before = np.append(0, reach)[ends - runs]  # what the earlier cells have added up to
    spots = reach + np.repeat((cells << PLACE_BITS) - before, runs)
    last = np.cumsum([0, *(len(part[2]) for part in found)])[bounds].tolist()  # of each word
    words = zip((where for where, _ in asked), pairwise(last), strict=True)
    # Those of each shelf rise already: what is left to do is to merge them.
    return [_of_field(np.sort(spots[low:high], kind="stable"), where.field) for where, (low, high) in words]


def _cells(entry: Entry, postings: Ints, blob: bytes) -> tuple[Ints, Ints, Counts]:
    """(which field of which page, how many places, the distances between them) of some postings, cell by cell."""
    table = entry.postings.table(postings)
    cells: Ints = entry.numbers[postings].astype(np.int64)[:, None] << FIELD_BITS | FIELD_NUMBERS[entry.shelf.fields]
    begins = entry.begins[postings]
    return cells.ravel(), table.ravel(), distances(blob, begins, entry.begins[postings + 1] - begins)


def _of_field(spots: Ints, field: str) -> Ints:
    return spots[spot_field(spots) == FIELDS.index(field)] if field else spots


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
