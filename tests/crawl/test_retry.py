import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.frontier import FIRST_BACKOFF, JITTER, RetryPolicy
from minisearch.limits import Limits
from minisearch.models import YEAR, Failed, Page, Queued

HERE = Queued(1, "http://a.example/", "a.example", 0)


def failed(**options):
    return Failed(HERE.url, "http-503", **{"transient": True, **options})


@given(st.integers(1, 20), st.floats(0, 1), st.floats(0.01, 1e6))
def test_the_backoff_grows_up_to_a_limit(tries, chance, longest):
    backoff = RetryPolicy(Limits(pause_seconds=longest, tries=21), lambda: chance).pause(tries, 0.0)
    assert backoff <= longest
    assert backoff == pytest.approx(min(longest, FIRST_BACKOFF * 2 ** (tries - 1) * (1 + JITTER * chance)))


@given(st.integers(1, 9), st.floats(0, 60))
def test_a_url_is_requested_at_most_tries_times(tries, wanted):
    policy = RetryPolicy(Limits(tries=tries))
    pauses = [policy.on_result(HERE, failed(retry_after=wanted)) for _ in range(tries)]
    assert pauses[-1] is None
    assert all(pause >= wanted for pause in pauses[:-1])


def test_a_response_is_final():
    policy = RetryPolicy(Limits())
    assert policy.on_result(HERE, Page(HERE.url)) is None
    assert policy.on_result(HERE, failed(transient=False)) is None


def test_whoever_asks_for_too_much_patience_is_not_asked_again():
    policy = RetryPolicy(Limits(pause_seconds=60))
    assert policy.on_result(HERE, failed(retry_after=61)) is None
    assert policy.final_failure(HERE, failed(retry_after=61)).detail == {"wait": 61}
    assert not policy.skipped_hosts  # this URL may be out of order by itself


def test_a_host_that_asks_for_too_much_patience_twice_is_left_in_peace():
    policy = RetryPolicy(Limits(pause_seconds=60))
    there = Queued(2, "http://a.example/b", "a.example", 1)
    policy.on_result(HERE, failed(retry_after=3600))
    policy.on_result(HERE, Page(HERE.url))
    policy.on_result(HERE, failed(retry_after=3600))
    assert not policy.skipped_hosts
    policy.on_result(there, failed(retry_after=float("inf")))
    assert policy.skipped_hosts["a.example"] == {"problem": "wait", "host": "a.example", "pause": YEAR + 1}


def test_attempts_are_forgotten_with_the_final_failure():
    policy = RetryPolicy(Limits(tries=2))
    for _ in range(2):
        policy.on_result(HERE, failed())
    assert policy.final_failure(HERE, failed()).detail == {"tries": 2}
    assert policy.on_result(HERE, failed()) is not None


def test_attempts_are_forgotten_when_a_retry_succeeds():
    policy = RetryPolicy(Limits())
    policy.on_result(HERE, failed())
    assert policy.is_retry(HERE)
    policy.on_result(HERE, Page(HERE.url))
    assert not policy.is_retry(HERE)
