import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.parse.joining import Joiner
from minisearch.tracking import PARAMETERS, untracked
from minisearch.urls import normalize

NAMES = [name for names in PARAMETERS.values() for name in names.split()]
PAGE = "http://a.example/story"

words = st.sampled_from(
    ["id=1", "page", "utm_source=x", "UTM_Medium", "fbclid=", "gclid=a=b", "x=utm_source=1", "", "q=é"]
)
queries = st.lists(words, max_size=6).map("&".join)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_listed_is_left_out(name):
    name += "anything" * name.endswith("_")
    assert untracked(f"{name}=1") == untracked(name) == untracked(f"{name.upper()}=1") == ""
    assert untracked(f"a=1&{name}=x&b=2&{name}") == "a=1&b=2"


@pytest.mark.parametrize(
    "query", ["ref=1", "id=7&b=&a", "gclids=1", "my_gclid=1", "q=utm_source", "source=utm_x&&", "&a"]
)
def test_what_may_choose_the_page_stays_as_it_is(query):
    assert untracked(query) == query


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("http://a.example/story?utm_source=news&utm_medium=mail", PAGE),
        ("/story?page=2&gclid=1", f"{PAGE}?page=2"),
        ("?fbclid=1", PAGE),
        ("story?%75tm_source=1&id=1", f"{PAGE}?id=1"),
        ("story?ID=1", f"{PAGE}?ID=1"),
    ],
)
def test_a_url_is_known_without_what_tracks_the_reader(href, url):
    assert normalize(href, PAGE) == Joiner(PAGE)(href) == url


@given(queries)
def test_normalising_twice_changes_nothing_and_the_quick_way_is_the_same(query):
    once = normalize(f"/story?{query}", PAGE)
    assert normalize(once) == once == Joiner(PAGE)(f"/story?{query}")
    assert "utm_source=x" not in once.split("&")


@given(st.text())
def test_what_is_left_is_a_part_of_what_there_was(query):
    left = untracked(query)
    assert set(left.split("&")) <= {*query.split("&"), ""}
    assert untracked(left) == left
