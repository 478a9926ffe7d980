"""Markup: what counts in an HTML page, and how. The rules that the two extractors share.

An extractor walks its tree and reports what it has seen: the attributes that matter, and the text of the page with
marks in it where a line, a heading or preformatted text begins or ends. `page` makes the record out of that.

The two extractors: minisearch/crawl/extract.py (fast), minisearch/crawl/soup.py (to be read)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from minisearch.crawl.definitions import is_surely_named as is_surely_named
from minisearch.crawl.definitions import level as level
from minisearch.crawl.definitions import name
from minisearch.crawl.joining import Joiner
from minisearch.crawl.language import declared
from minisearch.crawl.lines import AROUND as AROUND
from minisearch.crawl.lines import MARK_CHARACTERS, assemble
from minisearch.crawl.lines import collapse as collapse
from minisearch.crawl.lines import marks as marks
from minisearch.crawl.refresh import sends_to
from minisearch.crawl.relations import related
from minisearch.crawl.urls import normalize
from minisearch.crawl.wishes import in_meta, says_nofollow, why_unindexed
from minisearch.errors import BadUrl
from minisearch.records import DEFINITION, Heading, Link, Page

Attributes = Mapping[str, str | None]

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
NOFOLLOW = frozenset(["nofollow", "sponsored", "ugc"])

SURROGATES = re.compile("[\ud800-\udfff]")

ANCHOR_LENGTH = 200
LINK_LENGTH = 2000  # how much of a link's text is looked at, lest thousands of nested links each hold a whole page
TITLE_LENGTH = 80
LONGEST_TITLE, LONGEST_DESCRIPTION = 500, 2000  # what is longer is no title, and would be shown with every hit
MOST_LETTERS = 30_000_000  # of the bases that links lean on: a long <base> before many links would fill the memory
MOST_LINKS = 100_000  # of one page that are read: each takes a kilobyte for a while
ODD_LINKS = 20  # of one page that are remembered
ODD_LENGTH = 200  # and how much of each


@dataclass(slots=True)
class Seen:
    """What an extractor has seen of a page."""

    html: Attributes
    title: str
    refresh: str  # what the first <meta http-equiv="refresh"> says that browsers obey
    bases: list[Attributes]
    metas: list[Attributes]
    relations: list[Attributes]  # of <link> that count
    links: list[tuple[str, Attributes, str]]  # tag, attributes and text of <a>, <area> and <frame>, but MOST_LINKS
    beyond: set[str | None]  # where the others lead, as written
    headings: list[tuple[int, str]]  # level and anchor, by number
    marked: str
    unread: int  # letters of markup past the elements that are read


def page(url: str, seen: Seen) -> Page:
    """The record of a page."""
    join = Joiner(base(url, seen.bases))
    text, lines = assemble(seen.marked)
    headings = tuple(headed(seen.headings, lines))
    wishes = [wish for meta in seen.metas if (wish := in_meta(meta))]
    nofollow = any(says_nofollow(said) for said, _ in wishes)
    spoken, evidence = language(seen)
    odd: dict[str, None] = {}
    most = MOST_LETTERS // len(join.base or "/")
    return Page(
        url=url,
        title=shorten(collapse(seen.title) or next((h.text for h in headings if h.level == 1), ""), LONGEST_TITLE),
        description=shorten(collapse(named(seen.metas, "name", "description")), LONGEST_DESCRIPTION),
        headings=headings,
        text=text,
        links=related(
            read_links(seen.links[:most], join, nofollow, odd), seen.relations, seen.refresh, join, nofollow=nofollow
        ),
        untaken=max(0, len(seen.links) - most) + beyond(seen),
        unread=seen.unread,
        odd_links=tuple(odd),
        language=spoken,
        language_evidence=evidence,
        canonical=canonical(seen.relations, join),
        noindex=next(filter(None, (why_unindexed(*wish) for wish in wishes)), ""),
        nofollow=nofollow,
        refresh=sends_to(seen.refresh, join),
    )


def beyond(seen: Seen) -> int:
    """How many urls a page leads to only by links beyond those that are read."""
    return len(seen.beyond.difference(link[1].get("href") for link in seen.links)) if seen.beyond else 0


def headed(seen: list[tuple[int, str]], lines: list[tuple[int, str, int]]) -> Iterable[Heading]:
    """The headings as they are written, and the terms that are defined by their names."""
    for number, line, start in lines:
        level, anchor = seen[number]
        if text := name(line, anchor) if level == DEFINITION else line:
            yield Heading(level, text, start, anchor)


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


def shorten(text: str, length: int) -> str:
    """The text cut at the end of a word.

    >>> shorten("one two three", 9)
    'one two'
    """
    if len(text) <= length:
        return text
    end = text.rfind(" ", 0, length + 1)
    return text[:length] if end < 0 else text[:end]


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
    found = next((candidate for candidate in candidates if candidate and candidate not in taken), "")
    taken.add(found)
    return found


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


def language(seen: Seen) -> tuple[str, str]:
    """The language a page says it is in, such as "sr-cyrl", and where it says so."""
    for stated in (seen.html.get("lang"), seen.html.get("xml:lang")):
        if stated and (found := declared(stated)):
            return found, "html lang"
    found = declared(named(seen.metas, "http-equiv", "content-language"))
    return (found, "meta tag") if found else ("", "")


def is_told(relation: Attributes, above: Iterable[str]) -> bool:
    """Does a <link> count? Not one that names a canonical address in the body, where a guest may have written it.

    (The HTML standard allows it in the head alone.)
    """
    return "canonical" not in (relation.get("rel") or "").lower() or "body" not in above


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


def read_links(
    found: list[tuple[str, Attributes, str]], join: Joiner, nofollow: bool, odd: dict[str, None]
) -> list[Link]:
    """The links of a page: most are plain, lead where others led before, and take no more than a few lookups."""
    links = []
    known, new = join.known.get, tuple.__new__  # which is called ten thousand times a second
    for tag, attributes, text in found:
        href = attributes.get("href")
        if (
            href
            and tag == "a"
            and "rel" not in attributes
            and len(text) <= ANCHOR_LENGTH
            and (url := known(href.partition("#")[0]))
            and text.isprintable()
            and (anchor := text.strip())
        ):
            links.append(new(Link, (url, " ".join(anchor.split()) if "  " in anchor else anchor, nofollow)))
        elif link := read_link(tag, attributes, text, join, nofollow, odd):
            links.append(link)
    return links


def read_link(
    tag: str, attributes: Attributes, text: str, join: Joiner, nofollow: bool, odd: dict[str, None]
) -> Link | None:
    """The link of an <a>, <area> or <frame>; none if it leads nowhere, which is noted in `odd`, or about the page."""
    href = attributes.get("href" if tag != "frame" else "src")
    if not href or href.lstrip()[:1] in ("", "#"):
        return None
    try:
        url = join(href)
    except BadUrl:
        if len(odd) < ODD_LINKS:
            odd[collapse(href[:ODD_LENGTH])] = None
        return None
    anchor = collapse(text if len(text) <= LINK_LENGTH else text[:LINK_LENGTH]) or other_wording(tag, attributes)
    if len(anchor) > ANCHOR_LENGTH:
        anchor = shorten(anchor, ANCHOR_LENGTH)
    rel = attributes.get("rel")
    return Link(url, anchor, nofollow or bool(rel and not NOFOLLOW.isdisjoint(rel.lower().split())))


def other_wording(tag: str, attributes: Attributes) -> str:
    """What a link without text says of itself."""
    names = ["alt"] * (tag == "area") + ["title"] + ["name"] * (tag == "frame") + ["aria-label"]
    return next((wording for name in names if (wording := collapse(attributes.get(name) or ""))), "")
