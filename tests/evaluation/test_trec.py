"""TREC and JSONL files: what was written is read again, and errors name the line."""

import gzip
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.evaluation.trec import (
    JudgedQuery,
    decreasing_scores,
    query_id,
    query_text,
    read_judgements,
    read_queries,
    read_run,
    run_queries,
    write_qrels,
    write_run,
)

words = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1)
texts = st.text(st.characters(exclude_categories=["Cs"]))
grades = st.dictionaries(words, st.integers(-9, 9), min_size=1)
scores = st.floats(allow_nan=False, allow_infinity=False)
rankings = st.lists(st.tuples(words, scores), min_size=1, unique_by=lambda hit: hit[0])


@pytest.fixture
def file(tmp_path):
    """Writes a file and returns its path."""

    def write(text, name="judged"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


# -- judgements ------------------------------------------------------------------------------


def test_trec_qrels(file):
    read = read_judgements(file("roses 0 http://x.example/a 1\nold_roses 0 b.html 0\n\nroses 0 c 2\n"))
    assert read == [
        JudgedQuery("roses", "roses", {"http://x.example/a": 1, "c": 2}),
        JudgedQuery("old_roses", "old roses", {"b.html": 0}),
    ]


def test_texts_of_trec_queries_come_from_their_file(file):
    queries = file("q1\tpruning roses\nq2\thedge maze\r\n", "queries")
    assert read_queries(queries) == {"q1": "pruning roses", "q2": "hedge maze"}
    assert read_judgements(file("q2 0 a 1\n"), queries) == [JudgedQuery("q2", "hedge maze", {"a": 1})]


def test_last_judgement_of_a_page_counts(file):
    assert read_judgements(file("q 0 a 1\nq 0 a 0\n"))[0].grades == {"a": 0}


def test_jsonl(file):
    line = json.dumps({"id": "k-1", "query": "old roses", "relevant": ["a.html", "b.html"], "kind": "topic"})
    assert read_judgements(file(f"\ufeff{line}\n")) == [JudgedQuery("k-1", "old roses", {"a.html": 1, "b.html": 1})]


def test_empty_file_has_no_judgements(file):
    assert read_judgements(file("")) == []


VALID = '{"id": "1", "query": "x", "relevant": ["a"]}\n'
INVALID = [
    ("q 0 a 1\nq 0 a\n", 'line 2: expected 4 columns "query 0 url relevance", found 3'),
    ("q 0 a 1 more\n", "line 1: expected 4 columns .* found 5"),
    ("\n\nq 0 a good\n", "line 3: relevance must be an integer such as 0 or 1, not 'good'"),
    ("q 0 a 1.5\n", "line 1: relevance must be an integer"),
    ("q 0 a " + "9" * 400, "line 1: relevance must be an integer"),
    (b"q 0 a 1\nq 0 \xff 1\n", "line 2: invalid UTF-8"),
    (gzip.compress(b"q 0 a 1\n", mtime=0), "judged is compressed with gzip: decompress it first"),
    (VALID + '{"id": "2", \n', "line 2: invalid JSON"),
    (VALID + "[1]\n", "line 2: expected an object"),
    (VALID + '{"query": "x", "relevant": []}\n', 'line 2: "id" must be a string'),
    ('{"id": 7, "query": "x", "relevant": []}\n', 'line 1: "id" must be a string'),
    ('{"id": "1", "query": " ", "relevant": []}\n', 'line 1: "query" must be a string that is not empty'),
    ('{"id": "1", "query": "x"}\n', 'line 1: "relevant" must be a list'),
    ('{"id": "1", "query": "x", "relevant": "a"}\n', 'line 1: "relevant" must be a list'),
    ('{"id": "1", "query": "x", "relevant": [1]}\n', 'line 1: "relevant" must be a list'),
    (VALID + "\n" + VALID, "line 3: duplicate query 1"),
]


@pytest.mark.parametrize(("text", "message"), INVALID)
def test_invalid_judgements_are_reported_with_their_line(file, text, message):
    with pytest.raises(BadInput, match=message):
        read_judgements(file(text))


def test_unknown_query_is_reported_with_its_line(file):
    with pytest.raises(BadInput, match=r'judged, line 2: query q2 is not in ".*queries"'):
        read_judgements(file("q1 0 a 1\nq2 0 a 1\n"), file("q1\tone\n", "queries"))


@pytest.mark.parametrize(
    ("text", "message"), [("q1 one\n", "line 1: expected id<TAB>text"), ("q\ta\nq\tb\n", "line 2: duplicate query q")]
)
def test_invalid_queries_are_reported_with_their_line(file, text, message):
    with pytest.raises(BadInput, match=message):
        read_queries(file(text))


def test_jsonl_takes_no_queries(file):
    with pytest.raises(BadInput, match="contains its own queries"):
        read_judgements(file(VALID), file("1\tx\n", "queries"))


def test_missing_file_is_reported(tmp_path):
    with pytest.raises(BadInput, match=r"cannot read .*No such file"):
        read_judgements(tmp_path / "missing")
    with pytest.raises(BadInput, match=r"cannot write .*No such file"):
        write_qrels(tmp_path / "no" / "folder", [])


@given(texts)
def test_id_encodes_its_query(text):
    name = query_id(text)
    assert query_text(name) == " ".join(text.split())
    assert len(name.split()) <= 1
    assert '"' not in name


@given(st.dictionaries(texts.filter(str.strip), grades))
def test_written_judgements_are_read_again(tmp_path_factory, known):
    path = tmp_path_factory.getbasetemp() / "written"
    by_id = {query_id(text): JudgedQuery(query_id(text), " ".join(text.split()), known[text]) for text in known}
    write_qrels(path, by_id.values())
    assert read_judgements(path) == list(by_id.values())


def test_judgements_are_appended_after_an_unterminated_line(file):
    path = file("q 0 a 1")
    write_qrels(path, [JudgedQuery("q", "q", {"b": 0})], append=True)
    write_qrels(path, [JudgedQuery("q", "q", {"c": 1})], append=True)
    assert path.read_text() == "q 0 a 1\nq 0 b 0\nq 0 c 1\n"


@pytest.mark.parametrize("name", ["two words", "", " a", "a\n"])
def test_values_that_would_break_the_columns_are_not_written(tmp_path, name):
    with pytest.raises(BadInput, match="cannot be written to a TREC file"):
        write_qrels(tmp_path / "q", [JudgedQuery(name, "x", {"a": 1})])
    assert not (tmp_path / "q").exists()


@pytest.mark.parametrize("judged", ["http://x.example/a/b.html?p=1", "a/b.html?p=1", "/a/b.html?p=1"])
def test_page_is_found_by_its_url_or_its_path(judged):
    query = JudgedQuery("1", "x", {judged: 1})
    assert query.judged_url("http://x.example/a/b.html?p=1") == judged
    assert query.judged_url("http://x.example/a/b.html?p=2") == "http://x.example/a/b.html?p=2"


# -- runs ------------------------------------------------------------------------------------


@given(st.dictionaries(words, rankings))
def test_written_run_is_read_again(tmp_path_factory, run):
    path = tmp_path_factory.getbasetemp() / "run"
    write_run(path, run)
    assert read_run(path) == run


def test_run_has_six_columns(tmp_path):
    write_run(tmp_path / "run", {"q1": [("a", 2.5), ("b", 1)]}, "mine")
    assert (tmp_path / "run").read_text() == "q1 Q0 a 1 2.5 mine\nq1 Q0 b 2 1.0 mine\n"


def test_hits_are_ordered_by_rank_and_not_by_line(tmp_path):
    (tmp_path / "run").write_text("q Q0 b 2 9 x\nq Q0 a 1 5 x\n")
    assert read_run(tmp_path / "run") == {"q": [("a", 5.0), ("b", 9.0)]}


@given(st.lists(st.tuples(words, st.floats(0, 1e6))))
def test_decreasing_scores_keep_the_order_even_in_single_precision(ranking):
    lowered = decreasing_scores(ranking)
    assert [url for url, _ in lowered] == [url for url, _ in ranking]
    singles = np.array([score for _, score in lowered], dtype=np.float32)
    assert (np.diff(singles) < 0).all()


def test_scores_that_decrease_are_not_changed():
    assert decreasing_scores([("a", 3.0), ("b", 2.0)]) == [("a", 3.0), ("b", 2.0)]


def test_every_judged_query_is_run():
    judged = [JudgedQuery("q1", "old roses", {}), JudgedQuery("q2", "hedge", {})]
    assert run_queries(judged, lambda query: [(query, 1.0)]) == {"q1": [("old roses", 1.0)], "q2": [("hedge", 1.0)]}


INVALID_RUNS = [
    ("q Q0 a 1 2.0\n", "line 1: expected 6 columns .* found 5"),
    ("q Q0 a 1 2.0 x\nq Q0 b one 1 x\n", "line 2: rank and score must be numbers, not 'one' and '1'"),
    ("q Q0 a 1 high x\n", "line 1: rank and score must be numbers"),
    ("q Q0 a 1 nan x\n", "line 1: the score must be finite, not nan"),
    ("q Q0 a 1 2 x\nq Q0 a 2 1 x\n", "line 2: duplicate hit a for query q"),
]


@pytest.mark.parametrize(("text", "message"), INVALID_RUNS)
def test_invalid_runs_are_reported_with_their_line(tmp_path, text, message):
    (tmp_path / "run").write_text(text)
    with pytest.raises(BadInput, match=message):
        read_run(tmp_path / "run")
