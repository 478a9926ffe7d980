"""Crawls of real servers into the file: what is fetched, what is not and why, and how a crawl goes on."""

import json
import os
import signal
import subprocess
import sys
from collections import deque
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch import Engine
from minisearch.errors import BadInput, BadUrl, StoreBusy
from minisearch.limits import Limits
from minisearch.models import Page
from minisearch.rank.job import link_graph
from minisearch.testing.server import FIXTURES

GARDEN, FOUR = (json.loads((FIXTURES / name / "key.json").read_text("utf-8")) for name in ("garden", "four"))
TREE = {"/": ["/a", "/b"], "/a": ["/a/1", "/a/2"], "/b": ["/b/1"], "/a/1": ["/a/1/x"], "/a/2": [], "/b/1": ["/"]}
TREE["/a/1/x"] = []
TREE_ORDER = ["/", "/a", "/b", "/a/1", "/a/2", "/b/1", "/a/1/x"]


@pytest.fixture
def crawl(engine, site):
    """Crawls from paths of the site, without indexing; gives the summary."""

    def crawl(*seeds, into=engine, **options):
        options = {"workers": 0, "index": False, "rank": False, **options}
        return into.crawl(*(site.base + seed for seed in seeds or ["/"]), **options)

    return crawl


@pytest.fixture
def see(engine, site):
    """What became of a path, in two words."""

    def see(path):
        verdict = engine.store.urls.verdict(path if path.startswith("http") else site.base + path)
        return f"{verdict.state} {verdict.rule}".strip()

    return see


def urls(engine):
    """Every url in the file."""
    return [url for (url,) in engine.store.db.execute("SELECT url FROM urls")]


# -- how far -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("depth", "pages"), [(0, 1), (1, 3), (2, 6), (3, 7), (20, 7)])
def test_a_crawl_goes_no_deeper_than_its_limit(crawl, site, depth, pages):
    site.show(TREE)
    summary = crawl(max_depth=depth)
    assert site.asked == TREE_ORDER[:pages]
    assert (summary.fetched, summary.waiting) == (pages, 0)
    assert summary.skipped.get("depth", 0) == {0: 2, 1: 3, 2: 1}.get(depth, 0)


@pytest.mark.parametrize("limit", range(1, 9))
def test_a_crawl_fetches_exactly_as_many_pages_as_it_may(crawl, site, limit):
    site.show(TREE)
    summary = crawl(max_pages=limit)
    assert site.asked == TREE_ORDER[:limit]
    assert summary.fetched == min(limit, 7)


def test_pages_that_fail_do_not_use_up_the_limit(crawl, site):
    site.show({"/": ["/gone", "/lost", "/a"], "/a": []})
    assert crawl(max_pages=2).fetched == 2
    assert site.asked == ["/", "/gone", "/lost", "/a"]


@pytest.mark.parametrize(
    ("scope", "pages"),
    [
        ("path", ["docs/", "docs/a"]),
        ("host", ["blog", "docs/", "docs/a"]),
        ("domain", ["blog", "docs/", "docs/a"]),
        ("any", ["blog", "docs/", "docs/a", "elsewhere"]),
    ],
)
def test_a_crawl_keeps_to_its_scope(crawl, see, site, scope, pages):
    elsewhere = site.base.replace("127.0.0.1", "localhost") + "/elsewhere"
    site.show({"/docs/": ["/docs/a", "/blog", elsewhere], "/docs/a": [], "/blog": [], "/elsewhere": []})
    crawl("/docs/", scope=scope)
    assert sorted(path[1:] for path in site.asked) == pages
    assert see(elsewhere) == ("fetched" if scope == "any" else "skipped scope")


def test_patterns_choose_what_is_fetched_but_not_the_seed(crawl, see, site):
    site.show({"/": ["/a.html", "/b.html", "/b.pdf"], "/a.html": [], "/b.html": [], "/b.pdf": []})
    crawl(include=["*.html"], exclude=["*/b.*"])
    assert site.asked == ["/", "/a.html"]
    assert see("/b.html") == see("/b.pdf") == "skipped pattern"


@pytest.mark.parametrize(
    "options",
    [
        {"max_pages": 0},
        {"max_depth": -1},
        {"scope": "galaxy"},
        {"order": "alphabetical"},
        {"parser": "regex"},
        {"delay": -1},
        {"workers": -1},
    ],
    ids=str,
)
def test_senseless_options_are_refused(engine, options):
    with pytest.raises(BadInput):
        engine.crawl("http://127.0.0.1:9/", **options)


@pytest.mark.parametrize(("seeds", "error"), [((), BadInput), (("ftp://a.example/",), BadUrl), (("::",), BadUrl)])
def test_senseless_seeds_are_refused_and_leave_no_trace(engine, seeds, error):
    with pytest.raises(error):
        engine.crawl(*seeds)
    assert urls(engine) == []


@pytest.mark.parametrize("first", ["best", "breadth"])
def test_best_first_fetches_what_most_pages_link_to_also_when_it_was_not_the_order_before(crawl, site, first):
    site.show({"/": ["/a", "/x", "/y"], "/a": ["/y"], "/x": [], "/y": []})
    crawl(max_pages=2, order=first)
    crawl(max_pages=3, order="best")
    assert site.asked == ["/", "/a", "/y"]


# -- going on ------------------------------------------------------------------------------------


def test_a_crawl_goes_on_when_its_page_limit_is_raised(crawl, site):
    site.show(TREE)
    assert crawl(max_pages=3).waiting == 3
    site.requests.clear()
    assert crawl(max_pages=5).fetched == 5
    assert site.asked == TREE_ORDER[3:5]
    assert crawl(max_pages=50).fetched == 7
    assert site.asked == TREE_ORDER[3:]


def test_a_crawl_that_was_stopped_goes_on(crawl, site):
    site.show(TREE)
    summary = crawl(stop=lambda: len(site.asked) >= 4)
    assert (summary.interrupted, summary.fetched, summary.waiting) == (True, 4, 3)
    summary = crawl()
    assert (summary.interrupted, summary.fetched, summary.waiting) == (False, 7, 0)
    assert site.asked == TREE_ORDER


def test_a_crawl_that_nobody_listens_to_any_more_keeps_what_it_has(engine, crawl, site):
    site.show(TREE)
    for visit in engine.crawling(site.base + "/", workers=0):
        if visit.queued.url.endswith("/b"):
            break
    assert engine.stats()["pages"] == 3
    assert crawl().fetched == 7
    assert site.asked == TREE_ORDER


def test_a_crawl_that_was_killed_goes_on(site, tmp_path):
    script = "import sys; from minisearch import Engine; Engine(sys.argv[1]).crawl(sys.argv[2], workers=0)"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    site.show({**TREE, "/a/2": lambda _: os.kill(crawler.pid, signal.SIGKILL)})
    crawler = subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "web.db"), site.base + "/"], env=env)
    assert crawler.wait() == -signal.SIGKILL
    site.show(TREE)
    with Engine(tmp_path / "web.db") as engine:
        assert engine.crawl(site.base + "/", workers=0).fetched == 7
        assert engine.search("a/1/x").total >= 1
    assert set(site.asked) <= set(TREE_ORDER)


def test_the_same_seeds_again_fetch_nothing(crawl, site):
    site.show(TREE | {"/": ["/a", "/b", "/gone", "http://elsewhere.example/"]})
    first = crawl()
    site.requests.clear()
    again = crawl()
    assert site.requests == []
    assert (again.fetched, again.skipped, again.failed) == (first.fetched, first.skipped, first.failed)


def test_seeds_that_failed_are_asked_for_again(crawl, see, site):
    site.show({})
    assert crawl().failed == {"http-404": 1}
    site.show(TREE)
    assert crawl().fetched == 7
    assert see("/") == "fetched"


@pytest.mark.parametrize(
    ("before", "after", "more"),
    [
        ({"max_depth": 1}, {"max_depth": 2}, ["/a/1", "/a/2", "/b/1"]),
        ({"exclude": ["*/a*"]}, {}, ["/a", "/a/1", "/a/2", "/a/1/x"]),
        ({"include": ["*/b*"]}, {"include": ["*/a*"]}, ["/a", "/a/1", "/a/2", "/a/1/x"]),
    ],
    ids=["depth", "exclude", "include"],
)
def test_changed_rules_are_applied_to_what_was_met_before(crawl, site, before, after, more):
    site.show(TREE)
    crawl(**before)
    site.requests.clear()
    crawl(**after)
    assert site.asked == more


def test_narrower_rules_skip_what_was_waiting(crawl, see, site):
    site.show(TREE)
    crawl(max_pages=3)
    summary = crawl(exclude=["*/a/*"])
    assert (summary.fetched, summary.skipped) == (4, {"pattern": 2})
    assert see("/a/1") == "skipped pattern"


def test_a_wider_scope_lets_in_what_was_outside_but_not_what_only_nofollow_links_lead_to(crawl, see, site):
    site.show({"/docs/": '<p>x <a href="/blog">x</a> <a href="/ads" rel="nofollow">x</a>', "/blog": [], "/ads": []})
    crawl("/docs/")
    assert see("/blog") == see("/ads") == "skipped scope"
    crawl("/docs/", scope="host")
    assert (see("/blog"), see("/ads")) == ("fetched", "skipped nofollow")


def test_a_second_crawl_into_the_same_file_fetches_what_the_first_skipped(crawl, see, site):
    site.show({"/docs/": ["/blog/"], "/blog/": ["/blog/a", "/docs/"], "/blog/a": []})
    assert crawl("/docs/").skipped == {"scope": 1}
    site.requests.clear()
    second = crawl("/blog/")
    assert site.asked == ["/blog/", "/blog/a"]
    assert (second.fetched, second.skipped) == (2, {})
    assert see("/docs/") == see("/blog/") == "fetched"
    assert crawl("/docs/").fetched == 1


def test_two_crawls_in_a_file_are_counted_apart_and_searched_together(engine, crawl, site):
    site.show({"/one/": "<p>alpha", "/two/": "<p>beta"})
    crawl("/one/")
    assert crawl("/two/").discovered == 1
    engine.index()
    assert engine.search("alpha").total == engine.search("beta").total == 1


def test_a_second_crawler_of_the_same_file_is_told_so(site, tmp_path):
    site.show(TREE)
    with Engine(tmp_path / "web.db") as one, Engine(tmp_path / "web.db") as other:
        crawling = iter(one.crawling(site.base + "/", workers=0))
        next(crawling)
        with pytest.raises(StoreBusy):
            other.crawl(site.base + "/", workers=0)
        assert len(list(crawling)) == 6
        assert other.crawl(site.base + "/", workers=0).fetched == 7


def test_a_crawl_that_is_not_iterated_writes_nothing_and_takes_no_lock(site, tmp_path):
    site.show(TREE)
    with Engine(tmp_path / "web.db") as one, Engine(tmp_path / "web.db") as other:
        one.crawling(site.base + "/", workers=0)
        assert urls(one) == []
        assert other.crawl(site.base + "/", workers=0).fetched == 7
        before = list(other.store.db.conn.iterdump())
        one.crawling(site.base + "/a", workers=0)
        assert len([*one.recrawling(workers=0)]) == 1
        assert list(other.store.db.conn.iterdump()) == before
        assert other.recrawl(workers=0).visited == 7


def test_a_crawler_that_nobody_listens_to_any_more_lets_others_write(site, tmp_path):
    site.show(TREE)
    with Engine(tmp_path / "web.db") as one, Engine(tmp_path / "web.db") as other:
        for _ in one.crawling(site.base + "/", workers=0):
            break
        assert other.crawl(site.base + "/", workers=0).fetched == 7


def test_a_second_crawl_may_find_a_nearer_twin(engine, crawl, see, site):
    site.show({"/one/": ["/one/x"], "/one/x": "<p>the very same", "/two/": "<p>the very same"})
    crawl("/one/", index=True)
    crawl("/two/", index=True)
    assert (see("/one/x"), see("/two/")) == ("merged identical", "fetched")
    assert [hit.url for hit in engine.search("same").hits] == [site.base + "/two/"]


# -- redirects -----------------------------------------------------------------------------------


def moved(target, status=301):
    return (status, {"Location": target}, b"")


def test_a_chain_of_redirects_leads_to_one_page(engine, crawl, see, site):
    site.show({"/": ["/old"], "/old": moved("/older"), "/older": moved("/new", 302), "/new": ["/"]})
    summary = crawl()
    assert (summary.fetched, summary.merged) == (2, 2)
    assert engine.why(site.base + "/old").reason == f"redirects (301) to {site.base}/older"
    assert engine.store.pages.id_of(site.base + "/old") == engine.store.pages.id_of(site.base + "/new") == 2
    assert engine.why(site.base + "/new").depth == 1


@pytest.mark.parametrize("ring", [["/a"], ["/a", "/b"], ["/a", "/b", "/c"]], ids=len)
def test_redirects_in_a_ring_are_told_from_pages(engine, crawl, site, ring):
    ways = {here: moved(there) for here, there in zip(ring, [*ring[1:], ring[0]], strict=True)}
    site.show({"/": [ring[0]], **ways})
    summary = crawl()
    assert (summary.fetched, summary.failed) == (1, {"redirect-loop": len(ring)})
    assert engine.why(site.base + "/a").reason == "redirects in a loop"
    assert len(site.asked) == 1 + len(ring)


def test_a_redirect_into_a_ring_fails_with_it(crawl, site):
    site.show({"/": ["/in"], "/in": moved("/a"), "/a": moved("/b"), "/b": moved("/a")})
    assert crawl().failed == {"redirect-loop": 3}


@pytest.mark.parametrize(("limit", "fetched"), [(2, 1), (3, 2)])
def test_too_many_redirects_in_a_row_are_not_followed(crawl, see, site, limit, fetched):
    site.show({"/": ["/0"], "/0": moved("/1"), "/1": moved("/2"), "/2": moved("/3"), "/3": []})
    assert crawl(limits=Limits(redirects=limit)).fetched == fetched
    assert see("/3") == ("fetched" if limit == 3 else "skipped redirects")


def test_what_too_many_redirects_lead_to_is_fetched_when_a_link_leads_there(crawl, see, site):
    site.show({"/": ["/0", "/a"], "/0": moved("/1"), "/1": moved("/2"), "/a": ["/2"], "/2": []})
    crawl(limits=Limits(redirects=1))
    assert see("/2") == "fetched"


def test_a_redirect_out_of_scope_is_not_followed(crawl, see, site):
    site.show({"/docs/": ["/docs/a"], "/docs/a": moved("/blog"), "/blog": []})
    crawl("/docs/")
    assert (see("/docs/a"), see("/blog")) == ("skipped redirect", "skipped scope")


def test_what_a_redirect_comes_to_is_its_first_verdict(engine, crawl, site):
    paths = {"/docs/a": moved("/blog"), "/docs/b": moved("/docs/b"), "/docs/c": moved("/docs/d")}
    site.show({"/docs/": [*paths], **paths})
    crawl("/docs/")
    for path in paths:
        verdict = engine.why(site.base + path)
        assert (verdict.state in ("skipped", "failed"), verdict.past) == (True, ())
    site.show({"/docs/": [*paths], **paths, "/docs/a": []})
    engine.recrawl(only=[site.base + "/docs/a"], workers=0)
    assert [past.rule for past in engine.why(site.base + "/docs/a").past] == ["redirect"]


def test_a_seed_that_redirects_means_the_place_it_leads_to(crawl, site):
    there = site.base.replace("127.0.0.1", "localhost")
    site.show({"/": moved(there + "/docs/"), "/docs/": ["/docs/a", "/blog"], "/docs/a": ["/docs/b"], "/docs/b": []})
    assert crawl(max_pages=1).fetched == 1
    assert site.asked == ["/", "/docs/"]
    assert crawl().fetched == 3  # and still means it when the crawl goes on
    assert site.asked[2:] == ["/docs/a", "/docs/b"]


def test_a_redirect_to_nowhere_is_a_failure_in_words(engine, crawl, site):
    site.show({"/": ["/a"], "/a": moved("mailto:me@a.example")})
    assert crawl().failed == {"redirect": 1}
    assert engine.why(site.base + "/a").reason.startswith("an invalid redirect: ")


# -- what pages ask for --------------------------------------------------------------------------


def canonical(target, words="about roses"):
    return f'<link rel="canonical" href="{target}"><p>{words}</p>'


def test_a_canonical_link_names_the_page_that_stands_for_both(engine, crawl, site):
    site.show({"/": ["/print"], "/print": canonical("/screen", "roses, for printing"), "/screen": canonical("/screen")})
    summary = crawl()
    assert (summary.fetched, summary.merged) == (2, 1)
    verdict = engine.why(site.base + "/print")
    assert (verdict.rule, verdict.target) == ("canonical", site.base + "/screen")


@pytest.mark.parametrize("target", ["/gone", "/hidden", "http://elsewhere.example/", "/print"])
def test_a_canonical_link_that_leads_nowhere_is_not_believed(crawl, see, site, target):
    hidden = '<meta name="robots" content="noindex"><p>hidden</p>'
    site.show({"/": ["/print", "/hidden"], "/print": canonical(target), "/hidden": hidden})
    crawl()
    assert see("/print") == "fetched"


def test_canonical_links_in_a_ring_are_not_believed(crawl, see, site):
    site.show({"/": ["/a", "/b"], "/a": canonical("/b", "one"), "/b": canonical("/a", "other")})
    crawl()
    assert see("/a") == see("/b") == "fetched"


def test_of_pages_that_say_the_same_the_nearest_is_kept_then_the_shortest_name(crawl, see, site):
    site.show({"/": ["/longer", "/short", "/far"], "/far": ["/s"], "/longer": "<p>x", "/short": "<p>x", "/s": "<p>x"})
    crawl()
    assert [see(path) for path in ("/longer", "/short", "/s")] == ["merged identical", "fetched", "merged identical"]


def test_a_page_may_ask_not_to_be_indexed_and_still_lead_on(crawl, engine, see, site):
    site.show({"/": '<meta name="robots" content="noindex"><p>secret <a href="/a">x</a>', "/a": "<p>public"})
    crawl()
    engine.index()
    assert (see("/"), see("/a")) == ("fetched noindex", "fetched")
    assert (engine.search("secret").total, engine.search("public").total) == (0, 1)


def test_links_marked_nofollow_are_not_followed_by_the_page_by_the_link_or_by_the_server(crawl, see, site):
    site.show(
        {
            "/": '<p><a href="/meta">x</a> <a href="/header">x</a> <a href="/1" rel="nofollow">x</a>',
            "/meta": '<meta name="robots" content="nofollow"><p>x <a href="/2">x</a>',
            "/header": (200, {"Content-Type": "text/html", "X-Robots-Tag": "nofollow"}, b'<p><a href="/3">x</a>'),
        }
    )
    assert crawl().skipped == {"nofollow": 3}
    assert see("/1") == see("/2") == see("/3") == "skipped nofollow"


def test_a_link_that_may_be_followed_outweighs_one_that_may_not(crawl, see, site):
    site.show({"/": '<p><a href="/1" rel="nofollow">x</a> <a href="/a">x</a>', "/a": ["/1"], "/1": []})
    crawl()
    assert see("/1") == "fetched"


def test_what_robots_txt_closes_is_never_asked_for(crawl, see, site):
    robots = (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /closed/\nAllow: /closed/but\n")
    site.show({"/robots.txt": robots, "/": ["/closed/a", "/closed/but", "/open"], "/closed/but": [], "/open": []})
    assert crawl().skipped == {"robots": 1}
    assert site.asked == ["/", "/closed/but", "/open"]
    assert see("/closed/a") == "skipped robots"


def test_a_seed_that_robots_txt_closes_is_not_fetched_either(crawl, site):
    site.show({"/robots.txt": (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /\n"), "/": []})
    summary = crawl()
    assert (summary.fetched, summary.skipped, site.asked) == (0, {"robots": 1}, [])


def test_what_is_no_page_is_skipped_or_failed_by_name(crawl, site):
    image = (200, {"Content-Type": "image/png"}, b"")
    site.show({"/": ["/picture", "/gone", "/secret"], "/picture": image, "/secret": (403, {}, b"")})
    summary = crawl()
    assert (summary.skipped, summary.failed) == ({"type": 1}, {"http-403": 1, "http-404": 1})


@pytest.mark.parametrize("keep", [True, False])
def test_the_html_is_kept_only_if_wanted(engine, crawl, site, keep):
    site.show({"/": "<p>x"})
    crawl(keep_html=keep)
    [(html,)] = engine.store.db.execute("SELECT html FROM contents")
    assert (html is not None) == keep


def test_links_are_indexed_by_url_all_the_time(engine, site):
    site.show(TREE)
    for _ in engine.crawling(site.base + "/", workers=0, max_pages=4, index=False):
        assert any(index.columns == ["url_id"] for index in engine.store.db.table("links").indexes)


# -- any web whatever ----------------------------------------------------------------------------

REDIRECTS_TO = st.integers(0, 6)
LINKS = st.lists(st.tuples(st.integers(0, 7), st.booleans()), max_size=4)  # (page, nofollow); page 7 is missing
WEBS = st.lists(LINKS | LINKS | LINKS | REDIRECTS_TO, min_size=6, max_size=6).flatmap(
    lambda rest: LINKS.map(lambda first: [first, *rest])
)
any_web = given(WEBS, st.integers(0, 4), st.sampled_from(["breadth", "newest", "best"]))


def show(site, web):
    def page(number, links):
        written = (f'<a href="/{to}"{" rel=nofollow" if shun else ""}>x</a> ' for to, shun in links)
        return f"<title>{number}</title><p>{number} {''.join(written)}"

    pages = {f"/{n}": page(n, to) if isinstance(to, list) else moved(f"/{to}") for n, to in enumerate(web)}
    return site.show(pages)


def walk(web, deepest):
    """How far each page is from page 0, along links that may be followed; redirects cost nothing."""
    depth, waiting = {0: 0}, deque([0])
    while waiting:
        here = waiting.popleft()
        ways = web[here] if here < len(web) else []
        if isinstance(ways, list):
            ways = [(to, depth[here] + 1) for to, shun in ways if not shun]
        else:
            ways = [(ways, depth[here])]
        for to, far in ways:
            if far <= deepest and far < depth.get(to, far + 1):
                depth[to] = far
                waiting.append(to)
    return depth


def depths(engine):
    """The depth of each page that was asked for."""
    rows = engine.store.db.execute("SELECT url, depth FROM urls WHERE state IN ('fetched', 'merged', 'failed')")
    return {int(url.rpartition("/")[2]): depth for url, depth in rows}


@settings(max_examples=100, deadline=None)
@any_web
def test_whatever_the_order_all_pages_within_reach_are_fetched_once(site, web, deepest, order):
    show(site, web)
    with Engine() as engine:
        engine.crawl(site.base + "/0", max_depth=deepest, order=order, workers=0, index=False, rank=False)
        assert depths(engine) == walk(web, deepest)
    assert len(site.asked) == len(set(site.asked))


@settings(max_examples=50, deadline=None)
@any_web
def test_a_crawl_in_small_steps_comes_to_the_same_end(site, web, deepest, order):
    show(site, web)
    with Engine() as engine:
        for limit in range(1, 9):
            summary = engine.crawl(
                site.base + "/0", max_depth=deepest, max_pages=limit, order=order, workers=0, index=False, rank=False
            )
            assert summary.fetched <= limit
        assert depths(engine) == walk(web, deepest)
    assert len(site.asked) == len(set(site.asked))


@settings(max_examples=50, deadline=None)
@any_web
def test_a_depth_limit_that_is_raised_step_by_step_comes_to_the_same_end(site, web, deepest, order):
    show(site, web)
    with Engine() as engine:
        for limit in range(deepest + 1):
            engine.crawl(site.base + "/0", max_depth=limit, order=order, workers=0, index=False, rank=False)
        assert depths(engine) == walk(web, deepest)
    assert len(site.asked) == len(set(site.asked))


@settings(max_examples=50, deadline=None)
@given(WEBS, st.integers(0, 4), st.integers(1, 8))
def test_every_url_is_accounted_for(site, web, deepest, limit):
    show(site, web)
    with Engine() as engine:
        options = {"max_depth": deepest, "max_pages": limit, "workers": 0}
        summary = engine.crawl(site.base + "/0", index=False, rank=False, **options)
        met = urls(engine)
    asked = [int(path[1:]) for path in site.asked]
    reached = {0, *(to for number in asked if number < len(web) for to in targets(web[number]))}
    assert sorted(met) == sorted(f"{site.base}/{number}" for number in reached)
    counts = [summary.fetched, summary.merged, *summary.skipped.values(), *summary.failed.values(), summary.waiting]
    assert sum(counts) == summary.discovered == len(met)


def targets(ways):
    return [to for to, _ in ways] if isinstance(ways, list) else [ways]


# -- the fixture sites ---------------------------------------------------------------------------


def named(garden, urls):
    """Urls as the key of the garden names them."""
    return [url.removeprefix(garden.home).replace(garden.home.removesuffix("garden/"), "../") for url in urls]


def verdicts(garden, **wanted):
    where = " AND ".join(f"{column} = :{column}" for column in wanted)
    question = f"SELECT url, rule, depth, leads_to FROM url_status WHERE {where} ORDER BY url_id"
    rows = list(garden.engine.store.db.execute(question, wanted))
    return dict(zip(named(garden, (row[0] for row in rows)), (row[1:] for row in rows), strict=True))


def test_the_garden_is_fetched_breadth_first(garden):
    pages = [visit.queued.url for visit in garden.visits if isinstance(visit.outcome, Page)]
    assert named(garden, pages) == garden.key["fetched"]


def test_the_garden_is_as_deep_as_its_key_says(garden):
    found = {name: garden.engine.why(garden.home + name).depth for name in garden.key["fetched"]}
    assert found == garden.key["depth"]


def test_the_paths_through_the_garden_are_as_long_as_it_is_deep(garden):
    for name, depth in garden.key["depth"].items():
        path = [*named(garden, garden.engine.why(garden.home + name).path), name]
        assert len(path) == depth + 1
        assert all(after in garden.key["graph"][before] for before, after in pairwise(path))


def test_the_aliases_of_the_garden_are_merged(garden):
    found = {name: named(garden, [target])[0] for name, (_, _, target) in verdicts(garden, state="merged").items()}
    assert found == garden.key["merged"]


@pytest.mark.parametrize("state", ["skipped", "failed"])
def test_the_garden_is_skipped_and_failed_by_the_rules_of_its_key(garden, state):
    met = {name: rule for name, (rule, *_) in verdicts(garden, state=state).items()}
    assert {name: rule for name, rule in met.items() if name not in garden.key["ignored"]} == garden.key[state]


def test_the_noindex_page_of_the_garden_is_fetched_and_no_more(garden):
    assert list(verdicts(garden, state="fetched", rule="noindex")) == garden.key["noindex"]


def test_addresses_in_the_garden_that_are_not_of_the_web_are_written_down_and_left_alone(garden):
    for address in garden.key["ignored"]:
        verdict = garden.engine.why(address)
        assert (verdict.state, verdict.rule) == ("skipped", "scheme")


def test_the_link_graph_of_the_garden_is_the_merged_one(garden):
    graph, nodes = link_graph(garden.engine.store)
    pages = garden.engine.store.pages.get(nodes.tolist())
    names = named(garden, (pages[node].url for node in nodes.tolist()))
    found = {name: sorted(names[to] for to in graph.counts[[row]].indices) for row, name in enumerate(names)}
    assert found == garden.key["merged_graph"]


@pytest.mark.parametrize("case", GARDEN["queries"], ids=lambda case: case["query"])
def test_the_garden_finds_what_is_asked_of_it(garden, case):
    hits = garden.engine.search(case["query"]).hits[: len(case["first"])]
    assert sorted(named(garden, (hit.url for hit in hits))) == case["first"]


@pytest.mark.parametrize("case", GARDEN["nothing"], ids=lambda case: case["query"])
def test_the_garden_does_not_find_what_must_not_be_found(garden, case):
    assert garden.engine.search(case["query"]).total == 0


def test_two_workers_find_the_same_garden(fixtures, garden, tmp_path):
    with Engine(tmp_path / "again.db") as engine:
        engine.crawl(fixtures + "/garden/index.html", workers=2)
        question = "SELECT url, state, rule, detail, depth FROM urls ORDER BY url"
        rows = [list(each.store.db.execute(question)) for each in (engine, garden.engine)]
    assert rows[0] == rows[1]


@pytest.mark.parametrize("order", ["newest", "breadth"])
@pytest.mark.parametrize("limit", ["max_pages", "max_depth"])
def test_the_four_pages_are_crawled_in_the_order_of_their_key(fixtures, order, limit):
    for most, pages in FOUR[limit][f"{order}-first"].items():
        with Engine() as engine:
            crawling = engine.crawling(f"{fixtures}/four/prva.html", order=order, workers=0, **{limit: int(most)})
            assert [visit.queued.url.rpartition("/")[2] for visit in crawling] == pages


def test_the_four_pages_are_ranked_and_found_as_their_key_says(fixtures, engine):
    engine.crawl(f"{fixtures}/four/prva.html", workers=0, order="newest", rank=False)
    engine.rank(damping=FOUR["damping"])
    hits = engine.search(FOUR["keyword"], sort="rank").hits
    names = [hit.url.rpartition("/")[2] for hit in hits]
    assert names[:2] == FOUR["results"][:2] == ["prva.html", "cetvrta.html"]
    assert set(names[2:]) == {"druga.html", "treca.html"}
    assert hits[2].score == pytest.approx(hits[3].score, abs=1e-12)
    assert engine.lucky(FOUR["keyword"]).url.endswith(FOUR["lucky"])


def test_the_four_ranks_come_near_those_of_the_key(fixtures, engine):
    engine.crawl(f"{fixtures}/four/prva.html", workers=0, index=False, rank=False)
    engine.rank(damping=FOUR["damping"], tolerance=0, max_rounds=FOUR["rounds"])
    ranks = {url.rpartition("/")[2]: score for url, _, score in engine.top()}
    assert ranks == pytest.approx(FOUR["ranks"], abs=FOUR["tolerance"])


def test_a_crawl_with_other_seeds_walks_through_what_another_one_has_fetched(engine, site):
    site.show({"/docs/": ["/docs/a", "/blog"], "/docs/a": ["/blog/b"], "/blog": [], "/blog/b": ["/docs/a"]})
    assert engine.crawl(f"{site.base}/docs/", workers=0).fetched == 2
    assert engine.crawl(f"{site.base}/docs/a", scope="host", workers=0).fetched == 2
    assert site.asked == ["/docs/", "/docs/a", "/docs/a", "/blog/b"]
    assert engine.crawl(f"{site.base}/docs/", scope="host", workers=0).fetched == 2  # /docs/ and /blog
    assert engine.stats()["pages"] == 4


def test_what_failed_for_a_moment_is_tried_again_by_the_same_command(engine, site):
    limits = Limits(tries=1)
    site.show({"/": ["/busy", "/gone"], "/busy": (503, {}, b""), "/gone": (404, {}, b"")})
    assert engine.crawl(f"{site.base}/", workers=0, limits=limits).failed == {"http-503": 1, "http-404": 1}
    site.show({"/": ["/busy", "/gone"], "/busy": [], "/gone": []})
    assert engine.crawl(f"{site.base}/", workers=0, limits=limits).failed == {"http-404": 1}
    assert site.asked == ["/busy"]
