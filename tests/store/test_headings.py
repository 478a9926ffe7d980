"""Headings are kept as JSON, whatever letters they have."""

import json

from hypothesis import given
from hypothesis import strategies as st

from minisearch.models import Heading
from minisearch.store.headings import headings_kept

texts = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('"\\/\x00\x1f\x7f\b\f\n\r\t\u2028é😀'))
headings = st.builds(Heading, st.integers(-1, 9), texts, st.integers(-(1 << 63), (1 << 63) - 1), texts)


@given(st.lists(headings).map(tuple))
def test_headings_are_kept_as_they_are(some):
    assert json.loads(headings_kept(some)) == [list(each) for each in some]
