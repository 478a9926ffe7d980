from contextlib import closing

import pytest

from minisearch.errors import NotFound
from minisearch.models import Failed, Found, Heading, Link, Page, Queued, Redirect, Skipped, Unchanged, Visit
from minisearch.store.database import Store

A, B, C = "http://a/", "http://a/b", "http://a/c"


@pytest.fixture
def store():
    with closing(Store()) as store:
        with store.transaction():
            crawl, _ = store.urls.begin_crawl([A], {"scope": "path"})
            store.urls.discover(crawl, None, [Found(A, "a", 0), Found(B, "a", 1), Found(C, "a", 1)])
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
    known = {each.queued.url: each for each in store.recrawls.known()}
    assert set(known) == {A, B, C}
    assert (known[A].page, known[A].etag, known[A].crawl, known[A].checked_at) == (1, '"1"', 1, "")
    assert (known[C].page, known[C].etag, known[C].score) == (None, "", 0)


def test_what_still_waits_is_not_known(store):
    store.urls.set_status(number(store, C), "queued")
    assert {each.queued.url for each in store.recrawls.known()} == {A, B}


def test_a_url_can_be_named_whatever_its_state(store):
    assert store.recrawls.named(C).queued.url == C
    with pytest.raises(NotFound, match="is not in the file"):
        store.recrawls.named("http://a/d")


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
    assert store.recrawls.stored_page(A).is_indexed_as(page) is same


def test_a_page_kept_says_why_until_it_is_checked(store):
    store.recrawls.keep(number(store, A), {"visited": "2026"})
    assert (store.urls.verdict(A).rule, store.urls.verdict(A).detail) == ("kept", {"visited": "2026"})
    store.recrawls.check(number(store, A), "2026-01-01")
    assert store.urls.verdict(A).rule == ""
    assert store.recrawls.named(A).checked_at == "2026-01-01"


def test_a_page_with_a_verdict_of_its_own_keeps_that(store):
    store.urls.set_status(number(store, A), "fetched", "noindex", {"directive": "noindex"})
    store.recrawls.keep(number(store, A), {"visited": "2026"})
    assert store.urls.verdict(A).rule == "noindex"


def test_of_a_removed_page_nothing_remains_but_the_journal(store):
    store.pages.set_canonical(2, 1)
    store.urls.set_status(number(store, B), "merged", "identical", {"page": A}, number(store, A))
    store.recrawls.remove(number(store, A))
    assert store.pages.id_of(A) is None
    assert store.pages.text(1) == ("", [])
    assert store.urls.verdict(A).url == A
    assert store.inspect.linking([A]) == []
    assert store.urls.verdict(B).state == "fetched"  # it stands for itself again
    assert store.pages.pending() == [2]


def test_what_was_never_a_page_can_be_removed(store):
    store.recrawls.remove(number(store, C))
    assert store.pages.nodes() == [1, 2]


# -- staged visits -------------------------------------------------------------------------------

ODD_PAGE = Page(
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


@pytest.mark.parametrize(
    "outcome",
    [
        ODD_PAGE,
        Redirect(A, B, 301),
        Skipped(A, "robots", {"line": 3}),
        Failed(A, "timeout", {"seconds": 1.5}, transient=True, retry_after=2.0),
        Unchanged(A),
    ],
    ids=lambda outcome: type(outcome).__name__,
)
def test_a_visit_is_read_as_it_was_staged(store, outcome):
    found = (Found(B, "a", 1), Found("ftp://x", "", 1, 0, "scheme", {"scheme": "ftp"}))
    visit = Visit(Queued(1, A, "a", 0), outcome, found)
    store.recrawls.stage(1, visit, "2026-01-01")
    assert [*store.recrawls.staged(1)] == [(visit, "2026-01-01")]
    target = B if isinstance(outcome, Redirect) else ""
    assert [*store.recrawls.staged_found(1)] == [(A, isinstance(outcome, Page), target, [*found])]


def stage(store, url, outcome):
    store.recrawls.stage(1, Visit(Queued(1, url, "a", 0), outcome), "")


def test_visits_that_found_a_page_come_first(store):
    for url, outcome in ((A, Redirect(A, B, 301)), (B, Unchanged(B)), (C, Failed(C, "http-404"))):
        stage(store, url, outcome)
    assert [visit.queued.url for visit, _ in store.recrawls.staged(1)] == [B, A, C]


def test_urls_are_queued_in_a_copy_and_stay_as_they_are_in_the_file(store):
    with closing(Store()) as copy:
        copy.urls.copy_from(store.urls, 1)
        copy.urls.queue_first([number(store, C), number(store, A)])
        assert [each.url for each in copy.urls.next_queued(1, "a", "best", 9)] == [C, A]
        assert copy.urls.path(number(store, B)) == store.urls.path(number(store, B))
    assert not store.urls.queued_hosts(1)


@pytest.mark.parametrize(("crawl", "visited"), [(1, set()), (2, {A})])
def test_what_another_crawl_has_visited_is_known(store, crawl, visited):
    store.urls.set_status(number(store, B), "skipped", "scope")
    store.urls.set_status(number(store, C), "skipped", "robots")
    assert store.recrawls.visited_by_others(crawl, [A, B, C, "http://a/new"]) == visited


def test_another_command_starts_over(store):
    store.recrawls.begin(1, {})
    stage(store, A, ODD_PAGE)
    store.recrawls.begin(1, {})
    assert [url for url, *_ in store.recrawls.staged_found(1)] == [A]
    store.recrawls.begin(1, {"only": [A]})
    assert [*store.recrawls.staged_found(1)] == []
