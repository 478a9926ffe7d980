"""Fetching one url: bounded in bytes and seconds, one hop at a time.

Redirects are not followed here: each hop is a url of its own, to be checked by the same rules as any other.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from http.cookiejar import DefaultCookiePolicy
from typing import cast

import requests
import urllib3
from requests.structures import CaseInsensitiveDict

from minisearch import __version__
from minisearch.errors import BadInput
from minisearch.fetch import deadline as deadlines
from minisearch.fetch.announced import media_type
from minisearch.fetch.connect import Adapter
from minisearch.fetch.errors import FetchError, Rejected, explained
from minisearch.fetch.guard import Guard
from minisearch.fetch.shortcut import Short
from minisearch.fetch.unpack import ENCODINGS, unpacked
from minisearch.limits import Limits
from minisearch.urls import origin

USER_AGENT = f"minisearch/{__version__}"
MOVED = {301, 302, 303, 307, 308}
SHOWN = {200, 203}  # come with a page; one that a proxy on the way has changed is a page, too
CHUNK = 1 << 16
LONGEST_TOLD = 200  # letters of what a server says that stand in a verdict
PIECE = 1 << 20  # room that is made for a body before any of it has come


@dataclass(frozen=True, slots=True)
class Response:
    """What a server said to one request."""

    url: str
    status: int
    headers: dict[str, str] = field(default_factory=dict)  # names in lower case
    body: bytes = b""


class Session(requests.Session):
    """Connections that stay open, and what is said in every request."""

    def __init__(self) -> None:
        super().__init__()
        # What the environment (HTTP_PROXY, NO_PROXY ...) says about a site is asked once, not at every page.
        self.proxies_of = lru_cache(maxsize=1024)(requests.utils.get_environ_proxies)


def check_agent(user_agent: str) -> None:
    """Refuse a name that does not fit into a header."""
    plain = user_agent.isascii() and user_agent.isprintable()
    if not plain or not user_agent or user_agent != user_agent.strip():
        raise BadInput(f"the user agent must be one line of plain ASCII text, not {user_agent!r}")


def open_session(user_agent: str = USER_AGENT, *, guard: Guard | None = None) -> Session:
    """A session that says who it is, keeps connections and no cookies, and goes only where its guard lets it."""
    check_agent(user_agent)
    session = Session()
    for scheme in ("http://", "https://"):
        session.mount(scheme, Adapter(guard))
    session.headers["User-Agent"] = user_agent
    session.headers["Accept-Encoding"] = ", ".join(ENCODINGS)
    session.headers["Accept"] = "text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.1"
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    session.trust_env = False  # looking for .netrc and proxies again at every page costs more than parsing it
    session.verify = os.environ.get("REQUESTS_CA_BUNDLE") or True
    return session


def ask(url: str, session: Session, timeout: float, headers: Mapping[str, str] | None = None) -> requests.Response:
    """One GET, of which nothing but the headers is read yet.

    The request is put together by hand: our urls are normal already, and there are no cookies, hooks or passwords
    to look for, which is what requests spends half its time on.
    """
    request = requests.PreparedRequest()
    request.method, request.url, request.hooks = "GET", url, {"response": []}
    request.headers = cast("CaseInsensitiveDict[str]", {**session.headers, **(headers or {})})
    proxies, verify = session.proxies_of(origin(url)), session.verify or True
    return session.get_adapter(url).send(request, stream=True, timeout=timeout, verify=verify, proxies=proxies)


def pieces(response: requests.Response, most: int, *, at_once: bool = False) -> Iterator[bytes]:
    """The body as it arrives, decompressed in bounded steps so that a small bomb cannot grow large; or a plain body of
    a known length `at_once`, which is quicker, and for those who have a deadline that ends it from outside.

    Of a packed body no more than `most` bytes are received: there are streams without end that unpack to nothing.
    """
    headers = response.raw.head.told if isinstance(response.raw, Short) else response.headers
    packing, told = headers.get("content-encoding", ""), response.raw.length_remaining
    plain = headers.get("content-length", "").isdecimal()  # said twice ("5, 5"), http.client does not know it
    if at_once and told and plain and not packing:
        yield from iter(lambda: response.raw.read(min(told, PIECE), decode_content=False), b"")
    else:
        raw = iter(lambda: response.raw.read1(CHUNK, decode_content=False), b"")
        yield from unpacked(_at_most(most, raw), packing) if packing else raw


def _at_most(most: int, raw: Iterator[bytes]) -> Iterator[bytes]:
    received = 0
    for piece in raw:
        received += len(piece)
        if received > most:
            raise Rejected(f"larger than {most:,} bytes, even packed", "size")
        yield piece


def fetch(
    url: str,
    session: Session,
    limits: Limits,
    *,
    headers: Mapping[str, str] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Response:
    """The server's answer to one GET. Bodies are read only of pages that are wanted."""
    until = clock() + limits.page_seconds
    silence = min(limits.silence_seconds, limits.page_seconds)
    with deadlines.within(limits.page_seconds) as deadline:
        try:
            with ask(url, session, silence, headers) as response:
                told = _headers(response, limits)
                body = b""
                if response.status_code in SHOWN:
                    check_type(told, limits)
                    body = _read(response, limits, until, clock)
                else:
                    _let_go(response)
                answer = Response(url, response.status_code, told, body)
        except (requests.RequestException, urllib3.exceptions.HTTPError, FetchError) as error:
            raise (_late(limits) if deadline.late else explained(error, silence)) from error
    if deadline.late:  # a body without a length ends where the connection does, also when we shut it
        raise _late(limits)
    return answer


def _late(limits: Limits) -> FetchError:
    # Trying again would spend as much time again: such a page has had its share.
    return FetchError(f"not done after {limits.page_seconds:g} seconds", "timeout", transient=False)


def _headers(response: requests.Response, limits: Limits) -> dict[str, str]:
    plain = response.raw.head.told if isinstance(response.raw, Short) else None
    written = response.raw.headers.items() if plain is None else plain.items()
    if sum([len(name) + len(value) for name, value in written]) > limits.header_bytes:
        raise Rejected(f"its headers are longer than {limits.header_bytes:,} bytes", "headers")
    if plain is not None:
        return {**plain, "x-robots-tag": plain.get("x-robots-tag", "")}
    headers = dict(response.headers.lower_items())
    told = response.raw.headers.getlist("X-Robots-Tag")
    for place in response.raw.headers.getlist("Location")[:1]:
        headers["location"] = place  # of several, the first; requests would make one of all of them
    return headers | {"x-robots-tag": "\n".join(told)}  # each line may speak to another robot


def check_type(headers: dict[str, str], limits: Limits) -> None:
    """Refuse what is of a type, a size or a packing that we do not want."""
    kind = media_type(headers)
    if kind and kind not in limits.types:
        raise Rejected(f"its type is {kind[:LONGEST_TOLD]}; only {', '.join(limits.types)} are read", "type")
    length = headers.get("content-length", "")
    if length.isdecimal() and float(length) > limits.page_bytes:
        raise Rejected(f"larger than {limits.page_bytes:,} bytes", "size")


def _read(response: requests.Response, limits: Limits, until: float, clock: Callable[[], float]) -> bytes:
    received, length = [], 0
    for piece in pieces(response, limits.page_bytes, at_once=True):
        received.append(piece)
        length += len(piece)
        if length > limits.page_bytes:
            raise Rejected(f"larger than {limits.page_bytes:,} bytes", "size")
        if clock() > until:
            raise _late(limits)
    return b"".join(received)


def _let_go(response: requests.Response) -> None:
    """Read a short body to its end unseen, so that the connection can be used again."""
    with suppress(urllib3.exceptions.HTTPError):
        response.raw.read1(CHUNK, decode_content=False)
