"""Files that are dropped on the lab page."""

import gzip

import pytest

from minisearch.errors import BadInput
from minisearch.lab import formats
from minisearch.lab.address import read
from minisearch.lab.presets import web
from minisearch.lab.question import opened

ENDINGS = {
    "pairs": "pairs.txt",
    "ints": "ints.txt",
    "exchange": "json",
    "node-link": "json",
    "tsv": "tsv",
    "csv": "csv",
}


@pytest.mark.parametrize("form", formats.PARSERS)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_every_format_is_read_by_its_name_and_content(form, packed):
    five = web("five-pages")
    data = formats.render(five, form).encode()
    name = f"five.{ENDINGS.get(form, form)}"
    found = read(opened([(f"{name}.gz", gzip.compress(data)) if packed else (name, data)]))
    assert sorted(often for *_, often in found.links()) == [1.0] * 11


def test_two_files_are_those_of_common_crawl():
    files = [("x-vertices.txt", b"0\tcom.a\n1\tcom.b\n"), ("x-edges.txt", b"0\t1\n")]
    assert opened(files) == "a.com:b.com;b.com"
    with pytest.raises(BadInput, match="choose one file"):
        opened([("one.csv", b"A,B"), ("two.csv", b"A,B")])


def test_joined_gzip_files_are_read_to_the_end():
    data = gzip.compress(b"A,B\n") + gzip.compress(b"B,C\n") + gzip.compress(b"C,A\n")
    assert opened([("links.csv.gz", data)]) == "A:B;B:C;C:A"


def test_a_file_that_is_too_long_is_not_cut_inside_a_character():
    with pytest.raises(BadInput, match="too long"):
        opened([("x.csv.gz", gzip.compress("xč".encode() * 1_000_001))])


BOMB = gzip.compress(b"A,B\n" * 2_000_000)
WRONG = [
    ("x.csv", b"", "empty"),
    ("x.csv", b"\xff\xfe\x00", "not text"),
    ("x.csv.gz", b"\x1f\x8b rubbish", "damaged"),
    ("x.csv.gz", gzip.compress(b"A,B\n")[:-4], "truncated"),
    ("x.csv.gz", BOMB, "too long"),
]


@pytest.mark.parametrize(("name", "data", "told"), WRONG, ids=[told for *_, told in WRONG])
def test_what_cannot_be_read_is_told(name, data, told):
    with pytest.raises(BadInput, match=told):
        opened([(name, data)])
