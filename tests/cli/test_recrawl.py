"""recrawl and crawl --only, as a person runs them."""

import pytest
from click.testing import CliRunner

from minisearch.cli.crawl import WOULD_SHRINK
from minisearch.cli.main import main


@pytest.fixture
def run(tmp_path):
    path = str(tmp_path / "zoo.db")

    def run(*words):
        return CliRunner().invoke(main, [*words, "--db", path])

    return run


@pytest.fixture
def server(zoo, run):
    server = zoo.open("collapse")
    assert run("crawl", f"{server.base}/", "--workers", "0").exit_code == 0
    return server


def test_an_unchanged_site_is_one_line(run, server):
    done = run("recrawl", "--workers", "0")
    assert done.exit_code == 0
    assert "checked 31 of 31 pages: 31 unchanged, 0 changed, 0 gone, 0 unreachable and kept; 0 new" in done.output


def test_a_site_that_lost_its_pages_keeps_them_until_that_is_accepted(run, server):
    server.day = 2
    done = run("recrawl", "--workers", "0")
    assert done.exit_code == WOULD_SHRINK
    assert "0 gone, 25 kept; 0 new" in done.output
    assert "--accept-shrink" in done.output
    done = run("recrawl", "--workers", "0", "--accept-shrink")
    assert done.exit_code == 0
    assert "25 gone" in done.output
    assert f"gone: {server.base}/page/5 (the server answered 404 Not Found)" in done.output
    assert "and 5 more" in done.output


def test_the_budget_limits_requests(run, server):
    server.requests.clear()
    assert "checked 3 of 31 pages" in run("recrawl", "--workers", "0", "--budget", "3").output
    assert len(server.requests) == 3


def test_one_crawl_can_be_named(run, server):
    assert "checked 31" in run("recrawl", f"{server.base}/", "--workers", "0").output
    done = run("recrawl", f"{server.base}/elsewhere/")
    assert done.exit_code == 2
    assert "there is no crawl of" in done.output


def test_only_fetches_one_url(run, server):
    server.requests.clear()
    done = run("crawl", "--only", f"{server.base}/page/7")
    assert done.exit_code == 0
    assert "checked 1 of 31 pages: 1 unchanged" in done.output
    assert [path for _, path in server.requests] == ["/page/7"]


def test_bad_input_is_one_line(run, server):
    assert run("crawl").exit_code == 2
    assert run("crawl", server.base, "--only", server.base).exit_code == 2
    done = run("crawl", "--only", f"{server.base}/unheard-of")
    assert done.exit_code == 2
    assert "is not in the file" in done.output


def test_recrawl_needs_a_file(run):
    done = run("recrawl")
    assert done.exit_code == 2
    assert "Traceback" not in done.output


def test_only_reports_why_a_url_was_not_fetched(run, site):
    site.show({"/": ["/a"], "/a": (404, {}, b"")})
    run("crawl", f"{site.base}/", "--workers", "0")
    done = run("crawl", "--only", f"{site.base}/a")
    assert done.exit_code == 0, done.output
    assert f"not fetched: {site.base}/a (the server answered 404 Not Found)" in done.stdout


def test_a_ranking_of_search_that_was_not_recomputed_is_reported(run, server):
    assert "which was not recomputed" not in run("recrawl", "--workers", "0").output
    run("rank", "--method", "trustrank", "--trust", f"{server.base}/")
    run("weights", "--set", "prior=trustrank")
    assert "which was not recomputed" not in run("recrawl", "--workers", "0").output  # nothing has changed
    server.day = 2
    done = run("recrawl", "--workers", "0", "--accept-shrink")
    assert 'search uses the ranking "trustrank", which was not recomputed' in done.output


def test_a_site_of_which_no_page_can_be_reached_is_a_failure(run, site):
    site.show({"/": ["/a"], "/a": "<p>A page"})
    assert run("crawl", f"{site.base}/", "--workers", "0", "--retries", "0").exit_code == 0
    site.show({path: (503, {}, b"") for path in ("/", "/a")})
    done = run("recrawl", "--workers", "0")
    assert "2 unreachable and kept" in done.output
    assert done.exit_code == 1
