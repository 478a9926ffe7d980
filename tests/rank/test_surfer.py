import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph
from minisearch.rank.matrices import matrix
from minisearch.rank.pagerank import pagerank
from minisearch.rank.surfer import division_points, expected_errors, next_page, surf
from minisearch.textbook import surfer as textbook
from tests.webs import CHAIN, RING, TWO_ISLANDS, graph_of, random_graph, some_webs

KITE = {0: [1, 2, 2], 1: [0], 2: [3], 3: [0, 1]}


@settings(max_examples=30)
@given(some_webs, st.floats(0.1, 0.95), st.integers(0, 99))
def test_frequencies_come_to_pagerank_as_near_as_chance_allows(links, damping, seed):
    graph = graph_of(links)
    walk = surf(graph, 20_000, seed=seed, damping=damping)
    exact = pagerank(graph, damping=damping, tolerance=1e-12).values
    errors = expected_errors(graph, 20_000, damping=damping)
    assert (np.abs(walk.frequencies - exact) <= 6 * errors + 1e-4).all()  # six sigma: hypothesis looks for bad luck


@pytest.mark.parametrize("damping", [0.5, 0.9, 0.9999, 1])
def test_the_walk_follows_links_or_jumps(damping):
    graph = graph_of(KITE)
    walk = surf(graph, 5000, damping=damping, start=2)
    steps = list(zip([walk.start, *walk.path.tolist()], walk.path.tolist(), strict=False))
    followed = sum(to in KITE[page] for page, to in steps) / len(steps)
    assert walk.start == 2
    assert followed >= damping - 0.05


@pytest.mark.parametrize("damping", [0.85, 0.9999])
def test_both_ways_of_walking_give_the_same_frequencies(damping, monkeypatch):
    graph = graph_of({**KITE, 4: [], 3: [0, 1, 4]})
    exact = pagerank(graph, damping=damping, tolerance=1e-12).values
    for bound in (0.0, 1.0):  # always in pieces, always one by one
        monkeypatch.setattr("minisearch.rank.surfer.FEW_JUMPS", bound)
        walk = surf(graph, 50_000, damping=damping, seed=1)
        assert walk.frequencies == pytest.approx(exact, abs=0.02)


def test_weights_of_links_are_chances():
    graph = LinkGraph.from_edges(3, [0, 0, 1, 2], [1, 2, 0, 0], weights=[0.9, 0.1, 1, 1])
    for damping in (0.95, 1):
        frequencies = surf(graph, 40_000, damping=damping, start=0).frequencies
        assert frequencies == pytest.approx(pagerank(graph, damping=0.95).values, abs=0.03)


def test_repeated_links_are_chosen_more_often():
    visits = surf(graph_of({0: [1, 2, 2, 2], 1: [0], 2: [0]}), 20_000, damping=1, start=0).visits
    assert 2.6 < visits[2] / visits[1] < 3.4


def test_the_same_seed_gives_the_same_walk():
    graph = graph_of(KITE)
    assert surf(graph, 100, seed=3).path.tolist() == surf(graph, 100, seed=3).path.tolist()
    assert surf(graph, 100, seed=3).path.tolist() != surf(graph, 100, seed=4).path.tolist()


def test_a_walk_that_is_made_in_parts_is_one_walk(monkeypatch):
    monkeypatch.setattr("minisearch.rank.surfer.AT_A_TIME", 7)
    ring = graph_of(RING)
    assert surf(ring, 20, damping=1, start=0).path.tolist() == [step % 4 for step in range(1, 21)]
    walk = surf(graph_of(KITE), 20_000, seed=2)
    assert walk.frequencies == pytest.approx(pagerank(graph_of(KITE)).values, abs=0.02)


def test_jumps_go_where_they_are_told():
    walk = surf(graph_of(CHAIN), 3000, damping=0, teleport=[3, 1, 0])
    assert walk.frequencies[2] == 0
    assert walk.frequencies[0] == pytest.approx(0.75, abs=0.04)
    stuck = surf(graph_of({0: [1], 1: [], 2: []}), 3000, damping=0.5, teleport=[1, 0, 0], dangling="teleport")
    assert stuck.frequencies[2] == 0


def test_errors_from_pieces_of_the_walk_are_near_those_of_the_theory():
    graph = graph_of(TWO_ISLANDS)
    walk = surf(graph, 200_000, damping=0.85)
    theory = expected_errors(graph, 200_000, damping=0.85)
    assert walk.errors() == pytest.approx(theory, rel=0.4)


def test_the_error_is_that_of_moves_that_remember_those_before_them():
    graph, moves = graph_of(KITE), 1000
    chain, rank = matrix(graph, "G", damping=0.85), pagerank(graph, tolerance=1e-14).values
    later = sum(np.diag(np.linalg.matrix_power(chain, steps)) - rank for steps in range(1, 300))
    variance = rank * (1 - rank) + 2 * rank * later
    assert expected_errors(graph, moves, damping=0.85) == pytest.approx(np.sqrt(variance / moves), rel=1e-9)


def test_the_distance_from_the_exact_ranks_falls():
    graph = graph_of(KITE)
    walk = surf(graph, 100_000)
    distances = walk.distances(pagerank(graph).values)
    assert distances[-1][0] == 100_000
    assert distances[-1][1] < distances[0][1] / 20
    assert [moves for moves, _ in distances] == sorted({moves for moves, _ in distances})


def test_a_walk_of_no_moves_is_no_walk_but_no_error_either():
    walk = surf(graph_of(RING), 0)
    assert (walk.steps, walk.frequencies.tolist(), walk.errors().tolist()) == (0, [0] * 4, [1] * 4)
    assert walk.distances([0.25] * 4) == []
    assert surf(graph_of(RING), 1).errors().tolist() == [1] * 4


def test_a_million_moves_take_moments():
    import time

    graph = random_graph(20_000, 200_000)
    for damping in (0.85, 1.0):
        began = time.process_time()
        assert surf(graph, 1_000_000, damping=damping).visits.sum() == 1_000_000
        assert time.process_time() - began < 10  # on an idle machine well below 1


def test_a_draw_at_a_division_point_belongs_to_the_next_page():
    assert next_page([0.25, 0.5, 1.0], 0.25) == 1
    assert next_page([0.25, 0.5, 1.0 - 1e-12], 0.9999999999999) == 2
    row = [0.205, 0.385, 0.025, 0.385]
    for drawn in np.linspace(0, 0.999, 50):
        assert next_page(np.cumsum(row), drawn) == textbook.next_page(row, drawn)


def test_the_textbook_surfs_to_the_same_frequencies():
    exact = pagerank(graph_of(KITE), damping=0.9).values
    shares = textbook.frequencies(textbook.surf(KITE, 0, 20_000))
    assert [shares[page] for page in KITE] == pytest.approx(exact.tolist(), abs=0.02)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda graph: surf(graph, -1), "moves must be 0 or more"),
        (lambda graph: surf(graph, 5, damping=2), "damping must be between 0 and 1"),
        (lambda graph: surf(graph, 5, seed=-1), "the seed must be 0 or more"),
        (lambda graph: surf(graph, 5, start=9), "there is no page 9: pages are 0 to 3"),
        (lambda graph: surf(graph, 5, dangling="leak"), 'needs "uniform" or "teleport"'),
        (lambda graph: surf(graph, 5, teleport=[0, 0, 0, 0]), "zero everywhere"),
        (lambda graph: surf(LinkGraph.from_edges(0, [], []), 5), "the graph has no pages"),
        (lambda graph: next_page([1.0], 1.5), "a draw must be in"),
        (lambda graph: division_points(graph, -1), "there is no page -1"),
        (lambda graph: expected_errors(graph, 0), "1 or more"),
        (lambda graph: expected_errors(graph, 10, damping=1), "damping must be 0 or more and below 1"),
        (lambda graph: expected_errors(LinkGraph.from_edges(1001, [], []), 10), "1000 pages or fewer"),
    ],
)
def test_what_makes_no_sense_is_refused(call, complaint):
    with pytest.raises(BadInput, match=complaint):
        call(graph_of(RING))


def test_large_weights_take_no_memory():
    graph = LinkGraph.from_edges(3, [0, 0, 1, 2], [1, 2, 0, 0], weights=[4e12, 4e12, 1, 1e12])
    for damping in (0.85, 1.0):
        visits = surf(graph, 20_000, damping=damping, start=0).visits
        assert 0.9 < visits[2] / visits[1] < 1.1
