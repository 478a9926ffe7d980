"""Markup: what counts in an HTML page, and how. The rules that the two extractors share.

An extractor walks its tree and reports what it has seen: the attributes that matter, and the text of the page with
marks in it where a line, a heading or preformatted text begins or ends. `page` makes the record out of that.

The two extractors: minisearch/parse/html.py (fast), minisearch/parse/soup.py (to be read)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from minisearch.errors import BadUrl
from minisearch.parse.definitions import is_surely_named as is_surely_named
from minisearch.parse.definitions import level as level
from minisearch.parse.definitions import name
from minisearch.parse.joining import Joiner
from minisearch.parse.language import declared
from minisearch.parse.lines import AROUND as AROUND
from minisearch.parse.lines import MARK_CHARACTERS, assemble
from minisearch.parse.lines import collapse as collapse
from minisearch.parse.lines import marks as marks
from minisearch.parse.lines import shorten as shorten
from minisearch.parse.links import read_links
from minisearch.parse.refresh import sends_to
from minisearch.parse.relations import related
from minisearch.parse.robots_meta import in_meta, says_nofollow, why_unindexed
from minisearch.records import DEFINITION, Heading, Link, Page
from minisearch.urls import normalize

Attributes = Mapping[str, str | None]
Wish = tuple[str, str]  # what is asked of robots, and where

TAGS = {
    "block": """address article aside blockquote caption center dd details dialog dir div dl fieldset figcaption
        figure footer form header hgroup legend li main menu nav ol p search section summary table tbody tfoot thead
        tr ul""",
    "break": "br hr",
    "cell": "button td text th",  # stand apart, though on one line; <text> is a label in a drawing
    "pre": "listing plaintext pre xmp",
    "heading": "h1 h2 h3 h4 h5 h6",
    "term": "dt",  # a heading if it has an id or is surely a name, else a block
    # never shown, or shown only where something else fails, or there for the reader to change
    "skipped": """annotation annotation-xml audio canvas datalist desc iframe metadata noembed noframes noscript
        object rp rt script select style template textarea video""",
    "title": "title",  # not shown either
    "link": "a area frame",
    "image": "img",
    "base": "base",
    "meta": "meta",
    "relation": "link",
}
KINDS = {tag: kind for kind, tags in TAGS.items() for tag in tags.split()}
SECTIONS = frozenset(["article", "div", "header", "section"])  # whose id serves the heading they begin with
FOREIGN = frozenset(["math", "svg"])  # whose <title> is not the page's
NEVER_HIDDEN = frozenset(["html", "body"])  # scripts that hide the whole page show it again
HIDING = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)

SURROGATES = re.compile("[\ud800-\udfff]")

TITLE_LENGTH = 80
LONGEST_TITLE, LONGEST_DESCRIPTION = 500, 2000  # what is longer is no title, and would be shown with every hit
MOST_LETTERS = 30_000_000  # of the bases that links lean on: a long <base> before many links would fill the memory
MOST_LINKS = 100_000  # of one page that are read: each takes a kilobyte for a while


@dataclass(slots=True)
class Told:
    """What a page tells beside its text and its links."""

    html: Attributes
    title: str
    refresh: str  # what the first <meta http-equiv="refresh"> says that browsers obey
    bases: list[Attributes]
    metas: list[Attributes]
    relations: list[Attributes]  # of <link> that count
    headings: list[tuple[int, str]]  # level and anchor, by number
    unread: int  # letters of markup past the elements that are read


@dataclass(slots=True)
class Seen(Told):
    """What an extractor has seen of a page."""

    links: list[tuple[str, Attributes, str]]  # tag, attributes and text of <a>, <area> and <frame>, but MOST_LINKS
    beyond: set[str | None]  # where the others lead, as written
    marked: str


def page(url: str, seen: Seen) -> Page:
    """The record of a page."""
    join, wishes, odd = Joiner(base(url, seen.bases)), wanted(seen), dict[str, None]()
    most = most_links(join)
    links = read_links(seen.links[:most], join, says_nofollow_to_all(wishes), odd)
    untaken = max(0, len(seen.links) - most) + beyond(seen)
    return record(url, seen, join, wishes, *assemble(seen.marked), links, odd, untaken)


def most_links(join: Joiner) -> int:
    """How many links of a page are read."""
    return MOST_LETTERS // len(join.base or "/")


def wanted(told: Told) -> list[Wish]:
    """What a page wants robots to do."""
    return [wish for meta in told.metas if (wish := in_meta(meta))]


def says_nofollow_to_all(wishes: list[Wish]) -> bool:
    """Whether none of the links of a page is to be followed."""
    return any(says_nofollow(said) for said, _ in wishes)


def record(
    url: str,
    told: Told,
    join: Joiner,
    wishes: list[Wish],
    text: str,
    lines: list[tuple[int, str, int]],
    links: Iterable[Link],
    odd: Iterable[str],
    untaken: int = 0,
) -> Page:
    """The record of a page whose text and links are known."""
    headings = tuple(headed(told.headings, lines))
    spoken, evidence = language(told)
    nofollow = says_nofollow_to_all(wishes)
    return Page(
        url=url,
        title=shorten(collapse(told.title) or next((h.text for h in headings if h.level == 1), ""), LONGEST_TITLE),
        description=shorten(collapse(named(told.metas, "name", "description")), LONGEST_DESCRIPTION),
        headings=headings,
        text=text,
        links=related(links, told.relations, told.refresh, join, nofollow=nofollow),
        untaken=untaken,
        unread=told.unread,
        odd_links=tuple(odd),
        language=spoken,
        language_evidence=evidence,
        canonical=canonical(told.relations, join),
        noindex=next(filter(None, (why_unindexed(*wish) for wish in wishes)), ""),
        nofollow=nofollow,
        refresh=sends_to(told.refresh, join) if told.refresh else "",
    )


def beyond(seen: Seen) -> int:
    """How many urls a page leads to only by links beyond those that are read."""
    return len(seen.beyond.difference(link[1].get("href") for link in seen.links)) if seen.beyond else 0


def headed(seen: list[tuple[int, str]], lines: list[tuple[int, str, int]]) -> Iterable[Heading]:
    """The headings as they are written, and the terms that are defined by their names."""
    new = tuple.__new__  # quicker than Heading(...), and some pages have hundreds
    for number, line, start in lines:
        level, anchor = seen[number]
        if text := name(line, anchor) if level == DEFINITION else line:
            yield new(Heading, (level, text, start, anchor))


def extract_text(text: str, url: str) -> Page:
    """The record of a plain text document.

    >>> extract_text("One  line\\n\\nand another", "http://example.com/").text
    'One line\\nand another'
    """
    lines = [line for raw in re.split("[\r\n\f]", clean(text).decode()) if (line := collapse(raw))]
    return Page(url=url, title=shorten(lines[0], TITLE_LENGTH) if lines else "", text="\n".join(lines))


def clean(markup: str, utf8: bytes = b"") -> bytes:
    """Markup in UTF-8, without our marks and without what no parser should have to deal with.

    Most pages come in `utf8` and need no cleaning: then that will do.
    """
    if markup.startswith("\ufeff") or any(mark in markup for mark in MARK_CHARACTERS):
        markup = markup.removeprefix("\ufeff").translate(dict.fromkeys(map(ord, MARK_CHARACTERS)))
        utf8 = b""
    try:
        encoded = utf8 or markup.encode()
    except UnicodeEncodeError:
        encoded = SURROGATES.sub("\ufffd", markup).encode()
    return encoded.replace(b"\0", b"")


def is_hidden(tag: str, attributes: Attributes) -> bool:
    """Is an element with these attributes kept from the reader?"""
    return ("hidden" in attributes or bool(HIDING.search(attributes.get("style") or ""))) and tag not in NEVER_HIDDEN


def is_local(href: str | None) -> bool:
    """Does a link only lead to another place on the same page?"""
    return href is not None and "#" in href and href.lstrip()[0] == "#"


def is_sign(text: str) -> bool:
    """Is this a mere sign? Such is a permalink, shown as ¶ or #, and left out of the text."""
    return not any(map(str.isalnum, text))


def first_free(candidates: Iterable[str | None], taken: set[str]) -> str:
    """The first id that no other heading has, which from now on is taken."""
    for candidate in candidates:
        if candidate and candidate not in taken:
            taken.add(candidate)
            return candidate
    return ""


def base(url: str, bases: list[Attributes]) -> str:
    """The address against which the links of a page are read."""
    href = next((attributes["href"] for attributes in bases if "href" in attributes), None)
    with suppress(BadUrl):
        return normalize(href, url) if href else url
    return url


def named(metas: list[Attributes], attribute: str, name: str) -> str:
    """The content of the first <meta> that goes by a name and has any."""
    for meta in metas:
        if (meta.get(attribute) or "").strip().lower() == name and (content := meta.get("content")):
            return content
    return ""


def language(told: Told) -> tuple[str, str]:
    """The language a page says it is in, such as "sr-cyrl", and where it says so."""
    for stated in (told.html.get("lang"), told.html.get("xml:lang")):
        if stated and (found := declared(stated)):
            return found, "html lang"
    found = declared(named(told.metas, "http-equiv", "content-language"))
    return (found, "meta tag") if found else ("", "")


def is_told(relation: Attributes, above: Iterable[str]) -> bool:
    """Does a <link> count? Not one that names a canonical address in the body, where a guest may have written it.

    (The HTML standard allows it in the head alone.)
    """
    return "body" not in above or "canonical" not in (relation.get("rel") or "").lower()


def canonical(relations: list[Attributes], join: Joiner) -> str:
    """The address a page would rather be known by; none if it names several."""
    told = set()
    for relation in relations:
        href = relation.get("href")
        if href and "canonical" in (relation.get("rel") or "").lower().split():
            try:
                told.add(join(href))
            except BadUrl:
                return ""
    return told.pop() if len(told) == 1 else ""
