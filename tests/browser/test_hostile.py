"""Hostile content in a real browser: nothing runs, no page breaks, and the browser has nothing to block.

Every payload is a title, a heading, a text, an anchor, an address and a query; all kinds of pages are looked at.
"""

import json
from html import escape
from urllib.parse import quote, urlencode

import pytest

from minisearch import Engine
from minisearch.web.app import create_app
from tests.web.test_hostile import PAYLOADS as KNOWN

RUN = "document.title='broken'"
PAYLOADS = [
    f'"><script>{RUN}</script>',
    f"</script><script>{RUN}</script>",  # the map and the lab have data in a script
    f"<!--<script>{RUN}",
    f'<img src=x onerror="{RUN}">',
    f"</title><body onload={RUN}>",
    f"' onfocus={RUN} autofocus x='",
    *(payload.replace("alert(1)", RUN) for payload in KNOWN if payload.isprintable() and len(payload) < 200),
    "\u202egnp.exe",
]
AT_ONCE = [" ".join(PAYLOADS[start::3]) for start in range(3)]  # a query may have so many letters
LONG = f"<title>{'tulip ' * 170_000}</title>tulip"


def hostile_page(number):
    text = escape(PAYLOADS[number])
    return (
        f'<title>{text} tulip</title><h2 id="{text}">{text}</h2><p>tulip {text} <a href="{text}">{text}</a> '
        f'<a href="/?{quote(PAYLOADS[number])}">{text}</a> <a href="/">home</a></p>'
    )


@pytest.fixture(scope="module")
def hostile(site, tmp_path_factory):
    """The address of an application over a crawl of such pages."""
    from tests.browser.conftest import serving

    links = "".join(f'<p><a href="/{number}">{escape(text)}</a></p>' for number, text in enumerate(PAYLOADS))
    pages = {f"/{number}": hostile_page(number) for number in range(len(PAYLOADS))}
    site.show({"/": f"<title>all tulips</title>{links}", **pages, "/long": LONG})
    db = tmp_path_factory.mktemp("hostile") / "a.db"
    with Engine(db) as engine:
        engine.crawl(site.base + "/", site.base + "/long", workers=0)
        engine.rank()
    with serving(create_app(str(db), allow_crawl=True, sql=True, trusted_hosts=("127.0.0.1",))) as address:
        yield address


def paths(site):
    """All kinds of pages, with hostile content and then with hostile questions."""
    first, second = quote(f"{site.base}/0"), quote(f"{site.base}/1")
    yield from ("/tables", "/tables/page_list", "/tables/links?sort=anchor", "/tables/contents", "/sql")
    yield "/sql?" + urlencode(
        {"sql": "select title as '" + PAYLOADS[0].replace("'", "''") + "', anchor from pages, links"}
    )
    yield from (
        "/",
        "/help",
        "/crawl",
        "/stats",
        "/graph?n=300",
        "/graph?n=300&colour=part",
        "/lab",
        "/lab?crawl=20",
    )
    yield from (f"/search?q=tulip&page={number}" for number in range(1, 2 + len(PAYLOADS) // 10))
    yield from ("/search?q=tulip&blend=1", "/term/tulip", "/page/1", "/page/2", "/page/2/text")
    yield from (f"/explain?q=tulip&url={first}", f"/explain?q=tulip&url={first}&against={second}", f"/why?url={first}")
    names = list(dict.fromkeys(PAYLOADS))
    links = [{"source": name, "target": names[0]} for name in names]
    yield "/lab?" + urlencode({"text": json.dumps({"nodes": [{"id": name} for name in names], "links": links})})
    for text in AT_ONCE:
        yield from (f"/sql?sql={quote(text[:2000])}", f"/tables/pages?sort={quote(text[:2000])}")
        asked = quote(text[:2000])
        yield from (f"/search?q={asked}", f"/search?q=tulip+{asked}", f"/explain?q={asked}&url={first}")
        yield from (f"/term/?word={asked}", f"/why?url={asked}", f"/page?url={asked}", f"/explain?q=tulip&url={asked}")
        yield "/lab?" + urlencode(
            {"text": f"a b\n{text}", "edits": text, "farm": text, "numbers": text, "query": text, "from": text}
        )
    yield from (f"/{quote(PAYLOADS[0])}", f"/search?q=tulip&site={quote(PAYLOADS[0])}&sort={quote(PAYLOADS[1])}")


def test_nothing_hostile_runs_and_nothing_is_blocked(opened, hostile, site):
    page = opened("/", base=hostile)
    told, titles, asked = [], set(), []
    page.on("dialog", lambda dialog: (told.append(f"a dialog: {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda request: asked.append(request.url))
    page.expose_function("violated", lambda blocked: told.append(f"blocked: {blocked}"))
    page.add_init_script("addEventListener('securitypolicyviolation', blocked => violated(blocked.blockedURI))")
    for path in paths(site):
        page.goto(hostile + path)
        assert page.locator("main").count() == 1, path
        assert page.locator("script:not([src^='/static/']):not([type='application/json'])").count() == 0, path
        assert told == [], path
        titles.add(page.title())
    assert "broken" not in titles
    assert [url for url in asked if not url.startswith(hostile)] == []
    page.complaints[:] = [said for said in page.complaints if "status of 40" not in said]  # a refusal is no block
    assert page.complaints == []


def test_titles_of_hostile_pages_are_read_as_they_are_written(opened, hostile):
    page = opened("/graph?n=300", base=hostile)
    names = page.eval_on_selector_all("#graph .page", "nodes => nodes.map(node => node.dataset.name)")
    assert any(name.startswith(PAYLOADS[0]) for name in names)
    page.goto(hostile + "/search?q=script+tulip")
    assert page.locator(".hits h2").first.inner_text().endswith("tulip")
