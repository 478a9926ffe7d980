"""The exercises: what counts as the right answer."""

from dataclasses import replace

import pytest

from minisearch.errors import BadInput, NotFound
from minisearch.lesson.exercises import Exercise, exercise, exercises
from minisearch.testing.server import FIXTURES

ONE = Exercise(1, "easy", "index.html", "?", "!", "number", "0.375", "", within=0.001)


@pytest.mark.parametrize("given", ["0.375", "3/8", "37.5%", " 0,3755 ", "37.5 %", "3.75e-1"])
def test_a_number_may_be_written_in_many_ways(given):
    assert ONE.accepts(given)


@pytest.mark.parametrize("given", ["0.38", "-3/8", "37.5", "0"])
def test_another_number_is_not_right(given):
    assert not ONE.accepts(given)


@pytest.mark.parametrize("given", ["", "three eighths", "1/0", "nan", "inf", "3//8"])
def test_what_is_no_number_is_refused(given):
    with pytest.raises(BadInput, match="expects a number"):
        ONE.accepts(given)


@pytest.mark.parametrize(
    ("kind", "answer", "given", "right"),
    [
        ("name", "index.html", "http://127.0.0.1:8000/handbook/index.html", True),
        ("name", "cetvrta", "Cetvrta", True),
        ("name", "A", "B", False),
        ("name", "index.html", "index", True),
        ("name", "index.html", "index.txt", False),
        ("names", "S1,S2,S3", "s3 s1, S2", True),
        ("names", "S1,S2,S3", "S1,S2", False),
        ("order", "E,C", "E > C", True),
        ("order", "E,C", "C,E", False),
    ],
)
def test_names_are_compared_without_regard_to_case_and_place(kind, answer, given, right):
    assert replace(ONE, kind=kind, answer=answer).accepts(given) is right


@pytest.mark.parametrize("given", ["4", "cetvrta", "cetvrta.html", "Četvrta"])
def test_a_page_may_be_called_by_its_number_or_by_its_name(given):
    assert exercise(4).accepts(given)
    assert not exercise(4).accepts("treca")


@pytest.mark.parametrize("given", ["1e3000000", "9" * 5000, "1e-3000000"])
def test_numbers_are_short(given):
    with pytest.raises(BadInput, match="expects a number"):
        ONE.accepts(given)


@pytest.mark.parametrize("given", ["", " , ", "A B"])
def test_one_name_is_one_name(given):
    with pytest.raises(BadInput, match="one name"):
        replace(ONE, kind="name", answer="A").accepts(given)


@pytest.mark.parametrize("one", exercises(), ids=lambda one: str(one.number))
def test_every_exercise_accepts_its_own_answer_and_leads_to_a_page(one):
    assert one.accepts(one.answer)
    assert (FIXTURES / "handbook" / one.page).is_file()
    assert one.hint
    assert one.answer not in one.hint.split()


def test_they_go_from_easy_to_hard():
    levels = [one.level for one in exercises()]
    assert levels == sorted(levels, key=["easy", "middle", "hard"].index)
    assert set(levels) == {"easy", "middle", "hard"}


@pytest.mark.parametrize("number", [0, len(exercises()) + 1])
def test_there_are_no_others(number):
    with pytest.raises(NotFound, match="from 1 to"):
        exercise(number)
