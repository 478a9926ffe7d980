"""What the lab page answers."""

import json

import numpy as np
import pytest

from minisearch.errors import NotReady
from minisearch.lab import answer as module
from minisearch.lab.answer import answer, drawing
from minisearch.lab.lessons import LESSONS
from minisearch.lab.question import understand


def ask(**fields):
    question = understand(fields)
    return question, *answer(question)


def test_the_ranks_come_with_all_there_is_to_see():
    _, found, _ = ask(preset="five-pages")
    assert [row["page"] for row in found["pages"]] == ["D", "B", "A", "E", "C"]
    assert {"chart", "matrices", "bow_tie", "trace"} <= set(found)
    assert "removal" not in found  # there is no dead end


def test_a_web_of_a_thousand_pages_is_told_without_what_nobody_could_read():
    dice = np.random.default_rng(1)
    web = ";".join(f"p{n}:" + ",".join(f"p{to}" for to in dice.integers(0, 1000, 5)) for n in range(1000))
    question, found, outcome = ask(web=web)
    assert len(found["pages"]) == 1000
    assert not {"matrices", "trace", "removal"} & set(found)
    drawn = drawing(question, found, outcome)
    assert (len(drawn["names"]), drawn["more"]) == (320, 680)
    assert drawn["names"][0] == found["pages"][0]["page"]
    assert len(drawn["rounds"]) * 320 <= module.MOST_NUMBERS
    assert drawing(question, found, outcome, laid=True)["at"] is None


def test_the_rounds_to_play_are_those_of_the_table():
    question, found, outcome = ask(preset="two-dead-ends", dangling="remove", damping="1")
    drawn = drawing(question, found, outcome)
    assert drawn["names"] == ["A", "B", "C", "D", "E"]
    assert drawn["rounds"][0] == pytest.approx([1 / 3, 1 / 3, None, 1 / 3, None])
    assert [step["page"] for step in found["removal"]["removed"]] == ["E", "C"]


def test_the_rounds_of_hits_are_those_of_its_first_column():
    question, found, outcome = ask(preset="three-sites", method="hits", order="hub", rounds="1")
    assert drawing(question, found, outcome)["rounds"] == [pytest.approx([1, 2 / 3, 1 / 3])]


def test_a_farm_stands_around_its_page_and_nobody_else_moves():
    plain, before, outcome = ask(preset="five-pages")
    at = dict(zip(plain.web.names, drawing(plain, before, outcome)["at"], strict=True))
    question, found, outcome = ask(preset="five-pages", farm="A", supporters="5")
    drawn = drawing(question, found, outcome)
    assert dict(zip(drawn["names"][:5], drawn["at"][:5], strict=True)) == at
    assert all(np.hypot(*(np.array(place) - at["A"])) == pytest.approx(70, abs=0.1) for place in drawn["at"][5:])


def test_the_formula_of_a_farm_agrees_with_the_ranking_of_the_whole_web():
    _, found, _ = ask(preset="five-pages", farm="spam", supporters="20", doors="A,B", dangling="leak")
    farm = found["farm"]
    row = next(row for row in found["pages"] if row["page"] == "spam")
    assert farm["target"]["formula"] == pytest.approx(farm["target"]["ranked"]) == pytest.approx(row["pagerank"])


def test_the_doctor_is_asked_in_the_page(monkeypatch):
    _, found, _ = ask(preset="five-pages", numbers=".19 .23 .06 .28 .14")
    assert found["doctor"]["explained"]
    assert found["doctor"]["rows"][0][:2] == ("A", ".19")
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    _, found, _ = ask(preset="five-pages", numbers=".1 .2 .3 .5 .9")
    assert found["doctor"]["hurried"]


def test_the_doctor_sees_one_patient_at_a_time():
    with module._doctor, pytest.raises(NotReady, match="another request"):
        ask(preset="five-pages", numbers=".19 .23 .06 .28 .14")


def test_a_surfer_tells_the_way():
    _, found, _ = ask(preset="nine-links", method="surfer", steps="5000", damping="0.9")
    assert len(found["path"]) == 2000
    assert set(found["path"]) <= {"0", "1", "2", "3"}


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.source)
def test_every_step_of_every_lesson_is_a_question_that_can_be_answered(lesson):
    for step in lesson.steps:
        question, found, outcome = ask(**step.fields)
        drawn = drawing(question, found, outcome)
        json.dumps(drawn, allow_nan=False)
        assert len(drawn["at"]) == question.web.n


COMPARED = [
    {"method": "hits"},
    {"method": "trustrank", "trusted": "A"},
    {"method": "topic", "topics": "A,E"},
    {"teleport": "B"},
    {"rounds": "2"},
    {"convention": "cs101"},
    {"method": "solve", "damping": "1/2"},
]


@pytest.mark.parametrize("how", COMPARED, ids=str)
def test_before_and_after_compares_what_was_asked_for(how):
    _, before, _ = ask(preset="five-pages", **how)
    _, after, _ = ask(preset="five-pages", edits="add C A", **how)
    column = after["columns"][0].replace(" ", "_")
    moves = {move["page"]: move for move in after["comparison"]}
    assert after["compared"] == after["columns"][0]
    for found, side in ((before, "before"), (after, "after")):
        values = {row["page"]: row[column] for row in found["pages"]}
        assert {page: move[side] for page, move in moves.items()} == pytest.approx(values)
    assert "C" in moves["A"]["why"]


def test_a_graph_that_cannot_be_ranked_so_before_the_change_is_not_compared():
    _, found, _ = ask(preset="five-pages", edits="add A F", teleport="F")
    assert "comparison" not in found
    assert 'not compared: no page is called "F"' in " ".join(found["notes"])
