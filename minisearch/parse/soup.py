"""Soup: from a page's markup to its title, text, headings and links, with Beautiful Soup.

The readable sister of minisearch/parse/html.py, which gives the same records many times faster. The rules that
both follow are in minisearch/parse/page.py; here is only how to get at what the rules ask for.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

from bs4 import BeautifulSoup
from bs4.element import PageElement, PreformattedString, Tag

from minisearch.parse import page as rules
from minisearch.parse.links import LINK_LENGTH
from minisearch.parse.nesting import cut_short, flatten, in_long_tags
from minisearch.parse.refresh import is_refresh
from minisearch.records import Page

# html5lib does not know <template>, so we look for it ourselves: outside comments and scripts, inner ones first.
TEMPLATE = re.compile(
    r"""(<!--(?:-?>|.*?(?:--!?>|\Z))  |  <(?:[!?]|/(?![a-z]))[^>]*>
        |<(script|style|textarea|title|xmp)\b.*?(?:</\2\b|\Z))
        |<template\b[^>]*>(?:(?!<template\b).)*?</template\b[^>]*>""",
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
# html5lib puts names together letter by letter, and each letter takes as long as all that are there already. What has
# more than a thousand is no name, and goes on as if it ended there.
LONG_NAMES = (
    re.compile(r"""(</?[a-z][^\s<>"'=/]{1000})[^\s<>"'=/]+""", re.IGNORECASE),  # of elements
    re.compile(r"(<!doctype[^>]{1000})[^>]+", re.IGNORECASE),
    re.compile(r"(?<!-)(-{1000})-+"),  # any of which may end a comment
)
LONG_ATTRIBUTE = re.compile(  # beside what is quoted
    r"""("[^"]*"|'[^']*')|(?<![^\s<>"'=/])([^\s<>"'=/]{1000})[^\s<>"'=/]+"""
)
LONG_REFERENCE = re.compile(r"&#(?=[0-9]{99})0*([0-9]{,8})[0-9]*")  # no character has a number of more digits


def extract(markup: str | bytes, url: str) -> Page:
    """The record of an HTML page; its markup is text, or bytes that are known to be this text in UTF-8.

    >>> extract("<title>Hello</title><p>See <a href=/b>this</a>!", "http://example.com/a").links
    (Link(url='http://example.com/b', anchor='this', nofollow=False),)
    """
    markup = markup.decode() if isinstance(markup, bytes) else markup
    to_read = cut_short(markup)
    soup = parse(flatten(rules.clean(to_read).decode(), many=0))
    tags = list(walk(soup))
    title = next((text(tag, []) for tag in tags if is_title(tag)), "")
    taken: set[str] = set()
    named = [(tag, rules.first_free(ids(tag), taken)) for tag in of_kind("heading", tags) + of_kind("term", tags)]
    headed = [(tag, anchor) for tag, anchor in named if anchor or kind(tag) == "heading" or is_name(tag)]
    headings = [tag for tag, _ in headed]

    relations = [attributes(tag) for tag in of_kind("relation", tags) if rules.is_told(attributes(tag), above(tag))]
    cut([tag for tag in tags if is_hidden(tag)])
    cut([tag for tag in tags if is_permalink(tag)])
    links = [tag for tag in of_kind("link", tags) if tag.name != "a" or not rules.is_local(attributes(tag).get("href"))]
    return rules.page(
        url,
        rules.Seen(
            html=next((attributes(tag) for tag in tags if tag.name == "html"), {}),
            title=title,
            refresh=next((attributes(tag).get("content") or "" for tag in tags if obeyed_refresh(tag)), ""),
            bases=[attributes(tag) for tag in of_kind("base", tags)],
            metas=[attributes(tag) for tag in of_kind("meta", tags)],
            relations=relations,
            links=[
                (tag.name, attributes(tag), text(tag, headings, images=True)[:LINK_LENGTH])
                for tag in links[: rules.MOST_LINKS]
            ],
            beyond={attributes(tag).get("href") for tag in links[rules.MOST_LINKS :]} - {None, ""},
            headings=[(rules.level(tag.name), anchor) for tag, anchor in headed],
            marked=text(soup.body, headings) if soup.body else "",
            unread=len(markup) - len(to_read),
        ),
    )


def parse(markup: str) -> BeautifulSoup:
    """The tree that browsers would build, without templates."""
    while (without := TEMPLATE.sub(lambda found: found[1] or "<!---->", markup)) != markup:
        markup = without
    markup = LONG_REFERENCE.sub(r"&#0\1", markup)  # Python reads no numbers of thousands of digits
    for names in LONG_NAMES:
        markup = names.sub(r"\1", markup)
    markup = in_long_tags(markup, lambda tag: LONG_ATTRIBUTE.sub(r"\1\2", tag))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Beautiful Soup wonders at markup that looks like a file name, or XML
        return BeautifulSoup(markup, "html5lib", multi_valued_attributes=None)


def walk(top: Tag) -> Iterator[Tag]:
    """An element and those inside it, in document order; a <template> is empty to us."""
    waiting = [top]
    while waiting:
        tag = waiting.pop()
        yield tag
        if tag.name != "template":
            waiting += [child for child in reversed(tag.contents) if isinstance(child, Tag)]


def text(top: Tag, headings: list[Tag], *, images: bool = False) -> str:
    """The text inside an element, with marks; on request also what its images show."""
    numbers = {id(tag): number for number, tag in enumerate(headings)}
    pieces: list[str] = []
    waiting: list[PageElement | str] = [*reversed(top.contents)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Tag):
            what = "heading" if id(node) in numbers else kind(node)
            before, after = rules.marks(what, numbers.get(id(node), 0))
            shown = f" {attributes(node).get('alt', '')} " if images and node.name == "img" else ""
            pieces += before, shown
            waiting += [after, *reversed(node.contents)]  # so that the closing mark comes last
        elif isinstance(node, str) and not isinstance(node, PreformattedString):  # as comments are
            pieces.append(node)
    return "".join(pieces)


def cut(tags: list[Tag]) -> None:
    """Take elements out of the tree, each with all that it holds."""
    for tag in tags:
        tag.extract()


def kind(tag: Tag) -> str:
    """What an element is to us."""
    return rules.KINDS.get(tag.name, "")


def of_kind(wanted: str, tags: list[Tag]) -> list[Tag]:
    """The elements of one kind."""
    return [tag for tag in tags if kind(tag) == wanted]


def attributes(tag: Tag) -> rules.Attributes:
    """The attributes of an element."""
    return {name: str(value) for name, value in tag.attrs.items()}


def above(tag: Tag) -> Iterator[str]:
    """The tags in which an element stands, from the inside out."""
    return (parent.name for parent in tag.parents)


def is_title(tag: Tag) -> bool:
    """Is this the title of the page, and not of a drawing or a formula in it?"""
    return tag.name == "title" and not tag.find_parent(rules.FOREIGN)


def obeyed_refresh(tag: Tag) -> bool:
    """Does this send the reader on, and not only where scripts do not run?"""
    return tag.name == "meta" and is_refresh(attributes(tag)) and not tag.find_parent("noscript")


def is_hidden(tag: Tag) -> bool:
    """Is this kept from the reader?"""
    return kind(tag) in ("skipped", "title") or rules.is_hidden(tag.name, attributes(tag))


def is_permalink(tag: Tag) -> bool:
    """Is this the mark beside a heading, by which to get its address?"""
    is_local = tag.name == "a" and rules.is_local(attributes(tag).get("href"))
    return is_local and rules.is_sign(rules.collapse(text(tag, [])))


def ids(heading: Tag) -> Iterator[str | None]:
    """The ids that lead to a heading: its own, its section's, and the first inside it."""
    yield attributes(heading).get("id")
    if heading.parent and heading.parent.name in rules.SECTIONS:
        yield attributes(heading.parent).get("id")
    inside = (tag for tag in walk(heading) if tag is not heading)
    yield next(filter(None, map(own_id, inside)), None)


def is_name(term: Tag) -> bool:
    """Is a term that has no id a name? Not if it leads elsewhere, as in an index, or is a part of another."""
    if term.find_parent(["dd", "dt"]) or term.find("a", href=True):
        return False
    told = (node for node in term.descendants if isinstance(node, str) and not isinstance(node, PreformattedString))
    return rules.is_surely_named("".join(told))


def own_id(tag: Tag) -> str | None:
    """The id of an element, which an <a> may call its name."""
    return attributes(tag).get("id") or (attributes(tag).get("name") if tag.name == "a" else None)
