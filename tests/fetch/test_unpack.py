import gzip
import zlib
from contextlib import suppress

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.fetch.errors import FetchError
from minisearch.fetch.unpack import STEP, unpacked


def raw_deflate(data):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


PACK = {
    "gzip": [gzip.compress],
    "x-gzip": [gzip.compress],
    "deflate": [zlib.compress, raw_deflate],
    "br": [brotli.compress],
    "identity": [bytes],
    "": [bytes],
}
WAYS = [(name, pack) for name, packs in PACK.items() for pack in packs]
every_way = pytest.mark.parametrize(("name", "pack"), WAYS, ids=[f"{name}-{pack.__name__}" for name, pack in WAYS])


def in_pieces(data, size):
    return [data[start : start + size] for start in range(0, len(data), size)]


@every_way
@given(data=st.binary(max_size=300), size=st.integers(1, 50))
def test_what_was_packed_is_unpacked_however_it_arrives(name, pack, data, size):
    assert b"".join(unpacked(in_pieces(pack(data), size), name)) == data


@every_way
def test_no_step_is_large(name, pack):
    if pack is not bytes:
        pieces = unpacked([pack(b"a" * 5_000_000)], name)
        assert max(map(len, pieces)) <= 4 * STEP


@pytest.mark.parametrize(("name", "pack"), [way for way in WAYS if way[1] is not bytes])
@pytest.mark.parametrize("cut", [1, 5, 20])
def test_what_was_cut_short_is_not_taken_for_whole(name, pack, cut):
    body = pack(bytes(range(256)) * 20)[:-cut]
    with pytest.raises(FetchError, match="broke off") as caught:
        list(unpacked([body], name))
    assert (caught.value.rule, caught.value.transient) == ("truncated", True)


@pytest.mark.parametrize("name", ["gzip", "deflate", "br"])
def test_a_body_of_nothing_is_nothing(name):
    assert list(unpacked([], name)) == []


@pytest.mark.parametrize("name", ["gzip", "br"])
def test_what_is_not_packed_at_all_is_told(name):
    with pytest.raises(FetchError, match="could not be decompressed"):
        list(unpacked([b"<p>Plain words, not packed at all."], name))


def test_several_members_are_one_body():
    assert b"".join(unpacked([gzip.compress(b"one ") + gzip.compress(b"two")], "gzip")) == b"one two"


def test_rubbish_after_the_end_is_ignored():
    assert b"".join(unpacked([gzip.compress(b"one"), b"\0\0\0rubbish"], "gzip")) == b"one"
    assert b"".join(unpacked([brotli.compress(b"one"), b"rubbish"], "br")) == b"one"


@given(st.binary(), st.sampled_from(["gzip", "deflate", "br", "gzip, br"]))
def test_no_bytes_cause_anything_but_a_failure_in_words(data, name):
    with suppress(FetchError):
        assert all(unpacked([data], name))
