"""Precedents: verdicts on urls that were given before, which spare judging most links of most pages once more.

The verdict on a url is kept. Where it was let in, so is what lies beside it in the same folder, unless something speaks
against that alone: of a crawl with more urls than can be kept, that tells of most.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import compress
from operator import itemgetter, not_
from typing import TypeAlias

from minisearch.crawl.scope import Rules
from minisearch.records import Found, Link

MOST_VERDICTS = 50_000  # that are kept
MOST_FOLDERS = 20_000

URL, NOFOLLOW = itemgetter(0), itemgetter(2)  # of a link

Verdicts: TypeAlias = dict[str, Found]
Folders: TypeAlias = dict[str, tuple[str, frozenset[str]]]  # of each its host, and how no url there may be named
Told: TypeAlias = tuple[list[Found | str], list[tuple[int, bool]]]


class Precedents:
    """What was decided under some rules.

    >>> precedents = Precedents(Rules(("http://a.example/",)))
    >>> precedents.keep(Found("http://a.example/b/c", "a.example", 1), follow=True)
    >>> precedents.of_links((Link("http://a.example/b/d"), Link("http://a.example/b/b")), 2)[0]
    [Found(url='http://a.example/b/d', host='a.example', depth=2, hops=0, rule='', reason=''), 'http://a.example/b/b']
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._verdicts: defaultdict[tuple[int, bool], Verdicts] = defaultdict(dict)  # by depth, and whether to follow
        self._count = 0
        self._folders: Folders = {}

    def of(self, url: str, depth: int, *, follow: bool) -> Found | None:
        """The verdict on a url at some depth that may be followed or not, if it was given before."""
        return self._verdicts[depth, follow].get(url)

    def of_links(self, links: tuple[Link, ...], depth: int, also: str = "") -> Told:
        """What is known of each url that links lead to, and of one more: see `known_verdicts`."""
        followed, shunned = self._verdicts[depth, True], self._verdicts[depth, False]
        before = len(followed)
        folders = self._folders if depth <= self._rules.max_depth else {}
        room, longest, like = MOST_VERDICTS - self._count, self._rules.limits.url_length, Found("", "", depth)
        told = known_verdicts(links, followed, shunned, also, folders, longest, room, like)
        self._count += len(followed) - before
        return told

    def keep(self, found: Found, *, follow: bool) -> None:
        """This was decided."""
        if self._count >= MOST_VERDICTS:
            self._verdicts.clear()
            self._count = 0
        self._verdicts[found.depth, follow][found.url] = found
        self._count += 1
        names = None if found.rule else self._rules.beside(found.url)
        if names is not None and len(self._folders) < MOST_FOLDERS:
            self._folders[found.url.rpartition("/")[0]] = found.host, names


def known_verdicts(
    links: tuple[Link, ...],
    followed: Verdicts,
    shunned: Verdicts,
    also: str,
    folders: Folders,
    longest: int,
    room: int,
    like: Found,
) -> Told:
    """What is known of each url that links lead to, and of one more, or the url itself; and in which places nothing is,
    each with whether it may be followed. It is known of those that may be, and of those that may not.

    Known is also what may be followed, is no longer than `longest` and lies in one of some folders: that is like
    `like`, and of so many as there is room for it is `followed` from then on.

    >>> links = Link("a"), Link("b", nofollow=True), Link("a")
    >>> known_verdicts(links, {"a": Found("a", "", 1)}, {}, "", {}, 9, 0, Found("", "", 1))
    ([Found(url='a', host='', depth=1, hops=0, rule='', reason=''), 'b'], [(1, False)])
    """
    urls = [*map(URL, links), *filter(None, [also])]
    may_be = {*compress(urls, map(not_, map(NOFOLLOW, links))), *filter(None, [also])}
    met = [(url, url in may_be) for url in dict.fromkeys(urls)]
    found: list[Found | str] = [(followed if follow else shunned).get(url, url) for url, follow in met]
    for place, (url, follow) in enumerate(met):
        host = _host_if_let_in(url, folders, longest) if follow and isinstance(found[place], str) else ""
        if host:
            found[place] = verdict = like._replace(url=url, host=host)
            if room > 0:
                followed[url] = verdict
                room -= 1
    return found, [(place, follow) for place, (_, follow) in enumerate(met) if isinstance(found[place], str)]


def _host_if_let_in(url: str, folders: Folders, longest: int) -> str:
    """The host of a url that lies in one of some folders, if nothing speaks against it alone."""
    front, _, name = url.rpartition("/")
    if front not in folders or len(url) > longest or "?" in name:
        return ""
    host, names = folders[front]
    return "" if name in names else host
