"""Nothing that pages say can command a terminal."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.cli.shown import as_json, plain

HARMFUL = ["\x1b[2J", "\x9b31m", "\x07", "\u202e", "\u2066", "\u200f", "\r", "\x00", "\u2028", "\ud800"]


@pytest.mark.parametrize("harm", HARMFUL, ids=ascii)
def test_commands_and_turned_writing_are_left_out(harm):
    shown = plain(f"a{harm}b")
    assert shown.encode("utf-8")
    assert not set(harm) & {"\x1b", "\x9b", "\x07", "\u202e", "\u2066", "\u200f", "\r", "\x00", "\u2028"} & set(shown)


@pytest.mark.parametrize("text", ["Ruže, ruža & 検索 👩‍🌾", "می‌خواهم", "e\u0301"])
def test_letters_of_every_script_stay(text):
    assert plain(text) == text


@given(st.text() | st.sampled_from(HARMFUL))
def test_json_says_the_same_and_can_be_written(text):
    told = as_json({"title": text})
    assert json.loads(told) == {"title": text}
    assert told.encode("utf-8")
    assert "\u202e" not in told
