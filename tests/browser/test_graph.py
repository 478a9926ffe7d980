"""The map of the crawl in a real browser."""

from playwright.sync_api import expect


def test_the_map_is_looked_at_searched_and_opened(opened):
    page = opened("/graph?n=20")
    assert page.locator("#graph .page").count() == 20
    maze = page.locator('.page[data-name^="The hedge maze"]').first
    maze.hover()
    expect(page.locator("#said")).to_contain_text("The hedge maze")
    assert page.locator(".looking .page:not(.near)").count() > 0
    assert maze.evaluate("node => node.classList.contains('near')")
    page.fill("#find", "roses")
    expect(page.locator("#said")).to_contain_text("of 20 pages match")
    page.keyboard.press("Enter")
    assert "roses" in page.evaluate("document.activeElement.dataset.name").lower()
    page.keyboard.press("Enter")
    page.wait_for_url("**/page/*")


def test_the_map_is_moved_and_zoomed_and_a_drag_opens_nothing(opened):
    page = opened("/graph?n=20")
    world = page.locator("#graph svg > g").first
    page.click("#closer")
    assert "scale(1.3)" in world.get_attribute("transform")
    page.click("#whole")
    assert "scale(1)" in world.get_attribute("transform")
    node = page.locator("#graph .page").first
    node.scroll_into_view_if_needed()
    box = node.locator("circle").bounding_box()
    before = node.get_attribute("transform")
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 70, box["y"] + 50, steps=4)
    page.mouse.up()
    assert node.get_attribute("transform") != before
    assert "/graph" in page.url
