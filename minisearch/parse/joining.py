"""Joining: what the links of a page mean, as minisearch/urls.py says, only faster: most links are plain."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache

from minisearch.errors import BadUrl
from minisearch.tracking import untracked
from minisearch.urls import normalize, origin, split, trim

SEGMENT = r"[\w~!$&'()*+,;=@-][\w.~!$&'()*+,;=@-]*"
PLAIN = rf"(?:{SEGMENT}/)*(?:{SEGMENT})?(?:\?[\w.~!$&'()*+,;=:@/?-]+)?"  # is normal already
BELOW = re.compile(rf"((?:\.\./)*)((?!\?){PLAIN})", re.ASCII)
MOST_KNOWN = 10_000  # links of the pages of one folder
SHORT = 500  # letters of a link that is not plain, and is kept all the same
ROOTED = re.compile(rf"(https?://[\w.:-]+)?(/{PLAIN})", re.ASCII)


class Joiner:
    """Normalises the many links of one page: `Joiner(base)(href)` is `normalize(href, base)`, only faster.

    The pages of a folder share most of their links, so what a plain one means is kept for the next page, too.
    """

    def __init__(self, base: str) -> None:
        self.base = base
        self.odd: dict[str, str | BadUrl] = {}
        self.root = ""
        self.folders: tuple[str, ...] = ()
        with suppress(BadUrl):  # links that need no base are fine even so
            self.folders = folders(normal(base))
            self.root = self.folders[-1][:-1]
        self.known = known_in(self.folders[0] if self.folders else "")
        if len(self.known) > MOST_KNOWN:
            self.known.clear()

    def __call__(self, href: str) -> str:
        """The normal form of `href` as found on the base page."""
        href = href.partition("#")[0]
        return self.known.get(href) or self.read(href)

    def read(self, href: str) -> str:
        """What `href` means, kept for the next time."""
        if href not in self.odd:
            if plain := self.plain(href):
                self.known[href] = plain
                return plain
            try:
                self.odd[href] = found = normalize(href, self.base)
                if len(href) <= SHORT and split(trim(href))[1]:  # else it leans on the page itself
                    self.known[href] = found
            except BadUrl as error:
                self.odd[href] = BadUrl(*error.args)  # a fresh one, which holds no traceback
        meant = self.odd[href]
        if isinstance(meant, BadUrl):
            raise BadUrl(*meant.args)
        return meant

    def plain(self, href: str) -> str:
        """The answer to a plain link on folders and origins we know, else nothing."""
        if "?" in href and untracked(query := href.partition("?")[2]) != query:
            return ""
        if rooted := ROOTED.fullmatch(href):
            place = normal_origin(rooted[1]) if rooted[1] else self.root
            return place and place + rooted[2]
        below = BELOW.fullmatch(href)
        if not below or not href or not self.folders:
            return ""
        steps = len(below[1]) // len("../")
        return self.folders[min(steps, len(self.folders) - 1)] + below[2]


def normal(url: str) -> str:
    """The normal form of a whole url; most are in it but for the origin.

    >>> normal("HTTP://Example.com:80/a/../b"), normal("http://EXAMPLE.com/a/b.html")
    ('http://example.com/b', 'http://example.com/a/b.html')
    """
    rooted = ROOTED.fullmatch(url)
    place = normal_origin(rooted[1]) if rooted and rooted[1] and "?" not in url else ""
    return place + rooted[2] if rooted and place else normalize(url)


@lru_cache(maxsize=64)
def known_in(folder: str) -> dict[str, str]:  # noqa: ARG001 - a dictionary for each
    """What plain links mean on the pages of a folder."""
    return {}


@lru_cache(maxsize=4096)
def normal_origin(place: str) -> str:
    """The normal form of `http://host`; nothing if it has none."""
    try:
        return origin(normalize(place))
    except BadUrl:
        return ""


def folders(url: str) -> tuple[str, ...]:
    """The folder in which a page lies, and those above it.

    >>> folders("http://example.com/a/b/c.html")
    ('http://example.com/a/b/', 'http://example.com/a/', 'http://example.com/')
    """
    path = url.partition("?")[0]
    return folders_from(path[: path.rindex("/") + 1])


@lru_cache(maxsize=64)
def folders_from(folder: str) -> tuple[str, ...]:
    """A folder, and those above it."""
    found = [folder]
    while len(found[-1]) > len(origin(folder)) + 1:
        found.append(found[-1][: found[-1].rindex("/", 0, -1) + 1])
    return tuple(found)
