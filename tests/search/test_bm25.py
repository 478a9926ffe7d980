"""The two forms of BM25, textbook and fast, pass the same tests."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.search import bm25, scoring
from minisearch.search.recipe import DEFAULT, FIELDS
from minisearch.textbook import bm25 as textbook
from minisearch.textbook import engine


def fast_saturation(count, length, average, field="body"):
    norms = bm25.norm(np.array([float(length)]), average, field, DEFAULT)
    return float(bm25.saturation(np.array([count]), norms, DEFAULT.k1)[0])


def slow_saturation(count, length, average, field="body"):
    return textbook.saturation(count, length, average, field)


both = pytest.mark.parametrize(
    ("idf", "saturation"),
    [(textbook.idf, slow_saturation), (bm25.idf, fast_saturation)],
    ids=["textbook", "fast"],
)
counts = st.integers(1, 10_000)
lengths = st.integers(1, 100_000)
averages = st.floats(0.001, 100_000)
fields = st.sampled_from(FIELDS)


@both
def test_published_values_come_out(idf, saturation):
    assert idf(1, 1) == pytest.approx(np.log(4 / 3))
    assert idf(3, 10) == pytest.approx(np.log(1 + 7.5 / 3.5))
    assert saturation(1, 10, 10) == pytest.approx(1)
    assert saturation(2, 10, 10) == pytest.approx(2 * 3 / 4)
    assert saturation(1, 20, 10) == pytest.approx(3 / (1 + 2 * 1.75))
    assert saturation(1, 20, 10, "anchor") == pytest.approx(3 / (1 + 2 * 1.5))


@both
@settings(deadline=None)
@given(df=st.integers(1, 1000), more=st.integers(0, 1000))
def test_a_word_is_never_worth_less_than_nothing_and_less_the_more_pages_have_it(idf, saturation, df, more):
    pages = df + more
    assert idf(df, pages) > 0
    assert idf(df, pages + 1) > idf(df + 1, pages + 1)


@both
@settings(deadline=None)
@given(count=counts, length=lengths, average=averages, field=fields)
def test_repeating_a_word_helps_ever_less_and_never_past_a_limit(idf, saturation, count, length, average, field):
    once, twice, thrice = (saturation(count + more, length, average, field) for more in range(3))
    assert 0 < once <= twice <= thrice < DEFAULT.k1 + 1
    assert twice - once >= thrice - twice - 1e-12


@both
@settings(deadline=None)
@given(count=counts, length=lengths, average=averages, field=fields)
def test_a_longer_field_holds_the_word_back(idf, saturation, count, length, average, field):
    assert saturation(count, length * 2, average, field) < saturation(count, length, average, field)
    assert saturation(1, length, length, field) == pytest.approx(1)


@settings(deadline=None)
@given(count=counts, length=lengths, average=averages, field=fields, df=st.integers(1, 1000), more=st.integers(0, 1000))
def test_both_say_the_same(count, length, average, field, df, more):
    fast, slow = (saturation(count, length, average, field) for saturation in (fast_saturation, slow_saturation))
    assert bm25.idf(df, df + more) == pytest.approx(textbook.idf(df, df + more), rel=1e-12)
    assert fast == pytest.approx(slow, rel=1e-12)


def test_a_field_that_no_page_has_holds_nothing_back():
    assert bm25.norm(np.zeros(3), 0.0, "anchor", DEFAULT).tolist() == [DEFAULT.k1] * 3


def test_both_weigh_alike():
    assert (DEFAULT.k1, DEFAULT.b, DEFAULT.weight) == (textbook.K1, textbook.B, textbook.WEIGHTS)
    ours = DEFAULT.neighbours, DEFAULT.names, DEFAULT.exact
    assert ours == (engine.NEIGHBOURS, engine.NAMES, engine.EXACT)
    assert (DEFAULT.telling, DEFAULT.faint, DEFAULT.short) == (engine.TELLING, engine.FAINT, engine.SHORT)
    assert (DEFAULT.closely, DEFAULT.blend) == (engine.CLOSELY, engine.BLEND)
    assert scoring.NEARLY == engine.NEARLY
    assert set(FIELDS) == set(DEFAULT.weight) == set(DEFAULT.b) == set(DEFAULT.neighbours) > set(DEFAULT.names)


def test_each_field_is_saturated_on_its_own():
    twice, apart = {"body": [["cat", "cat"]]}, {"body": [["cat", "dog"]], "title": [["cat", "dog"]]}
    assert textbook.score(["cat"], apart, [twice, apart]) > textbook.score(["cat"], twice, [twice, apart])
    assert textbook.score(["cow"], twice, [twice, apart]) == 0


@pytest.mark.parametrize(("b", "k1"), [(1.0, 1.2), (0.0, 0.0), (0.5, 0.0)])
def test_a_word_that_is_not_there_is_worth_nothing_whatever_the_numbers(b, k1):
    norms = bm25.norms(np.array([0, 3]), 1.5, b, k1)
    with np.errstate(all="raise"):
        assert bm25.saturation(np.array([0, 0]), norms, k1).tolist() == [0.0, 0.0]
        assert bm25.saturation(np.array([1, 1]), norms, k1)[0] == 1 + k1
