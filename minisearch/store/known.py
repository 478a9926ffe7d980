"""What is kept in memory of the urls met, so that a link to one of them need not be looked up in the file."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from minisearch.models import Found

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


class KnownUrls(dict[str, Known]):
    """What is remembered of urls; of very many, those that were met last.

    >>> urls = KnownUrls(most=4)
    >>> for number, url in enumerate("abcde"):
    ...     urls.keep(url, Known(number, 0, False, 0, ""))
    >>> sorted(urls)
    ['c', 'd', 'e']
    """

    def __init__(self, most: int = MOST) -> None:
        super().__init__()
        self._most = most

    def keep(self, url: str, known: Known) -> None:
        """Remember a url."""
        if len(self) >= self._most:
            latter = dict(islice(self.items(), self._most // 2, None))
            self.clear()
            self.update(latter)
        self[url] = known


def unsettled(found: tuple[Found, ...], known: dict[str, Known], teller: str) -> list[Found]:
    """Those of the urls found that are not known, or may change by being found on the page `teller`: of most pages
    hardly any.

    >>> known = {"a": Known(1, 2, False, 0, "b"), "c": Known(2, 2, True, 0, "b")}
    >>> [url.url for url in unsettled((Found("a", "", 2), Found("c", "", 3), Found("d", "", 2)), known, "b")]
    ['c', 'd']
    """
    return [url for url in found if _may_change(url, known.get(url.url), teller)]


def _may_change(found: Found, known: Known | None, teller: str) -> bool:
    if known is None:
        return True
    near = FAR if found.rule == "nofollow" else found.depth
    if known.is_open and (not found.rule or (known.depth == FAR and near < FAR)):
        return True
    if near < known.depth or found.hops < known.hops:
        return True
    return near == known.depth and found.hops <= known.hops and teller < known.teller
