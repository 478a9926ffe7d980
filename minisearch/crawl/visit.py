"""Visiting one url: fetch it, read it, and say what came of it. Nothing here raises: a crawl goes on."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from hashlib import blake2b
from http import HTTPStatus
from importlib import import_module
from itertools import islice
from typing import Any

from minisearch.crawl.sitemaps import Sitemap, is_page, read_sitemap, sitemap_limits
from minisearch.errors import BadUrl
from minisearch.fetch.errors import FetchError, Rejected
from minisearch.fetch.fetcher import (
    MAX_QUOTED,
    PAGE_STATUSES,
    REDIRECT_STATUSES,
    USER_AGENT,
    OriginHeaders,
    Response,
    Session,
    canonical_target,
    fetch,
    media_type,
    open_session,
    redirect_target,
    retry_after,
)
from minisearch.fetch.guard import AddressBlocked, Guard
from minisearch.fetch.robots import RobotsFile, fetch_robots
from minisearch.limits import Limits
from minisearch.parse.charset import decode, plainly
from minisearch.parse.classify import is_binary, says_missing
from minisearch.parse.fingerprints import likeness
from minisearch.parse.language import settle
from minisearch.parse.page import extract_text
from minisearch.parse.refresh import sends_to
from minisearch.parse.robots_meta import in_header, says_nofollow, why_unindexed
from minisearch.parse.xhtml import XHTML, written_out
from minisearch.records import Failed, Outcome, Page, Redirect, Skipped, Unchanged
from minisearch.urls import normalize

Extract = Callable[[str | bytes, str], Page]  # of (markup, url)
Fetch = Callable[..., Response]  # of (url, session, limits, headers=...)
PARSERS = {"fast": "minisearch.parse.html", "soup": "minisearch.parse.soup"}
LONGEST_MARK = 1000  # letters of an ETag or a date; what is longer is none
LETTERS = 200  # that a link of a page may have on average, which bounds what it writes into the file
LONGEST_URL = 10_000  # letters of a url that a page names as its better self
TAG = "X-Robots-Tag"
NO_SITEMAP = "it is a page of HTML"
REPEATED = 10  # links that a page may have for each of its urls, on average
# What servers say that stumble over our conditions; of the page it tells nothing.
MISREAD = (HTTPStatus.BAD_REQUEST, HTTPStatus.PRECONDITION_FAILED, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
PASSING = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)  # of the 4xx, for now


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker is asked to do: visit a page, or get an origin's robots.txt, or a sitemap."""

    url: str
    robots: bool = False
    sitemap: bool = False
    again: bool = False  # whether that was tried before, in vain
    etag: str = ""  # of the version we hold: only another one is wanted
    last_modified: str = ""
    noindex: str = ""  # why that version is not in the index
    response: Response | None = None  # parsed instead of fetching the URL

    def __reduce__(self) -> tuple[Any, ...]:
        """How it travels to a worker: quicker than a dataclass does by itself."""
        return Task, (*map(self.__getattribute__, self.__slots__),)

    def conditions(self) -> dict[str, str]:
        """The headers that ask for the page only if it has changed."""
        asked = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in asked.items() if value}


class Visitor:
    """Visits urls, one after the other, over connections that stay open."""

    def __init__(
        self,
        *,
        user_agent: str = USER_AGENT,
        parser: str = "fast",
        limits: Limits | None = None,
        guard: Guard | None = None,
        origin_headers: OriginHeaders | None = None,
        session: Session | None = None,
        fetch: Fetch = fetch,
        keep_html: bool = True,
    ) -> None:
        self._keep_html = keep_html  # what nobody keeps need not be packed, nor sent from process to process
        self._fetch = fetch  # where answers come from: the web, or an archive
        self._session = session or open_session(user_agent, guard=guard, origin_headers=origin_headers)
        self._extract: Extract = import_module(PARSERS[parser]).extract  # BeautifulSoup only when asked for
        self._limits = limits or Limits()

    def __call__(self, task: Task) -> Outcome | RobotsFile | Sitemap:
        """Do a task. What was tried in vain goes over a new connection: some servers break each in the same way."""
        if task.again:
            self._session.close()  # what stands open; it opens others
        if task.robots:
            return self._robots(task.url)
        try:
            limits = sitemap_limits(self._limits) if task.sitemap else self._limits
            conditions = task.conditions()
            answer = task.response or self._fetch(task.url, self._session, limits, headers=conditions)
        except Rejected as why:
            return Skipped(task.url, why.reason, why.rule)
        except FetchError as why:
            return Failed(task.url, why.reason, why.rule, why.transient)
        if answer.status in REDIRECT_STATUSES:
            return _moved(answer)
        if answer.status == HTTPStatus.NOT_MODIFIED and conditions:
            if _tells_otherwise(answer, task.noindex):  # of its words nothing has changed, but of what may be done
                return self(replace(task, etag="", last_modified=""))
            return Unchanged(task.url)
        if answer.status in MISREAD and conditions:
            return self(replace(task, etag="", last_modified=""))
        if answer.status not in PAGE_STATUSES:
            return _refused(answer)
        if task.sitemap:
            return Skipped(task.url, NO_SITEMAP, "type") if is_page(answer) else read_sitemap(answer)
        page = read(answer, self._extract, most_links=self._limits.links, keep_html=self._keep_html)
        if is_binary(answer.body) and not page.charset.startswith(("utf-16", "utf-32")):
            return Skipped(task.url, f"called {page.content_type}, but its bytes are no text", "binary")
        if page.refresh not in ("", page.url):
            return Redirect(page.url, page.refresh, page.status)
        if said := says_missing(page):
            return Skipped(task.url, f'it says "{said}", though with status {page.status} (a soft 404)', "soft-404")
        return page

    def _robots(self, site: str) -> Skipped | RobotsFile:
        try:
            return fetch_robots(site, self._session, self._limits)
        except AddressBlocked as why:  # nothing of this site may be asked for
            return Skipped(site, why.reason, why.rule)


def read(answer: Response, extract: Extract, *, most_links: int = Limits().links, keep_html: bool = True) -> Page:
    """The page in a server's answer."""
    written = answer.headers.get("content-type", "")
    markup: str | bytes = answer.body
    charset, known_by = "utf-8", plainly(answer.body, written)
    if not known_by:  # which is rare
        markup, charset, known_by = decode(answer.body, written)
    kind = media_type(answer.headers) or "text/html"
    if kind == XHTML:
        markup = written_out(markup if isinstance(markup, str) else markup.decode())
    if kind == "text/plain":
        page = extract_text(markup if isinstance(markup, str) else markup.decode(), answer.url)
    else:
        page = _with_links(extract(markup, answer.url), most_links)
    wishes = in_header(answer.headers.get("x-robots-tag", ""))
    told_nofollow = says_nofollow(wishes)
    text = page.text.encode()
    alike = likeness(page, text)
    canonical = {page.canonical, canonical_target(answer.headers, answer.url)} - {""}
    language, evidence = settle(page, answer.headers.get("content-language", ""))
    return replace(
        page,
        language=language,
        language_evidence=evidence,
        links=tuple(link._replace(nofollow=True) for link in page.links) if told_nofollow else page.links,
        canonical=_told(canonical.pop()) if len(canonical) == 1 else "",
        noindex=page.noindex or why_unindexed(wishes, TAG),
        nofollow=page.nofollow or told_nofollow,
        refresh=_told(page.refresh or _sent_on(answer)),
        status=answer.status,
        content_type=kind,
        charset=charset,
        charset_evidence=known_by,
        etag=_kept(answer.headers.get("etag", "")),
        last_modified=_kept(answer.headers.get("last-modified", "")),
        fetched_at=_spelled(int(time.time())),
        content_hash=_fingerprint(page, text, answer.body),
        simhash=alike.simhash,
        words=alike.words,
        subject=alike.subject,
        outline=alike.outline,
        html=zlib.compress(answer.body, 1) if keep_html else b"",
    )


@lru_cache(maxsize=1)
def _spelled(now: int) -> str:
    """A moment as it is written down; hundreds of pages come in the same second.

    >>> _spelled(0)
    '1970-01-01T00:00:00+00:00'
    """
    return datetime.fromtimestamp(now, UTC).isoformat()


def _sent_on(answer: Response) -> str:
    """Where a header sends the reader at once, which is rare."""
    told = answer.headers.get("refresh")
    return sends_to(told, partial(normalize, base=answer.url)) if told else ""


def _with_links(page: Page, most: int) -> Page:
    """The page with the links to its first so many urls, and a few times as many in all."""
    if len(page.links) <= most and sum(len(link.url) for link in page.links) <= most * LETTERS:
        return page
    links = page.links[: most * REPEATED]
    urls = dict.fromkeys(link.url for link in page.links)
    taken = set(_that_fit(islice(urls, most), most * LETTERS))
    kept = tuple(link for link in links if link.url in taken)
    return replace(page, links=kept, untaken=page.untaken + len(urls) - len({link.url for link in kept}))


def _that_fit(urls: Iterable[str], room: int) -> Iterator[str]:
    """Those urls that have room for their letters: a few kilobytes of markup can spell megabytes of urls."""
    for url in urls:
        if len(url) <= room:
            room -= len(url)
            yield url


def _told(url: str) -> str:
    """A canonical url, or one to refresh to, unless it is out of all proportion."""
    return url if len(url) <= LONGEST_URL else ""


def _kept(mark: str) -> str:
    """By what a server tells one version of a page from another, unless we would have to send it a book each time."""
    return mark if len(mark) <= LONGEST_MARK else ""


def _fingerprint(page: Page, text: bytes, body: bytes) -> str:
    """Equal for pages that say the same to a reader; for a page without words, equal for the same bytes."""
    said = b"%b\n%b" % (f"{page.title}\n{page.description}".encode(), text) if text else body
    return blake2b(said, digest_size=16).hexdigest()


def _tells_otherwise(answer: Response, noindex: str) -> bool:
    """Whether a server wants a page in the index that it kept out of it by a header, or no longer wants it there."""
    told = why_unindexed(in_header(answer.headers.get("x-robots-tag", "")), TAG)
    return not noindex if told else noindex.startswith(TAG)


def _moved(answer: Response) -> Outcome:
    try:
        return Redirect(answer.url, redirect_target(answer.headers, answer.url), answer.status)
    except BadUrl as error:
        return Failed(answer.url, f"redirects to no usable address: {str(error)[:MAX_QUOTED]}", "redirect")


def _refused(answer: Response) -> Failed:
    try:
        phrase = f"{answer.status} {HTTPStatus(answer.status).phrase}"
    except ValueError:
        phrase = str(answer.status)
    transient = answer.status in PASSING or answer.status >= 500
    pause = retry_after(answer.headers, time.time()) if transient else 0.0
    return Failed(answer.url, f"the server answered {phrase}", f"http-{answer.status}", transient, pause)
