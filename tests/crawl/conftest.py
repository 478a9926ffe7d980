"""What the tests of the crawler share: a clock that is told what time it is, and a session that mocks can hear."""

from contextlib import ExitStack

import pytest
import responses

from minisearch.crawl.fetch import open_session
from minisearch.testing import SiteServer


class Clock:
    """Time passes only when someone sleeps."""

    def __init__(self):
        self.now = 1000.0
        self.naps = []

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.naps.append(seconds)
        self.now += seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def session():
    with open_session() as session:
        yield session


@pytest.fixture
def web():
    """Every request is answered from here; one that was not foreseen fails."""
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        yield mock


@pytest.fixture
def serve():
    """A real server of some routes; gives its address."""
    with ExitStack() as servers:
        yield lambda **routes: servers.enter_context(
            SiteServer(routes={f"/{name}": route for name, route in routes.items()})
        )
