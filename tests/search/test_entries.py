"""The postings of a term on all shelves, and where the places of some begin and end."""

import zlib
from contextlib import suppress
from itertools import accumulate

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import Damaged
from minisearch.packing import DEFLATED
from minisearch.search import entries
from minisearch.search.clauses import Variant
from minisearch.search.entries import Entry, Shelf

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
    entry = Entry(
        "cat", ("title", "url", "body"), np.arange(len(table), dtype=np.int32), counts, shelves, [None] * len(shelves)
    )
    often = zip(*([0] * len(table) if column is None else column.tolist() for column in counts), strict=True)
    ends = list(accumulate(map(sum, often)))
    some = np.array(sorted(data.draw(st.sets(st.integers(0, len(table) - 1)))), dtype=np.int64)
    begins, stops = entry.stretches(some)
    assert begins.tolist() == [[0, *ends][posting] for posting in some]
    assert stops.tolist() == [ends[posting] for posting in some]
    assert entry.sizes == [ends[first - 1], ends[-1] - ends[first - 1]][: len(shelves)]
    assert (begins.tolist(), stops.tolist()) == tuple(each[some].tolist() for each in entry.places[:2])


def blob_of(pages, counts, deflate):
    """Postings as they are packed: pages, and of each field how often each has the term (None: nowhere)."""
    steps = np.diff(np.array([0, *pages], dtype=np.int64))
    widths = [0 if column is None else planes(max(column)) for column in counts]
    head = bytes([planes(int(steps.max())), sum(width << 2 * field for field, width in enumerate(widths))])
    raw = in_planes(steps, head[0])
    for column, width in zip(counts, widths, strict=True):
        raw += in_planes(np.array(column, dtype=np.int64), width) if width else b""
    packer = zlib.compressobj(1, zlib.DEFLATED, -13)
    packed = packer.compress(raw) + packer.flush()
    return bytes([head[0] | DEFLATED, head[1]]) + packed if deflate else head + raw


def planes(most):
    return max(1, (most.bit_length() + 7) // 8)


def in_planes(numbers, width):
    return b"".join((numbers >> 8 * plane & 255).astype(np.uint8).tobytes() for plane in range(width))


@st.composite
def shelves(draw):
    """The postings of a term on some shelves: (shelf, df, blob), the first page of each after the last of the other."""
    fields = draw(st.sampled_from([("title", "headings", "url", "body"), ("anchor",)]))
    found, start = [], draw(st.integers(0, 5))
    for number in range(draw(st.integers(1, 3))):
        size = draw(st.integers(1, 400))
        pages = sorted(draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=12)))
        most = draw(st.sampled_from([1, 255, 256, 70_000]))
        column = st.none() | st.lists(st.integers(0, most), min_size=len(pages), max_size=len(pages))
        counts = draw(st.lists(column, min_size=len(fields), max_size=len(fields)))
        follows = draw(st.booleans())
        listed = [] if follows else draw(st.lists(st.integers(-1, 9), min_size=size, max_size=size))
        if not follows and draw(st.booleans()):
            listed = [*range(start, start + size)]
        spoken = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
        numbers = np.array(listed, dtype=np.int32)
        languages = ("en", "de"), np.array(spoken, dtype=np.uint8)
        shelf = Shelf(number, fields, size, start if follows else -1, numbers, *languages)
        found.append((shelf, len(pages), blob_of(pages, counts, draw(st.booleans())), number))
        start += size
    return found


@given(shelves(), st.data())
def test_damaged_postings_are_refused_or_read(found, data):
    (shelf, df, blob, _), *others = found
    at = data.draw(st.integers(0, len(blob) - 1))
    blob = data.draw(
        st.sampled_from([blob[:at], blob + b"\0", blob[:at] + bytes([blob[at] ^ 1 << at % 8]) + blob[at + 1 :]])
    )
    damaged = [(shelf, data.draw(st.sampled_from([df, df + 1, df - 1, -1, 1 << 40])), blob, 0), *others]
    with suppress(Damaged):
        made = entries.united(Variant("cat"), damaged)
        assert made is None or (np.diff(made.docs) >= 0).all()
