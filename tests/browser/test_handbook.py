"""The pages of the handbook and the reference in a real browser: accessible, light and dark, and on a phone."""

from minisearch.testing.server import FIXTURES

PAGES = sorted(
    f"/{file.relative_to(FIXTURES)}"
    for site in ("handbook", "reference")
    for file in (FIXTURES / site).rglob("*.html")
    if file.parent.name != "farm"  # its target hides words from readers, as spam does
)


def test_the_handbook_is_accessible(opened, accessible, fixtures):
    page = opened("/handbook/index.html", base=fixtures)
    for path in PAGES:
        page.goto(fixtures + path)
        accessible(page)


def test_no_page_of_the_handbook_is_wider_than_a_phone(opened, fixtures):
    page = opened("/handbook/index.html", base=fixtures, phone=True)
    for path in PAGES:
        page.goto(fixtures + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path


def test_a_page_loads_nothing_from_other_sites(opened, fixtures):
    page = opened("/handbook/index.html", base=fixtures)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(fixtures + "/handbook/pagerank.html")
    page.goto(fixtures + "/handbook/sr/pagerank.html")
    assert asked
    assert all(url.startswith(fixtures) for url in asked)
