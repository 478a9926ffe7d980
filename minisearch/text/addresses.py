"""Addresses: an identifier, or a few words, read as the way to a page. That of a.b.C is .../a/b/C.html, whatever its
title says; and so is that of "b C".
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from minisearch.text.scripts import fold

LONGEST = 200  # letters of an identifier
MOST_WORDS = 4  # that are the steps of a way; more are a sentence
_WAY = re.compile(r"\w[\w-]*(?:(?:(?:::|[./])\w[\w-]*)+|(?:\s+\w[\w-]*)+)(?=(?:\(\))?$)")
_STEP = re.compile(r"::|[./]+|\s+")
_BLANK = re.compile(r"\s")
_KIND = re.compile(r"(?:(?<=/)index)?\.(?:x?html?|php)$")  # of a file, and the page of a folder; nobody types them


def asked_way(line: str) -> tuple[str, ...]:
    """The steps of an identifier or of a few words that are all that stands in a line; none, if that has no steps or is
    something else.

    >>> asked_way("java.util.Map"), asked_way("std::vec::Vec"), asked_way("os/path"), asked_way("os.path.join()")
    (('java', 'util', 'map'), ('std', 'vec', 'vec'), ('os', 'path'), ('os', 'path', 'join'))
    >>> asked_way("util Map"), asked_way("roses"), asked_way("os.path module"), asked_way("...")
    (('util', 'map'), (), (), ())
    """
    way = _WAY.match(line.strip()[:LONGEST])
    steps = tuple(_STEP.split(fold(way[0]))) if way else ()
    return steps if way and (len(steps) <= MOST_WORDS or not _BLANK.search(way[0])) else ()


def leads_to(way: tuple[str, ...], url: str) -> bool:
    """Whether a url ends in these steps, all of them and in this order, but for the kind of file.

    >>> way = asked_way("util.Map")
    >>> [leads_to(way, f"http://h/{path}") for path in ("java/util/Map.html", "util/Map/", "util.Map", "util/Maps")]
    [True, True, True, False]
    >>> leads_to(way, "http://h/util/Map/index.html"), leads_to(asked_way("Map.html"), "http://h/Map.html")
    (True, True)
    """
    path = url[url.find("/", url.find("://") + 3) :]
    if "?" in path:
        return False
    path = path.lower() if path.isascii() and "%" not in path else fold(unquote(path, errors="replace"))
    steps = "/" + "/".join(way)
    return any(known.replace(".", "/").rstrip("/").endswith(steps) for known in (_KIND.sub("", path), path))
