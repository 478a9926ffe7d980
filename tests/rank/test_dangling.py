import numpy as np
import pytest
from hypothesis import example, given

from minisearch.errors import BadInput
from minisearch.rank.dangling import removal
from minisearch.rank.pagerank import pagerank
from minisearch.rank.solve import exact
from minisearch.textbook import dangling as textbook
from tests.webs import ALONE, CHAIN, RING, TWO_ISLANDS, dampings, graph_of, pages_of, random_graph, some_webs, webs


def test_what_is_left_starts_as_told_and_where_jumps_lead_if_that_is_gone():
    links = graph_of({0: [1], 1: [0], 2: []})
    for start, first in (([3, 1, 8], [0.75, 0.25]), ([0, 0, 1], [0.5, 0.5])):
        assert pagerank(links, dangling="remove", start=start, rounds=0).values[:2].tolist() == first


@given(webs)
def test_fast_and_textbook_take_out_the_same_pages_in_the_same_order(links):
    took, (left, stack) = removal(graph_of(links)), textbook.removal(links)
    names = pages_of(links)
    assert [names[page] for page in took.order] == [page for page, _ in stack]
    assert [names[page] for page in took.kept] == list(left)


@example(CHAIN, 0.85)
@example(TWO_ISLANDS, 0.85)
@example({0: [1, 2], 1: [0], 2: [], 3: [2, 2, 0]}, 0.5)
@given(some_webs, dampings)
def test_fast_and_textbook_bring_them_back_with_the_same_ranks(links, damping):
    ranks = pagerank(graph_of(links), damping=damping, dangling="remove", tolerance=1e-14)
    slow = textbook.remove_and_return(links, damping=damping, rounds=1000)
    assert ranks.values.tolist() == pytest.approx([slow[page] for page in pages_of(links)], rel=0, abs=1e-9)


@given(some_webs, dampings)
def test_two_passes_sum_to_one_unless_nothing_is_left(links, damping):
    graph = graph_of(links)
    ranks = pagerank(graph, damping=damping, dangling="two-pass", tolerance=1e-14, max_rounds=2000)
    assert (ranks.values >= 0).all()
    assert ranks.values.sum() == pytest.approx(0 if graph.dangling.all() else 1)
    assert bool(ranks.note) == bool(graph.dangling.all())
    solved = [float(share) for share in exact(graph, damping=damping, dangling="two-pass")]
    assert ranks.values.tolist() == pytest.approx(solved, rel=0, abs=1e-8)


def test_each_step_of_the_removal_can_be_listed():
    assert removal(graph_of(CHAIN)).steps() == [(2, (0, 1)), (1, (0,)), (0, ())]
    assert removal(graph_of(RING)).steps() == []


@pytest.mark.parametrize("links", [ALONE, CHAIN])
@pytest.mark.parametrize("rescale", [False, True])
def test_links_without_a_circle_leave_nothing_to_rank_and_it_says_so(links, rescale):
    ranks = pagerank(graph_of(links), dangling="remove", rescale=rescale)
    assert not ranks.values.any()
    assert "nothing is left to rank" in ranks.note


def test_the_sum_is_one_when_rescaled():
    graph = graph_of({0: [1, 2], 1: [0], 2: []})
    plain, scaled = (pagerank(graph, dangling="remove", rescale=yes).values for yes in (False, True))
    assert plain.sum() > 1.2
    assert scaled == pytest.approx(plain / plain.sum())


def test_a_trap_survives_the_removal():
    assert removal(graph_of({0: [1], 1: [1], 2: [3], 3: []})).kept == (0, 1)


def test_jumps_stay_among_the_pages_that_are_left():
    graph = graph_of({0: [1], 1: [0, 2], 2: []})
    ranks = pagerank(graph, damping=0.5, dangling="remove", teleport=[1, 0, 5]).values
    assert ranks[:2].tolist() == pytest.approx([2 / 3, 1 / 3])
    with pytest.raises(BadInput, match="no page of the teleport vector is left"):
        pagerank(graph, dangling="remove", teleport=[0, 0, 1])


def test_iterates_are_those_of_the_pages_that_are_left():
    ranks = pagerank(graph_of({0: [1], 1: [0, 2], 2: []}), dangling="remove", rounds=3, trace=True)
    assert [len(vector) for vector in ranks.iterates] == [2, 2, 2, 2]


def test_it_is_quick_on_a_larger_web():
    graph = random_graph(20_000, 60_000)
    took = removal(graph)
    assert len(took.order) + len(took.kept) == graph.n
    assert np.isfinite(pagerank(graph, dangling="remove", tolerance=1e-6).values).all()
