"""What is encoded is decoded again; what is damaged or hostile raises Damaged, and never fills the memory."""

import tracemalloc
import zlib
from contextlib import suppress
from struct import pack

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from minisearch.errors import Damaged
from minisearch.index import codec
from minisearch.index.codec import (
    CHUNK,
    decode_block,
    decode_columns,
    decode_gaps,
    differences,
    encode_block,
    encode_columns,
)

numbers = st.integers(0, 3) | st.integers(0, 300) | st.integers(0, 70_000) | st.integers(0, (1 << 32) - 1)
documents = st.integers(0, 300) | st.integers(60_000, 70_000) | st.integers(0, (1 << 31) - 1)


def column(values):
    return np.array(values, dtype=np.int64)


# -- columns -------------------------------------------------------------------------------------


@given(st.lists(st.lists(numbers, max_size=9), max_size=5))
@example([[]])
@example([[(1 << 32) - 1], [0, 0, 0], []])
def test_columns_are_decoded_as_they_were_encoded(columns):
    packed = encode_columns([column(values) for values in columns])
    assert [found.tolist() for found in decode_columns(packed, len(columns))] == columns


@pytest.mark.parametrize(
    ("most", "size"),
    [(0, 0), (1, 1), (255, 1), (256, 2), (65_535, 2), (65_536, 4), ((1 << 32) - 1, 4)],
)
def test_a_column_takes_the_narrowest_type_that_holds_it(most, size):
    raw = zlib.decompress(encode_columns([column([most, 0, 0])]))
    assert len(raw) == len(zlib.decompress(encode_columns([column([])]))) + 3 * size
    (found,) = decode_columns(encode_columns([column([most, 0, 0])]), 1)
    assert found.dtype.kind == "u"
    assert found.dtype.itemsize == max(1, size)


@given(st.lists(st.lists(documents, min_size=1, max_size=6).map(sorted), min_size=1, max_size=4))
def test_differences_lead_back_to_the_values_of_each_run(runs):
    starts = np.cumsum([0, *map(len, runs[:-1])])
    steps = differences(column([value for run in runs for value in run]), starts)
    assert [np.cumsum(part).tolist() for part in np.split(steps, starts[1:])] == runs


# -- blocks --------------------------------------------------------------------------------------


@st.composite
def blocks(draw):
    """(fields, for each term {document: its positions in each field})."""
    fields = draw(st.sampled_from([1, 4]))
    positions = st.lists(st.integers(0, 300) | st.integers(0, (1 << 20) - 1), max_size=4).map(sorted)
    in_fields = st.lists(positions, min_size=fields, max_size=fields).filter(any)
    return fields, draw(st.lists(st.dictionaries(documents, in_fields, min_size=1, max_size=5), min_size=1, max_size=4))


def encoded(fields, terms):
    """The two parts of a block."""
    postings = [(doc, term[doc]) for term in terms for doc in sorted(term)]
    bounds = np.cumsum([0, *map(len, terms)])
    tf = column([[len(places) for places in in_fields] for _, in_fields in postings]).reshape(-1, fields).T
    runs = [places for _, in_fields in postings for places in in_fields if places]
    gaps = differences(column([place for run in runs for place in run]), np.cumsum([0, *map(len, runs[:-1])]))
    return encode_block(bounds, differences(column([doc for doc, _ in postings]), bounds[:-1]), tf, gaps)


def decoded(fields, terms, docs, positions):
    """The same as `blocks` draws, read term by term."""
    block = decode_block(docs, fields)
    gaps = decode_gaps(positions, block, np.arange(len(block.docs))).tolist()
    found = []
    for place in range(terms):
        postings = block.postings(place)
        found.append({})
        for doc, counts in zip(postings.docs.tolist(), postings.tf.T.tolist(), strict=True):
            found[-1][doc] = [np.cumsum([gaps.pop(0) for _ in range(count)]).tolist() for count in counts]
    assert not gaps
    return found


@given(blocks())
@example((1, [{0: [[0]]}, {0: [[0]]}]))
@example((4, [{(1 << 31) - 1: [[], [], [], [(1 << 20) - 1]]}]))
def test_the_postings_of_a_block_are_decoded_as_they_were_encoded(drawn):
    fields, terms = drawn
    assert decoded(fields, len(terms), *encoded(fields, terms)) == terms


@given(blocks(), st.data())
def test_positions_of_some_postings_are_decoded_without_the_rest(drawn, data):
    fields, terms = drawn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(codec, "CHUNK", data.draw(st.integers(1, 4)))
        docs, positions = encoded(fields, terms)
        block = decode_block(docs, fields)
        wanted = sorted(data.draw(st.sets(st.integers(0, len(block.docs) - 1))))
        found = decode_gaps(positions, block, column(wanted)).tolist()
    runs = [places for term in terms for doc in sorted(term) for places in [term[doc]]]
    assert found == [
        step for posting in wanted for places in runs[posting] for step in np.diff(places, prepend=0).tolist()
    ]


def test_a_chunk_that_is_damaged_does_not_harm_the_others():
    docs, positions = encoded(1, [{doc: [[doc]] for doc in range(3 * CHUNK)}])
    block = decode_block(docs, 1)
    positions = positions[:-1] + b"?"
    assert decode_gaps(positions, block, column([0, 2 * CHUNK - 1])).tolist() == [0, 2 * CHUNK - 1]
    with pytest.raises(Damaged):
        decode_gaps(positions, block, column([2 * CHUNK]))


def test_postings_that_follow_a_pattern_take_little_space():
    docs, positions = encoded(1, [{doc: [[3]] for doc in range(10_000)}])
    assert len(docs) + len(positions) < 2000
    assert [each.itemsize for each in decode_columns(docs, 3)] == [2, 1, 1]


@pytest.mark.parametrize("place", [-1, 2, 99])
def test_a_place_outside_the_block_is_damage(place):
    block = decode_block(encoded(1, [{1: [[0]]}, {2: [[0]]}])[0], 1)
    with pytest.raises(Damaged):
        block.postings(place)


# -- damage --------------------------------------------------------------------------------------


def refused(packed, fields=1):
    with pytest.raises(Damaged):
        decode_block(packed, fields)


def positions_refused(packed, block):
    with pytest.raises(Damaged):
        decode_gaps(packed, block, np.arange(len(block.docs)))


@given(blocks(), st.data())
def test_a_part_that_was_cut_short_is_damage(drawn, data):
    fields, terms = drawn
    docs, positions = encoded(fields, terms)
    refused(docs[: data.draw(st.integers(0, len(docs) - 1))], fields)
    block = decode_block(docs, fields)
    positions_refused(positions[: data.draw(st.integers(0, len(positions) - 1))], block)


def damage(packed, data, first):
    """Change a byte so that zlib's data are others, or none."""
    place = data.draw(st.integers(first, len(packed) - 1))
    before = zlib.decompress(packed[first - 2 :])
    packed[place] ^= data.draw(st.integers(1, 255))
    with suppress(zlib.error):
        assume(zlib.decompress(packed[first - 2 :]) != before)


@given(blocks(), st.data())
def test_a_part_in_which_a_byte_has_changed_is_damage(drawn, data):
    """zlib keeps a checksum; only a few bits of its header, and those that fill its last byte, mean nothing to us."""
    fields, terms = drawn
    docs, positions = map(bytearray, encoded(fields, terms))
    block = decode_block(bytes(docs), fields)
    damage(docs, data, 2)
    refused(bytes(docs), fields)
    damage(positions, data, 6)
    positions_refused(bytes(positions), block)


@given(st.binary(max_size=60), st.integers(0, 6))
def test_any_bytes_are_columns_or_damage(garbage, count):
    for packed in (garbage, zlib.compress(garbage)):
        try:
            columns = decode_columns(packed, count)
        except Damaged:
            continue
        assert len(columns) == count


@pytest.mark.parametrize("packed", [None, "text", 7, b""], ids=repr)
def test_a_value_that_is_no_blob_is_damage(packed):
    refused(packed)
    positions_refused(packed, decode_block(encoded(1, [{1: [[0]]}])[0], 1))


def test_what_follows_the_columns_is_damage():
    packed = encode_columns([column([1]), column([2])])
    with pytest.raises(Damaged):
        decode_columns(packed, 1)
    with pytest.raises(Damaged):
        decode_columns(packed + b"more", 2)


@pytest.mark.parametrize(
    ("df", "steps", "tf"),
    [
        ([], [], []),
        ([0], [], []),
        ([1, 0], [1], [1]),
        ([2], [1], [1]),
        ([1], [1, 1], [1, 1]),
        ([1], [1], [1, 1]),
        ([2], [1, 0], [1, 1]),  # documents rise
        ([2, 1], [0, 0, 5], [1, 1, 1]),
        ([2], [(1 << 31) - 1, 1], [1, 1]),
    ],
    ids=str,
)
def test_columns_that_are_no_postings_are_damage(df, steps, tf):
    refused(encode_columns([column(df), column(steps), column(tf)]))


def test_the_first_document_of_every_term_may_be_number_zero():
    block = decode_block(encode_columns([column([2, 1]), column([0, 3, 0]), column([1, 1, 1])]), 1)
    assert [block.postings(place).docs.tolist() for place in (0, 1)] == [[0, 3], [0]]


@pytest.fixture
def bounded():
    """Fails a test that takes more than 300 MB of memory: the limit of a part, and a little."""
    tracemalloc.start()
    yield
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 300_000_000


def test_a_zip_bomb_is_damage(bounded, monkeypatch):
    monkeypatch.setattr(codec, "_MOST_BYTES", 1 << 20)
    packer = zlib.compressobj(1)
    bomb = b"".join(packer.compress(bytes(1 << 20)) for _ in range(300)) + packer.flush()
    assert len(bomb) < 2_000_000
    refused(bomb)


@pytest.mark.parametrize("length", [(1 << 32) - 1, 1 << 28, 1 << 25], ids=hex)
@pytest.mark.parametrize("size", [0, 1, 4, 8])
def test_a_block_of_a_few_bytes_that_claims_huge_columns_is_damage(bounded, size, length):
    header = pack("<BI", size, length)
    df = pack("<BI", 4, 1) + pack("<I", length)
    for hostile in (df + header * 2, header * 3, df * 2 + header):
        refused(zlib.compress(hostile))


@pytest.mark.parametrize("size", [0, 1, 4, 8])
@pytest.mark.parametrize("length", [(1 << 32) - 1, 1 << 25], ids=hex)
def test_positions_of_a_few_bytes_that_claim_to_be_very_many_are_damage(bounded, size, length):
    chunk = zlib.compress(pack("<BI", size, length))
    pages = 3 * CHUNK
    tf = np.where(np.arange(pages) % CHUNK, 0, length)
    docs = encode_columns([column([pages]), column([1] * pages), tf])
    positions_refused(pack("<III", *[len(chunk)] * 3) + chunk * 3, decode_block(docs, 1))
