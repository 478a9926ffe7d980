from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph
from minisearch.rank.matrices import MATRICES, fraction, fractions, matrix
from minisearch.rank.pagerank import pagerank
from tests.webs import TWO_ISLANDS, dampings, graph_of, some_webs


@given(some_webs, dampings)
def test_rows_of_s_and_g_sum_to_one_exactly(links, damping):
    for name in ("S", "G", "E"):
        assert {sum(row) for row in fractions(graph_of(links), name, damping=damping)} == {1}


@given(some_webs, dampings)
def test_pagerank_is_what_g_leaves_as_it_is(links, damping):
    graph = graph_of(links)
    ranks = pagerank(graph, damping=damping, tolerance=1e-13).values
    assert ranks @ matrix(graph, "G", damping=damping) == pytest.approx(ranks, abs=1e-11)


@pytest.mark.parametrize("name", MATRICES)
def test_columns_are_rows_turned_round(name):
    graph = graph_of(TWO_ISLANDS)
    assert (matrix(graph, name, orientation="column") == matrix(graph, name).T).all()


def test_a_row_without_links_is_filled_as_asked():
    graph = graph_of({0: [1], 1: []})
    rows = {way: fractions(graph, "S", teleport=[3, 1], dangling=way)[1] for way in ("teleport", "uniform", "leak")}
    assert rows == {"teleport": [Fraction(3, 4), Fraction(1, 4)], "uniform": [Fraction(1, 2)] * 2, "leak": [0, 0]}


@pytest.mark.parametrize("damping", [0.85, "0.85", "17/20", Fraction(17, 20)])
def test_a_damping_means_what_is_written(damping):
    assert fractions(graph_of({0: [1], 1: [0]}), "G", damping=damping)[0][1] == Fraction(37, 40)


def test_weights_of_links_are_exact_too():
    graph = LinkGraph.from_edges(2, [0, 0], [0, 1], loops=True, weights=[0.1, 0.3])
    assert fractions(graph, "H")[0] == [Fraction(1, 4), Fraction(3, 4)]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"name": "X"}, 'unknown matrix "X": choose from links'),
        ({"orientation": "diagonal"}, "unknown orientation"),
        ({"damping": 2}, "damping must be between 0 and 1"),
        ({"damping": "much"}, "damping must be a number or a fraction"),
        ({"teleport": [1]}, "one number for each of the 2 pages"),
        ({"teleport": [0, 0]}, "zero everywhere"),
        ({"teleport": [1, -1]}, "page 1 the weight -1"),
        ({"dangling": "remove"}, "choose from teleport, uniform, leak"),
    ],
)
def test_what_makes_no_sense_is_refused(options, complaint):
    with pytest.raises(BadInput, match=complaint):
        fractions(graph_of({0: [1], 1: []}), **options)


def test_nobody_can_look_at_a_million_entries():
    with pytest.raises(BadInput, match="too large to show"):
        matrix(LinkGraph.from_edges(1001, [], []), "H")


def test_an_empty_web_has_empty_matrices():
    assert fractions(LinkGraph.from_edges(0, [], []), "G") == []
    assert matrix(LinkGraph.from_edges(0, [], []), "H").shape == (0, 0)
    assert np.array_equal(matrix(graph_of({0: []}), "G"), [[1.0]])


@pytest.mark.parametrize("number", ["1e-999999999", "1E+0001000", "0." + "1" * 1000])
def test_a_number_that_would_fill_pages_is_refused(number):
    with pytest.raises(BadInput, match="too many digits"):
        fraction(number, "damping")
