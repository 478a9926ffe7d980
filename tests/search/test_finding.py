"""The first places of some letters in a text."""

from hypothesis import given
from hypothesis import strategies as st

from minisearch.search.finding import PLENTY, _find

texts = st.text("ab .B?", max_size=60).map(str.encode)


@given(texts, st.text("ab ", max_size=3).map(str.encode))
def test_letters_are_found_where_they_stand(text, sought):
    places = [place for place in range(len(text) + 1) if text[place:].startswith(sought)]
    assert _find(text, sought) == places[:PLENTY]
