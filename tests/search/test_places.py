"""Distances are read out of their chunks, and spots are what they add up to."""

import zlib
from itertools import accumulate, chain

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from minisearch.errors import Damaged
from minisearch.packing import DEFLATED
from minisearch.search import places
from minisearch.search.entries import Entry
from minisearch.search.recipe import FIELDS
from minisearch.search.spots import spot

kinds = st.sampled_from([np.uint8, np.uint16, np.int64])
pages = st.sets(st.integers(0, 90_000), min_size=1, max_size=6).map(sorted)


@st.composite
def terms(draw):
    """A term as it is told, and its spots, by the postings that are wanted."""
    docs = draw(pages)
    wanted = sorted(draw(st.sets(st.integers(0, len(docs) - 1), min_size=1)))
    fields = draw(st.lists(st.integers(0, len(FIELDS) - 1), unique=True).map(sorted))
    counts = {field: draw(st.lists(st.integers(0, 3), min_size=len(docs), max_size=len(docs))) for field in fields}
    told = [(field, np.array(those, dtype=draw(kinds))) for field, those in counts.items()]
    gaps, spots = [], []
    for posting in wanted:
        for field, those in counts.items():
            here = draw(st.lists(st.integers(0, 70_000), min_size=those[posting], max_size=those[posting]))
            gaps += here
            spots += [int(spot(docs[posting], field, place)) for place in np.cumsum(here, dtype=np.int64).tolist()]
    return (np.array(docs, dtype=np.int32), np.array(wanted, dtype=np.int64), told), gaps, spots


def cut(gaps, where):
    """Distances as bytes, in pieces."""
    raw = np.array(gaps, dtype="<u4").tobytes()
    ends = sorted({min(4 * end, len(raw)) for end in where})
    return [raw[low:high] for low, high in zip([0, *ends], [*ends, len(raw)], strict=True)]


@given(st.lists(terms(), min_size=1, max_size=4), st.lists(st.integers(0, 30)))
def test_spots_are_what_distances_add_up_to(drawn, where):
    told, gaps, spots = zip(*drawn, strict=True)
    assume(any(gaps))  # a term whose postings are wanted stands somewhere
    ends = np.cumsum([len(those) for those in spots]).tolist()
    pieces = cut([*chain(*gaps)], where)
    those, stops = places._spots([*told], pieces)
    assert (those.tolist(), stops) == ([*chain(*spots)], ends)


def told(docs=(1, 5), postings=(0, 1), counts=(1, 2), field=0):
    return np.array(docs, dtype=np.int32), np.array(postings, dtype=np.int64), [(field, np.array(counts, np.uint8))]


def packed(gaps, size):
    """Distances as a positions blob, in chunks of a size; in one if that is 0."""
    raw = [gaps] if not size else [gaps[low : low + size] for low in range(0, len(gaps), size)]
    bodies = [chunk(those, bool(number % 2)) for number, those in enumerate(raw)]
    if not size:
        return bodies[0]
    table = [*[0] * len(raw), *accumulate(map(len, bodies)), *map(len, raw)]
    return b"\0" + len(raw).to_bytes(4, "little") + np.array(table, dtype="<u4").tobytes() + b"".join(bodies)


def chunk(those, deflate):
    planes = max(1, (max(those, default=0).bit_length() + 7) // 8)
    raw = b"".join(bytes(gap >> 8 * plane & 255 for gap in those) for plane in range(planes))
    packer = zlib.compressobj(1, zlib.DEFLATED, -13)
    return bytes([planes | DEFLATED]) + packer.compress(raw) + packer.flush() if deflate else bytes([planes]) + raw


@st.composite
def placed(draw):
    """A term on some shelves, its positions there, all its distances, and which postings are wanted."""
    sizes = draw(st.lists(st.integers(1, 8), min_size=1, max_size=3))
    pages = sum(sizes)
    table = draw(st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=2), min_size=pages, max_size=pages))
    counts = [np.array(column, dtype=draw(kinds)) for column in zip(*table, strict=True)]
    shelves = [(number, size) for number, size in enumerate(sizes)]
    entry = Entry(
        "cat",
        ("title", "url", "body"),
        np.arange(pages, dtype=np.int32),
        [*counts, None],
        shelves,
        [None] * len(shelves),
    )
    blobs, distances = [], []
    for total in entry.sizes:
        gaps = draw(st.lists(st.integers(0, draw(st.sampled_from([9, 999, 99_999]))), min_size=total, max_size=total))
        distances += gaps
        blobs.append(packed(gaps, draw(st.integers(0, 5))))
    wanted = draw(st.lists(st.sets(st.integers(0, pages - 1)).map(sorted), min_size=1, max_size=3))
    return entry, blobs, distances, [np.array(some, dtype=np.int64) for some in wanted]


def told_by(found, entry, wanted):
    """What is read, time after time; or that it cannot be."""
    try:
        return [b"".join(found.of(entry, some)) for some in wanted]
    except Damaged:
        return "damaged"


def plainly(distances, entry, some):
    stretches = zip(*entry.stretches(some), strict=True)
    return b"".join(np.array(distances[begin:end], dtype="<u4").tobytes() for begin, end in stretches)


@given(placed())
def test_distances_are_read_as_they_were_packed(drawn):
    entry, blobs, distances, wanted = drawn
    found = places.Places(blobs)
    before = found.memory()
    assert told_by(found, entry, wanted) == [plainly(distances, entry, some) for some in wanted]
    assert found.memory() - before >= sum(300 + len(opened) for opened in found._open.values())


@given(placed(), st.data())
def test_damaged_distances_are_refused_or_read(drawn, data):
    entry, blobs, distances, wanted = drawn
    number = data.draw(st.integers(0, len(blobs) - 1))
    blob, at = blobs[number], data.draw(st.integers(0, len(blobs[number]) - 1))
    bit = 1 << data.draw(st.integers(0, 7))
    blobs[number] = data.draw(
        st.sampled_from([blob[:at], blob + b"\0", blob[:at] + bytes([blob[at] ^ bit]) + blob[at + 1 :]])
    )
    found = told_by(places.Places(blobs), entry, wanted)
    sizes = [len(plainly(distances, entry, some)) for some in wanted]
    assert found == "damaged" or [len(read) for read in found] == sizes
