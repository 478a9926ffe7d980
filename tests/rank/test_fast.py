"""The fast way comes to where the power method comes, on any web."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.sparse import block_diag

from minisearch.rank import fast as ways
from minisearch.rank import pagerank as module
from minisearch.rank.fast import fast
from minisearch.rank.graph import LinkGraph
from minisearch.rank.pagerank import pagerank
from minisearch.rank.passes import Pass, threads
from minisearch.rank.scores import probabilities
from minisearch.rank.trustrank import trustrank
from tests.webs import (
    ALONE,
    CHAIN,
    NARCISSUS,
    STRANGERS,
    TWO_ISLANDS,
    dampings,
    graph_of,
    random_graph,
    site_graph,
    webs,
)


def both(graph, damping, jump=None, dangling="uniform", tolerance=1e-12):
    """The ranks by the fast way and by the power method."""
    uniform = np.full(graph.n, 1 / max(graph.n, 1))
    jump = uniform if jump is None else jump
    fill = {"uniform": uniform, "teleport": jump, "leak": None}[dangling]
    quick = fast(graph, damping, jump, fill, tolerance=tolerance, max_rounds=2000)
    how = {"damping": damping, "dangling": dangling, "teleport": jump if graph.n else None}
    return quick, pagerank(graph, **how, tolerance=tolerance, max_rounds=5000, trace=True)  # a trace goes step by step


@pytest.mark.parametrize("dangling", ["uniform", "teleport", "leak"])
@example(ALONE, 0.85, 0)
@example(NARCISSUS, 0.85, 0)
@example(STRANGERS, 0.85, 1)
@example(CHAIN, 0.85, 2)  # jumps to a page without links only
@example(TWO_ISLANDS, 0.85, 4)
@given(webs, dampings, st.integers(0, 7))
def test_it_agrees_with_the_power_method(dangling, links, damping, favourite):
    graph = graph_of(links)
    jump = np.array([8.0 if page == favourite else page % 3 for page in range(graph.n)])
    jump = probabilities("jump", jump, graph.n) if jump.any() else None
    quick, slow = both(graph, damping, jump, dangling)
    assert quick.converged
    assert quick.values == pytest.approx(slow.values, rel=0, abs=1e-10)
    assert (quick.values >= 0).all()


@pytest.mark.parametrize(
    ("graph", "share"),
    [(random_graph(3000, 40_000), 1), (site_graph(), 0.6), (site_graph(60, 40, seed=3), 0.6)],
    ids=["random", "sites", "more sites"],
)
@pytest.mark.parametrize("dangling", ["uniform", "leak"])
def test_on_larger_webs_it_takes_fewer_passes(graph, share, dangling):
    quick, slow = both(graph, 0.85, dangling=dangling, tolerance=1e-10)
    assert quick.values == pytest.approx(slow.values, rel=0, abs=1e-10)
    assert quick.rounds < share * slow.rounds


def test_the_residual_is_what_one_more_step_changes():
    graph = random_graph(3000, 40_000)
    for tolerance in (1e-4, 1e-8, 1e-12):
        scores, _ = both(graph, 0.85, tolerance=tolerance)
        step = pagerank(graph, start=scores.values, rounds=1)
        assert step.residual <= scores.residual <= tolerance


def test_where_rounds_run_out_it_says_so():
    graph = site_graph()
    uniform = np.full(graph.n, 1 / graph.n)
    for most in (0, 1, 2, 5, 8, 13):
        scores = fast(graph, 0.85, uniform, uniform, tolerance=1e-12, max_rounds=most)
        assert scores.rounds <= most
        assert not scores.converged
        assert np.isfinite(scores.values).all()
        assert scores.values.sum() == pytest.approx(1)


def test_two_systems_share_the_rounds():
    graph = random_graph(3000, 40_000)
    uniform, jump = np.full(graph.n, 1 / graph.n), np.arange(graph.n) / sum(range(graph.n))
    scores = fast(graph, 0.85, jump, uniform, tolerance=1e-12, max_rounds=7)
    assert scores.rounds == 7
    assert not scores.converged
    assert np.isfinite(scores.values).all()


def test_a_chain_of_pages_is_no_trap():
    """Plain passes come to an end after as many rounds as it has pages; stretching them would put it off for ever."""
    chain = LinkGraph.from_edges(500, range(499), range(1, 500))
    jump = np.eye(500)[3]
    scores = fast(chain, 0.999, jump, jump, tolerance=1e-10, max_rounds=2000)
    assert scores.converged


def test_a_breakdown_of_gmres_is_no_breakdown_of_ours(monkeypatch):
    monkeypatch.setattr(ways, "_gmres", lambda paid, rest, y, enough, most: y)
    quick, slow = both(site_graph(), 0.85, tolerance=1e-9)
    assert quick.converged
    assert quick.values == pytest.approx(slow.values, abs=1e-9)


@pytest.fixture
def many(monkeypatch):
    """So that webs of a test's size are large ones."""
    monkeypatch.setattr(module, "MANY_LINKS", 50_000)


def test_large_graphs_take_it_and_small_ones_do_not(monkeypatch, many):
    taken = []
    monkeypatch.setattr(module, "fast", lambda graph, *rest, **how: taken.append(graph) or fast(graph, *rest, **how))
    small, large = random_graph(100, 1000), random_graph(10_000, 80_000)
    assert pagerank(small).converged
    assert not taken
    assert pagerank(large).converged
    assert taken == [large]
    for how in ({"rounds": 3}, {"trace": True, "max_rounds": 3}, {"decimals": 2, "max_rounds": 3}, {"damping": 1.0}):
        pagerank(large, **{"max_rounds": 5, **how})
    assert taken == [large]


@pytest.mark.parametrize("dangling", ["uniform", "teleport", "leak"])
def test_trust_in_a_few_pages_of_a_large_web(dangling, many):
    graph = random_graph(10_000, 80_000)
    teleport = np.zeros(graph.n)
    teleport[[3, 9990]] = 1  # one of them has no links
    quick = pagerank(graph, teleport=teleport, dangling=dangling, tolerance=1e-12)
    slow = pagerank(graph, teleport=teleport, dangling=dangling, tolerance=1e-12, trace=True)
    assert quick.values == pytest.approx(slow.values, rel=0, abs=1e-11)
    again = pagerank(graph, teleport=teleport, dangling=dangling, tolerance=1e-12, start=quick.values + 1e-9)
    assert again.rounds < quick.rounds or dangling == "uniform"  # which is two systems, and only one is known
    assert again.values == pytest.approx(slow.values, rel=0, abs=1e-11)


def test_pages_that_trust_does_not_reach_get_exactly_none(many):
    islands = random_graph(5000, 60_000)
    graph = LinkGraph(block_diag([islands.incoming, islands.incoming], format="csr"))
    trust = trustrank(graph, [0, 7])
    assert graph.edges > module.MANY_LINKS
    assert not trust.values[5000:].any()
    assert trust.values[:5000].sum() == pytest.approx(1)


def test_weights_of_links_count():
    dice = np.random.default_rng(5)
    ends = dice.integers(0, 2000, size=(2, 60_000))
    graph = LinkGraph.from_edges(2000, *ends, weights=dice.random(60_000))
    quick, slow = both(graph, 0.85, tolerance=1e-12)
    assert quick.values == pytest.approx(slow.values, rel=0, abs=1e-11)


@pytest.mark.parametrize("count", [1, 2, 3, 16])
def test_a_pass_in_threads_is_the_plain_product(count, monkeypatch):
    from concurrent.futures import ThreadPoolExecutor

    monkeypatch.setattr("minisearch.rank.passes.BLOCK", 100)
    graph, vector = random_graph(500, 3000), np.arange(500.0)
    with ThreadPoolExecutor(count) as pool:
        product = Pass(graph.incoming, pool, count)
        assert product(vector).tolist() == (graph.incoming @ vector).tolist()
        assert product(vector).tolist() == (graph.incoming @ vector).tolist()
    assert product.count == 2


def test_few_links_take_no_threads():
    with threads(10) as (pool, count):
        assert (pool, count) == (None, 1)


def test_a_failure_in_a_thread_is_told():
    graph = random_graph(500, 3000)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2) as pool, pytest.raises(ValueError, match="dimension"):
        Pass(graph.incoming, pool, 2)(np.ones(3))
