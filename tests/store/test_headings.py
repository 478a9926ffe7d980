"""Headings are kept as JSON, compiled or not, whatever letters they have."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from minisearch.native.loops import compiled
from minisearch.records import Heading
from minisearch.store import headings as module
from minisearch.store import waiting
from minisearch.store.headings import headings_kept
from minisearch.store.waiting import heading_lines

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


def without_them(kept):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(waiting, "compiled", None)
        return heading_lines(kept)


@needed
@given(st.lists(st.lists(headings)))
def test_compiled_or_not_the_texts_of_headings_are_read_the_same(pages):
    kept = [json.dumps(some, ensure_ascii=False) for some in pages]
    told = ["\n".join([heading.text for heading in some]) for some in pages]
    assert heading_lines(kept) == without_them(kept) == told
    assert heading_lines([json.dumps(some) for some in pages]) == told  # which somebody else may have written


@needed
@given(st.text(st.sampled_from('[]",0159-. \\n\tueaé'), max_size=30) | st.text().map('[[1, "{}"]]'.format))
@example('[[1, "a"]')
@example('[[1, "a\\')
@example('[[1, "a"],]')
@example('[[01, "a"]]')
@example('[["a", "b"], [1, 2]]')
@example("[[1]]")
@example("[[]]")
@example("[1]")
@example("[ ]")
@example("{}")
def test_what_is_no_list_of_headings_is_read_or_refused_as_without_them(kept):
    try:
        told = without_them([kept])
    except (ValueError, TypeError, IndexError, KeyError) as error:
        with pytest.raises(type(error)):
            heading_lines([kept])
    else:
        assert heading_lines([kept]) == told


@needed
@pytest.mark.parametrize("wrong", [[5], [None], [b"[]"]])
def test_headings_that_are_no_str_are_refused(wrong):
    with pytest.raises(TypeError):
        compiled.heading_lines(wrong, str)
