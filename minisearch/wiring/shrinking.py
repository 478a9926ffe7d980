"""How much of each site a crawl that is run again would lose.

A site that has lost a good part of its pages at one go is more likely to be out of order, or to have taken us for
somebody it does not like. So it keeps what it had until a person says otherwise, and the other sites go on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping

from minisearch.records import Page, Queued, Redirect, Visit

MOST_LOST = 1 / 3  # share of its pages that a site, or all of them, may lose at one go without being asked
LEAST = 10  # pages of a site that is looked at on its own; few are soon a third


class Shrinking:
    """Counts the pages that would leave the results, and those that are new, site by site."""

    def __init__(self, pages: Mapping[str, int]) -> None:
        self._pages = pages  # of each site, before
        self._visited: Counter[str] = Counter()
        self._lost: Counter[str] = Counter()
        self._new: dict[str, str] = {}  # url -> its site
        self._sent_to: dict[str, str] = {}  # where redirects led -> the site of the first of them

    def visit(self, visit: Visit, *, known: bool) -> None:
        """A url has been visited; a `known` one had a page until now."""
        queued, outcome = visit.queued, visit.outcome
        if known:
            self._visited[queued.host] += 1
        elif isinstance(outcome, Page):
            self._new[queued.url] = queued.host
        if isinstance(outcome, Redirect):
            self._sent_to.setdefault(outcome.target, self._sent_to.get(queued.url, queued.host))

    def lose(self, queued: Queued) -> None:
        """A page would leave the results."""
        self._lost[queued.host] += 1

    def new(self, sites: Container[str]) -> int:
        """How many pages of these sites are new."""
        return sum(site in sites for site in self._new.values())

    def sites(self) -> set[str]:
        """Those that would lose too much: they alone, or all of them, if it is too much in sum all the same."""
        return self._shrinking(self._pages)

    def in_doubt(self) -> bool:
        """Whether there would be any, if it went on like this."""
        return bool(self._shrinking(self._visited))

    def _shrinking(self, pages: Mapping[str, int]) -> set[str]:
        gained = Counter(self._sent_to.get(url, site) for url, site in self._new.items())  # moved, and not lost
        lost = {site: self._lost[site] - gained[site] for site in {*self._lost, *gained}}
        large = (site for site in lost if pages.get(site, 0) >= LEAST)
        refused = {site for site in large if lost[site] > MOST_LOST * pages[site]}
        left = sum(count for site, count in lost.items() if site not in refused)
        return {*pages, *lost, *self._new.values()} if left > MOST_LOST * sum(pages.values()) else refused
