from contextlib import closing

import pytest

from minisearch.models import Failed, Found, Heading, Link, Page, Queued, Redirect, Skipped, Unchanged, Visit
from minisearch.store.database import Store
from minisearch.store.recrawl import FIRST_ID, Staged

A, B, C = "http://a/", "http://a/b", "http://a/c"
PAGE = Page(
    A,
    title="\ud800 odd",
    headings=(Heading(1, "H", 3, "h"),),
    text="words",
    links=(Link(B, "b", True, "part"), Link(C)),
    odd_links=("mailto:x",),
    simhash=2**64 - 1,
    content_hash="abc",
    html=b"\x00compressed",
)


@pytest.fixture
def store():
    with closing(Store()) as store:
        with store.transaction():
            crawl, _ = store.urls.begin_crawl([A], {})
            store.urls.discover(crawl, None, [Found(A, "a", 0)], max_depth=9)
            store.urls.discover(crawl, 1, [Found(B, "a", 1), Found(C, "a", 1, rule="scope")], max_depth=9)
            store.urls.set_status(1, "fetched")
            store.staging.begin(crawl, {})
        yield store


def discover(store, referrer, *found):
    return store.staging.discover(1, referrer, found, lambda _: 0)


@pytest.mark.parametrize(
    "outcome",
    [
        PAGE,
        Redirect(A, B, 301),
        Skipped(A, "robots", {"line": 3}),
        Failed(A, "timeout", {"seconds": 1.5}, transient=True, retry_after=2.0),
        Unchanged(A),
    ],
    ids=lambda outcome: type(outcome).__name__,
)
def test_a_visit_is_read_as_it_was_staged(store, outcome):
    found = (Found(B, "a", 1), Found("ftp://x", "", 1, 0, "scheme", {"scheme": "ftp"}))
    staged = Staged(Visit(Queued(1, A, "a", 0), outcome, found), "changed", {"rule": "noindex"}, "2026-01-01")
    store.staging.add(1, staged)
    assert [*store.staging.visits(1)] == [staged]


def test_visits_of_pages_that_are_gone_come_last(store):
    for url, result in ((A, "gone"), (B, "changed"), (C, "new")):
        store.staging.add(1, Staged(Visit(Queued(1, url, "a", 0), Unchanged(url)), result, {}, ""))
    assert [staged.result for staged in store.staging.visits(1)] == ["changed", "new", "gone"]


def test_a_recrawl_starts_with_the_queued_urls_and_not_twice_with_the_same_one(store):
    (queued,) = store.staging.next(1, "a", "breadth", 9)
    assert (queued.url, queued.depth, queued.id > FIRST_ID) == (B, 1, True)
    store.staging.add(1, Staged(Visit(queued, PAGE), "new", {}, ""))
    assert store.staging.next(1, "a", "breadth", 9) == []
    assert (store.staging.count(1), store.staging.hosts(1)) == (0, [])


def test_what_is_visited_anyway_is_not_staged(store):
    store.staging.remove_urls(1, [A, B])
    assert store.staging.count(1) == 0


def test_what_the_file_has_not_decided_is_staged(store):
    new = "http://a/new"
    assert discover(store, A, Found(A, "a", 1), Found(new, "a", 1), Found("http://b/", "b", 1, rule="scope")) == {"a"}
    assert discover(store, A, Found(C, "a", 1)) == {"a"}  # it was out of scope
    assert [queued.url for queued in store.staging.next(1, "a", "breadth", 9)] == [B, new, C]
    assert store.staging.reconsider(1, lambda url, depth: None) == {"a", "b"}
    assert [queued.url for queued in store.staging.next(1, "b", "breadth", 9)] == ["http://b/"]


def test_a_shorter_path_counts(store):
    new = "http://a/new"
    discover(store, B, Found(new, "a", 5))
    discover(store, A, Found(new, "a", 1))
    assert store.staging.next(1, "a", "newest", 1)[0].depth == 1


def test_the_path_to_a_staged_url_goes_through_its_referrers(store):
    discover(store, A, Found("http://a/1", "a", 1))
    discover(store, "http://a/1", Found("http://a/2", "a", 2))
    (queued,) = store.staging.next(1, "a", "newest", 1)
    assert store.staging.path(1, queued.id) == [A, "http://a/1"]


def test_another_command_starts_over(store):
    store.staging.add(1, Staged(Visit(Queued(1, A, "a", 0), PAGE), "changed", {}, ""))
    store.staging.begin(1, {})
    assert store.staging.visited(1) == {A: "changed"}
    store.staging.begin(1, {"only": [A]})
    assert store.staging.visited(1) == {}
    assert store.staging.count(1) == 1
