import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.search.blend import prior
from minisearch.textbook import engine as textbook


@pytest.mark.parametrize(
    ("ranks", "scaled"),
    [
        ([], []),
        ([0.3], [0]),
        ([0.5, 0.5], [0, 0]),
        ([0.1, 0.001], [1, 0]),
        ([0.1, 0.01, 0.001], [1, 0.5, 0]),
        ([0.1, np.nan, 0.001, 0], [1, 0, 0, 0]),  # without a rank: as the least linked
        ([np.nan, np.nan], [0, 0]),
        ([0.5, 0.5 * (1 + 1e-12)], [0, 0]),  # equal but for rounding
    ],
)
def test_ranks_are_scaled_by_their_logarithm(ranks, scaled):
    assert prior(np.array(ranks)) == pytest.approx(scaled)


@settings(deadline=None)
@given(st.lists(st.floats(1e-12, 1) | st.just(0.0), max_size=20))
def test_the_scale_goes_from_zero_to_one_and_keeps_the_order(ranks):
    scaled = prior(np.array(ranks))
    assert ((scaled >= 0) & (scaled <= 1)).all()
    assert (np.diff(scaled[np.argsort(ranks, kind="stable")]) >= 0).all()


@settings(deadline=None)
@given(st.lists(st.floats(1e-12, 1) | st.just(0.0), max_size=20))
def test_the_textbook_scales_alike(ranks):
    slow = textbook.prior(dict(enumerate(ranks)))
    assert prior(np.array(ranks)) == pytest.approx([slow.get(page, 0) for page in range(len(ranks))], abs=1e-6)


@given(st.lists(st.floats(1e-9, 1) | st.just(float("nan")), max_size=30))
def test_in_place_of_the_ranks_or_not_it_is_the_same(ranks):
    kept = np.array(ranks)
    scaled = prior(kept)
    assert np.array_equal(kept, np.array(ranks), equal_nan=True)
    assert prior(kept, in_place=True).tolist() == scaled.tolist()
