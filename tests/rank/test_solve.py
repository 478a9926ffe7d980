from fractions import Fraction

import pytest
from hypothesis import example, given

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph
from minisearch.rank.pagerank import pagerank
from minisearch.rank.solve import eigenvector, exact
from tests.webs import ALONE, CHAIN, NARCISSUS, STRANGERS, TWO_ISLANDS, dampings, graph_of, some_webs


@pytest.mark.parametrize("dangling", ["uniform", "teleport", "leak", "remove", "two-pass"])
@example(ALONE, 0.85)
@example(NARCISSUS, 0.85)
@example(STRANGERS, 0.85)
@example(CHAIN, 0.85)
@example(TWO_ISLANDS, 0.85)
@given(some_webs, dampings)
def test_the_exact_ranks_are_where_the_power_method_goes(dangling, links, damping):
    graph = graph_of(links)
    shares = exact(graph, damping=damping, dangling=dangling)
    ranks = pagerank(graph, damping=damping, dangling=dangling, tolerance=1e-14, max_rounds=2000)
    assert [float(share) for share in shares] == pytest.approx(ranks.values.tolist(), rel=0, abs=1e-10)
    if dangling in ("uniform", "teleport"):
        assert sum(shares) == 1


@given(some_webs, dampings)
def test_the_eigenvector_is_the_same_again(links, damping):
    graph = graph_of(links)
    vector = eigenvector(graph, damping=damping)
    assert vector.converged
    assert (vector.values >= 0).all()
    assert vector.values.sum() == pytest.approx(1)
    shares = [float(share) for share in exact(graph, damping=damping)]
    assert vector.values.tolist() == pytest.approx(shares, rel=0, abs=1e-9)


def test_teleports_are_exact():
    graph = graph_of({0: [1], 1: [0]})
    assert exact(graph, damping=0, teleport=["1/3", "2/3"]) == [Fraction(1, 3), Fraction(2, 3)]


def test_two_closed_groups_have_no_single_answer_without_jumps():
    graph = graph_of({0: [0], 1: [1]})
    with pytest.raises(BadInput, match="the solution is not unique: 2 closed groups"):
        exact(graph, damping=1)
    assert "closed groups" in eigenvector(graph, damping=1).note


def test_where_all_leaks_only_zero_is_left():
    with pytest.raises(BadInput, match="all rank leaks away"):
        exact(graph_of(CHAIN), damping=1, dangling="leak")
    assert "leaks" in eigenvector(graph_of({0: [1, 2], 1: [0], 2: []}), damping=1, dangling="leak").note


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda graph: exact(graph, damping=1.5), "damping must be between 0 and 1"),
        (lambda graph: exact(graph, dangling="vanish"), "vanish"),
        (lambda graph: exact(graph, dangling="remove", teleport=[0, 0, 1]), "no page of the teleport vector"),
        (lambda graph: eigenvector(graph, dangling="remove"), "an eigenvector needs one of"),
    ],
)
def test_what_makes_no_sense_is_refused(call, complaint):
    with pytest.raises(BadInput, match=complaint):
        call(graph_of({0: [1], 1: [0, 2], 2: []}))


def test_too_many_pages_are_refused_and_none_are_fine():
    with pytest.raises(BadInput, match="100 pages or fewer, not 101"):
        exact(LinkGraph.from_edges(101, [], []))
    with pytest.raises(BadInput, match="2000 pages or fewer"):
        eigenvector(LinkGraph.from_edges(2001, [], []))
    empty = LinkGraph.from_edges(0, [], [])
    assert exact(empty) == []
    assert eigenvector(empty).values.tolist() == []
