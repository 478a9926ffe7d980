from dataclasses import dataclass
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.duplicates import FALSE_CANONICALS, merge, redirect_ends


@dataclass(frozen=True)
class P:
    """A page, as merging sees it."""

    id: int
    canonical: str = ""
    content_hash: str = ""
    simhash: int | None = None
    words: int = 300
    outline: str = ""
    depth: int = 1
    host: str = "a.example"
    noindex: int = 0
    name: str = ""

    @property
    def url(self):
        return f"https://{self.host}/{self.name or self.id}"


def merged(*pages, also=()):
    return merge(pages, {page.url: page.id for page in pages} | dict(also))


def at(number):
    return f"https://a.example/{number}"


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ([P(1), P(2, at(1))], {2: (1, "canonical")}),
        ([P(1), P(2, at(1)), P(3, at(2))], {2: (1, "canonical"), 3: (1, "canonical")}),
        ([P(1, at(1))], {}),
        ([P(1, at(9))], {}),
        ([P(1), P(2, at(1), host="b.example")], {}),
        ([P(1, noindex=1), P(2, at(1))], {}),
        ([P(1), P(2, at(1), noindex=1)], {}),
    ],
    ids=["says so", "a chain", "itself", "not held", "another host", "into a hidden page", "hidden itself"],
)
def test_a_canonical_link_is_believed_within_reason(pages, expected):
    assert merged(*pages) == expected


def test_a_canonical_link_may_lead_through_a_redirect():
    assert merged(P(1), P(2, at("old")), also={at("old"): 1}) == {2: (1, "canonical")}


@pytest.mark.parametrize("order", list(permutations([P(1, at(2)), P(2, at(1)), P(3, at(1))])))
def test_canonical_links_in_a_loop_are_ignored(order):
    assert merged(*order) == {}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (P(1, depth=1), P(2, depth=2)),
        (P(2, depth=1), P(1, depth=2)),
        (P(1, name="b"), P(2, name="aa")),
        (P(2, name="a"), P(1, name="b")),
        (P(1, depth=1, name="long"), P(2, depth=2, name="x")),
    ],
    ids=["nearer", "nearer, fetched later", "shorter", "first in the alphabet", "nearer before shorter"],
)
def test_of_pages_with_the_same_text_the_plainest_is_kept(first, second):
    pages = [P(**{**vars(page), "content_hash": "same"}) for page in (second, first)]
    assert merged(*pages) == {second.id: (first.id, "identical")}


def test_pages_without_a_hash_and_hidden_pages_have_no_duplicates():
    assert merged(P(1), P(2), P(3, content_hash="x", noindex=1), P(4, content_hash="x")) == {}


def test_a_canonical_link_into_a_group_of_duplicates_ends_at_the_one_that_is_kept():
    pages = P(1, depth=0, content_hash="x"), P(2, content_hash="x"), P(3, at(2))
    assert merged(*pages) == {2: (1, "identical"), 3: (1, "canonical")}


HALF = 0xFFFFFFFF  # bits, so that what has none of them has little in common with it


def test_a_site_whose_pages_all_say_they_are_its_home_page_is_not_believed():
    home, print_version = P(1, simhash=HALF), P(2, at(1), simhash=HALF ^ 0b111)
    crowd = [P(number, at(1), simhash=0) for number in range(3, 3 + FALSE_CANONICALS)]
    assert merged(home, print_version, *crowd) == {2: (1, "canonical")}
    assert set(merged(home, print_version, *crowd[1:])) == {2, *(page.id for page in crowd[1:])}


@pytest.mark.parametrize("known", [{}, {"simhash": 0, "words": 20}], ids=["nothing known", "short"])
def test_pages_of_which_little_is_known_are_believed(known):
    assert len(merged(P(1, simhash=HALF), *(P(number, at(1), **known) for number in range(2, 40)))) == 38


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("docs/", "docs"),
        ("docs/", "docs/index.html"),
        ("docs", "docs/INDEX.HTM"),
        ("docs/", "docs/default.aspx"),
        ("docs/?a=1", "docs?a=1"),
        ("docs/?a=1", "docs/index.php?a=1"),
    ],
)
def test_equivalent_urls_with_nearly_the_same_text_are_merged(one, other):
    pages = P(1, name=one, simhash=7), P(2, name=other, simhash=4, depth=2)
    assert merged(*pages) == {2: (1, "equivalent-url")}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (P(1, name="docs/", simhash=0xFF), P(2, name="docs", simhash=0)),
        (P(1, name="docs/", simhash=1, words=50), P(2, name="docs", simhash=3, words=50)),
        (P(1, name="docs/"), P(2, name="docs")),
        (P(1, name="docs/a", simhash=1), P(2, name="docs/b", simhash=1)),
        (P(1, name="docs/?a=1", simhash=1), P(2, name="docs/?a=2", simhash=1)),
        (P(1, name="docs/index.html", simhash=1), P(2, name="docs/index.php5", simhash=1)),
        (P(1, name="docs/", simhash=1), P(2, name="docs", simhash=1, host="b.example")),
    ],
    ids=[
        "unlike",
        "short and not the same",
        "unknown",
        "other names",
        "other parameters",
        "another file",
        "other host",
    ],
)
def test_other_pages_with_similar_urls_are_kept(one, other):
    assert merged(one, other) == {}


def test_pages_of_a_folder_that_differ_in_numbers_alone_are_merged():
    days = [P(n, name=f"day/{n}", outline="x", simhash=n) for n in (1, 2, 3)]
    assert merged(*days) == {2: (1, "near-identical"), 3: (1, "near-identical")}


@pytest.mark.parametrize(
    "other",
    [
        P(2, name="day/2", outline="y", simhash=1),
        P(2, name="day/2", outline="", simhash=1),
        P(2, name="other/2", outline="x", simhash=1),
        P(2, name="day/2", outline="x", simhash=0xFF00),
        P(2, name="day/2", outline="x", simhash=1, host="b.example"),
    ],
    ids=["words differ", "numbers matter", "another folder", "names with numbers in them differ", "another host"],
)
def test_pages_that_are_merely_alike_are_kept(other):
    assert merged(P(1, name="day/1", outline="x", simhash=1), other) == {}


TWINS = ["a", "a/", "a/index.html"]

pages_of_some_site = st.lists(
    st.builds(
        P,
        id=st.just(0),
        canonical=st.sampled_from(["", *map(at, range(1, 7))]),
        content_hash=st.sampled_from(["", "x", "y"]),
        simhash=st.sampled_from([None, 1, 3, 0xFF]),
        outline=st.sampled_from(["", "x"]),
        name=st.sampled_from(["", "twin"]),
        depth=st.integers(0, 2),
        noindex=st.sampled_from([0, 0, 0, 1]),
    ),
    max_size=6,
).map(
    lambda pages: [
        P(**{**vars(page), "id": number, "name": page.name and f"{number // 3}/{TWINS[number % 3]}"})
        for number, page in enumerate(pages, 1)
    ]
)


@given(pages_of_some_site, st.randoms())
def test_merging_ends_at_kept_pages_whatever_the_order(pages, random):
    kept = merged(*pages)
    assert all(into not in kept and into != number for number, (into, _) in kept.items())
    assert merged(*random.sample(pages, len(pages))) == kept


@given(st.dictionaries(st.integers(1, 8), st.integers(1, 8)))
def test_redirects_are_followed_to_an_end_or_known_as_rings(moved):
    for start, end in redirect_ends(moved).items():
        walk = [start]
        while walk[-1] in moved and len(walk) < 10:
            walk.append(moved[walk[-1]])
        assert end == (walk[-1] if len(walk) < 10 else None)
