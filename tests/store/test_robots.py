from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from minisearch.store.database import Store

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SITE = "https://example.com"


@pytest.fixture
def urls():
    with closing(Store()) as store:
        yield store.urls


def test_a_file_is_used_for_an_hour(urls):
    urls.save_robots(SITE, 200, "User-agent: *", now=NOON)
    assert urls.robots(SITE, now=NOON + timedelta(minutes=59)) == (200, "User-agent: *")
    assert urls.robots(SITE, now=NOON + timedelta(minutes=60)) is None


def test_another_port_is_another_site(urls):
    urls.save_robots(SITE, 200, "User-agent: *", now=NOON)
    assert urls.robots(f"{SITE}:8080", now=NOON) is None


def test_the_last_word_counts(urls):
    urls.save_robots(SITE, 200, "User-agent: *")
    urls.save_robots(SITE, 404, "")
    assert urls.robots(SITE) == (404, "")
