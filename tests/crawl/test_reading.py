"""Walks in C give what walks in Python give, of any page: the parser is the same, so nothing is left out here."""

import ctypes
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minisearch.crawl import reading
from minisearch.crawl.extract import SAMPLE, agreeing, extract_plainly, parse, read
from minisearch.crawl.markup import MOST_LINKS, TAGS
from minisearch.crawl.reading import Reader, reader
from minisearch.native.loops import compiled

URL = "http://example.com/docs/page.html"
NAMES = [
    *" ".join(TAGS.values()).split(),
    "foreignObject",
    "html",
    "head",
    "body",
    "dl",
    "b",
    "svg",
    "math",
    "x-y",
    "frameset",
]
ATTRIBUTES = """id=a id=b id name=n name hidden hidden=until style=display:none style='x;DI\u017fPLAY:\xa0none'
    style=color:red href=/p href=q#r href=#x href href=# href='\xa0#x' href='\x1f#x' href='x#\xe9'
    href=mailto:a href=/%7e%zz href=?k href='' rel=ugc rel src=/f alt=z alt title=t aria-label=l lang=sr
    http-equiv=refresh content='0;url=/r' name=robots content=nofollow rel=canonical xml:lang=de xlink:href=/xl"""
TEXTS = """a bb 1 \xb6 \u0448 \xe9 --name A_B a.b \U0001f408 \u200b \xad &#11; &#12; &#13; &#28; &nbsp; &#8195; &#8232;
    &#x85; &#x9f; &lt; < > &#x3000; \ufffd \x7f \x80 \x84 \x86 \0"""
names = st.sampled_from(NAMES)
attributes = st.lists(st.sampled_from(re.split("[ \n]+", ATTRIBUTES)), max_size=3).map(" ".join)
texts = st.sampled_from([*TEXTS.split(), " ", "\n", "\r", "\t"]) | st.text(max_size=5)
pieces = st.one_of(st.builds("<{} {}>".format, names, attributes), st.builds("</{}>".format, names), texts, texts)
pages = st.lists(pieces, max_size=30).map("".join)

needed = pytest.mark.skipif(reader() is None, reason="nothing is compiled")


@needed
@settings(max_examples=1500, deadline=None)
@given(pages)
@example("<a href=/x>" + "<h2>w</h2>" * 500)
@example("<h1><a href=#x>\xb6<a href=#y>b</h1><pre>a\nb<h2>c\nd</h2></pre>")
@example(
    "<a href=#x><object><a href=/y>z</a>#</object></a><a href=/1>1<noscript><a href=mailto:2>2</a></noscript>3</a>"
)
@example("<a href=mailto:1>1<object><a href=mailto:2>2</a></object>")
@example("<dl><dt>a.b<dd><dt>c.d</dl><dl><dt><a href=/x>e.f</a><dt><dd id=g>")
def test_a_page_is_read_the_same_in_both_ways(markup):
    tree, unread = parse(markup)
    assert reader()(tree, URL, unread) == extract_plainly(markup, URL)


@needed
def test_a_page_of_too_many_links_is_not_read():
    tree, _ = parse("<a href=/x>" * (MOST_LINKS + 1))
    assert reader()(tree, URL, 0) is None


@needed
def test_elements_may_be_nested_as_deeply_as_memory_allows():
    markup = "<div><a href=#x><object>" * 4000 + "\xb6" * 4000
    assert reader()(parse(markup)[0], URL, 0).text == ""


def test_without_the_parsers_functions_there_is_no_reader(monkeypatch):
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    assert reader() is None
    monkeypatch.setattr(reading, "compiled", None)
    assert reader() is None


# -- links that were read before --------------------------------------------------------------

places = st.sampled_from(["http://example.com/docs/", "http://example.com/", "http://example.com/docs/x/"])
hrefs = st.sampled_from(
    ["a", "../a", "/a#b", "?q=1", "http://EXAMPLE.com/a", "é", "%zz", "mailto:a", "", "a" * 99, "\xa0a"]
)
wordings = st.sampled_from(["a", " a ", "b", "é<b>c</b>", "", "<h2>d</h2>", "w " * 150])
anchors = st.builds("<a href='{}'{}>{}</a>".format, hrefs, st.sampled_from(["", " rel=nofollow", " title=t"]), wordings)
told = st.sampled_from(["", "<meta name=robots content=nofollow>", "<base href=/x/y/>"])
menus = st.tuples(places, told, st.lists(anchors, max_size=12).map("".join))


@needed
@settings(max_examples=300, deadline=None)
@given(st.lists(menus, max_size=8), st.integers(1, 6), st.integers(0, 300))
def test_links_that_were_read_before_are_read_the_same_however_few_are_remembered(site, most, letters):
    read = Reader(most, letters)
    for number, (place, *markup) in enumerate(site):
        url, page = f"{place}{number}.html", "".join(markup)
        assert read(parse(page)[0], url, 0) == extract_plainly(page, url)


@needed
def test_a_link_that_is_met_for_the_third_time_is_the_same_object():
    read, page = Reader(), "<a href=/b>b</a>"
    first, second, third = (read(parse(page)[0], URL, 0).links[0] for _ in range(3))
    assert first == second == third
    assert second is third


@needed
@pytest.mark.parametrize(
    "wrong", [(int, 1, 1, 1), (tuple, 0, 1, 1), (tuple, 1, -1, 1), (tuple, 1 << 40, 1, 1), ("x", 1, 1, 1)]
)
def test_what_can_remember_nothing_is_no_memo(wrong):
    with pytest.raises((TypeError, ValueError)):
        compiled.LinkMemo(*wrong)


@needed
@pytest.mark.parametrize(
    "wrong", [(1, ()), (0, (1,) * 11), (1, (1,) * 11), (1, (0,) * 11, bytes(2000), {}), (1, "x", bytes(2000), {})]
)
def test_what_is_no_tree_is_refused(wrong):
    with pytest.raises((TypeError, ValueError)):
        compiled.Tree(None, *wrong)


@needed
def test_a_reader_is_taken_if_it_reads_a_sample_as_python_does():
    assert read is not None
    assert agreeing(read) is read


def test_a_reader_that_reads_otherwise_is_not_taken():
    assert agreeing(lambda *_: extract_plainly(SAMPLE + "<p>more", "http://example.com/")) is None
    assert agreeing(lambda *_: None) is None
    assert agreeing(None) is None
