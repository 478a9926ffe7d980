"""Links beside <a>: <link> relations and refreshes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.crawl.visit import Task, Visitor
from minisearch.fetch.fetcher import Response
from minisearch.models import Link, Redirect
from minisearch.parse import html as extract
from minisearch.parse import soup
from minisearch.parse.links import refresh_target
from minisearch.urls import normalize

PAGE = "http://a.example/list/1.html"
REFRESHING = "http://a.example/old/page.html"

both = pytest.mark.parametrize("parser", [extract, soup], ids=["fast", "soup"])


# -- relations -----------------------------------------------------------------------------------


def urls(parser, markup):
    return [link.url.removeprefix("http://a.example") for link in parser.extract(markup, PAGE).links]


@both
@pytest.mark.parametrize(
    "markup",
    [
        "<link rel=next href=2.html>",
        "<link rel='prefetch Next' href=2.html>",
        "<link rel=prev href=2.html>",
        "<link rel=alternate hreflang=de href=2.html>",
        "<link rel=alternate hreflang=de type='text/html; charset=utf-8' href=2.html>",
        "<meta http-equiv=refresh content='5; url=2.html'>",
        "<base href=/list/><link rel=next href=2.html>",
    ],
)
def test_a_page_links_to_its_relations(parser, markup):
    assert urls(parser, f"{markup}<p>text") == ["/list/2.html"]


@both
@pytest.mark.parametrize(
    "markup",
    [
        "<link rel=stylesheet href=2.css>",
        "<link rel=alternate href=2.html>",
        "<link rel=alternate hreflang=de type=application/rss+xml href=2.xml>",
        "<link rel=next>",
        "<link rel=next href='http://[bad/'>",
        "<link href=2.html>",
        "<meta http-equiv=refresh content=300>",
        "<meta http-equiv=refresh content='300; url=mailto:me@a.example'>",
    ],
)
def test_what_is_no_page_is_no_relation(parser, markup):
    assert urls(parser, f"{markup}<p>text") == []


@both
def test_a_relation_that_is_linked_anyway_is_one_link(parser):
    markup = "<link rel=next href=2.html><p><a href=2.html>Next</a>"
    assert parser.extract(markup, PAGE).links == (Link("http://a.example/list/2.html", "Next", nofollow=False),)


@both
def test_the_relations_of_a_nofollow_page_are_nofollow(parser):
    markup = "<meta name=robots content=nofollow><link rel=next href=2.html>"
    assert parser.extract(markup, PAGE).links == (Link("http://a.example/list/2.html", "", nofollow=True),)


def test_a_list_that_grows_as_one_scrolls_is_read_to_its_end(site, engine):
    pages = {f"/{n}": f"<title>{n}</title><link rel=next href=/{n + 1}><p>{f'word{n} ' * 30}" for n in range(9)}
    site.show({**pages, "/9": "<p>The end."})
    engine.crawl(f"{site.base}/0", workers=0)
    assert len(site.asked) == 10


# -- refresh -------------------------------------------------------------------------------------


def refresh(parser, markup):
    return parser.extract(markup, REFRESHING).refresh


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
    url = normalize(target, REFRESHING) if target else ""
    assert refresh_target(content, REFRESHING, at_once=True) == url


@given(st.text())
def test_any_content_of_a_refresh_is_read(content):
    assert isinstance(refresh_target(content, REFRESHING), str)


@both
def test_a_refresh_without_delay_is_a_redirect(parser):
    markup = '<meta http-equiv="Refresh" content="0;URL=../new.html"><p>The page has been <a href=../new.html>moved</a>'
    assert refresh(parser, markup) == "http://a.example/new.html"


@both
def test_the_target_is_read_as_links_are(parser):
    markup = '<base href="/b/"><meta http-equiv=refresh content="0; url=c?utm_source=x#top">'
    assert refresh(parser, markup) == "http://a.example/b/c"


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
def test_other_refreshes_are_no_redirects(parser, markup):
    assert refresh(parser, markup) == ""


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({}, b'<meta http-equiv=refresh content="0; url=/new"><p>The page was not found here: it has moved.'),
        ({"refresh": "0; url=/new"}, b"<p>moved"),
        ({"refresh": "0;url='/elsewhere'"}, b'<meta http-equiv=refresh content="0; url=/new">'),
    ],
    ids=["meta", "header", "both"],
)
def test_a_visit_gives_a_redirect(headers, body):
    def fetch(url, *_, **_options):
        return Response(url, 200, {"content-type": "text/html", **headers}, body)

    assert Visitor(fetch=fetch)(Task(REFRESHING)) == Redirect(REFRESHING, "http://a.example/new", 200)


def test_a_page_that_reloads_itself_is_a_page():
    def fetch(url, *_, **_options):
        return Response(url, 200, {"content-type": "text/html", "refresh": f"0; url={REFRESHING}#top"}, b"<p>news")

    assert Visitor(fetch=fetch)(Task(REFRESHING)).text == "news"
