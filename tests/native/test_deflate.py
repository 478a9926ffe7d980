"""What is deflated in C is read by zlib, and is no longer than it has to be."""

import random
import zlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from minisearch.index.pack import by_zlib
from minisearch.native.loops import compiled

pytestmark = pytest.mark.skipif(not compiled, reason="nothing is compiled")

repeating = st.builds(lambda some, times: b"".join(some) * times, st.lists(st.binary(max_size=9)), st.integers(1, 400))


def inflated(data):
    return zlib.decompress(compiled.deflate(data), -15)


@given(st.binary() | repeating)
@example(b"")
@example(b"ab")
@example(bytes(259))
@example(bytes(100_000))
@example(bytes(range(256)) * 300)
def test_whatever_is_deflated_comes_back(data):
    assert inflated(data) == data


@pytest.mark.parametrize("letters", [256, 200, 16, 2])
@pytest.mark.parametrize("size", [10, 1000, 40_000, 150_000])
def test_what_stood_before_is_found_wherever_it_may_be(letters, size):
    dice = random.Random(size)
    data = bytes(dice.choices(range(letters), k=size))
    for twice in (data + data, data + bytes(32_000) + data[:500]):
        assert inflated(twice) == twice


def test_a_part_of_something_longer_can_be_deflated():
    assert inflated(memoryview(b"head" + b"tail" * 99)[4:]) == b"tail" * 99


def test_what_repeats_is_nearly_as_short_as_by_zlib():
    dice = random.Random(7)
    words = [dice.randbytes(dice.randint(2, 9)) for _ in range(40)]
    data = b"".join(dice.choices(words, k=400))
    assert len(compiled.deflate(data)) < 1.2 * len(by_zlib(memoryview(data))) < len(data)


def test_what_cannot_be_shortened_grows_by_an_eighth_at_most():
    data = random.Random(1).randbytes(5000)
    assert len(compiled.deflate(data)) <= len(data) * 9 / 8 + 2


def test_only_bytes_are_deflated():
    with pytest.raises(TypeError):
        compiled.deflate("text")
