"""Crawls of the zoo: each scenario is crawled once, with the settings of its expectations."""

import time
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from minisearch import Engine
from minisearch.crawl import frontier
from minisearch.limits import Limits
from minisearch.testing.zoo import SCENARIOS, Observed, ScenarioServer

FIRST_PAUSE = 0.05  # seconds before a retry


@dataclass
class Crawl:
    """A scenario and the file into which it was crawled."""

    server: ScenarioServer
    engine: Engine
    seconds: float

    def verdicts(self):
        rows = self.engine.store.db.query("SELECT url, trim(state || ' ' || rule) AS verdict FROM urls")
        return {row["url"]: row["verdict"] for row in rows}

    def pages(self):
        rows = self.engine.store.db.query(
            "SELECT urls.url, text FROM pages JOIN urls ON urls.id = pages.url_id "
            "JOIN contents ON contents.page_id = pages.id"
        )
        return {row["url"]: row["text"] for row in rows}

    def observed(self):
        return Observed(self.verdicts(), self.pages(), self.seconds)


@contextmanager
def crawl_scenario(name, **options):
    """A scenario, crawled with the settings of its expectations, and with others."""
    server = ScenarioServer(name)
    settings = {"workers": 0, "rank": False, **server.scenario.expected.crawl, **options}
    settings["limits"] = Limits(**settings["limits"])
    with pytest.MonkeyPatch.context() as patch, server as base, Engine() as engine:
        patch.setattr(frontier, "FIRST_BACKOFF", FIRST_PAUSE)
        start = time.monotonic()
        engine.crawl(base + "/", **settings)
        yield Crawl(server, engine, time.monotonic() - start)


@pytest.fixture(name="crawl_scenario")
def _crawl_scenario():
    return crawl_scenario


@pytest.fixture(scope="module", params=SCENARIOS)
def crawl(request):
    """Every scenario in turn, crawled."""
    with crawl_scenario(request.param) as done:
        yield done
