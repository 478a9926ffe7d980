import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.rank.pagerank import pagerank
from minisearch.rank.trustrank import matching_pages, spam_mass, trusted_pages, trustrank
from minisearch.textbook import trustrank as textbook
from tests.webs import dampings, graph_of, pages_of, some_webs

URLS = [
    "https://uni.edu/",
    "https://uni.edu/people?x=1",
    "https://edu.example.com/",
    "https://gov.example/",
    "http://ministry.gov.rs/a/b.html",
    "https://Shop.Example/EDU",
]


@given(some_webs, dampings, st.data())
def test_fast_and_textbook_trust_alike(links, damping, data):
    names = pages_of(links)
    trusted = data.draw(st.sets(st.sampled_from(names), min_size=1))
    trust = trustrank(graph_of(links), [names.index(page) for page in trusted], damping=damping, tolerance=1e-14)
    slow = textbook.trustrank(links, trusted, damping=damping, rounds=700)
    assert trust.values.tolist() == pytest.approx([slow[page] for page in names], rel=0, abs=1e-10)
    assert trust.values.sum() == pytest.approx(1)
    rank = pagerank(graph_of(links), damping=damping, tolerance=1e-14).values
    mass = textbook.spam_mass(dict(zip(names, rank.tolist(), strict=True)), slow)
    assert spam_mass(rank, trust.values).tolist() == pytest.approx([mass[page] for page in names], abs=1e-6)


def test_a_farm_that_nobody_trusts_has_mass_one():
    farm = {0: [1], 1: [0], 2: [3, 4], 3: [2], 4: [2]}
    graph = graph_of(farm)
    mass = spam_mass(pagerank(graph).values, trustrank(graph, [0]).values)
    assert mass[2:].tolist() == [1, 1, 1]
    assert mass[:2].max() < 0


def test_a_page_without_rank_has_no_mass_and_nothing_is_nan():
    assert spam_mass([0, 0.5], [0, 0.5]).tolist() == [0, 0]
    assert np.isfinite(spam_mass([0, 1], [0.1, 0.9])).all()
    with pytest.raises(BadInput, match="trust needs one number for each of the 2 pages"):
        spam_mass([1, 2], [1])


@pytest.mark.parametrize(
    ("wanted", "pages"),
    [
        ([".edu"], [0, 1]),
        ([".gov.rs", ".gov"], None),
        ([".gov.rs"], [4]),
        (["https://uni.edu/*"], [0, 1]),
        (["https://*.example.com/*"], [2]),
        (["https://uni.edu/"], [0]),
        (["https://uni.edu"], [0]),
        (["*ministry*", ".edu"], [0, 1, 4]),
        ([".example"], [3, 5]),
    ],
)
def test_trust_goes_by_url_by_pattern_and_by_domain(wanted, pages):
    if pages is None:
        with pytest.raises(BadInput, match=r'no page matches "\.gov"'):
            trusted_pages(URLS, wanted)
    else:
        assert trusted_pages(URLS, wanted) == pages


def test_trust_in_nobody_is_refused():
    with pytest.raises(BadInput, match='no page matches "nowhere"'):
        trusted_pages(URLS, ["nowhere"])
    with pytest.raises(BadInput, match="no trusted pages"):
        trusted_pages(URLS, [])
    with pytest.raises(BadInput, match="the trusted set has no pages"):
        trustrank(graph_of({0: []}), [])


def test_a_url_is_itself_whatever_signs_it_has_and_a_star_in_a_host_stays_there():
    urls = [
        "http://a/p?x=[1]",
        "http://a/p?x=1",
        "http://a/pZx=1",
        "https://uni.EDU:8080/a",
        "https://spam.com/x.edu/y",
    ]
    assert matching_pages(urls, ["http://a/p?x=[1]"]) == [0]
    assert matching_pages(urls, ["http://a/p?x=1"]) == [1]
    assert matching_pages(urls, ["https://*.edu/*"]) == [3]
    assert matching_pages(urls, ["http://a/p*"]) == [0, 1, 2]
