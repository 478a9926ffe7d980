"""The limits on the command line are those of the engine, by the same names."""

from dataclasses import fields

import pytest
from click.testing import CliRunner

from minisearch.cli.crawl import crawl as crawl_command
from minisearch.cli.main import main
from minisearch.limits import Limits


def crawl(*words):
    return CliRunner().invoke(main, ["crawl", *words])


def test_every_limit_is_an_option_with_its_default():
    named = {option.name for option in crawl_command.params}
    assert {each.name for each in fields(Limits)} <= named
    shown = " ".join(crawl("--help").output.split())
    assert "--max-size BYTES Maximum size of a page, decompressed. [default: 10,000,000]" in shown
    assert "--timeout S Maximum time for one page. [default: 30]" in shown


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_limit_can_be_given_by_flag_by_environment_and_by_file(here, site, monkeypatch):
    site.show({"/": "<p>" + "x" * 5000})
    words = (site.base + "/", "--workers", "0", "--no-index")
    assert "1 skipped (size 1)" in crawl(*words, "--page-bytes", "100").output
    monkeypatch.setenv("MINISEARCH_CRAWL_PAGE_BYTES", "9000")
    assert "1 fetched" in crawl(*words).output
    monkeypatch.delenv("MINISEARCH_CRAWL_PAGE_BYTES")
    (here / "minisearch.toml").write_text("[crawl]\npage-bytes = 100\n")
    assert "1 skipped (size 1)" in crawl(*words, "--db", "other.db").output


def test_a_type_can_be_chosen(here, site):
    site.show({"/": (200, {"Content-Type": "application/json"}, b"[]"), "/a": []})
    words = (site.base + "/", "--workers", "0", "--no-index")
    assert "1 skipped (type 1)" in crawl(*words).output
    assert "1 fetched" in crawl(*words, "--type", "application/json", "--type", "text/html").output


SENSELESS = [
    *((f"--{name}", value) for name in ("delay", "page-seconds", "silence-seconds", "pause-seconds", "tries")
      for value in ("nan", "inf", "-inf", "-1", "1e300", "x")),
    *((f"--{name}", "0") for name in ("page-bytes", "tries", "page-seconds", "max-pages", "url-length")),
    *((f"--{name}", "-1") for name in ("max-depth", "redirects", "host-pages", "workers")),
    ("--workers", "many"),
    ("--workers", "1000000"),
    ("--max-depth", "9" * 30),
    ("--max-pages", "9" * 20),
    ("--warc", "missing/pages.warc"),
]  # fmt: skip


@pytest.mark.parametrize("words", SENSELESS, ids=" ".join)
def test_an_invalid_number_is_refused_in_one_line(here, words):
    done = crawl("http://127.0.0.1:9/", *words)
    assert done.exit_code == 2
    assert done.output.startswith("minisearch: ")
    assert done.output.count("\n") == 1
    assert not list(here.iterdir())  # no empty file is left


@pytest.mark.parametrize("value", ["inf", "nan", "2.5"])
def test_a_fraction_in_the_settings_file_is_no_integer(here, value):
    (here / "minisearch.toml").write_text(f"[crawl]\nmax-pages = {value}\n")
    done = crawl("http://127.0.0.1:9/")
    assert (done.exit_code, done.output.count("\n")) == (2, 1)
    assert f"{value} is not a valid integer" in done.output


@pytest.mark.parametrize("delay", ["nan", "inf", "-1", "x"])
def test_recrawl_refuses_an_invalid_delay_in_one_line(here, site, delay):
    site.show({"/": []})
    crawl(site.base + "/", "--workers", "0", "--no-index")
    done = CliRunner().invoke(main, ["recrawl", "--delay", delay])
    assert (done.exit_code, done.output.count("\n")) == (2, 1)
    assert done.output.startswith("minisearch: ")


@pytest.mark.parametrize(
    "words",
    [
        ("rank", "--damping", "nan"),
        ("rank", "--tolerance", "inf"),
        ("search", "--blend", "nan", "word"),
        ("lab", "index-structures", "--patience", "nan"),
    ],
    ids=" ".join,
)
def test_nan_and_infinity_are_refused_by_every_command(here, words):
    done = CliRunner().invoke(main, list(words))
    assert done.exit_code == 2
    assert "is not a finite number" in done.output


def test_workers_are_a_number_or_auto(here, site):
    site.show({"/": []})
    for number in ("auto", "1"):
        assert "1 fetched" in crawl(site.base + "/", "--workers", number, "--no-index").output


def test_the_summary_names_skipped_hosts(here, site):
    site.show({"/": [f"/{n}" for n in range(4)], **{f"/{n}": (503, {}, b"") for n in range(4)}})
    out = crawl(site.base + "/", "--workers", "0", "--no-index", "--tries", "1", "--host-failures", "2").output
    assert "is skipped until the next crawl: 2 of its URLs failed in a row" in out


def test_the_summary_says_that_the_request_limit_was_reached(here, site):
    site.show({"/": [f"/{n}" for n in range(9)], **{f"/{n}": [] for n in range(9)}})
    out = crawl(site.base + "/", "--workers", "0", "--no-index", "--max-requests", "4").output
    assert "10 URLs discovered: 3 fetched, 0 merged, 0 skipped, 0 failed, 7 queued" in out
    assert "request limit reached: run the same command again to continue, or with a higher --max-requests" in out
