"""Spots: a place in a field of a page as one number, for phrases and neighbours.

The next place is that number plus one: a word follows another if one of its spots is a spot of the other plus one.
"""

from __future__ import annotations

import numpy as np

from minisearch.search.arrays import Ints

PLACE_BITS, FIELD_BITS = 21, 3
PAGE_AT = PLACE_BITS + FIELD_BITS
MANY, SIMILAR = 300, 8  # spots; and how many times as many are not too many more


def spot(docs: Ints, fields: Ints, places: Ints) -> Ints:
    """A place in a field of a page as one number."""
    return (docs << FIELD_BITS | fields) << PLACE_BITS | places


def spot_doc(spots: Ints) -> Ints:
    """The page of a spot."""
    return spots >> PAGE_AT


def spot_field(spots: Ints) -> Ints:
    """The field of a spot, a place in FIELDS."""
    return spots >> PLACE_BITS & (1 << FIELD_BITS) - 1


def spot_place(spots: Ints) -> Ints:
    """The place of a spot in its field."""
    return spots & (1 << PLACE_BITS) - 1


def following(first: Ints, second: Ints) -> Ints:
    """The spots of the second word that come right after one of the first."""
    after = first + 1
    return _common(after, second) if len(after) < len(second) else _common(second, after)


def _common(few: Ints, many: Ints) -> Ints:
    if not len(few):
        return few
    if len(few) > MANY and len(few) * SIMILAR > len(many):  # going along both takes less time than seeking each
        both = np.concatenate([few, many])
        both.sort(kind="stable")
        same: Ints = both[1:][both[1:] == both[:-1]]
        return same
    at = many.searchsorted(few)
    found: Ints = few[many.take(at, mode="clip") == few]
    return found
