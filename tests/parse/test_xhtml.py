"""In XHTML an element may close itself, and must not swallow what comes after it when it is read as HTML."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.fetch.fetcher import Response
from minisearch.parse import html as extract
from minisearch.parse import soup
from minisearch.parse.reader import VOID, XHTML, read, write_out_empty_elements

URL = "http://example.com/"
PAGE = """<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml"><head>{}</head><body>{}<p>hello <a href="/x">there</a></p></body></html>"""
CLOSED = "script title style textarea iframe xmp noembed noframes template select div a object button"

both = pytest.mark.parametrize("reader", [extract.extract, soup.extract])


def served(markup, reader, kind=XHTML):
    return read(Response(URL, 200, {"content-type": kind}, markup.encode()), reader)


@both
@pytest.mark.parametrize(
    "tag", [f"<{name}{rest}" for name in CLOSED.split() for rest in ("/>", " id='x>y'\n title = \"z\" />")]
)
def test_an_element_that_closes_itself_swallows_nothing(tag, reader):
    for head, body in (("<title>T</title>", tag), (tag if tag.startswith(("<sc", "<st", "<ti")) else "", "")):
        page = served(PAGE.format(head, body), reader)
        assert page.text == "hello there"
        assert [(link.url, link.anchor) for link in page.links] == [("http://example.com/x", "there")]


@both
def test_what_is_called_html_is_read_as_html(reader):
    assert "hello" not in served(PAGE.format("<title/>", ""), reader, "text/html").text


@pytest.mark.parametrize(
    "markup",
    [
        "<p>a<br/>b<img alt='' />c</p>",
        "<a href=b/>",
        "<a href=b />",
        "<a hidden/>",
        "<!-- <title/> --><p>",
        "<![CDATA[<title/>]]>",
        "<?php <title/> ?>",
        "<script>write(\"<script src='a'/>\")</script>",
        "<SCRIPT async>write('<title/>')</script>",
        "<title><b/></title>",
        "<!-- <title/>",
        "<style><title/>",
        "a < b/> c",
        "</p/>",
    ],
)
def test_whatever_else_is_there_stays_as_it_is(markup):
    assert write_out_empty_elements(markup) == markup


@given(
    st.lists(st.sampled_from([*"<>/'\"=!?-[] a", "<a", "/>", "<script", "</script>", "<!--", "-->", "<br/>", "a='b'"]))
)
def test_nothing_is_left_out_and_writing_it_out_twice_changes_nothing(pieces):
    markup = "".join(pieces)
    once = write_out_empty_elements(markup)
    assert write_out_empty_elements(once) == once
    assert len(once) >= len(markup)


def test_elements_that_are_always_empty_get_no_end():
    markup = "".join(f"<{name}/>" for name in VOID)
    assert write_out_empty_elements(markup) == markup


@pytest.mark.parametrize(
    "piece", ["<script ", "<a b='", '<a b="c" ', "<!-", "<?", "<a ", " b='c'", "<style>", "<![CDATA["]
)
def test_no_page_takes_more_time_than_its_size_warrants(piece):
    began = time.process_time()
    write_out_empty_elements("<a " + piece * 100_000)
    assert time.process_time() - began < 5
