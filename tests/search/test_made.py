"""Hits that show no passage tell all else."""

import pytest
from hypothesis import strategies as st

from minisearch.records import Hit
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


def test_a_hit_without_a_passage_tells_all_else():
    (hit,) = bare([(PAGE, ROW)], {7: ("http://c/",)})
    told = ("http://a/b#c", "http://a/b#c", 2.5, 2.0, 1.25, "", (), 7, True, ("http://c/",), "", "http://a/b")
    assert hit == Hit(*told, "en", "today")
    with pytest.raises(AttributeError):
        hit.url = "another"
