import threading

import pytest

from minisearch.fetch.trace import charset, hops, outcome, size_of
from minisearch.limits import Limits
from minisearch.records import Failed, Page, Skipped
from minisearch.testing.server import Raw

HTML = {"Content-Type": "text/html"}


@pytest.fixture
def walk(serve, session):
    def walk(*, limits=None, **routes):
        site = serve(**routes)
        return list(hops(f"{site}/a", session, limits or Limits()))

    return walk


def moved(to):
    return (302, {"Location": to}, b"elsewhere")


def test_each_hop_is_told_with_its_headers_and_times(walk):
    first, last = walk(a=moved("/b"), b=(200, {**HTML, "X-Robots-Tag": "noarchive"}, b"<title>Here"))
    assert (first.status, first.phrase, last.status, last.phrase) == (302, "Found", 200, "OK")
    assert dict(first.headers)["Location"] == "/b"
    assert (last.body, last.received, last.trouble) == (b"<title>Here", 11, "")
    assert 0 < last.first_byte_seconds <= last.seconds


def test_the_body_of_an_error_is_read_too(walk):
    (hop,) = walk(a=(404, HTML, b"<p>gone"))
    assert (hop.status, hop.body) == (404, b"<p>gone")
    assert isinstance(outcome(hop, Limits()), Failed)


@pytest.mark.parametrize(
    ("routes", "count", "trouble"),
    [
        ({"a": moved("/a")}, 1, "redirects in a ring"),
        ({"a": moved("/b"), "b": moved("/a")}, 2, "redirects in a ring"),
        ({"a": moved("mailto:x")}, 1, "redirects to no usable address"),
        ({"a": None}, 1, "the server hung up"),
        ({"a": (200, HTML, b"x" * 5000)}, 1, "larger than 1,000 bytes"),
        ({"a": (200, {**HTML, "Content-Encoding": "gzip"}, b"plain")}, 1, "could not be decompressed"),
        ({"a": (200, {**HTML, "Content-Encoding": "zstd"}, b"plain")}, 1, "packed in a way we did not ask for (zstd)"),
        ({"a": moved("/b"), "b": moved("/c"), "c": moved("/d"), "d": moved("/e")}, 4, "more than 3 redirects"),
    ],
)
def test_trouble_is_told_at_the_hop_where_it_is(walk, routes, count, trouble):
    found = walk(limits=Limits(page_bytes=1000, redirects=3), **routes)
    assert len(found) == count
    assert trouble in found[-1].trouble


def test_the_evidence_for_a_charset_is_told(walk):
    (hop,) = walk(a=(200, HTML, "<meta charset=windows-1251>Ћирилица".encode("cp1251")))
    assert charset(hop) == ("windows-1251", "meta tag")
    (image,) = walk(a=(200, {"Content-Type": "image/png"}, b"\x89PNG"))
    assert charset(image) == ("", "")


@pytest.mark.parametrize(
    ("answer", "kind", "rule"),
    [
        ((200, HTML, b"<title>x"), Page, ""),
        ((200, {"Content-Type": "image/png"}, b"\x89PNG"), Skipped, "type"),
        ((200, HTML, b"\0\0\0\0binary"), Skipped, "binary"),
        ((503, HTML, b""), Failed, "http-503"),
    ],
)
def test_the_verdict_is_the_crawlers(walk, answer, kind, rule):
    (hop,) = walk(a=answer)
    found = outcome(hop, Limits())
    assert isinstance(found, kind)
    assert getattr(found, "rule", "") == rule


def test_every_robots_tag_is_heard(walk):
    (hop,) = walk(a=(200, {**HTML, "X-Robots-Tag": "noindex"}, b"<title>x"))
    assert outcome(hop, Limits()).noindex == "X-Robots-Tag noindex"


def test_the_size_of_an_image_is_not_waited_for_longer_than_for_a_page(serve, session):
    ends = threading.Event()

    def drip():
        yield b"HTTP/1.1 200 OK\r\nX-Slow: "
        while not ends.wait(0.05):
            yield b"x"

    site = serve(**{"a.png": lambda _: Raw(drip())})
    try:
        assert size_of(f"{site}/a.png", session, Limits(page_seconds=0.5)) == 0
    finally:
        ends.set()


def test_the_size_of_an_image_is_asked_for_without_fetching_it(serve, session):
    site = serve(**{"a.png": (200, {"Content-Type": "image/png"}, b"x" * 1234)})
    assert size_of(f"{site}/a.png", session, Limits()) == 1234
    assert size_of("http://127.0.0.1:1/a.png", session, Limits()) == 0


def test_the_size_of_an_image_is_not_known_if_it_is_no_number_of_this_world(serve, session):
    site = serve(**{"a.png": (200, {"Content-Length": "9" * 5000}, b"")})
    assert size_of(f"{site}/a.png", session, Limits()) == 0
