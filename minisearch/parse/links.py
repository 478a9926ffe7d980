"""The links of a page: anchors, <link> relations and refreshes.

<link rel="next">, <link rel="alternate" hreflang="de"> and a refresh lead to pages though they are not clickable. A
refresh is read as browsers do (HTML standard, "shared declarative refresh steps"); one without a delay is a redirect.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from minisearch.models import Link
from minisearch.parse.lines import collapse, shorten
from minisearch.urls import EDGES, join, split_fragment

Attributes = Mapping[str, str | None]

NOFOLLOW = frozenset(["nofollow", "sponsored", "ugc"])
ANCHOR_LENGTH = 200
LINK_LENGTH = 2000  # characters of a link's text that are read: thousands of nested links may each hold a whole page
ODD_LINKS = 20  # links that cannot be followed, of one page, that are recorded
ODD_LENGTH = 200  # and how many characters of each

NEIGHBOURS = frozenset(["next", "prev", "previous"])
PAGE_TYPES = ("", "text/html", "application/xhtml+xml")  # of an alternate; feeds are for other readers
NO_DELAY = re.compile(r"\s*(?:0+(?:\.[\d.]*)?|\.[\d.]*)(?![\d.])", re.ASCII)  # less than a second
REFRESH = re.compile(
    r"""\s* (?: \d+ (?: \.[\d.]* )? | \.[\d.]* )
        (?: \s*[;,]\s* | \s+ )
        (?: url\s*=\s* )?
        (?: "(?P<double>[^"]*) | '(?P<single>[^']*) | (?P<bare>.*) )""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL | re.ASCII,
)


def read_links(
    found: Iterable[tuple[str, Attributes, str]], base: str, nofollow: bool, odd: dict[str, None]
) -> list[Link]:
    """The links of <a>, <area> and <frame> (tag, attributes, text). Those that cannot be followed go into `odd`."""
    links = []
    urls: dict[str, str] = {}  # by their spelling on the page
    for tag, attributes, text in found:
        href = attributes.get("src" if tag == "frame" else "href")
        if not href:
            continue
        page, fragment = split_fragment(href)
        if not page:
            continue
        if page not in urls:
            urls[page] = join(page, base)
        url = urls[page]
        if not url:
            if len(odd) < ODD_LINKS:
                odd[collapse(href[:ODD_LENGTH])] = None
            continue
        anchor = shorten(collapse(text) or alternative_text(tag, attributes), ANCHOR_LENGTH)
        rel = attributes.get("rel")
        is_nofollow = nofollow or bool(rel and not NOFOLLOW.isdisjoint(rel.lower().split()))
        links.append(Link(url, anchor, is_nofollow, fragment))
    return links


def alternative_text(tag: str, attributes: Attributes) -> str:
    """What describes a link without text: its alt, title, name or aria-label."""
    names = ["alt"] * (tag == "area") + ["title"] + ["name"] * (tag == "frame") + ["aria-label"]
    return next((text for name in names if (text := collapse(attributes.get(name) or ""))), "")


def related_links(
    links: Iterable[Link], relations: Iterable[Attributes], refresh: str, base: str, nofollow: bool
) -> list[Link]:
    """The pages that <link>s and a refresh lead to and that are not among the links.

    >>> related_links([Link("http://a/")], [{"rel": "next", "href": "b"}], "", "http://a/", nofollow=False)
    [Link(url='http://a/b', anchor='', nofollow=False, fragment='')]
    """
    urls = [join(href, base) for each in relations if (href := each.get("href")) and _is_page(each)]
    urls = [url for url in (*urls, refresh_target(refresh, base)) if url]
    known = {link.url for link in links} if urls else set()
    return [Link(url, "", nofollow) for url in dict.fromkeys(urls) if url not in known]


def _is_page(relation: Attributes) -> bool:
    """Whether a <link> leads to a page: the next one of a list, or the same one in another language."""
    names = (relation.get("rel") or "").lower().split()
    if not NEIGHBOURS.isdisjoint(names):
        return True
    media_type = (relation.get("type") or "").partition(";")[0].strip().lower()
    return "alternate" in names and bool(relation.get("hreflang")) and media_type in PAGE_TYPES


def is_refresh(meta: Attributes) -> bool:
    """Whether a <meta> with these attributes is a refresh."""
    return (meta.get("http-equiv") or "").strip().lower() == "refresh"


def refresh_target(content: str, base: str, *, at_once: bool = False) -> str:
    """The URL that a refresh leads to; '' if to none, or if it has to do so `at_once` and has a delay.

    >>> refresh_target("0; URL='next.html'", "http://a/", at_once=True)
    'http://a/next.html'
    >>> refresh_target("5; url=next.html", "http://a/", at_once=True), refresh_target("300", "http://a/")
    ('', '')
    """
    found = REFRESH.match(content)
    if not found or (at_once and not NO_DELAY.match(content)):
        return ""
    target = next(filter(None, found.groups()), "").strip(EDGES)
    return join(target, base) if target else ""
