"""rank on a crawl, from the command line."""

import json
import sqlite3
from contextlib import closing

import pytest
from click.testing import CliRunner

from minisearch.cli.main import main


@pytest.fixture
def run(garden, tmp_path):
    """Runs `minisearch rank` on a copy of the garden's file."""
    copy = tmp_path / "garden.db"
    with closing(sqlite3.connect(garden.path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    return lambda *words: CliRunner().invoke(main, ["rank", "--db", str(copy), *words])


def test_trustrank_of_a_crawl(run, garden):
    done = run("--method", "trustrank", "--trust", f"{garden.home}*", "--top", "2")
    assert done.exit_code == 0
    assert "TrustRank of" in done.stderr
    assert "converged after" in done.stderr
    assert len(done.stdout.splitlines()) == 2


def test_hits_of_a_crawl_shows_both(run):
    done = run("--method", "hits", "--top", "1")
    assert [line[:8] for line in done.stdout.splitlines()] == ["authorit", "1.000000", "hubs:", "1.000000"]


def test_hits_of_a_query(run):
    done = run("--method", "hits", "--query", "garden", "--top", "3", "--json")
    told = json.loads(done.stdout)
    assert set(told["top"]) == {"authorities", "hubs"}
    assert told["top"]["authorities"][0]["score"] == 1


def test_every_page_around_a_query_is_shown_with_its_title(run):
    told = json.loads(run("--method", "hits", "--query", "roses", "--top", "15", "--json").stdout)
    assert len(told["top"]["hubs"]) == 15  # and fewer than that answer the query
    assert all(one["title"] for one in told["top"]["hubs"])


def test_topics(run, garden):
    done = run("--method", "topic", "--topic", f"all={garden.home}*", "--prefer", "all=2", "--json")
    assert json.loads(done.stdout)["converged"] is True
    assert json.loads(done.stdout)["settled"] is True  # the former name


def test_a_ranking_that_did_not_converge_is_reported_with_its_residual(run):
    done = run("--damping", "1", "--max-rounds", "2")
    assert "did not converge: residual" in done.stderr
    assert "damping 1: no teleporting" in done.stderr
    assert "links are never followed" in run("--damping", "0").stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--damping 1.5", "1.5 is not in the range 0<=x<=1"),
        ("--damping nan", "nan"),
        ("--method fame", "'fame' is not one of"),
        ("--method trustrank", "trustrank needs trusted pages"),
        ("--method trustrank --trust .nowhere", 'no page matches ".nowhere"'),
        ("--trust .edu", "--trust does not apply to --method pagerank"),
        ("--method topic", "topic needs at least one topic"),
        ("--method topic --topic nonsense", "write NAME=PATTERN"),
        ("--method topic --topic a=* --prefer a", "write NAME=WEIGHT"),
        ("--method topic --topic a=* --prefer b=1", 'unknown topic "b"'),
        ("--query garden", "--query does not apply to --method pagerank, only to hits"),
        ("--method hits --query xyzzyplugh", "no page matches"),
        (
            "--method hits --query garden --loops",
            "--query cannot be combined with --cluster, --blocks, --repeated or --loops",
        ),
        (
            "--method hits --damping .5",
            "--damping does not apply to --method hits, only to pagerank, trustrank, spam-mass, topic",
        ),
        ("--method hits --dangling leak", "--dangling does not apply to --method hits"),
    ],
)
def test_bad_options_are_one_line_errors(run, words, complaint):
    done = run(*words.split())
    assert done.exit_code == 2
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_titles_are_sanitized(run, tmp_path):
    with closing(sqlite3.connect(tmp_path / "garden.db")) as file, file:
        file.execute("UPDATE pages SET title = 'Roses ' || char(0x202e, 27) || 'gnp.exe'")
    for words in (["--top", "1"], ["--top", "1", "--json"]):
        told = run(*words).stdout
        assert "gnp.exe" in told
        assert not {"\u202e", "\x1b"}.intersection(told)
