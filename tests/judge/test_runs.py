"""Runs: written and read, and in an order that tools which sort by score keep."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.judge.qrels import Judged
from minisearch.judge.runs import ask, falling, read_run, write_run

words = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1)
scores = st.floats(allow_nan=False, allow_infinity=False)
answers = st.lists(st.tuples(words, scores), min_size=1, unique_by=lambda answer: answer[0])


@given(st.dictionaries(words, answers))
def test_what_was_written_is_read(tmp_path_factory, run):
    path = tmp_path_factory.getbasetemp() / "run"
    write_run(path, run)
    assert read_run(path) == run


def test_a_line_has_six_columns(tmp_path):
    write_run(tmp_path / "run", {"q1": [("a", 2.5), ("b", 1)]}, "mine")
    assert (tmp_path / "run").read_text() == "q1 Q0 a 1 2.5 mine\nq1 Q0 b 2 1.0 mine\n"


def test_the_rank_decides_and_not_the_order_of_lines(tmp_path):
    (tmp_path / "run").write_text("q Q0 b 2 9 x\nq Q0 a 1 5 x\n")
    assert read_run(tmp_path / "run") == {"q": [("a", 5.0), ("b", 9.0)]}


@given(st.lists(st.tuples(words, st.floats(0, 1e6))))
def test_falling_scores_keep_the_order_even_in_single_precision(found):
    lowered = falling(found)
    assert [url for url, _ in lowered] == [url for url, _ in found]
    singles = np.array([score for _, score in lowered], dtype=np.float32)
    assert (np.diff(singles) < 0).all()


def test_scores_that_fall_are_left_alone():
    assert falling([("a", 3.0), ("b", 2.0)]) == [("a", 3.0), ("b", 2.0)]


def test_every_judged_query_is_asked():
    judged = [Judged("q1", "old roses", {}), Judged("q2", "hedge", {})]
    assert ask(judged, lambda query: [(query, 1.0)]) == {"q1": [("old roses", 1.0)], "q2": [("hedge", 1.0)]}


WRONG = [
    ("q Q0 a 1 2.0\n", "line 1: an answer is .* here are 5 words"),
    ("q Q0 a 1 2.0 x\nq Q0 b one 1 x\n", "line 2: rank and score are numbers, not 'one' and '1'"),
    ("q Q0 a 1 high x\n", "line 1: rank and score are numbers"),
    ("q Q0 a 1 nan x\n", "line 1: a score of nan"),
    ("q Q0 a 1 2 x\nq Q0 a 2 1 x\n", "line 2: a stands here for the second time for q"),
]


@pytest.mark.parametrize(("text", "told"), WRONG)
def test_what_is_wrong_is_told_with_its_line(tmp_path, text, told):
    (tmp_path / "run").write_text(text)
    with pytest.raises(BadInput, match=told):
        read_run(tmp_path / "run")
