"""Chunks are counted over all runs."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from minisearch.index import keys


def numbers(*values):
    return np.array(values, dtype=np.int32)


@given(st.lists(st.lists(st.integers(0, 9), max_size=9), max_size=2 * keys.RUNS_AT_A_TIME + 20))
def test_chunks_are_counted(drawn):
    runs = [keys.Run(numbers(*chunks), np.array([len(chunks)]), numbers(0)) for chunks in drawn]
    counts = Counter(chunk for chunks in drawn for chunk in chunks)
    assert keys.counted(runs, 10).tolist() == [counts[chunk] for chunk in range(10)]
