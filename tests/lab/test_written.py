"""Experiments as people write them down."""

import numpy as np
import pytest

from minisearch.errors import BadInput
from minisearch.lab.experiment import Experiment, perform
from minisearch.lab.options import experiment, topics_of, weights_of
from minisearch.lab.presets import web as preset
from minisearch.lab.webs import Web

AB = Web.of("AB", ["AB"])


def test_what_is_empty_was_not_asked_for():
    empty = {"damping": "", "rounds": None, "teleport": "", "trusted": [], "topics": "", "convention": ""}
    assert experiment(AB, empty) == Experiment()


def test_a_form_of_words_and_a_call_from_python_ask_for_the_same():
    web = preset("five-pages")
    words = {"method": "topic", "topics": "news=A,E\nsport=B", "preference": "news=3,sport", "rounds": "20"}
    python = Experiment("topic", topics={"news": ["A", "E"], "sport": ["B"]}, preference={"news": 3.0, "sport": 1.0})
    read = experiment(web, words)
    assert read.topics == python.topics
    assert read.preference == python.preference
    assert read.rounds == 20
    assert np.array_equal(perform(web, read).main, perform(web, experiment(web, vars(read))).main)


@pytest.mark.parametrize("text", ["A=0.5,B=1.5", "A=1 B=3", "1 3", "0.25,0.75"])
def test_weights_are_told_by_name_or_in_a_row(text):
    vector = np.asarray(weights_of(text, AB, "teleport"))
    assert (vector / vector.sum()).tolist() == [0.25, 0.75]


def test_an_address_may_have_an_equals_sign():
    web = Web.of(["http://a/?q=1", "http://a/?q=2"])
    assert topics_of(["http://a/?q=1"], web) == {"topic 1": ["http://a/?q=1"]}
    assert topics_of(["news=http://a/?q=2"], web) == {"news": ["http://a/?q=2"]}


@pytest.mark.parametrize(
    ("choices", "reason"),
    [
        ({"rounds": "nine"}, 'rounds must be a whole number, not "nine"'),
        ({"tolerance": "small"}, 'tolerance must be a number, not "small"'),
        ({"teleport": "A=much"}, 'teleport: "much" is not a number'),
        ({"teleport": "Z"}, 'no page is called "Z": the pages are A, B'),
        ({"preference": "news=two"}, 'the preference for news must be a number, not "two"'),
        ({"colour": "red"}, 'unknown option "colour"'),
    ],
    ids=str,
)
def test_what_cannot_be_read_is_told_in_one_line(choices, reason):
    with pytest.raises(BadInput) as told:
        experiment(AB, choices)
    assert reason in str(told.value)
    assert "\n" not in str(told.value)
