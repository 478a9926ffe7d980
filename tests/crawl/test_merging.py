"""Pages that are one, as a crawl of a real server finds them: which are merged, by which rule, and what they keep."""

import random

import pytest

from minisearch.crawl.duplicates import merge_pages

WORDS = [f"{a}{b}{c}" for a in "brst" for b in "aeiou" for c in ("ll", "nd", "rt", "sk")]


def prose(seed, count=1200):
    return " ".join(random.Random(seed).choices(WORDS, k=count))


def stub(target, delay=0):
    return f'<meta http-equiv="refresh" content="{delay}; url={target}"><p>This page has <a href="{target}">moved</a>.'


@pytest.fixture
def crawl(engine, site):
    """Crawls a site that is made of these pages; gives what became of each path, in two words."""

    def crawl(pages, *seeds):
        site.show(pages)
        engine.crawl(*(site.base + seed for seed in seeds or ["/"]), workers=0)
        verdicts = {path: engine.store.urls.verdict(site.base + path) for path in pages}
        return {path: f"{v.state} {v.rule}".strip() for path, v in verdicts.items() if v}

    return crawl


def linked(engine, site):
    """The edges of the link graph, as pairs of paths."""
    edges = list(zip(*(ends.tolist() for ends in engine.store.rankings.link_ends()), strict=True))
    found = engine.store.pages.get({page for edge in edges for page in edge[:2]})
    return {tuple(found[page].url.removeprefix(site.base) for page in edge[:2]) for edge in edges}


def test_a_page_that_sends_its_readers_on_at_once_is_a_redirect(engine, crawl, site):
    found = crawl({"/": ["/old"], "/old": stub("/new"), "/new": f"<p>{prose(1)} <a href=/>home</a>"})
    assert found == {"/": "fetched", "/old": "merged redirect", "/new": "fetched"}
    assert engine.why(site.base + "/old").reason == f"redirects (meta refresh) to {site.base}/new"
    assert linked(engine, site) == {("/", "/new"), ("/new", "/")}


def test_a_page_that_has_come_to_send_its_readers_on_says_so_too(engine, crawl, site):
    crawl({"/": ["/old"], "/old": f"<p>{prose(2)}", "/new": f"<p>{prose(1)}"})
    site.show({"/": ["/old"], "/old": stub("/new"), "/new": f"<p>{prose(1)}"})
    engine.recrawl(workers=0)
    assert engine.why(site.base + "/old").reason == f"redirects (meta refresh) to {site.base}/new"


def test_a_page_that_lets_its_readers_read_is_a_page(crawl):
    assert crawl({"/": ["/slow"], "/slow": stub("/new", delay=5), "/new": "<p>x"})["/slow"] == "fetched"


def test_a_page_that_only_reloads_itself_is_a_page(crawl):
    assert crawl({"/": ["/live"], "/live": stub("/live")})["/live"] == "fetched"


def test_pages_that_send_their_readers_round_in_a_ring_are_told_from_pages(crawl):
    found = crawl({"/": ["/a"], "/a": stub("/b"), "/b": stub("/a")})
    assert found == {"/": "fetched", "/a": "failed redirect-loop", "/b": "failed redirect-loop"}


def test_a_seed_that_sends_its_readers_on_means_the_place_it_leads_to(crawl):
    pages = {"/docs/start": stub("/manual/"), "/manual/": '<a href="a">a</a>', "/manual/a": "<p>x"}
    assert crawl(pages, "/docs/start")["/manual/a"] == "fetched"


def test_urls_that_differ_in_who_sent_the_reader_are_one(engine, crawl, site):
    links = ["/story?utm_source=mail", "/story?fbclid=1&page=2"]
    found = crawl({"/": links, "/story": "<p>one", "/story?page=2": "<p>two"})
    assert found == {"/": "fetched", "/story": "fetched", "/story?page=2": "fetched"}
    assert sorted(site.asked) == ["/", "/story", "/story?page=2"]


def test_twins_by_name_that_say_nearly_the_same_are_one_and_keep_their_links(engine, crawl, site):
    now = iter(["six", "seven"])

    def clock(_request):
        return (200, {"Content-Type": "text/html"}, f"<title>T</title><p>{prose(1)} at {next(now)} o'clock".encode())

    found = crawl({"/": ["/docs/", "/a"], "/a": ["/docs/index.html"], "/docs/": clock, "/docs/index.html": clock})
    assert (found["/docs/"], found["/docs/index.html"]) == ("fetched", "merged equivalent-url")
    assert linked(engine, site) == {("/", "/docs/"), ("/", "/a"), ("/a", "/docs/")}
    assert "nearly the same" in engine.why(site.base + "/docs/index.html").reason


def test_twins_by_name_with_different_contents_are_two(crawl):
    pages = {"/": ["/docs", "/docs/"], "/docs": f"<p>{prose(1)}", "/docs/": f"<p>{prose(2)}"}
    assert set(crawl(pages).values()) == {"fetched"}


def test_pages_that_differ_in_numbers_alone_are_one_and_shown_as_similar(engine, crawl, site):
    def dated(day):
        return f"<title>Garden</title><p>{prose(1)}</p><p>Printed on day {day}, seen {day * 7} times."

    days = {f"/day/{n}": dated(n) for n in (1, 2, 3)}
    found = crawl({"/": list(days), **days})
    assert [found[day] for day in days] == ["fetched", "merged near-identical", "merged near-identical"]
    assert engine.why(site.base + "/day/2").reason == f"differs only in numbers from {site.base}/day/1"
    (hit,) = engine.search("garden").hits
    assert (hit.url, hit.similar) == (f"{site.base}/day/1", (f"{site.base}/day/2", f"{site.base}/day/3"))


def test_pages_that_are_alike_but_for_a_word_are_kept_and_found_by_it(engine, crawl, site):
    colours = {f"/{c}": f"<title>Rose</title><p>{prose(1, 900)} in {c}, as it should be" for c in ("red", "blue")}
    assert set(crawl({"/": list(colours), **colours}).values()) == {"fetched"}
    (rose,) = engine.search("rose").hits
    assert len(rose.similar) == 1
    assert [hit.url for hit in engine.search("+rose +blue").hits] == [f"{site.base}/blue"]


def test_a_whole_site_that_calls_itself_its_home_page_is_not_believed(crawl):
    def says_home(seed):
        return f'<link rel=canonical href="/"><p>{prose(seed)}'

    pages = {f"/{n}": says_home(n) for n in range(12)}
    links = "".join(f"<a href={path}>{path}</a> " for path in pages)
    assert set(crawl({"/": f"<p>{links}{prose(99)}", **pages}).values()) == {"fetched"}


def test_a_page_that_changed_is_a_page_of_its_own_again(engine, crawl, site):
    pages = {"/": ["/a", "/a/"], "/a": f"<p>{prose(1)}", "/a/": f"<p>{prose(1)} more"}
    assert "merged equivalent-url" in crawl(pages).values()
    with engine.store.transaction():
        engine.store.db.execute("UPDATE pages SET simhash = ~simhash WHERE canonical_page_id IS NOT NULL")
    merge_pages(engine.store)
    assert {engine.why(site.base + path).state for path in pages} == {"fetched"}
