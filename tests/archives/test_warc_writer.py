import resource
from io import BytesIO

import pytest
from warcio.archiveiterator import ArchiveIterator

from minisearch.archives.warc_writer import DECISION, WarcFile, response_record
from minisearch.errors import BadInput, StoreError
from minisearch.fetch.fetcher import Response
from minisearch.fetch.robots import RobotsFile
from minisearch.models import Failed
from tests.archives import records

both = pytest.mark.parametrize("compressed", [True, False])


def read(raw):
    return [
        (r.rec_type, r.rec_headers, r.http_headers, r.content_stream().read()) for r in ArchiveIterator(BytesIO(raw))
    ]


@both
def test_response_record_has_headers_and_decoded_body(compressed):
    headers = {"content-type": "text/html", "content-encoding": "gzip", "content-length": "7", "x-robots-tag": "a\nb"}
    raw = records.response(Response("http://a/", 404, headers, b"<p>hello"), compressed=compressed)
    ((kind, record, http, body),) = read(raw)
    assert (kind, record.get_header("WARC-Target-URI"), http.statusline) == ("response", "http://a/", "404 Not Found")
    assert body == b"<p>hello"
    assert http.get_header("content-length") == "8"
    assert http.get_header("x-archive-orig-content-encoding") == "gzip"
    assert [value for name, value in http.headers if name == "x-robots-tag"] == ["a", "b"]
    assert raw.startswith(b"\x1f\x8b" if compressed else b"WARC/1.1")


def test_headers_are_written_as_they_were_received():
    raw = records.response(Response("http://a/", 302, {"location": "/b?c=\u00c5\u00a1"}))
    assert b"location: /b?c=\xc5\xa1\r\n" in raw


@both
def test_decision_without_a_response_is_a_metadata_record(compressed):
    raw = records.decision("http://a/x", Failed("http://a/x", "timeout", {"seconds": 9}), compressed=compressed)
    ((kind, record, _, body),) = read(raw)
    assert (kind, record.get_header("Content-Type")) == ("metadata", DECISION)
    assert b'"rule": "timeout", "detail": {"seconds": 9}' in body
    robots = read(records.decision("http://a", RobotsFile(200, "x"), robots=True))
    assert robots[0][1].get_header("WARC-Target-URI") == "http://a/robots.txt"


def test_records_can_be_concatenated():
    raw = records.info("x", {"seeds": ["http://a/"]}) + records.response(Response("http://a/", 200, {}, b"x"))
    assert [kind for kind, *_ in read(raw)] == ["warcinfo", "response"]


@pytest.mark.parametrize("name", ["x.warc", "x.warc.gz"])
def test_existing_file_is_continued(tmp_path, name):
    path = tmp_path / name
    for body in (b"one", b"two"):
        file = WarcFile(path, {})
        file.add(response_record(Response("http://a/", 200, {}, body)))
        file.close()
    assert [kind for kind, *_ in read(path.read_bytes())] == ["warcinfo", "response"] * 2


@pytest.mark.parametrize("name", ["x.warc", "x.warc.gz"])
def test_other_file_is_not_overwritten(tmp_path, name):
    (tmp_path / name).write_bytes(b"precious")
    with pytest.raises(BadInput, match="not a web archive"):
        WarcFile(tmp_path / name, {})
    assert (tmp_path / name).read_bytes() == b"precious"


@pytest.mark.parametrize("room", [0, 100])
def test_a_record_that_cannot_be_written_whole_is_not_written_at_all(tmp_path, room):
    path = tmp_path / "x.warc"
    file = WarcFile(path, {})
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + room, limits[1]))
    try:
        with pytest.raises(StoreError, match=f'^cannot write "{path}": File too large$'):
            file.add(response_record(Response("http://a/", 200, {}, b"x" * 1000)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    file.close()
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["x.warc", "x.warc.gz"])
def test_a_file_that_breaks_off_in_a_record_is_not_continued(tmp_path, name):
    """Nothing that is appended to it could be read."""
    path = tmp_path / name
    file = WarcFile(path, {})
    whole = path.stat().st_size
    file.add(response_record(Response("http://a/", 200, {}, b"one")))
    file.close()
    content = path.read_bytes()
    for end in range(whole + 1, len(content)):
        path.write_bytes(content[:end])
        with pytest.raises(BadInput, match="breaks off in a record"):
            WarcFile(path, {})
        assert path.stat().st_size == end
    path.write_bytes(content[:whole])
    WarcFile(path, {}).close()


@pytest.mark.parametrize("character", ["\x85", "\x1c", "\x1d", "\x1e", "\x0b", "\x0c"])
def test_header_is_one_line_whatever_characters_it_holds(character):
    raw = records.response(Response("http://a/", 302, {"location": f"/b{character}c"}))
    assert f"location: /b{character}c\r\n".encode("latin-1") in raw
