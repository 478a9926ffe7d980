"""rankers and weights, and searching with other weights and other link scores."""

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


def test_rankers_shows_each_ranker_and_how_hits_move(call):
    done = call("rankers", "pruning roses", "--limit", "3")
    steps = [line.partition(":")[0] for line in done.stdout.splitlines() if line and not line.startswith(" ")]
    assert steps == ["boolean", "tfidf", "bm25", "fields", "links", "blend"]
    blend = done.stdout.partition("blend: ")[2].splitlines()
    assert "Pruning roses in late winter" in blend[1]
    assert any(f" {move} " in done.stdout for move in ("new", "up 1", "down 1"))


def test_rankers_as_json(call):
    told = json.loads(call("rankers", "roses", "--json").stdout)
    assert list(told) == ["boolean", "tfidf", "bm25", "fields", "links", "blend"]
    assert all(step["total"] == len(step["hits"]) or len(step["hits"]) == 5 for step in told.values())


def test_rankers_that_find_nothing_exit_with_1(call):
    done = call("rankers", "zeppelin")
    assert done.exit_code == 1
    assert "nothing found" in done.stderr


def test_rankers_suggests_a_spelling(call):
    assert call("rankers", "prunning").stderr == "no page has prunning\ndid you mean: pruning\nnothing found\n"
    assert call("rankers", "prunning roses").stderr == "no page has prunning\ndid you mean: pruning roses\n"


@pytest.mark.parametrize("ranker", ["boolean", "tfidf", "bm25", "fields", "blend"])
def test_the_score_of_every_ranker_is_words_times_links(call, ranker):
    hits = json.loads(call("rankers", "pruning roses", "--json").stdout)[ranker]["hits"]
    assert [hit["text_score"] * hit["link_factor"] for hit in hits] == pytest.approx([hit["score"] for hit in hits])
    assert "link score" not in call("search", "pruning roses", "--ranker", ranker).stdout


def test_a_weight_can_be_changed_for_one_query_or_for_the_file(call):
    usual = call("search", "roses", "--json").stdout
    once = call("search", "roses", "--json", "--set", "weight.title=50")
    assert json.loads(once.stdout)["hits"][0]["score"] > json.loads(usual)["hits"][0]["score"]
    changed = call("weights", "--set", "weight.title=50")
    assert "weight.title         50        weight of a word in the title (default 1.2)" in changed.stdout
    scores = [json.loads(told)["hits"][0]["score"] for told in (once.stdout, call("search", "roses", "--json").stdout)]
    assert scores[0] == scores[1]
    assert "default" not in call("weights", "--reset").stdout
    assert json.loads(call("weights", "--json").stdout)["weight.title"] == 1.2


def test_a_ranker_can_be_named(call):
    told = json.loads(call("search", "pruning roses", "--ranker", "boolean", "--json").stdout)
    urls = [hit["url"] for hit in told["hits"]]
    assert urls == sorted(urls)
    assert told["total"] < json.loads(call("search", "pruning roses", "--json").stdout)["total"]


@pytest.mark.parametrize("words", [["search", "x"], ["explain", "x", "http://y/"], ["weights"]])
def test_a_wrong_weight_is_refused(call, words):
    for setting, complaint in (
        ("weight.tail=1", "did you mean weight.title?"),
        ("k1", "NAME=VALUE"),
        ("blend=7", "from 0 to 1"),
    ):
        done = call(*words, "--set", setting)
        assert done.exit_code == 2
        assert complaint in done.stderr
        assert "Traceback" not in done.stderr


def test_every_weight_is_explained_in_one_line(call):
    lines = call("weights").stdout.splitlines()
    assert len(lines) == len(json.loads(call("weights", "--json").stdout))
    assert all(len(line.split(maxsplit=2)) == 3 and len(line) <= 120 for line in lines)


def scores(call, *words):
    return {hit["url"]: hit["score"] for hit in json.loads(call("search", "roses", "--json", *words).stdout)["hits"]}


def test_another_ranking_can_be_the_link_score_of_one_query_or_of_the_file(call):
    ranked = call("rank", "--method", "trustrank", "--trust", "*/roses.html")
    assert 'minisearch search --prior trustrank QUERY" or "minisearch weights --set prior=trustrank' in ranked.stderr
    by_pagerank, by_trust = scores(call), scores(call, "--prior", "trustrank")
    assert by_pagerank != by_trust
    assert scores(call, "--set", "prior=trustrank") == by_trust
    assert "prior                trustrank" in call("weights", "--set", "prior=trustrank").stdout
    assert scores(call) == by_trust
    assert scores(call, "--prior", "pagerank") == by_pagerank
    url = next(iter(by_trust))
    explained = json.loads(call("explain", "roses", url, "--json").stdout)
    assert (explained["ranking"], explained["score"]) == ("trustrank", pytest.approx(by_trust[url]))
    assert explained["link_factor"] == pytest.approx(1 + explained["blend"] * explained["prior"])
    call("weights", "--reset")
    assert scores(call) == by_pagerank


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("search", "x", "--prior", "trustrank"), 'run "minisearch rank --method trustrank" first'),
        (("weights", "--set", "prior=hubs"), 'run "minisearch rank --method hits" first'),
        (("search", "x", "--prior", "fame"), "choose pagerank, trustrank, topic, authorities or hubs"),
        (("weights", "--set", "prior="), "prior must be the name of a ranking"),
        (("weights", "--set", "prior=spam_mass"), "prior must be the name of a ranking"),
        (("weights", "--set", "blend=much"), 'blend must be a number, not "much"'),
    ],
)
def test_a_link_score_that_does_not_exist_is_refused(call, words, message):
    done = call(*words)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr
