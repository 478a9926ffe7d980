"""What is packed comes out again: pages, counts and places, whatever their size."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minisearch.packing import (
    ABSENT,
    DENSE,
    SPARSE,
    WIDE,
    pack,
    read_varints,
    unpack,
    unpack_positions,
    write_varints,
)

PAGES = st.integers(0, 300) | st.integers(60_000, 70_000) | st.integers(0, 2**31)  # steps of one, two and four bytes
PLACES = st.integers(0, 200) | st.integers(0, 2**20 - 1)
RUNS = st.lists(PLACES, max_size=4).map(sorted) | st.integers(250, 300).map(lambda n: list(range(n)))


@st.composite
def indexes(draw):
    """(number of fields, {term: {page: its places in each field}})."""
    width = draw(st.integers(1, 4))
    runs = st.lists(RUNS, min_size=width, max_size=width).filter(any)
    return width, draw(st.dictionaries(st.text(max_size=5), st.dictionaries(PAGES, runs, min_size=1), max_size=4))


def pack_all(width, index):
    terms = sorted(index)
    words = [
        (key, page, field, place)
        for key, term in enumerate(terms)
        for page in sorted(index[term])
        for field, places in enumerate(index[term][page])
        for place in places
    ]
    columns = np.array(words, dtype=np.int64).reshape(-1, 4).T
    return list(pack(terms, *columns, width))


def unpack_all(width, rows):
    index = {}
    for row in rows:
        postings = unpack(row.docs, row.df, width)
        runs = postings.table().T
        places = unpack_positions(row.positions, runs.ravel()).tolist()
        pages = index[row.term] = {}
        for page, counts in zip(postings.docs.tolist(), runs.tolist(), strict=True):
            pages[page] = [[places.pop(0) for _ in range(count)] for count in counts]
        assert not places
    return index


def pack_counts(*fields):
    """The row of one term that stands fields[f][p] times in field f of page p."""
    index = {"word": {page: [list(range(n)) for n in counts] for page, counts in enumerate(zip(*fields, strict=True))}}
    (row,) = pack_all(len(fields), index)
    return row


@settings(deadline=None)
@given(indexes())
@example((1, {}))
@example((1, {"a": {0: [[0]]}, "b": {0: [[0]]}}))
def test_what_was_packed_is_unpacked_and_a_row_knows_how_many_pages_it_has(index):
    width, terms = index
    rows = pack_all(width, terms)
    assert [(row.term, row.df) for row in rows] == [(term, len(terms[term])) for term in sorted(terms)]
    assert unpack_all(width, rows) == terms


@pytest.mark.parametrize(("pages", "width"), [([0, 255], 1), ([256], 2), ([7, 65_542], 2), ([0, 65_536], 4)])
def test_a_step_takes_no_more_bytes_than_the_longest_needs(pages, width):
    (row,) = pack_all(1, {"word": {page: [[0]] for page in pages}})
    assert row.docs[0] == width
    assert unpack(row.docs, row.df, 1).docs.tolist() == pages


@pytest.mark.parametrize(
    ("counts", "code"),
    [([1] * 8, DENSE), ([255] * 8, DENSE), ([1] * 7 + [0], SPARSE), ([0] * 8, ABSENT), ([1] * 7 + [256], WIDE)],
)
def test_each_field_is_written_in_the_way_that_suits_it(counts, code):
    row = pack_counts(counts, [1] * 8)
    assert row.docs[1] == code | DENSE << 2
    column = unpack(row.docs, row.df, 2).counts[0]
    assert column is None if code == ABSENT else column.tolist() == counts


def test_nothing_makes_no_rows():
    nothing = np.empty(0, dtype=np.int64)
    assert list(pack([], nothing, nothing, nothing, nothing, 4)) == []


@settings(deadline=None)
@given(st.lists(st.integers(0, 2**35 - 1) | st.integers(0, 200)))
@example([])
@example([127, 128, 2**14 - 1, 2**14, 2**28 - 1, 2**28])
def test_numbers_survive_as_varints_and_each_ends_where_it_says(values):
    packed, ends = write_varints(np.array(values, dtype=np.int64))
    assert read_varints(packed.tobytes()).tolist() == values
    starts = [0, *ends.tolist()]
    for value, start, end in zip(values, starts, starts[1:], strict=False):
        assert end - start == max(1, (value.bit_length() + 6) // 7)
        assert read_varints(packed[start:end].tobytes()).tolist() == [value]
