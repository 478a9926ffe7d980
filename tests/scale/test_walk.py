"""The same scores wherever the blocks lie: in memory, in mapped files, or with the workers of a cluster."""

import numpy as np
import pytest

from minisearch.errors import BadInput
from minisearch.rank import hits as rank_hits
from minisearch.rank.pagerank import pagerank
from minisearch.rank.topic import topic_vector
from minisearch.scale import walk
from minisearch.scale.blocks import Blocks
from minisearch.scale.cutting import cut
from minisearch.scale.hits import hits
from tests.rank.conftest import cases
from tests.webs import graph_of, pages_of, random_graph

SAME = 1e-10
CASES = [case for case in cases() if case.dangling in walk.IN_BLOCKS]
PLACES = ["memory", "mapped", "cluster"]
LAST = 3  # rounds that a cluster is asked for, where the others can be done without it
WAYS = {  # how pages can be ranked that are 300
    "pagerank": {},
    "leak": {"dangling": "leak"},
    "trustrank": {"teleport": topic_vector(300, [3, 77, 250]), "dangling": "teleport", "start": topic_vector(300, [3])},
    "topic, dead ends anywhere": {"teleport": topic_vector(300, range(0, 300, 7))},
    "five rounds": {"rounds": 5, "damping": 0.5},
}


def filed(graph, folder, k):
    links = graph.counts.tocoo()
    return cut(folder, graph.n, [(*links.coords, links.data)], k=k, repeated=True, loops=True)


@pytest.fixture
def place(request, tmp_path):
    """(how to cut a graph, who does the work)"""
    if request.param == "cluster":
        return lambda graph, k: filed(graph, tmp_path, k), request.getfixturevalue("workers")
    threads = request.getfixturevalue("threads")
    return (Blocks.cut if request.param == "memory" else lambda graph, k: filed(graph, tmp_path, k)), threads


@pytest.mark.parametrize("place", ["memory", "mapped"], indirect=True)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_published_ranks_come_out(place, case):
    cut_up, workshop = place
    graph, pages = graph_of(case.links), pages_of(case.links)
    scores = walk.pagerank(
        cut_up(graph, min(2, graph.n)),
        workshop,
        damping=case.damping,
        teleport=[case.teleport.get(page, 0) for page in pages],
        dangling=case.dangling,
        rounds=case.rounds,
        tolerance=1e-13,
    )
    found = dict(zip(pages, scores.values.tolist(), strict=True))
    for page, expected in case.expected.items():
        assert found[page] == pytest.approx(expected, abs=case.within)


def kind(case):
    """What a cluster has to do for it."""
    return case.dangling, len(case.teleport) < len(pages_of(case.links)), case.damping == 1, case.rounds is None


ONE_OF_A_KIND = {kind(case): case for case in CASES}  # the others take seconds, and a cluster the same way


@pytest.mark.parametrize("case", ONE_OF_A_KIND.values(), ids=lambda case: case.id)
def test_published_ranks_come_out_of_a_cluster(workers, tmp_path, case):
    """A round takes a cluster some hundredths of a second, so what takes many rounds is begun near its end."""
    graph, pages = graph_of(case.links), pages_of(case.links)
    web = filed(graph, tmp_path, min(2, graph.n))
    teleport = [case.teleport.get(page, 0) for page in pages]
    how = {"damping": case.damping, "teleport": teleport, "dangling": case.dangling}
    all_rounds = pagerank(graph, **how, tolerance=1e-13).rounds if case.rounds is None else case.rounds
    readers = 1.0  # who are left where it is begun: they are scaled to 1 there, and back if no jump brings new ones
    if case.rounds is None or (all_rounds > LAST and (case.damping == 1 or case.dangling != "leak")):
        how["start"] = pagerank(graph, **how, rounds=max(all_rounds - LAST, 0)).values
        readers = float(how["start"].sum()) if case.rounds is not None else 1.0
    until = {"rounds": LAST if "start" in how else all_rounds} if case.rounds is not None else {"tolerance": 1e-13}
    scores, whole = walk.pagerank(web, workers, **how, **until), pagerank(graph, **how, **until)
    assert np.abs(scores.values - whole.values).max() < SAME
    assert scores.rounds == whole.rounds
    found = dict(zip(pages, (readers * scores.values).tolist(), strict=True))
    for page, expected in case.expected.items():
        assert found[page] == pytest.approx(expected, abs=case.within)


@pytest.mark.parametrize("place", PLACES, indirect=True)
@pytest.mark.parametrize("way", WAYS)
def test_ranks_are_the_same_in_all_places(place, way):
    cut_up, workshop = place
    graph = random_graph(300, 1500)
    how = {"tolerance": 1e-3} | WAYS[way]  # the same steps, not only the same end
    scores = walk.pagerank(cut_up(graph, 3), workshop, **how)
    whole = pagerank(graph, **how)
    assert np.abs(scores.values - whole.values).max() < SAME
    assert (scores.rounds, scores.converged) == (whole.rounds, whole.converged)


@pytest.mark.parametrize("place", PLACES, indirect=True)
@pytest.mark.parametrize("order", ["authority", "hub"])
def test_hubs_and_authorities_are_the_same_in_all_places(place, order):
    cut_up, workshop = place
    graph = random_graph(300, 1500, repeated=True)
    found = hits(cut_up(graph, 3), workshop, order=order, max_rounds=4)
    whole = rank_hits.hits(graph, order=order, weighted=True, max_rounds=4)
    assert np.abs(found.hubs.values - whole.hubs.values).max() < SAME
    assert np.abs(found.authorities.values - whole.authorities.values).max() < SAME
    assert found.hubs.rounds == whole.hubs.rounds


@pytest.mark.parametrize("dangling", ["remove", "two-pass", "nonsense"])
def test_what_blocks_cannot_do_is_said(threads, dangling):
    with pytest.raises(BadInput, match=f'"{dangling}" is .*: choose from uniform, teleport, leak'):
        walk.pagerank(Blocks.cut(random_graph(9, 9)), threads, dangling=dangling)


def test_no_pages_have_no_ranks(threads, tmp_path):
    nothing = cut(tmp_path, 0, [])
    assert len(walk.pagerank(nothing, threads).values) == 0
    assert len(hits(nothing, threads).hubs.values) == 0
