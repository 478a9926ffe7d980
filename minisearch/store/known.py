"""What is kept in memory of the urls met, so that a link to one of them need not be looked up in the file."""

from __future__ import annotations

from typing import NamedTuple

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
        self._lately: dict[str, Known] = {}
        self._before: dict[str, Known] = {}

    def get(self, url: str) -> Known | None:
        """What is remembered of a url, if anything is."""
        known = self._lately.get(url)
        if known is None:
            known = self._before.get(url)
            if known is not None:
                self.keep(url, known)
        return known

    def keep(self, url: str, known: Known) -> None:
        """Remember a url."""
        if len(self._lately) >= self._half:
            self._before, self._lately = self._lately, {}
        self._lately[url] = known

    def forget(self, url: str) -> None:
        """It has changed."""
        self._lately.pop(url, None)
        self._before.pop(url, None)

    def clear(self) -> None:
        """Nothing that was remembered can be trusted."""
        self._lately.clear()
        self._before.clear()
