"""What holds for every measure, on any web."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.rank.farm import plant
from minisearch.rank.graph import LinkGraph
from minisearch.rank.hits import hits
from minisearch.rank.pagerank import DANGLING, pagerank
from minisearch.rank.structure import bow_tie, rank_apart
from minisearch.rank.trustrank import trustrank
from tests.webs import graph_of, some_webs

MEASURES = {
    **{f"pagerank {way}": lambda graph, way=way: pagerank(graph, dangling=way, tolerance=1e-13) for way in DANGLING},
    "trustrank": lambda graph: trustrank(graph, np.flatnonzero(graph.out_degree == graph.out_degree.max())),
    "hubs": lambda graph: hits(graph, rounds=12).hubs,
    "authorities": lambda graph: hits(graph, rounds=12, order="hub").authorities,
    "ranked apart": lambda graph: rank_apart(graph, tolerance=1e-13),
}
LEAKY = {"pagerank leak", "pagerank remove", "hubs", "authorities"}
ORDER_MATTERS = {"pagerank remove"}  # of several dead ends the first one goes first
every_measure = pytest.mark.parametrize("name", MEASURES)


@every_measure
@given(some_webs)
def test_scores_are_numbers_from_nought_on_and_sum_to_one_where_they_should(name, links):
    scores = MEASURES[name](graph_of(links))
    assert np.isfinite(scores.values).all()
    assert (scores.values >= 0).all()
    if name not in LEAKY and not scores.note:
        assert scores.values.sum() == pytest.approx(1)


@pytest.mark.parametrize("name", [name for name in MEASURES if name not in ORDER_MATTERS])
@given(some_webs, st.randoms(use_true_random=False))
def test_whoever_renames_pages_renames_their_scores(name, links, dice):
    graph = graph_of(links)
    names = list(range(graph.n))
    dice.shuffle(names)
    links_of = graph.counts.tocoo()
    renamed = LinkGraph.from_edges(
        graph.n, *(np.array(names)[ends] for ends in links_of.coords), loops=True, weights=links_of.data
    )
    values = MEASURES[name](renamed).values
    assert values[names] == pytest.approx(MEASURES[name](graph).values, rel=0, abs=1e-9)


@given(some_webs, st.integers(1, 9))
def test_the_bow_tie_of_a_web_with_a_farm_has_all_pages(links, supporters):
    farm = plant(graph_of(links), supporters, [0])
    assert sum(bow_tie(farm.graph).sizes().values()) == farm.graph.n
