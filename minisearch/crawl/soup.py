"""Soup: from a page's markup to its title, text, headings and links, with Beautiful Soup.

The readable sister of minisearch/crawl/extract.py, which gives the same records some fifty times faster. The rules
that both follow are in minisearch/crawl/markup.py; here is only how to get at what they need.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

from bs4 import BeautifulSoup
from bs4.element import PageElement, PreformattedString, Tag

from minisearch.crawl import markup as rules
from minisearch.records import Page


def extract(markup: str, url: str) -> Page:
    """The record of an HTML page.

    >>> extract("<title>Hello</title><p>See <a href=/b>this</a>!", "http://example.com/a").title
    'Hello'
    """
    soup = parse(rules.clean(markup).decode())
    tags = list(walk(soup))
    headings = of_kind("heading", tags)
    taken: set[str] = set()
    return rules.page(
        url,
        rules.Seen(
            html=next((tag.attrs for tag in tags if tag.name == "html"), {}),
            title=next((tag.get_text() for tag in tags if is_title(tag)), ""),
            bases=[tag.attrs for tag in of_kind("base", tags)],
            metas=[tag.attrs for tag in of_kind("meta", tags)],
            relations=[tag.attrs for tag in of_kind("relation", tags)],
            links=[(tag.name, tag.attrs, wording(tag, images=True)) for tag in of_kind("link", tags)],
            headings=[(int(tag.name[1]), rules.first_free(ids(tag), taken)) for tag in headings],
            marked="".join(marked(soup.body, headings)) if soup.body else "",
        ),
    )


def parse(markup: str) -> BeautifulSoup:
    """The tree that browsers would build."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Beautiful Soup wonders at markup that looks like a file name, or like XML
        return BeautifulSoup(markup, "html5lib", multi_valued_attributes=None)


def walk(top: Tag) -> Iterator[Tag]:
    """An element and all those inside it, in document order, but for the content of a <template>."""
    waiting = [top]
    while waiting:
        tag = waiting.pop()
        yield tag
        if tag.name != "template":
            waiting += [child for child in reversed(tag.contents) if isinstance(child, Tag)]


def kind(tag: Tag) -> str:
    """What an element is to us."""
    return rules.KINDS.get(tag.name, "")


def of_kind(wanted: str, tags: list[Tag]) -> list[Tag]:
    """The elements of one kind."""
    return [tag for tag in tags if kind(tag) == wanted]


def marked(top: Tag, headings: list[Tag], *, images: bool = False) -> Iterator[str]:
    """The text shown inside an element, with marks; on request with what images show."""
    numbers = {id(tag): number for number, tag in enumerate(headings)}
    waiting: list[PageElement | str] = [*reversed(top.contents)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Tag):
            if images and node.name == "img":
                yield f" {node.get('alt') or ''} "
            if is_shown(node):
                before, after = rules.marks(kind(node), numbers.get(id(node), 0))
                yield before
                waiting += [
                    after,
                    *reversed(node.contents),
                ]  # the closing mark comes after all that is inside
        elif isinstance(node, str) and not isinstance(node, PreformattedString):  # which is what comments are
            yield node


def is_shown(tag: Tag) -> bool:
    """Does a reader get to see this element?"""
    if kind(tag) in ("skipped", "title") or rules.is_hidden(tag.name, tag.attrs):
        return False
    is_permalink = tag.name == "a" and rules.is_local(tag.attrs) and rules.is_sign(wording(tag))
    return not is_permalink


def wording(link: Tag, *, images: bool = False) -> str:
    """What a link says."""
    return rules.collapse("".join(marked(link, [], images=images)))


def is_title(tag: Tag) -> bool:
    """Is this the title of the page, and not of a drawing or a formula in it?"""
    return tag.name == "title" and not tag.find_parent(rules.FOREIGN)


def ids(heading: Tag) -> Iterator[str | None]:
    """The ids that lead to a heading: its own, its section's, and those inside it."""
    yield heading.get("id")
    if heading.parent and heading.parent.name in rules.SECTIONS:
        yield heading.parent.get("id")
    for tag in walk(heading):
        yield tag.get("id") or (tag.get("name") if tag.name == "a" else None)
