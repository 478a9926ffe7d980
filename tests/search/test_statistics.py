import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.search import inspect


@pytest.mark.parametrize("slope", [-0.7, -1.0, -1.3])
def test_zipf_finds_the_slope_of_a_synthetic_text(slope):
    counts = [round(50_000 * rank**slope) for rank in range(1, 2001)]
    assert inspect.zipf(np.repeat(np.arange(2000), counts)) == pytest.approx(slope, abs=0.05)


@pytest.mark.parametrize("beta", [0.5, 0.8])
def test_heaps_finds_the_growth_of_a_synthetic_vocabulary(beta):
    different = np.arange(1, 20_001) ** beta
    terms = different.astype(np.int64)  # a new word whenever the curve passes a whole number
    assert inspect.heaps(terms)[0] == pytest.approx(beta, abs=0.03)


@given(st.lists(st.integers(0, 50), max_size=300).map(lambda terms: np.array(terms, dtype=np.int64)))
def test_short_and_repetitive_texts_have_no_slope_or_a_plausible_one(terms):
    slope, growth = inspect.zipf(terms), inspect.heaps(terms)
    assert slope is None or slope <= 1e-9
    assert growth is None or growth[0] >= -1e-6


@given(st.lists(st.integers(0, 100_000), max_size=50))
def test_every_number_is_in_one_bin(degrees):
    found = inspect.spread(degrees)
    assert sum(found["bins"].values()) == len(degrees)
    for name, count in found["bins"].items():
        low, _, high = name.partition("-")
        assert count == sum(int(low) <= degree <= int(high or low) for degree in degrees)
