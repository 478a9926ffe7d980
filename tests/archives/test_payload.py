import gzip
import tracemalloc
import zlib
from io import BytesIO

import brotli
import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from minisearch.archives.warc_reader import ArchiveVisitor, Warc
from minisearch.crawl.visit import Task
from minisearch.limits import Limits
from minisearch.records import Failed, Page, Skipped

PAGE = b"<title>As it was</title><p>Some words.</p>"
URL = "http://a.example/"


def zipped(body):
    return gzip.compress(body, mtime=0)  # the same bytes in every process


@pytest.fixture
def visit(tmp_path):
    """What becomes of a page whose record, written by warcio itself, has this body and these headers."""

    def visited(body, limits=None, **headers):
        path = tmp_path / "x.warc.gz"
        lines = [("Content-Type", "text/html"), *((name.replace("_", "-"), value) for name, value in headers.items())]
        with path.open("wb") as file:
            writer = WARCWriter(file, gzip=True)
            said = StatusAndHeaders("200 OK", lines, protocol="HTTP/1.1")
            writer.write_record(writer.create_warc_record(URL, "response", payload=BytesIO(body), http_headers=said))
        return ArchiveVisitor(Warc(path), limits=limits)(Task(URL))

    return visited


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("gzip", zipped(PAGE)),
        ("br", brotli.compress(PAGE)),
        ("BR", brotli.compress(PAGE)),
        ("deflate", zlib.compress(PAGE)),
        ("br, gzip", zipped(brotli.compress(PAGE))),
        ("gzip", PAGE),
        ("br", PAGE),
        ("identity", PAGE),
    ],
)
def test_a_body_is_unpacked_as_from_the_web_or_was_already(visit, name, body):
    outcome = visit(body, Content_Encoding=name)
    assert isinstance(outcome, Page)
    assert (outcome.title, outcome.text) == ("As it was", "Some words.")


def test_a_body_in_chunks_is_put_together(visit):
    packed = zipped(PAGE)
    outcome = visit(
        b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed), Content_Encoding="gzip", Transfer_Encoding="chunked"
    )
    assert isinstance(outcome, Page)
    assert outcome.title == "As it was"


@pytest.mark.parametrize(
    ("name", "pack"),
    [("br", brotli.compress), ("gzip", zipped), ("br, br", lambda body: brotli.compress(brotli.compress(body)))],
)
def test_a_bomb_in_an_archive_does_not_go_off(visit, name, pack):
    body = pack(b" " * 100_000_000)
    tracemalloc.start()
    try:
        outcome = visit(body, Limits(page_bytes=1_000_000), Content_Encoding=name)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
    assert isinstance(outcome, Skipped)
    assert outcome.rule == "size"


def test_a_body_that_cannot_be_decompressed_fails_as_on_the_web(visit):
    outcome = visit(b"\x1f\x8b this is not gzip", Content_Encoding="gzip")
    assert isinstance(outcome, Failed)
    assert outcome.rule == "encoding"
