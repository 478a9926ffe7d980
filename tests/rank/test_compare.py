import pytest
from hypothesis import given

from minisearch.errors import BadInput
from minisearch.rank.compare import compare
from minisearch.rank.pagerank import pagerank
from tests.rank.test_oracles import graph_of as published
from tests.webs import graph_of, some_webs

TEN = [*"ABCDEFGHIJ"]


def test_one_link_lifts_a_page_from_eighth_to_second_place():
    moves = compare(published("000-ten-before"), published("000-ten-after"), TEN, damping=1, tolerance=1e-13)
    moved = {move.page: move for move in moves}
    assert (moved["A"].place_before, moved["A"].place_after) == (8, 2)
    assert moved["A"].after > 1.8 * moved["A"].before
    assert moved["A"].why.startswith("a new link from J contributes")
    assert abs(moves[0].change) >= abs(moves[-1].change)


def test_taking_a_page_out_is_told_for_it_and_for_those_it_linked_to():
    moves = compare(published("000-ten-before"), published("000-nine"), TEN, TEN[:-1], damping=1, tolerance=1e-13)
    moved = {move.page: move for move in moves}
    assert (moved["J"].after, moved["J"].place_after, moved["J"].why) == (None, None, "the page was removed")
    assert moved["I"].why.startswith("J was removed, which contributed")
    assert (moved["D"].place_before, moved["D"].place_after) == (2, 6)
    assert moved["D"].change < 0 or moved["D"].after < moved["D"].before or moved["D"].place_after > 2


@given(some_webs, some_webs)
def test_the_reason_never_contradicts_the_change(links, others):
    for move in compare(graph_of(links), graph_of(others), *(sorted(web) for web in (links, others))):
        if move.before is not None and move.after is not None and abs(move.change) > 1e-6:
            gains = " more" in move.why or "a new link" in move.why
            loses = " less" in move.why or "which contributed" in move.why
            assert (gains, loses) == (move.change > 0, move.change < 0)


def test_a_new_page_is_told():
    first, second = graph_of({"a": ["b"], "b": ["a"]}), graph_of({"a": ["b", "c"], "b": ["a"], "c": []})
    moved = {move.page: move for move in compare(first, second, "ab", "abc")}
    assert moved["c"].before is None
    assert moved["c"].why.startswith("the page is new; a new link from a contributes")
    assert moved["b"].why.startswith("the link from a contributes")


@given(some_webs)
def test_a_web_beside_itself_moves_nothing(links):
    graph = graph_of(links)
    for move in compare(graph, graph, range(graph.n)):
        assert move.change == 0
        assert move.place_before == move.place_after
        assert move.why == "no change"


@given(some_webs, some_webs)
def test_changes_are_those_of_the_ranks(links, others):
    first, second = graph_of(links), graph_of(others)
    total = sum(move.change for move in compare(first, second, range(first.n), range(second.n)))
    assert total == pytest.approx(pagerank(second).values.sum() - pagerank(first).values.sum())


def test_names_must_fit():
    graph = graph_of({0: [1], 1: []})
    with pytest.raises(BadInput, match="2 pages need as many different names, not 1"):
        compare(graph, graph, ["a", "a"])
