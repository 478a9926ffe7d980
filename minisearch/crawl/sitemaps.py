"""Sitemaps: what a site's owner would like to have found (sitemaps.org; also RSS, Atom and plain lists of urls).

Nothing in a sitemap is to be trusted: it may be huge, nested without end, a gzip or an XML bomb, broken halfway, or
speak of other people's sites. So it is read as a stream within limits, declares no entities, and whatever is not
taken from it is counted, with the reason.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from dataclasses import dataclass, field, replace
from xml.parsers import expat

from minisearch.errors import BadUrl
from minisearch.fetch.announced import media_type
from minisearch.fetch.fetcher import Response
from minisearch.fetch.unpack import GZIP
from minisearch.limits import HTML, Limits
from minisearch.parse.charset import decode
from minisearch.urls import join

MOST_BYTES = 50 * 1024 * 1024  # after decompression, as the protocol has it
MOST_URLS = 50_000  # in one file, likewise
DEEPEST = 100  # elements inside one another
LONGEST = 10_000  # characters of an address that are looked at
STEP = 4096  # compressed bytes that are unpacked at a time
BEGINNING = 2000  # bytes in which a sitemap shows that it is one
TYPES = (
    *HTML,  # as servers call whatever their programs put together
    "application/xml", "text/xml", "text/plain", "application/gzip", "application/x-gzip", "application/octet-stream",
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "binary/octet-stream",
)  # fmt: skip

ROOTS = {"urlset", "sitemapindex", "rss", "feed", "RDF"}
ROOT = re.compile(rf"<(?:[\w-]+:)?(?:{'|'.join(sorted(ROOTS))})[\s>]".encode())
STRAY = re.compile(r"<!\[CDATA\[.*?(?:\]\]>|\Z)|&(?!(?:#\d+|#x[\da-fA-F]+|amp|lt|gt|quot|apos);)", re.DOTALL)
PAGES = {("url", "loc"), ("item", "link")}  # whose text is the address of a page
SITEMAPS = {("sitemap", "loc")}

TOO_MANY = f"past the first {MOST_URLS:,}"


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What a sitemap names: pages and further sitemaps, normalised, and what was dropped, counted by reason."""

    url: str
    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    dropped: dict[str, int] = field(default_factory=dict)
    trouble: str = ""  # why it was not read to its end


class NotASitemap(Exception):
    """What ends the reading of a sitemap, in words."""


def sitemap_limits(limits: Limits) -> Limits:
    """What a sitemap may cost, if a page may cost `limits`."""
    return replace(limits, types=TYPES, page_bytes=MOST_BYTES)


def is_page(answer: Response) -> bool:
    """Whether this is a page for people: called HTML, as many a sitemap is, but without the beginning of one.

    >>> is_page(Response("http://a/map", 200, {"content-type": "text/html"}, b"<html><h1>Map of our site</h1>"))
    True
    """
    begins = answer.body[:BEGINNING].replace(b"\0", b"")  # of which UTF-16 has one beside each letter
    return media_type(answer.headers) in HTML and not begins.startswith(GZIP) and not ROOT.search(begins)


def read_sitemap(answer: Response) -> Sitemap:
    """The sitemap in a server's answer. Never fails: what could be read before it broke off is kept.

    >>> read_sitemap(Response("http://a/s.txt", 200, {}, b"http://a/b\\nhttp://a/c\\n")).pages
    ('http://a/b', 'http://a/c')
    """
    found = _Found(answer.url)
    try:
        text = decode(unzipped(answer.body), answer.headers.get("content-type", "")).text.lstrip()
        if text.startswith("<"):
            _Reader(found).read(STRAY.sub(_escaped, text))
        else:
            _read_lines(found, text)
    except NotASitemap as why:
        return found.sitemap(str(why))
    return found.sitemap("")


def unzipped(body: bytes) -> bytes:
    """The body, decompressed in bounded steps if it is compressed."""
    whole, at = bytearray(), 0
    while body.startswith(GZIP, at):  # several compressed pieces in a row are one
        at = _unzip(body, at, whole)
    return bytes(whole) if at else body


def _unzip(body: bytes, at: int, whole: bytearray) -> int:
    """Add what is compressed from `at` on, and tell where it ends.

    It is handed over in small pieces: what is left of one is copied, and there may be a hundred thousand ends.
    """
    inflate = zlib.decompressobj(wbits=31)
    while not inflate.eof:
        piece = body[at : at + STEP]
        if not piece:
            raise NotASitemap("its compressed data breaks off")
        try:
            whole += inflate.decompress(piece, MOST_BYTES + 1 - len(whole))
        except zlib.error:
            raise NotASitemap("its compressed data is broken") from None
        if len(whole) > MOST_BYTES:
            raise NotASitemap(f"larger than {MOST_BYTES:,} bytes when decompressed")
        at += len(piece) - len(inflate.unused_data)
    return at


class _Found:
    """What has been found so far."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._pages: dict[str, None] = {}
        self._sitemaps: dict[str, None] = {}
        self._dropped: Counter[str] = Counter()

    def add(self, address: str, *, page: bool = True) -> None:
        """One more address."""
        place = self._pages if page else self._sitemaps
        try:
            url = join(address.strip(), self._url) if address.strip() else ""
        except BadUrl:
            url = ""
        if not url:
            self._dropped["no address"] += 1
        elif url in place:
            self._dropped["named twice"] += 1
        elif len(place) >= MOST_URLS:
            self._dropped[TOO_MANY] += 1
        else:
            place[url] = None

    def sitemap(self, trouble: str) -> Sitemap:
        """All of it."""
        return Sitemap(self._url, tuple(self._pages), tuple(self._sitemaps), dict(self._dropped), trouble)


class _Reader:
    """Reads XML as a stream: only where an element stands is remembered, and the address at hand."""

    def __init__(self, found: _Found) -> None:
        self._found = found
        self._path: list[str] = []
        self._text: list[str] | None = None  # of the address being read

    def read(self, text: str) -> None:
        parser = expat.ParserCreate()  # is given letters, so that it need not know the charset that the XML declares
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._entity
        try:
            parser.Parse(text, True)
        except expat.ExpatError as error:
            raise NotASitemap(f"its XML is broken ({expat.ErrorString(error.code)}, line {error.lineno})") from None

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        if not self._path and name not in ROOTS:
            raise NotASitemap(f"no sitemap: it begins with <{name[:20]}>")
        if len(self._path) == DEEPEST:
            raise NotASitemap("its elements are nested too deeply")
        at = (self._path[-1] if self._path else "", name)
        self._path.append(name)
        if at in PAGES | SITEMAPS:
            self._text = []
        elif at == ("entry", "link") and attributes.get("rel", "alternate") == "alternate":
            self._found.add(attributes.get("href", ""))

    def _characters(self, text: str) -> None:
        if self._text is not None and len(self._text) < LONGEST:
            self._text.append(text[:LONGEST])

    def _end(self, _tag: str) -> None:
        name = self._path.pop()
        at = (self._path[-1] if self._path else "", name)
        if self._text is not None and at in PAGES | SITEMAPS:
            self._found.add("".join(self._text)[:LONGEST], page=at in PAGES)
            self._text = None

    @staticmethod
    def _entity(name: str, *_: object) -> None:
        raise NotASitemap(f'it declares an entity ("{name[:20]}"), as XML bombs do')


def _escaped(found: re.Match[str]) -> str:
    """An ampersand that stands for itself, as in ?a=1&b=2, for a parser that would break off there."""
    return "&amp;" if found[0] == "&" else found[0]


def _read_lines(found: _Found, text: str) -> None:
    """A list of urls, one a line."""
    if "\0" in text[:1024]:
        raise NotASitemap("no sitemap: its bytes are no text")
    for line in filter(None, map(str.strip, text.splitlines())):
        found.add(line if line.lower().startswith(("http://", "https://")) else "")
