"""What many tests share: an engine, a crawled site, and a real server for sites that a test makes up."""

import json
import os
import signal
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import hypothesis
import pytest
import responses

from minisearch import Engine
from minisearch.fetch.fetcher import Session
from minisearch.testing.server import FIXTURES, SiteServer, fixture_server

# Machines are noisy: how long an example takes is no reason to fail.
# The same examples every time, so that what passed here passes there; EXPLORE=1 looks for new ones, and for more.
hypothesis.settings.register_profile("same", deadline=None, derandomize=True, max_examples=60)
hypothesis.settings.register_profile("explore", deadline=None)
hypothesis.settings.load_profile("explore" if os.environ.get("EXPLORE") else "same")

pytest_plugins = ["minisearch.testing.zoo"]  # the fixture zoo

DATA = Path(__file__).parent / "data"

# What a shell starts in the background ignores Ctrl-C, and so would all programs that the tests start and interrupt.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def oracles():
    """The published numbers by their id: tests/data/oracles.json."""
    known = json.loads((DATA / "oracles.json").read_text("utf-8"))
    return {oracle["id"]: oracle | {"graph": known["graphs"].get(oracle.get("graph"))} for oracle in known["oracles"]}


@pytest.fixture
def engine():
    """An engine in memory, empty."""
    with Engine() as empty:
        yield empty


class Site(SiteServer):
    """A server of small pages that a test writes down as {path: links, html or answer}."""

    base = ""

    def show(self, pages):
        """Serve these pages from now on, and no others."""
        self.requests.clear()
        self.routes = {path: self._answer(path, page) for path, page in pages.items()}
        return self

    @staticmethod
    def _answer(path, page):
        if isinstance(page, list):
            page = f"<title>{path}</title>" + "".join(f'<p><a href="{url}">to {url}</a></p>' for url in page)
        return (200, {"Content-Type": "text/html"}, page.encode()) if isinstance(page, str) else page

    @property
    def asked(self):
        """The paths asked for so far, but for robots.txt."""
        return [path for _, path in self.requests if path != "/robots.txt"]


@pytest.fixture(scope="session")
def site():
    """A real server of whatever a test lets it `show`."""
    server = Site()
    with server as server.base:
        yield server


@pytest.fixture(scope="session")
def fixtures():
    """The address of the real server of all fixture sites."""
    with fixture_server() as base:
        yield base


@pytest.fixture(scope="session")
def garden(fixtures, tmp_path_factory):
    """The garden, crawled, indexed and ranked once into a file, with its answer key. To be read only."""
    path, home = tmp_path_factory.mktemp("garden") / "garden.db", f"{fixtures}/garden/"
    key = json.loads((FIXTURES / "garden" / "key.json").read_text("utf-8"))
    with Engine(path) as engine:
        visits = list(engine.crawling(home + "index.html", workers=0))
        engine.index()
        engine.rank()
        yield SimpleNamespace(path=path, home=home, key=key, engine=engine, visits=visits)


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
    with Session() as session:
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
