"""Hops: one url fetched for a person to look at, redirect by redirect, with all that the servers say.

The crawler's own machinery (its guard, its limits, its words for what went wrong), but nothing is thrown away:
headers are kept in their order, times are taken, and a body is read whatever its type or status.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus

import requests
import urllib3

from minisearch.crawl.visit import Task, Visitor
from minisearch.errors import BadUrl
from minisearch.fetch import deadline as deadlines
from minisearch.fetch.announced import media_type, redirect_target
from minisearch.fetch.errors import FetchError, Rejected, explained
from minisearch.fetch.fetcher import MOVED, SHOWN, Response, Session, ask, pieces
from minisearch.fetch.heads import LONGEST
from minisearch.limits import Limits
from minisearch.parse.charset import decode, describe
from minisearch.records import Outcome, Skipped

TEXT = ("text/", "application/xhtml", "application/xml", "application/json")


@dataclass(frozen=True, slots=True)
class Hop:
    """One request and its answer; `trouble` says why there is none, or only half of one."""

    url: str
    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    first_byte_seconds: float = 0.0  # until the headers were there
    seconds: float = 0.0  # until the body was there
    received: int = 0  # bytes of the body, unpacked
    trouble: str = ""
    body: bytes = field(default=b"", repr=False)

    @property
    def phrase(self) -> str:
        """What the status means.

        >>> Hop("http://a/", 404).phrase
        'Not Found'
        """
        return HTTPStatus(self.status).phrase if self.status in set(HTTPStatus) else ""

    @property
    def answer(self) -> Response:
        """The same as the crawler has it."""
        headers = {name.lower(): value for name, value in self.headers}
        told = [value for name, value in self.headers if name.lower() == "x-robots-tag"]
        return Response(self.url, self.status, headers | {"x-robots-tag": "\n".join(told)}, self.body)


def hops(
    url: str, session: Session, limits: Limits, *, clock: Callable[[], float] = time.perf_counter
) -> Iterator[Hop]:
    """Each hop from `url` to the page it leads to."""
    seen: set[str] = set()
    while True:
        hop = _hop(url, session, limits, clock)
        seen.add(url)
        target, trouble = _leads(hop)
        if target in seen:
            trouble = f"redirects in a ring, back to {target}"
        elif target and len(seen) > limits.redirects:
            trouble = f"more than {limits.redirects} redirects in a row"
        if trouble:
            yield _with(hop, trouble)
            return
        yield hop
        if not target:
            return
        url = target


def _leads(hop: Hop) -> tuple[str, str]:
    if hop.status not in MOVED:
        return "", ""
    try:
        return redirect_target(hop.answer.headers, hop.url), ""
    except BadUrl as error:
        return "", f"redirects to no usable address: {error}"


def _with(hop: Hop, trouble: str) -> Hop:
    return Hop(hop.url, hop.status, hop.headers, hop.first_byte_seconds, hop.seconds, hop.received, trouble, hop.body)


def _hop(url: str, session: Session, limits: Limits, clock: Callable[[], float]) -> Hop:
    began = clock()
    silence = min(limits.silence_seconds, limits.page_seconds)
    status, headers, first, body, trouble = 0, (), 0.0, bytearray(), ""
    with deadlines.within(limits.page_seconds) as deadline:
        try:
            with ask(url, session, silence) as response:
                status, first = response.status_code, clock() - began
                headers = tuple(response.raw.headers.items())
                for piece in pieces(response, limits.page_bytes):
                    body += piece
                    if len(body) > limits.page_bytes:
                        trouble = f"larger than {limits.page_bytes:,} bytes; only so much was read"
                        break
        except (Rejected, FetchError) as why:
            trouble = why.reason
        except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
            trouble = explained(error, silence).reason
    if deadline.late:
        trouble = f"not done after {limits.page_seconds:g} seconds"
    body = body[: limits.page_bytes]
    return Hop(url, status, headers, first, clock() - began, len(body), trouble, bytes(body))


def charset(hop: Hop) -> tuple[str, str]:
    """(charset, evidence) of a text; empty for what is none."""
    if not hop.body or not (media_type(hop.answer.headers) or "text/").startswith(TEXT):
        return "", ""
    decoded = decode(hop.body, hop.answer.headers.get("content-type", ""))
    return decoded.charset, describe(decoded)


def outcome(hop: Hop, limits: Limits) -> Outcome:
    """What the crawler makes of an answer that is here already."""
    kind = media_type(hop.answer.headers)
    if hop.status in SHOWN and kind and kind not in limits.types:
        return Skipped(hop.url, f"its type is {kind}; only {', '.join(limits.types)} are read", "type")
    if hop.trouble:
        return Skipped(hop.url, hop.trouble, "trouble")
    result = Visitor(limits=limits, fetch=lambda *_, **__: hop.answer)(Task(hop.url))
    assert isinstance(result, Outcome)
    return result


def size_of(url: str, session: Session, limits: Limits) -> int:
    """How many bytes a server says that something has, without fetching it; 0 if it does not say."""
    try:
        with (
            deadlines.within(limits.page_seconds),
            session.head(url, allow_redirects=False, timeout=limits.silence_seconds) as response,
        ):
            length = response.headers.get("Content-Length", "")
    except (Rejected, requests.RequestException, urllib3.exceptions.HTTPError):
        return 0
    return int(length) if length.isdecimal() and len(length) <= LONGEST else 0
