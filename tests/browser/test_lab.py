"""The lab in a real browser: webs are loaded, changed by hand, played, compared; with and without scripts."""

from contextlib import contextmanager
from fractions import Fraction

import pytest
from playwright.sync_api import expect

from minisearch.lab.address import written
from minisearch.lab.lessons import LESSONS
from minisearch.lab.presets import presets, web


@contextmanager
def answered(page):
    """What is done here asks the server; after it the answer is on the page."""
    with page.expect_response("**/lab/results"):
        yield
    page.wait_for_selector("#ranks:not(.waiting)")


def ranks(page, column=1):
    """{page: number} of the table of ranks."""
    rows = page.locator(".ranks tbody tr").all()
    return {row.get_attribute("data-page"): float(row.locator("td.n").nth(column).inner_text()) for row in rows}


def short(page):
    """The web as the page tells it in short."""
    return page.locator("code.short").text_content()


def press(page, name):
    page.locator("button", has_text=name).first.click()


def circle(page, name):
    return page.locator(f'.page[data-name="{name}"]')


def paste(page, copied):
    """Pastes a block of cells at the first one of the matrix."""
    with answered(page):
        page.locator('[aria-label="from A to A"]').evaluate(
            """(cell, copied) => {
              const data = new DataTransfer();
              data.setData("text/plain", copied);
              cell.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
            }""",
            copied,
        )


def test_each_preset_can_be_loaded(opened):
    page = opened("/lab")
    for preset in reversed(presets()):
        with answered(page):
            page.select_option("#preset", preset.name)
        assert short(page) == written(preset.web())
        assert page.locator("#graph .page").count() == len(preset.pages)
        assert preset.about in page.locator("#about").inner_text()


def expected(oracle):
    known = oracle["expected"]
    return {name: float(Fraction(str(value))) for name, value in known.items()}


STEPS = {  # lesson and step: the numbers that must stand in the table of ranks
    ("thesis", 0): "000-five-exact",
    ("thesis", 2): "000-dangling-naive",
    ("thesis", 4): "000-trap-naive",
    ("thesis", 5): "000-trap-beta08",
    ("thesis", 6): "000-topic-AE",
    ("thesis", 7): "000-ten-after-exact",
    ("stoimenova", 0): "002-stationary",
    ("horvat-mundar", 2): "003-exact",
    ("ilic", 2): "004-compute-ranks",
}


@pytest.mark.parametrize("number", range(len(LESSONS)), ids=[lesson.source for lesson in LESSONS])
def test_the_worked_examples_are_followed_without_leaving_the_page(opened, oracles, number):
    page, lesson = opened("/lab"), LESSONS[number]
    page.evaluate("window.stayed = true")
    page.click("#lessons > summary")
    for place in range(len(lesson.steps)):
        with answered(page):
            page.locator(".lesson-list section").nth(number).locator("a.step").nth(place).click()
        if (lesson.source, place) in STEPS:
            known = expected(oracles[STEPS[lesson.source, place]])
            assert ranks(page) == pytest.approx(known, abs=1e-6)
        check = SEEN.get((lesson.source, place))
        if check:
            check(page, oracles)
    assert page.evaluate("window.stayed")


def _removal(page, oracles):
    known = oracles["000-dangling-removal"]["expected"]
    said = page.locator("ol.removal").inner_text()
    assert all(f"Remove {gone}" in said for gone in known["removal_order"])
    assert ranks(page) == pytest.approx(
        {name: float(Fraction(value)) for name, value in known["final"].items()}, abs=1e-6
    )


def _doctor(page, oracles):
    assert "1/3 stored as 0.33" in page.locator("#doctor").inner_text()


def _hubs(page, oracles):
    limit = {"yahoo": 1.0, "amazon": 3**0.5 - 1, "msoft": 2 - 3**0.5}
    assert ranks(page) == pytest.approx(limit, abs=1e-6)


def _updates(page, oracles):
    steps = oracles["001-hits"]["expected"]["steps"]
    rows = {
        row.locator("th").inner_text(): row.locator("td").all_inner_texts()
        for row in page.locator(".rounds tbody tr").all()
    }
    for name in ("h1", "a1", "h2", "a2"):
        values = [float(Fraction(value)) for value in steps[name]["scaled"].values()]
        assert [float(cell) for cell in rows[name]] == pytest.approx(values, abs=1e-6)


def _surfer(page, oracles):
    known = oracles["002-surfer-1000"]["expected"]
    errors = known["std_error"]
    assert all(abs(value - known["stationary"][name]) < 5 * errors[name] for name, value in ranks(page).items())


def _rounds(oracle):
    def check(page, oracles):
        rows = page.locator(".rounds tbody tr").all()
        for number, known in oracles[oracle]["expected"].items():
            if int(number) < len(rows):
                cells = [float(Fraction(cell)) for cell in rows[int(number)].locator("td").all_inner_texts()]
                assert cells == pytest.approx(list(known.values()), abs=1e-6)

    return check


def _eigenvector(page, oracles):
    known = oracles["004-left-eigenvector"]["expected"]
    assert ranks(page) == pytest.approx({name: value / sum(known.values()) for name, value in known.items()}, abs=1e-6)


SEEN = {
    ("thesis", 1): _doctor,
    ("thesis", 3): _removal,
    ("slides", 0): _hubs,
    ("slides", 1): _updates,
    ("stoimenova", 1): _surfer,
    ("horvat-mundar", 0): _rounds("003-H-iterations"),
    ("horvat-mundar", 1): _rounds("003-iterations"),
    ("ilic", 0): _rounds("004-iterations"),
    ("ilic", 1): _eigenvector,
}


def test_the_graph_is_changed_by_mouse_and_compared_with_what_it_was(opened):
    page = opened("/lab?preset=four-pages")
    circle(page, "C").click()
    with answered(page):
        circle(page, "D").click(modifiers=["Shift"])
    assert short(page) == "A:B,C,D;B:A,D;C:A,D;D:B,C"
    assert "a new link from C" in page.locator("#comparison").inner_text()
    circle(page, "A").click()
    with answered(page):
        press(page, "Make dangling")
    with answered(page):
        press(page, "Remove")
    assert short(page) == "B:D;C:D;D:B,C"
    with answered(page):
        page.locator("#graph svg").dblclick(position={"x": 20, "y": 20})
    assert short(page) == "B:D;C:D;D:B,C;A"


def test_the_graph_is_changed_by_keys(opened):
    page = opened("/lab?preset=four-pages")
    circle(page, "A").focus()
    with answered(page):
        page.keyboard.press("n")
    assert "E" in ranks(page)
    assert page.evaluate("document.activeElement.dataset.name") == "E"
    page.keyboard.press("l")
    page.keyboard.press("ArrowUp")
    target = page.evaluate("document.activeElement.dataset.name")
    with answered(page):
        page.keyboard.press("Enter")
    assert f"E:{target}" in short(page)
    with answered(page):
        page.keyboard.press("Delete")
    assert target not in ranks(page)


def test_a_page_is_moved_by_mouse_and_keys(opened):
    page = opened("/lab?preset=four-pages")
    node = circle(page, "A")
    node.scroll_into_view_if_needed()
    box = node.locator("circle").bounding_box()
    before = node.get_attribute("transform")
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 90, box["y"] + 60, steps=4)
    page.mouse.up()
    dragged = node.get_attribute("transform")
    assert dragged != before
    node.focus()
    page.keyboard.press("Shift+ArrowRight")
    assert node.get_attribute("transform") != dragged


def test_the_matrix_is_edited_and_pasted_from_a_spreadsheet(opened):
    page = opened("/lab?preset=four-pages")
    page.click("#matrix-editor > summary")
    with answered(page):
        page.fill('[aria-label="from C to D"]', "2")
        page.keyboard.press("Tab")
    assert short(page) == "A:B,C,D;B:A,D;C:A,D*2;D:B,C"
    page.fill("#size", "2")
    with answered(page):
        press(page, "New matrix")
    assert short(page) == "A;B"
    paste(page, "0\t1\t0\n0\t0\t1\n1\t0\t0\n")
    assert short(page) == "A:B;B:C;C:A"


@pytest.mark.parametrize("copied", ["\t1\t\n\t\t1\n1\t\t\n", "0; 1; 0\n0; 0; 1\n1; 0; 0"], ids=["blanks", "semicolons"])
def test_cells_left_empty_in_a_spreadsheet_keep_their_places(opened, copied):
    page = opened("/lab?web=A;B;C")
    page.click("#matrix-editor > summary")
    paste(page, copied)
    assert short(page) == "A:B;B:C;C:A"


def test_every_iteration_is_printed(opened):
    page = opened("/lab?preset=five-pages")
    page.emulate_media(media="print")
    hidden = page.locator("#rounds .tall").evaluate("box => box.scrollHeight - box.clientHeight")
    assert hidden <= 1


def test_a_file_is_dropped_anywhere(opened):
    page = opened("/lab")
    with answered(page):
        page.evaluate(
            """() => {
              const data = new DataTransfer();
              data.items.add(new File(["x,y\\ny,z\\nz,x\\nx,z\\n"], "ring.csv"));
              document.querySelector("h1").dispatchEvent(
                new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
            }"""
        )
    assert short(page) == "x:y,z;y:z;z:x"
    assert "web=x:y,z;y:z;z:x" in page.url


def test_a_shared_link_restores_the_page(opened):
    page = opened("/lab?preset=five-pages")
    with answered(page):
        page.fill("#damping", "0.5")
    circle(page, "C").click()
    with answered(page):
        circle(page, "A").click(modifiers=["Shift"])
    assert "before=five-pages" in page.url
    again = opened(page.url.partition("127.0.0.1")[2].partition("/")[2].join(["/", ""]))
    assert ranks(again) == ranks(page)
    assert again.input_value("#damping") == "0.5"


def test_iterations_are_stepped_and_played(opened):
    page = opened("/lab?preset=five-pages&rounds=4")
    sizes = lambda: [node.get_attribute("r") for node in page.locator("#graph circle").all()]  # noqa: E731
    last = sizes()
    for _ in range(4):
        page.click("[aria-label='Previous iteration']")
    assert len(set(sizes())) == 1  # at the start all are equal
    assert page.locator(".rounds tr.now th").inner_text() == "0"
    press(page, "Play iterations")
    expect(page.locator("#player output")).to_have_text("4 of 4")
    assert sizes() == last


def test_iterations_of_hits_are_numbered_as_in_its_table(opened):
    page = opened("/lab?preset=three-sites&method=hits&rounds=3")
    expect(page.locator("#player output")).to_have_text("3 of 3")
    assert page.locator(".rounds tr.now th").inner_text() == "a3"
    page.click("[aria-label='Previous iteration']")
    assert page.locator(".rounds tr.now th").inner_text() == "a2"
    expect(page.locator("#player output")).to_have_text("2 of 3")


def test_a_surfer_walks_until_the_shares_are_near_the_ranks(opened):
    page = opened("/lab?preset=nine-links&damping=0.9")
    press(page, "One move")
    page.wait_for_selector("#walker tbody tr")
    assert page.locator(".page.here").count() == 1
    press(page, "Finish walk")
    expect(page.locator("#walker output")).to_have_text("2000 moves")
    for row in page.locator("#walker tbody tr").all():
        share, rank = (float(row.locator("td").nth(place).inner_text()) for place in (1, 2))
        assert abs(share - rank) < 0.08


def test_a_farm_grows_with_the_slider(opened):
    page = opened("/lab?preset=five-pages")
    page.click("#farm-editor > summary")
    with answered(page):
        page.fill("#farm", "spam")
    assert page.locator("#graph .page").count() == 16
    with answered(page):
        page.fill("#supporters", "30")
    assert page.locator("#graph .page").count() == 36
    assert ranks(page)["spam"] == max(ranks(page).values())


def test_weights_are_given_page_by_page(opened):
    page = opened("/lab?preset=five-pages&method=trustrank&trusted=A")
    page.click("#weights summary")
    assert page.is_checked("[aria-label='A: trusted']")
    with answered(page):
        page.check("[aria-label='E: trusted']")
    assert page.input_value("#trusted") == "A\nE"
    assert "2 trusted pages: A, E" in page.locator("#ranks").inner_text()


def test_a_crawl_is_changed_in_words(opened):
    page = opened("/lab?crawl=6")
    names = list(ranks(page))
    circle(page, names[0]).click()
    with answered(page):
        press(page, "Make dangling")
    assert page.input_value("#edits") == f"dead-end {names[0]}"
    assert "crawl=6" in page.url


def test_a_query_is_shown_without_a_link(opened):
    page = opened("/lab")
    page.fill("#query", "roses")
    page.click("#what-if button")
    page.locator("a.cut").first.click()
    page.wait_for_selector("#what-if-result table")
    assert "Pruning roses" in page.locator("#what-if-result table").inner_text()


def test_a_query_without_a_link_is_in_the_url_too(opened):
    page = opened("/lab?preset=four-pages")
    page.fill("#query", "garden")
    page.click("#what-if button")
    page.locator("a.cut").first.click()
    answers = page.locator("#what-if-result tbody tr")
    expect(answers.first).to_be_visible()
    with answered(page):
        page.fill("#damping", "0.5")  # a question about the web leaves it there
    again = opened(page.url.partition("127.0.0.1")[2].partition("/")[2].join(["/", ""]))
    assert again.locator("#what-if-result tbody").inner_text() == page.locator("#what-if-result tbody").inner_text()
    assert again.input_value("#query") == "garden"
    assert ranks(again) == ranks(page)


def test_an_error_is_shown_and_cleared(opened):
    page = opened("/lab")
    with answered(page):
        page.fill("#damping", "7")
    assert "damping must be between 0 and 1" in page.locator("#ranks [role=alert]").inner_text()
    page.complaints[:] = [told for told in page.complaints if "400" not in told]  # the status, not a block
    with answered(page):
        page.fill("#damping", "0.7")
    assert len(ranks(page)) == 5


def test_all_of_it_works_without_scripts(opened):
    page = opened("/lab", js=False)
    page.select_option("#preset", "spider-trap")
    page.fill("#damping", "0.8")
    with page.expect_navigation():
        press(page, "Compute")
    assert ranks(page)["A"] == pytest.approx(0.614, abs=1e-3)
    page.click("#text-editor > summary")
    page.fill("#text", "3 (A,B) (B,C) (C,A)")
    with page.expect_navigation():
        page.locator("#text-editor button").click()
    assert set(ranks(page).values()) == {0.333333}
    assert page.locator("#graph svg circle").count() == 3


@pytest.mark.parametrize("js", [True, False], ids=["with JavaScript", "without"])
def test_the_web_is_saved_as_a_file_and_the_page_stays(opened, js):
    page = opened("/lab?preset=four-pages&edits=add+C+D", js=js)
    before = page.url
    with page.expect_download() as waiting:
        page.get_by_role("button", name="CSV").click()
    assert waiting.value.suggested_filename == "web.csv"
    assert "C,D" in waiting.value.path().read_text().splitlines()
    assert page.url == before


def test_a_matrix_is_pasted_as_text_without_scripts(opened):
    page = opened("/lab", js=False)
    page.click("#text-editor > summary")
    page.fill("#text", "0 1 1\n1 0 0\n0 1 0")
    with page.expect_navigation():
        page.locator("#text-editor button").click()
    assert short(page) == "A:B,C;B:A;C:B"
    page.fill("#damping", "0.5")
    with page.expect_navigation():
        press(page, "Compute")
    assert short(page) == "A:B,C;B:A;C:B"


PATHS = [
    "/lab",
    # more supporters and more rounds are more of the same rows
    "/lab?preset=two-dead-ends&dangling=remove&farm=spam&supporters=2&doors=A&rounds=5",
    "/lab?method=hits&damping=7",
    "/graph?colour=part",
]


@pytest.mark.parametrize("path", PATHS)
def test_the_lab_is_accessible(opened, accessible, path):
    page = opened(path, still=True)
    accessible(page)
    page.complaints[:] = [told for told in page.complaints if "400" not in told]  # the status, not a block


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_wider_than_a_phone(opened, path):
    page = opened(path, phone=True)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.complaints[:] = [told for told in page.complaints if "400" not in told]


def test_the_preset_webs_are_the_same_in_both_languages(opened):
    page = opened("/lab")
    for name in ("five-pages", "nine-links"):
        told = page.evaluate(
            """async ([address]) => {
              const main = document.querySelector("script[type=module][src*=lab]").src;
              const { Web } = await import(main.replace("main.js", "web.js"));
              const rows = address.split(";").map((part) => part.split(":"));
              const names = rows.map(([name]) => name);
              const links = rows.flatMap(([, to], from) => (to ? to.split(",") : []).map((end) => {
                const [target, weight] = end.split("*");
                return [from, names.indexOf(target), Number(weight ?? 1)];
              }));
              return new Web({ names, links, at: names.map(() => [0, 0]), values: names.map(() => 0) }).address();
            }""",
            [written(web(name))],
        )
        assert told == written(web(name))
