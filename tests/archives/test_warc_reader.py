import gzip
import tracemalloc
import zlib
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import brotli
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from minisearch.archives.warc_reader import Warc
from minisearch.archives.warc_writer import DECISION
from minisearch.errors import BadInput
from minisearch.fetch.errors import FetchError
from minisearch.fetch.fetcher import Response
from minisearch.fetch.robots import RobotsFile
from minisearch.limits import Limits
from minisearch.models import Failed
from tests.archives import records

HTML = {"content-type": "text/html"}
PAGE = b"<title>As it was</title><p>Some words.</p>"
TIMEOUT = Failed("http://a/slow", "timeout", {"seconds": 9}, transient=True)
RECORDS = [
    records.info("x.warc", {"seeds": ["http://a/"]}),
    records.response(Response("http://a/", 200, HTML, b"<title>Home</title>")),
    records.response(Response("http://a/busy", 503, HTML)),
    records.response(Response("http://a/pic", 200, {"content-type": "image/png"}, b"x")),
    records.decision("http://a/slow", TIMEOUT),
    records.decision("http://a", RobotsFile(200, "User-agent: *"), robots=True),
]


@pytest.fixture
def warc(tmp_path):
    def make(*records):
        path = tmp_path / "x.warc"
        path.write_bytes(b"".join(records or RECORDS))
        return Warc(path)

    return make


def test_revisit_of_an_unknown_response_is_ignored(warc):
    plain = b"WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"  # of a tool that writes no digests
    page, again = (b"response", b"http://a/", head + b"<p>Hi"), (b"revisit", b"http://a/b", head)
    archive = warc(*(plain % (kind, url, len(content), content) for kind, url, content in (page, again)))
    assert archive.urls() == ["http://a/"]
    assert archive.ignored == {"revisit": 1}


def test_urls_start_and_options_of_the_crawl(warc):
    archive = warc()
    assert archive.urls() == ["http://a/", "http://a/busy", "http://a/pic"]
    assert (archive.start(), archive.about) == ("http://a/", {"seeds": ["http://a/"]})
    assert archive.location("http://a/")
    assert archive.location("http://a/slow") is None
    assert archive.warning == ""


def test_responses_and_decisions_are_those_of_the_crawl(warc):
    archive = warc()
    page, date = archive.response("http://a/", Limits())
    assert (page.url, page.status, page.headers["content-type"], page.body) == (
        "http://a/",
        200,
        "text/html",
        b"<title>Home</title>",
    )
    assert date.startswith("20")
    assert archive.response("http://a/busy", Limits())[0].status == 503
    assert archive.response("http://a/slow", Limits()) is None
    assert archive.decision("http://a/slow") == TIMEOUT
    assert archive.decision("http://a", robots=True) == RobotsFile(200, "User-agent: *")
    assert archive.decision("http://b", robots=True) is None


def test_later_error_does_not_replace_a_page(warc):
    gone = records.response(Response("http://a/", 404, HTML))
    archive = warc(*RECORDS, gone)
    assert archive.response("http://a/", Limits())[0].status == 200
    archive = warc(gone, *RECORDS)
    assert archive.response("http://a/", Limits())[0].status == 200
    assert archive.ignored == {"another response for the same URL": 1}


def test_status_must_have_three_digits(warc):
    record = records.response(Response("http://a/odd", 200, HTML, b"x" * 5000))
    odd = record.replace(b"200 OK", b"9" * 5000).replace(b"x" * 5000, b"x" * len("200 OK"))  # of the same length
    archive = warc(odd, *RECORDS)
    assert archive.ignored == {"not HTTP": 1}
    assert archive.urls() == warc().urls()


def test_body_is_read_up_to_the_limit_only(warc):
    archive = warc(records.response(Response("http://a/", 200, HTML, b"x" * 100_000)))
    assert len(archive.response("http://a/", Limits(page_bytes=1000))[0].body) == 1001


def test_unknown_kind_of_decision_is_ignored(warc):
    odd = records.decision("http://a/slow", Failed("http://a/slow", "timeout"))
    archive = warc(*RECORDS[:2], odd.replace(b'"kind": "Failed"', b'"kind": "Fooled"'))
    assert archive.ignored == {"metadata": 1}


@pytest.mark.parametrize(
    "odd",
    [
        b"[" * 100_000,
        b'{"kind": "RobotsFile", "robots": true, "status": "x"}',
        b'{"kind": "RobotsFile", "robots": true, "status": Infinity}',
        b'{"kind": "RobotsFile", "robots": false, "status": 200}',
        b'{"kind": "Failed", "robots": true, "url": "http://a/", "rule": "dns"}',
        b'{"kind": "Skipped", "robots": false, "url": "http://a/", "rule": "trap", "detail": 5}',
        b'{"kind": "Failed", "robots": false, "url": "http://a/", "rule": "", "retry_after": "soon"}',
        b'{"kind": "Skipped", "robots": false, "url": "http://a/", "rule": "trap", "detail": "x"}',
    ],
)
def test_decision_with_values_of_other_types_is_ignored(tmp_path, odd):
    path = tmp_path / "odd.warc"
    with path.open("wb") as file:
        file.write(RECORDS[1])
        writer = WARCWriter(file, gzip=False)
        writer.write_record(
            writer.create_warc_record("http://a/", "metadata", payload=BytesIO(odd), warc_content_type=DECISION)
        )
    assert Warc(path).ignored == {"metadata": 1}


def dated(date, body):
    record = records.response(Response("http://a/", 200, HTML, body))
    start = record.index(b"WARC-Date: ") + len("WARC-Date: ")
    return record[:start] + date + record[record.index(b"\r\n", start) :]


def test_of_several_pages_for_a_url_the_newest_counts(warc):
    new, old = dated(b"2022-01-01T00:00:00Z", b"new"), dated(b"2019-01-01T00:00:00Z", b"old")
    for both_orders in ((new, old), (old, new)):
        assert warc(*both_orders).response("http://a/", Limits())[0].body == b"new"


# -- content encodings ---------------------------------------------------------------------------


def zipped(body):
    return gzip.compress(body, mtime=0)  # the same bytes in every process


@pytest.fixture
def read(tmp_path):
    """Reads the response from a record that warcio wrote with this body and these headers."""

    def read(body, limits=None, **headers):
        path = tmp_path / "x.warc.gz"
        lines = [("Content-Type", "text/html"), *((name.replace("_", "-"), value) for name, value in headers.items())]
        with path.open("wb") as file:
            writer = WARCWriter(file, gzip=True)
            head = StatusAndHeaders("200 OK", lines, protocol="HTTP/1.1")
            writer.write_record(
                writer.create_warc_record("http://a/", "response", payload=BytesIO(body), http_headers=head)
            )
        return Warc(path).response("http://a/", limits or Limits())[0]

    return read


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("gzip", zipped(PAGE)),
        ("br", brotli.compress(PAGE)),
        ("BR", brotli.compress(PAGE)),
        ("deflate", zlib.compress(PAGE)),
        ("deflate", zlib.compress(PAGE, wbits=-15)),
        ("br, gzip", zipped(brotli.compress(PAGE))),
        ("gzip", PAGE),
        ("br", PAGE),
        ("identity", PAGE),
    ],
)
def test_body_is_decoded_unless_it_was_stored_decoded(read, name, body):
    response = read(body, Content_Encoding=name)
    assert response.body == PAGE
    assert "content-encoding" not in response.headers


def test_chunked_body_is_joined(read):
    packed = zipped(PAGE)
    chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed)
    assert read(chunks, Content_Encoding="gzip", Transfer_Encoding="chunked").body == PAGE


@pytest.mark.parametrize(
    ("name", "compress"),
    [("br", brotli.compress), ("gzip", zipped), ("br, br", lambda body: brotli.compress(brotli.compress(body)))],
)
def test_decompression_bomb_is_bounded(read, name, compress):
    body = compress(b" " * 100_000_000)
    tracemalloc.start()
    try:
        response = read(body, Limits(page_bytes=1_000_000), Content_Encoding=name)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
    assert len(response.body) == 1_000_001


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("gzip" + ", gzip" * 50, zipped(PAGE)),
        ("gzip", zipped(PAGE)[:12] + bytes(30)),
    ],
)
def test_body_that_cannot_be_decoded_fails(read, name, body):
    with pytest.raises(FetchError) as error:
        read(body, Content_Encoding=name)
    assert error.value.rule == "encoding"


@pytest.mark.parametrize("compress", [bytes, gzip.compress], ids=["plain", "compressed"])
def test_arc_file(warc, compress):
    about = b"1 0 us\nURL IP-address Archive-date Content-type Archive-length\n"
    files = [b"filedesc://a.arc 0.0.0.0 20260101000000 text/plain %d\n" % len(about) + about + b"\n"]
    for url in (b"http://a/1", b"http://a/2"):
        body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>" + url
        files.append(url + b" 1.2.3.4 20260102030405 text/html %d\n" % len(body) + body + b"\n")
    archive = warc(*map(compress, files))
    assert (archive.urls(), archive.warning) == (["http://a/1", "http://a/2"], "")
    response, date = archive.response("http://a/2", Limits())
    assert (response.body, response.headers["content-type"]) == (b"<p>http://a/2", "text/html")
    assert date == "2026-01-02T03:04:05+00:00"


# -- damaged files -------------------------------------------------------------------------------

both = pytest.mark.parametrize("compressed", [True, False], ids=["compressed", "plain"])
URLS = [f"http://a/{number}" for number in range(4)]


def four_records(compressed):
    return [records.response(Response(url, 200, HTML, b"<p>some words " * 9), compressed=compressed) for url in URLS]


@both
@pytest.mark.parametrize("where", [0, 4, 40, 80])
def test_reading_stops_at_the_first_damaged_record(warc, compressed, where):
    records = four_records(compressed)
    records[2] = records[2][:where] + bytes(20) + records[2][where + 20 :]
    archive = warc(*records)
    if archive.warning:
        assert archive.urls() == URLS[:2]
        assert archive.warning == f"damaged at byte {len(records[0] + records[1]):,}, nothing after that was read"
    else:  # zeros in a header leave a readable record
        assert archive.urls()[:2] == URLS[:2]


@both
def test_damaged_record_is_not_taken_for_one_of_an_arc_file(warc, compressed):
    records = four_records(compressed)
    rest = records[2][50:] + records[3]
    archive = warc(*records[:2], b"http://a/2 1.2.3.4 20260101000000 text/html %d\n" % len(rest), rest)
    assert archive.urls() == URLS[:2]
    assert archive.warning == f"damaged at byte {len(records[0] + records[1]):,}, nothing after that was read"


@both
@pytest.mark.parametrize("kept", [5, 60, -40])
def test_incomplete_download_gives_the_complete_records(warc, compressed, kept):
    records = four_records(compressed)
    archive = warc(*records[:2], records[2][:kept])
    assert archive.urls() == URLS[:2]
    assert archive.warning.startswith(f"damaged at byte {len(records[0] + records[1]):,}")


@pytest.mark.parametrize("length", [b"5", b"99999999", b"9" * 30, b"-5", b"x"])
def test_record_with_a_wrong_length_is_damaged(warc, length):
    records = four_records(compressed=False)
    start = records[1].rindex(b"Content-Length: ", 0, records[1].index(b"HTTP/1.1"))
    end = records[1].index(b"\r\n", start)
    records[1] = records[1][: start + 16] + length + records[1][end:]
    archive = warc(*records)
    assert archive.urls() == URLS[:1]
    assert archive.warning


def test_archive_without_a_whole_record_is_refused(warc):
    with pytest.raises(BadInput, match=r"contains no HTTP responses: damaged at byte 0"):
        warc(RECORDS[1][:200])


def test_archive_compressed_as_a_whole_is_refused(warc):
    with pytest.raises(BadInput, match="warcio recompress"):
        warc(gzip.compress(b"".join(four_records(compressed=False))))


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_damage_does_no_more_than_lose_pages(tmp_path: Path, data):
    raw = bytearray(b"".join(RECORDS))
    for _ in range(data.draw(st.integers(0, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / "damaged.warc"
    path.write_bytes(raw[: data.draw(st.integers(0, len(raw)))])
    try:
        archive = Warc(path)
    except BadInput:
        return
    for url in archive.urls():
        with suppress(FetchError):
            assert archive.response(url, Limits())[0].url == url
