"""A recorded crawl walked again goes the way that a crawl in that order would have gone."""

import time

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from minisearch import Engine
from minisearch.crawl.replay import IDEAL, MOST_POINTS, Replay, _ideal, checkpoints, table
from minisearch.errors import NotReady
from minisearch.models import Page

LINKS = st.lists(st.tuples(st.integers(0, 7), st.booleans()), max_size=4)  # (page, nofollow); page 7 is missing
WEBS = st.lists(LINKS | LINKS | LINKS | st.integers(0, 6), min_size=6, max_size=6).flatmap(
    lambda rest: LINKS.map(lambda first: [first, *rest])
)


def show(site, web):
    def page(number, links):
        written = (f'<a href="/{to}"{" rel=nofollow" if shun else ""}>x</a> ' for to, shun in links)
        return f"<title>{number}</title><p>{number} {''.join(written)}"

    moved = {n: (302, {"Location": f"/{to}"}, b"") for n, to in enumerate(web) if not isinstance(to, list)}
    site.show({f"/{n}": moved.get(n) or page(n, to) for n, to in enumerate(web)})


def pages_of(engine, walk):
    names = dict(engine.store.db.execute("SELECT id, url FROM urls").fetchall())
    return [names[url].rpartition("/")[2] for url in walk.urls]


@settings(max_examples=60, deadline=None)
@given(WEBS, st.sampled_from(["breadth", "newest"]), st.sampled_from(["breadth", "newest", "best"]))
def test_a_replay_goes_the_way_of_a_crawl_in_that_order(site, web, order, recorded):
    # A url that was met by a link not to be followed, and then by a redirect, may have to wait for those at hand.
    moved_to = {to for to in web if not isinstance(to, list)}
    assume(not moved_to & {to for links in web if isinstance(links, list) for to, shun in links if shun})
    show(site, web)
    options = {"workers": 0, "index": False}
    with Engine() as engine, Engine() as other:
        visits = other.crawling(site.base + "/0", order=order, **options)
        crawled = [visit.queued.url.rpartition("/")[2] for visit in visits if isinstance(visit.outcome, Page)]
        engine.crawl(site.base + "/0", order=recorded, rank=False, **options)
        if crawled:
            assert pages_of(engine, engine.replay(order)[0]) == crawled


def test_in_the_end_every_order_holds_everything(garden):
    walks = garden.engine.replay("breadth", "newest", "best")
    assert [walk.order for walk in walks] == ["breadth", "newest", "best", IDEAL]
    for walk in walks:
        assert len(walk.urls) == len(walks[0].urls)
        assert walk.mass[-1] == pytest.approx(1)
        assert (np.diff(walk.mass) >= 0).all()


def test_no_order_is_better_than_the_ideal_one(garden):
    *walks, ideal = garden.engine.replay()
    assert len(walks) == 3
    for walk in walks:
        assert (walk.mass <= ideal.mass + 1e-12).all()
        assert walk.mean <= ideal.mean
        assert walk.pages_for(0.5) >= ideal.pages_for(0.5) > 0


def test_the_table_has_a_line_for_each_tenth(garden):
    walks = garden.engine.replay()
    rows = list(table(walks))
    assert [count for count, _ in rows] == checkpoints(len(walks[0].urls))
    assert rows[-1][1] == pytest.approx([1, 1, 1, 1])


def test_nothing_was_crawled_nothing_is_replayed(engine):
    with pytest.raises(NotReady, match="crawl a site"):
        engine.replay()


def test_pages_from_a_sitemap_are_walked_too(engine, site):
    site.show({"/": [], "/hidden": []})
    site.routes["/robots.txt"] = (200, {}, b"Sitemap: /s.txt")
    site.routes["/s.txt"] = (200, {"Content-Type": "text/plain"}, f"{site.base}/hidden".encode())
    engine.crawl(site.base + "/", workers=0, index=False, rank=False)
    assert len(engine.replay("breadth")[0].urls) == 2


@pytest.mark.parametrize("count", [0, 1, 7, 399, 5000])
def test_a_curve_begins_with_nothing_and_ends_with_all_in_few_points(count):
    walk = Replay("x", tuple(range(count)), np.linspace(0, 1, count + 1)[1:])
    across, upward = walk.curve()
    assert (across[0], upward[0], across[-1]) == (0, 0, count)
    assert len(across) == len(upward) <= 2 * MOST_POINTS + 2
    assert upward[-1] == (1 if count else 0)


def test_the_ideal_walk_of_very_many_pages_is_found_at_once():
    pages = 20_000
    answered = {url: url // 2 for url in range(2 * pages)}  # each page was fetched twice
    began = time.process_time()
    walk = _ideal(answered, {page: float(page) for page in range(pages)})
    assert time.process_time() - began < 2
    assert walk[:3] == [2 * pages - 2, 2 * pages - 4, 2 * pages - 6]
    assert sorted(walk[pages:]) == list(range(1, 2 * pages, 2))
