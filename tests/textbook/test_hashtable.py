import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.textbook.hashtable import (
    bad_hash_string,
    chi_square,
    hash_string,
    hashtable_add,
    hashtable_get_bucket,
    hashtable_lookup,
    hashtable_update,
    make_hashtable,
    test_hash_function,
)

each = pytest.mark.parametrize("function", [bad_hash_string, hash_string], ids=["bad", "better"])


def test_hash_values_are_the_published_ones(oracles):
    for word, expected in oracles["derived-hash-values"]["expected"].items():
        assert {size: bad_hash_string(word, int(size)) for size in expected["bad"]} == expected["bad"]
        assert {size: hash_string(word, int(size)) for size in expected["better"]} == expected["better"]


@pytest.mark.parametrize(("name", "list_of"), [("004-hash-bad", "printed"), ("004-hash-better", "reconstructed")])
def test_the_spread_over_twelve_buckets_is_the_published_one(oracles, name, list_of):
    counts, expected = oracles[name][list_of], oracles[name]["expected"]
    assert (sum(counts), min(counts), max(counts)) == (expected["total"], expected["min"], expected["max"])
    assert chi_square(counts) == pytest.approx(expected["chi_square"], rel=1e-12)


@pytest.mark.parametrize(
    ("function", "counts"),
    [(bad_hash_string, [0, 0, 0, 4]), (hash_string, [1, 1, 1, 1])],
    ids=["bad", "better"],
)
def test_the_better_function_spreads_words_that_begin_alike(function, counts):
    assert test_hash_function(function, ["ca", "cb", "cc", "cd"], 4) == counts


@each
def test_a_key_given_twice_is_counted_once(function):
    assert sum(test_hash_function(function, ["cat", "dog", "cat"], 5)) == 2


@each
@given(st.text(), st.integers(1, 100))
def test_any_word_has_a_bucket(function, word, buckets):
    assert 0 <= function(word, buckets) < buckets


@pytest.mark.parametrize(("counts", "spread"), [([], 0), ([0, 0], 0), ([4, 4], 0), ([8, 0], 8), ([6, 2], 2)])
def test_chi_square_is_nothing_for_even_buckets_and_grows_with_unevenness(counts, spread):
    assert chi_square(counts) == spread


def test_a_new_table_has_independent_empty_buckets():
    table = make_hashtable(3)
    hashtable_get_bucket(table, "word").append(["word", 1])
    assert sorted(table) == [[], [], [["word", 1]]]


def test_adding_keeps_what_was_there_and_updating_replaces_it():
    table = make_hashtable(1)
    hashtable_add(table, "a", 1)
    hashtable_add(table, "a", 2)
    assert table == [[["a", 1], ["a", 2]]]
    hashtable_update(table, "a", 3)
    hashtable_update(table, "b", 4)
    assert table == [[["a", 3], ["a", 2], ["b", 4]]]


@given(st.integers(1, 5), st.lists(st.tuples(st.text(max_size=3), st.integers())))
def test_a_table_behaves_like_a_dict(buckets, changes):
    table, expected = make_hashtable(buckets), {}
    for key, value in changes:
        hashtable_update(table, key, value)
        expected[key] = value
    assert {key: hashtable_lookup(table, key) for key in expected} == expected
    assert hashtable_lookup(table, "absent") is None
