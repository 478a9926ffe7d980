"""`compute_ranks` and `rank_list`; `pagerank` is tested with its fast sister: tests/rank/test_pagerank.py"""

import pytest

from minisearch.textbook.pagerank import compute_ranks, rank_list

ENOUGH = 400  # loops, where a limit is asked for


@pytest.mark.parametrize(
    "name",
    [
        "004-compute-ranks",
        "004-compute-ranks-09",
        "004-johnpapa",
        "000-five-exact",
        "000-five-steps20",
        "000-dangling-naive",
        "000-trap-naive",
        "000-trap-beta08",
        "000-ten-before-exact",
        "000-ten-after-exact",
        "000-nine-exact",
        "derived-four",
        "derived-five-uniform",
        "derived-dangling-leak",
    ],
)
def test_published_ranks_come_out(oracles, links_of, name):
    oracle = oracles[name]
    steps = oracle["params"]["steps"]
    ranks = compute_ranks(
        links_of(oracle["graph"]),
        damping=oracle["params"]["beta"],
        loops=ENOUGH if steps == "limit" else steps,
    )
    assert ranks == pytest.approx(oracle["expected"], rel=0, abs=1e-12)


@pytest.mark.parametrize("name", ["003-H-iterations", "004-iterations"])
def test_published_steps_come_out_one_by_one(oracles, links_of, name):
    for steps, expected in oracles[name]["expected"].items():
        ranks = compute_ranks(links_of(oracles[name]["graph"]), damping=1, loops=int(steps))
        assert ranks == pytest.approx(expected, rel=0, abs=1e-12)


def test_the_thesis_prints_its_ranks_to_the_last_digit(oracles, links_of):
    printed = oracles["004-compute-ranks"]["printed"]
    assert compute_ranks(links_of("004-four")) == pytest.approx(printed, rel=0, abs=1e-15)


def test_rank_leaks_through_repeats_and_pages_never_crawled():
    whole = {"a": ["b"], "b": ["a"]}
    assert sum(compute_ranks(whole).values()) == pytest.approx(1)
    assert sum(compute_ranks(whole | {"a": ["b", "b"]}).values()) < 0.9
    assert sum(compute_ranks(whole | {"a": ["b", "elsewhere"]}).values()) < 0.9


def test_only_crawled_pages_are_ranked():
    assert list(compute_ranks({"a": ["elsewhere"]})) == ["a"]
    assert compute_ranks({}) == {}


def test_without_loops_all_pages_are_equal():
    assert compute_ranks({"a": ["b"], "b": []}, loops=0) == {"a": 0.5, "b": 0.5}


def test_the_list_falls_and_ties_stay_in_the_order_they_came():
    assert rank_list({"c": 0.2, "a": 0.3, "b": 0.2, "d": 0.3}) == ["a", "d", "c", "b"]
