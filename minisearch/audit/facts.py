"""Collect what a page shows to a search engine, with Beautiful Soup.

Facts only; what its owner could do better is in advice.py.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any
from urllib.parse import unquote

from bs4.element import Doctype, Tag

from minisearch.parse import page as rules
from minisearch.parse.lines import collapse
from minisearch.parse.robots_meta import META_NAMES
from minisearch.parse.soup import attributes, is_title, parse, remove, text
from minisearch.urls import host, join

MAX_NESTING = 1000  # elements in one another: more would keep html5lib busy for minutes
MAX_ITEM_DEPTH = 10  # items of microdata inside one another
WORD = re.compile(r"[^\W\d_]+")
SHORT_WORD = 4  # letters; shorter words are frequent in any text
EXCERPT = 100  # characters of an example that are shown
VALUE_ATTRIBUTES = ("content", "datetime", "href", "src", "data", "value")  # of microdata properties
HIDING_STYLES = {
    "display:none": r"display:none",
    "visibility:hidden": r"visibility:hidden",
    "no size": r"(?:font-size|width|height):0(?:px|em|rem|pt|%)?(?:;|!|$)",
    "transparent": r"opacity:0(?:\.0+)?(?:;|!|$)",
    "moved off the screen": r"(?:text-indent|left|top|margin-left):-\d{3,}",
    "clipped away": r"clip(?:-path)?:(?:rect\(0|inset\((?:50|100)%)",
}
COLOURS = re.compile(r"(?:^|;)(color|background(?:-color)?):([^;!]+)")


@dataclass(frozen=True, slots=True)
class LinkSeen:
    """A link on the page."""

    href: str
    url: str  # normalised; empty if it is not an http URL, or an anchor on the page
    text: str
    rel: str = ""
    inside: bool = False  # to the same host


@dataclass(frozen=True, slots=True)
class ImageSeen:
    """An image on the page. `alt` is None if there is no such attribute."""

    src: str
    url: str
    alt: str | None
    width: str = ""
    height: str = ""
    inline_bytes: int = 0  # of a data: URL


@dataclass(frozen=True, slots=True)
class HiddenText:
    """Words in the markup that readers do not see."""

    how: str
    words: int
    text: str


@dataclass
class Audit:
    """Everything that was found on one page."""

    url: str
    bytes: int = 0
    charset: str = ""
    charset_evidence: str = ""
    charset_declared: bool = True
    charset_contradicted: bool = False  # the bytes are not in the declared charset
    doctype: str = ""
    language: str = ""
    titles: list[str] = field(default_factory=list)
    descriptions: list[str] = field(default_factory=list)
    keywords: str = ""
    canonicals: list[str] = field(default_factory=list)
    misplaced: list[str] = field(default_factory=list)  # canonical URLs in the body
    robots: list[str] = field(default_factory=list)
    viewport: str = ""
    headings: list[tuple[int, str]] = field(default_factory=list)
    links: list[LinkSeen] = field(default_factory=list)
    images: list[ImageSeen] = field(default_factory=list)
    image_bytes: dict[str, int] = field(default_factory=dict)  # by URL, as far as they were looked up
    social: dict[str, str] = field(default_factory=dict)
    alternates: dict[str, str] = field(default_factory=dict)  # hreflang -> URL
    items: list[dict[str, Any]] = field(default_factory=list)  # microdata
    linked_data: list[str] = field(default_factory=list)  # types of JSON-LD objects, or what is wrong with them
    hidden: list[HiddenText] = field(default_factory=list)
    words: int = 0
    frequent: list[tuple[str, int]] = field(default_factory=list)
    longest_run: tuple[str, int] = ("", 0)  # the word that is repeated most often in a row
    missing_anchors: list[str] = field(default_factory=list)
    repeated_ids: list[str] = field(default_factory=list)


def audit(markup: str, url: str) -> Audit:
    """Everything about a page.

    >>> found = audit('<title>Hi</title><h2>There</h2><img src=a.png><p hidden>psst', "http://a/")
    >>> found.titles, found.headings, found.images[0].alt, found.hidden[0].text
    (['Hi'], [(2, 'There')], None, 'psst')
    """
    soup = parse(rules.prepare(markup, MAX_NESTING)[0])
    tags = soup.find_all(True)
    base = rules.base_url(url, [attributes(tag) for tag in tags if tag.name == "base"])
    found = Audit(url, bytes=len(markup.encode("utf-8", "replace")))
    found.doctype = next((str(node) for node in soup.contents if isinstance(node, Doctype)), "")
    found.titles = [_text(tag) for tag in tags if is_title(tag)]
    found.headings = [(int(tag.name[1]), _text(tag)) for tag in tags if re.fullmatch("h[1-6]", tag.name)]
    found.links = [_link(tag, base, url) for tag in tags if tag.name in ("a", "area") and tag.has_attr("href")]
    found.images = [_image(tag, base) for tag in tags if tag.name == "img"]
    found.items = [_item(tag) for tag in tags if tag.has_attr("itemscope") and not tag.has_attr("itemprop")]
    found.linked_data = [kind for tag in tags for kind in _linked_data(tag)]
    found.hidden = list(_hidden(tags))
    _read_head(found, tags, base)
    _check_ids(found, tags)
    remove([tag for tag in tags if _is_skipped(tag)])
    _count_words(found, collapse(text(soup.body, [])) if soup.body else "")
    return found


def _attribute(tag: Tag, name: str) -> str:
    """An attribute on one line; empty if there is none."""
    return " ".join(str(tag.get(name) or "").split())


def _text(tag: Tag) -> str:
    """The text in an element on one line, with the alt texts of its images."""
    return collapse(text(tag, [], images=True))


def _absolute(href: str, base: str) -> str:
    """A URL in full; empty if it is not an http URL."""
    return join(href, base) if href.strip() else ""


def _read_head(found: Audit, tags: list[Tag], base: str) -> None:
    for tag in tags:
        if tag.name == "html":
            found.language = _attribute(tag, "lang") or _attribute(tag, "xml:lang")
        elif tag.name == "link":
            rel, href = _attribute(tag, "rel").lower().split(), str(tag.get("href") or "")
            if "canonical" in rel:
                canonicals = found.misplaced if tag.find_parent("body") else found.canonicals
                canonicals.append(_absolute(href, base) or href)
            if "alternate" in rel and tag.get("hreflang"):
                found.alternates[str(tag["hreflang"])] = _absolute(href, base)
        elif tag.name == "meta":
            name = (_attribute(tag, "name") or _attribute(tag, "property")).lower()
            content = _attribute(tag, "content")
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


def _link(tag: Tag, base: str, page_url: str) -> LinkSeen:
    href = str(tag["href"]).strip()
    url = "" if href.startswith("#") else _absolute(href, base)
    names = ("alt", "title", "aria-label") if tag.name == "area" else ("title", "aria-label")
    shown = _text(tag) or next(filter(None, (_attribute(tag, name) for name in names)), "")
    return LinkSeen(href, url, shown, _attribute(tag, "rel"), bool(url) and host(url) == host(page_url))


def _image(tag: Tag, base: str) -> ImageSeen:
    src = str(tag.get("src") or "").strip()
    inline = len(src) * 3 // 4 if src[:5].lower() == "data:" else 0
    url, shown = ("", src[:60] + "…") if inline else (_absolute(src, base), src)
    alt = str(tag["alt"]) if tag.has_attr("alt") else None
    return ImageSeen(shown, url, alt, _attribute(tag, "width"), _attribute(tag, "height"), inline)


def _item(tag: Tag, depth: int = 0) -> dict[str, Any]:
    """An item of microdata: its type, and its properties with all their values."""
    properties: dict[str, list[Any]] = {}
    stack = [child for child in reversed(tag.contents) if isinstance(child, Tag)]
    while stack:
        child = stack.pop()
        is_item = child.has_attr("itemscope")
        for name in _attribute(child, "itemprop").split():
            value = _item(child, depth + 1) if is_item and depth < MAX_ITEM_DEPTH else _value(child)
            properties.setdefault(name, []).append(value)
        if not is_item:
            stack += [inner for inner in reversed(child.contents) if isinstance(inner, Tag)]
    return {"type": str(tag.get("itemtype") or ""), "properties": properties}


def _value(tag: Tag) -> str:
    return next((str(tag[name]) for name in VALUE_ATTRIBUTES if tag.has_attr(name)), None) or _text(tag)


def _linked_data(tag: Tag) -> Iterator[str]:
    """The types of the JSON-LD objects in an element."""
    if tag.name != "script" or _attribute(tag, "type").lower() != "application/ld+json":
        return
    try:
        data = json.loads("".join(str(node) for node in tag.contents))
    except (ValueError, RecursionError):
        yield "broken: not JSON"
        return
    for value in data if isinstance(data, list) else [data]:
        graph = value.get("@graph") if isinstance(value, dict) else None
        for part in graph if isinstance(graph, list) else [value]:
            yield str(part.get("@type", "no type")) if isinstance(part, dict) else "broken: not an object"


def _check_ids(found: Audit, tags: list[Tag]) -> None:
    ids = Counter(str(tag["id"]) for tag in tags if tag.has_attr("id"))
    found.repeated_ids = [name for name, count in ids.items() if count > 1]
    anchors = {*ids, "", "top", *(str(tag["name"]) for tag in tags if tag.name == "a" and tag.has_attr("name"))}
    hrefs = {link.href for link in found.links if link.href.startswith("#")}
    found.missing_anchors = sorted(href for href in hrefs if not {href[1:], unquote(href[1:])} & anchors)


def _is_skipped(tag: Tag) -> bool:
    """Whether the text of an element is not part of the page: scripts, styles ..."""
    return rules.KINDS.get(tag.name) in ("skipped", "title")


def _how_hidden(tag: Tag) -> str:
    """How the attributes of an element hide it; empty if they do not."""
    if tag.name in ("html", "body") or _is_skipped(tag):  # scripts that hide the whole page show it again
        return ""
    if tag.has_attr("hidden"):
        return "hidden"
    style = "".join(str(tag.get("style") or "").lower().split())
    for how, pattern in HIDING_STYLES.items():
        if re.search(f"(?:^|;){pattern}", style):
            return how
    colours = {name.partition("-")[0]: value for name, value in COLOURS.findall(style)}
    same = "color" in colours and colours["color"] == colours.get("background")
    return "text in the colour of its background" if same else ""


def excerpt(text: str) -> str:
    """The beginning of a text."""
    return text if len(text) <= EXCERPT else text[: EXCERPT - 1] + "…"


def _hidden(tags: list[Tag]) -> Iterator[HiddenText]:
    inside: set[int] = set()  # elements in hidden ones
    for tag in tags:
        if id(tag) not in inside and (how := _how_hidden(tag)):
            inside.update(id(each) for each in tag.find_all(True))
            if words := _text(tag):
                yield HiddenText(how, len(words.split()), excerpt(words))


def _count_words(found: Audit, shown: str) -> None:
    """Count the words of the page, the frequent ones, and those repeated in a row."""
    words = WORD.findall(shown.lower())
    found.words = len(words)
    found.frequent = Counter(word for word in words if len(word) > SHORT_WORD).most_common(10)
    runs = [(word, len(list(run))) for word, run in groupby(words) if len(word) > 1]
    found.longest_run = max(runs, key=lambda run: run[1], default=("", 0))
