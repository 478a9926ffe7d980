import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph

# 0 -> 1 twice, 0 -> 2, 1 -> 1 twice; page 2 has no links
SOURCES, TARGETS = [0, 0, 0, 1, 1], [1, 2, 1, 1, 1]


def dense(matrix):
    return matrix.toarray().tolist()


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ({}, [[0, 1, 1], [0, 0, 0], [0, 0, 0]]),
        ({"repeated": True}, [[0, 2, 1], [0, 0, 0], [0, 0, 0]]),
        ({"loops": True}, [[0, 1, 1], [0, 1, 0], [0, 0, 0]]),
        ({"repeated": True, "loops": True}, [[0, 2, 1], [0, 2, 0], [0, 0, 0]]),
    ],
)
def test_repeated_links_and_loops_count_only_when_asked_for(options, counts):
    assert dense(LinkGraph.from_edges(3, SOURCES, TARGETS, **options).counts) == counts


def test_a_graph_knows_its_pages_edges_and_degrees():
    graph = LinkGraph.from_edges(3, SOURCES, TARGETS, repeated=True, loops=True)
    assert (graph.n, graph.edges) == (3, 3)
    assert graph.out_degree.tolist() == [3, 2, 0]
    assert graph.dangling.tolist() == [False, False, True]


def test_following_links_shares_a_page_among_its_targets():
    graph = LinkGraph.from_edges(3, SOURCES, TARGETS, repeated=True)
    assert dense(graph.follow) == [[0, 0, 0], [2 / 3, 0, 0], [1 / 3, 0, 0]]


def test_a_page_whose_only_link_is_an_ignored_loop_is_dangling():
    assert LinkGraph.from_edges(1, [0], [0]).dangling.tolist() == [True]


@pytest.mark.parametrize("n", [0, 1, 5])
def test_a_graph_may_have_no_links_at_all(n):
    graph = LinkGraph.from_edges(n, [], [])
    assert (graph.n, graph.edges, graph.out_degree.tolist()) == (n, 0, [0] * n)
    assert graph.follow.shape == (n, n)


@pytest.mark.parametrize("kind", [list, tuple, np.array, lambda ids: np.array(ids, dtype=np.uint32)])
def test_page_numbers_may_come_as_any_sequence_of_whole_numbers(kind):
    assert LinkGraph.from_edges(3, kind(SOURCES), kind(TARGETS)).edges == 2


@pytest.mark.parametrize(
    ("n", "sources", "targets", "complaint"),
    [
        (3, [0, 3], [1, 1], "sources names page 3, but there are 3 pages"),
        (3, [0, 1], [-1, 2], "targets names page -1"),
        (0, [0], [0], "there are 0 pages"),
        (3, [0, 1], [2], "2 sources and 1 targets"),
        (3, [0.5], [1], "flat list of page numbers, not 1-d float64"),
        (3, [[0, 1]], [[1, 2]], "flat list of page numbers, not 2-d"),
        (3, ["0"], ["1"], "flat list of page numbers"),
        (3, [True], [False], "flat list of page numbers"),
        (-1, [], [], "cannot have -1 pages"),
    ],
)
def test_links_that_make_no_sense_are_refused_in_one_line(n, sources, targets, complaint):
    with pytest.raises(BadInput, match=complaint) as refusal:
        LinkGraph.from_edges(n, sources, targets)
    assert "\n" not in str(refusal.value)


def test_what_a_graph_remembers_cannot_be_changed_by_accident():
    graph = LinkGraph.from_edges(3, SOURCES, TARGETS)
    with pytest.raises(ValueError, match="read-only"):
        graph.out_degree[0] = 7
    with pytest.raises(AttributeError):
        graph.counts = None


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6))))
def test_the_order_of_links_does_not_matter_and_their_chances_sum_to_one(edges):
    forth = LinkGraph.from_edges(7, [s for s, _ in edges], [t for _, t in edges])
    back = LinkGraph.from_edges(7, [s for s, _ in edges[::-1]], [t for _, t in edges[::-1]])
    assert dense(forth.counts) == dense(back.counts)
    assert forth.edges == len({(s, t) for s, t in edges if s != t})
    assert forth.follow.sum(axis=0) == pytest.approx(np.where(forth.dangling, 0, 1))


def test_a_million_links_with_repeats_are_counted_right():
    random = np.random.default_rng(1)
    sources, targets = random.integers(0, 1000, size=(2, 1_000_000))
    graph = LinkGraph.from_edges(1000, sources, targets, repeated=True, loops=True)
    assert graph.counts.sum() == 1_000_000
    assert graph.edges == len(np.unique(sources * 1000 + targets))


def test_a_link_repeated_more_often_than_a_byte_can_count_is_still_one_link():
    graph = LinkGraph.from_edges(3, [0] * 256 + [1], [1] * 256 + [2])
    assert graph.incoming.toarray().tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert LinkGraph.from_edges(3, [0] * 256 + [1], [1] * 256 + [2], repeated=True).out_degree.tolist() == [256, 1, 0]
