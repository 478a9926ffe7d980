import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.rank.farm import formula, harvest, plant
from tests.webs import dampings, graph_of, some_webs


@given(some_webs, st.integers(1, 20), st.floats(0.05, 0.95), st.data())
def test_the_formula_and_the_generated_farm_agree(links, supporters, damping, data):
    graph = graph_of(links)
    accessible = data.draw(st.sets(st.integers(0, graph.n - 1)))
    found = harvest(plant(graph, supporters, sorted(accessible)), damping=damping)
    assert found.scores.converged
    assert found.target == pytest.approx(found.formula.target, rel=0, abs=1e-10)
    assert found.supporter == pytest.approx(found.formula.supporter, rel=0, abs=1e-10)
    assert (found.x > 0) == bool(accessible)


@given(dampings, st.integers(1, 50))
def test_without_its_own_jumps_the_target_has_a_little_less(damping, supporters):
    paper = formula(0.01, supporters, 1000, damping)
    short = (1 - damping) / (1000 * (1 - damping**2))
    assert paper.target - paper.target_without_own_jumps == pytest.approx(short)


def test_more_supporters_lift_the_target_higher():
    graph = graph_of({0: [1], 1: [0]})
    ranks = [harvest(plant(graph, count, [0])).target for count in (1, 10, 100)]
    assert ranks == sorted(ranks)


def test_a_farm_is_added_at_the_end_and_nothing_else_changes():
    graph = graph_of({0: [1, 1], 1: [0, 1]})
    farm = plant(graph, 2, [1, 1])
    assert (farm.target, farm.supporters, farm.accessible) == (2, (3, 4), (1,))
    assert farm.graph.counts.toarray().tolist() == [
        [0, 2, 0, 0, 0],
        [1, 1, 1, 0, 0],
        [0, 0, 0, 1, 1],
        [0, 0, 1, 0, 0],
        [0, 0, 1, 0, 0],
    ]


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: plant(graph_of({0: []}), 0), "at least one supporter"),
        (lambda: plant(graph_of({0: []}), 1, [5]), "accessible names page 5, but there are 1 pages"),
        (lambda: formula(0, 5, 3), "5 supporters and a target do not fit into 3 pages"),
        (lambda: formula(-1, 5, 30), "x, the rank from outside"),
        (lambda: formula(float("nan"), 5, 30), "x, the rank from outside"),
        (lambda: formula(0, 5, 30, 1.0), "with damping 1 the farm's rank grows without bound"),
        (lambda: formula(0, 5, 30, 1.1), "damping must be between 0 and 1"),
    ],
)
def test_what_makes_no_sense_is_refused(call, complaint):
    with pytest.raises(BadInput, match=complaint):
        call()
