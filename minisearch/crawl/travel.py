"""Travel: how a page gets from process to process: as columns, which are packed sooner than a record for every link."""

from __future__ import annotations

import copyreg
from dataclasses import fields
from itertools import repeat
from operator import attrgetter
from typing import Any

from minisearch.native.loops import compiled
from minisearch.records import Heading, Link
from minisearch.records import Page as Page

FACTS = tuple(each.name for each in fields(Page) if each.name not in ("headings", "links"))
facts = attrgetter(*FACTS)


def packed(page: Page) -> tuple[Any, ...]:
    """What pickle is to write down of a page."""
    return unpacked, (facts(page), columns(page.headings), columns(page.links))


def unpacked(facts: tuple[Any, ...], headings: tuple[Any, ...], links: tuple[Any, ...]) -> Page:
    """The same page again."""
    return Page(**dict(zip(FACTS, facts, strict=True)), headings=rows(Heading, headings), links=rows(Link, links))


def columns(rows: tuple[tuple[Any, ...], ...]) -> tuple[tuple[Any, ...], ...]:
    """Records as columns.

    >>> columns((Link("a", "to a"), Link("b", "to b", True)))
    (('a', 'b'), ('to a', 'to b'), (False, True))
    """
    return compiled.columns(rows) if compiled else tuple(zip(*rows, strict=True))


def rows(kind: type[Any], columns: tuple[Any, ...]) -> tuple[Any, ...]:
    """Columns as records again, without the detour over Link(...), for they come by the hundred.

    >>> rows(Link, (("a", "b"), ("to a", "to b"), (False, True)))[1]
    Link(url='b', anchor='to b', nofollow=True)
    """
    if compiled:
        return compiled.records(kind, columns)
    return tuple(map(tuple.__new__, repeat(kind), zip(*columns, strict=True)))


copyreg.pickle(Page, packed)
