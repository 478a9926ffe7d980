from contextlib import closing

import pytest

from minisearch.models import Found, Heading, Link, Page
from minisearch.store.database import Store

A, B, C = "http://a/", "http://a/b", "http://a/c"


@pytest.fixture
def store():
    with closing(Store()) as store:
        with store.transaction():
            crawl, _ = store.urls.begin_crawl([A], {"scope": "path"})
            store.urls.discover(crawl, None, [Found(A, "a", 0), Found(B, "a", 1), Found(C, "a", 1)], max_depth=9)
            for url in (A, B):
                page = Page(
                    url, title="T", text="words", headings=(Heading(1, "H"),), links=(Link(C, "c"),), etag='"1"'
                )
                store.pages.save(store.urls.ids([url])[url], page, store.urls.ids([C]))
                store.urls.set_status(store.urls.ids([url])[url], "fetched")
            store.urls.set_status(store.urls.ids([C])[C], "failed", "http-404")
        yield store


def number(store, url):
    return store.urls.ids([url])[url]


def test_pages_redirects_and_what_was_not_found_are_known(store):
    known = {each.queued.url: each for each in store.revisits.known()}
    assert set(known) == {A, B, C}
    assert (known[A].page, known[A].etag, known[A].crawl, known[A].checked_at) == (1, '"1"', 1, "")
    assert (known[C].page, known[C].etag, known[C].score) == (None, "", 0)


def test_what_still_waits_is_not_known(store):
    store.urls.set_status(number(store, C), "queued")
    assert {each.queued.url for each in store.revisits.known()} == {A, B}


def test_a_url_can_be_named_whatever_its_state(store):
    assert store.revisits.named(C).queued.url == C
    assert store.revisits.named("http://a/d") is None


def test_a_crawl_is_known_with_its_seeds_and_settings(store):
    assert store.urls.crawls() == [(1, [A], {"scope": "path"})]


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({}, True),
        ({"etag": '"2"'}, True),
        ({"links": ()}, True),
        ({"description": "other"}, True),
        ({"title": "U"}, False),
        ({"text": "other words"}, False),
        ({"headings": (Heading(2, "H"),)}, False),
        ({"language": "fr"}, False),
        ({"noindex": "meta robots noindex"}, False),
    ],
)
def test_what_the_index_would_notice(store, change, same):
    page = Page(**{"url": A, "title": "T", "text": "words", "headings": (Heading(1, "H"),), **change})
    assert store.revisits.has_same_content(number(store, A), page) is same


def test_a_page_kept_says_why_until_it_is_checked(store):
    store.revisits.keep(number(store, A), {"visited": "2026"})
    assert (store.urls.verdict(A).rule, store.urls.verdict(A).detail) == ("kept", {"visited": "2026"})
    store.revisits.check(number(store, A), "2026-01-01")
    assert store.urls.verdict(A).rule == ""
    assert store.revisits.named(A).checked_at == "2026-01-01"


def test_a_page_with_a_verdict_of_its_own_keeps_that(store):
    store.urls.set_status(number(store, A), "fetched", "noindex", {"directive": "noindex"})
    store.revisits.keep(number(store, A), {"visited": "2026"})
    assert store.urls.verdict(A).rule == "noindex"


def test_of_a_removed_page_nothing_remains_but_the_journal(store):
    store.pages.set_canonical(2, 1)
    store.urls.set_status(number(store, B), "merged", "identical", {"page": A}, number(store, A))
    store.revisits.remove(number(store, A))
    assert store.pages.id_of(A) is None
    assert store.pages.text(1) == ("", [])
    assert store.urls.verdict(A).url == A
    assert store.inspect.linking([A]) == []
    assert store.urls.verdict(B).state == "fetched"  # it stands for itself again
    assert store.pages.pending() == [2]


def test_what_was_never_a_page_can_be_removed(store):
    store.revisits.remove(number(store, C))
    assert store.pages.nodes() == [1, 2]
