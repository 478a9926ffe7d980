"""The link graph in a real browser."""

import itertools

from playwright.sync_api import expect


def test_the_graph_is_searched_and_opened(opened):
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


def test_the_graph_is_moved_and_zoomed_and_a_drag_opens_nothing(opened):
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


LARGE_MAP = """async ([pages, links]) => {
  const folder = document.querySelector("script[src$='graph.js']").src.replace("graph.js", "");
  const { Drawing } = await import(folder + "draw.js"), { Canvas } = await import(folder + "canvas.js");
  const numbers = [...Array(pages).keys()];
  const web = {
    names: numbers.map(String), values: numbers.map((page) => 1 / (page + 1)), kinds: numbers.map(() => 0),
    at: numbers.map((page) => [(page * 37) % 1000, (page * 91) % 640]),
    links: [...Array(links).keys()].map((link) => [link % pages, (link * 7 + 1) % pages, 1]),
  };
  const drawing = new Drawing(document.getElementById("graph"), "a large map"), canvas = new Canvas(drawing, {});
  drawing.show(web, String);
  let written = 0;
  const watch = new MutationObserver((changes) => { written += changes.length; });
  watch.observe(drawing.svg, { attributes: true, childList: true, characterData: true, subtree: true });
  canvas.zoom(1.5); // the first step also takes the finger from the page's own scrolling
  watch.takeRecords();
  for (let step = 0; step < 20; step += 1) step % 2 ? canvas.zoom(1.02) : canvas.centre([500 + step, 320]);
  written += watch.takeRecords().length;
  const hasHead = (link) => getComputedStyle(link).markerEnd !== "none";
  const headed = () => [...drawing.threads.children].filter(hasHead).length;
  const before = headed();
  drawing.highlight(0);
  return { written, before, looking: headed(), own: drawing.ends[0].size };
}"""


def test_a_large_graph_has_no_arrowheads_and_changes_little_per_step(opened):
    page = opened("/graph?n=5")
    found = page.evaluate(LARGE_MAP, [300, 2500])
    assert found["written"] == 20  # the transform of the whole, once a step
    assert found["before"] == 0
    assert found["looking"] == found["own"] > 0  # of the page that one looks at, they are


def test_a_small_graph_has_arrowheads(opened):
    page = opened("/graph?n=5")
    assert page.evaluate(LARGE_MAP, [20, 60])["before"] == 60


NAMES = """async (apart) => {
  const folder = document.querySelector("script[src$='graph.js']").src.replace("graph.js", "");
  const { Drawing } = await import(folder + "draw.js");
  const numbers = [...Array(20).keys()];
  const drawing = new Drawing(document.getElementById("graph"), "twenty pages");
  drawing.show({
    names: numbers.map((page) => `the page ${page}`), values: numbers.map((page) => 20 - page), links: [],
    at: numbers.map((page) => [100 + apart * (page % 5), 50 + apart * Math.floor(page / 5)]),
  }, String);
  const names = [...drawing.labels.children].map((label) => label.firstChild);
  const shown = names.filter((text) => text.getAttribute("display") === "inline");
  const boxes = shown.map((text) => text.getBoundingClientRect());
  const across = (a, b) => a.left < b.right - 1 && b.left < a.right - 1;
  const overlap = (a, b) => across(a, b) && a.top < b.bottom - 4 && b.top < a.bottom - 4;
  const over = (box) => boxes.filter((other) => other !== box && overlap(box, other)).length;
  const circles = [...drawing.circles.children].map((node) => node.firstChild.getBoundingClientRect());
  const covers = (box) => circles.filter((circle) => overlap(box, circle)).length;
  return [shown.length, boxes.filter(over).length, boxes.slice(3).filter(covers).length];
}"""


def test_no_name_covers_another_name_or_another_circle(opened):
    page = opened("/graph?n=5")
    assert page.evaluate(NAMES, 140) == [14, 0, 0]  # the largest pages, if there is room
    for apart in (4, 40, 70):
        count, *covered = page.evaluate(NAMES, apart)
        assert 1 <= count < 14
        assert covered == [0, 0]


NEAR = """() => [...document.querySelectorAll("#graph .near .name")].map((text) => {
  const { left, right, top, bottom } = text.getBoundingClientRect();
  return [left, right, top, bottom];
})"""


def test_the_names_of_neighbours_do_not_cover_one_another(opened):
    page = opened("/graph")
    names = page.locator("#graph .label").all_inner_texts()
    page.locator("#graph .page").first.focus()
    near = page.evaluate(NEAR)
    assert 4 <= len(near) <= 14
    for one, other in itertools.combinations(near, 2):
        assert one[0] > other[1] - 2 or other[0] > one[1] - 2 or one[2] > other[3] - 6 or other[2] > one[3] - 6
    page.locator("#find").focus()
    assert page.evaluate(NEAR) == []
    assert page.locator("#graph .label").all_inner_texts() == names


ENDS = """() => {
  const circles = [...document.querySelectorAll("#graph .page")].map((node) => {
    const [x, y] = node.getAttribute("transform").match(/[-0-9.]+/g).map(Number);
    return { x, y, r: Number(node.querySelector("circle").getAttribute("r")) };
  });
  return [...document.querySelectorAll("#graph .link")].map((path) => {
    const end = path.getPointAtLength(path.getTotalLength());
    return Math.min(...circles.map(({ x, y, r }) => Math.abs(Math.hypot(end.x - x, end.y - y) - r)));
  });
}"""


def test_lines_end_at_circles_and_names_are_above_them(opened):
    page = opened("/graph")
    gaps = page.evaluate(ENDS)
    assert len(gaps) == 80
    assert max(gaps) < 0.5
    groups = page.locator("#graph svg > g > g")
    assert groups.nth(1).locator(".page").count() == groups.nth(2).locator(".label").count() == 26


def test_template_links_are_shown_by_a_switch(opened):
    page = opened("/graph")
    switch = page.get_by_label("Hide template links")
    expect(switch).to_be_checked()
    switch.uncheck()
    page.wait_for_url("**template=show")
    expect(page.locator("#graph .link")).to_have_count(101)
    page.get_by_label("Hide template links").check()
    page.wait_for_url("**template=hide")
    expect(page.locator("#graph .link")).to_have_count(80)


def test_the_switch_works_without_scripts(opened):
    page = opened("/graph", js=False)
    page.get_by_label("Hide template links").uncheck()
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator("#graph .link")).to_have_count(101)
