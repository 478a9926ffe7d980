"""The numbers of pages among others, and what is told of them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from minisearch.search import shelves, snapshot

ids = st.sets(st.integers(1, 60)).map(sorted)
kinds = st.sampled_from([np.uint8, np.uint16, np.uint32])


@given(ids, ids, st.sampled_from([np.uint32, np.int64]))
def test_pages_have_the_numbers_of_their_places(pages, some, kind):
    found = shelves._numbered(np.array(pages, dtype=np.int64), np.array(some, dtype=kind))
    assert found.tolist() == [pages.index(page) if page in pages else -1 for page in some]
    assert found.dtype == np.int32


@given(st.lists(st.tuples(st.integers(-1, 9), st.integers(1, 255)), unique_by=lambda told: told[0]), kinds, kinds)
def test_what_is_told_of_pages_stands_at_their_numbers(told, kind, other):
    numbers = np.array([number for number, _ in told], dtype=np.int32)
    known = np.array([value for _, value in told], dtype=kind)
    expected = [dict(told).get(number, 0) for number in range(10)]
    first = shelves._spread(None, 10, numbers, known)
    assert (first.tolist(), first.dtype) == (expected, kind)
    again = shelves._spread(np.full(10, 7, dtype=other), 10, numbers, known)
    assert again.tolist() == [value or 7 for value in expected]


@given(st.lists(st.integers(0, 255)), kinds)
def test_words_are_added_up(lengths, kind):
    assert shelves.total(np.array(lengths, dtype=kind)) == sum(lengths)


@given(st.lists(st.floats(), max_size=9), st.lists(st.integers(0, 12)), st.sampled_from([np.uint32, np.int64]))
def test_pages_beyond_the_end_have_nothing(vector, pages, kind):
    asked = np.array(pages, dtype=kind), np.array(vector, dtype=np.float64)
    expected = [vector[page] if page < len(vector) else np.nan for page in pages]
    found = snapshot._of_pages(*asked)
    assert np.array_equal(found, np.array(expected, dtype=np.float64), equal_nan=True)
    found += 1  # it is whoever asked's own
