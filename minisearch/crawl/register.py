"""Register: links by their numbers, for a site repeats most of its links from page to page.

Whoever sends pages and whoever takes them each keep a register. A page brings the links that are new to both, and the
numbers of all its links. When a register is full, both begin a new one.
"""

from __future__ import annotations

from array import array
from itertools import islice, repeat

from minisearch.records import Link

MOST = 16_384  # links that are registered, beside those of the page with which there are as many
LETTERS = 1_000_000  # and letters of their urls and of what they say

Written = tuple[list[str], bytes, list[str], bytes, list[str], bytes, bool]


class LinkWriter:
    """The register of a sender."""

    def __init__(self, most: int = MOST, letters: int = LETTERS) -> None:
        self._most, self._most_letters = most, letters
        self._begin()

    def _begin(self) -> None:
        self._links: dict[Link, int] = {}
        self._urls: dict[str, int] = {}
        self._letters = 0

    def write(self, links: tuple[Link, ...]) -> Written:
        """What is to be sent of the links of a page: urls that are new; of links that are new the numbers of their urls
        (uint32), what they say, whether each is not to be followed (a byte), fragments; the numbers of all links
        (uint32); and whether the register is full, and both begin a new one with the next page.

        >>> writer, link = LinkWriter(most=2), Link("a", "to a")
        >>> _ = writer.write((link, Link("b", "to b")))
        >>> urls, leads_to, anchors, nofollow, fragments, numbers, is_full = writer.write((link, Link("b", "or so")))
        >>> urls, array("I", leads_to), anchors, array("I", numbers), is_full
        ([], array('I', [1]), ['or so'], array('I', [0, 2]), True)
        """
        urls, leads_to, numbers = [], array("I"), array("I")
        first = len(self._links)
        for link in links:
            numbers.append(self._links.setdefault(link, len(self._links)))
        fresh = list(islice(self._links, first, None))
        for url, anchor, *_ in fresh:
            if url not in self._urls:
                self._urls[url] = len(self._urls)
                urls.append(url)
                self._letters += len(url)
            leads_to.append(self._urls[url])
            self._letters += len(anchor)
        is_full = len(self._links) > self._most or self._letters > self._most_letters
        if is_full:
            self._begin()
        anchors, nofollow = [link.anchor for link in fresh], bytes(link.nofollow for link in fresh)
        fragments = [link.fragment for link in fresh]
        return urls, leads_to.tobytes(), anchors, nofollow, fragments, numbers.tobytes(), is_full


class LinkReader:
    """The register of whoever takes all that one writer has written, in order."""

    def __init__(self) -> None:
        self._links: list[Link] = []
        self._urls: list[str] = []

    def read(self, written: Written) -> tuple[Link, ...]:
        """The links of a page; those that were there before are the same objects.

        >>> writer, reader = LinkWriter(), LinkReader()
        >>> links = Link("a", "to a"), Link("b", "to b")
        >>> read, again = reader.read(writer.write(links)), reader.read(writer.write(links[1:]))
        >>> read == links, again[0] is read[1]
        (True, True)
        """
        urls, leads_to, anchors, nofollow, fragments, numbers, is_full = written
        self._urls += urls
        targets = map(self._urls.__getitem__, array("I", leads_to))
        fresh = zip(targets, anchors, map(bool, nofollow), fragments, strict=True)
        self._links += map(tuple.__new__, repeat(Link), fresh)  # without the detour over Link(...)
        links = tuple(map(self._links.__getitem__, array("I", numbers)))
        if is_full:
            self._links, self._urls = [], []
        return links
