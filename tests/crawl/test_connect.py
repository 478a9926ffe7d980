"""The head of an answer is read by a short way if it is plain; both ways have to understand the same."""

import io
import socket
from http.client import HTTPResponse

import pytest

from minisearch.crawl.connect import _Response, _Watched

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
    assert read(_Response, sent) == read(HTTPResponse, sent)


@pytest.mark.parametrize("sent", PLAIN)
def test_a_plain_head_is_read_the_short_way(sent, monkeypatch):
    monkeypatch.delattr(_Response, "_read_head")
    assert read(_Response, sent)


def test_the_answer_to_a_question_about_a_page_has_no_body():
    response = _Response(Socket(PLAIN[0]), method="HEAD")
    response.begin()
    assert response.length == 0


@pytest.mark.parametrize("unread", [0, 5])
def test_a_connection_is_not_used_again_if_tls_has_more_than_was_announced(unread, monkeypatch):
    """What it holds would be taken for the answer to the next question."""
    near, far = socket.socketpair()
    with near, far:
        connection = _Watched("example.com")
        monkeypatch.setattr(connection, "sock", near)
        assert connection.is_connected
        monkeypatch.setattr(connection, "sock", Secure(near, unread))
        assert connection.is_connected == (not unread)


class Secure:
    """Looks like the socket of TLS, which has read more from the wire than it was asked for."""

    def __init__(self, wire, unread):
        self.fileno = wire.fileno
        self.pending = lambda: unread
