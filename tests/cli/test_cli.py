"""The command line, run as a person would: real processes, real files, a real site."""

import csv
import io
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import click
import pytest

from minisearch import Engine
from minisearch.cli.main import COMMANDS, main
from minisearch.cli.search import _hyperlink
from minisearch.testing.server import fixture_server


def minisearch(*words, cwd, **environment):
    return subprocess.run(
        [sys.executable, "-m", "minisearch", *words],
        cwd=cwd, text=True, capture_output=True, timeout=60, env={**os.environ, **environment},
    )  # fmt: skip


@pytest.fixture(scope="module")
def site():
    with fixture_server() as base_url:
        yield base_url


@pytest.fixture(scope="module")
def folder(site, tmp_path_factory):
    """A folder with garden.db, crawled by the command itself."""
    where = tmp_path_factory.mktemp("cli")
    done = minisearch("crawl", f"{site}/garden/index.html", "--db", "garden.db", "--workers", "1", cwd=where)
    assert done.returncode == 0, done.stderr
    (where / "crawl.out").write_text(done.stdout)
    return where


@pytest.fixture
def run(folder):
    return lambda *words, **environment: minisearch(*words, cwd=folder, MINISEARCH_DB="garden.db", **environment)


def test_a_crawl_ends_with_a_summary_of_all_urls(folder):
    out = (folder / "crawl.out").read_text()
    counts = "26 fetched, 3 merged, 5 skipped (scope 2, nofollow 1, robots 1, scheme 1), 1 failed (http-404 1)"
    assert f"35 URLs discovered: {counts}\n25 pages indexed, " in out


def test_search_shows_title_url_snippet_and_score(run, site):
    done = run("search", "pruning", "roses")
    assert done.returncode == 0
    assert "1. Pruning roses in late winter" in done.stdout
    assert f"{site}/garden/roses.html" in done.stdout
    assert "score" in done.stdout


def test_lucky_reports_a_query_without_hits(run):
    done = run("lucky", "lang:klingon", "roses")
    assert (done.returncode, done.stderr) == (1, "no page is in the language klingon\nnothing found\n")


def test_search_names_the_section_and_json_and_csv_link_to_the_place(run, site):
    assert "    § Summer\n    … June belongs" in run("search", "pruning", "roses").stdout
    told = json.loads(run("search", "pruning", "roses", "--json").stdout)["hits"]
    (hit,) = (hit for hit in told if hit["heading"] == "Summer")
    assert hit["link"].startswith(f"{site}/garden/flowers.html#:~:text=")
    rows = csv.DictReader(io.StringIO(run("search", "pruning", "roses", "--csv").stdout))
    assert (hit["heading"], hit["link"]) in [(row["heading"], row["link"]) for row in rows]


def test_a_terminal_that_can_follow_links_gets_them(monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert _hyperlink("here", "http://x/#:~:text=here") == "\033]8;;http://x/#:~:text=here\033\\here\033]8;;\033\\"
    assert _hyperlink("here", "") == "here"
    monkeypatch.setenv("TERM", "dumb")
    assert _hyperlink("here", "http://x/") == "here"


def test_nothing_found_is_exit_code_1(run):
    done = run("search", "zeppelin")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "no page has zeppelin\nnothing found\n")


@pytest.mark.parametrize("query", ['"', "(((", "-", "AND OR", "\u202eabc", "🌹", "a" * 5000, "x " * 5000])
def test_no_query_is_an_error(run, query):
    done = run("search", "--", query)
    assert done.returncode in (0, 1)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words", [["-roses"], ["+roses", "-pruning"], ["-hedge"], ["--", "-roses"], ["-"], ["-x", "-y"]]
)
def test_a_query_may_begin_with_a_minus(run, words):
    done = run("search", *words)
    assert done.returncode in (0, 1)
    assert "No such option" not in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["roses", "--limt", "3"], 'Did you mean "--limit"?'),
        (["--jsn", "roses"], 'Did you mean "--json"?'),
        (["roses", "--zzzz=1"], "No such option: --zzzz"),
    ],
)
def test_a_mistyped_option_is_no_part_of_the_query(run, words, said):
    done = run("search", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


@pytest.mark.parametrize("words", [["--", "--limt", "roses"], ["--limt roses"]])
def test_what_looks_like_an_option_can_be_searched_for(run, words):
    assert run("search", *words).returncode == 0


def test_a_ranker_that_has_an_order_of_its_own_takes_no_other(run):
    done = run("search", "garden", "--ranker", "tfidf", "--sort", "rank")
    assert (done.returncode, done.stdout) == (2, "")
    assert "leave out sort" in done.stderr


def test_ordered_by_links_alone_the_score_is_the_rank(run):
    told = run("search", "garden", "--sort", "rank", "--limit", "1").stdout
    hit = json.loads(run("search", "garden", "--sort", "rank", "--limit", "1", "--json").stdout)["hits"][0]
    assert f"link score {hit['score']:.6f}" in told


@pytest.mark.parametrize("closed", [">&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_do_not_break_a_command(tmp_path, closed):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "a.html").write_text("<title>Hello</title>")
    words = f'"{sys.executable}" -m minisearch import site --db a.db {closed}'
    done = subprocess.run(words, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    with Engine(tmp_path / "a.db") as engine:
        assert engine.search("hello").total == 1


@pytest.mark.parametrize("words", [["search", "garden", "--db", "garden.db"], ["--help"], ["search", "--help"]])
def test_output_that_cannot_be_written_is_a_one_line_error(folder, words):
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "minisearch", *words]
        done = subprocess.run(command, cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "minisearch: No space left on device"
    assert "Traceback" not in done.stderr


def test_an_error_of_the_system_names_the_file(folder):
    (folder / "taken").write_text("")
    done = minisearch("shards", "split", "garden.db", "--n", "2", "--out", "taken/shards", cwd=folder)
    assert (done.returncode, done.stderr) == (2, "minisearch: taken/shards.unfinished: Not a directory\n")


def test_a_wrong_url_leaves_no_file_and_looking_makes_none(tmp_path):
    assert minisearch("crawl", "foo", "--db", "new.db", cwd=tmp_path).returncode == 2
    (tmp_path / "empty.db").touch()
    done = minisearch("search", "x", "--db", "empty.db", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        2,
        'minisearch: "empty.db" is an empty file: crawl a site into it first\n',
    )
    assert [(path.name, path.stat().st_size) for path in tmp_path.iterdir()] == [("empty.db", 0)]


def test_json_is_one_object_with_all_fields(run):
    found = json.loads(run("search", "compost", "--json").stdout)
    assert found.keys() >= {"query", "total", "took_ms", "hits"}
    assert found["hits"][0].keys() >= {"url", "title", "score", "text_score", "link_factor", "snippet"}
    assert found["query"] == "compost"


def test_csv_has_a_header_and_one_line_per_hit(run):
    rows = list(csv.DictReader(io.StringIO(run("search", "compost", "--csv", "--limit", "3").stdout)))
    assert len(rows) == 3
    assert float(rows[0]["score"]) > float(rows[1]["score"])


def test_a_table_has_one_line_per_hit(run):
    lines = run("search", "compost", "--table", "--limit", "4").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["#", "1", "2", "3", "4"]


def test_the_second_page_continues_where_the_first_ended(run):
    both = json.loads(run("search", "garden", "--limit", "6", "--json").stdout)["hits"]
    second = json.loads(run("search", "garden", "--limit", "3", "--page", "2", "--json").stdout)["hits"]
    assert both[3:] == second


def test_lucky_prints_one_url(run, site):
    assert run("lucky", "hedge", "maze").stdout == f"{site}/garden/hedge-maze-1.html\n"
    assert run("lucky", "zeppelin").returncode == 1


def test_explain_prints_the_score_that_search_prints(run, site):
    hit = json.loads(run("search", "hedge maze", "--json").stdout)["hits"][0]
    account = json.loads(run("explain", "hedge maze", hit["url"], "--json").stdout)
    assert account["score"] == pytest.approx(hit["score"], abs=1e-9)
    assert f"score  {hit['score']:.4f} = words x links" in run("explain", "hedge maze", hit["url"]).stdout


def test_why_shows_the_rule_and_the_crawl_path(run, site):
    told = run("why", f"{site}/garden/shed/tools.html").stdout
    assert "skipped: robots.txt does not allow it" in told
    assert "rule: robots" in told
    assert f"{site}/garden/index.html" in told
    assert run("why", "https://never.example/").returncode == 1


def test_rank_lists_the_best_pages(run, site):
    done = run("rank", "--damping", "0.85", "--top", "3")
    assert done.stdout.splitlines()[0].endswith(f"{site}/garden/index.html  A garden through the year")
    assert "converged after" in done.stderr


def test_index_again_finds_nothing_to_do(run):
    assert run("index").stdout == "indexed 0 pages\n"


def test_stats_count_the_file(run):
    numbers = json.loads(run("stats", "--json").stdout)
    assert (numbers["pages"], numbers["indexed"], sum(numbers["urls"].values())) == (28, 25, 35)
    assert "pages" in run("stats").stdout


WRONG = [
    (["search", "x", "--db", "missing.db"], 'there is no file "missing.db"'),
    (["search", "x", "--db", "no/such/folder/a.db"], 'there is no file "no/such/folder/a.db"'),
    (["crawl", "ftp://example.com/"], "ftp"),
    (["crawl", "http://127.0.0.1:1/", "--db", "no/such/folder/a.db"], "there is no folder"),
    (["explain", "roses", "https://example.com/"], "is not in the index"),
    (["crawl", "http://127.0.0.1:1/", "--max-pages", "0"], "0 is not in the range"),
    (["serve", "--db", "missing.db"], 'there is no file "missing.db"'),
    (["serve", "--host", "203.0.113.1"], "cannot listen on 203.0.113.1"),
]


@pytest.mark.parametrize(("words", "told"), WRONG, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_bad_input_is_one_line_and_exit_code_2(run, words, told):
    done = run(*words)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (
            "PRAGMA application_id = 0x6D696E69; PRAGMA user_version = 9",
            '"web.db" was written by an older minisearch (schema 9, this one reads 13): run "minisearch crawl URL '
            '--db NEW.db", or "minisearch import FILE --db NEW.db" if the crawl was recorded with --warc',
        ),
        (
            "PRAGMA application_id = 0x6D696E69; PRAGMA user_version = 99",
            '"web.db" was written by a newer minisearch (schema 99, this one reads 13)',
        ),
        ("CREATE TABLE recipes (name)", '"web.db" is a SQLite file of another program'),
    ],
    ids=["older", "newer", "foreign"],
)
@pytest.mark.parametrize("words", [("search", "roses"), ("crawl", "http://127.0.0.1:9/"), ("index",), ("serve",)])
def test_a_file_of_another_schema_or_program_is_refused_and_not_changed(tmp_path, words, script, message):
    path = tmp_path / "web.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"PRAGMA journal_mode = WAL; {script}")  # as our files are
    before = path.read_bytes()
    done = minisearch(*words, "--db", "web.db", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"minisearch: {message}\n")
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["web.db"]


def test_an_unreachable_site_is_reported_with_exit_code_1(tmp_path):
    done = minisearch("crawl", "http://127.0.0.1:1/", "--db", "a.db", cwd=tmp_path)
    assert done.returncode == 1
    assert "robots-unreachable 1" in done.stdout
    assert "http://127.0.0.1:1/: robots.txt could not be read (the connection was refused)" in done.stderr
    assert "Traceback" not in done.stderr


def test_options_come_from_file_then_environment_then_flags(run, folder):
    settings = folder / "minisearch.toml"
    settings.write_text("[search]\nlimit = 2\n")
    try:
        count = lambda done: len(json.loads(done.stdout)["hits"])  # noqa: E731
        assert count(run("search", "garden", "--json")) == 2
        assert count(run("search", "garden", "--json", MINISEARCH_SEARCH_LIMIT="3")) == 3
        assert count(run("search", "garden", "--json", "--limit", "4", MINISEARCH_SEARCH_LIMIT="3")) == 4
        settings.write_text("[serch]\nlimit = 2\n")
        assert "minisearch.toml has a table [serch]" in run("search", "garden").stderr
        settings.write_text("limit = [")
        assert run("search", "garden").returncode == 2
    finally:
        settings.unlink()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run, command):
    done = run(command, "--help")
    assert done.returncode == 0
    assert "Usage:" in done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_every_option_has_a_description(name):
    command = main.get_command(None, name)
    assert command.help
    options = [param for param in command.params if not isinstance(param, click.Argument)]
    assert [option.name for option in options if not option.help] == []


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from minisearch.cli.main import main; main(['--help'], standalone_mode=False); print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True).stdout.split()
    assert not {"numpy", "flask", "requests", "sqlite_utils", "bs4", "scipy"} & set(loaded)


def test_search_loads_neither_crawler_nor_web():
    code = "import sys; from minisearch.engine import Engine; Engine().search('x'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True).stdout.split()
    assert not {"flask", "requests", "selectolax", "bs4", "scipy"} & set(loaded)
