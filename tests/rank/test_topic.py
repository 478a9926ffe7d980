import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.rank.pagerank import pagerank
from minisearch.rank.topic import preferred, topic_ranks, topic_vector
from tests.webs import dampings, graph_of, some_webs


@given(some_webs, dampings, st.floats(0.1, 10), st.floats(0.1, 10))
def test_a_mix_of_topic_rankings_is_the_ranking_of_the_mix(links, damping, first, second):
    graph = graph_of(links)
    topics = {"sweets": [0], "phones": [graph.n - 1, 0]}
    ranks = topic_ranks(graph, topics, damping=damping, dangling="uniform", tolerance=1e-13)
    mixed = preferred(ranks, {"sweets": first, "phones": second})
    jump = first * topic_vector(graph.n, topics["sweets"]) + second * topic_vector(graph.n, topics["phones"])
    own = pagerank(graph, teleport=jump, damping=damping, tolerance=1e-13)
    assert mixed.values == pytest.approx(own.values, rel=0, abs=1e-10)
    assert mixed.converged


def test_a_page_that_the_topic_does_not_reach_has_no_rank():
    ranks = topic_ranks(graph_of({0: [1], 1: [0], 2: [0]}), {"a": [0]})["a"]
    assert ranks.values[2] == 0
    assert ranks.values.sum() == pytest.approx(1)


def test_the_rounds_of_a_mix_are_those_of_its_slowest_topic():
    graph = graph_of({0: [1], 1: [0], 2: [0, 1]})
    ranks = topic_ranks(graph, {"a": [0], "b": [0, 1, 2]}, max_rounds=4)
    mixed = preferred(ranks, {"a": 1, "b": 1})
    assert (mixed.rounds, mixed.converged) == (4, False)
    assert mixed.residual == max(scores.residual for scores in ranks.values())
    assert preferred(ranks, {"a": 2, "b": 0}).values.tolist() == ranks["a"].values.tolist()


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda graph: topic_ranks(graph, {"x": [0, 9]}), 'topic "x" names page 9, but there are 2 pages'),
        (lambda graph: topic_ranks(graph, {"x": []}), 'topic "x" has no pages'),
        (lambda graph: topic_ranks(graph, {}), "at least one topic"),
        (lambda graph: preferred(topic_ranks(graph, {"x": [0]}), {"y": 1}), 'unknown topic "y": choose from x'),
        (lambda graph: preferred(topic_ranks(graph, {"x": [0]}), {"x": 0}), "zero for every topic"),
        (lambda graph: preferred(topic_ranks(graph, {"x": [0]}), {"x": np.nan}), 'preference for "x" is nan'),
    ],
)
def test_what_makes_no_sense_is_refused(call, complaint):
    with pytest.raises(BadInput, match=complaint):
        call(graph_of({0: [1], 1: [0]}))
