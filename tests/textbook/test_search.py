import pytest

from minisearch.textbook.crawler import crawl_web
from minisearch.textbook.mapindex import lookup
from minisearch.textbook.pagerank import compute_ranks, rank_list
from minisearch.textbook.search import lucky_search, results

RANKS = {"a": 0.1, "b": 0.6, "c": 0.3}


def test_a_page_comes_once_however_often_it_has_the_word():
    assert results({"word": ["a", "b", "b", "a"]}, RANKS, "word") == ["b", "a"]


def test_the_best_ranked_page_comes_first_and_ties_stay_in_index_order():
    assert results({"word": ["a", "c", "b"]}, RANKS, "word") == ["b", "c", "a"]
    assert results({"word": ["c", "a", "b"]}, dict.fromkeys("abc", 0.3), "word") == ["c", "a", "b"]


def test_the_lucky_answer_is_the_first_result():
    assert lucky_search({"word": ["a", "c"]}, RANKS, "word") == "c"


@pytest.mark.parametrize("search", [results, lucky_search])
def test_a_word_nobody_wrote_gives_none(search):
    assert search({"word": ["a"]}, RANKS, "other") is None


def test_the_whole_engine_on_the_four_pages_of_the_thesis(oracles):
    site, params, expected = (oracles["004-site"][part] for part in ("site", "params", "expected"))
    index, graph = crawl_web(params["seed"], get_page=site.get)
    ranks = compute_ranks(graph, damping=params["damping"], loops=params["loops"])
    word = params["keyword"]

    assert lookup(index, word) == expected["lookup_raw"]
    assert ranks == pytest.approx(expected["ranks"], rel=0, abs=1e-12)
    assert rank_list(ranks) == expected["rank_list"]
    assert results(index, ranks, word) == expected["results_unique"]
    assert lucky_search(index, ranks, word) == expected["lucky"]
    assert lookup(index, "absent") == expected["lookup_missing"]
