"""A redirect trace: one URL fetched for a person to look at, redirect by redirect, with all headers and times.

It uses the guard, the limits and the error messages of the crawler, but keeps everything: headers stay in their order,
and a body is read regardless of type and status.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.client import responses as reason_phrases

from minisearch.errors import BadUrl
from minisearch.fetch.errors import FetchError, Rejected, cause
from minisearch.fetch.fetcher import (
    REDIRECT_STATUSES,
    Response,
    Session,
    join_headers,
    read_body,
    redirect_target,
    request_limits,
    send,
)
from minisearch.limits import Limits
from minisearch.models import Detail

MAX_LENGTH_DIGITS = 18  # of a Content-Length


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its response; `error` is the rule, with its details, why there is none or only part of one."""

    url: str
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    first_byte_seconds: float = 0.0  # until the headers were received
    seconds: float = 0.0  # until the body was received
    error: Detail = field(default_factory=dict)
    body: bytes = field(default=b"", repr=False)

    @property
    def phrase(self) -> str:
        """The reason phrase of the status.

        >>> Exchange("http://a/", 404).phrase
        'Not Found'
        """
        return reason_phrases.get(self.status, "")

    @property
    def response(self) -> Response:
        """The response as the crawler has it."""
        return Response(self.url, self.status, join_headers(self.headers), self.body)


def trace(url: str, session: Session, limits: Limits) -> Iterator[Exchange]:
    """Yield each exchange from `url` to the page that its redirects lead to."""
    seen: set[str] = set()
    while url:
        exchange = _request(url, session, limits)
        seen.add(url)
        url, error = _next(exchange)
        if url in seen:
            error = {"rule": "redirect-loop", "problem": "back", "target": url}
        elif url and len(seen) > limits.redirects:
            error = {"rule": "redirects", "limit": limits.redirects}
        yield replace(exchange, error=error) if error else exchange
        if error:
            return


def _next(exchange: Exchange) -> tuple[str, Detail]:
    """(target, error) of a redirect; both are empty for other responses."""
    if exchange.status not in REDIRECT_STATUSES:
        return "", {}
    try:
        return redirect_target(exchange.response.headers, exchange.url), {}
    except BadUrl as error:
        return "", {"rule": "redirect", "problem": "invalid", "error": str(error)}


def _request(url: str, session: Session, limits: Limits) -> Exchange:
    began = time.perf_counter()
    exchange, body = Exchange(url), bytearray()
    error: Detail = {}
    try:
        with request_limits(limits), send(url, session, limits) as received:
            headers = tuple(received.raw.headers.items())
            exchange = Exchange(url, received.status_code, headers, time.perf_counter() - began)
            for piece in read_body(received):
                body += piece
                if len(body) > limits.page_bytes:
                    error = {"rule": "size", "problem": "cut", "limit": limits.page_bytes}
                    break
    except (FetchError, Rejected) as why:
        error = cause(why)
    seconds = time.perf_counter() - began
    return replace(exchange, seconds=seconds, error=error, body=bytes(body[: limits.page_bytes]))


def content_length(url: str, session: Session, limits: Limits) -> int:
    """The length that a server announces for a URL, without fetching it; 0 if it announces none."""
    try:
        with request_limits(limits), send(url, session, limits, method="HEAD") as response:
            length = response.headers.get("Content-Length", "")
    except (FetchError, Rejected):
        return 0
    return int(length) if length.isdecimal() and len(length) <= MAX_LENGTH_DIGITS else 0
