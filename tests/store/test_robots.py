from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from minisearch.store.store import Store

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SITE = "https://example.com"


@pytest.fixture
def robots():
    with closing(Store()) as store:
        yield store.robots


def test_a_file_is_used_for_an_hour(robots):
    robots.keep(SITE, 200, "User-agent: *", now=NOON)
    assert robots.get(SITE, now=NOON + timedelta(minutes=59)) == (200, "User-agent: *")
    assert robots.get(SITE, now=NOON + timedelta(minutes=60)) is None


def test_another_port_is_another_site(robots):
    robots.keep(SITE, 200, "User-agent: *", now=NOON)
    assert robots.get(f"{SITE}:8080", now=NOON) is None


def test_the_last_word_counts(robots):
    robots.keep(SITE, 200, "User-agent: *")
    robots.keep(SITE, 404, "")
    assert robots.get(SITE) == (404, "")
