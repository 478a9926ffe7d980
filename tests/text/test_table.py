"""A table gives each chunk its number, and never that of another, however alike they are."""

import random
import string

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minisearch.text import table as tables
from minisearch.text.chunks import CUTS
from minisearch.text.table import LONGEST, NONE, PADDING, Table

bare = st.text(string.ascii_letters + ".\xe9", min_size=1, max_size=LONGEST + 9).map(str.encode)
chunks = bare | st.sampled_from([b"a", b"ab", b"abcdefgh" * 2, b"abcdefgh" * 3, b"x" * LONGEST, b"x" * (LONGEST + 1)])


def find(table, chunks):
    sizes = np.array([len(chunk) for chunk in chunks], dtype=np.intp)
    starts = np.cumsum(sizes) - sizes
    return table.find(b"".join([*chunks, PADDING]), starts, starts + sizes).tolist()


@settings(deadline=None)
@given(st.lists(chunks, unique=True), st.lists(chunks))
def test_what_was_added_is_found_by_its_number_and_nothing_else_is(known, asked):
    table = Table(CUTS)
    half = len(known) // 2
    table.add(known[:half], 7)
    table.add(known[half:], 7 + half)
    numbers = {chunk: 7 + place for place, chunk in enumerate(known)}
    assert find(table, known + asked) == [numbers.get(chunk, NONE) for chunk in known + asked]


def test_a_table_grows_and_forgets_nothing():
    table, many = Table(CUTS), [str(number).encode() for number in range(3 * tables.FIRST_SLOTS)]
    for start in range(0, len(many), 1000):
        table.add(many[start : start + 1000], start)
    assert find(table, many) == list(range(len(many)))
    assert find(table, [b"-1", b"x"]) == [NONE, NONE]


def test_all_may_come_to_the_same_slot(monkeypatch):
    monkeypatch.setattr(Table, "_home", lambda self, low, high: np.full(len(low), len(self._number) - 1))
    table, some = Table(CUTS), [b"a", b"b", b"c", b"d"]
    table.add(some[:3], 0)
    assert find(table, some) == [0, 1, 2, NONE]


def numbered(*readings):
    """What a table gives for one reading after the other, each of some texts, as plain lists."""
    table, known, found = Table(CUTS), 5, []
    for texts in readings:
        numbers, sizes, fresh = table.read(texts, known)
        found.append((numbers.tolist(), sizes.tolist(), fresh))
        known += len(fresh)
    return found


def test_chunks_are_numbered_as_they_are_met():
    readings = [b"to be, or not to be", b""], [b"(be) not.\xc3\xa9", b"to"]
    assert numbered(*readings) == [
        ([5, 6, 7, 8, 5, 6], [6, 0], [b"to", b"be", b"or", b"not"]),
        ([6, 9, 5], [2, 1], [b"not.\xc3\xa9"]),
    ]


def test_no_texts_and_texts_of_blanks_have_no_chunks():
    assert numbered([], [b"", b" \n\0", b"?"]) == [([], [], []), ([], [0, 0, 0], [])]


def test_however_many_are_met_each_keeps_its_number():
    many = [b"%d" % number for number in range(20_000)]
    text = b" ".join(many)
    assert numbered([text], [text]) == [
        (list(range(5, 20_005)), [20_000], many),
        (list(range(5, 20_005)), [20_000], []),
    ]


@pytest.mark.parametrize("size", [8, 16, 17, 24, 40, LONGEST])
def test_chunks_that_differ_by_a_pattern_are_told_apart(size):
    """Addresses and digests repeat themselves: the same change in every word of 8 bytes must not cancel out."""
    dice = random.Random(size)
    many = {bytes([dice.choice(b"01ab")]) * size for _ in range(9)}
    for _ in range(2000):
        word = bytes(dice.choices(b"01.", k=8))
        many |= {(word * 8)[:size], (word + bytes(dice.choices(b"01", k=8)) + word * 6)[:size]}
    different = sorted(many)
    table = Table(CUTS)
    table.add(different, 0)
    assert find(table, different) == list(range(len(different)))
