"""The search box on a page of another origin: a second real server, with a content security policy of its own."""

import pytest
from playwright.sync_api import expect

from minisearch.testing.server import SiteServer
from minisearch.web.app import create_app
from tests.browser.conftest import serving

HOST_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Our documentation</title>
<link rel="stylesheet" href="/site.css"></head>
<body><main><h1>Our documentation</h1><div id="search"><a href="SERVER/">Search</a></div><p>Text below.</p></main>
<script type="module" src="SERVER/embed.js" data-target="#search" ATTRIBUTES></script></body></html>"""
SITE_CSS = """a, span { color: red !important; font-size: 40px }
#search { --minisearch-accent: light-dark(#0a5c2e, #7fd6a2); --minisearch-radius: 0px }
html { color-scheme: light dark } body { background: Canvas; color: CanvasText }"""


@pytest.fixture(scope="module")
def host():
    """A site of another origin. `host(server, attributes)` gives the address of a page with the box of that server."""
    site = SiteServer(routes={"/site.css": (200, {"Content-Type": "text/css"}, SITE_CSS.encode())})
    with site as base:

        def page(server, attributes="", policy=None):
            policy = policy or f"default-src 'none'; script-src {server}; connect-src {server}; style-src 'self'"
            headers = {
                "Content-Type": "text/html",
                "Content-Security-Policy": policy + "; require-trusted-types-for 'script'",
            }
            text = HOST_PAGE.replace("SERVER", server).replace("ATTRIBUTES", attributes)
            site.routes["/"] = (200, headers, text.encode())
            return base

        page.base = base
        yield page


@pytest.fixture(scope="module")
def server(garden, host):
    """A server that allows the origin of the host."""
    with serving(create_app(str(garden.path), cors=(host.base,))) as address:
        yield address


def box(page):
    return page.get_by_role("combobox", name="Search")


def options(page):
    return page.get_by_role("listbox").get_by_role("option")


def test_results_appear_while_a_word_is_typed_and_open_with_the_keyboard(opened, host, server):
    page = opened("/", base=host(server))
    box(page).press_sequentially("prun")
    expect(options(page).first).to_contain_text("Pruning roses in late winter")
    expect(page.get_by_role("status")).to_have_text("5 results")
    assert box(page).get_attribute("aria-expanded") == "true"
    assert options(page).first.locator("mark").count() > 0
    page.keyboard.press("ArrowDown")
    assert box(page).get_attribute("aria-activedescendant") == options(page).first.get_attribute("id")
    expect(options(page).first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    assert box(page).get_attribute("aria-activedescendant") is None
    page.keyboard.press("ArrowUp")
    expect(options(page).last).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/garden/roses.html**")


def test_escape_closes_then_clears_and_the_results_come_back(opened, host, server):
    page = opened("/", base=host(server))
    box(page).fill("roses")
    expect(options(page).first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    assert box(page).input_value() == "roses"
    page.keyboard.press("ArrowDown")
    expect(options(page).first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(box(page)).to_have_value("")
    expect(page.get_by_role("listbox")).to_be_hidden()


def test_a_result_is_clicked_and_leaving_the_box_closes_it(opened, host, server):
    page = opened("/", base=host(server))
    box(page).fill("roses")
    expect(options(page).first).to_be_visible()
    page.get_by_text("Text below.").click(position={"x": 900, "y": 5})
    expect(page.get_by_role("listbox")).to_be_hidden()
    box(page).focus()
    options(page).first.click()
    page.wait_for_url("**/garden/roses.html**")


def test_enter_and_the_last_option_lead_to_the_results_page(opened, host, server):
    page = opened("/", base=host(server))
    box(page).fill("pruning roses")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{server}/search?q=pruning+roses")
    page = opened("/", base=host(server))
    box(page).fill("pruning roses")
    expect(options(page).last).to_have_text("Show all results")
    options(page).last.click()
    page.wait_for_url(f"{server}/search?q=pruning+roses")


def test_a_query_without_hits_is_announced(opened, host, server):
    page = opened("/", base=host(server))
    box(page).fill("zzzz")
    expect(page.get_by_role("status")).to_have_text("No results for “zzzz”")
    expect(page.locator("p").filter(has_text="No results")).to_be_visible()
    assert box(page).get_attribute("aria-expanded") == "false"


def test_only_the_last_of_several_requests_is_shown(opened, host, server):
    page = opened("/", base=host(server))
    held = []
    page.route("**/api/search?q=roses*", lambda route: held.append(route))
    with page.expect_request("**/api/search?q=roses*"):
        box(page).fill("roses")
    box(page).fill("compost")
    expect(options(page).first).to_contain_text("Making compost")
    assert len(held) == 1
    expect(options(page).first).to_contain_text("Making compost")


def test_another_site_is_refused_with_a_reason(opened, host, served):
    page = opened("/", base=host(served))  # a server without --cors
    with page.expect_console_message(lambda message: f"--cors {host.base}" in message.text):
        box(page).fill("roses")
    expect(page.get_by_role("status")).to_have_text("Search is not available.")
    assert options(page).count() == 0
    assert any("Access-Control-Allow-Origin" in text for text in page.complaints)
    page.complaints.clear()


def test_attributes_choose_words_and_pages(opened, host, server, garden):
    attributes = 'data-label="Find" data-placeholder="Find a page" data-limit="1" data-lang="sr-latn"'
    page = opened("/", base=host(server, attributes))
    field = page.get_by_role("combobox", name="Find")
    assert field.get_attribute("placeholder") == "Find a page"
    field.fill("paprika")
    expect(options(page)).to_have_count(2)  # one page, and the link to all
    field.fill("wigwam")  # only on an English page
    expect(page.get_by_role("status")).to_contain_text("No results")


def test_the_site_styles_it_by_variables_only(opened, host, server):
    page = opened("/", base=host(server))
    box(page).fill("roses")
    title = options(page).first.locator(".title")
    assert title.evaluate("node => getComputedStyle(node).color") == "rgb(10, 92, 46)"
    assert title.evaluate("node => getComputedStyle(node).fontSize") == "16px"
    assert box(page).evaluate("node => getComputedStyle(node).borderRadius") == "0px"


def test_hostile_titles_and_snippets_stay_text(opened, host, site, tmp_path):
    from minisearch import Engine

    title = "&lt;img src=x onerror=document.title='broken'> 🌹 tulip"
    site.show({"/": f"<title>{title}</title><h1>{title}</h1><p>🌹🌹 tulip {title}</p>"})
    with Engine(tmp_path / "a.db") as engine:
        engine.crawl(site.base + "/", workers=0)
    with serving(create_app(str(tmp_path / "a.db"), cors=(host.base,))) as address:
        page = opened("/", base=host(address))
        box(page).fill("tulip")
        expect(options(page).first).to_contain_text("<img src=x")
        assert set(options(page).first.locator("mark").all_inner_texts()) == {"tulip"}
        assert page.title() == "Our documentation"


@pytest.mark.parametrize("query", ["", "roses", "zzzz"])
def test_the_box_is_accessible_and_fits_a_phone(opened, accessible, host, server, query):
    page = opened("/", base=host(server), phone=True)
    if query:
        box(page).fill(query)
        expect(page.get_by_role("status")).to_contain_text("result")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    accessible(page)


def test_without_scripts_the_content_of_the_element_stays(opened, host, server):
    page = opened("/", base=host(server), js=False)
    assert page.locator("#search a").get_attribute("href") == f"{server}/"
