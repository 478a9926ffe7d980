"""Pages to which a page leads though nobody can click on them."""

import pytest

from minisearch.parse import html as extract
from minisearch.parse import soup
from minisearch.records import Link

PAGE = "http://a.example/list/1.html"

both = pytest.mark.parametrize("parser", [extract, soup], ids=["fast", "soup"])


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
def test_a_page_leads_to_its_relations(parser, markup):
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
def test_a_page_whose_links_are_not_to_be_followed_has_no_others(parser):
    markup = "<meta name=robots content=nofollow><link rel=next href=2.html>"
    assert parser.extract(markup, PAGE).links == (Link("http://a.example/list/2.html", "", nofollow=True),)


def test_a_list_that_grows_as_one_scrolls_is_read_to_its_end(site, engine):
    pages = {f"/{n}": f"<title>{n}</title><link rel=next href=/{n + 1}><p>{f'word{n} ' * 30}" for n in range(9)}
    site.show({**pages, "/9": "<p>The end."})
    engine.crawl(f"{site.base}/0", workers=0)
    assert len(site.asked) == 10
