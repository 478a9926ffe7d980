"""Terms are numbered as they are met and put in order in the end, compiled or not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.native.loops import compiled
from minisearch.text.vocabulary import CompiledVocabulary, Vocabulary, vocabulary

needed = pytest.mark.skipif(not compiled, reason="nothing is compiled")
both = pytest.mark.parametrize("make", [Vocabulary, pytest.param(CompiledVocabulary, marks=needed)])
letters = st.characters(exclude_categories=["Cs"]) | st.sampled_from("ab\0\x7fé\uffff\U0001f600")
terms = st.lists(st.text(letters, min_size=1, max_size=12))


@both
def test_a_term_keeps_its_number_and_the_order_is_that_of_the_alphabet(make):
    known = make()
    assert known.numbers(["pear", "apple", "pear"]).tolist() == [0, 1, 0]
    assert known.numbers(["fig", "apple"]).tolist() == [2, 1]
    assert len(known) == 3
    told, places = known.in_order()
    assert (told, places.tolist()) == (["apple", "fig", "pear"], [2, 0, 1])


@both
def test_a_vocabulary_may_be_empty(make):
    known = make()
    assert known.numbers([]).tolist() == []
    told, places = known.in_order()
    assert (told, places.tolist(), len(known)) == ([], [], 0)


@needed
@given(st.lists(terms, max_size=4))
def test_compiled_or_not_terms_have_the_same_numbers_and_order(batches):
    one, other = CompiledVocabulary(), Vocabulary()
    for batch in batches:
        assert one.numbers(batch).tolist() == other.numbers(batch).tolist()
        assert len(one) == len(other)
    (told, places), (expected, theirs) = one.in_order(), other.in_order()
    assert told == expected
    assert places.tolist() == theirs.tolist()


@needed
@pytest.mark.parametrize("before", ["", "=", "a long beginning ", "\0\0"])
def test_many_terms_are_kept_and_ordered(before):
    many = [f"{before}{number * 7919 % 100_003:x}" for number in range(50_000)]
    known = CompiledVocabulary()
    assert known.numbers(many).tolist() == list(range(50_000))
    assert known.in_order()[0] == sorted(many)


@needed
@given(
    st.sets(st.text("a\0é\uffff", min_size=1, max_size=14), min_size=100, max_size=300), st.sampled_from(["", "b" * 9])
)
def test_terms_that_begin_alike_are_ordered_as_the_alphabet_has_them(alike, before):
    known, met = CompiledVocabulary(), [before + term for term in alike]
    known.numbers(met)
    assert known.in_order()[0] == sorted(met)


@needed
@pytest.mark.parametrize(("wrong", "error"), [([b"x"], TypeError), ("x", TypeError), ([""], ValueError)])
def test_what_is_no_term_is_refused(wrong, error):
    with pytest.raises(error):
        CompiledVocabulary().numbers(wrong)


def test_the_compiled_one_is_taken_if_it_is_at_hand():
    assert isinstance(vocabulary(), CompiledVocabulary if compiled else Vocabulary)
