"""Which pages match is told by lists and rows alike."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

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
