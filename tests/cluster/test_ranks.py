"""The same scores in memory, out of core and on a cluster."""

import numpy as np
import pytest

from minisearch.cluster import ranks
from minisearch.cluster.blocks import cut
from minisearch.cluster.ranks import Executor
from minisearch.errors import BadInput
from minisearch.rank import hits as rank_hits
from minisearch.rank.pagerank import pagerank
from minisearch.rank.topic import topic_vector
from tests.cluster.conftest import cut_graph
from tests.rank.conftest import cases
from tests.webs import graph_of, pages_of, random_graph

SAME = 1e-10
CASES = [case for case in cases() if case.dangling in ranks.POLICIES]
PLACES = ["here", "threads", "cluster"]
LAST = 3  # rounds that a cluster is asked for, where the others can be done without it
WAYS = {  # how pages can be ranked that are 300
    "pagerank": {},
    "leak": {"dangling": "leak"},
    "trustrank": {"teleport": topic_vector(300, [3, 77, 250]), "dangling": "teleport", "start": topic_vector(300, [3])},
    "topic, dead ends anywhere": {"teleport": topic_vector(300, range(0, 300, 7))},
    "five rounds": {"rounds": 5, "damping": 0.5},
}


@pytest.fixture
def executor(request):
    """Where the tasks run."""
    if request.param == "cluster":
        return request.getfixturevalue("workers").executor()
    return request.getfixturevalue("threads") if request.param == "threads" else Executor()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_published_ranks_are_reproduced(tmp_path, case):
    graph, pages = graph_of(case.links), pages_of(case.links)
    scores = ranks.pagerank(
        cut_graph(graph, tmp_path, min(2, graph.n)),
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
    """What differs for a cluster."""
    return case.dangling, len(case.teleport) < len(pages_of(case.links)), case.damping == 1, case.rounds is None


ONE_OF_A_KIND = {kind(case): case for case in CASES}  # the others take seconds, and a cluster the same way


@pytest.mark.parametrize("case", ONE_OF_A_KIND.values(), ids=lambda case: case.id)
def test_published_ranks_are_reproduced_on_a_cluster(workers, tmp_path, case):
    """An iteration takes a cluster some hundredths of a second, so long computations start near their end."""
    graph, pages = graph_of(case.links), pages_of(case.links)
    web = cut_graph(graph, tmp_path, min(2, graph.n))
    teleport = [case.teleport.get(page, 0) for page in pages]
    how = {"damping": case.damping, "teleport": teleport, "dangling": case.dangling}
    all_rounds = pagerank(graph, **how, tolerance=1e-13).rounds if case.rounds is None else case.rounds
    readers = 1.0  # who are left where it is begun: they are scaled to 1 there, and back if no jump brings new ones
    if case.rounds is None or (all_rounds > LAST and (case.damping == 1 or case.dangling != "leak")):
        how["start"] = pagerank(graph, **how, rounds=max(all_rounds - LAST, 0)).values
        readers = float(how["start"].sum()) if case.rounds is not None else 1.0
    until = {"rounds": LAST if "start" in how else all_rounds} if case.rounds is not None else {"tolerance": 1e-13}
    scores, whole = ranks.pagerank(web, workers.executor(), **how, **until), pagerank(graph, **how, **until)
    assert np.abs(scores.values - whole.values).max() < SAME
    assert scores.rounds == whole.rounds
    found = dict(zip(pages, (readers * scores.values).tolist(), strict=True))
    for page, expected in case.expected.items():
        assert found[page] == pytest.approx(expected, abs=case.within)


@pytest.mark.parametrize("executor", PLACES, indirect=True)
@pytest.mark.parametrize("way", WAYS)
def test_ranks_are_the_same_in_all_places(executor, tmp_path, way):
    graph = random_graph(300, 1500)
    how = {"tolerance": 1e-3} | WAYS[way]  # the same steps, not only the same end
    scores = ranks.pagerank(cut_graph(graph, tmp_path, 3), executor, **how)
    whole = pagerank(graph, **how)
    assert np.abs(scores.values - whole.values).max() < SAME
    assert (scores.rounds, scores.converged) == (whole.rounds, whole.converged)


@pytest.mark.parametrize("executor", PLACES, indirect=True)
@pytest.mark.parametrize("order", ["authority", "hub"])
def test_hubs_and_authorities_are_the_same_in_all_places(executor, tmp_path, order):
    graph = random_graph(300, 1500, repeated=True)
    found = ranks.hits(cut_graph(graph, tmp_path, 3), executor, order=order, max_rounds=4)
    whole = rank_hits.hits(graph, order=order, weighted=True, max_rounds=4)
    assert np.abs(found.hubs.values - whole.hubs.values).max() < SAME
    assert np.abs(found.authorities.values - whole.authorities.values).max() < SAME
    assert found.hubs.rounds == whole.hubs.rounds


@pytest.mark.parametrize(
    ("dangling", "problem"),
    [("remove", "needs the whole graph"), ("two-pass", "needs the whole graph"), ("nonsense", "is not a policy")],
)
def test_dangling_policies_that_need_the_whole_graph_are_refused(tmp_path, dangling, problem):
    with pytest.raises(BadInput, match=f'"{dangling}" {problem} .*: choose from uniform, teleport, leak'):
        ranks.pagerank(cut_graph(random_graph(9, 9), tmp_path), dangling=dangling)


def test_no_pages_have_no_ranks(tmp_path):
    nothing = cut(tmp_path, 0, [])
    assert len(ranks.pagerank(nothing).values) == 0
    assert len(ranks.hits(nothing).hubs.values) == 0
