"""Crawl policy: whether a URL is fetched, decided when it is discovered and again when it is due.

The scope of a crawl does not change: site, folder, depth, length, path and the patterns of its user. What is known of
crawler traps does (traps.py): until a URL is due, its pattern may have been blocked, or a quota used up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import translate
from functools import cached_property, lru_cache
from urllib.parse import urlsplit

from minisearch.crawl.traps import Traps
from minisearch.errors import BadInput
from minisearch.fetch.guard import bare_host
from minisearch.limits import Limits
from minisearch.models import Detail, Found, Outcome, Page, Queued, Redirect, Skipped
from minisearch.urls import host, unfollowable

SCATTERED = 2  # times `repeats` that a path segment may occur anywhere in a path: two folders may alternate for ever
MOST_ODD = 1000  # links of a crawl with an unsupported scheme that get a verdict
SCOPE_CACHE = 50_000  # scope checks that are remembered: most links of most pages were seen before
SCOPES = ("path", "host", "domain", "any")

Pattern = tuple[str, Callable[[str], object]]


@dataclass(frozen=True)
class Rules:
    """The scope of one crawl. `roots` are its seeds and the URLs they were redirected to."""

    roots: tuple[str, ...]
    scope: str = "path"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_depth: int = 20
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.scope not in SCOPES:
            raise BadInput(f"scope must be one of {', '.join(SCOPES)}, not {self.scope!r}")

    def judge(self, url: str, depth: int) -> Skipped | None:
        """Why `url` may not be fetched; None if it may.

        >>> rules = Rules(("https://example.com/docs/index.html",), max_depth=3)
        >>> rules.judge("https://example.com/docs/a.html", 1) is None
        True
        >>> rules.judge("https://example.com/blog/", 1).detail
        {'inside': ['example.com/docs/']}
        """
        if url in self.roots:
            return None
        if len(url) > self.limits.url_length:
            return Skipped(url, "length", {"limit": self.limits.url_length})
        if self.scope != "any" and not self._is_inside(url):
            return Skipped(url, "scope", {"inside": self._inside})
        for pattern, matches in self._excluded:
            if matches(url):
                return Skipped(url, "pattern", {"pattern": pattern})
        if self.include and not any(matches(url) for _, matches in self._included):
            return Skipped(url, "pattern", {"problem": "include", "patterns": list(self.include)})
        if detail := self._repeats(url):
            return Skipped(url, "path", detail)
        if depth > self.max_depth:
            return Skipped(url, "depth", {"depth": depth, "limit": self.max_depth})
        return None

    def found(self, url: str, depth: int) -> Found:
        """A discovered URL with its verdict."""
        found, refusal = Found(url, host(url), depth), self.judge(url, depth)
        return found._replace(rule=refusal.rule, detail=refusal.detail) if refusal else found

    def _repeats(self, url: str) -> Detail:
        """How a path is too long or repeats itself, as wrong relative links make it; otherwise empty."""
        limits, segments = self.limits, [segment for segment in url.partition("?")[0].split("/")[3:] if segment]
        if len(segments) > limits.path_segments:
            return {"problem": "long", "segments": len(segments), "limit": limits.path_segments}
        if len(set(segments)) == len(segments) or len(segments) <= limits.repeats:
            return {}
        run = re.search(rf"((?:/[^/]+)+?)\1{{{limits.repeats}}}(?=/|$)", "/" + "/".join(segments))
        if run:
            return {"problem": "run", "part": f"{run[1]}/", "limit": limits.repeats}
        name, count = Counter(segments).most_common(1)[0]
        limit = SCATTERED * limits.repeats
        return {"problem": "scattered", "part": f"/{name}/", "count": count, "limit": limit} if count > limit else {}

    def _is_inside(self, url: str) -> bool:
        if self.scope != "domain":
            return url.partition("://")[2].startswith(self._fronts)
        here, homes = host(url), [host(root).removeprefix("www.") for root in self.roots]
        return any(here == home or here.endswith("." + home) for home in homes)

    @cached_property
    def _excluded(self) -> list[Pattern]:
        return _patterns(self.exclude)

    @cached_property
    def _included(self) -> list[Pattern]:
        return _patterns(self.include)

    @cached_property
    def _fronts(self) -> tuple[str, ...]:
        """What the URLs inside begin with, after the scheme."""
        return tuple(host(root) + (folder(root) if self.scope == "path" else "/") for root in self.roots)

    @cached_property
    def _inside(self) -> list[str]:
        return sorted({front if self.scope == "path" else front[:-1] for front in self._fronts})


def _patterns(written: tuple[str, ...]) -> list[Pattern]:
    """Shell patterns, each with a function that matches a whole URL."""
    return [(pattern, re.compile(translate(pattern)).match) for pattern in written]


def means(seed: str, target: str) -> bool:
    """Whether the target of a seed's redirect becomes part of the scope. Another port is another server.

    >>> means("http://example.com/", "https://www.example.com/"), means("http://a.example/", "http://a.example:8080/")
    (True, False)
    """
    here, there = host(seed), host(target)
    return here == there or bare_host(seed) != bare_host(target)


def folder(url: str) -> str:
    """The folder of a URL's path.

    >>> folder("https://example.com/docs/index.html"), folder("https://example.com/docs/")
    ('/docs/', '/docs/')
    """
    return urlsplit(url).path.rpartition("/")[0] + "/"


class Policy:
    """Decides on the URLs of a crawl, and learns from its pages.

    `path` gives the URLs through which the one with some id was reached, from its seed to its referrer.
    """

    def __init__(self, rules: Rules, traps: Traps, path: Callable[[int], Sequence[str]] = lambda _: ()) -> None:
        self.traps, self._path = traps, path
        self._odd: set[str] = set()
        self._use(rules)

    def _use(self, rules: Rules) -> None:
        self.rules = rules
        self._in_scope = lru_cache(SCOPE_CACHE)(rules.found)

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
        followed = {link.url for link in page.links if not link.nofollow}
        follow = {link.url: link.url in followed for link in page.links}
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
            # The seed http://example.com means the site it redirects to.
            self._use(replace(self.rules, roots=(*self.rules.roots, target)))
        found = self._verdict(target, queued.depth, follow=True)._replace(hops=queued.hops + 1)
        if found.hops > self.rules.limits.redirects:
            return found._replace(rule="redirects", detail={"limit": self.rules.limits.redirects})
        return found

    def _verdict(self, url: str, depth: int, *, follow: bool, referrer: str = "") -> Found:
        found = self._in_scope(url, depth)
        if not found.rule and self.traps.has_found_any and url not in self.rules.roots:
            refusal = self.traps.refusal(url, referrer)
            found = found._replace(rule=refusal.rule, detail=refusal.detail) if refusal else found
        if not follow and found.rule in ("", "depth"):  # it has no depth until a link that is followed leads to it
            return found._replace(rule="nofollow", detail={})
        return found

    # -- a URL is due ----------------------------------------------------------------------------

    def due(self, queued: Queued) -> Skipped | None:
        """Why a URL is not fetched after all; if it is, it counts in the quotas of its host and its pattern."""
        refusal = None
        if queued.url not in self.rules.roots:
            path = self._path(queued.id) if self.traps.has_found_any else ()
            refusal = self.traps.refusal(queued.url, path[-1] if path else "")
            refusal = refusal or self.traps.used_up(queued.url, queued.host)
        if refusal is None:
            self.traps.count(queued.url, queued.host)
        return refusal

    def on_result(self, queued: Queued, outcome: object) -> None:
        """Learn from a page: it may be one too many of its pattern. What is no page does not count in the quotas."""
        if isinstance(outcome, Page):
            self.traps.fetched(outcome, self._path(queued.id))
        else:
            self.traps.count(queued.url, queued.host, -1)
