"""Judgements: what is read is what was meant, and what is wrong is told with its line."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.judge.qrels import Judged, name_in, query_id, query_text, read_judged, read_queries, write_qrels

words = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1)
texts = st.text(st.characters(exclude_categories=["Cs"]))
grades = st.dictionaries(words, st.integers(-9, 9), min_size=1)


@pytest.fixture
def file(tmp_path):
    """Writes a file and gives its path."""

    def write(text, name="judged"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_trec_qrels(file):
    read = read_judged(file("roses 0 http://x.example/a 1\nold_roses 0 b.html 0\n\nroses 0 c 2\n"))
    assert read == [
        Judged("roses", "roses", {"http://x.example/a": 1, "c": 2}),
        Judged("old_roses", "old roses", {"b.html": 0}),
    ]


def test_the_texts_of_trec_queries_come_from_their_file(file):
    queries = file("q1\tpruning roses\nq2\thedge maze\r\n", "queries")
    assert read_queries(queries) == {"q1": "pruning roses", "q2": "hedge maze"}
    assert read_judged(file("q2 0 a 1\n"), queries) == [Judged("q2", "hedge maze", {"a": 1})]


def test_a_page_judged_twice_has_its_last_judgement(file):
    assert read_judged(file("q 0 a 1\nq 0 a 0\n"))[0].grades == {"a": 0}


def test_a_jsonl_set(file):
    line = json.dumps({"id": "k-1", "query": "old roses", "relevant": ["a.html", "b.html"], "kind": "topic"})
    assert read_judged(file(f"\ufeff{line}\n")) == [Judged("k-1", "old roses", {"a.html": 1, "b.html": 1})]


def test_an_empty_file_judges_nothing(file):
    assert read_judged(file("")) == []


GOOD = '{"id": "1", "query": "x", "relevant": ["a"]}\n'
WRONG = [
    ("q 0 a 1\nq 0 a\n", 'line 2: a judgement is "query 0 url relevance", and here are 3 words'),
    ("q 0 a 1 more\n", "line 1: .* here are 5 words"),
    ("\n\nq 0 a good\n", "line 3: relevance is a whole number such as 0 or 1, not 'good'"),
    ("q 0 a 1.5\n", "line 1: relevance is a whole number"),
    ("q 0 a " + "9" * 400, "line 1: relevance is a whole number"),
    (b"q 0 a 1\nq 0 \xff 1\n", "line 2: this is not UTF-8"),
    (gzip.compress(b"q 0 a 1\n", mtime=0), "judged is packed with gzip: unpack it first"),
    (GOOD + '{"id": "2", \n', "line 2: this is not JSON"),
    (GOOD + "[1]\n", "line 2: a judged query is an object"),
    (GOOD + '{"query": "x", "relevant": []}\n', 'line 2: "id" must be there'),
    ('{"id": 7, "query": "x", "relevant": []}\n', 'line 1: "id" must be there, and must be text'),
    ('{"id": "1", "query": " ", "relevant": []}\n', 'line 1: "query" must be there'),
    ('{"id": "1", "query": "x"}\n', 'line 1: "relevant" must be there'),
    ('{"id": "1", "query": "x", "relevant": "a"}\n', 'line 1: "relevant" .* must be a list'),
    ('{"id": "1", "query": "x", "relevant": [1]}\n', 'line 1: "relevant" .* must be a list'),
    (GOOD + "\n" + GOOD, "line 3: the query 1 stands here for the second time"),
]


@pytest.mark.parametrize(("text", "told"), WRONG)
def test_what_is_wrong_is_told_with_its_line(file, text, told):
    with pytest.raises(BadInput, match=told):
        read_judged(file(text))


def test_an_unknown_query_is_told_with_its_line(file):
    with pytest.raises(BadInput, match=r'judged, line 2: there is no query q2 in ".*queries"'):
        read_judged(file("q1 0 a 1\nq2 0 a 1\n"), file("q1\tone\n", "queries"))


@pytest.mark.parametrize(("text", "told"), [("q1 one\n", "id<TAB>text"), ("q\ta\nq\tb\n", "line 2: .* second time")])
def test_wrong_queries_are_told_with_their_line(file, text, told):
    with pytest.raises(BadInput, match=told):
        read_queries(file(text))


def test_a_jsonl_set_needs_no_queries(file):
    with pytest.raises(BadInput, match="holds its own queries"):
        read_judged(file(GOOD), file("1\tx\n", "queries"))


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(BadInput, match=r"cannot read .*No such file"):
        read_judged(tmp_path / "missing")
    with pytest.raises(BadInput, match=r"cannot write .*No such file"):
        write_qrels(tmp_path / "no" / "folder", [])


@given(texts)
def test_an_id_spells_its_query(text):
    name = query_id(text)
    assert query_text(name) == " ".join(text.split())
    assert len(name.split()) <= 1
    assert '"' not in name


@given(st.dictionaries(texts.filter(str.strip), grades))
def test_what_was_written_is_read(tmp_path_factory, known):
    path = tmp_path_factory.getbasetemp() / "written"
    by_id = {query_id(text): Judged(query_id(text), " ".join(text.split()), known[text]) for text in known}
    write_qrels(path, by_id.values())
    assert read_judged(path) == list(by_id.values())


def test_judgements_are_added_after_a_line_that_was_left_open(file):
    path = file("q 0 a 1")
    write_qrels(path, [Judged("q", "q", {"b": 0})], append=True)
    write_qrels(path, [Judged("q", "q", {"c": 1})], append=True)
    assert path.read_text() == "q 0 a 1\nq 0 b 0\nq 0 c 1\n"


@pytest.mark.parametrize("name", ["two words", "", " a", "a\n"])
def test_what_would_break_the_columns_is_not_written(tmp_path, name):
    with pytest.raises(BadInput, match="cannot stand in a TREC file"):
        write_qrels(tmp_path / "q", [Judged(name, "x", {"a": 1})])
    assert not (tmp_path / "q").exists()


@pytest.mark.parametrize("judged", ["http://x.example/a/b.html?p=1", "a/b.html?p=1", "/a/b.html?p=1"])
def test_a_page_is_known_by_its_url_or_its_path(judged):
    assert name_in({judged: 1}, "http://x.example/a/b.html?p=1") == judged
    assert name_in({judged: 1}, "http://x.example/a/b.html?p=2") == "http://x.example/a/b.html?p=2"
