"""Fetching one url: bounded in bytes and seconds, one hop at a time.

Redirects are not followed here: each hop is a url of its own, to be checked by the same rules as any other.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from urllib.request import getproxies

import requests
import urllib3

from minisearch import __version__

USER_AGENT = f"minisearch/{__version__}"
TYPES = ("text/html", "application/xhtml+xml", "text/plain")
CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of anything one page may cost."""

    page_bytes: int = 10_000_000
    page_seconds: float = 30.0
    silence_seconds: float = 10.0  # between two bytes
    redirects: int = 10
    types: tuple[str, ...] = TYPES


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said to one request."""

    url: str
    status: int
    headers: dict[str, str] = field(default_factory=dict)  # names in lower case
    body: bytes = b""


class Unwanted(Exception):
    """An answer that is not for us: of another type, or too large."""

    def __init__(self, reason: str, rule: str) -> None:
        super().__init__(reason)
        self.reason, self.rule = reason, rule


class FetchError(Exception):
    """No usable answer. What is `transient` may work later."""

    def __init__(self, reason: str, rule: str, *, transient: bool = True) -> None:
        super().__init__(reason)
        self.reason, self.rule, self.transient = reason, rule, transient


def open_session(user_agent: str = USER_AGENT) -> requests.Session:
    """A session that says who it is, keeps connections and no cookies."""
    session = requests.Session()
    session.headers["User-Agent"] = user_agent
    session.headers["Accept"] = "text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.1"
    session.proxies.update(getproxies())
    session.trust_env = False  # looking for .netrc and proxies again at every page costs more than parsing it
    return session


def fetch(
    url: str, session: requests.Session, limits: Limits, *, clock: Callable[[], float] = time.monotonic
) -> Answer:
    """The server's answer to one GET. Bodies are read only of pages that are wanted."""
    deadline = clock() + limits.page_seconds
    timeout = min(limits.silence_seconds, limits.page_seconds)
    session.cookies.clear()
    try:
        with session.get(url, stream=True, allow_redirects=False, timeout=timeout) as response:
            headers = {name.lower(): value for name, value in response.headers.items()}
            body = b""
            if response.status_code == HTTPStatus.OK:
                _check_type(headers, limits)
                body = _read(response, limits, deadline, clock)
            return Answer(url, response.status_code, headers, body)
    except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
        raise _explained(error, limits) from error


def _check_type(headers: dict[str, str], limits: Limits) -> None:
    kind = media_type(headers)
    if kind and kind not in limits.types:
        raise Unwanted(f"its type is {kind}; only {', '.join(limits.types)} are read", "type")
    length = headers.get("content-length", "")
    if length.isdecimal() and int(length) > limits.page_bytes:
        raise Unwanted(f"larger than {limits.page_bytes:,} bytes", "size")


def _read(response: requests.Response, limits: Limits, deadline: float, clock: Callable[[], float]) -> bytes:
    """The body, decompressed in bounded steps so that a small bomb cannot grow large."""
    pieces, size = [], 0
    for piece in response.iter_content(CHUNK):
        pieces.append(piece)
        size += len(piece)
        if size > limits.page_bytes:
            raise Unwanted(f"larger than {limits.page_bytes:,} bytes", "size")
        if clock() > deadline:
            raise FetchError(f"not done after {limits.page_seconds:g} seconds", "timeout")
    return b"".join(pieces)


def _explained(error: Exception, limits: Limits) -> FetchError:
    """The same in words for a person."""
    text = str(error)
    if isinstance(error, (requests.Timeout, urllib3.exceptions.TimeoutError)):
        return FetchError(f"no answer within {limits.silence_seconds:g} seconds", "timeout")
    if isinstance(error, requests.exceptions.SSLError):
        return FetchError("the server's certificate could not be trusted", "tls", transient=False)
    if isinstance(error, (requests.exceptions.ChunkedEncodingError, urllib3.exceptions.ProtocolError)):
        return FetchError("the connection broke off before the page was complete", "truncated")
    if isinstance(error, requests.exceptions.ContentDecodingError):
        return FetchError("the body could not be decompressed", "encoding", transient=False)
    if "NameResolutionError" in text or "Failed to resolve" in text:
        return FetchError("the host name could not be found", "dns")
    if "refused" in text:
        return FetchError("the connection was refused", "connection")
    return FetchError(f"the connection failed ({type(error).__name__})", "connection")


def media_type(headers: dict[str, str]) -> str:
    """The bare type of a Content-Type header.

    >>> media_type({"content-type": "Text/HTML; charset=utf-8"})
    'text/html'
    """
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def retry_after(headers: dict[str, str], now: float) -> float:
    """How many seconds the server asks us to wait, told in seconds or as a date.

    >>> retry_after({"retry-after": "120"}, 0), retry_after({}, 0), retry_after({"retry-after": "soon"}, 0)
    (120.0, 0.0, 0.0)
    """
    value = headers.get("retry-after", "").strip()
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (TypeError, ValueError):
        return 0.0
