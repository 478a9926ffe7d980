"""Judging: whether a url is to be asked for, when it is met and once more when its turn has come.

The rules of a crawl do not change (scope.py). What is known of traps does (traps.py, kin.py, copies.py): until it is a
url's turn, so many pages like it may have come in that it sleeps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import cast

from minisearch.crawl.copies import Copies
from minisearch.crawl.kin import Kin
from minisearch.crawl.precedents import Precedents
from minisearch.crawl.scope import Rules, means
from minisearch.crawl.shapes import has_id, is_ordinary, kind, shape
from minisearch.crawl.traps import Traps
from minisearch.limits import Limits
from minisearch.records import SHUNNED, Found, Outcome, Page, Queued, Redirect, Skipped
from minisearch.urls import host, unfollowable

MOST_ODD = 1000  # links of a crawl that nobody can follow and that are written down all the same


class Judge:
    """Judges the urls of a crawl, and learns from its pages.

    `path` gives the urls from the start to the one with some number: where it was found, and where that was found.
    """

    def __init__(
        self,
        rules: Rules,
        limits: Limits,
        *,
        traps: Traps | None = None,
        kin: Kin | None = None,
        path: Callable[[int], Sequence[str]] = lambda _: (),
    ) -> None:
        self.rules, self._limits, self._path = rules, limits, path
        self.traps = traps or Traps(limits)
        self.kin = kin or Kin(limits)
        self.copies = Copies(limits)
        self._counted: set[int] = set()  # pages under way of which the traps keep count
        self._odd: set[str] = set()
        self._precedents = Precedents(rules)

    def asleep(self) -> Iterator[str]:
        """What was put to sleep, and why."""
        yield from (*self.traps.asleep.values(), *self.kin.asleep.values(), *self.copies.asleep.values())

    # -- a url is met ----------------------------------------------------------------------------

    def led_to(self, queued: Queued, outcome: Outcome) -> tuple[Found, ...]:
        """The urls that a visit led to, each with its verdict."""
        if isinstance(outcome, Redirect):
            return (self._redirected(queued, outcome.target),)
        if isinstance(outcome, Page):
            return (*self._linked(queued, outcome), *self._unfollowable(queued, outcome))
        return ()

    def listed(self, url: str, depth: int) -> Found:
        """The verdict on a url that a sitemap names."""
        return self._judged(url, depth, follow=True, listed=True)

    def _linked(self, queued: Queued, page: Page) -> list[Found]:
        depth = queued.depth + 1
        also = page.canonical if page.canonical and host(page.canonical) == queued.host else ""
        if self.traps.asleep or self.kin.asleep or self.copies.asleep:
            urls, places = Precedents(self.rules).of_links(page.links, depth, also)
            return [self._verdict(queued, cast(str, urls[place]), follow=follow) for place, follow in places]
        found, unknown = self._precedents.of_links(page.links, depth, also)
        for place, follow in unknown:
            found[place] = self._judged(cast(str, found[place]), depth, follow=follow)
        return cast(list[Found], found)

    def _verdict(self, queued: Queued, url: str, *, follow: bool) -> Found:
        """The verdict on a url that stands on some page, while others sleep."""
        listed = bool(self.traps.asleep) and self._leads_on(queued.url)
        found = self._judged(url, queued.depth + 1, follow=follow, listed=listed)
        asleep = self._sleeps(url, queued.url) if not found.rule else None
        return found if asleep is None else found._replace(rule=asleep.rule, reason=asleep.reason)

    def _sleeps(self, url: str, found_on: str) -> Skipped | None:
        """Why a url is not asked for that stands on a certain page."""
        return self.kin.judge(url, found_on) or self.copies.judge(url, found_on)

    def _unfollowable(self, queued: Queued, page: Page) -> Iterator[Found]:
        for written in page.odd_links:
            if len(self._odd) < MOST_ODD and written not in self._odd:
                self._odd.add(written)
                yield Found(written, "", queued.depth + 1, 0, *unfollowable(written))

    def _redirected(self, queued: Queued, target: str) -> Found:
        if queued.depth == 0 and target not in self.rules.roots and means(queued.url, target):
            # Whoever names http://example.com means the place it leads to.
            self.rules = replace(self.rules, roots=(*self.rules.roots, target))
            self._precedents = Precedents(self.rules)
        found = self._judged(target, queued.depth, follow=True)._replace(hops=queued.hops + 1)
        if found.hops > self._limits.redirects:
            return found._replace(rule="redirects", reason=f"more than {self._limits.redirects} redirects in a row")
        return found

    def _judged(self, url: str, depth: int, *, follow: bool, listed: bool = False) -> Found:
        """The verdict on a url, which is known already for most links of most pages."""
        if self.traps.asleep:
            return self._judge(url, depth, follow=follow, listed=listed)
        found = self._precedents.of(url, depth, follow=follow)
        if found is None:
            found = self._judge(url, depth, follow=follow)
            self._precedents.keep(found, follow=follow)
        return found

    def _judge(self, url: str, depth: int, *, follow: bool, listed: bool = False) -> Found:
        verdict = self.rules.judge(url, depth)
        if verdict is None and url not in self.rules.roots and not listed:
            verdict = self.traps.judge(url)
        rule = verdict.rule if verdict else ""
        if not follow and rule in ("", "depth"):  # it has no depth until a link leads to it
            return Found(url, host(url), depth, 0, "nofollow", SHUNNED)
        return Found(url, host(url), depth, 0, rule, verdict.reason if verdict else "")

    # -- its turn has come -----------------------------------------------------------------------

    def refusal(self, queued: Queued) -> Skipped | None:
        """Why a url is not asked for after all; if it is, it counts as one of its kind."""
        path = self._path(queued.id) if self.kin.asleep or self.copies.asleep or self.traps.asleep else ()
        is_root = queued.url in self.rules.roots
        if not is_root and (refusal := self._sleeps(queued.url, _teller(path))):
            return refusal
        listed = bool(self.traps.asleep) and self._is_listed(queued.url, path)
        refusal = self.traps.begin(queued.url, queued.host, listed=listed)
        if refusal is None:
            self._counted.add(queued.id)
        return None if is_root else refusal

    def fetched(self, queued: Queued, page: Page) -> None:
        """It is a page: what it says may put its kind to sleep."""
        self._counted.discard(queued.id)
        path = self._path(queued.id) if page.sketch is not None else ()
        suspect = page.sketch is not None and not self._is_listed(queued.url, path)
        if not suspect or not self.traps.fetched(page, path):
            self.kin.fetched(page, lambda: path or self._path(queued.id))
        self.copies.fetched(page, lambda: _teller(path or self._path(queued.id)))

    def came_to_nothing(self, queued: Queued) -> None:
        """It is no page, or not yet."""
        if queued.id in self._counted:
            self._counted.discard(queued.id)
            self.traps.give_back(queued.url, queued.host)

    def _is_listed(self, url: str, path: Sequence[str]) -> bool:
        """Whether a url is one of so many: in a sitemap, on an ordinary page, or on another kind of page there.

        It may be on a further page of that kind, too, such as the second of a list, unless ids are made up on the way.
        """
        if not path:
            return False
        *_, earlier, before, teller = ("", "", *path)
        if len(path) == 1 or self._leads_on(teller):  # what was itself found nowhere is a start or a sitemap
            return True
        if kind(teller) == kind(url) or self._leads_on(before):
            return kind(teller) != kind(url)
        further = self._leads_on(earlier) and shape(before) != shape(teller) and kind(before) != kind(url)
        return further and not any(map(has_id, (before, teller, url)))

    def _leads_on(self, url: str) -> bool:
        return bool(url) and (is_ordinary(url) or url in self.rules.roots)


def _teller(path: Sequence[str]) -> str:
    """The page on which a url was found, the last on the way to it."""
    return path[-1] if path else ""
