"""From a response to a page: Response -> Page | Redirect | Skipped."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import blake2b
from importlib import import_module
from itertools import islice

from minisearch.fetch.fetcher import Response, canonical_target, media_type
from minisearch.limits import Limits
from minisearch.models import Page, Redirect, Skipped
from minisearch.parse.charset import Decoded, decode, describe
from minisearch.parse.classify import is_binary, needs_javascript, soft_404
from minisearch.parse.language import page_language
from minisearch.parse.links import refresh_target
from minisearch.parse.page import text_page
from minisearch.parse.robots_meta import HEADER, has_nofollow, in_header, noindex_reason

Extract = Callable[[str, str], Page]  # (markup, url)
PARSERS = {"fast": "minisearch.parse.html", "soup": "minisearch.parse.soup"}

XHTML = "application/xhtml+xml"
MAX_VALIDATOR = 1000  # characters of an ETag or a Last-Modified date, which is sent with every later request
MAX_URL = 10_000  # characters of a canonical URL or a refresh target
LINK_URL_LENGTH = 200  # characters of a link's URL on average: a few kilobytes of markup can spell megabytes of URLs
LINKS_PER_URL = 10  # links of a page for each of its URLs, on average


def extractor(parser: str) -> Extract:
    """The extractor of a name; its library is loaded only when it is asked for."""
    extract: Extract = import_module(PARSERS[parser]).extract
    return extract


def read(
    response: Response, extract: Extract, *, max_links: int = Limits().links, keep_html: bool = True
) -> Page | Redirect | Skipped:
    """What a response holds: a page, a redirect by refresh, or content that is not kept."""
    url, status = response.url, response.status
    decoded = decode(response.body, response.headers.get("content-type", ""))
    if is_binary(response.body) and not decoded.charset.startswith(("utf-16", "utf-32")):
        kind = media_type(response.headers) or "text/html"
        return Skipped(url, "binary", {"type": kind})
    page = read_page(response, decoded, extract, max_links=max_links, keep_html=keep_html)
    if page.refresh not in ("", url):
        return Redirect(url, page.refresh, status)
    if words := soft_404(page):
        return Skipped(url, "soft-404", {"words": words, "status": status})
    if page.content_type != "text/plain" and needs_javascript(page, decoded.text):
        return Skipped(url, "javascript")
    return page


def read_page(response: Response, decoded: Decoded, extract: Extract, *, max_links: int, keep_html: bool) -> Page:
    """The page in a response, without any check of its content."""
    url, headers, kind = response.url, response.headers, media_type(response.headers) or "text/html"
    if kind == "text/plain":
        page = text_page(decoded.text, url)
    else:
        markup = write_out_empty_elements(decoded.text) if kind == XHTML else decoded.text
        page = _limit_links(extract(markup, url), max_links)
    directives = in_header(headers.get("x-robots-tag", ""))
    nofollow = has_nofollow(directives)
    language, language_evidence = page_language(page, headers.get("content-language", ""))
    canonical = {page.canonical, canonical_target(headers, url)} - {""}
    return replace(
        page,
        language=language,
        language_evidence=language_evidence,
        links=tuple(link._replace(nofollow=True) for link in page.links) if nofollow else page.links,
        canonical=_at_most(MAX_URL, canonical.pop()) if len(canonical) == 1 else "",
        noindex=page.noindex or noindex_reason(directives, HEADER),
        nofollow=page.nofollow or nofollow,
        refresh=_at_most(MAX_URL, page.refresh or refresh_target(headers.get("refresh", ""), url, at_once=True)),
        status=response.status,
        content_type=kind,
        charset=decoded.charset,
        charset_evidence=describe(decoded),
        etag=_at_most(MAX_VALIDATOR, headers.get("etag", "")),
        last_modified=_at_most(MAX_VALIDATOR, headers.get("last-modified", "")),
        fetched_at=datetime.now(UTC).isoformat(timespec="seconds"),
        content_hash=content_hash(page, response.body),
        html=zlib.compress(response.body, 1) if keep_html else b"",
    )


def content_hash(page: Page, body: bytes = b"") -> str:
    """Equal for pages with the same title, description and text; of a page without text, the `body` is hashed."""
    content = f"{page.title}\n{page.description}\n{page.text}".encode("utf-8", "replace") if page.text else body
    return blake2b(content, digest_size=16).hexdigest()


def _at_most(length: int, value: str) -> str:
    return value if len(value) <= length else ""


def _limit_links(page: Page, most: int) -> Page:
    """The page with the links to its first `most` URLs, and some times as many in all."""
    if len(page.links) <= most and sum(len(link.url) for link in page.links) <= most * LINK_URL_LENGTH:
        return page
    urls = dict.fromkeys(link.url for link in page.links)
    taken, room = set(), most * LINK_URL_LENGTH
    for url in islice(urls, most):
        if len(url) <= room:
            taken.add(url)
            room -= len(url)
    links = tuple(link for link in page.links[: most * LINKS_PER_URL] if link.url in taken)
    return replace(page, links=links, untaken=page.untaken + len(urls) - len({link.url for link in links}))


# -- XHTML ---------------------------------------------------------------------------------------
# In XML every element may close itself: <script src="x.js"/> is complete. For an HTML parser it is open, and all that
# follows is a part of the script. So such tags are written out (<title></title>) before an XHTML page is parsed.

# Elements that are empty in HTML as well.
VOID_TAGS = "area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr"
VOID = frozenset(VOID_TAGS.split())
# What holds no tags is matched as a whole, even if it never ends, so that nothing is read twice.
SELF_CLOSED = re.compile(
    r"""<!--.*?(?:-->|\Z) | <!\[CDATA\[.*?(?:\]\]>|\Z) | <\?.*?(?:\?>|\Z)
        |<([a-z][\w:.-]*+)(?:\s++[^\s"'<>/=]++\s*+=\s*+(?:"[^"<]*+"|'[^'<]*+'))*+\s*+/>
        |<(script|style|title|textarea|iframe|xmp|noembed|noframes)(?=[\s/>])[^<>]*+>.*?(?:</\2|\Z)""",
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)


def write_out_empty_elements(markup: str) -> str:
    """The markup of an XHTML page with an end tag for each element that closes itself.

    >>> write_out_empty_elements('<title/><script src="x.js" /><p>a<br/>b</p>')
    '<title></title><script src="x.js" ></script><p>a<br/>b</p>'
    """
    return SELF_CLOSED.sub(_with_end_tag, markup)


def _with_end_tag(found: re.Match[str]) -> str:
    name = found[1]
    return found[0] if not name or name.lower() in VOID else f"{found[0].removesuffix('/>')}></{name}>"
