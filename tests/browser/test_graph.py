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


def test_a_step_on_a_large_map_changes_one_thing_and_draws_no_arrowheads(opened):
    page = opened("/graph?n=5")
    found = page.evaluate(LARGE_MAP, [300, 2500])
    assert found["written"] == 20  # the transform of the whole, once a step
    assert found["before"] == 0
    assert found["looking"] == found["own"] > 0  # of the page that one looks at, they are


def test_a_small_map_has_its_arrowheads(opened):
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
  return [...drawing.circles.children].filter((node) => node.children[1].getAttribute("display") === "inline").length;
}"""


def test_no_name_on_the_map_is_written_over_another(opened):
    page = opened("/graph?n=5")
    assert page.evaluate(NAMES, 140) == 14  # the largest pages, if there is room
    assert page.evaluate(NAMES, 4) == 1
    assert page.evaluate(NAMES, 70) == 8  # in every row two or three
