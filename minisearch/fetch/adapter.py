"""The requests adapter: connections to checked addresses only, under a deadline.

urllib3 opens its sockets in one place, `_new_conn`; the host's name for the Host header and for TLS comes from
elsewhere. So a connection to an address that the guard has chosen is a full connection to the host. `_new_conn` is the
only private method overridden here; tests/fetch/test_guard.py fails if urllib3 stops calling it.

With a proxy in the environment it is the proxy that connects. Then the guard checks what the host's name means here,
and blocked hosts are not passed on; to a proxy that resolves names differently, its own rules apply.
"""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPResponse
from io import BufferedReader
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError
from urllib3.util.connection import create_connection

from minisearch.fetch.deadline import TimedReader, remaining
from minisearch.fetch.guard import BLOCKS, Guard, bare_host

SPACE_BEFORE_COLON = re.compile(rb"^([^\s:]+)[ \t]+:")
MIN_TIMEOUT = 0.001  # seconds; to a socket, 0 would mean none
ANYWHERE = Guard(frozenset(BLOCKS))


class HeadLines:
    """The lines of a response's head, without the spaces before a colon at which http.client would stop reading."""

    def __init__(self, file: Any) -> None:
        self._file, self.close = file, file.close

    def readline(self, limit: int) -> bytes:
        """The next line."""
        return SPACE_BEFORE_COLON.sub(rb"\1:", self._file.readline(limit))


class FinalResponse(HTTPResponse):
    """A response that is read within the time of its request, after any interim responses (1xx).

    http.client by itself skips status 100 only.
    """

    def __init__(self, sock: socket.socket, *args: Any, **options: Any) -> None:
        super().__init__(sock, *args, **options)
        self.fp = BufferedReader(TimedReader(sock, self.fp.detach()))

    def begin(self) -> None:
        """Read the status and the headers."""
        file = self.fp
        self.fp = HeadLines(file)  # type: ignore[assignment]
        try:
            super().begin()
            while self.status < HTTPStatus.OK:
                self.headers = None  # type: ignore[assignment]  # not read yet
                super().begin()
        finally:
            if self.fp:  # not closed after an error
                self.fp = file


def _pool_classes(guard: Guard) -> dict[str, type[HTTPConnectionPool]]:
    """Connection pools by scheme whose connections go through the guard."""

    class Connection(HTTPConnection):
        response_class = FinalResponse

        def _new_conn(self) -> socket.socket:
            return _connect(self, guard)

    class SecureConnection(Connection, HTTPSConnection):
        pass

    class Pool(HTTPConnectionPool):
        ConnectionCls = Connection

    class SecurePool(HTTPSConnectionPool):
        ConnectionCls = SecureConnection

    return {"http": Pool, "https": SecurePool}


def _connect(connection: HTTPConnection, guard: Guard) -> socket.socket:
    """Open a socket to one of the addresses that the guard allows."""
    host = connection.host.strip("[]")
    try:
        addresses = guard.addresses(host)
    except OSError as error:
        raise NameResolutionError(host, connection, error) from error  # type: ignore[arg-type]
    failure = OSError("the host has no address")
    for address in addresses:
        timeout: Any = connection.timeout  # seconds, as fetcher.request gives them
        timeout = max(min(timeout, remaining()), MIN_TIMEOUT)
        try:
            return create_connection((address, connection.port), timeout, socket_options=connection.socket_options)
        except OSError as error:
            failure = error
    if isinstance(failure, TimeoutError):
        raise ConnectTimeoutError(connection, f"Connection to {host} timed out") from failure
    raise NewConnectionError(connection, f"Failed to establish a new connection: {failure}") from failure


class Adapter(HTTPAdapter):
    """Sends requests over guarded connections."""

    def __init__(self, guard: Guard | None = None) -> None:
        self._guard = guard or ANYWHERE
        super().__init__()

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        """Create the pool manager with our connections."""
        super().init_poolmanager(*args, **options)
        self.poolmanager.pool_classes_by_scheme = _pool_classes(self._guard)

    def proxy_manager_for(self, proxy: str, **options: Any) -> Any:
        """Return the pool manager of a proxy; the proxy's own address was configured and is not guarded."""
        manager = super().proxy_manager_for(proxy, **options)
        if not proxy.lower().startswith("socks"):
            manager.pool_classes_by_scheme = _pool_classes(ANYWHERE)
        return manager

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        """Send a request; through a proxy only to hosts that the guard would allow without it."""
        url = str(request.url)
        if requests.utils.select_proxy(url, options.get("proxies")):
            with suppress(OSError):  # what only the proxy can resolve is left to the proxy
                self._guard.addresses(bare_host(url))
        return super().send(request, *args, **options)
