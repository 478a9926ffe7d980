"""Records are put together from their columns, compiled or not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.travel import columns, rows
from minisearch.native.loops import compiled
from minisearch.records import Link


@given(st.lists(st.tuples(st.text(), st.text(), st.booleans()), min_size=1))
def test_records_are_put_together_from_their_columns(some):
    found = rows(Link, tuple(zip(*some, strict=True)))
    assert found == tuple(Link(*row) for row in some)
    assert all(isinstance(link, Link) for link in found)


@pytest.mark.skipif(not compiled, reason="nothing is compiled")
@pytest.mark.parametrize("wrong", [(Link, (("a",), ("b", "c"))), (Link, (["a"],)), (int, (("a",),)), ("x", ())])
def test_what_is_no_record_is_not_put_together(wrong):
    with pytest.raises((TypeError, ValueError)):
        compiled.records(*wrong)


@given(st.lists(st.tuples(st.text(), st.text(), st.booleans())))
def test_records_are_taken_apart_into_columns(some):
    assert columns(tuple(Link(*row) for row in some)) == tuple(zip(*some, strict=True))


@pytest.mark.skipif(not compiled, reason="nothing is compiled")
@given(st.lists(st.tuples(st.text(), st.text())))
def test_the_letters_of_urls_are_counted(some):
    assert compiled.letters(tuple(Link(*row) for row in some)) == sum(len(url) for url, _ in some)


@pytest.mark.skipif(not compiled, reason="nothing is compiled")
@pytest.mark.parametrize("wrong", [[], ("a",), (("a",), ("b", "c")), (("a",), ["b"])])
def test_what_are_no_records_are_not_taken_apart(wrong):
    with pytest.raises((TypeError, ValueError)):
        compiled.columns(wrong)


@pytest.mark.skipif(not compiled, reason="nothing is compiled")
@pytest.mark.parametrize("wrong", [[], ("a",), ((),), ((b"a", "b"),)])
def test_what_has_no_urls_has_no_letters(wrong):
    with pytest.raises(TypeError):
        compiled.letters(wrong)
