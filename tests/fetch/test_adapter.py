"""Connections: kept open between requests, replaced when the server has closed them, and closed when asked to."""

import inspect
import socket
import threading
from contextlib import suppress

import pytest
from urllib3.connection import HTTPConnection, HTTPSConnection

from minisearch.crawl.visit import Task, Visitor
from minisearch.fetch.errors import FetchError
from minisearch.fetch.fetcher import fetch, open_session
from minisearch.limits import Limits
from minisearch.models import Failed, Page


def test_urllib3_opens_all_its_sockets_in_new_conn():
    """The guard depends on this private method: a release of urllib3 that renames it must not pass unnoticed."""
    for kind in (HTTPConnection, HTTPSConnection):
        source = inspect.getsource(kind.connect)
        assert "self._new_conn()" in source
        assert "create_connection" not in source
    assert list(inspect.signature(HTTPConnection._new_conn).parameters) == ["self"]


class OneAnswer:
    """A server that answers one request of each connection, `answers` in all, and closes the connection at the next
    request, after sending `last`.
    """

    def __init__(self, answers, last=b""):
        self.answers, self.last, self.requests, self.connections = answers, last, 0, 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            client, _ = self._listener.accept()
            self.connections += 1
            with client, suppress(OSError):
                for nth in range(2):
                    self.requests += bool(client.recv(65536))
                    if nth or self.requests > self.answers:
                        client.sendall(self.last)
                        break
                    client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello")


JUNK = [b"</html>HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", b"\r\n"]  # the end of a longer body than announced


@pytest.mark.parametrize("last", [b"", *JUNK])
def test_a_stale_connection_is_replaced_by_a_new_one_once(last):
    server = OneAnswer(99, last)
    with open_session() as session:
        bodies = [fetch(server.url, session, Limits()).body for _ in range(3)]
    assert bodies == [b"hello"] * 3
    assert server.connections == 3


def test_a_new_connection_that_fails_as_well_is_not_replaced():
    server = OneAnswer(answers=1)
    with open_session() as session:
        fetch(server.url, session, Limits())
        with pytest.raises(FetchError, match="closed"):
            fetch(server.url, session, Limits())
    assert server.requests == 3


def test_a_page_that_was_cut_off_is_fetched_again_over_a_new_connection():
    """The open one may be of a kind that breaks at every second response."""
    server = OneAnswer(99, b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe")
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
    session = open_session()
    fetch(f"http://127.0.0.1:{listener.getsockname()[1]}/", session, Limits())
    session.close()
    assert closed.wait(5)
