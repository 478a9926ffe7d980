import gzip
import logging
import socket
import ssl
import threading
import time
import tracemalloc
import zlib
from contextlib import closing, contextmanager, suppress
from itertools import repeat

import brotli
import pytest
import requests
import urllib3
from hypothesis import given
from hypothesis import strategies as st

from minisearch import __version__
from minisearch.crawl.job import CrawlOptions
from minisearch.crawl.verdicts import describe
from minisearch.errors import BadInput
from minisearch.fetch.errors import FetchError, Rejected, describe_error
from minisearch.fetch.fetcher import (
    CHUNK,
    OriginHeaders,
    Session,
    check_header,
    fetch,
    redirect_target,
    retry_after,
)
from minisearch.limits import Limits

URL = "https://example.com/a"
HTML = {"Content-Type": "text/html"}


def get(url, limits=Limits(), **options):  # noqa: B008 - it is frozen
    with Session() as session:
        return fetch(url, session, limits, **options)


# -- what is asked and what is answered ------------------------------------------------------


def test_a_response_has_status_headers_and_body(web):
    web.get(URL, b"<p>Hello.", headers={"ETag": '"x"'}, content_type="text/html")
    answer = get(URL)
    assert (answer.url, answer.status, answer.body) == (URL, 200, b"<p>Hello.")
    assert answer.headers["etag"] == '"x"'


def test_the_user_agent_is_sent(web):
    web.get(URL, b"")
    get(URL)
    assert web.calls[0].request.headers["User-Agent"] == f"minisearch/{__version__}"
    with Session("other/1 (me@example.com)") as session:
        fetch(URL, session, Limits())
    assert web.calls[1].request.headers["User-Agent"] == "other/1 (me@example.com)"


@pytest.mark.parametrize("name", ["", " ", "поиск/1", "a\nCookie: b", " a", "a\tb"])
def test_a_user_agent_that_does_not_fit_into_a_header_is_refused(name):
    for place in (Session, lambda name: CrawlOptions(user_agent=name)):
        with pytest.raises(BadInput, match="one line of plain ASCII text"):
            place(name)


def test_no_cookies_are_kept(web, session):
    web.get(URL, b"", headers={"Set-Cookie": "who=you; Path=/"})
    fetch(URL, session, Limits())
    fetch(URL, session, Limits())
    assert "Cookie" not in web.calls[1].request.headers


@pytest.mark.parametrize("status", [204, 301, 304, 403, 404, 410, 429, 500, 503, 599])
def test_only_the_bodies_of_pages_are_read(web, status):
    web.get(URL, b"words", status=status, content_type="video/mp4")
    answer = get(URL)
    assert (answer.status, answer.body) == (status, b"")


@pytest.mark.parametrize("location", ["https://example.com/b", "", "http://[bad", "\xff\xfe", "x" * 9999, "//"])
def test_a_redirect_is_a_response_whatever_its_target(serve, location):
    base = serve(a=(302, {"Location": location}, b""))
    answer = get(base + "/a")
    assert (answer.status, answer.headers.get("location")) == (302, location)


def test_the_body_of_a_redirect_is_not_read(serve):
    def endless():
        while True:
            yield b"x" * CHUNK

    base = serve(a=lambda _: (302, {"Location": "/b"}, endless()))
    assert get(base + "/a", Limits(page_seconds=1)).status == 302


# -- what is not wanted ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("text/html", True),
        ("Text/HTML; charset=utf-8", True),
        ("application/xhtml+xml", True),
        ("text/plain", True),
        ("", True),
        ("application/pdf", False),
        ("image/png", False),
        ("text/css; charset=utf-8", False),
        ("html", True),
        ("; charset=utf-8", True),
        ("text/html charset=utf-8", True),
        ("text/", True),
        ("*/*", True),
        ("application/unknown", True),
        ("non/sense", False),
        ("application/x!y", False),
        ("text/html; charset=utf-8, text/html", True),
        ("image/png, text/html", True),
        ('application/pdf; name="a,b.pdf"', False),
    ],
)
def test_only_pages_with_text_are_read(serve, kind, wanted):
    base = serve(a=(200, {"Content-Type": kind}, b"words"))
    if wanted:
        assert get(base + "/a").body == b"words"
        return
    with pytest.raises(Rejected, match="type") as caught:
        get(base + "/a")
    assert caught.value.rule == "type"


@pytest.mark.parametrize("size", [0, 1, 999, 1000, 1001, 300_000])
@pytest.mark.parametrize("announced", [True, False])
def test_a_page_may_be_as_large_as_the_limit_and_not_a_byte_more(serve, size, announced):
    body = b"x" * size
    base = serve(a=lambda _: (200, HTML, body if announced else iter([body])))
    if size <= 1000:
        assert get(base + "/a", Limits(page_bytes=1000)).body == body
        return
    with pytest.raises(Rejected, match=r"size.*: 1000\b") as caught:
        get(base + "/a", Limits(page_bytes=1000))
    assert caught.value.rule == "size"


def test_a_page_that_announces_too_much_is_not_read(serve):
    sent = []

    def body():
        for _ in range(200):
            sent.append(1)
            yield b"x" * CHUNK

    base = serve(a=lambda _: (200, HTML | {"Content-Length": str(200 * CHUNK)}, body()))
    with pytest.raises(Rejected):
        get(base + "/a", Limits(page_bytes=1000))
    assert len(sent) < 200


def test_an_announced_length_takes_no_memory_before_it_is_received(serve):
    huge = 10**14
    base = serve(a=(200, HTML | {"Content-Length": str(huge)}, b"x"))
    with pytest.raises(FetchError, match="truncated"):
        get(base + "/a", Limits(page_bytes=huge))


def test_an_absurd_length_is_too_large(serve):
    base = serve(a=(200, HTML | {"Content-Length": "9" * 5000}, b"x"))
    with pytest.raises(Rejected, match="size"):
        get(base + "/a")


# -- compression -----------------------------------------------------------------------------


PACK = {"gzip": gzip.compress, "deflate": zlib.compress, "br": lambda text: brotli.compress(text, quality=4)}


def packed(text, names):
    for name in names.split(", "):
        text = PACK[name](text)
    return text


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "gzip, gzip", "br, gzip"])
def test_compressed_bodies_are_decompressed(serve, name):
    text = b"<p>words " * 50_000
    base = serve(a=(200, HTML | {"Content-Encoding": name}, packed(text, name)))
    assert get(base + "/a").body == text


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("GZIP", gzip.compress(b"words and words")),
        ("deflate", zlib.compress(b"words and words", wbits=-15)),
        ("gzip", gzip.compress(b"words ") + gzip.compress(b"and words")),
    ],
    ids=["in capitals", "raw deflate", "several members"],
)
def test_unusual_forms_of_compression_are_read(serve, name, body):
    base = serve(a=(200, HTML | {"Content-Encoding": name}, body))
    assert get(base + "/a").body == b"words and words"


def test_only_encodings_with_bounded_decompression_are_accepted(serve):
    asked = []
    base = serve(a=lambda request: asked.append(request.headers["Accept-Encoding"]) or (200, HTML, b""))
    get(base + "/a")
    assert asked == ["gzip, deflate, br"]


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "gzip, gzip", "br, br", "gzip, br"])
def test_a_bomb_is_stopped_at_the_limit_and_takes_no_memory(serve, name):
    size = 100_000_000
    base = serve(a=(200, HTML | {"Content-Encoding": name}, packed(b"\0" * size, name)))
    tracemalloc.start()
    try:
        with pytest.raises(Rejected, match=r"size.*: 1000000\b"):
            get(base + "/a", Limits(page_bytes=1_000_000))
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "piece",
    [b"\0\0\0\xff\xff" * 20_000, gzip.compress(b"", mtime=0) * 5_000, b"\0" * 100_000],
    ids=["empty blocks", "empty members", "zeros behind the end"],
)
def test_a_compressed_stream_of_nothing_is_ended_at_the_limit_and_takes_no_memory(serve, piece):
    start = zlib.compressobj(wbits=31)
    opened = start.compress(b"<p>words</p>") + start.flush(zlib.Z_SYNC_FLUSH)
    whole = gzip.compress(b"<p>words</p>")

    def body():
        yield opened if piece.startswith(b"\0\0\0\xff") else whole
        while True:
            yield piece

    base = serve(a=lambda _: (200, HTML | {"Content-Encoding": "gzip"}, body()))
    tracemalloc.start()
    try:
        with pytest.raises(FetchError, match="timeout"):
            get(base + "/a", Limits(page_seconds=1))
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["zstd", "gzip, ZSTD", "compress"])
def test_an_encoding_that_was_not_asked_for_is_not_read_as_text(serve, name):
    base = serve(a=(200, HTML | {"Content-Encoding": name}, b"\x28\xb5\x2f\xfd and so on"))
    with pytest.raises(FetchError) as caught:
        get(base + "/a")
    reason = describe("failed", caught.value.rule, caught.value.detail)
    assert (reason, caught.value.transient) == (f"unsupported content encoding ({name.split()[-1].lower()})", False)


@pytest.mark.parametrize("name", ["identity", "none", "utf-8", ""])
def test_an_encoding_that_changes_nothing_is_ignored(serve, name):
    base = serve(a=(200, HTML | {"Content-Encoding": name}, b"words"))
    assert get(base + "/a").body == b"words"


@pytest.mark.parametrize("name", ["gzip", ", ".join(["gzip"] * 50)])
def test_a_body_that_cannot_be_decompressed_fails(serve, name):
    base = serve(a=(200, HTML | {"Content-Encoding": name}, b"this is not gzip"))
    with pytest.raises(FetchError, match="encoding") as caught:
        get(base + "/a")
    assert (caught.value.rule, caught.value.transient) == ("encoding", False)


# -- time ------------------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [HTML, HTML | {"Content-Length": "5000"}, HTML | {"Content-Encoding": "gzip"}])
def test_a_slow_body_is_ended_at_the_limit(serve, headers):
    body = gzip.compress(bytes(range(256)) * 99, 0) if "Content-Encoding" in headers else b"x" * 5000

    def drip():
        for byte in body:
            yield bytes([byte])
            time.sleep(0.02)

    base = serve(a=lambda _: (200, headers, drip()))
    began = time.monotonic()
    with pytest.raises(FetchError, match=r"total.*: 0\.3\b"):
        get(base + "/a", Limits(page_seconds=0.3))
    assert time.monotonic() - began < 1.5


def test_silence_ends_sooner(serve):
    base = serve(a=lambda _: time.sleep(1))
    with pytest.raises(FetchError, match=r"timeout.*: 0\.2\b") as caught:
        get(base + "/a", Limits(silence_seconds=0.2))
    assert (caught.value.rule, caught.value.transient) == ("timeout", True)


def test_silence_in_the_middle_of_a_page_ends_sooner(serve):
    def body():
        yield b"x"
        time.sleep(1)

    base = serve(a=lambda _: (200, HTML | {"Content-Length": "2"}, body()))
    with pytest.raises(FetchError, match=r"timeout.*: 0\.2\b"):
        get(base + "/a", Limits(silence_seconds=0.2))


@contextmanager
def raw(pieces, pause=0.0):
    """A server that sends these bytes to whoever connects, piece by piece, and heeds nothing."""

    def speak(connection):
        with closing(connection), suppress(OSError):
            connection.recv(CHUNK)
            for piece in pieces:
                connection.sendall(piece)
                time.sleep(pause)

    def accept():
        with suppress(OSError):
            while True:
                threading.Thread(target=speak, args=listener.accept()[:1], daemon=True).start()

    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"


START = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = START + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "answer",
    [
        START + b"X-Long: " + b"x" * 9999,
        b"HTTP/1.1 " + b" " * 9999,
        CHUNKED + b"1;" + b"x" * 9999,
        CHUNKED + b"0" * 9999,
        START + b"\r\n" + b"x" * 9999,
    ],
    ids=["header", "status", "chunk extension", "chunk size", "body without length"],
)
def test_no_slow_sender_outlasts_the_deadline(answer):
    with raw((bytes([byte]) for byte in answer), 0.02) as url:
        began = time.monotonic()
        with pytest.raises(FetchError, match=r"total.*: 0\.4\b") as caught:
            get(url, Limits(page_seconds=0.4))
        assert (caught.value.rule, caught.value.transient) == ("timeout", False)
        assert 0.3 < time.monotonic() - began < 3


def test_a_slow_handshake_does_not_outlast_the_deadline():
    handshake = b"\x16\x03\x03\x40\x00" + b"\x02\x00\x3f\xfc" + b"\x03" * 9999
    with raw((bytes([byte]) for byte in handshake), 0.02) as url:
        began = time.monotonic()
        with pytest.raises(FetchError, match=r"total.*: 0\.4\b"):
            get(url.replace("http:", "https:"), Limits(page_seconds=0.4))
        assert 0.3 < time.monotonic() - began < 3


@pytest.mark.parametrize(
    "answer",
    [START + b"\r\n" + b"x" * 50, START + b"Connection: close\r\n\r\n" + b"x" * 50],
    ids=["by silence", "by closing"],
)
def test_a_body_that_was_cut_off_by_the_deadline_is_not_complete(answer):
    with raw([answer, *repeat(b"x", 99)], 0.02) as url, pytest.raises(FetchError, match="total"):
        get(url, Limits(page_seconds=0.3))


@pytest.mark.parametrize("status", ["100 Continue", "103 Early Hints"])
def test_endless_interim_responses_end_at_the_deadline(status):
    promises = repeat(f"HTTP/1.1 {status}\r\n\r\n".encode(), 9999)
    with raw(promises, 0.005) as url, pytest.raises(FetchError, match="total"):
        get(url, Limits(page_seconds=0.4))


def test_a_deadline_does_not_affect_later_requests(serve, session):
    base = serve(a=(200, HTML, b"words"))
    limits = Limits(page_seconds=0.3)
    assert fetch(base + "/a", session, limits).body == b"words"
    time.sleep(0.4)
    assert fetch(base + "/a", session, limits).body == b"words"


def test_two_threads_have_a_deadline_each(serve):
    def slow():
        for _ in range(100):
            yield b"x"
            time.sleep(0.02)

    base = serve(slow=lambda _: (200, HTML, slow()), quick=(200, HTML, b"words"))
    found = {}

    def ask(name, seconds):
        try:
            found[name] = get(f"{base}/{name}", Limits(page_seconds=seconds)).body
        except FetchError as error:
            found[name] = error.rule

    threads = [threading.Thread(target=ask, args=pair) for pair in (("slow", 0.3), ("quick", 20))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert found == {"slow": "timeout", "quick": b"words"}


# -- headers ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "limits"),
    [
        (b"".join(b"X-%d: y\r\n" % n for n in range(3000)), Limits()),
        (b"X-Long: " + b"x" * 100_000 + b"\r\n", Limits()),
        (b"".join(b"X-%d: %s\r\n" % (n, b"y" * 60_000) for n in range(50)), Limits()),
        (b"X-Long: " + b"x" * 2000 + b"\r\n", Limits(header_bytes=1000)),
    ],
    ids=["many", "a long line", "long lines", "past a limit of our own"],
)
def test_headers_are_bounded(headers, limits):
    answer = START + headers + b"Content-Length: 1\r\n\r\nx"
    with raw([answer]) as url, pytest.raises((FetchError, Rejected), match="headers") as caught:
        get(url, limits)
    assert caught.value.rule == "headers"
    assert not getattr(caught.value, "transient", False)


@pytest.mark.parametrize(
    "answer",
    [b"<p>No headers at all.\r\n\r\n", b"HTTP/1.1\r\n\r\n", b"HTTP/1.1 1000 High\r\n\r\n", b"HTTP/2 200\r\n\r\n"],
)
def test_a_malformed_response_fails_as_protocol_error(answer):
    with raw([answer]) as url, pytest.raises(FetchError) as caught:
        get(url)
    assert (caught.value.rule, caught.value.transient) == ("protocol", False)
    assert (caught.value.rule, caught.value.detail) == ("protocol", {})


def test_conflicting_lengths_are_refused():
    with (
        raw([START + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nwords"]) as url,
        pytest.raises(FetchError) as caught,
    ):
        get(url)
    assert (caught.value.rule, caught.value.detail) == ("headers", {"problem": "contradiction"})


@pytest.mark.parametrize("space", [b" ", b"\t "])
def test_a_space_before_the_colon_hides_no_header(space):
    headers = b"X-Note: a : b\r\nContent-Length" + space + b": 5\r\nETag: x\r\n\r\n"
    with raw([START + headers + b"words"], pause=1) as url:
        answer = get(url, Limits(silence_seconds=0.3))
    assert (answer.body, answer.headers["x-note"], answer.headers["etag"]) == (b"words", "a : b", "x")


def test_a_repeated_length_is_used_though_the_connection_stays_open():
    with raw([START + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nwords"], pause=1) as url:
        assert get(url, Limits(silence_seconds=0.3)).body == b"words"


def test_the_first_of_two_location_headers_counts():
    with raw([b"HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"]) as url:
        assert get(url).headers["location"] == "/a"


def test_a_target_in_utf8_may_end_in_a_byte_that_is_a_space_in_latin1():
    with raw([b"HTTP/1.1 302 Found\r\nLocation: /voil\xc3\xa0\r\nContent-Length: 0\r\n\r\n"]) as url:
        assert redirect_target(get(url).headers, url).endswith("/voil%C3%A0")


# -- connections -----------------------------------------------------------------------------


def test_a_connection_closed_without_a_response_is_described(serve):
    base = serve(a=None)
    with pytest.raises(FetchError) as caught:
        get(base + "/a")
    assert (caught.value.rule, caught.value.transient) == ("connection", True)
    assert (caught.value.rule, caught.value.detail) == ("connection", {"problem": "closed"})


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"Content-Length": "100"}, b"only this"),
        ({"Transfer-Encoding": "chunked"}, b"5\r\nhello\r\n"),
        ({"Transfer-Encoding": "chunked"}, b"ff\r\nhello"),
        ({"Transfer-Encoding": "chunked"}, b"5\r\nhello\r\n-"),
        ({"Content-Length": "100", "Content-Encoding": "gzip"}, gzip.compress(b"words", mtime=0)),
    ],
)
def test_a_truncated_page_fails(serve, headers, body):
    base = serve(a=(200, HTML | headers, body))
    with pytest.raises(FetchError, match="truncated") as caught:
        get(base + "/a")
    assert (caught.value.rule, caught.value.transient) == ("truncated", True)


def test_a_chunked_page_is_read(serve):
    base = serve(a=(200, HTML | {"Transfer-Encoding": "chunked"}, b"5\r\nhello\r\n2\r\n, \r\n3\r\nyou\r\n0\r\n\r\n"))
    assert get(base + "/a").body == b"hello, you"


def test_a_refused_connection_is_described(serve):
    with pytest.raises(FetchError, match="refused") as caught:
        get("http://127.0.0.1:1/a")
    assert (caught.value.rule, caught.value.transient) == ("connection", True)


@pytest.mark.parametrize(
    ("error", "rule", "transient"),
    [
        (requests.ConnectTimeout("slow"), "timeout", True),
        (requests.ReadTimeout("slow"), "timeout", True),
        (requests.exceptions.SSLError("self-signed"), "tls", False),
        (requests.ConnectionError("something else"), "connection", True),
        (requests.exceptions.InvalidURL("no host"), "url", False),
        (urllib3.exceptions.ProtocolError("broken"), "truncated", True),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_errors_have_rules(web, error, rule, transient):
    web.get(URL, body=error)
    with pytest.raises(FetchError) as caught:
        get(URL)
    assert (caught.value.rule, caught.value.transient) == (rule, transient)
    assert "object at" not in str(caught.value.detail)


@pytest.mark.parametrize("message", ["self-signed certificate", "certificate has expired", "Hostname mismatch."])
def test_a_certificate_problem_is_described(message):
    cause = ssl.SSLCertVerificationError(1, "certificate verify failed")
    cause.verify_message = message
    wrapped = urllib3.exceptions.MaxRetryError(None, URL, urllib3.exceptions.SSLError(cause))
    described = describe_error(requests.exceptions.SSLError(wrapped), 10)
    assert described.detail == {"problem": "certificate", "error": message.rstrip(".")}


def test_a_server_without_tls_is_not_reported_as_a_bad_certificate(serve):
    with pytest.raises(FetchError, match="handshake") as caught:
        get(serve(a=(200, HTML, b"words")).replace("http://", "https://") + "/a")
    assert (caught.value.rule, caught.value.transient) == ("tls", False)


def test_connections_stay_open_from_page_to_page(serve, session, caplog):
    caplog.set_level(logging.DEBUG, "urllib3")
    base = serve(
        a=(200, HTML, b"words"),
        b=(302, {"Location": "/a"}, b"over there"),
        c=(404, HTML, b"no such page"),
        d=(200, HTML | {"Content-Encoding": "gzip"}, gzip.compress(b"words")),
    )
    for name in "abcdabcd":
        fetch(f"{base}/{name}", session, Limits())
    assert caplog.text.count("Starting new HTTP connection") == 1
    assert "Resetting dropped connection" not in caplog.text


@pytest.mark.parametrize("status", [b"200 OK", b"404 Not Found"])
def test_the_connection_of_a_chunked_body_is_used_again(session, status):
    """Most pages that a program writes are sent in chunks, and so are its errors."""
    response = b"HTTP/1.1 " + status + b"\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
    connections = []

    def accept():
        with suppress(OSError):
            while True:
                connections.append(listener.accept()[0])
                threading.Thread(target=answer, args=connections[-1:], daemon=True).start()

    def answer(connection):
        while connection.recv(CHUNK):
            connection.sendall(response + b"5\r\nhello\r\n0\r\n\r\n")

    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        threading.Thread(target=accept, daemon=True).start()
        for _ in range(3):
            fetch(f"http://127.0.0.1:{listener.getsockname()[1]}/", session, Limits())
    assert len(connections) == 1


def test_no_password_of_netrc_is_sent(serve, session, tmp_path, monkeypatch):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    sent = []
    base = serve(a=lambda request: sent.append(request.headers.get("Authorization")) or (200, HTML, b""))
    fetch(base + "/a", session, Limits())
    assert sent == [None]


def test_a_fragment_is_not_sent(serve, session):
    paths = []
    base = serve(a=lambda request: paths.append(request.path) or (200, HTML, b""))
    fetch(base + "/a#part", session, Limits())
    assert paths == ["/a"]


@pytest.mark.parametrize(("no_proxy", "direct"), [("127.0.0.1,other.example", True), ("other.example", False)])
def test_a_proxy_is_used_except_where_it_must_not_be(serve, monkeypatch, no_proxy, direct):
    base = serve(a=(200, HTML, b"direct"))
    monkeypatch.setenv("http_proxy", serve(**{"": (200, HTML, b"")}).replace("http://", "http://user@"))
    monkeypatch.setenv("no_proxy", no_proxy)
    assert get(base + "/a").status == (200 if direct else 404), "the proxy knows no such page"


def test_the_proxy_of_one_session_does_not_affect_the_next(serve, monkeypatch):
    base = serve(a=(200, HTML, b"direct"))
    monkeypatch.setenv("http_proxy", serve())
    monkeypatch.setenv("no_proxy", "")
    assert get(base + "/a").status == 404
    monkeypatch.delenv("http_proxy")
    assert get(base + "/a").status == 200


# -- headers for certain origins ---------------------------------------------------------------


def test_headers_of_an_origin_are_sent_to_it_alone(serve):
    sent = []

    def note(request):
        sent.append((request.headers["Host"], request.headers.get("X-Key")))
        return (200, HTML, b"")

    first, second = serve(a=note), serve(a=note)
    headers = OriginHeaders({"X-Key": "secret"}, frozenset([first]))
    with Session(origin_headers=headers) as session:
        for base in (first, second):
            fetch(f"{base}/a", session, Limits())
    assert sent == [(first.removeprefix("http://"), "secret"), (second.removeprefix("http://"), None)]


def test_the_headers_of_an_origin_are_not_shown():
    assert "secret" not in repr(OriginHeaders({"X-Key": "secret"}, frozenset(["http://a"])))


@pytest.mark.parametrize("name", ["", "a b", "a:b", "é", "a\n", "a\0", "(a)"])
def test_a_header_with_a_malformed_name_is_refused(name):
    with pytest.raises(BadInput, match="written as 'Name: value'"):
        check_header(name, "secret")


@pytest.mark.parametrize("name", ["Host", "content-length", "CONNECTION", "TE", "Transfer-Encoding", "If-None-Match"])
def test_a_header_that_belongs_to_the_connection_is_refused(name):
    with pytest.raises(BadInput, match=f"the header {name} is set by the crawler itself"):
        check_header(name, "secret")


@pytest.mark.parametrize("value", ["", " ", "secret\r\nX: y", "secret\n", "secret\0", "secret\x7f", "secret\u0161"])
def test_a_header_with_a_malformed_value_is_refused_without_repeating_it(value):
    with pytest.raises(BadInput, match="one line of ASCII text") as caught:
        check_header("X-Key", value)
    assert "secret" not in str(caught.value)


# -- Retry-After -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        (" 7 ", 7),
        ("2.5", 2.5),
        (".", 0),
        ("0", 0),
        ("-5", 0),
        ("soon", 0),
        ("", 0),
        ("Thu, 01 Jan 1970 00:01:40 GMT", 60),
        ("Thu, 01 Jan 1970 00:00:10 GMT", 0),
        ("Thu, 01 Jan 99999999999 00:00:00 GMT", 0),
    ],
)
def test_retry_after_is_read(value, seconds):
    assert retry_after({"retry-after": value}, 40) == seconds


@given(st.text() | st.from_regex(r"\w{3}, \d\d \w{3} \d{1,5} \d\d:\d\d:\d\d [-+A-Z0-9]{1,6}"))
def test_any_retry_after_is_a_number_of_seconds(value):
    assert retry_after({"retry-after": value}, 40) >= 0
