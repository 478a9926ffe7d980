"""What occurrences are weighed by: the same by the length of a field as page by page."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.native.loops import compiled
from minisearch.packing import PAGE_FIELDS
from minisearch.search import bm25
from minisearch.search.entries import Entry
from minisearch.search.occurrences import MOST_LENGTHS, Scale, _weigh, _weighed
from minisearch.search.recipe import DEFAULT

COUNTS = np.array([1, 3, 2, 255], dtype=np.uint8)


@pytest.mark.parametrize("longest", [0, 7, MOST_LENGTHS - 1, MOST_LENGTHS, 500_000])
def test_a_count_is_worth_the_same_however_long_the_longest_field_is(longest):
    lengths = np.array([1, longest, 5, 0], dtype=np.uint32)
    average = float(lengths.mean())
    scale = Scale(DEFAULT, {"title": lengths}, {"title": average}, len(lengths))
    docs = np.array([3, 1, 0, 2], dtype=np.int32)
    norms = bm25.norm(lengths[docs], average, "title", DEFAULT)
    assert scale.saturation("title", COUNTS, docs).tolist() == bm25.saturation(COUNTS, norms, DEFAULT.k1).tolist()


def test_a_field_that_no_page_has_is_weighed_too():
    scale = Scale(DEFAULT, {"title": np.zeros(3, dtype=np.uint8)}, {"title": 0.0}, 3)
    expected = bm25.saturation(COUNTS[:1], np.array([DEFAULT.k1]), DEFAULT.k1)
    assert scale.saturation("title", COUNTS[:1], np.array([1])).tolist() == expected.tolist()


# -- compiled or not --

needs_compiled = pytest.mark.skipif(not compiled, reason="nothing is compiled")
kinds = st.sampled_from([np.uint8, np.uint16, np.int64])


@needs_compiled
@given(st.integers(0, 10**6), st.lists(kinds | st.none(), min_size=4, max_size=4), st.booleans())
def test_compiled_or_not_a_term_is_worth_the_same(seed, kinds, empty):
    dice, size = np.random.default_rng(seed), 60
    lengths = {name: dice.integers(0, 9 * 10**each, size).astype(np.uint32) for each, name in enumerate(PAGE_FIELDS)}
    lengths["title"] = lengths["title"].astype(np.uint8) * (not empty)
    averages = {name: float(column.mean()) for name, column in lengths.items()}
    scale = Scale(DEFAULT, lengths, averages, size)
    docs = np.flatnonzero(dice.random(size) < dice.random()).astype(np.int32)
    often = [None if kind is None else dice.choice([0, 0, 1, 2, 200], len(docs)).astype(kind) for kind in kinds]
    entry = Entry("cat", PAGE_FIELDS, docs, often, [], [])
    expected, on_all = np.zeros(size), np.zeros(size)
    expected[docs] += _weighed(entry, scale)
    _weigh(entry, scale, on_all, None)
    assert on_all.tolist() == expected.tolist()
    some = np.flatnonzero(dice.random(size) < dice.random()).astype(np.int32)
    on_some = np.zeros(len(some))
    _weigh(entry, scale, on_some, some)
    assert on_some.tolist() == expected[some].tolist()


PAGES = np.array([0, 2], dtype=np.int32)
FIELD = (np.ones(2, dtype=np.uint8), np.ones(3, dtype=np.uint8), 0.5, 1.0, 1.0)


@needs_compiled
@pytest.mark.parametrize(
    "wrong",
    [
        (np.zeros(2), None, PAGES, [FIELD], 2.0),
        (np.zeros(3), PAGES, PAGES, [FIELD], 2.0),
        (np.zeros(3), None, PAGES + 1, [FIELD], 2.0),
        (np.zeros(3), None, PAGES - 1, [FIELD], 2.0),
        (np.zeros(3), None, PAGES[::-1].copy(), [FIELD], 2.0),
        (np.zeros(2), PAGES[::-1].copy(), PAGES, [FIELD], 2.0),
        (np.zeros(2), PAGES, PAGES + 1, [FIELD], 2.0),
        (np.zeros(3), None, PAGES[:1], [FIELD], 2.0),
        (np.zeros(3), None, PAGES, [(FIELD[0], FIELD[1][1:], *FIELD[2:])], 2.0),
        (np.zeros(3), None, PAGES, [FIELD] * 9, 2.0),
        (np.zeros(3), None, PAGES, [FIELD, FIELD[1:]], 2.0),
        (np.zeros(3), None, PAGES, [(FIELD[0].astype("f8"), *FIELD[1:])], 2.0),
        (np.zeros(3), None, PAGES, [(FIELD[0], FIELD[1].astype("f8"), *FIELD[2:])], 2.0),
        (np.frombuffer(bytes(24)), None, PAGES, [FIELD], 2.0),
    ],
)
def test_what_does_not_fit_together_is_not_weighed(wrong):
    with pytest.raises((TypeError, ValueError)):
        compiled.weigh(*wrong)
