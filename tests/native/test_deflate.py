"""What is deflated in C is read by zlib, and is no longer than it has to be."""

import random
import zlib
from math import log

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from minisearch.index.pack import by_python, repeats_by_python
from minisearch.native.loops import compiled
from minisearch.packing import DEFLATED

pytestmark = pytest.mark.skipif(not compiled, reason="nothing is compiled")

repeating = st.builds(lambda some, times: b"".join(some) * times, st.lists(st.binary(max_size=9)), st.integers(1, 400))


def inflated(data, make=None):
    packed = (make or compiled.deflated)(b"\1" + data, 1, 1)
    assert len(packed) <= len(data) + 1
    assert packed[0] & ~DEFLATED == 1
    return zlib.decompress(packed[1:], -15) if packed[0] & DEFLATED else packed[1:]


@given(st.binary() | repeating)
@example(b"")
@example(b"ab")
@example(bytes(259))
@example(bytes(100_000))
@example(bytes(range(256)) * 300)
def test_whatever_is_deflated_comes_back(data):
    assert inflated(data) == inflated(data, by_python) == data


@pytest.mark.parametrize("letters", [256, 200, 16, 2])
@pytest.mark.parametrize("size", [10, 1000, 40_000, 150_000])
def test_what_stood_before_is_found_wherever_it_may_be(letters, size):
    dice = random.Random(size)
    data = bytes(dice.choices(range(letters), k=size))
    for twice in (data + data, data + bytes(32_000) + data[:500]):
        assert inflated(twice) == twice


@pytest.mark.parametrize("make", [compiled and compiled.deflated, by_python])
def test_a_head_stays_as_it_is_but_for_what_says_that_the_rest_is_deflated(make):
    packed = make(b"\2head" + b"tail" * 99, 5, 64)
    assert packed[:5] == bytes([2 | DEFLATED]) + b"head"
    assert zlib.decompress(packed[5:], -15) == b"tail" * 99


@pytest.mark.parametrize("make", [compiled and compiled.deflated, by_python])
@pytest.mark.parametrize("blob", [b"", b"\1", bytes(64), random.Random(1).randbytes(5000)])
def test_what_is_short_or_cannot_be_shortened_stays_as_it_is(make, blob):
    assert make(blob, 1, 64) == blob


def test_what_is_deflated_does_not_depend_on_what_was_before():
    dice = random.Random(3)
    blobs = [bytes(dice.choices(range(dice.choice([2, 9, 99])), k=dice.choice([70, 900, 40_000]))) for _ in range(60)]
    once = [compiled.deflated(blob, 1, 64) for blob in blobs]
    assert [compiled.deflated(blob, 1, 64) for blob in blobs[::-1]] == once[::-1]


def test_what_repeats_is_nearly_as_short_as_by_zlib():
    dice = random.Random(7)
    words = [dice.randbytes(dice.randint(2, 9)) for _ in range(40)]
    data = b"".join(dice.choices(words, k=400))
    assert len(compiled.deflated(data, 1, 64)) < 1.2 * len(by_python(data, 1, 64)) < len(data)


runs = st.lists(st.tuples(st.integers(0, 255), st.integers(1, 600)), max_size=40)


@given(st.binary() | repeating | runs.map(lambda some: b"".join(bytes([byte]) * count for byte, count in some)))
@example(b"")
@example(b"a")
@example(bytes(100_000))
@example(bytes(range(256)) * 90)
def test_what_repeats_comes_back_and_is_as_short_as_by_zlib(data):
    assert inflated(data, compiled.deflated_repeats) == inflated(data, repeats_by_python) == data
    packed = compiled.deflated_repeats(b"\1" + data, 1, 1)
    assert len(packed) <= len(repeats_by_python(b"\1" + data, 1, 1)) + 2


@pytest.mark.parametrize("share", [0.5, 0.62, 0.8, 0.97])
@pytest.mark.parametrize("size", [70, 700, 4095, 4096, 30_000])
def test_bytes_that_stand_by_very_different_chances_come_back(share, size):
    dice = random.Random(size)
    data = bytes(min(255, int(dice.expovariate(1) / -log(share))) for _ in range(size))
    assert inflated(data, compiled.deflated_repeats) == data
    assert len(compiled.deflated_repeats(data, 1, 64)) <= len(repeats_by_python(data, 1, 64)) + 2


def test_no_code_is_longer_than_may_be():
    often = [1, 1, 3, 4]
    while len(often) < 16:
        often.append(often[-1] + often[-2])  # by Huffman each has a code shorter by one bit than the one before
    spread = sorted(((place + 0.5) / count, byte) for byte, count in enumerate(often) for place in range(count))
    data = bytes(byte for _, byte in spread)
    assert inflated(data, compiled.deflated_repeats) == data
    assert len(compiled.deflated_repeats(data, 1, 64)) <= len(repeats_by_python(data, 1, 64)) + 2


@pytest.mark.parametrize("wrong", [("text", 1, 64), (bytearray(99), 1, 64)])
def test_only_bytes_are_deflated(wrong):
    with pytest.raises(TypeError):
        compiled.deflated(*wrong)


@pytest.mark.parametrize(("head", "short"), [(0, 64), (-1, 64), (3, 2)])
def test_a_head_that_cannot_be_is_refused(head, short):
    with pytest.raises(ValueError, match="head"):
        compiled.deflated(bytes(99), head, short)
