"""Rounds in exact fractions, and decimals that are all right."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.lab.exact import exact_rounds, in_decimals
from minisearch.lab.presets import web as preset
from minisearch.rank.pagerank import pagerank
from tests.lab.conftest import drawn_webs


@pytest.mark.parametrize("name", ["003-H-iterations", "003-iterations", "004-iterations"])
def test_exact_rounds_are_the_published_fractions(oracles, name):
    oracle = oracles[name]
    web, params = preset(next(o for o in ("003-four", "004-four") if o[:3] == name[:3])), oracle["params"]
    expected = oracle.get("expected_exact", {})
    rows = exact_rounds(web.graph(), 9, damping=params["beta"], dangling=params["dangling"])
    for number, row in oracle["expected"].items():
        for page, value in row.items():
            exact = rows[int(number)][web.number(page)]
            assert float(exact) == pytest.approx(value, abs=1e-15)
            if expected:
                assert exact == Fraction(expected[number][page])


@given(
    web=drawn_webs(most=5),
    damping=st.sampled_from(["0.85", "1", "0", "1/3"]),
    dangling=st.sampled_from(["uniform", "teleport", "leak"]),
)
def test_exact_rounds_agree_with_floating_point(web, damping, dangling):
    rows = exact_rounds(web.graph(), 4, damping=damping, dangling=dangling)
    scores = pagerank(web.graph(), damping=float(Fraction(damping)), dangling=dangling, rounds=4, trace=True)
    assert np.allclose([[float(value) for value in row] for row in rows], scores.iterates, rtol=0, atol=1e-14)


def test_exact_rounds_have_their_limits():
    with pytest.raises(BadInput, match="100 iterations"):
        exact_rounds(preset("five-pages").graph(), 101, damping=1)


@given(value=st.fractions(-3, 3, max_denominator=10**6), digits=st.integers(0, 30))
def test_decimals_are_off_by_half_a_unit_of_the_last_at_most(value, digits):
    text = in_decimals(value, digits)
    assert abs(Fraction(text) - value) <= Fraction(1, 2 * 10**digits)
    assert len(text.partition(".")[2]) == digits
