import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.visit import Task, Visitor
from minisearch.fetch.fetcher import Response
from minisearch.parse import html as extract
from minisearch.parse import soup
from minisearch.parse.refresh import sends_to
from minisearch.records import Redirect
from minisearch.urls import normalize

PAGE = "http://a.example/old/page.html"

both = pytest.mark.parametrize("parser", [extract, soup], ids=["fast", "soup"])


def read(parser, markup):
    return parser.extract(markup, PAGE).refresh


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=/new", "/new"),
        ("0;URL=../new.html", "../new.html"),
        ("0,/new", "/new"),
        (" 0 ; url = '/new page' ", "/new page"),
        ('0; url="/new"; more', "/new"),
        ("0 url=/new", "/new"),
        ("0 /new", "/new"),
        ("00; /new", "/new"),
        ("0.5; url=/new", "/new"),
        (".9; url=/new", "/new"),
        ("0; url=/new?url=/other", "/new?url=/other"),
        ("0", ""),
        ("0;", ""),
        ("0; url=", ""),
        ("0; url=''", ""),
        ("1; url=/new", ""),
        ("30; url=/new", ""),
        ("10; url=/new", ""),
        ("url=/new", ""),
        ("-0; url=/new", ""),
        ("0x; url=/new", ""),
        ("", ""),
    ],
)
def test_a_refresh_is_read_as_browsers_do(content, target):
    assert sends_to(content, str) == target


@given(st.text())
def test_nothing_that_is_written_there_is_trouble(content):
    assert isinstance(sends_to(content, lambda place: normalize(place, PAGE)), str)


@both
def test_a_stub_sends_its_readers_on(parser):
    markup = '<meta http-equiv="Refresh" content="0;URL=../new.html"><p>The page has been <a href=../new.html>moved</a>'
    assert read(parser, markup) == "http://a.example/new.html"


@both
def test_the_target_is_read_as_links_are(parser):
    markup = '<base href="/b/"><meta http-equiv=refresh content="0; url=c?utm_source=x#top">'
    assert read(parser, markup) == "http://a.example/b/c"


@both
@pytest.mark.parametrize(
    "markup",
    [
        '<noscript><meta http-equiv=refresh content="0; url=/no-scripts"></noscript><p>A page',
        '<template><meta http-equiv=refresh content="0; url=/never"></template>',
        '<meta http-equiv=refresh content="60; url=/news">',
        '<meta http-equiv=refresh content="0; url=javascript:alert(1)">',
        '<meta http-equiv=refresh content="0; url=http://[bad/">',
        "<meta http-equiv=refresh>",
        '<meta name=refresh content="0; url=/new">',
    ],
    ids=["without scripts", "template", "later", "script", "malformed", "no content", "by name"],
)
def test_what_sends_nobody_on_is_a_page(parser, markup):
    assert read(parser, markup) == ""


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({}, b'<meta http-equiv=refresh content="0; url=/new"><p>The page was not found here: it has moved.'),
        ({"refresh": "0; url=/new"}, b"<p>moved"),
        ({"refresh": "0;url='/elsewhere'"}, b'<meta http-equiv=refresh content="0; url=/new">'),
    ],
    ids=["meta", "header", "both"],
)
def test_a_visit_tells_of_a_redirect(headers, body):
    def fetch(url, *_, **_options):
        return Response(url, 200, {"content-type": "text/html", **headers}, body)

    assert Visitor(fetch=fetch)(Task(PAGE)) == Redirect(PAGE, "http://a.example/new", 200)


def test_a_visit_tells_of_a_page_that_reloads_itself():
    def fetch(url, *_, **_options):
        return Response(url, 200, {"content-type": "text/html", "refresh": f"0; url={PAGE}#top"}, b"<p>news")

    assert Visitor(fetch=fetch)(Task(PAGE)).text == "news"
