"""The search page, over a real crawl."""

import re

import pytest

from minisearch import Engine
from minisearch.testing import SiteServer
from minisearch.web.app import create_app
from minisearch.web.shown import is_web

HOSTILE = (
    b"<html lang=en><title>&lt;script&gt;alert(1)&lt;/script&gt; roses</title>"
    b"<body>roses &lt;img src=x onerror=alert(2)&gt; <a href='javascript:alert(3)'>click</a></body>"
)


def test_the_home_page_has_a_box_and_two_buttons(client):
    html = client.get("/").text
    assert '<input id="q" name="q" type="search"' in html
    assert re.findall(r"<button[^>]*>([^<]+)", html) == ["Search", "I'm feeling lucky"]


def test_results_show_title_url_marks_count_and_time(client):
    html = client.get("/search?q=pruning+roses").text
    assert f'<a href="{client.site}/garden/roses.html" rel="noreferrer">Pruning roses in late winter</a>' in html
    assert "<mark>" in html
    assert re.search(r"1-\d+ of \d+\s+pages in \d+\.\d ms", html)
    assert 'value="pruning roses"' in html


def test_the_section_leads_to_the_passage(client):
    html = client.get("/search?q=pruning+roses").text
    place = re.escape(f"{client.site}/garden/flowers.html#:~:text=")
    assert re.search(f'<p class="section" dir="auto"><a href="{place}[^" ]+" rel="noreferrer">Summer</a></p>', html)


def test_without_a_section_there_is_a_link_to_the_passage(client):
    html = client.get("/search?q=pruning+roses").text
    place = re.escape(f"{client.site}/garden/roses.html#:~:text=")
    assert re.search(f' <a class="place" href="{place}[^" ]+" rel="noreferrer">to this place</a></p>', html)


def test_pages_of_results_are_linked(client):
    first = client.get("/search?q=garden").text
    assert 'rel="next"' in first
    assert 'rel="prev"' not in first
    assert 'rel="prev"' in client.get("/search?q=garden&page=2").text


def test_nothing_found_is_said(client):
    assert "Nothing found for <strong>zeppelin</strong>" in client.get("/search?q=zeppelin").text
    assert "Nothing found for <strong>zeppelin</strong>" in client.get("/lucky?q=zeppelin").text


@pytest.mark.parametrize("path", ["/lucky?q=hedge+maze", "/search?q=hedge+maze&lucky=1"])
def test_lucky_goes_to_the_best_page(client, path):
    response = client.get(path)
    assert response.status_code == 302
    assert response.location == f"{client.site}/garden/hedge-maze-1.html"


@pytest.mark.parametrize("path", ["/search", "/search?q=", "/search?q=+", "/lucky", "/lucky?q="])
def test_no_query_leads_to_the_box(client, path):
    response = client.get(path)
    assert response.status_code == 200
    assert "<mark>" not in response.text


@pytest.mark.parametrize("page", ["0", "-3", "999999999999", "x", "1e3"])
def test_any_page_number_gets_an_answer(client, page):
    assert client.get(f"/search?q=garden&page={page}").status_code == 200


QUERIES = ['"><script>alert(1)</script>', "' onfocus=alert(1) x='", "\x00", "🌹", "\u202e", "a" * 100_000, "%00", "((("]


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_is_shown_as_text_whatever_it_is(client, query):
    response = client.get("/search", query_string={"q": query})
    assert response.status_code == 200
    assert "<script" not in response.text
    assert "onfocus=alert" not in response.text.replace("&#39; onfocus=alert", "")


@pytest.mark.parametrize("path", ["/", "/search?q=roses", "/lucky?q=roses", "/static/style.css", "/nowhere"])
def test_every_answer_carries_the_guards(client, path):
    headers = client.get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


def test_what_pages_say_is_escaped(tmp_path):
    with (
        SiteServer(routes={"/": (200, {"Content-Type": "text/html"}, HOSTILE)}) as site,
        Engine(tmp_path / "a.db") as engine,
    ):
        engine.crawl(f"{site}/", workers=0)
    html = create_app(str(tmp_path / "a.db")).test_client().get("/search?q=roses").text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; <" not in html
    assert "&lt;script&gt;" in html
    assert "<script" not in html
    assert "<img" not in html


def test_only_web_addresses_are_linked():
    assert is_web("https://example.com/")
    assert not is_web("javascript:alert(1)")
    assert not is_web("//example.com")


def test_a_file_that_is_gone_is_told_in_words(tmp_path):
    response = create_app(str(tmp_path / "gone.db")).test_client().get("/search?q=x")
    assert response.status_code == 503
    assert "there is no file" in response.text


def test_an_empty_file_finds_nothing(tmp_path):
    Engine(tmp_path / "empty.db").close()
    assert "Nothing found" in create_app(str(tmp_path / "empty.db")).test_client().get("/search?q=x").text
