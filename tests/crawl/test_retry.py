from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.retry import FIRST_PAUSE, JITTER, Patience
from minisearch.limits import Limits
from minisearch.records import Failed, Page, Queued

HERE = Queued(1, "http://a.example/", "a.example", 0)


def failed(**options):
    return Failed(HERE.url, "the server answered 503 Service Unavailable", "http-503", **{"transient": True, **options})


@given(st.integers(1, 20), st.floats(0, 1), st.floats(0.01, 1e6))
def test_pauses_grow_and_have_an_end(tries, chance, longest):
    pause = Patience(Limits(pause_seconds=longest), lambda: chance).pause(tries)
    assert pause <= longest
    assert pause == pytest.approx(min(longest, FIRST_PAUSE * 2 ** (tries - 1) * (1 + JITTER * chance)))


@given(st.integers(1, 9), st.floats(0, 60))
def test_a_url_is_tried_so_often_and_no_more(tries, wanted):
    patience = Patience(Limits(tries=tries))
    pauses = [patience.heard(HERE, failed(retry_after=wanted)) for _ in range(tries)]
    assert pauses[-1] is None
    assert all(pause >= wanted for pause in pauses[:-1])


def test_an_answer_is_the_last_word():
    patience = Patience(Limits())
    assert patience.heard(HERE, Page(HERE.url)) is None
    assert patience.heard(HERE, failed(transient=False)) is None


@pytest.mark.parametrize(("rule", "overworked"), [("http-429", True), ("http-503", True), ("http-500", False)])
def test_a_host_that_is_asked_for_too_much_is_known(rule, overworked):
    patience = Patience(Limits())
    patience.heard(HERE, replace(failed(), rule=rule))
    assert (HERE.host in patience.overworked) is overworked


def test_whoever_asks_for_too_much_patience_is_not_asked_again():
    patience = Patience(Limits(pause_seconds=60))
    assert patience.heard(HERE, failed(retry_after=61)) is None
    said = patience.last_word(HERE, failed(retry_after=61)).reason
    assert said.endswith("503 Service Unavailable and asked us to wait 61 seconds: it is left to the next crawl")
    assert not patience.resting  # one url may be out of order by itself


def test_a_host_that_asks_for_too_much_patience_twice_is_left_in_peace():
    patience = Patience(Limits(pause_seconds=60))
    there = Queued(2, "http://a.example/b", "a.example", 1)
    patience.heard(HERE, failed(retry_after=3600))
    patience.heard(HERE, Page(HERE.url))
    patience.heard(HERE, failed(retry_after=3600))
    assert not patience.resting
    patience.heard(there, failed(retry_after=float("inf")))
    assert patience.resting["a.example"].endswith("for it asked us to wait more than a year")


def test_memory_of_tries_ends_with_the_url():
    patience = Patience(Limits(tries=2))
    for _ in range(2):
        patience.heard(HERE, failed())
    assert patience.last_word(HERE, failed()).reason.endswith("(2 tries)")
    assert patience.heard(HERE, failed()) is not None
