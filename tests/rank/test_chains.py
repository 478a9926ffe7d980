import numpy as np
import pytest
from hypothesis import given

from minisearch.rank.chains import ergodic, regular, strongly_connected
from minisearch.rank.graph import LinkGraph
from minisearch.rank.matrices import matrix
from tests.webs import ALONE, CHAIN, NARCISSUS, RING, graph_of, random_graph, some_webs


@given(some_webs)
def test_a_chain_is_regular_if_some_power_has_no_zero(links):
    graph = graph_of(links)
    reach = matrix(graph, "links") > 0
    power = np.linalg.matrix_power(reach.astype(object), (graph.n - 1) ** 2 + 1)  # Wielandt: no later one helps
    assert regular(graph).yes == bool((power > 0).all())


@given(some_webs)
def test_a_web_is_strongly_connected_if_every_page_comes_to_every_page(links):
    graph = graph_of(links)
    step = (matrix(graph, "links") + np.eye(graph.n)).astype(object)
    answer = strongly_connected(graph)
    assert answer.yes == bool((np.linalg.matrix_power(step, graph.n) > 0).all())
    assert answer.reason


@given(some_webs)
def test_with_jumps_every_chain_is_regular_once_its_rows_are_full(links):
    assert regular(graph_of(links), damping=0.85, fill=True)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (regular(graph_of(RING)), "the walk is periodic: a return takes a multiple of 4 steps"),
        (strongly_connected(graph_of(CHAIN), names=["home", "a", "b"]), "home cannot be reached from a"),
        (regular(graph_of(ALONE)), "page 0 is dangling: its row is empty"),
        (ergodic(graph_of(CHAIN), damping=0.85), "page 2 is dangling and its row is empty"),
    ],
)
def test_a_no_has_a_reason(answer, reason):
    assert not answer
    assert answer.reason.startswith(reason)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (regular(graph_of({0: [1], 1: [0, 1]})), "after 2 steps the surfer can be on any page, whatever the start"),
        (regular(graph_of(NARCISSUS)), "after 1 step the surfer"),
        (regular(graph_of(CHAIN), damping=0.9, fill=True), "teleporting leads from every page to every page"),
        (strongly_connected(graph_of(CHAIN), fill=True), "every page can be reached from every other"),
        (strongly_connected(LinkGraph.from_edges(0, [], [])), "there are no pages"),
    ],
)
def test_so_has_a_yes(answer, reason):
    assert answer
    assert answer.reason.startswith(reason)


def test_the_first_full_power_may_be_far_away():
    n = 40  # Wielandt's worst case: a ring with one short cut
    worst = LinkGraph.from_edges(n, [*range(n), n - 2], [*range(1, n), 0, 0])
    assert regular(worst).reason.startswith(f"after {(n - 1) ** 2 + 1:,} steps")


def test_a_larger_web_is_answered_too():
    ring = LinkGraph.from_edges(600, [*range(600), 0], [*range(1, 600), 0, 2])
    assert "aperiodic" in regular(ring).reason
    assert not strongly_connected(random_graph(5000, 20_000))


def test_dangling_pages_are_not_filled_in_memory():
    import tracemalloc

    n = 4000
    pages = np.arange(n // 2)
    graph = LinkGraph.from_edges(n, np.append(pages, pages), np.append(pages + n // 2, pages + 1))
    tracemalloc.start()
    try:
        assert not strongly_connected(graph)
        assert strongly_connected(graph, fill=True).yes is regular(graph, fill=True).yes is True
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


@given(some_webs)
def test_filling_dangling_pages_is_linking_them_to_all_pages(links):
    graph, n = graph_of(links), len(links)
    filled = graph_of({page: targets or range(n) for page, targets in links.items()})
    assert strongly_connected(graph, fill=True).yes == strongly_connected(filled).yes
    assert regular(graph, fill=True) == regular(filled) or not graph.dangling.any()
