"""Webs: pages by name, links as they were written down."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.lab.webs import Web, letter, place_of


def test_a_repeated_link_and_a_weight_of_two_are_the_same():
    assert Web.of("AB", [("A", "B"), ("A", "B")]) == Web.of("AB", [("A", "B", 2.0)])
    assert Web.of("AB", [("A", "B")]) != Web.of("AB", [("A", "B", 2.0)])
    assert Web.of("AB") != "AB"


def test_a_graph_counts_repeats_and_loops_or_does_not():
    web = Web.of("AB", [("A", "A"), ("A", "B"), ("A", "B")])
    assert web.graph().out_degree.tolist() == [3, 0]
    assert web.graph(repeated=False).out_degree.tolist() == [2, 0]
    assert web.graph(loops=False).out_degree.tolist() == [2, 0]
    assert web.graph(repeated=False, loops=False).out_degree.tolist() == [1, 0]


def test_a_weight_of_a_half_is_kept():
    assert Web.of("AB", [("A", "B", 0.5)]).graph().out_degree.tolist() == [0.5, 0]


def test_a_web_cannot_be_changed():
    web = Web.of("AB", [("A", "B")])
    with pytest.raises(ValueError, match="read-only"):
        web.sources[0] = 1


@pytest.mark.parametrize(
    ("names", "links", "told"),
    [
        ("ABA", [], 'two pages are called "A"'),
        ("AB", [("A", "C")], 'no page is called "C"'),
        ("AB", [("D", "A")], 'no page is called "D"'),
    ],
)
def test_what_is_wrong_is_told(names, links, told):
    with pytest.raises(BadInput, match=told):
        Web.of(names, links)


def test_an_unknown_page_is_told_with_those_there_are():
    with pytest.raises(BadInput, match='no page is called "Z": the pages are A, B'):
        Web.of("AB").number("Z")


def test_a_vector_has_zero_where_nothing_is_said():
    assert np.array_equal(Web.of("ABC").vector({"C": 2.0}), [0, 0, 2])


@given(st.integers(0, 10**7))
def test_letters_name_places_and_lead_back(place):
    assert place_of(letter(place)) == place


@given(st.text(max_size=9))
def test_no_text_crashes_the_reading_of_a_letter(text):
    assert place_of(text) >= -1
