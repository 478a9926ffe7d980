"""Compare: a gain is a gain, luck is luck, and the same seed gives the same numbers."""

from itertools import product
from operator import mul

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.judge.compare import Difference, paired

metric = st.floats(0, 1)
pairs = st.lists(st.tuples(metric, metric), min_size=1, max_size=30).map(lambda rows: tuple(zip(*rows, strict=True)))


def test_a_clear_gain_is_no_luck():
    found = paired([0.1, 0.2, 0.3, 0.2] * 10, [0.5, 0.5, 0.6, 0.7] * 10)
    assert found.mean == pytest.approx(0.375)
    assert 0.3 < found.low < found.mean < found.high < 0.45
    assert found.p < 0.001


def test_one_query_up_and_one_down_is_luck():
    found = paired([1.0, 0.0], [0.0, 1.0])
    assert found.mean == 0
    assert found.low < 0 < found.high
    assert found.p == 1


@pytest.mark.parametrize("count", [1, 2, 4, 12])
def test_few_queries_are_never_sure(count):
    assert paired([0.0] * count, [1.0] * count).p == 2 / 2**count


@given(st.lists(st.tuples(metric, metric), min_size=1, max_size=6))
@settings(max_examples=30)
def test_luck_is_the_share_of_all_signs_that_do_as_well(rows):
    gained = [after - before for before, after in rows]
    sums = [abs(sum(map(mul, gained, signs))) for signs in product((-1, 1), repeat=len(rows))]
    as_large = sum(one >= abs(sum(gained)) - 1e-12 for one in sums)
    assert paired(*zip(*rows, strict=True)).p == (as_large / len(sums) if any(gained) else 1)


def test_no_difference_is_none():
    assert paired([0.3, 0.4], [0.3, 0.4]) == Difference(0.0, 0.0, 0.0, 1.0)


def test_the_seed_decides():
    before, after = [0.1, 0.5, 0.3, 0.9, 0.2, 0.7, 0.1] * 2, [0.3, 0.4, 0.4, 0.8, 0.6, 0.6, 0.2] * 2
    assert paired(before, after, seed=1) == paired(before, after, seed=1) != paired(before, after, seed=2)


@settings(max_examples=30)
@given(pairs)
def test_exchanging_the_two_turns_the_sign(pair):
    there, back = paired(*pair, rounds=200), paired(*reversed(pair), rounds=200)
    assert (there.mean, there.low, there.high) == pytest.approx((-back.mean, -back.high, -back.low), abs=1e-9)
    assert there.p == back.p
    assert 0 < there.p <= 1
    assert there.low <= there.high


@pytest.mark.parametrize(("before", "after"), [([], []), ([1.0], [1.0, 0.5])])
def test_only_the_same_queries_can_be_compared(before, after):
    with pytest.raises(BadInput, match="only the same queries"):
        paired(before, after)


def test_queries_that_do_not_differ_do_not_blur_the_luck():
    same = [0.5] * 30
    assert paired([*same, 0.0, 0.0, 0.0], [*same, 1.0, 1.0, 1.0]).p == 0.25
    assert paired([*same, 0.0], [*same, 1.0]).p == 1.0
