import numpy as np
import pytest

from minisearch.search.spots import following, spot, spot_doc, spot_field, spot_place


@pytest.mark.parametrize(
    ("first", "second", "after"),
    [([1, 4, 9], [2, 3, 10], [2, 10]), ([3], [5], []), ([], [1], []), ([1], [], [])],
)
def test_what_follows_is_one_further(first, second, after):
    found = following(np.array(first, dtype=np.int64), np.array(second, dtype=np.int64))
    assert found.tolist() == after


@pytest.mark.parametrize("sizes", [(400, 500), (500, 400), (400, 400), (10, 5000), (5000, 10)])
def test_so_it_is_among_many(sizes):
    draw = np.random.default_rng(7)
    first, second = (np.unique(draw.integers(0, 9000, size)) for size in sizes)
    assert following(first, second).tolist() == sorted({*(first + 1).tolist()} & {*second.tolist()})


def test_a_spot_tells_page_field_and_place():
    spots = spot(np.array([0, 70_000]), np.array([4, 3]), np.array([7, (1 << 20) - 1]))
    assert spot_doc(spots).tolist() == [0, 70_000]
    assert spot_field(spots).tolist() == [4, 3]
    assert spot_place(spots).tolist() == [7, (1 << 20) - 1]


def test_the_last_place_of_a_field_is_not_followed_by_the_first_of_the_next():
    last, first = spot(np.array([1, 1]), np.array([2, 3]), np.array([(1 << 20) - 1, 0]))
    assert last + 1 < first


def test_several_words_are_read_together_as_each_alone(webs):
    engine = webs.build(
        [webs.page("a", "one two one two three", title="Two", links=[("b", "two three")]), webs.page("b", "two")],
        [webs.page("c", "three two one", headings=["one two"])],
    )
    from minisearch.search.clauses import Variant, Word
    from minisearch.search.snapshot import Snapshot

    index = Snapshot(engine.store)
    found = [index.find(Word(term, (Variant(term),))) for term in ("one", "two", "three", "four")]
    asked = [(where, np.arange(index.size)) for where in found]
    together = [spots.tolist() for spots in index.spots(*asked)]
    assert together == [index.spots(each)[0].tolist() for each in asked]
    assert [len(spots) for spots in together] == [4, 7, 3, 0]
