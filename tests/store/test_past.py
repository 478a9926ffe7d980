"""What was said of a url before its last verdict stays in the journal."""

import pytest

from minisearch.models import Found
from minisearch.store.store import Store

URL = "http://a/"


@pytest.fixture
def journal():
    store = Store()
    crawl, _ = store.journal.begin([URL], {})
    store.journal.meet(crawl, None, [Found(URL, "a", 0)], max_depth=9)
    yield store.journal
    store.close()


def said(journal):
    return [(one.state, one.rule, one.detail) for one in journal.verdict(URL).past]


def test_verdicts_are_kept_when_others_take_their_place(journal):
    assert said(journal) == []
    for verdict in (("failed", "timeout", {"seconds": 9}), ("queued",), ("fetched",), ("failed", "http-404")):
        journal.settle(1, *verdict)
    assert said(journal) == [("fetched", "", {}), ("failed", "timeout", {"seconds": 9})]  # the last one first
    assert journal.verdict(URL).past[0].until.startswith("20")


def test_the_same_verdict_again_and_what_comes_of_one_visit_are_no_history(journal):
    for verdict in (
        ("fetched",),
        ("merged", "identical", {"page": "b", "a": 1}),
        ("merged", "identical", {"a": 1, "page": "b"}),
    ):
        journal.settle(1, *verdict)
    assert said(journal) == []


def test_the_past_has_an_end(journal):
    for number in range(30):
        journal.settle(1, "failed", "http-500", {"tries": number})
    assert [detail["tries"] for *_, detail in said(journal)] == list(range(28, 8, -1))
