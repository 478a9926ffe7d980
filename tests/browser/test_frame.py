"""What all pages share, in a real browser: layout, accessibility, and the pages that need a server of their own."""

import statistics

import pytest
from playwright.sync_api import expect

from minisearch import Engine
from minisearch.shards.split import split
from minisearch.web.app import create_app
from tests.browser.conftest import serving

PATHS = [
    *("/", "/search?q=garden", "/search?q=garden&blend=1", "/search?q=tomatoe+prunning", "/search?q=zeppelin"),
    *("/help", "/explain", "/explain?q=roses&url={home}roses.html", "/stats", "/page/1", "/page/1/text"),
    *("/explain?q=roses&url={home}roses.html&against={home}flowers.html", "/term/rose", "/term/", "/why"),
    *("/why?url={home}shed/tools.html",),
]


def test_every_page_is_accessible(opened, accessible, garden, served):
    page = opened("/")
    for path in PATHS:
        page.goto(served + path.format(home=garden.home))
        accessible(page)


def test_an_error_page_is_accessible_too(opened, accessible):
    page = opened("/nowhere")
    accessible(page)
    page.complaints[:] = [told for told in page.complaints if "404" not in told]  # the status, which is no block


def test_no_page_is_wider_than_a_phone(opened, garden, served):
    page = opened("/", phone=True)
    for path in PATHS:
        page.goto(served + path.format(home=garden.home))
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path


SIZES = """[...new Set([...document.querySelectorAll("body *")].filter((element) => !element.closest("svg")
  && element.checkVisibility() && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
  ).map((element) => getComputedStyle(element).fontSize))]"""
LEFT = """[".brand a", "main h1:not(.unseen), main h2", "main p:not(.unseen)"].map((name) =>
  document.querySelector(name)).filter(Boolean).map((element) => Math.round(element.getBoundingClientRect().left))"""


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_all_pages_have_one_type_scale_one_left_edge_and_a_stable_header(opened, garden, served, phone):
    page = opened("/", phone=phone)
    brands = set()
    for path in [*PATHS, "/graph", "/lab"]:
        page.goto(served + path.format(home=garden.home))
        assert len(page.evaluate(SIZES)) <= 4, path
        assert len(set(page.evaluate(LEFT))) == 1, path
        brands.add(tuple(page.locator(".brand a, .main a").first.bounding_box().values()))
        header = page.locator("header").bounding_box()
        assert header["height"] <= 110, path  # two rows
    assert len(brands) == 1


@pytest.mark.parametrize(("width", "most"), [(1280, 200), (390, 260)])
def test_the_first_result_is_near_the_top_and_no_score_is_louder_than_a_title(opened, width, most):
    page = opened("/search?q=garden")
    page.set_viewport_size({"width": width, "height": 800})
    title = page.locator(".hits h2").first
    assert title.bounding_box()["y"] + title.bounding_box()["height"] <= most
    sizes = [each.evaluate("item => parseFloat(getComputedStyle(item).fontSize)") for each in (
        title, page.locator(".snippet").first, page.locator(".meta").first)]  # fmt: skip
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[1] > sizes[2]


@pytest.mark.parametrize(
    ("path", "texts"),
    [("/search?q=garden", ".snippet"), ("/tables", ".tables dd"), ("/learn/reference/embedding.html", "main p")],
)
def test_a_line_of_text_has_60_to_75_characters(opened, path, texts):
    page = opened(path)
    page.locator(".jump").evaluate_all("links => links.forEach((link) => link.remove())")  # which is smaller
    lengths = page.locator(texts).evaluate_all(
        """texts => texts.flatMap((text) => {
          const lines = new Map(), range = document.createRange(), walker = document.createTreeWalker(text, 4);
          while (walker.nextNode()) for (let at = 0; at < walker.currentNode.length; at++) {
            range.setStart(walker.currentNode, at); range.setEnd(walker.currentNode, at + 1);
            const top = Math.round(range.getBoundingClientRect().bottom / 8);
            lines.set(top, (lines.get(top) ?? 0) + 1);
          }
          return [...lines.values()].slice(0, -1);
        })"""
    )
    assert 60 <= statistics.median(lengths) <= 75


@pytest.mark.parametrize(
    ("path", "name"), [("/explain?q=roses&url={home}roses.html", ".scroll"), ("/learn/reference/embedding.html", "pre")]
)
def test_what_is_wide_shows_that_it_scrolls(opened, garden, path, name):
    page = opened(path.format(home=garden.home), phone=True)
    table = page.locator(name).first
    assert table.evaluate("box => box.scrollWidth > box.clientWidth")
    assert "radial-gradient" in table.evaluate("box => getComputedStyle(box).backgroundImage")


def test_the_pictures_of_the_crawl_can_be_read_on_a_phone(opened):
    page = opened("/stats", phone=True)
    told = page.locator("figure svg text").evaluate_all(
        """texts => texts.map((text) => {
          const box = text.ownerSVGElement.getBoundingClientRect(), size = parseFloat(getComputedStyle(text).fontSize);
          const own = text.getBoundingClientRect(), frame = text.closest("figure").getBoundingClientRect();
          return [text.textContent, size * box.width / 360, own.left - frame.left, frame.right - own.right];
        })"""
    )
    assert told
    for arc in page.locator(".bow.tube, .bow.tendril").all():
        assert arc.evaluate("arc => getComputedStyle(arc).fill") == "none"  # it covers nothing
    for text, size, left, right in told:
        assert size >= 10, text
        assert min(left, right) > 0, text


def test_the_crawl_page_is_accessible_and_updates(opened, accessible, site, tmp_path):
    site.show({"/": ["/a"], "/a": "<title>Tulips</title>tulips"})
    path = str(tmp_path / "a.db")
    Engine(path).close()
    with serving(create_app(path, allow_crawl=True, trusted_hosts=("127.0.0.1",), is_private=True)) as base:
        page = opened("/crawl", base=base)
        accessible(page)
        page.fill("#url", site.base + "/")
        page.get_by_role("button", name="Crawl").click()
        expect(page.locator("[data-field=state]")).to_have_text("done")
        expect(page.locator("[data-field=fetched]")).to_have_text("2")
        accessible(page)
        page.goto(base + "/search?q=tulips")
        expect(page.locator(".hits h2").first).to_have_text("Tulips")


def test_shards_are_served_as_one_file(opened, accessible, garden, tmp_path):
    with Engine(tmp_path / "whole.db") as engine:
        engine.crawl(garden.home, workers=0)
    split(tmp_path / "whole.db", tmp_path / "shards", 3)
    with serving(create_app(str(tmp_path / "shards" / "*.db"))) as base:
        page = opened("/search?q=garden", base=base)
        assert page.locator(".hits > li").count() == 10
        for name in ("Why this rank?", "Page details"):
            page.get_by_role("link", name=name).first.click()
            accessible(page)
            page.go_back()
        for path in ("/help", "/stats", "/graph", "/lab", "/term/rose", f"/why?url={garden.home}"):
            page.goto(base + path)
            expect(page.locator("main h1").first).to_be_visible()
            accessible(page)
        page.complaints[:] = [told for told in page.complaints if "503" not in told]  # asked of one file only
