import socket
import threading
from contextlib import suppress

import pytest

from minisearch.crawl.visit import Task, Visitor
from minisearch.fetch.connect import _Watched
from minisearch.fetch.errors import FetchError
from minisearch.fetch.fetcher import fetch, open_session
from minisearch.limits import Limits
from minisearch.records import Failed, Page


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


class OneAnswer:
    """A server that answers once over each connection, `answers` times in all, and hangs up when asked again, with
    these `last` words.
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
            with client, suppress(OSError):  # it may have hung up first
                for nth in range(2):
                    self.requests += bool(client.recv(65536))
                    if nth or self.requests > self.answers:
                        client.sendall(self.last)
                        break
                    client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello")


WAITED = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


# Of a page whose length was told wrongly: what is left of it says nothing of the page that was asked for since.
JUNK = [b"</html>HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", b"\r\n", b"HTTP/9.9 200 OK\r\n\r\n"]


@pytest.mark.parametrize("last", [b"", WAITED, *JUNK])
def test_a_page_is_asked_for_again_at_once_where_no_answer_came_over_a_connection_that_stood_open(last):
    server = OneAnswer(99, last)
    with open_session() as session:
        bodies = [fetch(server.url, session, Limits()).body for _ in range(3)]
    assert bodies == [b"hello"] * 3
    assert server.connections == 3


@pytest.mark.parametrize("last", JUNK)
def test_what_is_not_http_over_a_new_connection_either_is_asked_for_no_third_time(last):
    server = OneAnswer(answers=1, last=last)
    with open_session() as session:
        fetch(server.url, session, Limits())
        with pytest.raises(FetchError, match="is not HTTP"):
            fetch(server.url, session, Limits())
    assert server.requests == 3


def test_a_server_that_hangs_up_over_a_new_connection_too_has_no_answer():
    server = OneAnswer(answers=1)
    with open_session() as session:
        fetch(server.url, session, Limits())
        with pytest.raises(FetchError, match="hung up"):
            fetch(server.url, session, Limits())
    assert server.requests == 3


@pytest.mark.parametrize("last", [b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe", b"HTTP/1.1 200 OK\r\nConte"])
def test_a_page_that_broke_off_is_asked_for_again_over_a_new_connection(last):
    """The one that stands open may be of a kind that breaks off at every second answer."""
    server = OneAnswer(99, last)
    visit = Visitor()
    assert isinstance(visit(Task(server.url)), Page)
    assert isinstance(visit(Task(server.url)), Failed)
    assert isinstance(visit(Task(server.url)), Page)
    assert isinstance(visit(Task(server.url, again=True)), Page)


def test_a_server_that_would_not_wait_for_the_first_question_has_said_so():
    server = OneAnswer(0, WAITED)
    with open_session() as session:
        assert fetch(server.url, session, Limits()).status == 408
    assert server.requests == 1
