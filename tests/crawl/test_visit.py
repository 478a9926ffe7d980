import gzip
import pickle
import zlib
from datetime import datetime

import pytest
import requests
from hypothesis import example
from hypothesis import given as generated
from hypothesis import strategies as st

from minisearch.crawl.visit import Task, Visitor
from minisearch.fetch.fetcher import Response, check_type
from minisearch.fetch.robots import RobotsFile
from minisearch.limits import Limits
from minisearch.models import Failed, Link, Page, Redirect, Skipped, Unchanged
from minisearch.parse.charset import decode
from minisearch.parse.html import extract
from minisearch.parse.reader import PARSERS, read_page
from minisearch.parse.reader import read as parse_response

URL = "https://example.com/a"
HTML = {"content-type": "text/html"}


@pytest.fixture(scope="module")
def visit():
    visitor = Visitor()
    return lambda url=URL, **options: visitor(Task(url, **options))


def page(body, **headers):
    """The page in a response with this body."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return read(Response(URL, 200, HTML | named, body))


def read(response, **options):
    options = {"max_links": Limits().links, "keep_html": True, **options}
    return read_page(response, decode(response.body, response.headers.get("content-type", "")), extract, **options)


# -- pages -----------------------------------------------------------------------------------


def test_a_mark_of_a_version_that_is_as_long_as_a_page_is_none(web, visit):
    long = {"ETag": '"' + "x" * 2000 + '"', "Last-Modified": "a" * 2000}
    web.get(URL, b"<p>Dark and damp.", headers=long, content_type="text/html")
    found = visit()
    assert (found.text, found.etag, found.last_modified) == ("Dark and damp.", "", "")


def test_a_page_is_what_it_says_and_what_the_server_said(web, visit):
    body = b"<title>Soil</title><p>Dark and damp. <a href=/b>More</a>"
    headers = {"ETag": '"x"', "Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT"}
    web.get(URL, body, headers=headers, content_type="text/html; charset=utf-8")
    found = visit()
    assert (found.title, found.text) == ("Soil", "Dark and damp. More")
    assert found.links == (Link("https://example.com/b", "More"),)
    assert (found.status, found.content_type, found.etag) == (200, "text/html", '"x"')
    assert found.last_modified == "Mon, 01 Jan 2024 00:00:00 GMT"
    assert zlib.decompress(found.html) == body
    assert datetime.fromisoformat(found.fetched_at).utcoffset().total_seconds() == 0


def test_a_page_that_a_proxy_has_changed_on_the_way_is_a_page(web, visit):
    web.get(URL, b"<title>Soil</title><p>Dark and damp.", status=203, content_type="text/html")
    assert (visit().title, visit().status) == ("Soil", 203)


@pytest.mark.parametrize(
    ("header", "markup", "canonical"),
    [
        ("</a>; rel=canonical", "", "/a"),
        ("</a>; rel=canonical", "<link rel=canonical href=/a>", "/a"),
        ("</a>; rel=canonical", "<link rel=canonical href=/b>", ""),  # which of them?
        ("</a>; rel=canonical, </b>; rel=canonical", "", ""),
        ('</a>; rel=canonical; anchor="/b"', "", ""),  # said of another page
        ('</a>; anchor="/b"; rel=canonical, </c>; rel=canonical', "", "/c"),
    ],
)
def test_a_canonical_address_is_believed_if_there_is_only_one(header, markup, canonical):
    said = page(markup.encode(), link=header).canonical
    assert said == (canonical and URL.rpartition("/")[0] + canonical)


def test_the_charset_of_the_header_is_heeded():
    found = page("<p>Башта".encode("koi8-r"), content_type="text/html; charset=koi8-r")
    assert (found.text, found.charset, found.charset_evidence) == ("Башта", "koi8-r", "http header")


def test_the_language_is_told_with_the_evidence_for_it():
    text = "<p>Der Garten ist im Frühling am schönsten, wenn die Rosen noch nicht blühen.".encode()
    found = [page(b"<html lang=fr>" + text), page(text, content_language="it"), page(text), page(b"<p>Rosen")]
    assert [(one.language, one.language_evidence) for one in found] == [
        ("fr", "html lang"),
        ("it", "http header"),
        ("de", "detected from the text"),
        ("", ""),
    ]


def test_plain_text_is_taken_word_for_word(web, visit):
    web.get(URL, "Not <b>bold</b>.", content_type="text/plain")
    found = visit()
    assert (found.text, found.content_type) == ("Not <b>bold</b>.", "text/plain")


def test_what_nobody_keeps_is_not_packed():
    answer = Response(URL, 200, HTML, b"<p>words")
    kept, left = (read(answer, keep_html=keep) for keep in (True, False))
    assert zlib.decompress(kept.html) == answer.body
    assert (left.html, left.text) == (b"", kept.text)


def test_a_page_without_a_type_is_read_as_html():
    assert page(b"<p>Words", content_type="").text == "Words"


def test_a_real_server_may_send_it_compressed(serve, visit):
    base = serve(a=(200, {"Content-Type": "text/html", "Content-Encoding": "gzip"}, gzip.compress(b"<p>Words")))
    assert visit(base + "/a").text == "Words"


@pytest.mark.parametrize("parser", PARSERS)
def test_either_parser_can_be_chosen(web, parser):
    web.get(URL, "<title>A</title><p>b", content_type="text/html")
    assert Visitor(parser=parser)(Task(URL)).title == "A"


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("<p>one", "<p>one", True),
        ("<p>one", "<div><b>one</b></div>", True),
        ("<p>one", "<p>two", False),
        ("<title>a</title><p>one", "<title>b</title><p>one", False),
        ("<meta name=description content=a><p>one", "<meta name=description content=b><p>one", False),
        ("<title>a</title><img src=1>", "<title>a</title><img src=2>", False),
        ("", "", True),
    ],
)
def test_pages_have_one_hash_if_they_say_the_same_to_a_reader(first, second, same):
    assert (page(first.encode()).content_hash == page(second.encode()).content_hash) is same


# -- X-Robots-Tag ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "noindex", "nofollow"),
    [
        ("", False, False),
        ("noindex", True, False),
        ("NoIndex, NoFollow", True, True),
        ("none", True, True),
        ("all", False, False),
        ("minisearch: noindex", True, False),
        ("MiniSearch: none", True, True),
        ("otherbot: noindex", False, False),
        ("otherbot: noindex, nofollow", False, False),
        ("otherbot: noindex\nnofollow", False, True),
        ("noindex, otherbot: nofollow", True, False),
        ("otherbot: noindex, minisearch: nofollow", False, True),
        ("unavailable_after: 25 Jun 2010 15:00:00 PST, noindex", True, False),
        ("unavailable_after: Friday, 25-Jun-10 15:00:00 PST, noindex", True, False),
        ("unavailable_after: 25 Jun 2010 15:00:00 PST", True, False),
        ("nofollow, unavailable_after: Friday, 25-Jun-10 15:00:00 PST", True, True),
        ("minisearch: unavailable_after: 2010-06-25T15:00:00Z", True, False),
        ("unavailable_after: 25-Jun-2010, max-snippet: 5", True, False),
        ("otherbot: unavailable_after: 25 Jun 2010 15:00:00 PST", False, False),
        ("unavailable_after: 25 Jun 2910 15:00:00 PST", False, False),
        ("unavailable_after: soon", False, False),
        ("max-snippet:-1, noindex", True, False),
        ("*: noindex", True, False),
        ("otherbot: nofollow, *: noindex", True, False),
        ("noindex; nofollow", True, True),
        ("unavailable_after: 25 Jun 2010 15:00:00 PST; nofollow", True, True),
        ("otherbot: noindex; nofollow", False, False),
        ("noindex; otherbot: nofollow", True, False),
        ("max-image-preview: large, max-video-preview: -1, nofollow", False, True),
    ],
)
def test_the_wishes_of_a_server_are_heeded(tag, noindex, nofollow):
    found = page(b"<a href=/b>b</a>", x_robots_tag=tag)
    assert (bool(found.noindex), found.nofollow) == (noindex, nofollow)
    assert [link.nofollow for link in found.links] == [nofollow]


def test_each_line_of_the_header_speaks_for_itself(serve, visit):
    lines = {"Content-Type": "text/html", "X-Robots-Tag": "otherbot: nofollow", "x-robots-tag": "noindex"}
    base = serve(a=(200, lines, b"<p>Words"))
    found = visit(base + "/a")
    assert (found.noindex, found.nofollow) == ("X-Robots-Tag noindex", False)


def test_what_the_page_says_is_named_first():
    found = page(b'<meta name=robots content="noindex, nofollow"><a href=/b>b</a>', x_robots_tag="noindex")
    assert "X-Robots-Tag" not in found.noindex
    assert found.noindex
    assert found.nofollow


# -- everything else -------------------------------------------------------------------------


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/b#part", "https://example.com/b"),
        ("b?c=d e", "https://example.com/b?c=d%20e"),
        ("//other.example", "https://other.example/"),
        ("HTTP://Other.Example:80/", "http://other.example/"),
    ],
)
def test_a_redirect_is_followed_by_whoever_asked(web, visit, status, location, target):
    web.get(URL, status=status, headers={"Location": location})
    assert visit() == Redirect(URL, target, status)


@pytest.mark.parametrize(
    ("sent", "target"), [("/š".encode(), "/%C5%A1"), ("/é".encode("latin-1"), "/%C3%A9"), (b"/%C5%A1", "/%C5%A1")]
)
def test_a_redirect_in_letters_of_any_alphabet_is_understood(serve, visit, sent, target):
    base = serve(a=(301, {"Location": sent.decode("latin-1")}, b""))
    assert visit(base + "/a") == Redirect(base + "/a", base + target, 301)


@pytest.mark.parametrize("location", [None, "", "  ", "mailto:me@example.com", "http://", "http://[bad"])
def test_a_redirect_to_nowhere_fails(serve, visit, location):
    base = serve(a=(301, {} if location is None else {"Location": location}, b""))
    found = visit(base + "/a")
    assert (type(found), found.rule, found.transient) == (Failed, "redirect", False)
    assert found.detail["problem"] == "invalid"


@pytest.mark.parametrize(
    ("status", "transient"),
    [
        (204, False),
        (304, False),
        (403, False),
        (404, False),
        (429, True),
        (500, True),
        (503, True),
        (599, True),
    ],
)
def test_another_status_has_a_rule_of_its_own(web, visit, status, transient):
    web.get(URL, "<p>Sorry.", status=status)
    assert visit() == Failed(URL, f"http-{status}", {}, transient)


@pytest.mark.parametrize(("status", "pause"), [(503, 17), (429, 17), (404, 0)])
def test_a_server_that_is_overworked_may_name_a_pause(web, visit, status, pause):
    web.get(URL, status=status, headers={"Retry-After": "17"})
    assert visit().retry_after == pause


def test_what_is_no_page_is_skipped(web, visit):
    web.get(URL, b"%PDF", content_type="application/pdf")
    found = visit()
    assert (type(found), found.rule) == (Skipped, "type")
    assert (found.detail["type"], found.detail["types"][0]) == ("application/pdf", "text/html")


def test_what_is_too_large_is_skipped(web):
    web.get(URL, b"x" * 101, content_type="text/html")
    assert Visitor(limits=Limits(page_bytes=100))(Task(URL)) == Skipped(URL, "size", {"limit": 100})


def test_what_could_not_be_fetched_has_failed(web, visit):
    web.get(URL, body=requests.ConnectTimeout())
    assert visit() == Failed(URL, "timeout", {"seconds": 10}, transient=True)


def test_robots_txt_is_a_task_like_any_other(web, visit):
    web.get("https://example.com/robots.txt", "User-agent: *")
    assert visit("https://example.com", robots=True) == RobotsFile(200, "User-agent: *")


types = st.sampled_from(["text/html", "text/html; charset=utf-16", "text/plain", "application/xhtml+xml", ""])


@generated(st.binary(), types, st.text(st.characters(max_codepoint=255)))
@example(b"<div>" * 5000, "text/html", "")
def test_no_bytes_break_a_visit(body, kind, tag):
    found = page(body, content_type=kind, x_robots_tag=tag)
    assert isinstance(found, Page)
    assert zlib.decompress(found.html) == body


def test_bytes_that_are_no_text_are_not_taken_for_a_page(serve):
    base = serve(a=(200, {"Content-Type": "text/html"}, b"\x89PNG\r\n\x1a\n" + bytes(range(256))))
    outcome = Visitor()(Task(f"{base}/a"))
    assert (type(outcome), outcome.rule) == (Skipped, "binary")


def test_utf_16_has_zeros_and_is_text(serve):
    base = serve(a=(200, {"Content-Type": "text/html; charset=utf-16"}, "<p>Words".encode("utf-16")))
    assert Visitor()(Task(f"{base}/a")).text == "Words"


# -- visiting again --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("known", "sent"),
    [
        ({"etag": '"1"'}, {"If-None-Match": '"1"'}),
        ({"last_modified": "Mon, 01 Jan 2024 00:00:00 GMT"}, {"If-Modified-Since": "Mon, 01 Jan 2024 00:00:00 GMT"}),
        ({"etag": 'W/"1"', "last_modified": "then"}, {"If-None-Match": 'W/"1"', "If-Modified-Since": "then"}),
    ],
)
def test_a_page_we_have_is_asked_for_only_if_it_has_changed(web, visit, known, sent):
    web.get(URL, status=304)
    assert visit(**known) == Unchanged(URL)
    assert {name: web.calls[0].request.headers[name] for name in sent} == sent


def test_a_page_that_has_changed_is_read(web, visit):
    web.get(URL, b"<title>New</title>", content_type="text/html")
    assert visit(etag='"1"').title == "New"


def test_a_304_that_was_not_asked_for_is_a_failure(web, visit):
    web.get(URL, status=304)
    assert visit().rule == "http-304"
    assert "If-None-Match" not in web.calls[0].request.headers


@pytest.mark.parametrize("status", [400, 412, 416])
def test_a_server_that_stumbles_over_our_conditions_is_to_be_asked_without_them(web, visit, status):
    web.get(URL, status=status)
    assert visit(etag='"1"', last_modified="then") == Failed(URL, f"http-{status}", transient=True)
    assert visit() == Failed(URL, f"http-{status}", transient=status >= 500)


# -- what a page may write into the file -----------------------------------------------------


def test_a_page_of_few_bytes_cannot_fill_the_file_with_its_urls():
    long = "".join(f'<a href="/{number}-{"x" * 900_000}">x</a>' for number in range(5))
    page = read(Response(URL, 200, HTML, f"{long}<a href=/b>b</a>".encode()))
    assert sum(len(link.url) for link in page.links) <= 1_000_000
    assert [link.anchor for link in page.links] == ["x", "b"]
    assert page.untaken == 4


def test_a_long_folder_does_not_multiply_in_the_file():
    here = f"https://example.com/{'folder/' * 250}"
    page = read(Response(here, 200, HTML, "".join(f"<a href={n}>x</a>" for n in range(5000)).encode()))
    assert sum(len(link.url) for link in page.links) <= 1_000_000
    assert len(page.links) + page.untaken == 5000


@pytest.mark.parametrize(
    "head",
    ['<link rel=canonical href="/{}">', '<meta http-equiv=refresh content="0; url=/{}">'],
    ids=["canonical", "refresh"],
)
def test_a_better_self_beyond_all_proportion_is_not_believed(head):
    for count, believed in ((5_000, True), (50_000, False)):
        page = read(Response(URL, 200, HTML, head.format("x" * count).encode()))
        assert bool(page.canonical or page.refresh) is believed


@pytest.mark.parametrize(
    ("status", "headers"),
    [(200, {"content-type": "a/" + "a" * 50_000}), (302, {"location": "data:" + "a" * 50_000})],
    ids=["type", "redirect"],
)
def test_a_verdict_is_short_whatever_the_server_says(status, headers):
    def answer(url, _session, limits, **_):
        if status == 200:
            check_type(headers, limits)
        return Response(url, status, headers)

    assert len(str(Visitor(fetch=answer)(Task("http://a.example/")).detail)) < 500


# -- a response that is given --------------------------------------------------------------------


def no_fetch(*_, **__):
    raise AssertionError("nothing was to be fetched")


def given(status=200, headers=HTML, body=b"<title>Given</title><p>words", **options):
    task = Task(URL, response=Response(URL, status, headers, body))
    return Visitor(fetch=no_fetch, **options)(task)


def test_a_given_response_is_read_instead_of_fetching():
    assert (given().title, given().url) == ("Given", URL)
    assert given(301, {"location": "/b"}) == Redirect(URL, "https://example.com/b", 301)
    assert given(404).rule == "http-404"


def test_the_limits_hold_for_a_given_response():
    assert given(headers={"content-type": "image/png"}).rule == "type"
    assert given(limits=Limits(page_bytes=10)) == Skipped(URL, "size", {"limit": 10})


def test_a_task_with_a_response_can_be_sent_to_another_process():
    task = Task(URL, etag="x", response=Response(URL, 200, HTML, b"<p>"))
    assert pickle.loads(pickle.dumps(task)) == task


# -- what is not kept ----------------------------------------------------------------------------


def test_binary_data_is_not_parsed():
    def parse(*_):
        raise AssertionError("nothing was to be parsed")

    response = Response(URL, 200, HTML, b"%PDF-1.7\n" + bytes(range(256)))
    assert parse_response(response, parse).rule == "binary"


@pytest.mark.parametrize(("text", "rule"), [("ID3 tags are stored at the end.", ""), ("%PDF-1.7\n" * 9, "binary")])
def test_plain_text_that_begins_like_a_signature_is_text(web, visit, text, rule):
    web.get(URL, text, content_type="text/plain")
    assert getattr(visit(), "rule", "") == rule


def test_a_page_that_needs_javascript_is_skipped_with_a_rule_of_its_own(web, visit):
    shell = '<title>App</title><noscript>Enable JavaScript.</noscript><div id="root"></div><script src=/a.js></script>'
    web.get(URL, shell, content_type="text/html")
    assert visit() == Skipped(URL, "javascript")


def test_a_refresh_of_a_shell_is_a_redirect(web, visit):
    shell = '<meta http-equiv=refresh content="0; url=/b"><div id=app></div><script src=a.js></script>'
    web.get(URL, shell, content_type="text/html")
    assert visit() == Redirect(URL, "https://example.com/b", 200)


def test_source_code_that_shows_a_shell_is_text(web, visit):
    web.get(URL, '<div id="root"></div><script src=a.js></script>', content_type="text/plain")
    assert visit().text.startswith("<div")
