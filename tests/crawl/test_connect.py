import socket

import pytest

from minisearch.crawl.connect import _Watched


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
