"""What is kept in memory of the urls met, so that a link to one of them need not be looked up in the file."""

from __future__ import annotations

from typing import NamedTuple

from minisearch.native.loops import compiled
from minisearch.records import Found

ELSEWHERE = -1  # the depth of what another crawl has met: it says nothing about this one
FAR = 1 << 30  # the depth of what only nofollow links lead to: they are no way to go
MOST = 1_200_000  # urls remembered; they take some 300 MB


class Known(NamedTuple):
    """What is remembered of a url. Of those that lead to it from equally near, the first by name is its teller."""

    id: int
    depth: int
    is_open: bool  # may still be let in
    hops: int
    teller: str  # the url on which it was found


class KnownUrls:
    """What is remembered of urls; of very many, those that were met of late.

    >>> urls = KnownUrls(most=4)
    >>> for number, url in enumerate("abcde"):
    ...     urls.keep(url, Known(number, 0, False, 0, ""))
    >>> urls.get("a") is None, urls.get("c").id, urls.get("e").id
    (True, 2, 4)
    """

    def __init__(self, most: int = MOST) -> None:
        self._half = most // 2
        self.lately: dict[str, Known] = {}
        self._before: dict[str, Known] = {}

    def get(self, url: str) -> Known | None:
        """What is remembered of a url, if anything is."""
        known = self.lately.get(url)
        if known is None:
            known = self._before.get(url)
            if known is not None:
                self.keep(url, known)
        return known

    def keep(self, url: str, known: Known) -> None:
        """Remember a url."""
        if len(self.lately) >= self._half:
            self._before, self.lately = self.lately, {}
        self.lately[url] = known

    def unsettled(self, found: tuple[Found, ...], teller: str) -> list[Found]:
        """Those of the urls found that are not known, or may change by being found on the page `teller`."""
        return unsettled(found, self.lately, self._before, teller)

    def forget(self, url: str) -> None:
        """It has changed."""
        self.lately.pop(url, None)
        self._before.pop(url, None)

    def clear(self) -> None:
        """Nothing that was remembered can be trusted."""
        self.lately.clear()
        self._before.clear()


def unsettled(found: tuple[Found, ...], lately: dict[str, Known], before: dict[str, Known], teller: str) -> list[Found]:
    """Those of the urls found that are not known, or may change by being found on the page `teller`: of most pages
    hardly any. What is known of them from before is known from `lately`, too, afterwards.

    >>> lately, before = {"a": Known(1, 2, False, 0, "b")}, {"c": Known(2, 2, True, 0, "b")}
    >>> [url.url for url in unsettled((Found("a", "", 2), Found("c", "", 3), Found("d", "", 2)), lately, before, "b")]
    ['c', 'd']
    >>> sorted(lately)
    ['a', 'c']
    """
    if compiled:
        return compiled.unsettled(found, lately, before, teller, "nofollow", FAR)
    lately.update((url.url, before[url.url]) for url in found if url.url not in lately and url.url in before)
    return [url for url in found if _may_change(url, lately.get(url.url), teller)]


def _may_change(found: Found, known: Known | None, teller: str) -> bool:
    if known is None:
        return True
    near = FAR if found.rule == "nofollow" else found.depth
    if known.is_open and (not found.rule or (known.depth == FAR and near < FAR)):
        return True
    if near < known.depth or found.hops < known.hops:
        return True
    return near == known.depth and found.hops <= known.hops and teller < known.teller
