"""fetch, inspect, robots, normalize, as a person types them."""

import json

import pytest
from click.testing import CliRunner

from minisearch.cli.main import main


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*words):
        return CliRunner().invoke(main, words, catch_exceptions=False)

    return run


@pytest.fixture
def roses(site):
    page = '<title>Roses</title><h1>Roses</h1><a href="/b">thorns</a><p hidden>cheap</p>'
    site.show({"/a": (301, {"Location": "/roses"}, b""), "/roses": page})
    site.routes["/robots.txt"] = (200, {}, b"User-agent: *\nDisallow: /thorns\nSitemap: /map.xml")
    return site.base


def test_fetch_shows_redirects_headers_and_result(run, roses):
    done = run("fetch", roses + "/a")
    assert done.exit_code == 0
    assert f"1. {roses}/a\n   301 Moved Permanently" in done.output
    assert "Location: /roses" in done.output
    assert "charset: utf-8 (valid utf-8)\nresult: a page that would be indexed\ntitle: Roses" in done.output


def test_fetch_prints_the_body_alone_or_json(run, roses):
    assert run("fetch", roses + "/a", "--body").output.startswith("<title>Roses</title>")
    report = json.loads(run("fetch", roses + "/a", "--json").output)
    assert [hop["status"] for hop in report["hops"]] == [301, 200]


def test_fetch_of_something_else_than_a_page_is_exit_code_1(run, roses):
    done = run("fetch", roses + "/none")
    assert done.exit_code == 1
    assert "result: the server answered 404 Not Found" in done.output


def test_robots_shows_the_line_and_sets_the_exit_code(run, roses):
    done = run("robots", roses + "/thorns")
    assert done.exit_code == 1
    assert "not allowed" in done.output
    assert "line 2: Disallow: /thorns" in done.output
    assert "sitemap: /map.xml" in done.output
    done = run("robots", roses + "/roses", "--json")
    assert (done.exit_code, json.loads(done.output)["allowed"]) == (0, True)


def test_inspect_reports_outline_links_and_advice(run, roses):
    done = run("inspect", roses + "/roses")
    assert done.exit_code == 0
    for told in ("title        Roses", "h1 Roses", '"thorns"', "note (hidden)", "warning (viewport)"):
        assert told in done.output
    report = json.loads(run("inspect", roses + "/roses", "--json").output)
    assert report["headings"] == [[1, "Roses"]]


def test_inspect_of_a_missing_page(run, roses):
    assert run("inspect", roses + "/none").exit_code == 1
    done = run("inspect", "none.html")
    assert done.exit_code == 2
    assert 'there is no file "none.html"' in done.output


def test_normalize_prints_one_url_per_line(run):
    done = run("normalize", "HTTP://Example.com:80/a/../b#c", "https://example.com")
    assert done.output == "http://example.com/b\nhttps://example.com/\n"
    assert run("normalize", "../x", "--base", "https://example.com/a/b/").output == "https://example.com/a/x\n"
    done = run("normalize", "foo")
    assert (done.exit_code, "not an http or https URL" in done.output) == (2, True)


def test_no_file_is_created(run, roses, tmp_path):
    for command in ("fetch", "robots", "inspect", "normalize"):
        run(command, roses + "/roses")
    assert list(tmp_path.iterdir()) == []


def test_page_content_is_sanitized_in_json_too(run, site):
    site.show({"/": "<title>Roses \u202egnp.exe \x9b31m</title><p>red"})
    told = run("inspect", site.base + "/", "--json").output
    assert "\u202e" not in told
    assert "\x9b" not in told
    assert json.loads(told)["titles"][0].startswith("Roses \u202e")
