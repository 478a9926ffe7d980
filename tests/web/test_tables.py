"""Browsing the tables of the file."""

import csv
import io
import sqlite3

import pytest

from minisearch import Engine
from minisearch.shards.split import split
from minisearch.web.app import create_app
from tests.web.test_hostile import PAYLOADS, quoted


def cells(page):
    return [[cell.get_text(strip=True) for cell in row.find_all("td")] for row in page.select("tbody tr")]


def test_all_tables_and_views_are_listed_with_their_comments(client, read, garden):
    page = read(client.get("/tables"))
    listed = {link.get_text() for link in page.select("dl.tables a")}
    with sqlite3.connect(garden.path) as file:
        expected = {name for (name,) in file.execute("select name from sqlite_master where type in ('table', 'view')")}
    assert {name for name in expected if not name.startswith(("_", "sqlite_"))} == listed
    text = page.select_one("dl.tables").get_text(" ", strip=True)
    assert "One row for each page, duplicates too." in text
    assert "28 rows" in page.select("dl.tables")[1].get_text()
    assert not page.select('a[href="/sql"]')


def test_a_table_is_shown_in_pages_of_rows(client, read):
    first = read(client.get("/tables/links"))
    assert len(cells(first)) == 50
    assert first.select_one("[role=status]").get_text(strip=True) == "Rows 1 to 50"
    second = read(client.get(first.select_one("a[rel=next]")["href"]))
    assert cells(second)[0] != cells(first)[0]
    assert second.select_one("a[rel=prev]")["href"] == "/tables/links"
    last = read(client.get("/tables/links?page=9999"))
    assert last.select_one("[role=status]").get_text(strip=True) == "No more rows"
    assert not last.select("a[rel=next]")


def test_columns_are_sorted_up_and_down(client, read):
    page = read(client.get("/tables/page_list"))
    header = next(link for link in page.select("th a") if link.get_text(strip=True) == "words")
    up = read(client.get(header["href"]))
    place = [link.get_text(strip=True).rstrip("▲ ") for link in up.select("th a")].index("words")
    words = [int(row[place]) for row in cells(up)]
    assert words == sorted(words)
    down = read(client.get(up.select("th a")[place]["href"]))
    assert [int(row[place]) for row in cells(down)] == words[::-1]
    assert down.select("th a")[place]["aria-label"] == "words, sorted descending"


def test_texts_are_cut_and_blobs_are_named(client, read):
    page = read(client.get("/tables/contents"))
    _, _, text, html = cells(page)[0]
    assert len(text) == 300
    assert text.endswith("…")
    assert html.startswith("<")
    assert html.endswith(" bytes>")


def test_null_and_empty_texts_differ(client, read):
    page = read(client.get("/tables/page_list?sort=duplicate_of"))
    assert page.select_one("td.note").get_text() == "NULL"


def test_csv_and_json_have_the_whole_table_in_its_order(client, garden):
    found = client.get("/tables/page_list.json?sort=url&desc=1").json
    _, expected = garden.engine.sql("select * from page_list order by url desc")
    assert [tuple(row) for row in found["rows"]] == expected
    assert (found["columns"][0], found["truncated"]) == ("url", False)
    response = client.get("/tables/page_list.csv?sort=url&desc=1")
    assert response.headers["Content-Disposition"] == "attachment; filename=page_list.csv"
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert [row["url"] for row in rows] == [row[0] for row in expected]
    assert len(client.get("/tables/contents.json").json["rows"][0][2]) > 300


@pytest.mark.parametrize("name", ["nope", "sqlite_master", "sqlite_sequence", "_sqlite_migrations", "pages;", 'a"b'])
def test_only_the_tables_of_the_schema_can_be_read(client, name):
    for path in (f"/tables/{name}", f"/tables/{name}.csv", f"/tables/{name}.json"):
        assert client.get(path).status_code == 404


def test_an_unknown_column_is_named_with_the_known_ones(client):
    response = client.get("/tables/rankings?sort=nope")
    assert response.status_code == 400
    assert "name, parameters, iterations" in response.text


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_hostile_names_columns_and_pages_are_refused_or_ignored(client, read, payload):
    for path in ("/tables/{}", "/tables/pages?sort={}", "/tables/pages?page={}&desc={}", "/tables/{}.csv"):
        response = client.get(path.replace("{}", quoted(payload)))
        assert response.status_code in (200, 308, 400, 404), path
        if response.mimetype == "text/html":
            assert not read(response).select("main script, main img, main svg, main iframe, [onload], [onerror]")


def test_hostile_content_is_text(tmp_path, site, read):
    site.show({"/": "<title>&lt;script>alert(1)&lt;/script></title><p>a</p>"})
    with Engine(tmp_path / "a.db") as engine:
        engine.crawl(site.base + "/", workers=0)
    client = create_app(str(tmp_path / "a.db")).test_client()
    page = read(client.get("/tables/page_list"))
    assert "<script>alert(1)</script>" in page.select_one("tbody").get_text()
    assert not page.select("main script")


def test_a_table_that_takes_too_long_is_refused(client, monkeypatch):
    monkeypatch.setattr("minisearch.web.views.tables.SECONDS", -1.0)
    response = client.get("/tables/vocabulary?sort=df")
    assert response.status_code == 400
    assert "time limit" in response.text


def test_several_files_have_no_tables(garden, tmp_path):
    split(garden.path, tmp_path / "shards", 2)
    client = create_app(f"{tmp_path}/shards/*.db", sql=True).test_client()
    for path in ("/tables", "/tables/pages", "/tables/pages.csv", "/sql", "/sql?sql=select+1", "/sql.csv?sql=select+1"):
        response = client.get(path)
        assert response.status_code == 404
        assert "several files" in response.text
