"""Searching as people do it, in a real browser; and the same without JavaScript."""

import re

import pytest
from playwright.sync_api import expect


@pytest.fixture
def typed(opened):
    """The home page with something typed into the box, key by key."""

    def type_it(text):
        page = opened("/")
        expect(page.locator("#q")).to_be_focused()
        page.keyboard.type(text, delay=20)
        return page

    return type_it


def titles(page):
    return page.locator(".hits h2 bdi").all_inner_texts()


def test_suggestions_follow_the_keys_and_escape_closes_them(typed):
    page = typed("prun")
    box, offers = page.locator("#q"), page.get_by_role("option")
    expect(offers.first).to_be_visible()
    expect(box).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    expect(offers.first).to_have_attribute("aria-selected", "true")
    expect(box).to_have_value(offers.first.inner_text())
    assert box.get_attribute("aria-activedescendant") == offers.first.get_attribute("id")
    page.keyboard.press("Escape")
    expect(box).to_have_value("prun")
    expect(offers.first).to_be_hidden()


def test_type_suggest_arrow_search_and_open(typed, accessible):
    page = typed("prun")
    expect(page.get_by_role("option").first).to_be_visible()
    accessible(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=*")
    first = page.locator(".hits h2 a").first
    address = first.get_attribute("href")
    page.keyboard.press("Escape")
    page.locator("main").focus()
    page.keyboard.press("j")
    expect(first).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(address)


def test_keys_move_through_the_results(opened):
    page = opened("/search?q=garden")
    links = page.locator(".hits h2 a")
    page.locator("main").focus()
    for key, place in (("j", 0), ("ArrowDown", 1), ("k", 0)):
        page.keyboard.press(key)
        expect(links.nth(place)).to_be_focused()
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(links.first).to_be_focused()
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    assert page.locator("#help").evaluate("dialog => dialog.scrollTop") == 0
    assert page.locator("#help h2").first.evaluate("heading => heading.getBoundingClientRect().top") > 0
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()
    page.keyboard.press("e")
    page.wait_for_url(re.compile(r"/explain\?"))
    assert page.locator("h1").inner_text().startswith("Why this page")


def test_moving_the_blend_sorts_at_once_and_marks_moved_results(opened):
    page = opened("/search?q=garden")
    before = titles(page)
    page.locator("#blend").evaluate(
        "slider => { slider.value = 1; slider.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    expect(page.locator(".moved").first).to_be_visible()
    assert titles(page) != before
    assert "blend=1" in page.url
    page.reload()  # the order is in the address
    expect(page.locator(".moved").first).to_be_visible()


def test_a_blend_that_was_moved_before_the_script_arrived_counts(opened, served):
    page = opened("about:blank", base="")
    late = []
    page.route("**/reorder.js", lambda route: late.append(route))
    with page.expect_request("**/reorder.js"):
        page.goto(f"{served}/search?q=garden", wait_until="commit")
    page.locator("#blend").press("End")
    late[0].continue_()
    expect(page.locator(".moved").first).to_be_visible()
    page.wait_for_url("**blend=1*")


def test_a_changed_blend_can_be_reset_and_is_kept_by_filters(opened):
    page = opened("/search?q=garden")
    usual = page.get_by_role("link", name="Reset")
    expect(usual).to_have_count(0)
    page.locator("#blend").press("End")
    expect(usual).to_be_visible()
    expect(page.locator("#blend")).to_be_focused()
    for link in page.locator(".filters a").all():
        assert "blend=1" in link.get_attribute("href")
    usual.click()
    page.wait_for_url(re.compile(r"q=garden$"))
    expect(usual).to_have_count(0)


def test_results_are_printed_in_light_colours_with_the_query(opened):
    page = opened("/search?q=garden", dark=True)
    screen = page.evaluate("getComputedStyle(document.querySelector('mark')).backgroundColor")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.querySelector('mark')).backgroundColor") != screen
    assert page.locator("h1").bounding_box()["height"] > 10


def test_lucky_redirects_to_the_page(typed, garden):
    page = typed("hedge maze")
    page.get_by_role("button", name="I'm feeling lucky").click()
    page.wait_for_url(garden.home + "hedge-maze-1.html")


@pytest.mark.parametrize("js", [True, False], ids=["with JavaScript", "without"])
def test_everything_works_without_scripts(opened, garden, js):
    page = opened("/", js=js)
    page.locator("#q").fill("garden")
    page.get_by_role("button", name="Search", exact=True).click()
    page.wait_for_url("**/search?q=garden*")
    first = titles(page)
    page.get_by_role("link", name="Next").click()
    page.wait_for_url("**page=2*")
    assert not set(first) & set(titles(page))
    page.get_by_role("link", name="Previous").click()
    page.wait_for_url(re.compile("q=garden$"))
    page.locator("#sort").select_option("rank")
    if not js:
        page.get_by_role("button", name="Apply").click()
    expect(page.locator(".moved").first).to_be_visible()
    assert titles(page) != first
    page.get_by_role("link", name=re.compile("^Why this rank")).first.click()
    page.wait_for_url(re.compile(r"/explain\?"))
    page.locator(".rivals a").first.click()
    assert "above" in page.locator("h1").inner_text()


def test_the_home_page_is_small(opened, served):
    page = opened("about:blank", base="")
    sizes = []
    page.on("response", lambda answer: sizes.append(len(answer.body()) + len(str(answer.headers))))
    page.goto(served, wait_until="networkidle")
    assert sum(sizes) < 30_000


def test_results_do_not_wait_for_scripts(opened, served):
    page = opened("about:blank", base="")
    page.route("**/*.js", lambda route: None)  # which never answers
    page.goto(f"{served}/search?q=garden", wait_until="commit")
    expect(page.locator(".hits h2 a").first).to_be_visible()


def test_a_failed_sort_is_reported(opened):
    page = opened("/search?q=garden")
    before = titles(page)
    page.route("**/search?*blend*", lambda route: route.fulfill(status=503, body="busy"))
    page.locator("#blend").press("End")
    expect(page.locator("#status")).to_have_text("The server did not respond. The order is unchanged.")
    assert titles(page) == before
    page.unroute("**/search?*blend*")
    page.locator("#blend").press("Home")
    expect(page.locator("#status")).not_to_contain_text("did not respond")
    page.complaints.clear()  # the browser itself tells of the 503


def test_explanation_rows_fit_a_desktop_and_stay_rows_on_a_phone(opened, garden):
    address = f"/explain?q=pruning+roses&url={garden.home}roses.html"
    desk = opened(address)
    assert desk.locator(".scroll").first.evaluate("box => box.scrollWidth <= box.clientWidth")
    for path in (address, f"/page?url={garden.home}roses.html"):
        lines = opened(path, phone=True).locator(".parts td:last-child").all()
        assert lines
        assert all(line.bounding_box()["height"] < 45 for line in lines)  # pixels, of which two lines have more
