"""Responses that are not what they claim to be, and pages that are not to be mistaken for them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.models import Page
from minisearch.parse.classify import is_binary, needs_javascript, soft_404
from minisearch.parse.html import extract


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
        (b"%PDF-1.4 is the version of the format that most programs write.", False),
        (b"ID3 tags are stored at the beginning of a file.", False),
        (b"RIFF is a container format.", False),
        (b"OggS is the magic of an Ogg page.", False),
        (b"GIF89a is a version of GIF, and so is GIF87a.", False),
        (b"ID3\x03\x00\x00\x00\x00\x00\x21TIT2", True),
        (b"RIFF\x24\x08\x00\x00WAVEfmt ", True),
        (b"OggS\x00\x02\x00\x00\x00\x00", True),
        (b"GIF89a\x40\x01\xf0\x00\xf7", True),
    ],
)
def test_binary_data_is_recognised(body, binary):
    assert is_binary(body) is binary


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1))
def test_text_is_never_binary(text):
    assert not is_binary(b"<!DOCTYPE html>" + text.encode())


@pytest.mark.parametrize(
    "title",
    [
        "404 Not Found",
        "404 - Product not found",
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
def test_a_page_that_says_it_was_not_found_is_a_soft_404(title):
    page = extract(f"<title>{title}</title><p>Sorry about that. <a href=/>Home</a>", "http://example.com/x")
    assert soft_404(page)


@pytest.mark.parametrize(
    "title",
    [
        "",
        "How to find a product that was not found",
        "What has been removed",
        "This page exists",
        "404",
        "Room 404",
        "Not found",
        "Not found - MyORM docs",
        "Object not found: what to do about it",
        "Object not found - MyORM 3.2 docs",
        "Product not found",
        "How to design a 404 page",
        "Lost and found",
        "Not found in nature: purple frogs",
        "HTTP 404 - Wikipedia",
        "Page",
        "The page",
    ],
)
def test_a_page_about_something_else_is_no_soft_404(title):
    assert not soft_404(Page("http://example.com/", title=title, text="Some words."))


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
    assert soft_404(extract(markup, "http://example.com/x")) == line.rstrip(".")
    assert not soft_404(extract(markup + "<p>Much else. </p>" * 60, "http://example.com/x"))
    assert not soft_404(extract(f"<title>Manual</title><p>Then it says: {line}</p>", "http://example.com/x"))


def test_a_heading_says_it_too():
    page = extract("<title>My site</title><h1>Page not found</h1>", "http://example.com/x")
    assert soft_404(page) == "Page not found"


def test_a_long_page_about_404_is_a_page():
    assert not soft_404(Page("http://example.com/", title="404 Not Found", text="word " * 500))


# -- pages that need JavaScript ------------------------------------------------------------------

REACT = """<!doctype html><html lang="en"><head><meta charset="utf-8"/><title>React App</title>
    <script defer="defer" src="/static/js/main.1234.js"></script></head><body>
    <noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div></body></html>"""
VITE = '<title>Vite + React</title><script type="module" src="/assets/index.js"></script><div id="root"></div>'
VUE = """<title>shop</title><body><noscript><strong>We're sorry but shop doesn't work properly without JavaScript.
    Please enable it to continue.</strong></noscript><div id="app"></div><script src="/js/app.js"></script>"""
ANGULAR = """<title>Ng</title><base href="/"><app-root></app-root><script src="runtime.js" type="module"></script>"""
ANGULAR_LOADING = '<app-root><div class="spinner">Loading...</div></app-root><script src="main.js"></script>'
NUXT = '<div id="__nuxt"></div><script>window.__NUXT__={}</script><script src="/_nuxt/1.js"></script>'
NEXT_EMPTY = '<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{}</script>'
GATSBY = (
    '<div id="___gatsby"><div style="outline:none" id="gatsby-focus-wrapper"></div></div><script src=a.js></script>'
)
HELP_LINK = """<noscript>Please <a href="https://www.enable-javascript.com/">enable JavaScript</a>.</noscript>
    <main></main><script src=app.js></script>"""
OWN_FRAMEWORK = '<title>Shop</title><div id="main-view"></div><script src="/bundle.js"></script>'
SCRIPT_REDIRECT = '<script>location.href = "/new"</script>'
FOOTER_ONLY = '<div id="root"> </div><footer>© 2024 Acme Corp.</footer><script src="/main.js"></script>'
SHELLS = [
    REACT, VITE, VUE, ANGULAR, ANGULAR_LOADING, NUXT, NEXT_EMPTY, GATSBY, HELP_LINK, OWN_FRAMEWORK, SCRIPT_REDIRECT,
    FOOTER_ONLY,
]  # fmt: skip

NEXT_RENDERED = """<div id="__next"><h1>Roses</h1><p>Prune them in spring.</p></div>
    <script id="__NEXT_DATA__" type="application/json">{"props":{}}</script><script src="/_next/main.js"></script>"""
NEXT_WITH_LINKS = '<div id="__next"><nav><a href="/about"></a></nav></div><script src="/_next/main.js"></script>'
NUXT_RENDERED = '<div id="__nuxt"><p>Server-rendered words.</p></div><script src="/_nuxt/1.js"></script>'
REAL_PAGES = [
    NEXT_RENDERED,
    NEXT_WITH_LINKS,
    NUXT_RENDERED,
    "",
    "<p>Hello",
    "<div id=root>Our loading dock opens at 8.</div><script src=/a.js></script>",
    "<title>Empty</title>",
    "<title>Photo</title><img src=a.jpg><script src=analytics.js></script>",
    '<div id="app"><p>Hello</p></div><script src="counter.js"></script>',
    '<div id="root"></div>',
    f"<p>{'Words beside a widget. ' * 6}</p><div id=app></div><script src=widget.js></script>",
    "<h1>Hours</h1><p>Mon to Fri, 9 to 17</p><div id=root></div><script src=a.js></script>",
    "<div id=app-cookie-banner></div><p>Phone 555-1234</p><script src=a.js></script>",
    '<p>Short.</p><a href="/more">More</a><div id=app></div><script src=widget.js></script>',
    "<h1>Loading docks</h1><p>Where goods are unloaded.</p><script src=a.js></script>",
    "<p>JavaScript is a language.</p><script src=a.js></script>",
    "<noscript><img src=pixel.gif></noscript><script src=a.js></script>",
    f"<p>{'Words of a real page. ' * 30}</p><div id=root></div><noscript>Enable JavaScript</noscript><script></script>",
    '<meta http-equiv=refresh content="5; url=/new"><div id=app>Loading...</div><script src=a.js></script>',
    "<frameset><frame src=/menu><frame src=/main></frameset>",
]


@pytest.mark.parametrize("markup", SHELLS)
def test_a_page_that_is_empty_without_its_script_needs_javascript(markup):
    assert needs_javascript(extract(markup, "http://example.com/"), markup)


@pytest.mark.parametrize("markup", REAL_PAGES)
def test_a_page_with_words_or_links_does_not_need_javascript(markup):
    assert not needs_javascript(extract(markup, "http://example.com/"), markup)


@pytest.mark.parametrize("piece", ["<noscript>", "<noscript ", "<noscript>javascrip", "<a ", "<div id = ", "<script"])
def test_no_page_takes_long_to_classify(piece):
    markup = piece * (500_000 // len(piece))
    began = time.process_time()
    needs_javascript(Page("http://example.com/"), "<img><script>" + markup)
    assert time.process_time() - began < 5
