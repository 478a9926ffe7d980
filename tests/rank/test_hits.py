import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph
from minisearch.rank.hits import hits, neighbourhood, shared_by_host
from minisearch.rank.matrices import matrix
from minisearch.textbook import hits as textbook
from tests.webs import ALONE, CHAIN, STRANGERS, TWO_ISLANDS, graph_of, pages_of, random_graph, some_webs, webs


@example(TWO_ISLANDS, 5, True)
@example(STRANGERS, 2, False)
@given(webs, st.integers(0, 30), st.booleans())
def test_fast_and_textbook_agree_round_by_round(links, rounds, hub_first):
    found = hits(graph_of(links), order="hub" if hub_first else "authority", rounds=rounds)
    hubs, authorities = textbook.hits(links, rounds=rounds, hub_first=hub_first)
    assert found.hubs.values.tolist() == pytest.approx([hubs[page] for page in pages_of(links)], abs=1e-12)
    assert found.authorities.values.tolist() == pytest.approx(
        [authorities[page] for page in pages_of(links)], abs=1e-12
    )


@given(some_webs)
def test_scores_lie_between_nought_and_one_and_the_best_has_one(links):
    found = hits(graph_of(links))
    for scores in (found.hubs, found.authorities):
        assert scores.values.min() >= 0
        assert scores.values.max() == (1 if any(links.values()) else 0)


@given(some_webs)
def test_where_it_settles_both_orders_agree_and_it_is_an_eigenvector(links):
    graph = graph_of(links)
    one, other = (hits(graph, order=order, tolerance=1e-13) for order in ("authority", "hub"))
    if not (one.converged and other.converged):
        return  # eigenvalues close to one another
    step = matrix(graph, "links")
    hubs = step @ step.T @ one.hubs.values
    assert hubs == pytest.approx(one.hubs.values * hubs.max(initial=0), abs=1e-6)


@given(some_webs)
def test_repeated_links_count_only_with_weights(links):
    graph = graph_of(links)
    once = hits(graph.plain(loops=True), rounds=5)
    assert hits(graph, rounds=5).hubs.values.tolist() == once.hubs.values.tolist()
    ones = hits(graph.plain(loops=True), rounds=5, weighted=True, topic=np.ones(graph.n))
    assert ones.hubs.values.tolist() == once.hubs.values.tolist()


def test_a_hub_of_worthless_pages_is_worthless():
    graph = graph_of({0: [1], 2: [3]})
    found = hits(graph, topic=[1, 1, 1, 0], rounds=10)
    assert found.hubs.values[2] == 0


def test_pages_of_one_host_speak_with_one_voice():
    graph = LinkGraph.from_edges(4, [0, 1, 2], [3, 3, 3])
    shared = shared_by_host(graph, ["farm", "farm", "other", "x"])
    assert shared.counts.toarray()[:, 3].tolist() == [0.5, 0.5, 1, 0]
    with pytest.raises(BadInput, match="4 pages need as many hosts, not 1"):
        shared_by_host(graph, ["farm"])


def test_the_base_set_grows_by_links_in_and_out():
    graph = graph_of({0: [1], 1: [2], 2: [3], 3: [], 4: [1], 5: [1]})
    assert neighbourhood(graph, [1]) == [0, 1, 2, 4, 5]
    assert neighbourhood(graph, [1], most_in=1) == [0, 1, 2]
    assert neighbourhood(graph, []) == []


def test_every_update_is_kept_on_request():
    found = hits(graph_of(CHAIN), rounds=2, trace=True)
    assert [step.name for step in found.steps] == ["a1", "h1", "a2", "h2"]
    assert len(found.hubs.iterates) == 3
    assert found.hubs.iterates[-1].tolist() == found.hubs.values.tolist()
    assert hits(graph_of(CHAIN), rounds=2).steps == ()


def test_what_did_not_settle_says_so():
    found = hits(random_graph(300, 900), max_rounds=2)
    assert not found.converged
    assert found.verdict.startswith("did not converge: residual")


@pytest.mark.parametrize("links", [ALONE, STRANGERS, {}])
def test_without_links_all_is_nought(links):
    found = hits(graph_of(links))
    assert found.converged
    assert not found.hubs.values.any()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"order": "both"}, 'unknown order "both": choose from authority, hub'),
        ({"topic": [1]}, "topic needs one number for each of the 2 pages"),
        ({"topic": [1, -1]}, "topic gives page 1 the weight -1.0"),
        ({"tolerance": -1}, "tolerance must be 0 or more"),
        ({"rounds": -1}, "iterations must be 0 or more"),
    ],
)
def test_what_makes_no_sense_is_refused(options, complaint):
    with pytest.raises(BadInput, match=complaint):
        hits(graph_of({0: [1], 1: []}), **options)
