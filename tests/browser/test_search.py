"""Searching as people do it, in a real browser; and the same without JavaScript."""

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


def test_suggestions_follow_the_keys_and_esc_takes_them_back(typed):
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


def test_moving_the_blend_reorders_at_once_and_tells_who_moved(opened):
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


def test_the_home_page_is_small(opened, served):
    page = opened("about:blank", base="")
    sizes = []
    page.on("response", lambda answer: sizes.append(len(answer.body()) + len(str(answer.headers))))
    page.goto(served, wait_until="networkidle")
    assert sum(sizes) < 30_000


def test_results_are_there_without_waiting_for_scripts(opened, served):
    page = opened("about:blank", base="")
    page.route("**/*.js", lambda route: None)  # which never answers
    page.goto(f"{served}/search?q=garden", wait_until="commit")
    expect(page.locator(".hits h2 a").first).to_be_visible()
