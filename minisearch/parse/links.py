"""Anchors: where the links of a page lead, and in which words."""

from __future__ import annotations

from collections.abc import Mapping

from minisearch.errors import BadUrl
from minisearch.parse.joining import Joiner
from minisearch.parse.lines import collapse, shorten
from minisearch.records import Link

Attributes = Mapping[str, str | None]

NOFOLLOW = frozenset(["nofollow", "sponsored", "ugc"])
ANCHOR_LENGTH = 200
LINK_LENGTH = 2000  # how much of a link's text is looked at, lest thousands of nested links each hold a whole page
ODD_LINKS = 20  # of one page that are remembered
ODD_LENGTH = 200  # and how much of each


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
