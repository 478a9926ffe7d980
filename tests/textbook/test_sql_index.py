"""The relational index gives the scores of textbook/bm25.py, in the same order."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.textbook import bm25, sql_index

words = st.text("abcđ", min_size=1, max_size=2)
lines = st.lists(st.lists(words, max_size=6), max_size=3)
documents = st.dictionaries(st.sampled_from([*bm25.WEIGHTS]), lines)
collections = st.dictionaries(st.text(min_size=1, max_size=3), documents, max_size=8)

GARDEN = {
    "/roses": {
        "title": [["pruning", "roses"]],
        "headings": [["roses", "in", "winter"], ["tools"]],
        "body": [["cut", "the", "roses", "when", "the", "winter", "ends"]],
        "anchor": [["roses"], ["old", "roses"]],
    },
    "/hedges": {"title": [["pruning", "hedges"]], "url": [["hedges"]], "body": [["cut", "the", "hedge", "twice"]]},
    "/tulips": {"title": [["tulips"]], "body": [["tulips", "need", "no", "pruning"]]},
    "/tulips-copy": {"title": [["tulips"]], "body": [["tulips", "need", "no", "pruning"]]},
    "/empty": {},
}


def make_index(collection):
    index = sql_index.make_index()
    for url, document in collection.items():
        sql_index.add_document(index, url, document)
    return index


def ranked(query, collection):
    """(url, score) by textbook/bm25.py, best first, of equal ones by url."""
    everything = list(collection.values())
    scores = {
        url: bm25.score(query, document, everything)
        for url, document in collection.items()
        if any(bm25.has(document, word) for word in query)
    }
    return sorted(scores.items(), key=lambda hit: (-round(hit[1], 9), hit[0]))


def assert_same(query, collection):
    found, expected = sql_index.search(make_index(collection), query), ranked(query, collection)
    assert [url for url, _ in found] == [url for url, _ in expected]
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], rel=0, abs=1e-9)


@given(query=st.lists(words, max_size=5), collection=collections)
def test_scores_and_order_are_those_of_bm25(query, collection):
    assert_same(query, collection)


@pytest.mark.parametrize(
    ("query", "order"),
    [
        (["pruning", "roses"], ["/roses", "/tulips", "/tulips-copy", "/hedges"]),
        (["tulips"], ["/tulips", "/tulips-copy"]),  # equal scores: by url
        (["cut", "the", "cut"], ["/hedges", "/roses"]),
        (["nowhere"], []),
        ([], []),
    ],
)
def test_garden(query, order):
    assert [url for url, _ in sql_index.search(make_index(GARDEN), query)] == order
    assert_same(query, GARDEN)


def test_worked_by_hand():
    idf = log(1 + (5 - 1 + 0.5) / (1 + 0.5))  # 1 of 5 documents has the word
    saturation = 1 * 3 / (1 + 2 * (0.25 + 0.75 * 4 / 3.8))  # once among 4 words; 19 words in 5 bodies
    ((url, score),) = sql_index.search(make_index(GARDEN), ["hedge"])
    assert (url, score) == ("/hedges", pytest.approx(idf * saturation, abs=1e-12))


def test_tables_can_be_read_by_anybody():
    index = make_index(GARDEN)
    assert sql_index.lookup(index, "roses") == [
        ("/roses", "anchor", 2), ("/roses", "body", 1), ("/roses", "headings", 1), ("/roses", "title", 1),
    ]  # fmt: skip
    assert sql_index.lookup(index, "nowhere") == []
    assert index.execute("SELECT df FROM terms WHERE term = 'pruning'").fetchall() == [(4,)]
    lengths = dict(index.execute("SELECT field, length FROM documents WHERE url = '/roses'"))
    assert lengths == {"title": 2, "headings": 4, "url": 0, "body": 7, "anchor": 3}
