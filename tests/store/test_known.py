"""Urls that are known and cannot change are passed over, compiled or not; all others are looked at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.native.loops import compiled
from minisearch.records import Found, Link
from minisearch.store import known as module
from minisearch.store import links as rows
from minisearch.store.known import FAR, Known, unsettled

urls, depths, hops = st.sampled_from("abcd"), st.sampled_from([-1, 0, 1, 2, FAR]), st.integers(0, 2)
finds = st.builds(Found, urls, st.just("h"), depths, hops, st.sampled_from(["", "nofollow", "scope", "robots"]))
knowns = st.builds(Known, st.integers(1, 9), depths, st.booleans(), hops, urls)
links = st.builds(Link, urls, st.sampled_from(["", "x", "y"]), st.booleans())


class Odd(str):
    """A string that cannot be looked up."""

    __hash__ = None


needed = pytest.mark.skipif(not compiled, reason="nothing is compiled")


@needed
@given(st.lists(finds).map(tuple), st.dictionaries(urls, knowns), urls)
def test_compiled_or_not_the_same_urls_are_passed_over(found, known, teller):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "compiled", None)
        plainly = unsettled(found, known, teller)
    assert unsettled(found, known, teller) == plainly


@needed
@given(st.lists(links).map(tuple))
def test_compiled_or_not_links_are_counted_the_same(some):
    ids = {"a": 1, "b": 2, "c": 1 << 40, "d": 0}
    known = {url: Known(number, 0, False, 0, "") for url, number in ids.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "compiled", None)
        plainly = rows.link_rows(some, ids)
        assert rows.link_rows(some, known) == plainly
    assert rows.link_rows(some, ids) == rows.link_rows(some, known) == plainly


def test_a_link_to_what_was_never_met_is_an_error():
    with pytest.raises(KeyError):
        rows.link_rows((Link("a"),), {})


@needed
@pytest.mark.parametrize(
    "wrong",
    [
        (("a",), {}, "b"),
        ((Found("a", "", 1),), {"a": "x"}, "b"),
        ((Found("a", "", 1, rule=7),), {}, 3),
        ((Found(Odd("a"), "", 1),), {}, "b"),
    ],
)
def test_what_is_no_url_is_refused(wrong):
    with pytest.raises(TypeError):
        compiled.unsettled(*wrong, "nofollow", FAR)
    with pytest.raises(TypeError):
        compiled.link_rows(("a",), {})
    with pytest.raises(TypeError):
        compiled.link_rows((("a", 7, False),), {"a": 1})
    with pytest.raises(TypeError):
        compiled.link_rows((("a", "", False),), {"a": ()})
    with pytest.raises(TypeError):
        compiled.link_rows(((Odd("a"), "", False),), {"a": 1})
