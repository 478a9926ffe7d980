"""Rankings are kept whole, by name."""

from contextlib import closing

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from minisearch.models import Found, Page
from minisearch.store.database import Store
from minisearch.store.rankings import RankingFacts


@pytest.fixture
def store():
    """A store with pages 1, 2 and 3."""
    with closing(Store()) as store:
        crawl, _ = store.urls.begin_crawl(["http://x/1"], {})
        for number in (1, 2, 3):
            url = f"http://x/{number}"
            store.urls.discover(crawl, None, [Found(url, "x", 0)])
            store.pages.save(number, Page(url, title=f"Page {number}"), {})
        yield store


def ranking(*scores, name="pagerank"):
    vector = np.array([np.nan, *scores])
    return RankingFacts(name, {"damping": 0.85}, 12, 1e-11, True, "2024-01-01T00:00:00+00:00", vector)


def test_a_ranking_is_given_back_as_it_was_written(store):
    store.rankings.save(ranking(0.5, np.nan, 0.1 + 0.2))
    found = store.rankings.get("pagerank")
    assert_array_equal(found.vector, [np.nan, 0.5, np.nan, 0.1 + 0.2])
    assert (found.parameters, found.rounds, found.residual, found.converged) == ({"damping": 0.85}, 12, 1e-11, True)
    assert store.rankings.get("fame") is None


def test_the_best_come_first_and_equals_by_their_url(store):
    store.rankings.save(ranking(0.2, 0.6, 0.2))
    best = [("http://x/2", "Page 2", 0.6), ("http://x/1", "Page 1", 0.2), ("http://x/3", "Page 3", 0.2)]
    assert store.rankings.top("pagerank", 10) == best
    assert store.rankings.top("pagerank", 2) == best[:2]


def test_a_newer_ranking_replaces_the_older_of_its_name_alone(store):
    store.rankings.save(ranking(1.0, name="fame"))
    store.rankings.save(ranking(0.2, 0.6, 0.2))
    store.rankings.save(ranking(0.9, 0.1))
    assert [score for *_, score in store.rankings.top("pagerank", 9)] == [0.9, 0.1]
    assert [score for *_, score in store.rankings.top("fame", 9)] == [1.0]


def test_pages_that_take_no_part_have_no_score(store):
    store.rankings.save(ranking(np.nan, 1.0, np.nan))
    assert store.rankings.top("pagerank", 9) == [("http://x/2", "Page 2", 1.0)]


def test_an_empty_ranking_is_a_ranking(store):
    store.rankings.save(ranking())
    assert store.rankings.top("pagerank", 9) == []
    assert len(store.rankings.get("pagerank").vector) == 1
