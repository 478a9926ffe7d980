"""Headings are kept as JSON, whatever letters they have."""

import json

from hypothesis import given
from hypothesis import strategies as st

from minisearch.records import Heading
from minisearch.store.headings import headings_kept
from minisearch.store.waiting import heading_lines

texts = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('"\\/\x00\x1f\x7f\b\f\n\r\t\u2028é😀'))
headings = st.builds(Heading, st.integers(-1, 9), texts, st.integers(-(1 << 63), (1 << 63) - 1), texts)


@given(st.lists(headings).map(tuple))
def test_headings_are_kept_as_they_are(some):
    assert json.loads(headings_kept(some)) == [list(each) for each in some]


@given(st.lists(st.lists(headings)))
def test_the_texts_of_headings_are_read(pages):
    kept = [json.dumps(some, ensure_ascii=False) for some in pages]
    told = ["\n".join([heading.text for heading in some]) for some in pages]
    assert heading_lines(kept) == told
    assert heading_lines([json.dumps(some) for some in pages]) == told  # which somebody else may have written
