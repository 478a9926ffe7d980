"""Metrics: worked examples, and properties that hold for any ranking."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.evaluation.metrics import DEFAULT_METRICS, canonical_name, gains, get_metric, score_run
from minisearch.evaluation.trec import JudgedQuery

NAMES = [*DEFAULT_METRICS, "P@1", "P@3", "MRR@1", "MRR@3", "nDCG@1", "nDCG@3", "success@3", "recall@1", "recall@3"]
every_metric = pytest.mark.parametrize("name", NAMES)

urls = st.sampled_from("abcdefghijkl")
grades = st.dictionaries(urls, st.integers(-1, 3))
rankings = st.lists(urls, max_size=20)

# Relevant pages a and b, at ranks 2 and 4.
WORKED = [
    ("P@1", 0), ("P@4", 0.5), ("P@10", 0.2), ("MRR@10", 0.5), ("MRR@1", 0), ("MAP", (1 / 2 + 2 / 4) / 2),
    ("success@1", 0), ("success@2", 1), ("recall@3", 0.5), ("recall@100", 1),
    ("nDCG@10", (1 / math.log2(3) + 1 / math.log2(5)) / (1 + 1 / math.log2(3))),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), WORKED)
def test_worked_by_hand(name, value):
    assert get_metric(name)(["x", "a", "y", "b"], {"a": 1, "b": 1, "y": 0}) == pytest.approx(value, abs=1e-12)


def test_relevant_page_that_is_not_found_lowers_average_precision_and_recall():
    assert get_metric("MAP")(["a"], {"a": 1, "b": 1}) == 0.5
    assert get_metric("recall@10")(["a"], {"a": 1, "b": 1}) == 0.5


def test_ndcg_uses_grades():
    grades = {"best": 3, "good": 1}
    assert get_metric("nDCG@1")(["good", "best"], grades) == pytest.approx(1 / 3)
    assert get_metric("nDCG@1")(["best", "good"], grades) == 1


@every_metric
@given(ranked=rankings, grades=grades)
def test_metric_is_between_0_and_1(name, ranked, grades):
    assert 0 <= get_metric(name)(ranked, grades) <= 1


@every_metric
@given(grades=grades)
def test_best_ranking_has_the_highest_possible_score(name, grades):
    best = sorted(grades, key=lambda url: -grades[url])
    relevant = sum(grade > 0 for grade in grades.values())
    kind, _, k = name.partition("@")
    highest = {"P": min(1, relevant / int(k or 1)), "recall": min(1, int(k or 1) / relevant) if relevant else 0}
    assert get_metric(name)(best, grades) == pytest.approx(highest.get(kind, float(relevant > 0)), abs=1e-12)


@every_metric
@given(ranked=st.lists(urls, unique=True, min_size=2), grades=grades, data=st.data())
def test_moving_a_better_page_up_never_lowers_a_metric(name, ranked, grades, data):
    index = data.draw(st.integers(1, len(ranked) - 1))
    moved = [*ranked]
    moved[index - 1], moved[index] = moved[index], moved[index - 1]
    before = gains(ranked, grades)
    if before[index] >= before[index - 1]:
        assert get_metric(name)(moved, grades) >= get_metric(name)(ranked, grades)


@every_metric
@given(ranked=rankings, grades=grades)
def test_irrelevant_pages_at_the_end_and_repetitions_change_nothing(name, ranked, grades):
    assert get_metric(name)([*ranked, *ranked, "z"], grades) == get_metric(name)(ranked, grades)


@every_metric
def test_nothing_found_or_nothing_relevant_is_0(name):
    metric = get_metric(name)
    assert metric([], {"a": 1}) == metric(["a"], {"a": 0}) == metric([], {}) == 0


def test_query_without_ranking_scores_0():
    judged = [JudgedQuery("q1", "one", {"a": 1}), JudgedQuery("q2", "two", {"a": 1})]
    assert score_run("MRR@10", judged, {"q1": [("a", 1.0)]}) == [1.0, 0.0]


def test_pages_are_judged_by_url_or_by_path():
    judged = [JudgedQuery("q", "one", {"docs/a.html": 1, "http://x.example/b": 1})]
    run = {"q": [("http://x.example/docs/a.html", 2.0), ("http://x.example/b", 1.0)]}
    assert score_run("MAP", judged, run) == [1.0]


@pytest.mark.parametrize(("typed", "name"), [("p@5", "P@5"), ("NDCG@010", "nDCG@10"), ("map", "MAP"), ("ap", "MAP")])
def test_names_are_case_insensitive(typed, name):
    assert canonical_name(typed) == name


@pytest.mark.parametrize("typed", ["", "P", "P@0", "P@-1", "P@x", "MAP@10", "F1", "nDCG@10@10", "P@9999999"])
def test_unknown_metric_is_an_error(typed):
    with pytest.raises(BadInput, match="unknown metric"):
        get_metric(typed)
