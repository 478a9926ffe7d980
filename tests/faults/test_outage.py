"""The network goes away and comes back: whoever runs the same command again gets the whole site."""

import pytest

from minisearch.crawl import frontier
from minisearch.engine import Engine
from minisearch.fetch.robots import RobotsFile
from minisearch.models import Failed, Link, Page

SITE = "http://127.0.0.1:1"
SIZE = 40
NAMES = [first + second for first in "abcdefg" for second in "opqrst"]  # pages that differ in numbers only are a trap


class Web:
    """A binary tree of pages, on a network with a switch."""

    robots_down = pages_down = False

    def __call__(self, task):
        if task.robots:
            return RobotsFile(0, error={"rule": "connection"}) if self.robots_down else RobotsFile(404)
        if self.pages_down:
            return Failed(task.url, "connection", transient=True)
        number = int(task.url.rpartition("/")[2])
        children = [child for child in (2 * number + 1, 2 * number + 2) if child < SIZE]
        return Page(task.url, text=f"page {NAMES[number]}", links=tuple(Link(f"{SITE}/{child}") for child in children))


@pytest.mark.parametrize("robots_down", [True, False])
@pytest.mark.parametrize("before", [0, 10])
def test_a_crawl_that_ran_while_the_site_was_down_goes_on_later(monkeypatch, robots_down, before):
    monkeypatch.setattr(frontier, "FIRST_BACKOFF", 0.001)
    web = Web()
    with Engine() as engine:
        if before:
            assert engine.crawl(f"{SITE}/0", max_pages=before, visitor=web).fetched == before
        web.robots_down, web.pages_down = robots_down, True
        assert engine.crawl(f"{SITE}/0", visitor=web).fetched == before
        web.robots_down = web.pages_down = False
        assert engine.crawl(f"{SITE}/0", visitor=web).fetched == SIZE
