"""The commands that look inside, run as a person would."""

import csv
import io
import json
import os
import subprocess
import sys

import pytest


@pytest.fixture
def run(garden):
    def minisearch(*words):
        return subprocess.run(
            [sys.executable, "-m", "minisearch", *words],
            text=True, capture_output=True, timeout=60, env={**os.environ, "MINISEARCH_DB": str(garden.path)},
        )  # fmt: skip

    return minisearch


def test_term_shows_the_postings_of_a_word(run, garden):
    told = run("term", "roses", "--limit", "1")
    assert "roses: indexed as rose  (en, sr)\non 7 of 25 pages, idf 1.2432\n" in told.stdout
    assert f"{garden.home}roses.html" in told.stdout
    assert "title       1  at 1\n" in told.stdout
    assert "6 more pages" in told.stderr


def test_term_as_json_has_the_same(run):
    account = json.loads(run("term", "roses", "--json").stdout)
    assert (account["df"], len(account["postings"])) == (7, 7)


def test_a_word_on_no_page_is_exit_code_1(run):
    done = run("term", "zeppelin")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", 'no page has "zeppelin"\n')


def test_page_shows_page_details(run, garden):
    told = run("page", garden.home + "roses.html", "--limit", "2").stdout
    said = ["Pruning roses", "language  en (html lang)", "charset   utf-8", "reached ", "pagerank", "place 8 of 26"]
    said += ["old-roses.html  (redirect)", "prune  (idf", "linked from 5 pages, the first 2:", "links to 5 URLs"]
    assert [each for each in said if each not in told] == []


def test_page_as_json_has_the_same(run, garden):
    account = json.loads(run("page", garden.home + "roses.html", "--json").stdout)
    assert account["facts"]["title"] == "Pruning roses in late winter"
    assert (account["in_count"], account["terms"][0]["term"]) == (5, "prune")


def test_an_unknown_page_is_exit_code_1(run):
    done = run("page", "https://never.example/")
    assert done.returncode == 1
    assert "see minisearch why https://never.example/" in done.stderr


def test_sql_prints_an_aligned_table(run):
    lines = run("sql", "select url as address, title from top_pages where title like 'Pruning%'").stdout.splitlines()
    assert [line.split() for line in lines[:2]] == [["address", "title"], ["-" * lines[1].index(" "), "-" * 28]]
    assert lines[2].endswith("roses.html  Pruning roses in late winter")


def test_sql_cuts_long_cells_and_names_blobs(run):
    row = run("sql", "select text, html from contents limit 1").stdout.splitlines()[2]
    assert "…" in row
    assert row.endswith("bytes>")
    assert len(row) < 90


def test_sql_as_json_and_csv(run):
    asked = "select state, count(*) as urls from url_status group by state"
    rows = json.loads(run("sql", asked, "--json").stdout)
    assert {"state": "fetched", "urls": 26} in rows
    assert {"state": "fetched", "urls": "26"} in list(csv.DictReader(io.StringIO(run("sql", asked, "--csv").stdout)))


def test_sql_as_json_keeps_repeated_columns_and_infinity(run):
    rows = json.loads(run("sql", "select 1 as a, 2 as a, 1e999 as b", "--json").stdout, parse_constant=pytest.fail)
    assert rows == [{"a": 1, "a:1": 2, "b": "inf"}]


@pytest.mark.parametrize("statement", ["delete from pages", "select * from nope", "selct 1", "select 1; select 2", ""])
def test_wrong_sql_is_one_line_and_exit_code_2(run, statement):
    done = run("sql", statement)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert done.stderr.startswith("minisearch: SQL: ")


def test_stats_show_sizes_words_and_links(run):
    told = run("stats").stdout
    for said in (
        " bytes\n",
        ", repeated no, ",
        "  1 link  ",
        "languages en 23",
        "depths    0: 1, 1: 9",
        "Zipf ",
        "Heaps ",
        "on 25 of 25 pages",
        "median",
    ):
        assert said in told, said
    assert {"sizes", "words", "degrees", "languages", "depths"} <= json.loads(run("stats", "--json").stdout).keys()


def test_explain_against_shows_why_and_what_would_change_the_order(run, garden):
    words = ("explain", "pruning roses", garden.home + "flowers.html", "--against", garden.home + "roses.html")
    told = run(*words).stdout
    assert told.startswith('"Flowers for every month" is below "Pruning roses in late winter", most of all because ')
    assert "what would change the order" in told
    assert "smaller part" in told  # than the twelve that have a line of their own: nothing is left out
    worth = [float(row.split()[-1]) for row in told.split("\n\n")[1].splitlines()[1:] if not row.startswith("words")]
    assert sum(worth[:-1]) == pytest.approx(worth[-1], abs=0.001)
    data = json.loads(run(*words, "--json").stdout)
    assert data["because"] == told.splitlines()[0]
    assert [change["said"] in told for change in data["changes"]] == [True] * len(data["changes"])


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("pruning", ""),
        ("roses -pruning", "This page does not match the query; this is the score it would have."),
        ("zeppelin", "This page does not match the query; this is the score it would have."),
        ("roses potatoes", "Some important query words are missing, so pages that have all of them rank first"),
    ],
)
def test_explain_reports_missing_words(run, garden, query, told):
    shown = run("explain", query, f"{garden.home}roses.html").stdout
    assert told in shown
    assert ("does not match" in shown or "are missing" in shown) == bool(told)


def test_explain_against_itself_is_an_error(run, garden):
    done = run("explain", "roses", garden.home + "roses.html", "--against", garden.home + "roses.html")
    assert done.returncode == 2
    assert "are the same page" in done.stderr
