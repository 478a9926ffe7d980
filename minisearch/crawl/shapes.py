"""Shapes: what urls have in common that differ in numbers and ids only.

A calendar has as many urls as there are days, and one shape.
"""

from __future__ import annotations

import re
from functools import lru_cache

MONTHS = "january february march april may june july august september october november december"
SIGNS = {"id": "*", "number": "#", "month": "@"}
VARIABLE = re.compile(
    r"%[0-9A-F]{2}|"  # as they are
    r"(?P<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"  # a UUID
    r"|(?=[a-z]*[0-9])(?=[0-9]*[a-z])[0-9a-z]{8,})"  # letters and digits mixed
    r"|(?P<number>[0-9]+)"
    rf"|(?<![a-z0-9])(?P<month>{'|'.join(f'{month}|{month[:3]}' for month in MONTHS.split())})(?![a-z0-9])",
    re.IGNORECASE,
)

LARGE = re.compile("[0-9]{6}")  # a number that counts nothing


@lru_cache(maxsize=1000)  # it is asked for thrice while a page is under way
def shape(url: str) -> str:
    """The url with its numbers and ids taken out; of a query only the names remain, in order.

    >>> shape("http://example.com/calendar/2024/may/?day=3&sid=9f3c2a7b")
    'http://example.com/calendar/#/@/?day&sid'
    >>> shape("http://example.com/s/5d41402abc4b2a76b9719d911017c592/cart7.html")
    'http://example.com/s/*/cart#.html'
    """
    path, mark, query = url.partition("?")
    scheme, _, host, *segments = path.split("/")
    names = sorted({_blank(pair.partition("=")[0]) for pair in query.split("&")}) if mark else []
    return "/".join([scheme, "", host, *map(_blank, segments)]) + mark + "&".join(names)


@lru_cache(maxsize=10_000)
def _blank(segment: str) -> str:
    return VARIABLE.sub(lambda found: SIGNS.get(found.lastgroup or "", found[0]), segment)


def is_ordinary(url: str) -> bool:
    """Whether a url stands for itself and not for many of its shape.

    >>> is_ordinary("http://example.com/list/"), is_ordinary("http://example.com/?page=2")
    (True, False)
    """
    return "?" not in url and shape(url) == url


def has_id(url: str) -> bool:
    """Whether a url has something in it that may be the id of a visit, and not just names and small numbers.

    >>> [has_id(f"http://example.com/{path}") for path in ("album/3?page=12", "album/3?sid=9f3c2a7b1", "s/482913/a")]
    [False, True, True]
    """
    return any(SIGNS["id"] in _blank(part) or LARGE.search(part) for part in re.split("[/?&=]", url)[3:])


def kind(url: str) -> str:
    """The shape of a url, whatever it asks for.

    >>> kind("http://example.com/goods/7?colour=red")
    'http://example.com/goods/#'
    """
    return shape(url).partition("?")[0]


def crowd(shaped: str) -> str:
    """The larger shape to which a shape with a query belongs, whatever it asks for; nothing for other shapes.

    >>> crowd("http://example.com/goods?colour&size"), crowd("http://example.com/goods")
    ('http://example.com/goods?', '')
    """
    path, mark, _ = shaped.partition("?")
    return path + mark if mark else ""
