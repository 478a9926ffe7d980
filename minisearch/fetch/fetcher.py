"""One GET request, bounded in bytes and seconds, and what the headers of its response mean.

A crawl does not follow redirects: each target is a URL of its own, to be checked by the same rules as any other. Only
`trace` follows them, for robots.txt and for a person who looks at one URL.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from io import BytesIO

import requests
import urllib3
from requests.structures import CaseInsensitiveDict
from requests.utils import parse_header_links

from minisearch import __version__
from minisearch.errors import BadInput, BadUrl
from minisearch.fetch.adapter import Adapter
from minisearch.fetch.deadline import remaining, within
from minisearch.fetch.errors import FetchError, Rejected, describe_error
from minisearch.fetch.guard import Guard
from minisearch.limits import Limits
from minisearch.urls import join, normalize, origin

AGENT = "minisearch"  # the name by which robots.txt and robots directives address this crawler
USER_AGENT = f"{AGENT}/{__version__}"
REDIRECT_STATUSES = {301, 302, 303, 307, 308}
PAGE_STATUSES = {200, 203}  # come with a page; 203 is one that a proxy has changed
CHUNK = 1 << 16  # bytes that are read and decompressed at a time
GZIP = b"\x1f\x8b"  # the first bytes of gzip data
# Registered content codings that are not asked for. Others, such as "utf-8", are mistakes, and change nothing.
UNSUPPORTED_CODINGS = {"aes128gcm", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress", "zstd"}
MAX_QUOTED = 200  # characters of a server's text that are quoted in a verdict
# What a request or the reading of its response can raise. http.client leaves some malformed responses to ValueError.
REQUEST_ERRORS = (requests.RequestException, urllib3.exceptions.HTTPError, ValueError, FetchError)

MEDIA_TYPE = re.compile(r"(?:^|,)\s*([\w!#$%&'*+.^`|~-]+/[\w!#$%&'*+.^`|~-]+)\s*(?=[;,]|$)", re.ASCII)
UNKNOWN_TYPES = ("unknown/unknown", "application/unknown", "*/*")  # sent by servers that do not know the type

HEADER_NAME = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)
# Set by the crawler or by the connection itself; hop-by-hop headers are those of RFC 9110, section 7.6.1.
RESERVED_HEADERS = {
    *("host", "content-length", "user-agent", "accept-encoding", "range"),
    *("if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range"),
    *("connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization"),
    *("te", "trailer", "transfer-encoding", "upgrade"),
}


@dataclass(frozen=True, slots=True)
class Response:
    """The response to one request."""

    url: str
    status: int
    headers: dict[str, str] = field(default_factory=dict)  # names in lower case
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class OriginHeaders:
    """Headers that are sent to certain origins only, such as credentials for an intranet."""

    headers: Mapping[str, str] = field(default_factory=dict, repr=False)  # secret: kept out of messages
    origins: frozenset[str] = frozenset()

    def for_url(self, url: str) -> Mapping[str, str]:
        """The headers to send with a request for a normalised URL."""
        return self.headers if origin(url) in self.origins else {}


def headers_for_seeds(headers: Mapping[str, str], seeds: Iterable[str]) -> OriginHeaders:
    """Headers to send to the origins of these seed URLs only; BadInput if one cannot be sent."""
    for name, value in headers.items():
        check_header(name, value)
    return OriginHeaders(dict(headers), frozenset(origin(seed) for seed in seeds))


def check_header(name: str, value: str) -> None:
    """Raise BadInput if a header cannot be added to the requests of a crawl; the value is not repeated."""
    if not HEADER_NAME.fullmatch(name):
        raise BadInput("a header must be written as 'Name: value', with letters, digits and hyphens in its name")
    if name.lower() in RESERVED_HEADERS:
        raise BadInput(f"the header {name} is set by the crawler itself")
    if not value.isascii() or not value.isprintable() or not value.strip():
        raise BadInput(f"the value of the header {name} must be one line of ASCII text")


class Session(Adapter):
    """Connections that stay open, and the headers that are sent over them: no cookies, no credentials of .netrc."""

    def __init__(
        self,
        user_agent: str = USER_AGENT,
        *,
        guard: Guard | None = None,
        origin_headers: OriginHeaders | None = None,
    ) -> None:
        check_agent(user_agent)
        super().__init__(guard)
        self.headers = {
            "User-Agent": user_agent,
            "Accept-Encoding": "gzip, deflate, br",  # what urllib3 decompresses in bounded steps
            "Accept": "text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.1",
        }
        self.origin_headers = origin_headers or OriginHeaders()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def check_agent(user_agent: str) -> None:
    """Raise BadInput if a user agent does not fit into a header."""
    plain = user_agent.isascii() and user_agent.isprintable()
    if not plain or not user_agent or user_agent != user_agent.strip():
        raise BadInput(f"the user agent must be one line of plain ASCII text, not {user_agent!r}")


@contextmanager
def request(
    url: str, session: Session, limits: Limits, *, method: str = "GET", headers: Mapping[str, str] | None = None
) -> Iterator[requests.Response]:
    """Send one request and give its response, of which only the headers have been read; its body is read inside.

    All errors become a FetchError; one is raised when the time of a page is up.
    """
    prepared = requests.PreparedRequest()
    prepared.prepare_method(method)
    prepared.url = url
    prepared.prepare_headers(session.headers)
    prepared.headers.update(session.origin_headers.for_url(url))
    prepared.headers.update(headers or {})
    proxies = requests.utils.get_environ_proxies(url)
    verify = os.environ.get("REQUESTS_CA_BUNDLE") or True
    timeout = min(limits.silence_seconds, limits.page_seconds)
    with within(limits.page_seconds):
        try:
            with session.send(prepared, stream=True, timeout=timeout, verify=verify, proxies=proxies) as response:
                yield response
        except REQUEST_ERRORS as error:
            if remaining() <= 0:
                raise FetchError("timeout", transient=False, problem="total", seconds=limits.page_seconds) from error
            raise describe_error(error, timeout) from error


def read_body(response: requests.Response, max_bytes: int) -> bytes:
    """The decompressed body: all of it, or a little more than `max_bytes`."""
    for coding in response.headers.get("Content-Encoding", "").lower().split(","):
        if coding.strip() in UNSUPPORTED_CODINGS:
            raise FetchError("encoding", transient=False, problem="unsupported", encoding=coding.strip())
    # In small pieces, so that a small bomb cannot grow large.
    return join_pieces(response.raw.stream(CHUNK, decode_content=True), max_bytes)


def join_pieces(pieces: Iterable[bytes], max_bytes: int) -> bytes:
    """The beginning of a body: all of it, or a little more than `max_bytes`."""
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > max_bytes:
            break
    return bytes(body)


def decompress(body: bytes, content_encoding: str, max_bytes: int) -> bytes:
    """Decompress a body that is at hand, up to a little more than `max_bytes`.

    >>> import zlib
    >>> decompress(zlib.compress(b"words"), "deflate", 100)
    b'words'
    """
    response = urllib3.HTTPResponse(BytesIO(body), {"content-encoding": content_encoding}, preload_content=False)
    try:
        return join_pieces(response.stream(CHUNK, decode_content=True), max_bytes)
    except urllib3.exceptions.HTTPError as error:
        raise describe_error(error, 0) from error


def fetch(url: str, session: Session, limits: Limits, *, headers: Mapping[str, str] | None = None) -> Response:
    """Return the response to one GET. Bodies are read only of wanted pages."""
    with request(url, session, limits, headers=headers) as received:
        status, answered = received.status_code, join_headers(received.raw.headers.items())
        if sum(len(name) + len(value) for name, value in answered.items()) > limits.header_bytes:
            raise Rejected("headers", limit=limits.header_bytes)
        if status not in PAGE_STATUSES:
            _drain(received)
            return Response(url, status, answered)
        check_type(answered, limits)
        body = read_body(received, limits.page_bytes)
        if len(body) > limits.page_bytes:
            raise Rejected("size", limit=limits.page_bytes)
        return Response(url, status, answered, body)


def _drain(received: requests.Response) -> None:
    """Read a short body to its end, so that the connection can be used again; a long one is closed later."""
    with suppress(urllib3.exceptions.HTTPError, ValueError):
        if received.raw.read1(CHUNK, decode_content=False):
            received.raw.read1(CHUNK, decode_content=False)  # the end of a chunked body


def check_type(headers: dict[str, str], limits: Limits) -> None:
    """Raise Rejected for a type that is not wanted, or a length that is too large."""
    kind = media_type(headers)
    if kind and kind not in limits.types:
        raise Rejected("type", type=kind[:MAX_QUOTED], types=list(limits.types))
    length = headers.get("content-length", "")
    if length.isdecimal() and float(length) > limits.page_bytes:
        raise Rejected("size", limit=limits.page_bytes)


# -- redirect trace --------------------------------------------------------------------------


@dataclass(slots=True)
class Exchange:
    """One request and its response; `error` is why there is none, or only part of one."""

    url: str
    status: int = 0
    headers: list[tuple[str, str]] = field(default_factory=list)  # in their order
    first_byte_seconds: float = 0.0  # until the headers were received
    seconds: float = 0.0  # until the body was received
    error: FetchError | Rejected | None = None
    body: bytes = field(default=b"", repr=False)

    @property
    def response(self) -> Response:
        """The response as the crawler has it."""
        return Response(self.url, self.status, join_headers(self.headers), self.body)


def trace(url: str, session: Session, limits: Limits) -> list[Exchange]:
    """Each exchange from `url` to the page that its redirects lead to, whatever their types and statuses."""
    exchanges: list[Exchange] = []
    while url:
        exchange = _exchange(url, session, limits)
        exchanges.append(exchange)
        url = ""
        if exchange.status in REDIRECT_STATUSES:
            try:
                url = redirect_target(exchange.response.headers, exchange.url)
            except BadUrl as error:
                exchange.error = FetchError("redirect", problem="invalid", error=str(error))
        if any(url == each.url for each in exchanges):
            exchange.error, url = FetchError("redirect-loop", problem="back", target=url), ""
        elif url and len(exchanges) > limits.redirects:
            exchange.error, url = Rejected("redirects", limit=limits.redirects), ""
    return exchanges


def _exchange(url: str, session: Session, limits: Limits) -> Exchange:
    exchange, began = Exchange(url), time.perf_counter()
    try:
        with request(url, session, limits) as received:
            exchange.first_byte_seconds = time.perf_counter() - began
            exchange.status, exchange.headers = received.status_code, list(received.raw.headers.items())
            exchange.body = read_body(received, limits.page_bytes)
    except (FetchError, Rejected) as error:
        exchange.error = error
    exchange.seconds = time.perf_counter() - began
    if len(exchange.body) > limits.page_bytes:
        exchange.body = exchange.body[: limits.page_bytes]
        exchange.error = Rejected("size", problem="cut", limit=limits.page_bytes)
    return exchange


def content_length(url: str, session: Session, limits: Limits) -> int:
    """The length that a server announces for a URL, without fetching it; 0 if it announces none."""
    try:
        with request(url, session, limits, method="HEAD") as response:
            return int(response.headers.get("Content-Length", 0))
    except (FetchError, Rejected):
        return 0


# -- response headers ------------------------------------------------------------------------


def join_headers(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The headers by their names in lower case; repeated ones are joined, as most may be. Of several targets of a
    redirect the first counts, and each X-Robots-Tag may address another robot: they remain lines of their own.

    >>> join_headers([("Link", "</a>"), ("link", "</b>"), ("X-Robots-Tag", "none"), ("X-Robots-Tag", "bot: all")])
    {'link': '</a>, </b>', 'x-robots-tag': 'none\\nbot: all'}
    """
    joined: dict[str, str] = {}
    for name, value in headers:
        name = name.lower()
        if name not in joined:
            joined[name] = value
        elif name != "location":
            joined[name] += ("\n" if name == "x-robots-tag" else ", ") + value
    return joined


def redirect_target(headers: Mapping[str, str], url: str) -> str:
    """The target of a redirect from `url`; BadUrl if there is none.

    >>> redirect_target({"location": "../b"}, "https://example.com/a/")
    'https://example.com/b'
    """
    location = headers.get("location", "").strip(" \t")
    if not location:
        raise BadUrl("it has no Location header")
    with suppress(UnicodeError):  # http.client decodes headers as Latin-1; most are UTF-8
        location = location.encode("latin-1").decode("utf-8")
    return normalize(location, url)


def canonical_target(headers: Mapping[str, str], url: str) -> str:
    """The canonical URL in a Link header (RFC 6596); empty if there is none, or more than one.

    >>> canonical_target({"link": '</a>; rel="canonical", </b>; rel=next'}, "https://example.com/c")
    'https://example.com/a'
    """
    links = [CaseInsensitiveDict(link) for link in parse_header_links(headers.get("link", ""))]
    # A link with an anchor is one of another page than this.
    named = [link for link in links if "canonical" in link.get("rel", "").lower().split() and "anchor" not in link]
    targets = {join(link["url"], url) for link in named} - {""}
    return targets.pop() if len(targets) == 1 else ""


def media_type(headers: Mapping[str, str]) -> str:
    """The media type in a Content-Type header; empty if it has none. Of several the last counts, as in browsers.

    >>> media_type({"content-type": "Text/HTML; charset=utf-8"}), media_type({"content-type": "a/b, text/html"})
    ('text/html', 'text/html')
    >>> media_type({"content-type": "html"}), media_type({})
    ('', '')
    """
    types = MEDIA_TYPE.findall(headers.get("content-type", ""))
    last = types[-1].lower() if types else ""
    return "" if last in UNKNOWN_TYPES else last


def retry_after(headers: Mapping[str, str], now: float) -> float:
    """Seconds that a Retry-After header asks to wait, given as a number, by some with a fraction, or as a date.

    >>> retry_after({"retry-after": "120"}, 0), retry_after({}, 0), retry_after({"retry-after": "soon"}, 0)
    (120.0, 0.0, 0.0)
    """
    value = headers.get("retry-after", "").strip()
    if value.replace(".", "", 1).isdecimal():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (TypeError, ValueError, OverflowError):
        return 0.0
