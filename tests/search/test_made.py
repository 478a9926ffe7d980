"""Hits that show no passage are the same, made at one go or field by field."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.native.loops import compiled
from minisearch.records import Hit
from minisearch.search import made
from minisearch.search.made import bare
from minisearch.store.pages import StoredPage

words = st.text(max_size=5)
pages = st.builds(
    StoredPage,
    id=st.integers(1, 4),
    url=st.sampled_from(["http://a/", "http://a/b#c", "#", "http://a/#é#", "http://ä/"]) | words,
    title=words,
    description=words,
    language=words,
    fetched_at=words,
    depth=st.integers(0, 3),
)
floats = st.floats(allow_nan=False)
rows = st.tuples(st.integers(0, 9), floats, floats, floats, floats, st.booleans())
PAGE = StoredPage(7, "http://a/b#c", "", "", "en", "today", 1)
ROW = (3, 2.5, 2.0, 1.25, 2.5, True)


@given(st.lists(st.tuples(pages, rows)), st.dictionaries(st.integers(1, 4), st.just(("http://b/",))))
def test_compiled_or_not_hits_are_the_same(found, similar):
    quick = bare(found, similar)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(made, "compiled", None)
        assert bare(found, similar) == quick


def test_a_hit_without_a_passage_tells_all_else():
    (hit,) = bare([(PAGE, ROW)], {7: ("http://c/",)})
    told = ("http://a/b#c", "http://a/b#c", 2.5, 2.0, 1.25, "", (), 7, True, ("http://c/",), "", "http://a/b")
    assert hit == Hit(*told, "en", "today")
    with pytest.raises(AttributeError):
        hit.url = "another"


@pytest.mark.skipif(not compiled, reason="nothing is compiled")
@pytest.mark.parametrize(
    "wrong",
    [
        {"found": [PAGE]},
        {"found": [(PAGE, ROW[1:])]},
        {"found": [(PAGE,)]},
        {"found": [(None, ROW)]},
        {"found": [(PAGE, [*ROW])]},
        {"slots": made._SLOTS[1:]},
        {"slots": (None, *made._SLOTS[1:])},
        {"names": made._NAMES[1:]},
        {"names": ("id", *made._NAMES[1:])},
        {"names": (1, *made._NAMES[1:])},
        {"kind": StoredPage},
        {"similar": None},
    ],
)
def test_what_is_no_page_is_refused(wrong):
    good = {"kind": Hit, "slots": made._SLOTS, "names": made._NAMES, "found": [(PAGE, ROW)], "similar": {}}
    compiled.hits(*good.values())
    with pytest.raises((TypeError, AttributeError)):
        compiled.hits(*(good | wrong).values())
