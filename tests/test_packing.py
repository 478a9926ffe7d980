"""What is packed comes out again: pages, counts and places, whatever their size."""

import zlib
from itertools import chain

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minisearch.errors import Damaged
from minisearch.index.keys import PLACE_BITS
from minisearch.index.pack import CHUNK, RARE, SHORT, pack, spelled
from minisearch.packing import DEFLATED, Block, Row, apart, distances, gaps, lines, picked, unpack, unpack_positions
from minisearch.search.places import Places
from tests.blocks import opened

PAGES = st.integers(0, 300) | st.integers(60_000, 70_000) | st.integers(0, 2**31)  # steps of one, two and four bytes
PLACES = st.integers(0, 200) | st.integers(0, 2**20 - 1)
RUNS = st.lists(PLACES, max_size=4).map(sorted) | st.integers(250, 300).map(lambda n: list(range(n)))


@st.composite
def indexes(draw):
    """(number of fields, {term: {page: its places in each field}})."""
    width = draw(st.integers(1, 4))
    runs = st.lists(RUNS, min_size=width, max_size=width).filter(any)
    return width, draw(st.dictionaries(st.text(max_size=5), st.dictionaries(PAGES, runs, min_size=1), max_size=4))


def spotted(width, index):
    """The terms of an index in order, where they stand, and between which bounds each does."""
    terms = sorted(index)
    spots = [
        [
            page * width + field << PLACE_BITS | place
            for page in sorted(index[term])
            for field, places in enumerate(index[term][page])
            for place in places
        ]
        for term in terms
    ]
    return terms, np.array([*chain(*spots)], dtype=np.int64), np.cumsum([0, *map(len, spots)])


def packed(width, index):
    return list(pack(*spotted(width, index), width))


def pack_all(width, index):
    return opened(packed(width, index))


def unpack_all(width, rows):
    index = {}
    for row in rows:
        postings = unpack(row.docs, row.df, width)
        runs = postings.table()
        places = unpack_positions(row.positions, postings).tolist()
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


@pytest.mark.parametrize(
    ("pages", "width"), [([0, 255], 1), ([256], 2), ([7, 65_542], 2), ([65_536], 3), ([1 << 24], 4)]
)
def test_a_step_takes_no_more_bytes_than_the_longest_needs(pages, width):
    (row,) = pack_all(1, {"word": {page: [[0]] for page in pages}})
    assert row.docs[0] & ~DEFLATED == width
    assert unpack(row.docs, row.df, 1).docs.tolist() == pages


@pytest.mark.parametrize(
    ("counts", "planes"),
    [([1] * 8, 1), ([255] * 8, 1), ([0, 3] + [0] * 6, 1), ([0] * 8, 0), ([1] * 7 + [256], 2), ([0] * 7 + [70_000], 3)],
    ids=lambda told: len(told) if isinstance(told, list) else told,
)
def test_counts_take_no_more_planes_than_the_largest_needs(counts, planes):
    row = pack_counts(counts, [1] * len(counts))
    assert row.docs[1] == planes | 1 << 2
    postings = unpack(row.docs, row.df, 2)
    assert postings.table().T.tolist() == [counts, [1] * len(counts)]
    assert (postings.counts[0] is None) == (planes == 0)


def test_what_repeats_is_deflated_and_what_is_short_is_not():
    few, many = (pack_all(1, {"word": {page: [[0]] for page in range(n)}})[0] for n in (10, 10_000))
    assert not few.docs[0] & DEFLATED
    assert not few.positions[0] & DEFLATED
    assert many.docs[0] & DEFLATED
    assert len(many.docs) + len(many.positions) < 400


def test_terms_of_every_kind_are_packed_side_by_side():
    index = {
        "absent": {5: [[], [1]]},
        "dense": {page: [[page], [0]] for page in range(9)},
        "sparse": {page: [[7] if page == 400 else [], [page]] for page in range(0, 900, 2)},
        "wide": {70_000: [list(range(300)), []], 70_001: [[], [2**20 - 1]]},
    }
    assert unpack_all(2, pack_all(2, index)) == index


def scattered(pages):
    """A term of many pages, with places that take one, two and three bytes."""
    return {page: [[page % 7] * (page % 3 > 0), [page * 80, page * 80 + 1]] for page in range(pages)}


def steps(places):
    return [place - before for before, place in zip([0, *places], places, strict=False)]


def told_of(index, wanted):
    return [step for page in wanted for places in index[page] for step in steps(places)]


def distances_of(row, wanted):
    begins, some = unpack(row.docs, row.df, 2).begins(), np.array(wanted, dtype=np.int64)
    starts, stops, end = begins[some].tolist(), begins[some + 1].tolist(), int(begins[-1])
    found = Places([row.positions]).distances([end], starts, stops)
    last, ends = Places([row.positions] * 3), [end] * 3
    assert last.distances(ends, [start + 2 * end for start in starts], [stop + 2 * end for stop in stops]) == found
    assert (
        b"".join(last.distances(ends, [0], [3 * end]))
        == b"".join(last.distances(ends, begins[:-1].tolist(), begins[1:].tolist())) * 3
    )
    return np.frombuffer(b"".join(found), "<u4").tolist()


@settings(deadline=None)
@given(st.sampled_from([1, 2, CHUNK // 3, CHUNK // 2, CHUNK, 3 * CHUNK]), st.data())
def test_places_of_some_pages_are_read_without_the_rest(pages, data):
    index = scattered(pages)
    (row,) = pack_all(2, {"word": index})
    wanted = data.draw(st.lists(st.integers(0, pages - 1), unique=True, min_size=1, max_size=pages).map(sorted))
    assert distances_of(row, wanted) == told_of(index, wanted)


@pytest.mark.parametrize("pages", [1, CHUNK // 3, CHUNK, 3 * CHUNK])
def test_first_last_and_all_of_the_pages_can_be_wanted(pages):
    index = scattered(pages)
    (row,) = pack_all(2, {"word": index})
    for wanted in ([0], [pages - 1], [*range(pages)]):
        assert distances_of(row, wanted) == told_of(index, wanted)
    assert unpack_all(2, [row]) == {"word": index}


def test_nothing_makes_no_rows():
    nothing = np.empty(0, dtype=np.int64)
    assert list(pack([], nothing, np.zeros(1, dtype=np.int64), 4)) == []


def test_rare_terms_share_rows_and_others_have_rows_of_their_own():
    rare = [f"rare{number:03}" for number in range(100)]
    columns = {name: {number % 50: [[number]], 70_000: [[1]]} for number, name in enumerate(rare)}
    columns["common"] = {page: [[0]] for page in range(RARE)}
    columns["long"] = {1: [list(range(SHORT + 1))]}
    found = packed(1, columns)
    blocks = [each for each in found if isinstance(each, Block)]
    assert [row.term for row in found if isinstance(row, Row)] == ["common", "long"]
    assert [term for block in blocks for term, df in lines(block.terms, block.counts) if df == 2] == rare
    assert len(blocks) < len(rare) / 10
    assert unpack_all(1, opened(found)) == columns


def test_one_term_of_a_block_is_read_by_its_whole_name():
    (block,) = packed(1, {"cat": {1: [[0]]}, "catalogue": {2: [[0]]}, "cats": {3: [[7]]}})
    rows = apart(block)
    assert [row.term for row in rows] == ["cat", "catalogue", "cats"]
    assert [picked(block, row.term) for row in rows] == rows
    assert picked(block, "cata") is None
    assert picked(block, "dog") is None


def test_words_as_they_are_written_share_rows_too():
    words = [Row(f"!w{number}", number, b"", b"", "Wé" * (number % 3)) for number in range(1, 200)]
    blocks = list(spelled((row.term, row.df, row.word) for row in words))
    assert [row for block in blocks for row in apart(block)] == words
    assert [found for word in words for block in blocks if (found := picked(block, word.term))] == words


@pytest.mark.parametrize("start", [0, 7, 1 << 31])
def test_pages_are_numbered_from_where_one_likes(start):
    (row,) = pack_all(1, {"word": {page: [[0]] for page in (0, 3, 300)}})
    assert unpack(row.docs, row.df, 1, start).docs.tolist() == [start, start + 3, start + 300]


@pytest.mark.parametrize("steps", [[1, 0], [0, 0], [5, 1, 0, 1]])
def test_pages_that_do_not_rise_are_no_postings(steps):
    with pytest.raises(Damaged):
        unpack(bytes([1, 1, *steps, *[1] * len(steps)]), len(steps), 1)


@given(st.lists(st.integers(0, 300), max_size=20), st.sampled_from([2, 3, 4]), st.booleans())
def test_distances_are_the_same_in_four_bytes_each(numbers, planes, deflated):
    raw = b"".join(bytes(number >> 8 * plane & 255 for number in numbers) for plane in range(planes))
    packed = zlib.compress(raw, wbits=-15) if deflated else raw
    chunk = memoryview(bytes([planes | DEFLATED * deflated]) + packed)
    assert (
        np.frombuffer(gaps(chunk, len(numbers)), "<u4").tolist() == distances(chunk, len(numbers)).tolist() == numbers
    )
    with pytest.raises(Damaged):
        gaps(chunk, len(numbers) + 1)
