"""Metrics: worked examples, and what must hold for any list of answers."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.judge.metrics import TABLE, gains, mean, metric, per_query, spell
from minisearch.judge.qrels import Judged

NAMES = [*TABLE, "P@1", "P@3", "MRR@1", "MRR@3", "nDCG@1", "nDCG@3", "success@3", "recall@1", "recall@3"]
every = pytest.mark.parametrize("name", NAMES)

urls = st.sampled_from("abcdefghijkl")
grades = st.dictionaries(urls, st.integers(-1, 3))
orders = st.lists(urls, max_size=20)

# Good pages a and b; found at places 2 and 4.
WORKED = [
    ("P@1", 0), ("P@4", 0.5), ("P@10", 0.2), ("MRR@10", 0.5), ("MRR@1", 0), ("MAP", (1 / 2 + 2 / 4) / 2),
    ("success@1", 0), ("success@2", 1), ("recall@3", 0.5), ("recall@100", 1),
    ("nDCG@10", (1 / math.log2(3) + 1 / math.log2(5)) / (1 + 1 / math.log2(3))),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), WORKED)
def test_worked_by_hand(name, value):
    assert metric(name)(["x", "a", "y", "b"], {"a": 1, "b": 1, "y": 0}) == pytest.approx(value, abs=1e-12)


def test_a_good_page_that_is_not_found_costs_average_precision_and_recall():
    assert metric("MAP")(["a"], {"a": 1, "b": 1}) == 0.5
    assert metric("recall@10")(["a"], {"a": 1, "b": 1}) == 0.5


def test_ndcg_knows_better_from_good():
    grades = {"best": 3, "good": 1}
    assert metric("nDCG@1")(["good", "best"], grades) == pytest.approx(1 / 3)
    assert metric("nDCG@1")(["best", "good"], grades) == 1


@every
@given(ranked=orders, grades=grades)
def test_a_metric_lies_between_0_and_1(name, ranked, grades):
    assert 0 <= metric(name)(ranked, grades) <= 1


@every
@given(grades=grades)
def test_the_best_order_scores_as_high_as_there_are_good_pages(name, grades):
    best = sorted(grades, key=lambda url: -grades[url])
    good = sum(grade > 0 for grade in grades.values())
    kind, _, k = name.partition("@")
    highest = {"P": min(1, good / int(k or 1)), "recall": min(1, int(k or 1) / good) if good else 0}
    assert metric(name)(best, grades) == pytest.approx(highest.get(kind, float(good > 0)), abs=1e-12)


@every
@given(ranked=st.lists(urls, unique=True, min_size=2), grades=grades, data=st.data())
def test_moving_a_better_page_up_never_lowers_a_metric(name, ranked, grades, data):
    place = data.draw(st.integers(1, len(ranked) - 1))
    moved = [*ranked]
    moved[place - 1], moved[place] = moved[place], moved[place - 1]
    worth = gains(ranked, grades)
    if worth[place] >= worth[place - 1]:
        assert metric(name)(moved, grades) >= metric(name)(ranked, grades)


@every
@given(ranked=orders, grades=grades)
def test_bad_answers_at_the_end_and_repeats_change_nothing(name, ranked, grades):
    assert metric(name)([*ranked, *ranked, "z"], grades) == metric(name)(ranked, grades)


@every
def test_nothing_found_or_nothing_to_find_is_0(name):
    assert metric(name)([], {"a": 1}) == metric(name)(["a"], {"a": 0}) == metric(name)([], {}) == 0


def test_a_query_without_an_answer_counts_as_0():
    judged = [Judged("q1", "one", {"a": 1}), Judged("q2", "two", {"a": 1})]
    assert per_query("MRR@10", judged, {"q1": [("a", 1.0)]}) == [1.0, 0.0]
    assert mean([1.0, 0.0]) == 0.5
    assert mean([]) == 0


def test_pages_are_judged_by_url_or_by_path():
    judged = [Judged("q", "one", {"docs/a.html": 1, "http://x.example/b": 1})]
    run = {"q": [("http://x.example/docs/a.html", 2.0), ("http://x.example/b", 1.0)]}
    assert per_query("MAP", judged, run) == [1.0]


@pytest.mark.parametrize(("typed", "name"), [("p@5", "P@5"), ("NDCG@010", "nDCG@10"), ("map", "MAP"), ("ap", "MAP")])
def test_names_may_be_typed_in_any_case(typed, name):
    assert spell(typed) == name


@pytest.mark.parametrize("typed", ["", "P", "P@0", "P@-1", "P@x", "MAP@10", "F1", "nDCG@10@10", "P@9999999"])
def test_an_unknown_metric_is_refused(typed):
    with pytest.raises(BadInput, match="there is no metric"):
        metric(typed)
