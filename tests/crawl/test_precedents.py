import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl import precedents as module
from minisearch.crawl.precedents import Precedents, known_verdicts
from minisearch.crawl.scope import Rules
from minisearch.native.loops import compiled
from minisearch.records import Found, Link

SITE, HOST = "http://a.example", "a.example"
LIKE = Found("", "", 7)
needed = pytest.mark.skipif(not compiled, reason="nothing is compiled")

urls = st.sampled_from(["a", "b", "x/a", "x/b", "x/c?d", "x/", "y/a", "x/\u010d"])
links = st.lists(st.builds(Link, urls, st.just(""), st.sampled_from([False, False, False, True]))).map(tuple)
found = st.builds(Found, urls, st.just("h"), st.integers(0, 3))
folders = st.dictionaries(st.sampled_from(["x", "y"]), st.tuples(st.just("h"), st.frozensets(st.sampled_from("abc"))))


@needed
@given(
    links,
    st.dictionaries(urls, found),
    st.dictionaries(urls, found),
    st.sampled_from(["", "a", "e", "x/e"]),
    folders,
    st.integers(0, 4),
    st.integers(-1, 3),
)
def test_compiled_or_not_the_same_is_known_of_links(links, followed, shunned, also, folders, longest, room):
    given = (shunned, also, folders, longest, room, LIKE)
    plainly_followed = dict(followed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "compiled", None)
        plainly = known_verdicts(links, plainly_followed, *given)
    told = known_verdicts(links, followed, *given)
    assert told == plainly
    assert {type(verdict) for verdict in told[0]} <= {Found, str}
    assert followed == plainly_followed


def test_no_more_is_kept_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr(module, "MOST_VERDICTS", 3)
    monkeypatch.setattr(module, "MOST_FOLDERS", 2)
    kept = Precedents(Rules((f"{SITE}/",)))
    kept.keep(Found(f"{SITE}/a", HOST, 1), follow=True)
    many = tuple(Link(f"{SITE}/{name}") for name in "bcdef")
    verdicts, unknown = kept.of_links(many, 1)
    assert [verdict.url for verdict in verdicts] == [link.url for link in many]
    assert unknown == []
    assert [name for name in "abcdef" if kept.of(f"{SITE}/{name}", 1, follow=True)] == ["a", "b", "c"]
    for name in "xyz":
        kept.keep(Found(f"{SITE}/{name}/", HOST, 1), follow=True)
    assert [name for name in "abc" if kept.of(f"{SITE}/{name}", 1, follow=True)] == []
    beside = tuple(Link(f"{SITE}/{name}/a") for name in "xyz")
    assert [place for place, _ in kept.of_links(beside, 1)[1]] == [1, 2]


@needed
@pytest.mark.parametrize("wrong", [(("a", ""),), ("a",), (([], "", False),), []])
def test_what_is_no_link_is_refused(wrong):
    with pytest.raises(TypeError):
        compiled.known_verdicts(wrong, {}, {}, "", {}, 9, 0, LIKE)


@needed
@pytest.mark.parametrize(
    ("folders", "like"),
    [
        ({"x": "h"}, LIKE),
        ({"x": ("h",)}, LIKE),
        ({"x": ("h", "b")}, LIKE),
        ({}, ("", "")),
        ({}, ""),
    ],
)
def test_what_is_no_folder_is_refused(folders, like):
    with pytest.raises(TypeError):
        compiled.known_verdicts((Link("x/a"),), {}, {}, "", folders, 9, 0, like)
