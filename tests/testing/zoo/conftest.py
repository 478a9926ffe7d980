"""Crawls of the zoo: each pen is crawled once, with the settings of its key."""

import time
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from minisearch import Engine
from minisearch.crawl import retry
from minisearch.limits import Limits
from minisearch.testing.zoo.judge import Read, Seen
from minisearch.testing.zoo.keeper import load_key, open_pen
from minisearch.testing.zoo.pen import Pen
from minisearch.testing.zoo.plugin import zoo  # noqa: F401 - the fixture, as the plugin gives it

KEY = load_key()
A_MOMENT = 0.05  # seconds before a second try: the web needs patience, the zoo does not


@dataclass
class Visit:
    """A pen, what its key says, and the file into which it was crawled."""

    pen: Pen
    key: dict
    engine: Engine
    seconds: float

    def urls(self):
        rows = self.engine.store.file.db.query("SELECT url, trim(state || ' ' || rule) AS verdict FROM urls")
        return {row["url"]: row["verdict"] for row in rows}

    def pages(self):
        rows = self.engine.store.file.db.query(
            "SELECT urls.url, title, text, charset, charset_evidence AS evidence "
            "FROM pages JOIN urls ON urls.id = pages.url JOIN contents ON contents.page = pages.id"
        )
        return {row.pop("url"): Read(**row) for row in rows}

    def seen(self):
        return Seen(self.urls(), self.pages(), self.seconds)


def settings_of(key):
    settings = dict(key["crawl"])
    return {"workers": 0, **settings, "limits": Limits(**settings["limits"])}


@contextmanager
def crawled(name, **others):
    """A pen, crawled with the settings of its key, and with others."""
    with pytest.MonkeyPatch.context() as patch, open_pen(name) as pen, Engine() as engine:
        patch.setattr(retry, "FIRST_BACKOFF", A_MOMENT)
        began = time.monotonic()
        engine.crawl(pen.base + "/", rank=False, **{**settings_of(KEY[name]), **others})
        yield Visit(pen, KEY[name], engine, time.monotonic() - began)


@pytest.fixture(name="crawled")
def _crawled():
    return crawled


@pytest.fixture(scope="module", params=KEY)
def visit(request):
    """Every pen in turn, crawled."""
    with crawled(request.param) as seen:
        yield seen
