"""Headings are kept as JSON, compiled or not, whatever letters they have."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.native.loops import compiled
from minisearch.records import Heading
from minisearch.store import headings as module
from minisearch.store.headings import headings_kept

needed = pytest.mark.skipif(not compiled, reason="nothing is compiled")
texts = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('"\\/\x00\x1f\x7f\b\f\n\r\t\u2028é😀'))
headings = st.builds(Heading, st.integers(-1, 9), texts, st.integers(-(1 << 63), (1 << 63) - 1), texts)


@needed
@given(st.lists(headings).map(tuple))
def test_compiled_or_not_headings_are_kept_the_same(some):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "compiled", None)
        plainly = headings_kept(some)
    assert headings_kept(some) == plainly
    assert json.loads(plainly) == [list(each) for each in some]


@needed
@pytest.mark.parametrize("wrong", [[], ("a",), ((None,),), ((1.5,),)])
def test_what_is_no_heading_is_refused(wrong):
    with pytest.raises(TypeError):
        compiled.headings_kept(wrong)
