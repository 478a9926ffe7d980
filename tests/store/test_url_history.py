"""What was said of a url before its last verdict stays in the urls."""

import pytest

from minisearch.models import Found
from minisearch.store.database import Store

URL = "http://a/"


@pytest.fixture
def urls():
    store = Store()
    crawl, _ = store.urls.begin_crawl([URL], {})
    store.urls.discover(crawl, None, [Found(URL, "a", 0)])
    yield store.urls
    store.close()


def said(urls):
    return [(one.state, one.rule, one.detail) for one in urls.verdict(URL).past]


def test_verdicts_are_kept_when_others_take_their_place(urls):
    assert said(urls) == []
    for verdict in (("failed", "timeout", {"seconds": 9}), ("queued",), ("fetched",), ("failed", "http-404")):
        urls.set_status(1, *verdict)
    assert said(urls) == [("fetched", "", {}), ("failed", "timeout", {"seconds": 9})]  # the last one first
    assert urls.verdict(URL).past[0].until.startswith("20")


def test_the_same_verdict_again_and_what_comes_of_one_visit_are_no_history(urls):
    for verdict in (
        ("fetched",),
        ("merged", "identical", {"page": "b", "a": 1}),
        ("merged", "identical", {"a": 1, "page": "b"}),
    ):
        urls.set_status(1, *verdict)
    assert said(urls) == []


def test_the_past_has_an_end(urls):
    for number in range(30):
        urls.set_status(1, "failed", "http-500", {"tries": number})
    assert [detail["tries"] for *_, detail in said(urls)] == list(range(28, 8, -1))
