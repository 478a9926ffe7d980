"""Where the places of some postings begin and end, from how often each has the term; compiled or not."""

from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.native.loops import compiled
from minisearch.search.entries import Entry

kinds = st.sampled_from([np.uint8, np.uint16, np.int64])
tables = st.lists(st.lists(st.integers(0, 255), min_size=3, max_size=3), min_size=1, max_size=30)


@given(tables, st.lists(kinds | st.none(), min_size=3, max_size=3), st.data())
def test_places_begin_where_those_before_them_end(table, kinds, data):
    counts = [
        None if kind is None else np.array(column, dtype=kind)
        for kind, column in zip(kinds, zip(*table, strict=True), strict=True)
    ]
    first = data.draw(st.integers(1, len(table)))
    shelves = [(1, first), (2, len(table) - first)] if first < len(table) else [(1, first)]
    entry = Entry("cat", ("title", "url", "body"), np.arange(len(table), dtype=np.int32), counts, shelves)
    often = zip(*([0] * len(table) if column is None else column.tolist() for column in counts), strict=True)
    ends = list(accumulate(map(sum, often)))
    some = np.array(sorted(data.draw(st.sets(st.integers(0, len(table) - 1)))), dtype=np.int64)
    begins, stops = entry.stretches(some)
    assert begins.tolist() == [[0, *ends][posting] for posting in some]
    assert stops.tolist() == [ends[posting] for posting in some]
    assert entry.sizes == [ends[first - 1], ends[-1] - ends[first - 1]][: len(shelves)]
    assert (begins.tolist(), stops.tolist()) == tuple(each[some].tolist() for each in entry.places[:2])


@pytest.mark.skipif(not compiled, reason="nothing is compiled")
@pytest.mark.parametrize("wrong", [[3], [-1], [0, 9], [2, 1]])
def test_a_posting_that_is_not_there_is_refused(wrong):
    with pytest.raises(ValueError, match="not there"):
        compiled.stretches([np.ones(3, dtype=np.uint8)], np.array(wrong, dtype=np.int64))
