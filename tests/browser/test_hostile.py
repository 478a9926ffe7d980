"""Hostile queries and titles in a real browser: nothing runs, and nothing has to be blocked."""

from html import escape
from urllib.parse import quote

import pytest

from minisearch import Engine
from minisearch.web.app import create_app

PAYLOADS = [
    '"><script>document.title="broken"</script>',
    "<img src=x onerror='document.title=\"broken\"'>",
    "<svg onload=document.title='broken'>",
    "javascript:document.title='broken'",
    "\u202egnp.exe",
    "</title><body onload=document.title='broken'>",
]


@pytest.fixture(scope="module")
def hostile(site, tmp_path_factory):
    from tests.browser.conftest import serving

    pages = {
        f"/{number}": f'<title>{escape(payload)} tulip</title><p>tulip {escape(payload)} <a href="javascript:x">y</a>'
        for number, payload in enumerate(PAYLOADS)
    }
    site.show({"/": list(pages), **pages, "/long": f"<title>{'tulip ' * 170_000}</title>tulip"})
    db = tmp_path_factory.mktemp("hostile") / "a.db"
    with Engine(db) as engine:
        engine.crawl(site.base + "/", site.base + "/long", workers=0)
    with serving(create_app(str(db))) as address:
        yield address


def test_nothing_hostile_runs_and_nothing_is_blocked(opened, hostile):
    page = opened("/search?q=tulip", base=hostile)
    assert page.locator(".hits > li").count() >= len(PAYLOADS)
    for number in range(1, len(PAYLOADS) + 2):
        page.goto(f"{hostile}/page/{number}")
        assert page.title() != "broken"
    for payload in PAYLOADS:
        for path in ("/search?q=", "/term/?word=", "/why?url="):
            page.goto(hostile + path + quote(payload))
            assert page.title() != "broken"
            assert page.locator("main").count() == 1
    page.complaints[:] = [told for told in page.complaints if "status of 40" not in told]  # a refusal is no block
    assert page.complaints == []  # no script, style or address had to be blocked
