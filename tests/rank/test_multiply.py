"""Products in threads, and what is computed by them."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.sparse import block_diag

from minisearch.rank import multiply
from minisearch.rank.graph import LinkGraph
from minisearch.rank.multiply import multiplier, row_blocks
from minisearch.rank.pagerank import pagerank
from minisearch.rank.trustrank import trustrank
from tests.webs import ALONE, CHAIN, STRANGERS, graph_of, random_graph, webs


@pytest.fixture
def in_threads(monkeypatch):
    """So that webs of a test's size are large ones."""
    monkeypatch.setattr(multiply, "FEW_LINKS", 0)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("links", [0, 1, 20, 3000])
def test_the_product_is_the_same_in_threads(threads, links, in_threads, monkeypatch):
    monkeypatch.setattr(multiply, "MAX_THREADS", threads)
    graph, vector = random_graph(500, links), np.arange(500.0)
    with multiplier(row_blocks(graph.incoming)) as into:
        assert into(vector).tolist() == (graph.incoming @ vector).tolist()


@example(ALONE)
@example(STRANGERS)
@example(CHAIN)
@given(webs)
def test_a_web_of_any_form_can_be_cut_into_blocks(links):
    graph = graph_of(links)
    vector = np.arange(float(graph.n))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(multiply, "FEW_LINKS", 0)
        with multiplier(row_blocks(graph.incoming)) as into:
            assert into(vector).tolist() == (graph.incoming @ vector).tolist()


def test_a_failure_in_a_thread_is_raised(in_threads):
    with multiplier(row_blocks(random_graph(500, 3000).incoming)) as into, pytest.raises(ValueError, match="dimension"):
        into(np.ones(3))


@pytest.mark.parametrize("dangling", ["uniform", "teleport", "leak"])
def test_a_large_web_has_the_same_ranks_after_the_same_iterations(dangling, monkeypatch):
    graph = random_graph(10_000, 80_000)
    teleport = np.zeros(graph.n)
    teleport[[3, 9990]] = 1  # one of them has no links
    plain = pagerank(graph, teleport=teleport, dangling=dangling)
    monkeypatch.setattr(multiply, "FEW_LINKS", 50_000)
    large = pagerank(graph, teleport=teleport, dangling=dangling)
    assert (large.rounds, large.converged) == (plain.rounds, True)
    assert large.values == pytest.approx(plain.values, rel=0, abs=1e-14)


@given(st.floats(0, 0.99))
@example(0.85)
def test_pages_that_trust_does_not_reach_get_exactly_none(damping):
    islands = random_graph(500, 6000)
    graph = LinkGraph(block_diag([islands.incoming, islands.incoming], format="csr"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(multiply, "FEW_LINKS", 0)
        trust = trustrank(graph, [0, 7], damping=damping, tolerance=1e-6, max_rounds=5000)
    assert not trust.values[500:].any()
    assert trust.values[:500].sum() == pytest.approx(1)
