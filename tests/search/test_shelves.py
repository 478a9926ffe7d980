"""The numbers of pages among others, and what is told of them; compiled or not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.native.loops import compiled
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


@pytest.mark.skipif(not compiled, reason="nothing is compiled")
def test_what_does_not_fit_is_refused():
    with pytest.raises(OverflowError):
        compiled.numbered(np.array([1 << 31], dtype=np.uint32), np.array([1], dtype=np.uint32))
    with pytest.raises(OverflowError):
        compiled.numbered(np.array([-1]), np.array([1], dtype=np.uint32))
    with pytest.raises(TypeError):
        compiled.numbered(np.array([1.0]), np.array([1], dtype=np.uint32))
    with pytest.raises(ValueError, match="too short"):
        compiled.spread(3, np.array([0, 1], dtype=np.int32), np.array([1], dtype=np.uint8))
    assert compiled.spread(3, np.array([0, 7], dtype=np.int32), np.array([1, 2], dtype=np.uint8)) == b"\1\0\0"


@given(st.lists(st.integers(0, 255)), kinds)
def test_words_are_added_up(lengths, kind):
    assert shelves.total(np.array(lengths, dtype=kind)) == sum(lengths)


@given(st.lists(st.floats(), max_size=9), st.lists(st.integers(0, 12)), st.sampled_from([np.uint32, np.int64]))
def test_pages_beyond_the_end_have_nothing(vector, pages, kind):
    asked = np.array(pages, dtype=kind), np.array(vector, dtype=np.float64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snapshot, "compiled", None)
        plain = snapshot._of_pages(*asked)
    expected = [vector[page] if page < len(vector) else np.nan for page in pages]
    for found in (plain, snapshot._of_pages(*asked)):
        assert np.array_equal(found, np.array(expected, dtype=np.float64), equal_nan=True)
        found += 1  # it is whoever asked's own


@pytest.mark.skipif(not compiled, reason="nothing is compiled")
def test_what_is_no_such_array_is_refused():
    for wrong in ((np.zeros(2, np.float32), np.zeros(1, np.uint32)), (np.zeros(2), np.zeros(1, np.int32))):
        with pytest.raises(TypeError):
            compiled.picked(*wrong)
    with pytest.raises(TypeError):
        compiled.total(np.zeros(2))
    assert np.isnan(np.frombuffer(compiled.picked(np.zeros(2), np.array([-1])))).all()
