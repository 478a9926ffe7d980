"""Audit: what a page shows to a search engine, gathered with Beautiful Soup for the owner of the page.

What is gathered here is fact; what follows from it, and what to do about it, is in advice.py.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from bs4 import BeautifulSoup
from bs4.element import Comment, Doctype, NavigableString, Tag

from minisearch.errors import BadUrl
from minisearch.parse import page as rules
from minisearch.parse.lines import collapse, shorten
from minisearch.parse.links import alternative_text
from minisearch.parse.robots_meta import META_NAMES
from minisearch.parse.soup import attributes, is_relation, is_title, parse, walk
from minisearch.parse.soup import text as marked_text
from minisearch.urls import host, normalize

MAX_NESTING = 1000  # elements in one another: more would keep html5lib busy for minutes
DEEPEST_ITEM = 10  # items of microdata inside one another
WORD = re.compile(r"[^\W\d_]+")
SHORT = 4  # letters: words up to here are frequent in any text
STYLES = {  # an inline style -> how it hides
    "display:none": r"display:none",
    "visibility:hidden": r"visibility:hidden",
    "no size": r"(?:font-size|width|height):0(?:px|em|rem|pt|%)?(?:;|!|$)",
    "transparent": r"opacity:0(?:\.0+)?(?:;|!|$)",
    "moved off the screen": r"(?:text-indent|left|top|margin-left):-\d{3,}",
    "clipped away": r"clip(?:-path)?:(?:rect\(0|inset\((?:50|100)%)",
}
HIDING = {how: re.compile(rf"(?:^|;){pattern}") for how, pattern in STYLES.items()}
COLOURS = re.compile(r"(?:^|;)(color|background(?:-color)?):([^;!]+)")


@dataclass(frozen=True, slots=True)
class LinkSeen:
    """A link as it stands on the page."""

    href: str
    url: str  # normalised; empty if it leads nowhere
    text: str
    rel: str = ""
    inside: bool = False  # to the same host


@dataclass(frozen=True, slots=True)
class ImageSeen:
    """An image as it stands on the page. `alt` is None where there is none at all."""

    src: str
    url: str
    alt: str | None
    width: str = ""
    height: str = ""
    inline_bytes: int = 0  # of an image written into the page


@dataclass(frozen=True, slots=True)
class HiddenText:
    """Words that are there and not to be seen."""

    how: str
    words: int
    text: str


@dataclass
class Audit:
    """All that was found on one page."""

    url: str
    bytes: int = 0
    charset: str = ""
    charset_evidence: str = ""
    charset_declared: bool = True  # by a header or the markup
    charset_contradicted: bool = False  # by the bytes
    doctype: str = ""
    language: str = ""
    titles: list[str] = field(default_factory=list)
    descriptions: list[str] = field(default_factory=list)
    keywords: str = ""
    canonicals: list[str] = field(default_factory=list)  # that are told in the head
    misplaced: list[str] = field(default_factory=list)  # canonical addresses that are told in the body
    robots: list[str] = field(default_factory=list)
    viewport: str = ""
    headings: list[tuple[int, str]] = field(default_factory=list)
    links: list[LinkSeen] = field(default_factory=list)
    images: list[ImageSeen] = field(default_factory=list)
    social: dict[str, str] = field(default_factory=dict)
    alternates: dict[str, str] = field(default_factory=dict)  # hreflang -> url
    items: list[dict[str, Any]] = field(default_factory=list)  # microdata
    linked_data: list[str] = field(default_factory=list)  # the types of JSON-LD objects, or what is wrong with them
    hidden: list[HiddenText] = field(default_factory=list)
    words: int = 0
    frequent: list[tuple[str, int]] = field(default_factory=list)
    longest_run: tuple[str, int] = ("", 0)  # the word repeated most often in a row
    missing_anchors: list[str] = field(default_factory=list)
    repeated_ids: list[str] = field(default_factory=list)


def audit(markup: str, url: str) -> Audit:
    """Everything about a page.

    >>> found = audit('<title>Hi</title><h2>There</h2><img src=a.png><p hidden>psst', "http://a/")
    >>> found.titles, found.headings, found.images[0].alt, found.hidden[0].text
    (['Hi'], [(2, 'There')], None, 'psst')
    """
    soup = parse(rules.prepare(markup, MAX_NESTING)[0])
    found = Audit(url, bytes=len(markup.encode("utf-8", "replace")))
    tags = list(walk(soup))
    base = rules.base_url(url, [attributes(tag) for tag in tags if tag.name == "base"])
    found.doctype = next((str(node) for node in soup.contents if isinstance(node, Doctype)), "")
    found.titles = [collapse(marked_text(tag, [])) for tag in tags if is_title(tag)]
    found.headings = [(int(t.name[1]), words(t)) for t in tags if rules.KINDS.get(t.name) == "heading"]
    _head(found, tags, base)
    found.links = list(_links(tags, base, url))
    found.images = list(_images(tags, base))
    found.items = [_item(tag, 0) for tag in tags if "itemscope" in tag.attrs and "itemprop" not in tag.attrs]
    found.linked_data = [kind for tag in tags for kind in _linked_data(tag)]
    ids = Counter(str(tag["id"]) for tag in tags if tag.has_attr("id"))
    found.repeated_ids = [name for name, count in ids.items() if count > 1]
    names = set(ids) | {str(tag["name"]) for tag in tags if tag.name == "a" and tag.has_attr("name")} | {"", "top"}
    local = {link.href for link in found.links if link.href[:1] == "#"}
    found.missing_anchors = sorted(href for href in local if not {href[1:], unquote(href[1:])} & names)
    found.hidden = list(_hidden(tags))
    _count(found, soup)
    return found


def words(tag: Tag) -> str:
    """The text in an element, on one line, with what its images say."""
    return collapse(marked_text(tag, [], images=True))


def _head(found: Audit, tags: list[Tag], base: str) -> None:
    for tag in tags:
        facts = attributes(tag)
        if tag.name == "html":
            found.language = collapse(facts.get("lang") or facts.get("xml:lang") or "")
        elif tag.name == "link":
            rel = (facts.get("rel") or "").lower().split()
            if "canonical" in rel:
                told = found.canonicals if is_relation(tag) else found.misplaced
                told.append(_absolute(facts.get("href") or "", base) or (facts.get("href") or ""))
            if "alternate" in rel and facts.get("hreflang"):
                found.alternates[str(facts["hreflang"])] = _absolute(facts.get("href") or "", base)
        elif tag.name == "meta":
            name = (facts.get("name") or facts.get("property") or "").strip().lower()
            content = collapse(facts.get("content") or "")
            if name == "description":
                found.descriptions.append(content)
            elif name == "keywords":
                found.keywords = content
            elif name == "viewport":
                found.viewport = content
            elif name in META_NAMES:
                found.robots.append(f"{name}: {content}")
            elif name.startswith(("og:", "twitter:", "article:")):
                found.social.setdefault(name, content)


def _absolute(address: str, base: str) -> str:
    try:
        return normalize(address, base) if address.strip() else ""
    except BadUrl:
        return ""


def _links(tags: list[Tag], base: str, url: str) -> Iterator[LinkSeen]:
    for tag in tags:
        if tag.name in ("a", "area") and tag.has_attr("href"):
            facts = attributes(tag)
            href = (facts["href"] or "").strip()
            leads = "" if href[:1] == "#" else _absolute(href, base)
            said = words(tag) or alternative_text(tag.name, facts)
            yield LinkSeen(href, leads, said, facts.get("rel") or "", bool(leads) and host(leads) == host(url))


def _images(tags: list[Tag], base: str) -> Iterator[ImageSeen]:
    for tag in tags:
        if tag.name == "img":
            facts = attributes(tag)
            src = (facts.get("src") or "").strip()
            inline = len(src) * 3 // 4 if src[:5].lower() == "data:" else 0
            leads = "" if inline else _absolute(src, base)
            shown = src[:60] + "…" if inline else src
            yield ImageSeen(shown, leads, facts.get("alt"), facts.get("width") or "", facts.get("height") or "", inline)


def _item(tag: Tag, depth: int) -> dict[str, Any]:
    """One item of microdata: its type, and its properties with all their values."""
    properties: dict[str, list[Any]] = {}
    waiting = [child for child in reversed(tag.contents) if isinstance(child, Tag)]
    while waiting:
        child = waiting.pop()
        scope = "itemscope" in child.attrs
        for name in str(child.get("itemprop") or "").split():
            value = _item(child, depth + 1) if scope and depth < DEEPEST_ITEM else _value(child)
            properties.setdefault(name, []).append(value)
        if not scope:
            waiting += [inner for inner in reversed(child.contents) if isinstance(inner, Tag)]
    return {"type": str(tag.get("itemtype") or ""), "properties": properties}


def _value(tag: Tag) -> str:
    for name in ("content", "datetime", "href", "src", "data", "value"):
        if tag.has_attr(name):
            return str(tag[name])
    return words(tag)


def _linked_data(tag: Tag) -> Iterator[str]:
    if tag.name != "script" or str(tag.get("type") or "").lower() != "application/ld+json":
        return
    try:
        told = json.loads("".join(str(piece) for piece in tag.contents))
    except (ValueError, RecursionError):
        yield "broken: not JSON"
        return
    for each in told if isinstance(told, list) else [told]:
        graph = each.get("@graph") if isinstance(each, dict) else None
        for part in graph if isinstance(graph, list) else [each]:
            yield str(part.get("@type", "no type")) if isinstance(part, dict) else "broken: no object"


def how_hidden(tag: Tag) -> str:
    """By what means an element is kept from the reader, as far as its own tag tells; nothing if it is not."""
    if tag.name in rules.NEVER_HIDDEN or rules.KINDS.get(tag.name) in ("skipped", "title"):
        return ""
    if "hidden" in tag.attrs:
        return "hidden"
    style = "".join(str(tag.get("style") or "").lower().split())
    for how, pattern in HIDING.items():
        if pattern.search(style):
            return how
    colours = {name[:5]: value for name, value in COLOURS.findall(style)}
    return "text in the colour of its background" if colours.get("color") == colours.get("backg", "") != "" else ""


def _hidden(tags: list[Tag]) -> Iterator[HiddenText]:
    inside: set[int] = set()
    for tag in tags:
        if id(tag) in inside:
            continue
        how = how_hidden(tag)
        if how:
            inside |= {id(each) for each in walk(tag)}
            said = words(tag)
            if said:
                yield HiddenText(how, len(said.split()), shorten(said, 100))


def _is_skipped(tag: Tag | None) -> bool:
    return tag is not None and rules.KINDS.get(tag.name) == "skipped"


def _count(found: Audit, soup: BeautifulSoup) -> None:
    """Which words the page says, and says again."""
    said: list[str] = []
    for node in soup.body.descendants if soup.body else ():
        if isinstance(node, NavigableString) and not isinstance(node, Comment) and not _is_skipped(node.parent):
            said += [word.lower() for word in WORD.findall(node)]
    found.words = len(said)
    found.frequent = Counter(word for word in said if len(word) > SHORT).most_common(10)
    run, before = 0, ""
    for word in said:
        run, before = (run + 1, before) if word == before else (1, word)
        if run > found.longest_run[1] and len(word) > 1:
            found.longest_run = (word, run)
