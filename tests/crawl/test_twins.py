from dataclasses import dataclass
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.twins import follow, merge


@dataclass(frozen=True)
class P:
    """A page, as merging sees it."""

    id: int
    canonical: str = ""
    content_hash: str = ""
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
def test_canonical_links_in_a_ring_are_not_believed(order):
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
def test_of_pages_that_say_the_same_the_plainest_is_kept(first, second):
    pages = [P(**{**vars(page), "content_hash": "same"}) for page in (second, first)]
    assert merged(*pages) == {second.id: (first.id, "identical")}


def test_pages_without_a_hash_and_hidden_pages_are_nobodys_twins():
    assert merged(P(1), P(2), P(3, content_hash="x", noindex=1), P(4, content_hash="x")) == {}


def test_a_canonical_link_into_a_group_of_twins_ends_at_the_one_that_is_kept():
    pages = P(1, depth=0, content_hash="x"), P(2, content_hash="x"), P(3, at(2))
    assert merged(*pages) == {2: (1, "identical"), 3: (1, "canonical")}


pages_of_some_site = st.lists(
    st.builds(
        P,
        id=st.just(0),
        canonical=st.sampled_from(["", *map(at, range(1, 7))]),
        content_hash=st.sampled_from(["", "x", "y"]),
        depth=st.integers(0, 2),
        noindex=st.sampled_from([0, 0, 0, 1]),
    ),
    max_size=6,
).map(lambda pages: [P(**{**vars(page), "id": number}) for number, page in enumerate(pages, 1)])


@given(pages_of_some_site, st.randoms())
def test_merging_ends_at_kept_pages_whatever_the_order(pages, random):
    kept = merged(*pages)
    assert all(into not in kept and into != number for number, (into, _) in kept.items())
    assert merged(*random.sample(pages, len(pages))) == kept


@given(st.dictionaries(st.integers(1, 8), st.integers(1, 8)))
def test_redirects_are_followed_to_an_end_or_known_as_rings(moved):
    for start, end in follow(moved).items():
        walk = [start]
        while walk[-1] in moved and len(walk) < 10:
            walk.append(moved[walk[-1]])
        assert end == (walk[-1] if len(walk) < 10 else None)
