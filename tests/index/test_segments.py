"""Which segments are indexed again: few while a crawl goes on, all that ought to be when it is over."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from minisearch.index.builder import Document, build_segment
from minisearch.index.codec import decode_columns
from minisearch.index.indexer import KEPT, MOST_PROCESSES, MOST_SEGMENTS, due, small_enough, write_segment
from minisearch.store.database import Store

live_sizes = st.lists(st.integers(0, 5000), max_size=40)


def segments(sizes, live=None):
    """(id, documents, those that count) of segments."""
    return [(number, size, count) for number, (size, count) in enumerate(zip(sizes, live or sizes, strict=True), 1)]


@given(live_sizes, st.integers(0, 9000))
def test_the_smallest_segments_are_taken_as_long_as_they_have_no_more_pages_than_are_added(sizes, added):
    chosen = small_enough(segments(sizes), added)
    taken = [sizes[number - 1] for number in chosen]
    left = [size for number, size in enumerate(sizes, 1) if number not in chosen]
    assert len(set(chosen)) == len(chosen)
    assert sum(taken) <= added
    assert not left or max(taken, default=0) <= min(left)
    assert not left or sum(taken) + min(left) > added


def test_pages_that_no_longer_count_are_not_indexed_again():
    assert small_enough(segments([100, 50], live=[10, 50]), 20) == [1]


@pytest.mark.parametrize(
    ("sizes", "live", "chosen"),
    [
        ([], None, []),
        ([1] * MOST_SEGMENTS, None, []),
        ([4000, *[100] * MOST_SEGMENTS], None, [*range(2, MOST_SEGMENTS + 2)]),
        ([10_000], [8000], []),
        ([10_000], [7999], [1]),
        ([1000], [999], [1]),
        ([10], [9], [1]),
        ([10], [0], [1]),
        ([5, 10, 5], [5, 0, 5], [2]),
    ],
)
def test_segments_are_due_if_they_are_stale_or_many(sizes, live, chosen):
    assert due(segments(sizes, live)) == chosen


@given(live_sizes, st.data())
@example([2000] * 20 + [1000, 300], None)
@example([2000] * 20, None)
def test_rebuilding_what_is_due_leaves_few_segments_and_none_that_is_due(sizes, data):
    live = [data.draw(st.integers(0, size)) for size in sizes] if data else sizes
    chosen = due(segments(sizes, live))
    kept = [(size, count) for number, size, count in segments(sizes, live) if number not in chosen]
    pages = sum(live[number - 1] for number in chosen)
    rebuilt = [len(part) for part in np.array_split(np.arange(pages), MOST_PROCESSES) if len(part)]
    after = [*(size for size, _ in kept), *rebuilt]
    assert len(after) <= max(MOST_SEGMENTS, MOST_PROCESSES)
    assert due(segments(after, [*(count for _, count in kept), *rebuilt])) == []


@given(live_sizes)
def test_of_many_segments_the_largest_are_kept(sizes):
    chosen = due(segments(sizes))
    kept = [size for number, size in enumerate(sizes, 1) if number not in chosen]
    assert all(size <= min(kept, default=size) for size in (sizes[number - 1] for number in chosen))
    assert not chosen or len(kept) <= KEPT


def test_a_segment_is_written_as_it_was_built():
    store = Store()
    segment = build_segment([Document(7, ("Cats", "", "/a", "os.path")), Document(300, ("", "", "", "cats"), "sr")])
    with store.transaction():
        number = write_segment(store, segment)
    (stored,) = store.postings.segments()
    assert (stored.id, stored.kind, stored.size, stored.languages) == (number, "page", 2, ("en", "sr"))
    assert np.cumsum(decode_columns(stored.pages, 1)[0]).tolist() == [7, 300]
    assert [column.tolist() for column in decode_columns(stored.lengths, 4)] == segment.lengths.tolist()
    assert decode_columns(stored.language, 1)[0].tolist() == [0, 1]
    rows = store.postings.postings([number], [term[0] for term in segment.terms])
    written = [(term, df, place) for term, df, _, place in segment.terms]
    assert sorted((row.term, row.df, row.place) for row in rows) == written
    assert {row.docs for row in rows} == {docs for docs, _ in segment.blocks}
    assert set(store.postings.positions([(number, row.block_id) for row in rows]).values()) == {
        positions for _, positions in segment.blocks
    }
    store.close()
