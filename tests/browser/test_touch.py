"""The lab and the map under a finger, on a phone; and as little motion as a reader asks for."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_lab import answered, circle, press, ranks, short


def middle(locator):
    """Where a finger goes."""
    locator.scroll_into_view_if_needed()
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, start, *way):
    """A finger goes down, moves and is lifted."""
    screen = page.context.new_cdp_session(page)
    for kind, place in (("touchStart", start), *(("touchMove", place) for place in way), ("touchEnd", None)):
        points = [{"x": place[0], "y": place[1]}] if place else []
        screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    screen.detach()


def tap(page, name):
    page.touchscreen.tap(*middle(circle(page, name).locator("circle")))


def test_pages_and_links_are_added_by_touch(opened):
    page = opened("/lab?preset=four-pages", phone=True)
    with answered(page):
        page.locator("#tools button", has_text="Add page").tap()
    assert circle(page, "E").count() == 1
    tap(page, "C")
    expect(circle(page, "C")).to_have_attribute("aria-pressed", "true")
    page.locator("#tools button", has_text="Link").tap()
    with answered(page):
        tap(page, "E")
    assert short(page) == "A:B,C,D;B:A,D;C:A,E;D:B,C;E"
    assert "E" in ranks(page)


@pytest.mark.parametrize(("across", "down"), [(40, 0), (0, 40)], ids=["across", "down"])
def test_a_page_is_dragged_by_touch_without_scrolling(opened, across, down):
    page = opened("/lab?preset=four-pages", phone=True)
    node = circle(page, "A")
    x, y = middle(node.locator("circle"))
    before, scrolled = node.get_attribute("transform"), page.evaluate("scrollY")
    drag(page, (x, y), *((x + across * part / 8, y + down * part / 8) for part in range(1, 9)))
    expect(page.locator("#said")).to_have_text("A moved.")
    assert node.get_attribute("transform") != before
    assert page.evaluate("scrollY") == scrolled


def test_the_graph_is_zoomed_moved_and_opened_by_touch(opened):
    page = opened("/graph?n=10", phone=True)
    world = page.locator("#graph svg > g").first
    page.locator("#closer").tap()
    assert "scale(1.3)" in world.get_attribute("transform")
    before = world.get_attribute("transform")
    page.locator("#graph svg").scroll_into_view_if_needed()
    box = page.locator("#graph svg").bounding_box()
    corner = (box["x"] + 6, box["y"] + 6)
    drag(page, corner, (corner[0] + 20, corner[1] + 5), (corner[0] + 40, corner[1] + 10))
    assert world.get_attribute("transform") != before
    page.locator("#whole").tap()
    page.touchscreen.tap(*middle(page.locator("#graph .page circle").first))
    page.wait_for_url("**/page/*")


# What has begun to grow two pictures later, whether it has grown up by then or not.
FRAMES_LATER = (
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(grown)))))"
)


def reordered(page):
    """Moves the slider of a page of results, and counts what glides then."""
    page.wait_for_load_state("networkidle")  # the script of the slider is imported by another
    return page.evaluate(
        """() => new Promise((done) => {
          let glided = 0;
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (...how) { glided += 1; return animate.apply(this, how); };
          const before = document.getElementById("answers");
          const isNew = () => document.getElementById("answers") !== before;
          new MutationObserver(() => isNew() && setTimeout(() => done(glided), 100))
            .observe(document.body, { childList: true, subtree: true });
          const slider = document.getElementById("blend");
          slider.value = 1;
          slider.dispatchEvent(new Event("input", { bubbles: true }));
        })"""
    )


def test_results_are_animated_unless_motion_is_reduced(opened):
    assert reordered(opened("/search?q=garden")) > 0
    assert reordered(opened("/search?q=garden", still=True)) == 0


def test_circles_are_animated_unless_motion_is_reduced(opened):
    for still in (False, True):
        page = opened("/lab?preset=five-pages&rounds=4", still=still)
        page.evaluate("window.grown = 0; addEventListener('transitionrun', () => { grown += 1; })")
        page.click("[aria-label='Previous iteration']")
        assert bool(page.evaluate(FRAMES_LATER)) is not still
        press(page, "Play iterations")
        expect(page.locator("#player output")).to_have_text("4 of 4")
