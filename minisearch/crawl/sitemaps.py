"""Sitemaps: the URLs that a site lists itself (sitemaps.org; also RSS, Atom and plain lists of URLs).

A sitemap may be huge, nested without end, a gzip or an XML bomb, truncated, or list URLs of other sites. So it is
parsed as a stream within limits, declares no entities, and what is not taken from it is counted, with the reason.

A URL in a sitemap counts as if the start page linked to it: it is one link away from the start, and all the rules of
the crawl hold for it. Sitemaps are those of the sites that the crawl started from, found in robots.txt or named by
the user; a sitemap may list URLs of its own host only. No more are read than the crawl can make use of.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from xml.parsers import expat

from minisearch.errors import BadInput, BadUrl
from minisearch.fetch.errors import FetchError, Rejected, cause
from minisearch.fetch.fetcher import GZIP, Response, decompress, media_type
from minisearch.limits import HTML, Limits
from minisearch.models import Detail, Failed, Found, Outcome, Queued, Redirect, Skipped
from minisearch.parse.charset import decode
from minisearch.urls import host, join, normalize, origin

# One sitemap
MAX_BYTES = 50 * 1024 * 1024  # after decompression, as in the protocol
MAX_URLS = 50_000  # in one file, likewise
MAX_URL_LENGTH = 10_000  # characters
START = 2000  # bytes in which the root element of a sitemap must begin
TYPES = (
    *HTML,  # a common default of servers
    "application/xml", "text/xml", "text/plain", "application/gzip", "application/x-gzip", "application/octet-stream",
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "binary/octet-stream",
)  # fmt: skip

ROOTS = {"urlset", "sitemapindex", "rss", "feed", "RDF"}
ROOT = re.compile(rf"<(?:[\w-]+:)?(?:{'|'.join(sorted(ROOTS))})[\s>]".encode())
STRAY = re.compile(r"<!\[CDATA\[.*?(?:\]\]>|\Z)|&(?!(?:#\d+|#x[\da-fA-F]+|amp|lt|gt|quot|apos);)", re.DOTALL)
PAGES = {("url", "loc"), ("item", "link")}  # whose text is the address of a page

# All sitemaps of a crawl
SOURCES = ("robots", "auto", "none")
DEFAULT_PATH = "/sitemap.xml"  # with "auto", if robots.txt names none
MAX_FILES = 100
MAX_LEVELS = 4  # of index files inside one another, and redirects
DEPTH = 1  # of the URLs in a sitemap

Judge = Callable[[str, int], Found]  # of (url, depth)


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What a sitemap lists: pages and further sitemaps, normalised, and how many entries were dropped."""

    url: str
    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    dropped: int = 0
    error: Detail = field(default_factory=dict)  # why it was not read to its end: a rule and its details


# -- parsing one sitemap ---------------------------------------------------------------------------


def sitemap_limits(limits: Limits) -> Limits:
    """The limits of a sitemap, if those of a page are `limits`."""
    return replace(limits, types=TYPES, page_bytes=MAX_BYTES)


def is_page(response: Response) -> bool:
    """Whether a response is an HTML page: sitemaps may have its type, but not its beginning.

    >>> is_page(Response("http://a/map", 200, {"content-type": "text/html"}, b"<html><h1>Map of our site</h1>"))
    True
    """
    start = response.body[:START].replace(b"\0", b"")  # UTF-16 has one beside each ASCII character
    return media_type(response.headers) in HTML and not start.startswith(GZIP) and not ROOT.search(start)


def read_sitemap(response: Response) -> Sitemap:
    """Parse a sitemap. Never raises: what could be read before an error is kept.

    >>> read_sitemap(Response("http://a/s.txt", 200, {}, b"http://a/b\\nhttp://a/c\\n")).pages
    ('http://a/b', 'http://a/c')
    """
    pages: list[str] = []
    sitemaps: list[str] = []
    error: Detail = {}
    try:
        text = decode(_decompressed(response.body), response.headers.get("content-type", "")).text.lstrip()
        if text.startswith("<"):
            _parse_xml(text, pages.append, sitemaps.append)
        elif "\0" in text[:1024]:
            raise Rejected("sitemap", problem="binary")
        else:
            lines = filter(None, map(str.strip, text.splitlines()))
            pages += [line if line.lower().startswith(("http://", "https://")) else "" for line in lines]
    except (FetchError, Rejected) as why:
        error = cause(why)
    page_urls, sitemap_urls = _joined(pages, response.url), _joined(sitemaps, response.url)
    dropped = len(pages) + len(sitemaps) - len(page_urls) - len(sitemap_urls)
    return Sitemap(response.url, page_urls, sitemap_urls, dropped, error)


def _joined(addresses: Iterable[str], base: str) -> tuple[str, ...]:
    """The different URLs that addresses lead to, up to a limit."""
    urls: dict[str, None] = {}
    for address in addresses:
        if len(urls) < MAX_URLS and address.strip() and (url := join(address[:MAX_URL_LENGTH], base)):
            urls[url] = None
    return tuple(urls)


def _decompressed(body: bytes) -> bytes:
    """The body, decompressed if it is compressed by itself, whatever its headers say."""
    if not body.startswith(GZIP):
        return body
    text = decompress(body, "gzip", MAX_BYTES)
    if len(text) > MAX_BYTES:
        raise Rejected("size", limit=MAX_BYTES)
    return text


def _parse_xml(text: str, add_page: Callable[[str], None], add_sitemap: Callable[[str], None]) -> None:
    """Call these with the addresses in a sitemap. It is parsed as a stream, and its namespaces need not be declared."""
    parents = [""]  # names of the open elements
    content: list[str] = []  # since the last tag

    def start(tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        if parents == [""] and name not in ROOTS:
            raise Rejected("sitemap", problem="root", tag=name[:20])
        if (parents[-1], name) == ("entry", "link") and attributes.get("rel", "alternate") == "alternate":
            add_page(attributes.get("href", ""))
        parents.append(name)
        content.clear()

    def end(_tag: str) -> None:
        name = parents.pop()
        if (parents[-1], name) in PAGES:
            add_page("".join(content))
        elif (parents[-1], name) == ("sitemap", "loc"):
            add_sitemap("".join(content))
        content.clear()

    def entity(name: str, *_: object) -> None:
        raise Rejected("sitemap", problem="entity", name=name[:20])

    parser = expat.ParserCreate()  # given text, it ignores the charset that the XML declares
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.EntityDeclHandler = content.append, entity
    try:
        parser.Parse(STRAY.sub(lambda found: "&amp;" if found[0] == "&" else found[0], text), True)
    except expat.ExpatError as error:
        raise Rejected("sitemap", problem="xml", error=expat.ErrorString(error.code), line=error.lineno) from None


# -- the sitemaps of a crawl -----------------------------------------------------------------------


def check_sources(sources: Iterable[str]) -> tuple[str, ...]:
    """The sitemaps to read: one of SOURCES, or URLs.

    >>> check_sources(["robots", "https://Example.com/s.xml"])
    ('robots', 'https://example.com/s.xml')
    """
    try:
        checked = tuple(source if source in SOURCES else normalize(source) for source in sources)
    except BadUrl as error:
        raise BadInput(f"sitemaps must be {', '.join(SOURCES)} or a URL; {error}") from error
    if "none" in checked and len(checked) > 1:
        raise BadInput("sitemaps cannot be both none and some")
    return checked


class SitemapQueue:
    """Sitemaps to be fetched, one after the other, as URLs with negative ids whose depth is that in sitemap indexes.

    `sources` are the sitemaps to read, but not those in `done`; `wanted` is the number of URLs that is enough.
    """

    def __init__(
        self, sources: Iterable[str] = ("none",), *, wanted: int = 0, done: Collection[str] = frozenset()
    ) -> None:
        self._sources = check_sources(sources)
        self._wanted = wanted
        self._done = done
        self._taken = 0
        self._queue: deque[Queued] = deque()
        self._seen: set[str] = set()
        self._unread: set[int] = set()  # ids of those in the queue or being fetched
        self._hosts: set[str] = set()  # of which sitemaps may list URLs

    def add_named(self, roots: Iterable[str]) -> None:
        """Add the sitemaps that the user named."""
        for url in self._sources:
            if url not in SOURCES:
                self._hosts.update(map(host, [*roots, url]))
                self._add(url)

    def add_from_robots(self, site: str, named: Iterable[str], roots: Iterable[str]) -> None:
        """Add the sitemaps that the robots.txt of a site names."""
        if site not in map(origin, roots) or not {"robots", "auto"}.intersection(self._sources):
            return
        self._hosts.add(host(site + "/"))
        urls = [url for address in named if (url := join(address, site + "/"))]
        for url in urls or [site + DEFAULT_PATH] * ("auto" in self._sources):
            self._add(url)

    def pop(self) -> Queued | None:
        """The next sitemap to read, if any is left and needed."""
        return self._queue.popleft() if self._queue and self._taken < self._wanted else None

    def has_unread(self) -> bool:
        """Whether a sitemap that is needed was not read yet."""
        return bool(self._unread) and self._taken < self._wanted

    def on_result(self, queued: Queued, outcome: Outcome | Sitemap, judge: Judge) -> tuple[Outcome, tuple[Found, ...]]:
        """What became of a sitemap, and the URLs in it."""
        self._unread.discard(queued.id)
        if isinstance(outcome, Sitemap):
            return self._on_sitemap(queued, outcome, judge)
        if isinstance(outcome, Redirect):
            self._add(outcome.target, queued.depth + 1)
            detail = {"problem": "redirect", "status": outcome.status, "target": outcome.target}
            return Skipped(queued.url, "sitemap", detail), ()
        why: Detail = {"rule": "type", "problem": "page"}
        if isinstance(outcome, Failed | Skipped):
            why = {"rule": outcome.rule, **outcome.detail}
        failure = Failed(queued.url, "sitemap", {"problem": "unreadable", "cause": why})
        # What is no sitemap may be a page of HTML: a site map for people.
        page = [judge(queued.url, DEPTH)] if why["rule"] == "type" else []
        return failure, tuple(found for found in page if not found.rule)

    def _on_sitemap(self, queued: Queued, sitemap: Sitemap, judge: Judge) -> tuple[Outcome, tuple[Found, ...]]:
        found = tuple(judge(url, DEPTH) for url in sitemap.pages if host(url) in self._hosts)
        near = [url for url in sitemap.sitemaps if host(url) in self._hosts | {queued.host}]
        added = sum(self._add(url, queued.depth + 1) for url in near)
        dropped = sitemap.dropped + len(sitemap.pages) - len(found) + len(sitemap.sitemaps) - added
        self._taken += sum(not each.rule for each in found)
        detail: Detail = {"urls": len(found)}
        if sitemap.sitemaps:
            detail["sitemaps"] = len(sitemap.sitemaps)
        if dropped:
            detail["dropped"] = dropped
        if sitemap.error:
            detail |= {"unfinished": True, "cause": sitemap.error}
        if self._queue and self._taken >= self._wanted:
            detail["left"] = len(self._queue)
        return Skipped(queued.url, "sitemap", detail), found

    def _add(self, url: str, level: int = 0) -> bool:
        if url in self._seen or len(self._seen) >= MAX_FILES or level > MAX_LEVELS:
            return False
        self._seen.add(url)
        if url not in self._done:
            number = -len(self._seen)
            self._unread.add(number)
            self._queue.append(Queued(number, url, host(url), level))
        return True


def is_sitemap(queued: Queued) -> bool:
    """Whether this is a sitemap, and not a URL in the file."""
    return queued.id < 0
