"""ladder and ranking, and searching by other numbers."""

import json
import sqlite3
from contextlib import closing

import pytest
from click.testing import CliRunner

from minisearch.cli.main import main


@pytest.fixture
def call(garden, tmp_path, monkeypatch):
    """A command on a garden of its own."""
    with closing(sqlite3.connect(garden.path)) as theirs, closing(sqlite3.connect(tmp_path / "garden.db")) as ours:
        theirs.backup(ours)
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, [*words, "--db", "garden.db"])


def test_the_ladder_shows_each_step_and_who_moved(call):
    done = call("ladder", "pruning roses", "--limit", "3")
    steps = [line.partition(":")[0] for line in done.stdout.splitlines() if line and not line.startswith(" ")]
    assert steps == ["boolean", "tfidf", "bm25", "fields", "links", "blend"]
    blend = done.stdout.partition("blend: ")[2].splitlines()
    assert "Pruning roses in late winter" in blend[1]
    assert any(f" {move} " in done.stdout for move in ("new", "up 1", "dn 1"))


def test_the_ladder_as_data(call):
    told = json.loads(call("ladder", "roses", "--json").stdout)
    assert list(told) == ["boolean", "tfidf", "bm25", "fields", "links", "blend"]
    assert all(step["total"] == len(step["hits"]) or len(step["hits"]) == 5 for step in told.values())


def test_a_ladder_that_finds_nothing_is_exit_code_1(call):
    done = call("ladder", "zeppelin")
    assert done.exit_code == 1
    assert "nothing found" in done.stderr


def test_the_ladder_tells_the_nearest_spelling_too(call):
    assert call("ladder", "prunning").stderr == "no page has prunning\ndid you mean: pruning\nnothing found\n"
    assert call("ladder", "prunning roses").stderr == "no page has prunning\ndid you mean: pruning roses\n"


@pytest.mark.parametrize("ranker", ["boolean", "tfidf", "bm25", "fields", "blend"])
def test_the_score_of_every_ranker_is_words_times_links(call, ranker):
    hits = json.loads(call("ladder", "pruning roses", "--json").stdout)[ranker]["hits"]
    assert [hit["text_score"] * hit["link_factor"] for hit in hits] == pytest.approx([hit["score"] for hit in hits])
    assert "PageRank" not in call("search", "pruning roses", "--ranker", ranker).stdout


def test_a_number_can_be_changed_for_one_query_or_for_good(call):
    usual = call("search", "roses", "--json").stdout
    once = call("search", "roses", "--json", "--set", "weight.title=50")
    assert json.loads(once.stdout)["hits"][0]["score"] > json.loads(usual)["hits"][0]["score"]
    changed = call("ranking", "--set", "weight.title=50")
    assert "weight.title         50  (usually 1.2)" in changed.stdout
    scores = [json.loads(told)["hits"][0]["score"] for told in (once.stdout, call("search", "roses", "--json").stdout)]
    assert scores[0] == scores[1]
    assert "usually" not in call("ranking", "--reset").stdout
    assert json.loads(call("ranking", "--json").stdout)["weight.title"] == 1.2


def test_a_ranker_can_be_named(call):
    told = json.loads(call("search", "pruning roses", "--ranker", "boolean", "--json").stdout)
    urls = [hit["url"] for hit in told["hits"]]
    assert urls == sorted(urls)
    assert told["total"] < json.loads(call("search", "pruning roses", "--json").stdout)["total"]


@pytest.mark.parametrize("words", [["search", "x"], ["explain", "x", "http://y/"], ["ranking"]])
def test_what_is_no_number_of_the_ranking_is_refused(call, words):
    for setting, complaint in (("weight.tail=1", "no number called"), ("k1", "NAME=VALUE"), ("blend=7", "from 0 to 1")):
        done = call(*words, "--set", setting)
        assert done.exit_code == 2
        assert complaint in done.stderr
        assert "Traceback" not in done.stderr
