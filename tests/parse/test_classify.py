"""Answers that are not what they say: what is told from a page, and what is not mistaken for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.parse.classify import is_binary, says_missing
from minisearch.parse.html import extract
from minisearch.records import Page


@pytest.mark.parametrize(
    ("body", "binary"),
    [
        (b"", False),
        (b"<html><p>Plain.</p>", False),
        (b"<html>\0<p>" + b"A stray zero. " * 20, False),
        (b"<title>Red \x1b[31m \x07 bell</title>", False),
        ("<p>Šuma и гора".encode("cp1251", "replace"), False),
        ("<p>森の中".encode("shift_jis"), False),
        ("<p>森の中".encode("iso2022_jp"), False),  # which has escapes in it
        (b"%PDF-1.7\nplain text so far", True),
        (b"\x89PNG\r\n\x1a\n", True),
        (b"\x1f\x8b\x08 packed", True),
        (bytes(range(256)), True),
        (b"\0" * 100, True),
    ],
)
def test_text_is_told_from_other_bytes(body, binary):
    assert is_binary(body) is binary


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1))
def test_what_people_write_is_never_binary(text):
    assert not is_binary(b"<!DOCTYPE html>" + text.encode())


@pytest.mark.parametrize(
    "title",
    [
        "404 Not Found",
        "Product not found",
        "404 - File or directory not found.",
        "Whoops, looks like this page doesn't exist",
        "The page you were looking for is no longer available",
        "This article has been removed",
        "Cette page n'existe pas",
        "Diese Seite wurde nicht gefunden",
        "La página solicitada no existe",
        "Sidan kunde inte hittas",
        "Sayfa bulunamadı",
        "페이지를 찾을 수 없습니다",
        "404 - Page not found",
        "Error 404",
        "Page not found | My site",
        "Page Not Found · GitHub Pages",
        "My site: page not found",
        "Sorry, the page could not be found",
        "The requested page could not be found.",
        "This page does not exist",
        "Oops! That page can’t be found.",
        "Sorry, this page isn't available",
        "We couldn't find the page you were looking for",
        "The page you requested was not found",
        "Seite nicht gefunden – Beispiel",
        "Page introuvable - Exemple",
        "Stranica nije pronađena",
        "Страница није пронађена | Пример",
        "Страница не найдена",
        "ページが見つかりません",
    ],
)
def test_a_page_that_says_it_was_not_found_is_believed(title):
    page = extract(f"<title>{title}</title><p>Sorry about that. <a href=/>Home</a>", "http://example.com/x")
    assert says_missing(page)


@pytest.mark.parametrize(
    "title",
    [
        "",
        "How to find a product that was not found",
        "What has been removed",
        "This page exists",
        "404",
        "Room 404",
        "How to design a 404 page",
        "Lost and found",
        "Not found in nature: purple frogs",
        "HTTP 404 - Wikipedia",
        "Page",
        "The page",
    ],
)
def test_a_page_about_something_else_is_no_soft_404(title):
    assert not says_missing(Page("http://example.com/", title=title, text="Some words."))


@pytest.mark.parametrize(
    "line",
    [
        "Sorry, the page you are looking for could not be found.",
        "We couldn’t find what you were looking for.",
        "It looks like nothing was found at this location.",
        "The requested URL /x was not found on this server.",
        "We can't find that page",
    ],
)
def test_a_short_page_may_say_it_in_a_sentence(line):
    markup = f"<title>My site</title><p>Home</p><p>{line}</p>"
    assert says_missing(extract(markup, "http://example.com/x")) == line.rstrip(".")
    assert not says_missing(extract(markup + "<p>Much else. </p>" * 60, "http://example.com/x"))
    assert not says_missing(extract(f"<title>Manual</title><p>Then it says: {line}</p>", "http://example.com/x"))


def test_a_heading_says_it_too():
    page = extract("<title>My site</title><h1>Page not found</h1>", "http://example.com/x")
    assert says_missing(page) == "Page not found"


def test_a_long_page_about_404_is_a_page():
    assert not says_missing(Page("http://example.com/", title="404 Not Found", text="word " * 500))
