"""Connections to judged addresses, under a deadline.

urllib3 opens its sockets in one place, `_new_conn`; whatever it needs the host's name for (the Host header, the name
that TLS asks for and checks) it takes from elsewhere. So a connection to an address we chose ourselves is a full
connection to the host.

With a proxy in the environment it is the proxy that connects. Then we judge what the host's name means to us, and
refuse to pass on what is bad; to a proxy that resolves names differently, its own rules apply.
"""

from __future__ import annotations

import socket
from http.client import BadStatusLine, UnknownProtocol
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from requests.structures import CaseInsensitiveDict
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError

from minisearch.fetch import deadline
from minisearch.fetch.guard import Guard, bare_host
from minisearch.fetch.heads import HungUp, Response
from minisearch.fetch.shortcut import Answered, Begun, Pool
from minisearch.urls import origin

TOO_LATE = 408  # status of a server that has waited long enough for the next question
MOST_ADDRESSES = 8  # of one host that are tried


class _Watched(HTTPConnection):
    """Lets the deadline know which socket is at work."""

    begun: bytes | None = None  # what was read already of an answer, the question to which is not to be sent again
    said: tuple[dict[str, str], bytes] | None = None  # headers of a question, and all of it that came after its path
    _again: tuple[Any, Any] | None = None  # what was asked over a connection that had been used before
    _sent = b""  # the last of what was

    @property
    def is_connected(self) -> bool:
        """Whether it can be used again: not if there is more to read than was announced, be it only inside of TLS."""
        pending = getattr(self.sock, "pending", None)
        return super().is_connected and not (pending and pending())

    def connect(self) -> None:
        """Open the socket, and have it watched."""
        super().connect()
        self._watch()

    def request(self, *args: Any, **options: Any) -> None:
        """Ask, over the socket that is open or a new one."""
        self._again = (args, options) if self.sock is not None and self.proxy is None else None
        self._watch()
        super().request(*args, **options)
        self._learn(*args, **options)

    def _learn(self, method: str, url: str, body: Any = None, headers: Any = None, **_: Any) -> None:
        """Remember how a page is asked for, so that it need not be put into words again for the next one."""
        start = f"GET {url}".encode()
        if (
            method == "GET"
            and body is None
            and type(headers) is dict
            and self._sent.startswith(start + b" HTTP/1.1\r\n")
        ):
            self.said = (headers.copy(), self._sent.removeprefix(start))

    def send(self, data: Any) -> None:
        """Send the bytes of a question, unless that was done already."""
        self._sent = data
        if self.begun is None:
            super().send(data)

    def response_class(self, sock: Any, *args: Any, **options: Any) -> Response:  # type: ignore[override]
        """The answer that is about to be read, of which some may have been."""
        begun, self.begun = self.begun, None
        file: Any = sock if begun is None else Begun(sock, begun)
        return Response(file, *args, **options)

    def close(self) -> None:
        """Close the socket."""
        self.begun = None
        super().close()

    def getresponse(self) -> Any:
        """The answer. Many a server closes a connection after a while just when we ask again: then over a new one.

        Some say so (408) before they close it, which is no answer to what was asked meanwhile. Nor is what does not
        even begin as one: it is the end of a page that was longer than it was said to be.
        """
        try:
            answer = super().getresponse()
            if answer.status != TOO_LATE or self._again is None:
                return answer
        except (ConnectionError, BadStatusLine, UnknownProtocol) as error:
            now = deadline.current()
            if self._again is None or isinstance(error, HungUp) or (now is not None and now.late):
                raise
        args, options = self._again
        self.close()
        self.request(*args, **options)
        return super().getresponse()

    def _watch(self) -> None:
        if self.sock is not None:
            deadline.hold(self.sock)


def _connect(connection: HTTPConnection, guard: Guard) -> socket.socket:
    """A socket to one of the addresses that the guard lets us have."""
    host = connection.host.strip("[]")
    try:
        addresses = guard.addresses(host)
    except OSError as error:
        raise NameResolutionError(host, connection, error) from error  # type: ignore[arg-type]
    trouble: OSError = OSError("it has no address")
    for address in addresses[:MOST_ADDRESSES]:
        made = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
        try:
            for option in connection.socket_options or ():
                made.setsockopt(*option)
            made.settimeout(_patience(connection.timeout))
            made.connect((address, connection.port))
        except OSError as error:
            made.close()
            trouble = error
        else:
            return made
    if isinstance(trouble, TimeoutError):
        raise ConnectTimeoutError(connection, f"Connection to {host} timed out") from trouble
    raise NewConnectionError(connection, f"Failed to establish a new connection: {trouble}") from trouble


def _patience(timeout: Any) -> float | None:
    """Seconds to wait for a connection: what the caller said, but no more than are left in all."""
    now = deadline.current()
    seconds = float(timeout) if isinstance(timeout, (int, float)) else None
    if now is None:
        return seconds
    return now.left() if seconds is None else min(seconds, now.left())


def _pools(guard: Guard | None) -> dict[str, type[HTTPConnectionPool]]:
    """The pools for a pool manager, with connections that are watched and, if there is a guard, guarded."""

    class Plain(_Watched):
        def _new_conn(self) -> socket.socket:
            made = super()._new_conn() if guard is None else _connect(self, guard)
            deadline.hold(made)
            return made

    class Secure(Plain, HTTPSConnection):
        pass

    class PlainPool(Pool):
        ConnectionCls = Plain

    class SecurePool(Pool, HTTPSConnectionPool):
        ConnectionCls = Secure

    return {"http": PlainPool, "https": SecurePool}


class Adapter(HTTPAdapter):
    """Sends requests over guarded connections.

    What requests finds out anew for every page (which connections lead to the site, what of the url is its path,
    which cookies came with the answer) is remembered or left out, unless there is a proxy between.
    """

    def __init__(self, guard: Guard | None = None, **options: Any) -> None:
        self._guard = guard
        self._last: tuple[object, Any] = (None, None)  # a site and the connections to it
        super().__init__(**options)

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        """Have connections made our way."""
        super().init_poolmanager(*args, **options)
        self.poolmanager.pool_classes_by_scheme = _pools(self._guard)

    def proxy_manager_for(self, proxy: str, **options: Any) -> Any:
        """Connections to a proxy are watched too; where it stands is up to whoever set it."""
        manager = super().proxy_manager_for(proxy, **options)
        if not proxy.lower().startswith("socks"):
            manager.pool_classes_by_scheme = _pools(None)
        return manager

    def close(self) -> None:
        """Close what stands open, at once: urllib3 waits until nobody remembers it."""
        for manager in (self.poolmanager, *self.proxy_manager.values()):
            for site in manager.pools.keys():  # noqa: SIM118 - it gives nothing else to go through
                if (pool := manager.pools.get(site)) is not None:
                    pool.close()
        super().close()

    def get_connection_with_tls_context(
        self, request: requests.PreparedRequest, verify: Any, proxies: Any = None, cert: Any = None
    ) -> Any:
        """The connections to a site, mostly the same as the last time."""
        site = (origin(request.url or ""), verify, cert, bool(proxies))
        known, pool = self._last
        if known != site or pool is None or pool.pool is None:  # or they were closed, for we were elsewhere
            pool = super().get_connection_with_tls_context(request, verify, proxies, cert)
            self._last = (site, None if proxies else pool)
        return pool

    def request_url(self, request: requests.PreparedRequest, proxies: Any) -> str:
        """What of a url is asked for: our urls are normal, and end where their path or query does."""
        url = request.url or ""
        return super().request_url(request, proxies) if proxies else url[len(origin(url)) :] or "/"

    def build_response(self, req: requests.PreparedRequest, resp: Any) -> requests.Response:
        """The answer, of which we take no cookies and find out the charset ourselves."""
        response = requests.Response()
        response.status_code, response.reason = resp.status, resp.reason
        response.headers = CaseInsensitiveDict(resp.headers.itermerged())
        response.raw, response.request, response.url = resp, req, req.url or ""
        return response

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        """Ask; through a proxy only what the guard would let us ask for without it."""
        proxies = options.get("proxies")
        if self._guard is not None and proxies and request.url and requests.utils.select_proxy(request.url, proxies):
            self._guard.check_name(bare_host(request.url))
        pool = None if args else self._known(request, **options)
        if pool and (answer := pool.ask(self.request_url(request, None), request.headers, options["timeout"])):
            return Answered(answer, request)
        try:
            return super().send(request, *args, **options)
        finally:
            if pool:
                pool.let_go()

    def _known(
        self, request: requests.PreparedRequest, *, stream: Any = False, timeout: Any = None, verify: Any = True,
        cert: Any = None, proxies: Any = None,
    ) -> Pool | None:  # fmt: skip
        """The connections to the site that was asked last, if it is asked again, for a page and nothing special."""
        site, pool = self._last
        plain = request.method == "GET" and request.body is None and stream and isinstance(timeout, (float, int))
        known = plain and not proxies and site == (origin(request.url or ""), verify, cert, False)
        return pool if known and isinstance(pool, Pool) else None
