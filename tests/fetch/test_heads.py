"""The head of an answer is read by a short way if it is plain; both ways have to understand the same."""

import io
import time
from http.client import HTTPException, HTTPResponse, UnknownTransferEncoding

import pytest

from minisearch.fetch.heads import MOST_AROUND, MOST_HEAD, Response

PLAIN = [
    b"HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nContent-Type: text/html\r\nContent-Length: 5\r\n"
    b'Connection: keep-alive\r\nETag: "640c-2e5b"\r\n\r\nhello',
    b"HTTP/1.1 200 \r\ncontent-length: 0\r\n\r\n",
    b"HTTP/1.1 200 Fine: really\r\nX-Note: a: b,  c\r\nContent-Length: 5\r\n\r\nhello, and the next answer",
]
ODD = [
    b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    b"HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nhello",
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nhello",
    b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: Close\r\n\r\nhello",
    b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
    b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\nhello",
    b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
    b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Long: one\r\n two\r\n\r\nhello",
    b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Name: caf\xe9\r\nX-Empty:\r\n\r\nhello",
    b"HTTP/1.1 200 OK\nContent-Length: 5\n\nhello",
    b"HTTP/1.1 200 OK\r\n\r\nhello",
]


class Socket:
    def __init__(self, sent):
        self.sent = sent

    def makefile(self, _mode):
        return io.BufferedReader(io.BytesIO(self.sent))


def read(kind, sent):
    """What was understood of an answer, and its body."""
    response = kind(Socket(sent), method="GET")
    response.begin()
    head = (response.status, response.code, response.reason, response.version, response.msg.items())
    return head, (response.length, response.chunked, response.will_close), response.read()


@pytest.mark.parametrize("sent", [*PLAIN, *ODD])
def test_a_head_means_the_same_whichever_way_it_is_read(sent):
    assert read(Response, sent) == read(HTTPResponse, sent)


@pytest.mark.parametrize("sent", PLAIN)
def test_a_plain_head_is_read_the_short_way(sent, monkeypatch):
    monkeypatch.delattr(Response, "_read_head")
    assert read(Response, sent)


def test_the_answer_to_a_question_about_a_page_has_no_body():
    response = Response(Socket(PLAIN[0]), method="HEAD")
    response.begin()
    assert response.length == 0


HELLO = b"5\r\nhello\r\n0\r\n\r\n"


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        (b"Transfer-Encoding: chunked \t\r\n", HELLO),
        (b"Transfer-Encoding: identity, Chunked\r\nContent-Length: 3\r\n", HELLO),
        (b"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n", HELLO),
        (b"Content-Length : 5\r\n", b"hello, and more"),
        (b"X-Note: one\rContent-Length: 2\r\nContent-Length: 5\r\n", b"hello, and more"),
        (b"Transfer-Encoding: chunked\r\n", b"005 ;a=b\r\nhello\r\n0;c\r\nX-Robots-Tag: noindex\r\n\r\n"),
        (b"Transfer-Encoding: chunked\r\n", b"2\nhe\n3\r\nllo\n0\n\n"),
    ],
)
def test_heads_that_are_written_oddly_are_understood_as_browsers_do(headers, body):
    response = Response(Socket(b"HTTP/1.1 200 OK\r\n" + headers + b"\r\n" + body), method="GET")
    response.begin()
    assert response.read() == b"hello"


@pytest.mark.parametrize(
    "odd", [b"HTTP/1.1 200 OK", b"HTTP/1.0 404 Not Found", b"HTTP/", b"\f", b"\v", b"\r", b" \r", b"\x1c", b" ", b"<p>"]
)
@pytest.mark.parametrize("hint", [b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"], ids=["", "after a hint"])
def test_no_line_but_an_empty_one_ends_the_headers(odd, hint):
    """Or what a site wishes would go unheard that stands below it."""
    for before in (b"", b"X-Note: one\r\n"):
        head = b"HTTP/1.1 200 OK\r\n" + before + odd + b"\r\nX-Robots-Tag: noindex\r\nContent-Length: 5\r\n\r\n"
        (status, *_, headers), _, body = read(Response, hint + head + b"hello, and more")
        assert (status, body) == (200, b"hello")
        assert dict(headers)["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize("length", [3, 900])
def test_a_head_may_have_hundreds_of_headers(length):
    many = b"".join(b"X-%d: %s\r\n" % (number, b"a" * length) for number in range(300))
    hints = b"HTTP/1.1 103 Early Hints\r\n" + many + b"\r\n"
    sent = hints + b"HTTP/1.1 200 OK\r\n" + many + b"Content-Length: 5\r\n\r\nhello, and more"
    (status, *_, headers), _, body = read(Response, sent)
    assert (status, len(headers), headers[299], body) == (200, 301, ("X-299", "a" * length), b"hello")


@pytest.mark.parametrize("size", [b"-5", b"0x5", b"1_0", b"", b"five"])
def test_what_is_no_size_of_a_chunk_ends_the_reading(size):
    response = Response(
        Socket(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + size + b"\r\nhello\r\n0\r\n\r\n")
    )
    response.begin()
    with pytest.raises(HTTPException):
        response.read()


@pytest.mark.parametrize("coding", [b"gzip, chunked", b"gzip", b"deflate\r\nTransfer-Encoding: chunked"])
def test_a_body_packed_on_its_way_is_not_taken_for_a_page(coding):
    response = Response(Socket(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: " + coding + b"\r\n\r\nhello"), method="GET")
    with pytest.raises(UnknownTransferEncoding):
        response.begin()


@pytest.mark.parametrize(
    "sent",
    [
        b"HTTP/1.1 100 Continue\r\n\r\n" * (MOST_HEAD // 20),
        b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * (MOST_HEAD // 30),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + (b"1;" + b"a" * 1000 + b"\r\nx\r\n") * (MOST_AROUND // 900),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + b"X-More: yes\r\n" * (MOST_AROUND // 10),
    ],
    ids=["go on", "hints", "extensions", "trailers"],
)
def test_what_is_sent_beside_a_page_has_an_end(sent):
    response = Response(Socket(sent), method="GET")
    with pytest.raises(HTTPException, match="got more than"):
        response.begin() or response.read()


def test_a_long_header_takes_no_time():
    response = Response(Socket(b"HTTP/1.1 200 OK\r\nX-Long: " + b"a" * 60_000 + b"\r\n" + b"b" * 60_000 + b"\r\n\r\n"))
    began = time.process_time()
    response.begin()
    assert time.process_time() - began < 5
