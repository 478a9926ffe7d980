"""Numbers of pages are read as they were written, in as few bytes as will do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.store import columns

numbers = st.integers(0, 3) | st.integers(0, 300) | st.integers(0, 70_000) | st.integers(0, (1 << 32) - 1)
tables = st.tuples(st.integers(0, 4), st.integers(0, 9)).flatmap(
    lambda shape: st.lists(
        st.lists(numbers, min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
    )
)


@given(tables)
def test_columns_are_read_as_they_were_written(table):
    blob = columns.packed(*(np.array(column, dtype=np.int64) for column in table))
    assert [found.tolist() for found in columns.unpacked(blob, len(table[0]) if table else 0, len(table))] == table


@given(those=st.lists(numbers), rising=st.booleans())
def test_steps_lead_back_to_the_numbers_whether_they_rise_or_not(those, rising):
    asked = sorted(those) if rising else those
    blob = columns.packed(columns.steps(np.array(asked, dtype=np.int64)))
    found = columns.rising(blob, len(asked))
    assert (found.tolist(), found.dtype) == (asked, np.uint32)


@given(blob=st.binary(max_size=20), size=st.integers(0, 10))
def test_steps_of_another_length_are_refused(blob, size):
    if blob and blob[0] in columns.WIDTHS and len(blob) == 1 + blob[0] * size:
        return
    with pytest.raises((ValueError, IndexError, TypeError)):
        columns.rising(blob, size)


def test_a_number_takes_as_many_bytes_as_the_largest_needs():
    sizes = [len(columns.packed(np.array([most, 0, 0]))) for most in (0, 1, 255, 256, 65_535, 65_536)]
    assert sizes == [1, 4, 4, 7, 7, 13]
    assert len(columns.packed(columns.steps(np.arange(7, 1007)))) == 1001


@pytest.mark.parametrize("blob", [b"", b"\1", b"\1ab", b"\1abcd", b"\1abc\0", b"\0abc", b"\3abcdefghi"])
def test_columns_of_another_length_are_refused(blob):
    with pytest.raises((ValueError, IndexError, TypeError)):
        columns.unpacked(blob, 3, 1)
