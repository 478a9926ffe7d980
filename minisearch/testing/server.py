"""A real web server on loopback, for tests and demos.

A crawler is best tested against sockets, not mocks. `SiteServer` serves a folder from a background thread,
records its requests, and takes extra routes for servers that misbehave. Headers and body leave in one
send, so that a benchmark measures the crawler and not the server.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from email.message import Message
from email.utils import formatdate
from functools import lru_cache
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from mimetypes import MimeTypes
from pathlib import Path
from socket import SHUT_RDWR, socket
from socketserver import ThreadingTCPServer
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

FIXTURES = (Path(__file__).parent.parent / "sites").resolve()  # in a checkout of the project: fixtures_site
HIDDEN = {"key.json", "exercises.json", "README.md", "redirects.json"}  # about a site, not of it
TYPES = MimeTypes()  # Python's own table, the same on every machine
YEAR_2024 = range(1_704_067_200, 1_735_689_600)  # every second in which a page may claim to have changed


class Request(NamedTuple):
    """A request: the path as sent, with its query."""

    method: str
    path: str
    headers: Message
    body: bytes


class Response(NamedTuple):
    """A response. An iterable body is sent in parts, without a length; the connection then ends."""

    status: int
    headers: Mapping[str, str] = {}
    body: bytes | Iterable[bytes] = b""


class Raw(NamedTuple):
    """Raw bytes to send, including the status line, in parts; the connection then ends."""

    pieces: Iterable[bytes]


Answer = tuple[int, Mapping[str, str], bytes | Iterable[bytes]] | Raw | None  # None: close the connection
Route = Answer | Callable[[Request], Answer]


class SiteServer:
    """Serves the files of `folder` and the `routes` (path: answer; "*": all others).

    >>> from http.client import HTTPConnection
    >>> server = SiteServer(routes={"/hello": (200, {"Content-Type": "text/plain"}, b"Hello.")})
    >>> with server as base_url:
    ...     client = HTTPConnection(base_url.removeprefix("http://"))
    ...     client.request("GET", "/hello")
    ...     print(client.getresponse().read(), server.requests)
    ...     client.close()
    b'Hello.' [('GET', '/hello')]
    """

    def __init__(
        self,
        folder: Path | str | None = None,
        *,
        routes: Mapping[str, Route] | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
        verbose: bool = False,
    ) -> None:
        self.folder = Path(folder).resolve() if folder else None
        self.routes = routes or {}
        self.host, self.port, self.verbose = host, port, verbose
        self.requests: list[tuple[str, str]] = []
        self.sent = 0  # bytes of bodies

    def __enter__(self) -> str:
        self._listener = _Listener((self.host, self.port), self)
        threading.Thread(target=self._listener.serve_forever, args=(0.02,), daemon=True).start()
        return f"http://{self.host}:{self._listener.server_address[1]}"

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown()
        self._listener.server_close()

    def answer(self, request: Request) -> Answer:
        """The response to `request`."""
        path = request.path.partition("?")[0]
        for known in (request.path, path, "*"):
            if known in self.routes:
                route = self.routes[known]
                return route(request) if callable(route) else route
        if request.method not in ("GET", "HEAD"):
            return _words(405, Allow="GET, HEAD")
        return unless_known(request, self._static(unquote(path)))

    def _static(self, path: str) -> Response:
        """The file or folder at `path`; a dot at the start of a name hides it, which rules out `..` too."""
        names = path.strip("/").split("/")
        if not self.folder or "//" in path or any(name.startswith(".") or name in HIDDEN for name in names):
            return _words(404)
        try:
            place = self.folder.joinpath(*names).resolve()
            if not place.is_relative_to(self.folder):  # a symbolic link that leads out
                return _words(404)
            if not path.endswith("/"):
                return _words(301, Location=quote(path) + "/") if place.is_dir() else self._file(place)
            index = place / "index.html"
            return self._file(index) if index.exists() else _listing(path, place)
        except (OSError, ValueError):  # no such file, a name too long, or a zero byte in it
            return _words(404)

    def _file(self, file: Path) -> Response:
        """The file as it is now."""
        return tagged(file.read_bytes(), TYPES.guess_type(file.name)[0] or "application/octet-stream")


def fixture_server(site: str = "", **options: Any) -> SiteServer:
    """A server of all fixture sites, each in its folder; or of one, at the root."""
    prefix = f"/{site}/" if site else "/"
    robots = (FIXTURES / "robots.txt").read_text("utf-8").replace(f" {prefix}", " /")
    redirects = (FIXTURES / "redirects.json").read_text("utf-8").replace(f'"{prefix}', '"/')
    routes = {path: _words(301, Location=target) for path, target in json.loads(redirects).items()}
    routes["/robots.txt"] = tagged(robots.encode(), "text/plain")
    return SiteServer(FIXTURES / site, routes=routes, **options)


@lru_cache(maxsize=1024)
def tagged(body: bytes, kind: str = "text/html") -> Response:
    """Content with an ETag and a date that depend on nothing else, so that they are the same everywhere."""
    digest = hashlib.sha256(body).hexdigest()
    headers = {
        "Content-Type": f"{kind}; charset=utf-8" if kind.startswith("text/") else kind,
        "ETag": f'"{digest[:16]}"',
        "Last-Modified": formatdate(YEAR_2024[int(digest, 16) % len(YEAR_2024)], usegmt=True),
    }
    return Response(200, headers, body)


def _words(status: int, **headers: str) -> Response:
    """A short response with the text of its status."""
    kind = {"Content-Type": "text/plain; charset=utf-8"}
    return Response(status, kind | headers, f"{status} {HTTPStatus(status).phrase}\n".encode())


def _listing(path: str, folder: Path) -> Response:
    """A page that links to the folders and pages in a folder without an index."""
    names = sorted(
        place.name + "/" * place.is_dir()
        for place in folder.iterdir()
        if (place.is_dir() or place.suffix == ".html") and not place.name.startswith(".")
    )
    items = "".join(f'<li><a href="{quote(name)}">{escape(name)}</a></li>\n' for name in names)
    head = f'<!DOCTYPE html>\n<html lang="en">\n<title>{escape(path)}</title>\n<h1>{escape(path)}</h1>\n'
    return tagged(f"{head}<ul>\n{items}</ul>\n".encode())


def unless_known(request: Request, response: Response) -> Response:
    """304 if the client already has this content (RFC 9110, section 13.2.2), else `response`."""
    for asked, name in (("If-None-Match", "ETag"), ("If-Modified-Since", "Last-Modified")):
        if response.status == 200 and asked in request.headers:  # the first one asked decides
            same = response.headers[name] in request.headers[asked]
            return Response(304, response.headers) if same else response
    return response


class _Listener(ThreadingTCPServer):
    """Takes connections, and ends those still open when the server does."""

    allow_reuse_address = daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], site: SiteServer) -> None:
        self.site = site
        self.open: set[socket] = set()
        super().__init__(address, _Handler)
        # A client may disconnect before it is accepted; a blocking accept would then miss the request to stop.
        self.socket.settimeout(1)

    def process_request(self, request: Any, client_address: Any) -> None:
        self.open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self.open.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        super().server_close()
        for connection in tuple(self.open):
            with suppress(OSError):  # the client was quicker
                connection.shutdown(SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    """Reads requests from one connection and writes what the site answers."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body leave in one piece
    disable_nagle_algorithm = True
    server: _Listener

    def handle(self) -> None:
        with suppress(ConnectionError):  # a client may leave in the middle
            super().handle()

    def do_GET(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        request = Request(self.command, self.path, self.headers, self.rfile.read(size))
        self.server.site.requests.append((request.method, request.path))
        answer = self.server.site.answer(request)
        if answer is None or isinstance(answer, Raw):
            self.close_connection = True
            self._write(answer.pieces if answer else ())
        else:
            self.log_request(answer[0])
            self._send(*answer)

    do_HEAD = do_POST = do_GET  # noqa: N815

    def _send(self, status: int, headers: Mapping[str, str], body: bytes | Iterable[bytes]) -> None:
        self.send_response_only(status)
        for name, value in ({"Date": self.date_time_string()} | dict(headers)).items():
            self.send_header(name, value)
        pieces = (body,) if isinstance(body, bytes) else body
        if pieces is body or {"content-length", "transfer-encoding"}.intersection(map(str.lower, headers)):
            self.send_header("Connection", "close")  # such a length may be a lie: nothing can follow
        elif status not in (204, 304):
            self.send_header("Content-Length", str(sum(map(len, pieces))))
        self.end_headers()
        if self.command != "HEAD":
            self._write(pieces)

    def _write(self, pieces: Iterable[bytes]) -> None:
        for piece in pieces:
            self.wfile.write(piece)
            self.wfile.flush()
            self.server.site.sent += len(piece)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        if self.server.site.verbose:
            super().log_message(format, *args)
