"""Crawl policy: whether a URL is fetched, decided when it is discovered and once more when it is due.

The scope of a crawl does not change (scope.py). What is known of crawler traps does (traps.py): until a URL is due, its
pattern may have been blocked, or a quota used up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from minisearch.crawl.scope import Rules, means
from minisearch.crawl.traps import Traps
from minisearch.limits import Limits
from minisearch.models import Found, Outcome, Page, Queued, Redirect, Skipped
from minisearch.urls import host, unfollowable

MOST_ODD = 1000  # links of a crawl with an unsupported scheme that get a verdict
SCOPE_CACHE = 50_000  # scope checks that are remembered: most links of most pages were seen before


class Policy:
    """Decides on the URLs of a crawl, and learns from its pages.

    `path` gives the URLs through which the one with some id was reached, from its seed to its referrer.
    """

    def __init__(
        self,
        rules: Rules,
        limits: Limits,
        *,
        traps: Traps | None = None,
        path: Callable[[int], Sequence[str]] = lambda _: (),
    ) -> None:
        self._limits, self._path = limits, path
        self.traps = traps or Traps(limits)
        self._counted: set[int] = set()  # ids of URLs being fetched that are counted in the quotas
        self._odd: set[str] = set()
        self._use(rules)

    def _use(self, rules: Rules) -> None:
        self.rules = rules
        self._out_of_scope = lru_cache(SCOPE_CACHE)(rules.judge)

    # -- a URL is discovered ---------------------------------------------------------------------

    def discovered(self, queued: Queued, outcome: Outcome) -> tuple[Found, ...]:
        """The URLs that a visit led to, each with its verdict."""
        if isinstance(outcome, Redirect):
            return (self._redirected(queued, outcome.target),)
        if isinstance(outcome, Page):
            return (*self._linked(queued, outcome), *self._unsupported(queued, outcome))
        return ()

    def listed(self, url: str, depth: int) -> Found:
        """The verdict on a URL that a sitemap names."""
        return self._verdict(url, depth, follow=True)

    def _linked(self, queued: Queued, page: Page) -> Iterator[Found]:
        follow: dict[str, bool] = {}
        for link in page.links:
            follow[link.url] = follow.get(link.url, False) or not link.nofollow
        if page.canonical and host(page.canonical) == queued.host:
            follow[page.canonical] = True
        for url, may_follow in follow.items():
            yield self._verdict(url, queued.depth + 1, follow=may_follow, referrer=queued.url)

    def _unsupported(self, queued: Queued, page: Page) -> Iterator[Found]:
        for written in page.odd_links:
            if len(self._odd) < MOST_ODD and written not in self._odd:
                self._odd.add(written)
                yield Found(written, "", queued.depth + 1, 0, *unfollowable(written))

    def _redirected(self, queued: Queued, target: str) -> Found:
        if queued.depth == 0 and target not in self.rules.roots and means(queued.url, target):
            # Whoever names http://example.com means the site it redirects to.
            self._use(replace(self.rules, roots=(*self.rules.roots, target)))
        found = self._verdict(target, queued.depth, follow=True)._replace(hops=queued.hops + 1)
        if found.hops > self._limits.redirects:
            return found._replace(rule="redirects", detail={"limit": self._limits.redirects})
        return found

    def _verdict(self, url: str, depth: int, *, follow: bool, referrer: str = "") -> Found:
        refusal = self._out_of_scope(url, depth)
        if refusal is None and url not in self.rules.roots:
            refusal = self.traps.refusal(url, referrer)
        rule = refusal.rule if refusal else ""
        if not follow and rule in ("", "depth"):  # it has no depth until a link that is followed leads to it
            return Found(url, host(url), depth, 0, "nofollow")
        return Found(url, host(url), depth, 0, rule, refusal.detail if refusal else {})

    # -- a URL is due ----------------------------------------------------------------------------

    def due(self, queued: Queued) -> Skipped | None:
        """Why a URL is not fetched after all; if it is, it counts in the quotas of its host and its pattern."""
        if queued.url in self.rules.roots:
            self._count(queued)
            return None
        path = self._path(queued.id) if self.traps.has_found_any() else ()
        referrer = path[-1] if path else ""
        return self.traps.refusal(queued.url, referrer) or self._count(queued)

    def _count(self, queued: Queued) -> Skipped | None:
        refusal = self.traps.begin(queued.url, queued.host)
        if refusal is None:
            self._counted.add(queued.id)
        return refusal

    def fetched(self, queued: Queued, page: Page) -> None:
        """Learn from a page: it may be one too many of its pattern."""
        self._counted.discard(queued.id)
        self.traps.fetched(page, self._path(queued.id) if self.traps.may_repeat(queued.url) else ())

    def release(self, queued: Queued) -> None:
        """Give back the quota of a URL that is no page, or not yet."""
        if queued.id in self._counted:
            self._counted.discard(queued.id)
            self.traps.release(queued.url, queued.host)
