"""The handbook, crawled once."""

import json
from types import SimpleNamespace

import pytest

from minisearch import Engine
from tests.handbook.console import HANDBOOK


@pytest.fixture(scope="session")
def key():
    return json.loads((HANDBOOK / "key.json").read_text("utf-8"))


@pytest.fixture(scope="session")
def handbook(fixtures, key):
    """The handbook, crawled, indexed and ranked in memory, with its answer key. To be read only."""
    home = f"{fixtures}/handbook/"
    with Engine() as engine:
        visits = list(engine.crawling(home + key["start"], workers=0))
        engine.index()
        engine.rank()
        yield SimpleNamespace(home=home, key=key, engine=engine, visits=visits)
