import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given

from minisearch.rank.graph import LinkGraph
from minisearch.rank.pagerank import pagerank
from minisearch.rank.structure import CLASSES, bow_tie, components, rank_apart
from tests.webs import TWO_ISLANDS, dampings, graph_of, random_graph, some_webs, webs


def by_definition(links):
    """The class of each page, by searching along paths."""
    graph = nx.DiGraph([(page, to) for page in links for to in links[page]])
    graph.add_nodes_from(links)
    core = max(nx.strongly_connected_components(graph), key=lambda part: (len(part), -min(part)))
    forth = {page: {page, *nx.descendants(graph, page)} for page in graph}
    first = min(core)
    after, before = forth[first], {page for page in graph if first in forth[page]}
    into, out = before - core, after - core
    labels = {}
    for page in sorted(graph):
        from_in, to_out = any(page in forth[one] for one in into), bool(forth[page] & out)
        system = nx.node_connected_component(graph.to_undirected(), first)
        labels[page] = (
            "core" if page in core
            else "in" if page in into
            else "out" if page in out
            else "tube" if from_in and to_out
            else "tendril" if page in system
            else "island"
        )  # fmt: skip
    return labels


@given(some_webs)
def test_each_page_has_the_class_that_its_paths_give(links):
    tie = bow_tie(graph_of(links))
    assert {page: CLASSES[label] for page, label in enumerate(tie.labels.tolist())} == by_definition(links)
    assert sum(tie.sizes().values()) == len(links)


def test_an_empty_web_has_no_bow_tie():
    assert set(bow_tie(LinkGraph.from_edges(0, [], [])).sizes().values()) == {0}
    assert components(LinkGraph.from_edges(0, [], [])) == []


@given(webs)
def test_components_are_those_of_networkx(links):
    graph = nx.DiGraph([(page, to) for page in links for to in links[page]])
    graph.add_nodes_from(links)
    for strong, theirs in ((False, nx.weakly_connected_components), (True, nx.strongly_connected_components)):
        parts = components(graph_of(links), strong=strong)
        assert {frozenset(part) for part in parts} == {frozenset(part) for part in theirs(graph)}
        assert [len(part) for part in parts] == sorted(map(len, parts), reverse=True)


@example(TWO_ISLANDS, 0.85)
@given(some_webs, dampings)
def test_parts_ranked_apart_and_merged_are_the_whole_where_no_page_is_stuck(links, damping):
    full = {page: targets or [page] for page, targets in links.items()}
    graph = graph_of(full)
    apart = rank_apart(graph, damping=damping, tolerance=1e-13)
    whole = pagerank(graph, damping=damping, tolerance=1e-13)
    assert apart.values == pytest.approx(whole.values, rel=0, abs=1e-10)
    assert apart.converged


def test_a_part_weighs_as_many_pages_as_it_has():
    apart = rank_apart(graph_of(TWO_ISLANDS))
    assert apart.values[:2].sum() == pytest.approx(2 / 5)
    assert apart.values.sum() == pytest.approx(1)


def test_thousands_of_pages_by_themselves_are_ranked_at_once():
    lonely = LinkGraph.from_edges(20_000, [0, 5], [0, 6], loops=True)
    ranks = rank_apart(lonely, dangling="leak")
    assert ranks.values[0] == pytest.approx(1 / 20_000)
    assert ranks.values[1] == pytest.approx(0.15 / 20_000)


def test_a_larger_web_is_sorted_out():
    sizes = bow_tie(random_graph(30_000, 90_000)).sizes()
    assert sum(sizes.values()) == 30_000
    assert sizes["core"] > 1000
    assert np.all([count >= 0 for count in sizes.values()])
