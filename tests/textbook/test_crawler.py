from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.textbook.crawler import (
    crawl_web,
    follow_links,
    get_all_links,
    get_next_target,
    get_page,
    union,
)


def site(**links):
    """A get_page for a site of pages a, b, c ... that link as told."""
    pages = {f"http://site/{page}": "".join(f'<a href="{to}">{to}</a>' for to in links[page]) for page in links}
    return lambda url: pages.get(url, "")


def visited(seed, get_page, **options):
    _, graph = crawl_web(f"http://site/{seed}", get_page=get_page, **options)
    return [url.removeprefix("http://site/") for url in graph]


# -- links --


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ('<a href="b">', ("b", 10)),
        ('"quoted" <a href="b"> <a href="c">', ("b", 19)),
        ('<a href="">', ("", 9)),
        ("no links", (None, 0)),
        ("", (None, 0)),
        ("<a href=b>", (None, 0)),
        ('<a href="never closed', (None, 0)),
        ('a "quote", then <a href=b>', (None, 0)),  # the original ran for ever on this one
    ],
)
def test_the_next_target_stands_between_the_quotes_after_a_link(page, found):
    assert get_next_target(page) == found


def test_all_links_come_in_page_order_and_repeats_are_kept():
    assert get_all_links('<a href="b">1</a> <a href="a">2</a> <a href="b">3</a>') == ["b", "a", "b"]


@given(st.text(alphabet='<a href="b">#/:[]'))
def test_no_page_keeps_the_crawler_busy_for_ever(page):
    assert len(follow_links(page, "http://site/")) <= page.count("<a href=")


def test_union_appends_in_place_only_what_is_new():
    waiting = ["a", "b"]
    union(waiting, ["c", "b", "c"])
    assert waiting == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("link", "targets"),
    [
        ("c", ["http://site/deep/c"]),
        ("/c", ["http://site/c"]),
        ("../c", ["http://site/c"]),
        ("https://other/c", ["https://other/c"]),
        ("c#part", ["http://site/deep/c"]),
        ("#part", ["http://site/deep/b"]),
        ("", ["http://site/deep/b"]),
        ("mailto:me@site", []),
        ("file:///etc/passwd", []),
        ("http://[", []),
    ],
)
def test_links_become_addresses_that_can_be_fetched(link, targets):
    assert follow_links(f'<a href="{link}">', "http://site/deep/b") == targets


# -- the four-page site of the thesis --


@pytest.fixture
def four_pages(oracles):
    oracle = oracles["004-site"]
    crawl = partial(crawl_web, oracle["params"]["seed"], get_page=oracle["site"].get)
    return crawl, oracle["expected"]


def test_the_thesis_site_gives_the_graph_of_the_thesis(four_pages):
    crawl, expected = four_pages
    _, graph = crawl()
    assert graph == expected["graph"]
    assert list(graph) == expected["crawl_order"]


def test_breadth_first_visits_it_in_page_order(four_pages):
    crawl, expected = four_pages
    _, graph = crawl(order="breadth")
    assert list(graph) == expected["crawl_order_fifo"]


@pytest.mark.parametrize("limit", ["max_pages", "max_depth"])
def test_a_limited_crawl_visits_a_part_of_it(four_pages, limit):
    crawl, expected = four_pages
    for value, pages in expected[limit].items():
        _, graph = crawl(**{limit: int(value)})
        assert list(graph) == pages


# -- the crawl --


def test_no_page_is_fetched_twice():
    fetched = []
    pages = site(a=["b", "c", "a"], b=["a", "c"], c=["b#part", "b"])
    crawl_web("http://site/a#top", get_page=lambda url: fetched.append(url) or pages(url))
    assert sorted(fetched) == ["http://site/a", "http://site/b", "http://site/c"]


def test_a_page_that_fails_is_an_empty_page_and_the_crawl_goes_on():
    assert visited("a", site(a=["b", "broken"], b=[])) == ["a", "broken", "b"]


@pytest.mark.parametrize(("max_depth", "pages"), [(0, "a"), (1, "ab"), (2, "abc"), (9, "abcd")])
def test_pages_too_deep_are_not_fetched(max_depth, pages):
    assert visited("a", site(a="b", b="c", c="d", d="a"), max_depth=max_depth) == list(pages)


@pytest.mark.parametrize(("order", "pages"), [("newest", "abcdf"), ("breadth", "afbdce")])
def test_a_detour_makes_pages_seem_deep_unless_the_crawl_goes_breadth_first(order, pages):
    detour = site(a="fb", b="c", c="d", d="e", e="", f="d")
    assert visited("a", detour, max_depth=3, order=order) == list(pages)


def test_a_page_met_too_deep_is_fetched_when_it_is_met_again_nearer():
    assert visited("a", site(a="eb", b="c", c="d", d="", e="d"), max_depth=2) == ["a", "b", "c", "e", "d"]


def test_a_page_met_again_by_a_detour_stays_as_near_as_it_was():
    assert visited("a", site(a="db", b="c", c="d", d="e", e=""), max_depth=3) == list("abcde")


def test_an_unknown_order_is_an_error():
    with pytest.raises(KeyError):
        crawl_web("http://site/a", get_page=site(a=""), order="sideways")


def test_the_index_holds_the_words_of_all_pages():
    index, _ = crawl_web("http://site/a", get_page=lambda url: f'here is {url} <a href="b">')
    assert index["here"] == ["http://site/a", "http://site/b"]


# -- the network --


class Server(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/page" else 404)
        self.end_headers()
        self.wfile.write("ствар \xff".encode() + b"\xff")

    def log_message(self, *_):
        pass


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    with HTTPServer(("127.0.0.1", 0), Server) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_get_page_gives_the_text_of_a_page(server):
    assert get_page(f"{server}/page") == "ствар \xff\ufffd"


@pytest.mark.parametrize("url", ["{server}/missing", "http://127.0.0.1:1/", "http://[", "http://a b/", "nonsense"])
def test_get_page_gives_nothing_on_any_failure(server, url):
    assert get_page(url.format(server=server)) == ""


def test_get_page_does_not_read_our_own_files(tmp_path):
    (tmp_path / "secret").write_text("secret")
    assert get_page((tmp_path / "secret").as_uri()) == ""
