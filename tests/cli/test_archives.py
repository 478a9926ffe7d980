"""crawl --warc and import, as a person types them."""

import pytest
from click.testing import CliRunner

from minisearch.cli.main import main


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, words, catch_exceptions=False)


def test_a_crawl_is_recorded_and_imported_again(run, site, tmp_path):
    site.show({"/": ["/a", "/none"], "/a": "<title>Roses</title>"})
    one = run("crawl", site.base + "/", "--db", "one.db", "--workers", "0", "--warc", "site.warc.gz")
    two = run("import", "site.warc.gz", "--db", "two.db")
    assert (one.exit_code, two.exit_code) == (0, 0)
    counts = "3 URLs discovered: 2 fetched, 0 merged, 0 skipped, 1 failed (http-404 1)"
    assert counts in one.output
    assert counts in two.output
    assert run("lucky", "roses", "--db", "two.db").output == f"{site.base}/a\n"


def test_what_was_queued_when_it_was_recorded_is_queued_again(run, site):
    site.show({"/": ["/a", "/b"], "/a": "<title>Roses</title>", "/b": "<title>Tulips</title>"})
    words = ("--db", "one.db", "--workers", "0", "--max-pages", "2", "--warc", "site.warc.gz")
    one = run("crawl", site.base + "/", *words).output.splitlines()
    two = run("import", "site.warc.gz", "--db", "two.db").output.splitlines()
    assert one[:2] == two[:2] == ["indexing ...", "ranking ..."]
    assert one[2] == two[2] == "3 URLs discovered: 2 fetched, 0 merged, 0 skipped, 0 failed, 1 queued"
    assert one[3] == "page limit reached: run the same command with a higher --max-pages to continue"
    assert two[3] == "these URLs are not in the archive, or were queued when it was recorded"
    assert two[4].endswith(" s, in two.db")


def test_a_folder_is_imported_and_ignored_files_are_counted(run, tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "a.html").write_text("<title>Tulips</title>")
    (tmp_path / "site" / "b.css").write_text("")
    done = run("import", "site", "--base", "https://example.com/", "--db", "x.db")
    assert done.exit_code == 0
    assert "ignored 1: .css 1" in done.output
    assert run("lucky", "tulips", "--db", "x.db").output == "https://example.com/a.html\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["none.warc"], 'there is no "none.warc" to import'),
        (["page.html"], "is one page"),
        (["text.warc"], "not a web archive"),
        (["page.html", "--seed", "foo"], "not an http or https URL"),
    ],
)
def test_a_failed_import_is_reported_and_leaves_no_file(run, tmp_path, words, told):
    (tmp_path / "page.html").write_text("<p>x")
    (tmp_path / "text.warc").write_text("hello")
    done = run("import", *words, "--db", "new.db")
    assert done.exit_code == 2
    assert told in done.output
    assert not (tmp_path / "new.db").exists()


def test_invalid_sitemaps_leave_no_file(run, site, tmp_path):
    site.show({"/": []})
    done = run("crawl", site.base + "/", "--sitemaps", "some", "--db", "new.db")
    assert done.exit_code == 2
    assert 'sitemaps must be robots, auto, none or a URL; not an http or https URL: "some"' in done.output
    assert not (tmp_path / "new.db").exists()
