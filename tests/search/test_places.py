"""The spots of some terms are what their distances add up to; compiled or not."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from minisearch.errors import Damaged
from minisearch.native.loops import compiled
from minisearch.search import places
from minisearch.search.recipe import FIELDS
from minisearch.search.spots import spot

needs_it = pytest.mark.skipif(not compiled, reason="nothing is compiled")
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
def test_compiled_or_not_spots_are_what_distances_add_up_to(drawn, where):
    told, gaps, spots = zip(*drawn, strict=True)
    assume(any(gaps))  # a term whose postings are wanted stands somewhere
    ends = np.cumsum([len(those) for those in spots]).tolist()
    pieces = cut([*chain(*gaps)], where)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "compiled", None)
        plain = places._spots([*told], pieces)
    for those, stops in (plain, places._spots([*told], pieces)):
        assert (those.tolist(), stops) == ([*chain(*spots)], ends)


def told(docs=(1, 5), postings=(0, 1), counts=(1, 2), field=0):
    return np.array(docs, dtype=np.int32), np.array(postings, dtype=np.int64), [(field, np.array(counts, np.uint8))]


@needs_it
@pytest.mark.parametrize(
    ("wanted", "distances"),
    [
        ([told()], [b"\1\0\0\0"]),
        ([told()], [bytes(16)]),
        ([told(postings=[0, 2])], [bytes(12)]),
        ([told(postings=[-1])], [bytes(12)]),
        ([told(counts=[1])], [bytes(12)]),
        ([told(field=8)], [bytes(12)]),
        ([told(field=-1)], [bytes(12)]),
        ([(*told()[:2], 2 * told()[2])], [bytes(12)]),
        ([told()[:2]], [bytes(12)]),
        ([1], [bytes(12)]),
        ([(*told()[:2], [1])], [bytes(12)]),
        ([told()], ["text"]),
        ([(told()[0].astype(np.int64), *told()[1:])], [bytes(12)]),
        ([(told()[0], told()[0], told()[2])], [bytes(12)]),
        ([(*told()[:2], [(0, np.array([0.5, 1]))])], [bytes(12)]),
    ],
)
def test_what_does_not_belong_together_is_refused(wanted, distances):
    with pytest.raises(Damaged):
        places._spots(wanted, distances)
    assert places._spots([told()], [bytes(12)])[1] == [3]
