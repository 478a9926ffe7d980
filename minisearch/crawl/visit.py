"""Visiting one url: fetch it, read it, and say what came of it. Nothing here raises: a crawl goes on."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import blake2b
from http import HTTPStatus
from importlib import import_module

from minisearch.crawl.charset import decode
from minisearch.crawl.fetch import (
    MOVED,
    USER_AGENT,
    Answer,
    FetchError,
    Limits,
    Session,
    Unwanted,
    fetch,
    media_type,
    open_session,
    redirect_target,
)
from minisearch.crawl.fetch import retry_after as wanted_pause
from minisearch.crawl.markup import extract_text
from minisearch.crawl.robots import AGENT, RobotsFile, fetch_robots
from minisearch.errors import BadUrl
from minisearch.records import Failed, Moved, Outcome, Page, Skipped

Extract = Callable[[str, str], Page]
SNIFFED = 1024  # bytes at the beginning in which no text has a zero
PARSERS = {"fast": "minisearch.crawl.extract", "soup": "minisearch.crawl.soup"}
TOO_MANY_REQUESTS = 429
WITH_VALUE = {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}  # no names of robots


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker is asked to do: visit a page, or get an origin's robots.txt."""

    url: str
    robots: bool = False


class Visitor:
    """Visits urls, one after the other, over connections that stay open."""

    def __init__(
        self,
        *,
        user_agent: str = USER_AGENT,
        parser: str = "fast",
        limits: Limits | None = None,
        session: Session | None = None,
    ) -> None:
        self._session = session or open_session(user_agent)
        self._extract: Extract = import_module(PARSERS[parser]).extract  # BeautifulSoup only when asked for
        self._limits = limits or Limits()

    def __call__(self, task: Task) -> Outcome | RobotsFile:
        """Do a task."""
        if task.robots:
            return fetch_robots(task.url, self._session, self._limits)
        try:
            answer = fetch(task.url, self._session, self._limits)
        except Unwanted as why:
            return Skipped(task.url, why.reason, why.rule)
        except FetchError as why:
            return Failed(task.url, why.reason, why.rule, why.transient)
        if answer.status in MOVED:
            return _moved(answer)
        if answer.status != HTTPStatus.OK:
            return _refused(answer)
        page = read(answer, self._extract)
        if b"\0" in answer.body[:SNIFFED] and not page.charset.startswith(("utf-16", "utf-32")):
            return Skipped(task.url, f"called {page.content_type}, but its bytes are no text", "binary")
        return page


def read(answer: Answer, extract: Extract) -> Page:
    """The page in a server's answer."""
    decoded = decode(answer.body, answer.headers.get("content-type", ""))
    kind = media_type(answer.headers) or "text/html"
    page = extract_text(decoded.text, answer.url) if kind == "text/plain" else extract(decoded.text, answer.url)
    wishes = _robots_tag(answer.headers.get("x-robots-tag", ""))
    told_nofollow = bool(wishes & {"nofollow", "none"})
    return replace(
        page,
        links=tuple(replace(link, nofollow=True) for link in page.links) if told_nofollow else page.links,
        noindex=page.noindex or ("X-Robots-Tag noindex" if wishes & {"noindex", "none"} else ""),
        nofollow=page.nofollow or told_nofollow,
        status=answer.status,
        content_type=kind,
        charset=decoded.charset,
        charset_evidence=decoded.evidence,
        etag=answer.headers.get("etag", ""),
        last_modified=answer.headers.get("last-modified", ""),
        fetched_at=datetime.now(UTC).isoformat(timespec="seconds"),
        content_hash=_fingerprint(page, answer.body),
        html=zlib.compress(answer.body, 1),
    )


def _fingerprint(page: Page, body: bytes) -> str:
    """Equal for pages that say the same to a reader; for a page without words, equal for the same bytes."""
    said = f"{page.title}\n{page.description}\n{page.text}".encode() if page.text else body
    return blake2b(said, digest_size=16).hexdigest()


def _robots_tag(header: str) -> set[str]:
    """What an X-Robots-Tag header tells us: wishes for all, and for us by name.

    >>> sorted(_robots_tag("noindex, otherbot: nofollow")), sorted(_robots_tag("minisearch: none"))
    (['noindex'], ['none'])
    """
    wishes = set()
    for line in header.lower().splitlines():
        agent = ""
        for piece in line.split(","):
            name, colon, rest = piece.strip().partition(":")
            if colon and " " not in name and name not in WITH_VALUE:
                agent, piece = name, rest
            if agent in ("", AGENT):
                wishes.add(piece.strip())
    return wishes


def _moved(answer: Answer) -> Outcome:
    try:
        return Moved(answer.url, redirect_target(answer.headers, answer.url), answer.status)
    except BadUrl as error:
        return Failed(answer.url, f"redirects to no usable address: {error}", "redirect")


def _refused(answer: Answer) -> Failed:
    try:
        phrase = f"{answer.status} {HTTPStatus(answer.status).phrase}"
    except ValueError:
        phrase = str(answer.status)
    transient = answer.status == TOO_MANY_REQUESTS or answer.status >= 500
    pause = wanted_pause(answer.headers, time.time()) if transient else 0.0
    return Failed(answer.url, f"the server answered {phrase}", f"http-{answer.status}", transient, pause)
