"""Tables and SQL queries in a real browser."""

import pytest
from playwright.sync_api import expect

from minisearch.web.app import create_app
from tests.browser.conftest import serving


@pytest.fixture(scope="module")
def sql_server(garden):
    with serving(create_app(str(garden.path), sql=True)) as address:
        yield address


@pytest.mark.parametrize("js", [True, False], ids=["with scripts", "without scripts"])
def test_a_table_is_found_sorted_and_paged(opened, sql_server, js):
    page = opened("/", base=sql_server, js=js)
    page.get_by_role("link", name="Tables").click()
    page.get_by_role("link", name="links", exact=True).click()
    page.get_by_role("link", name="anchor").click()
    expect(page.get_by_role("status")).to_have_text("Rows 1 to 50, sorted by anchor")
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_role("status")).to_have_text("Rows 51 to 100, sorted by anchor")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert download.value.suggested_filename == "links.csv"


@pytest.mark.parametrize("js", [True, False], ids=["with scripts", "without scripts"])
def test_a_query_is_typed_and_corrected(opened, sql_server, js):
    page = opened("/sql", base=sql_server, js=js)
    page.get_by_label("Query").fill("select titel from pages")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("alert")).to_have_text("SQL: no such column: titel")
    page.get_by_label("Query").fill("select title from pages order by id limit 1")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("cell")).to_have_text("A garden through the year")
    page.get_by_role("link", name="Pages by language").click()
    expect(page.get_by_role("row")).to_have_count(4)
    page.complaints[:] = [text for text in page.complaints if "status of 400" not in text]


@pytest.mark.parametrize(
    "path", ["/tables", "/tables/page_list?sort=words&desc=1", "/sql", "/sql?sql=select+*+from+pages"]
)
def test_pages_are_accessible_and_fit_a_phone(opened, accessible, sql_server, path):
    page = opened(path, base=sql_server, phone=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    accessible(page)
