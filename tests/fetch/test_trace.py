import threading

import pytest

from minisearch.fetch.fetcher import content_length, trace
from minisearch.limits import Limits
from minisearch.testing.server import Raw

HTML = {"Content-Type": "text/html"}


@pytest.fixture
def walk(serve, session):
    def walk(*, limits=None, **routes):
        site = serve(**routes)
        return trace(f"{site}/a", session, limits or Limits())

    return walk


def moved(to):
    return (302, {"Location": to}, b"elsewhere")


def test_each_exchange_has_its_headers_and_times(walk):
    first, last = walk(a=moved("/b"), b=(200, {**HTML, "X-Robots-Tag": "noarchive"}, b"<title>Here"))
    assert (first.status, last.status) == (302, 200)
    assert dict(first.headers)["Location"] == "/b"
    assert (last.body, last.error) == (b"<title>Here", None)
    assert 0 < last.first_byte_seconds <= last.seconds


def test_the_body_of_an_error_is_read_too(walk):
    (exchange,) = walk(a=(404, HTML, b"<p>gone"))
    assert (exchange.status, exchange.body) == (404, b"<p>gone")


@pytest.mark.parametrize(
    ("routes", "count", "rule"),
    [
        ({"a": moved("/a")}, 1, "redirect-loop"),
        ({"a": moved("/b"), "b": moved("/a")}, 2, "redirect-loop"),
        ({"a": moved("mailto:x")}, 1, "redirect"),
        ({"a": None}, 1, "connection"),
        ({"a": (200, HTML, b"x" * 5000)}, 1, "size"),
        ({"a": (200, {**HTML, "Content-Encoding": "gzip"}, b"plain")}, 1, "encoding"),
        ({"a": moved("/b"), "b": moved("/c"), "c": moved("/d"), "d": moved("/e")}, 4, "redirects"),
    ],
)
def test_an_error_belongs_to_the_exchange_where_it_occurred(walk, routes, count, rule):
    found = walk(limits=Limits(page_bytes=1000, redirects=3), **routes)
    assert len(found) == count
    assert found[-1].error.rule == rule


def test_a_redirect_is_followed_though_its_body_breaks_off(walk):
    first, last = walk(a=(302, {"Location": "/b", "Content-Length": "99"}, b"over"), b=(200, HTML, b"<title>Here"))
    assert (first.error.rule, last.body) == ("truncated", b"<title>Here")


def test_every_robots_tag_is_kept(walk):
    (exchange,) = walk(a=(200, {**HTML, "X-Robots-Tag": "noindex"}, b"<title>x"))
    assert exchange.response.headers["x-robots-tag"] == "noindex"


def test_a_length_is_not_waited_for_longer_than_a_page(serve, session):
    ends = threading.Event()

    def drip():
        yield b"HTTP/1.1 200 OK\r\nX-Slow: "
        while not ends.wait(0.05):
            yield b"x"

    site = serve(**{"a.png": lambda _: Raw(drip())})
    try:
        assert content_length(f"{site}/a.png", session, Limits(page_seconds=0.5)) == 0
    finally:
        ends.set()


def test_a_length_is_requested_without_the_body(serve, session):
    site = serve(**{"a.png": (200, {"Content-Type": "image/png"}, b"x" * 1234)})
    assert content_length(f"{site}/a.png", session, Limits()) == 1234
    assert content_length("http://127.0.0.1:1/a.png", session, Limits()) == 0


def test_an_absurd_length_is_unknown(serve, session):
    site = serve(**{"a.png": (200, {"Content-Length": "9" * 5000}, b"")})
    assert content_length(f"{site}/a.png", session, Limits()) == 0
