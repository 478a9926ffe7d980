"""Places of letters, and the words that stand there, are the same compiled or not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.native.loops import compiled
from minisearch.search import finding
from minisearch.search.finding import PLENTY, Finder, _find
from minisearch.search.matches import Matcher
from minisearch.search.roots import PLAIN, Roots

texts = st.text("ab .B?", max_size=60).map(str.encode)
needs_it = pytest.mark.skipif(not compiled, reason="nothing is compiled")


@needs_it
@given(texts, st.text("ab ", max_size=3).map(str.encode))
def test_letters_are_found_alike(text, sought):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finding, "compiled", None)
        plain = _find(text, sought)
    assert (
        _find(text, sought)
        == plain
        == [place for place in range(len(text) + 1) if text[place:].startswith(sought)][:PLENTY]
    )


def finder_of(bits):
    roots = Roots(bits, "en")
    return Finder(bits, "en", Matcher(bits, "en", roots), roots)


@needs_it
@given(texts, st.data(), st.integers(0, 9))
def test_words_at_places_are_found_alike(plain, data, low):
    finder = finder_of({"a": 1, "ab": 2, "bb": 4})
    lowered = (b" " + plain + b" ").translate(PLAIN)
    places = sorted(data.draw(st.sets(st.integers(0, len(plain)))))
    found = compiled.words_at(plain, lowered, places, finder._known, low)
    assert found == finder._words_at(plain, lowered, places, low, set())


@given(st.text("ab ABé.", max_size=60))
def test_compiled_or_not_a_text_has_the_same_matches(text):
    bits = {"a": 1, "ab": 2, "bb": 4}
    found = finder_of(bits).find(text, 0, len(text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finding, "compiled", None)
        assert finder_of(bits).find(text, 0, len(text)) == found


@needs_it
@pytest.mark.parametrize("place", [-1, 4, 2**70, "a", None])
def test_a_place_that_the_text_has_not_is_refused(place):
    with pytest.raises((ValueError, TypeError, OverflowError)):
        compiled.words_at(b"abc", b" abc ", [place], {}, 0)


@needs_it
def test_a_word_that_nobody_weighs_is_an_error():
    with pytest.raises(KeyError):
        compiled.words_at(b"abc", b" abc ", [0], {}, 0)
    assert compiled.words_at(b"abc", b"xxxxx", [3, 1], {b"": 0, b"bc": 5}, 2) == [(3, 5, 5)]
