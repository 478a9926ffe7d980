import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import Damaged
from minisearch.store import blobs


def kept(value):
    conn = sqlite3.connect(":memory:")
    conn.execute("CREATE TABLE kept (id INTEGER PRIMARY KEY, value)")
    conn.execute("INSERT INTO kept VALUES (1, ?)", (value,))
    return conn


@given(st.text(st.sampled_from("abé漢🙂\0"), max_size=20), st.integers(0, 25))
def test_the_first_letters_are_those_that_substr_gives(text, most):
    conn = kept(text)
    (told,) = conn.execute("SELECT substr(value, 1, ?) FROM kept", (most,)).fetchone()
    assert blobs.letters(conn, "kept", "value", 1, most) == told


@pytest.mark.parametrize("value", [b"\xff\xfe", "é".encode()[:1], None, 7])
def test_what_is_no_text_is_damaged(value):
    with pytest.raises(Damaged):
        blobs.letters(kept(value), "kept", "value", 1, 5)


def test_a_text_that_is_not_there_is_damaged():
    with pytest.raises(Damaged):
        blobs.letters(kept("a"), "kept", "value", 2, 5)
