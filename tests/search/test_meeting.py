"""Which pages match is told by lists and rows alike; compiled or not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.native.loops import compiled
from minisearch.search import meeting
from minisearch.search.meeting import meet, row

SIZE = 40
having = st.builds(
    lambda pages, as_row: row(SIZE, pages) if as_row else pages,
    st.sets(st.integers(0, SIZE - 1)).map(lambda pages: np.array(sorted(pages), dtype=np.int32)),
    st.booleans(),
)
some = st.lists(having, max_size=3)
asked = st.tuples(st.none() | st.integers(0, SIZE), some, some, st.none() | some, some)


def pages(having):
    return set(np.flatnonzero(row(SIZE, having)).tolist())


@given(asked)
def test_pages_match_that_have_what_they_must_and_nothing_else(asked):
    count, must, barred, choice, telling = asked
    met = meet(SIZE, *asked)
    matched = set.intersection(set(range(SIZE)), *map(pages, must)).difference(*map(pages, barred))
    if choice is not None:
        matched &= set().union(*map(pages, choice))
    complete = matched.intersection(*map(pages, telling))
    assert (pages(met.matched), pages(met.complete)) == (matched, complete)
    if met.best is not None:
        assert met.best.tolist() == sorted(complete if len(complete) >= count else matched)


@pytest.mark.skipif(not compiled, reason="nothing is compiled")
@given(asked)
def test_compiled_or_not_they_are_the_same(asked):
    for quick, plain in zip(meet(SIZE, *asked), meeting._meet(SIZE, *asked), strict=True):
        assert (quick is None) == (plain is None)
        assert quick is None or (quick.dtype == plain.dtype and quick.tolist() == plain.tolist())


@pytest.mark.skipif(not compiled, reason="nothing is compiled")
@pytest.mark.parametrize("wrong", [[3], [-1], [1, 99], np.zeros(4, dtype=bool), np.zeros(2, dtype=bool)])
@pytest.mark.parametrize("place", range(4))
def test_a_page_that_is_not_there_is_refused(wrong, place):
    lists = [[] for _ in range(4)]
    lists[place] = [np.array(wrong, dtype=None if isinstance(wrong, np.ndarray) else np.int32)]
    with pytest.raises(ValueError, match="not there"):
        compiled.meet(3, 1, *lists)


@pytest.mark.skipif(not compiled, reason="nothing is compiled")
@pytest.mark.parametrize("wrong", [[1, 2], [1.0], [np.arange(3)], [np.zeros((3, 1), bool)], [None], "x", None])
def test_what_is_no_list_of_pages_is_refused(wrong):
    with pytest.raises((TypeError, ValueError)):
        compiled.meet(3, 1, wrong, [], None, [])
