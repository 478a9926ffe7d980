"""Connections: kept open between requests, replaced when the server has closed them, and closed when asked to."""

import inspect
import socket
import threading
import time
from contextlib import suppress

import pytest
from urllib3.connection import HTTPConnection, HTTPSConnection

from minisearch.crawl.visit import Task, Visitor
from minisearch.fetch.errors import FetchError
from minisearch.fetch.fetcher import Session, fetch
from minisearch.limits import Limits
from minisearch.models import Failed, Page


def test_urllib3_opens_all_its_sockets_in_new_conn():
    """The guard depends on this private method: a release of urllib3 that renames it must not pass unnoticed."""
    for kind in (HTTPConnection, HTTPSConnection):
        source = inspect.getsource(kind.connect)
        assert "self._new_conn()" in source
        assert "create_connection" not in source
    assert list(inspect.signature(HTTPConnection._new_conn).parameters) == ["self"]


def page(body):
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


def interim(*heads):
    return "".join(f"HTTP/1.1 {head}\r\n\r\n" for head in heads).encode()


class OneAnswer:
    """A server that answers one request of each connection, between `before` and `extra`, and closes the connection:
    then, or at the next request after sending `last`.
    """

    def __init__(self, *, before=b"", extra=b"", last=None):
        self.first, self.last, self.requests, self.connections = before + page(b"hello") + extra, last, 0, 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            client, _ = self._listener.accept()
            self.connections += 1
            with client, suppress(OSError):
                self.requests += bool(client.recv(65536))
                client.sendall(self.first)
                if self.last is not None:
                    self.requests += bool(client.recv(65536))
                    client.sendall(self.last)


JUNK = [b"</html>HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", b"\r\n"]  # the end of a longer body than announced


@pytest.mark.parametrize("extra", [b"", *JUNK])
def test_an_idle_connection_that_the_server_has_closed_or_written_to_is_replaced(extra):
    server = OneAnswer(extra=extra)
    with Session() as session:
        for _ in range(3):
            assert fetch(server.url, session, Limits()).body == b"hello"
            time.sleep(0.05)  # until the connection is closed
    assert (server.connections, server.requests) == (3, 3)


def test_a_request_is_not_sent_twice_without_being_counted():
    """To the server it may be two, and whoever limits the number of requests must know."""
    server = OneAnswer(last=b"")
    with Session() as session:
        fetch(server.url, session, Limits())
        with pytest.raises(FetchError, match="closed") as raised:
            fetch(server.url, session, Limits())
        assert raised.value.transient
        assert server.requests == 2
        assert fetch(server.url, session, Limits()).body == b"hello"


@pytest.mark.parametrize(
    "heads",
    [
        ["100 Continue"],
        ["101 Switching Protocols", "102 Processing"],
        ["103 Early Hints\r\nLink: </style.css>; rel=preload\r\nX-Robots-Tag: noindex"],
        ["103 Early Hints\r\nTransfer-Encoding: chunked", "103 Early Hints\r\nContent-Length: 7", "199 Odd"],
    ],
    ids=["100", "101 and 102", "103", "103 with a length"],
)
def test_interim_responses_are_skipped_and_the_connection_is_used_again(heads):
    server = OneAnswer(before=interim(*heads), last=page(b"second"))
    with Session() as session:
        response = fetch(server.url, session, Limits())
        assert (response.status, response.body) == (200, b"hello")
        assert not {"link", "x-robots-tag"} & set(response.headers)
        assert fetch(server.url, session, Limits()).body == b"second"
    assert server.connections == 1


def test_a_page_that_was_cut_off_is_fetched_again_over_a_new_connection():
    """The open one may be of a kind that breaks at every second response."""
    server = OneAnswer(last=b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe")
    visit = Visitor()
    assert isinstance(visit(Task(server.url)), Page)
    assert isinstance(visit(Task(server.url)), Failed)
    assert isinstance(visit(Task(server.url)), Page)
    assert isinstance(visit(Task(server.url, again=True)), Page)


def test_a_closed_session_leaves_no_connection_open():
    closed = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        client, _ = listener.accept()
        client.recv(65536)
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello")
        if client.recv(1) == b"":
            closed.set()

    threading.Thread(target=serve, daemon=True).start()
    session = Session()
    fetch(f"http://127.0.0.1:{listener.getsockname()[1]}/", session, Limits())
    session.close()
    assert closed.wait(5)
