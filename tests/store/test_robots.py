from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from minisearch.fetch.robots import RobotsFile
from minisearch.store.database import Store

SITE = "https://example.com"


@pytest.fixture
def store():
    with closing(Store()) as store:
        yield store


@pytest.mark.parametrize(("minutes", "found"), [(59, RobotsFile(200, "User-agent: *")), (61, None)])
def test_a_file_is_used_for_an_hour(store, minutes, found):
    store.robots.save(SITE, RobotsFile(200, "User-agent: *"))
    fetched = datetime.now(UTC) - timedelta(minutes=minutes)
    store.db.execute("UPDATE robots SET fetched_at = ?", (fetched.isoformat(timespec="seconds"),))
    assert store.robots.get(SITE) == found


def test_another_port_is_another_site(store):
    store.robots.save(SITE, RobotsFile(200, "User-agent: *"))
    assert store.robots.get(f"{SITE}:8080") is None


def test_the_last_version_counts(store):
    store.robots.save(SITE, RobotsFile(200, "User-agent: *"))
    store.robots.save(SITE, RobotsFile(404))
    assert store.robots.get(SITE) == RobotsFile(404)
