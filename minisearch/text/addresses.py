"""Addresses: an identifier read as the way to a page. That of a.b.C is .../a/b/C.html, whatever its title says."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from minisearch.text.scripts import fold

LONGEST = 200  # letters of an identifier
_WAY = re.compile(r"\w[\w-]*(?:(?:::|[./])\w[\w-]*)+(?=(?:\(\))?$)")
_STEP = re.compile(r"::|[./]+")
_KIND = re.compile(r"(?:(?<=/)index)?\.(?:x?html?|php)$")  # of a file, and the page of a folder; nobody types them


def asked_way(line: str) -> tuple[str, ...]:
    """The steps of an identifier that is all that stands in a line; none, if that has no steps or is something else.

    >>> asked_way("java.util.Map"), asked_way("std::vec::Vec"), asked_way("os/path"), asked_way("os.path.join()")
    (('java', 'util', 'map'), ('std', 'vec', 'vec'), ('os', 'path'), ('os', 'path', 'join'))
    >>> asked_way("roses"), asked_way("os.path module"), asked_way("...")
    ((), (), ())
    """
    way = _WAY.match(line.strip()[:LONGEST])
    return tuple(_STEP.split(fold(way[0]))) if way else ()


def leads_to(way: tuple[str, ...], url: str) -> bool:
    """Whether a url ends in these steps, all of them and in this order, but for the kind of file.

    >>> way = asked_way("util.Map")
    >>> [leads_to(way, f"http://h/{path}") for path in ("java/util/Map.html", "util/Map/", "util.Map", "util/Maps")]
    [True, True, True, False]
    >>> leads_to(way, "http://h/util/Map/index.html"), leads_to(asked_way("Map.html"), "http://h/Map.html")
    (True, True)
    """
    parts = urlsplit(url)
    path = unquote(parts.path, errors="replace")
    for known in dict.fromkeys((_KIND.sub("", path), path)):
        steps = [step for step in _STEP.split(fold(known)) if step]
        if tuple(steps[-len(way) :]) == way:
            return not parts.query
    return False
