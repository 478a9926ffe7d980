"""Significance: a clear gain has a small p-value, chance has not, and results are reproducible."""

from itertools import product
from operator import mul

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.evaluation.significance import Difference, paired_difference

metric = st.floats(0, 1)
pairs = st.lists(st.tuples(metric, metric), min_size=1, max_size=30).map(lambda rows: tuple(zip(*rows, strict=True)))


def test_clear_gain_is_significant():
    found = paired_difference([0.1, 0.2, 0.3, 0.2] * 10, [0.5, 0.5, 0.6, 0.7] * 10)
    assert found.mean == pytest.approx(0.375)
    assert 0.3 < found.low < found.mean < found.high < 0.45
    assert found.p < 0.001


def test_one_query_up_and_one_down_is_chance():
    found = paired_difference([1.0, 0.0], [0.0, 1.0])
    assert found.mean == 0
    assert found.low < 0 < found.high
    assert found.p == 1


@pytest.mark.parametrize("count", [1, 2, 4, 12])
def test_few_queries_never_give_a_small_p(count):
    assert paired_difference([0.0] * count, [1.0] * count).p == 2 / 2**count


@given(st.lists(st.tuples(metric, metric), min_size=1, max_size=6))
@settings(max_examples=30)
def test_p_is_the_share_of_all_sign_combinations_with_as_large_a_mean(rows):
    differences = [after - before for before, after in rows]
    sums = [abs(sum(map(mul, differences, signs))) for signs in product((-1, 1), repeat=len(rows))]
    as_large = sum(one >= abs(sum(differences)) - 1e-12 for one in sums)
    assert paired_difference(*zip(*rows, strict=True)).p == (as_large / len(sums) if any(differences) else 1)


def test_equal_scores_have_no_difference():
    assert paired_difference([0.3, 0.4], [0.3, 0.4]) == Difference(0.0, 0.0, 0.0, 1.0)


def test_same_seed_gives_same_result():
    before, after = [0.1, 0.5, 0.3, 0.9, 0.2, 0.7, 0.1] * 2, [0.3, 0.4, 0.4, 0.8, 0.6, 0.6, 0.2] * 2
    first = paired_difference(before, after, seed=1)
    assert first == paired_difference(before, after, seed=1)
    assert first != paired_difference(before, after, seed=2)


@settings(max_examples=30)
@given(pairs)
def test_swapping_the_sides_negates_the_difference(pair):
    there, back = paired_difference(*pair, resamples=200), paired_difference(*reversed(pair), resamples=200)
    assert (there.mean, there.low, there.high) == pytest.approx((-back.mean, -back.high, -back.low), abs=1e-9)
    assert there.p == back.p
    assert 0 < there.p <= 1
    assert there.low <= there.high


@pytest.mark.parametrize(("before", "after"), [([], []), ([1.0], [1.0, 0.5])])
def test_different_queries_cannot_be_compared(before, after):
    with pytest.raises(BadInput, match="the same queries on both sides"):
        paired_difference(before, after)


def test_queries_without_difference_do_not_change_p():
    same = [0.5] * 30
    assert paired_difference([*same, 0.0, 0.0, 0.0], [*same, 1.0, 1.0, 1.0]).p == 0.25
    assert paired_difference([*same, 0.0], [*same, 1.0]).p == 1.0
