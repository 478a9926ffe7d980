"""Crawl policy: whether a URL is fetched, decided when it is discovered and again when it is due.

The scope of a crawl does not change: site, folder, depth, length, path and the patterns of its user. What is known of
crawler traps does: until a URL is due, its pattern may have been blocked, or a quota used up.

Crawler traps are URL spaces without end, such as a calendar with a page for every month or links with session ids. Two
rules find them, and both look at the content of pages and not at their URLs alone:

- URL pattern: the URLs of a trap differ in numbers and ids only, its pages link to one another, and their
  content differs in numbers only. A pattern is blocked when `pattern_repeats` of its last pages that were reached
  through a page of the same pattern nearly repeat an earlier one. Pages reached from elsewhere, such as a list,
  never count: lists have an end.
- Duplicate content: when `pattern_repeats` copies of one page were fetched, the links of its copies are not followed.

Pages that the server dates (Last-Modified, or a strong ETag) are files, and never count. A date in the URL is no such
evidence: calendars have one, too.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import NamedTuple
from urllib.parse import urlsplit

from cachetools import LRUCache

from minisearch.analysis.simhash import near
from minisearch.errors import BadInput
from minisearch.fetch.guard import bare_host
from minisearch.limits import Limits
from minisearch.models import Detail, Found, Outcome, Page, Queued, Redirect, Skipped
from minisearch.urls import host, unfollowable

SCATTERED = 2  # times `repeats` that a path segment may occur anywhere in a path: two folders may alternate for ever
SCOPE_CACHE = 50_000  # scope checks that are remembered: most links of most pages were seen before
SCOPES = ("path", "host", "domain", "any")

MONTHS = "january february march april may june july august september october november december"
SIGNS = {"id": "*", "number": "#", "month": "@"}
VARIABLE = re.compile(
    r"%[0-9A-F]{2}|"  # kept as it is
    r"(?P<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"  # a UUID
    r"|(?<![0-9a-z])(?=[a-z]*[0-9])(?=[0-9]*[a-z])[0-9a-z]{8,})"  # letters and digits mixed
    r"|(?P<number>[0-9]+)"
    rf"|(?<![a-z0-9])(?P<month>{'|'.join(f'{month}|{month[:3]}' for month in MONTHS.split())})(?![a-z0-9])",
    re.IGNORECASE,
)
WORD = re.compile(r"\b[^\W\d_]+\b")  # what has digits in it is an id
WINDOW = 1.25  # times `pattern_repeats`: the number of last pages of a pattern among which this number repeats others
ANY_QUERY = 3  # times `pattern_repeats` for a path with any query: it has many patterns, and some may be honest
FINGERPRINTS = 32  # of different pages of a pattern that a new one is compared with
MAX_KNOWN = 20_000  # patterns, texts and copies of texts in memory; the ones used last are kept


# -- scope ---------------------------------------------------------------------------------------


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
        for pattern in self.exclude:
            if fnmatchcase(url, pattern):
                return Skipped(url, "pattern", {"pattern": pattern})
        if self.include and not any(fnmatchcase(url, pattern) for pattern in self.include):
            return Skipped(url, "pattern", {"problem": "include", "patterns": list(self.include)})
        if detail := self._repeats(url):
            return Skipped(url, "path", detail)
        if depth > self.max_depth:
            return Skipped(url, "depth", {"depth": depth, "limit": self.max_depth})
        return None

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
    def _fronts(self) -> tuple[str, ...]:
        """What the URLs inside begin with, after the scheme."""
        return tuple(host(root) + (folder(root) if self.scope == "path" else "/") for root in self.roots)

    @cached_property
    def _inside(self) -> list[str]:
        return sorted({front if self.scope == "path" else front[:-1] for front in self._fronts})


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


# -- crawler traps -------------------------------------------------------------------------------


class Fingerprint(NamedTuple):
    """What is compared of two pages."""

    title: str  # hashes of the words without numbers
    text: str
    simhash: int  # 0: no text
    words: int

    def repeats(self, other: Fingerprint) -> bool:
        """Whether two pages have the same title but for numbers, and the same or nearly the same text."""
        if self.title != other.title:
            return False
        if self.text == other.text:
            return True
        return self.simhash != 0 and near(self.simhash, other.simhash, min(self.words, other.words))


@dataclass(slots=True)
class Pattern:
    """What is known of the pages of one URL pattern, as it is kept in the file."""

    recent: deque[int] = field(default_factory=deque)  # the last pages: 1 if it nearly repeats an earlier one, else 0
    different: deque[Fingerprint] = field(default_factory=lambda: deque(maxlen=FINGERPRINTS))

    def add(self, fingerprint: Fingerprint, most: int) -> bool:
        """Count a page; returns whether `most` of the last pages nearly repeat others."""
        is_repeat = any(fingerprint.repeats(other) for other in self.different)
        if not is_repeat:
            self.different.append(fingerprint)
        self.recent.append(is_repeat)
        while len(self.recent) > most * WINDOW:
            self.recent.popleft()
        return sum(self.recent) >= most

    def is_productive(self) -> bool:
        """Whether most of its last pages were different."""
        return 2 * sum(self.recent) < len(self.recent)


class Traps:
    """Counts the pages of each URL pattern, host and text, and blocks traps."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pages: Counter[str] = Counter()  # fetched, or being fetched, by host and by pattern
        self._patterns: LRUCache[str, Pattern] = LRUCache(MAX_KNOWN)
        self._copies: LRUCache[str, tuple[str, int]] = LRUCache(MAX_KNOWN)  # content hash -> first URL, copies
        self._copy_of: dict[str, str] = {}  # URL of a copy -> its content hash
        self._changed: set[str] = set()  # patterns that are not saved yet
        self.blocked: set[str] = set()

    # -- from one run of a crawl to the next -----------------------------------------------------

    def restore_pattern(
        self, pattern: str, blocked: bool, recent: Iterable[int], different: Iterable[tuple[str, str, int, int]]
    ) -> None:
        """Take over what an earlier run found out about a pattern."""
        known = self._pattern(pattern)
        known.recent.extend(recent)
        known.different.extend(Fingerprint(*fingerprint) for fingerprint in different)
        if blocked:
            self.blocked.add(pattern)

    def count_content(self, url: str, content_hash: str) -> None:
        """Count a page without a date: it is the first with its text, or a copy."""
        if not content_hash:
            return
        original, copies = self._copies.setdefault(content_hash, (url, 0))
        if original != url:
            self._copy_of[url] = content_hash
            self._copies[content_hash] = original, copies + 1

    def changes(self) -> Iterator[tuple[str, bool, deque[int], deque[Fingerprint]]]:
        """(pattern, blocked, recent, different) of the patterns that have changed since the last call, to be saved."""
        while self._changed:
            pattern = self._changed.pop()
            known = self._pattern(pattern)
            yield pattern, pattern in self.blocked, known.recent, known.different

    # -- a crawl under way -----------------------------------------------------------------------

    def refusal(self, url: str, referrer: str) -> Skipped | None:
        """Why a URL found on the page `referrer` is not fetched, if it is part of a trap."""
        if not referrer or not (self.blocked or self._copy_of):
            return None
        original, copies = self._copies.get(self._copy_of.get(referrer, ""), ("", 0))
        if copies >= self._limits.pattern_repeats:
            return Skipped(url, "duplicate-content", {"page": original, "copies": self._limits.pattern_repeats})
        if not self.blocked.intersection(_patterns(referrer)):
            return None
        own, *any_query = _patterns(url)
        if own in self.blocked:
            return Skipped(url, "trap", self.detail(own))
        if self.blocked.intersection(any_query) and not self._pattern(own).is_productive():
            return Skipped(url, "trap", self.detail(any_query[0]))
        return None

    def detail(self, pattern: str) -> Detail:
        """A blocked pattern, and how many of its pages are enough to block it."""
        return {"pattern": pattern, "repeats": self._most(pattern)}

    def used_up(self, url: str, host: str) -> Skipped | None:
        """Which quota forbids to fetch another page, if any."""
        limits, pattern = self._limits, url_pattern(url)
        if limits.host_pages and self._pages[host] >= limits.host_pages:
            return Skipped(url, "host-pages", {"host": host, "limit": limits.host_pages})
        if self._pages[pattern] >= limits.pattern_pages:
            return Skipped(url, "pattern-pages", {"pattern": pattern, "limit": limits.pattern_pages})
        return None

    def count(self, url: str, host: str, pages: int = 1) -> None:
        """Count a page that is about to be fetched; with -1, give that back because it turned out to be no page."""
        self._pages.update({host: pages, url_pattern(url): pages})

    def fetched(self, page: Page, path: Sequence[str]) -> None:
        """Count a page that was reached through the URLs of `path`, from its seed on; this may block its pattern."""
        if is_dated(page):
            return
        self.count_content(page.url, page.content_hash)
        passed = {pattern for url in path[1:] for pattern in _patterns(url)}  # not the seed, which may be a list
        for pattern in passed.intersection(_patterns(page.url)):
            self._changed.add(pattern)
            if self._pattern(pattern).add(_fingerprint(page), self._most(pattern)):
                self.blocked.add(pattern)

    def _pattern(self, pattern: str) -> Pattern:
        return self._patterns.setdefault(pattern, Pattern())

    def _most(self, pattern: str) -> int:
        return self._limits.pattern_repeats * (ANY_QUERY if pattern.endswith("?") else 1)


def is_dated(page: Page) -> bool:
    """Whether the server names the version of a page; weak ETags are put on anything."""
    return bool(page.last_modified) or page.etag.startswith('"')


@lru_cache(maxsize=1000)
def url_pattern(url: str) -> str:
    """The URL with its numbers, ids and months masked; of a query only the names, in order.

    >>> url_pattern("http://example.com/calendar/2024/may/?day=3&sid=9f3c2a7b")
    'http://example.com/calendar/#/@/?day&sid'
    >>> url_pattern("http://example.com/s/5d41402abc4b2a76b9719d911017c592/cart7.html")
    'http://example.com/s/*/cart#.html'
    """
    path, mark, query = url.partition("?")
    scheme, _, host, *segments = path.split("/")
    names = sorted({_masked(pair.partition("=")[0]) for pair in query.split("&")}) if mark else []
    return "/".join([scheme, "", host, *map(_masked, segments)]) + mark + "&".join(names)


def _masked(segment: str) -> str:
    return VARIABLE.sub(lambda found: SIGNS.get(found.lastgroup or "", found[0]), segment)


def _patterns(url: str) -> list[str]:
    """The patterns that a URL counts for: its own, and its path with any query if it has one."""
    pattern = url_pattern(url)
    path, mark, _ = pattern.partition("?")
    return [pattern, path + mark] if mark else [pattern]


def _fingerprint(page: Page) -> Fingerprint:
    return Fingerprint(_wording(page.title), _wording(page.text), page.simhash, page.words)


def _wording(text: str) -> str:
    """A hash of the words of a text without numbers and URLs: in a trap, the URLs on each page are new.

    >>> _wording("May 2024: see /calendar/2024/06") == _wording("May 1999: see /calendar/1999/06")
    True
    """
    plain = " ".join(word for word in text.lower().split() if "/" not in word and "=" not in word)
    return blake2b(" ".join(WORD.findall(plain)).encode("utf-8", "replace"), digest_size=8).hexdigest()


# -- decisions -----------------------------------------------------------------------------------


class Policy:
    """Decides on the URLs of a crawl, and learns from its pages.

    `path` gives the URLs through which the one with some id was reached, from its seed to its referrer.
    """

    def __init__(self, rules: Rules, traps: Traps, path: Callable[[int], Sequence[str]] = lambda _: ()) -> None:
        self.traps, self._path = traps, path
        self._use(rules)

    def _use(self, rules: Rules) -> None:
        self.rules = rules
        self._judge = lru_cache(SCOPE_CACHE)(rules.judge)

    # -- a URL is discovered ---------------------------------------------------------------------

    def discovered(self, queued: Queued, outcome: Outcome) -> tuple[Found, ...]:
        """The URLs that a visit led to, each with its verdict."""
        if isinstance(outcome, Redirect):
            return (self._redirected(queued, outcome.target),)
        if isinstance(outcome, Page):
            return (*self._linked(queued, outcome), *self._unsupported(queued, outcome))
        return ()

    def verdict(self, url: str, depth: int, *, follow: bool = True, referrer: str = "") -> Found:
        """A discovered URL with its verdict; a sitemap is no referrer."""
        refusal = self._judge(url, depth)
        if refusal is None and url not in self.rules.roots:
            refusal = self.traps.refusal(url, referrer)
        if not follow and (refusal is None or refusal.rule == "depth"):
            refusal = Skipped(url, "nofollow")  # it has no depth until a link that is followed leads to it
        found = Found(url, host(url), depth)
        return found if refusal is None else found._replace(rule=refusal.rule, detail=refusal.detail)

    def _linked(self, queued: Queued, page: Page) -> Iterator[Found]:
        followed = {link.url for link in page.links if not link.nofollow}
        follow = {link.url: link.url in followed for link in page.links}
        if page.canonical and host(page.canonical) == queued.host:
            follow[page.canonical] = True
        for url, may_follow in follow.items():
            yield self.verdict(url, queued.depth + 1, follow=may_follow, referrer=queued.url)

    def _unsupported(self, queued: Queued, page: Page) -> Iterator[Found]:
        for written in page.odd_links:
            yield Found(written, "", queued.depth + 1, 0, *unfollowable(written))

    def _redirected(self, queued: Queued, target: str) -> Found:
        roots, limit = self.rules.roots, self.rules.limits.redirects
        if queued.depth == 0 and target not in roots and means(queued.url, target):
            # The seed http://example.com means the site it redirects to.
            self._use(replace(self.rules, roots=(*roots, target)))
        found = self.verdict(target, queued.depth)._replace(hops=queued.hops + 1)
        return found._replace(rule="redirects", detail={"limit": limit}) if found.hops > limit else found

    # -- a URL is due ----------------------------------------------------------------------------

    def due(self, queued: Queued) -> Skipped | None:
        """Why a URL is not fetched after all; if it is, it counts in the quotas of its host and its pattern."""
        if queued.url not in self.rules.roots:
            path = self._path(queued.id)
            refusal = self.traps.refusal(queued.url, path[-1] if path else "")
            refusal = refusal or self.traps.used_up(queued.url, queued.host)
            if refusal is not None:
                return refusal
        self.traps.count(queued.url, queued.host)
        return None

    def on_result(self, queued: Queued, outcome: object) -> None:
        """Learn from a page: it may be one too many of its pattern. What is no page does not count in the quotas."""
        if isinstance(outcome, Page):
            self.traps.fetched(outcome, self._path(queued.id))
        else:
            self.traps.count(queued.url, queued.host, -1)
