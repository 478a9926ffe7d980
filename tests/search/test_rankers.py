from math import log

import pytest

from minisearch.errors import BadInput
from minisearch.search.rankers import RANKERS

PAGES = {
    "a": "red",
    "b": "red cat",
    "c": "cat cat cat cat cat " + "and so on " * 60,
    "d": "red cat cat",
    "e": "dog",
}


@pytest.fixture
def ranked(webs):
    with webs.build([webs.page(path, text) for path, text in PAGES.items()]) as engine:
        yield lambda query, name, **options: [
            (hit.url.removeprefix("http://site/"), hit.score)
            for hit in engine.search(query, ranker=name, fold=False, **options).hits
        ]


def paths(hits):
    return [path for path, _ in hits]


def test_boolean_requires_all_words_and_orders_by_url(ranked):
    assert ranked("red cat", "boolean") == [("b", 0), ("d", 0)]
    assert paths(ranked("red -cat", "boolean")) == ["a"]


def test_tfidf_is_the_sum_of_log_counts_times_rarity(ranked):
    rarity = log(5 / 3)  # of both words: three of five pages have them
    assert dict(ranked("red cat", "tfidf")) == pytest.approx(
        {"a": rarity, "b": 2 * rarity, "c": (1 + log(5)) * rarity, "d": (2 + log(2)) * rarity}
    )


def test_bm25_holds_the_long_page_back(ranked):
    assert paths(ranked("cat", "tfidf"))[0] == "c"
    assert paths(ranked("cat", "bm25"))[0] == "d"


def test_fields_look_at_titles_too(webs):
    pages = [webs.page("a", "cat"), webs.page("b", "dog", title="cat")]
    with webs.build(pages) as engine:
        bm25, fields = (
            {hit.url[-1]: hit.score for hit in engine.search("cat", ranker=r).hits} for r in ("bm25", "fields")
        )
    assert bm25["b"] == 0 < fields["b"]


def test_links_order_what_was_found_by_rank(webs):
    pages = [
        webs.page("a", "cat cat", links=[("b", "x")]),
        webs.page("b", "cat"),
        webs.page("c", "dog", links=[("b", "y")]),
    ]
    with webs.build(pages) as engine:
        hits = engine.search("cat", ranker="links").hits
        assert [hit.url[-1] for hit in hits] == ["b", "a"]
        assert engine.search("cat", ranker="blend").hits == engine.search("cat").hits


def test_parameters_can_be_changed_with_any_ranker(ranked):
    assert dict(ranked("cat", "bm25", settings={"weight.body": 2})) == pytest.approx(
        {path: 2 * score for path, score in ranked("cat", "bm25")}
    )


def test_an_unknown_ranker_is_refused(ranked):
    with pytest.raises(BadInput, match="there is no ranker 'best'; there are boolean, tfidf"):
        ranked("cat", "best")


def test_every_ranker_has_a_description():
    assert list(RANKERS) == ["boolean", "tfidf", "bm25", "fields", "links", "blend"]
    assert all(ranker.description for ranker in RANKERS.values())
