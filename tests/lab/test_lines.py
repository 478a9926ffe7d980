"""Files as text: read whole, written whole or not at all."""

import gzip
import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.errors import BadInput
from minisearch.lab import lines


def test_what_is_written_is_there_with_the_usual_permissions(tmp_path):
    name = tmp_path / "out.txt"
    lines.write_whole(str(name), b"new")
    plain = tmp_path / "plain.txt"
    plain.write_bytes(b"")
    assert name.read_bytes() == b"new"
    assert stat.S_IMODE(name.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_file_keeps_its_permissions(tmp_path):
    name = tmp_path / "out.txt"
    name.write_bytes(b"old")
    name.chmod(0o600)
    lines.write_whole(str(name), b"new")
    assert stat.S_IMODE(name.stat().st_mode) == 0o600


def test_the_same_graph_gives_the_same_packed_file(tmp_path):
    for name in ("a.gz", "b.gz"):
        lines.write_whole(str(tmp_path / name), b"same")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"same"


def test_a_device_is_written_to_and_not_replaced():
    lines.write_whole(os.devnull, b"gone")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_standard_output_is_a_file(capfdbinary):
    lines.write_whole("-", b"\xff\x00")
    assert capfdbinary.readouterr().out == b"\xff\x00"


def test_a_folder_cannot_be_written(tmp_path):
    with pytest.raises(BadInput, match="cannot write"):
        lines.write_whole(str(tmp_path), b"")


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "MOST_BYTES", 1000)
    (tmp_path / "bomb.gz").write_bytes(gzip.compress(b"0" * 100_000))
    with pytest.raises(BadInput, match="too large"):
        lines.read_bytes(str(tmp_path / "bomb.gz"))
    (tmp_path / "large.txt").write_bytes(b"0" * 1001)
    with pytest.raises(BadInput, match="too large"):
        lines.read_bytes(str(tmp_path / "large.txt"))


@given(st.binary(max_size=200))
def test_packed_bytes_are_unpacked(data):
    assert lines.unpack(gzip.compress(data), "a.gz", 10_000) == data


@given(st.text())
def test_a_word_in_a_message_is_short_and_harmless(word):
    assert lines.clip(word).isprintable()
    assert len(lines.clip(word)) <= lines.LONGEST
