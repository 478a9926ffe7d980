"""Crawler traps: URL spaces without end, such as a calendar with a page for every month or links with session ids.

Two rules find them, and both look at the content of pages and not at their URLs alone:

- URL pattern: the URLs of a trap differ in numbers and ids only, its pages link to one another, and their
  content differs in numbers only. A pattern is blocked when `shape_alike` of its last pages that were reached through
  a page of the same pattern nearly repeat an earlier one. Pages reached from elsewhere, such as a list,
  never count: lists have an end.
- Duplicate content: when `shape_alike` copies of one page were fetched, the links of its copies are not followed.

Pages that the server dates (Last-Modified, or a strong ETag) are files, and never count. A date in the URL is no such
evidence: calendars have one, too.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from cachetools import LRUCache

from minisearch.analysis.simhash import near
from minisearch.limits import Limits
from minisearch.models import Detail, Page, Skipped

MONTHS = "january february march april may june july august september october november december"
SIGNS = {"id": "*", "number": "#", "month": "@"}
VARIABLE = re.compile(
    r"%[0-9A-F]{2}|"  # kept as it is
    r"(?P<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"  # a UUID
    r"|(?=[a-z]*[0-9])(?=[0-9]*[a-z])[0-9a-z]{8,})"  # letters and digits mixed
    r"|(?P<number>[0-9]+)"
    rf"|(?<![a-z0-9])(?P<month>{'|'.join(f'{month}|{month[:3]}' for month in MONTHS.split())})(?![a-z0-9])",
    re.IGNORECASE,
)
WORD = re.compile(r"\b[^\W\d_]+\b")  # what has digits in it is an id
WINDOW = 1.25  # times `shape_alike`: the number of last pages of a pattern among which this number repeats others
ANY_QUERY = 3  # times `shape_alike` for a path with any query: it has many patterns, and some may be honest
FINGERPRINTS = 32  # of different pages of a pattern that a new one is compared with
MAX_KNOWN = 20_000  # patterns, texts and copies of texts in memory; the ones used last are kept


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
    """The pages of one URL pattern. `recent` and `different` are kept in the file."""

    pages: int = 0  # fetched, or being fetched
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
        self._hosts: Counter[str] = Counter()  # pages fetched, or being fetched
        self._patterns: LRUCache[str, Pattern] = LRUCache(MAX_KNOWN)
        self._copies: LRUCache[str, tuple[str, int]] = LRUCache(MAX_KNOWN)  # content hash -> first URL, copies
        self._copy_of: LRUCache[str, str] = LRUCache(MAX_KNOWN)  # URL of a copy -> its content hash
        self._changed: set[str] = set()  # patterns that are not saved yet
        self.blocked: set[str] = set()
        self.has_found_any = False  # a trap, so that the referrer of a URL matters

    # -- from one run of a crawl to the next -----------------------------------------------------

    def restore_pattern(
        self, pattern: str, blocked: bool, recent: Iterable[int], different: Iterable[tuple[str, str, int, int]]
    ) -> None:
        """Take over what an earlier run found out about a pattern."""
        known = self._pattern(pattern)
        known.recent.extend(recent)
        known.different.extend(Fingerprint(*fingerprint) for fingerprint in different)
        if blocked:
            self._block(pattern)

    def count_content(self, url: str, content_hash: str) -> None:
        """Count a page without a date: it is the first with its text, or a copy."""
        if not content_hash:
            return
        original, copies = self._copies.setdefault(content_hash, (url, 0))
        if original != url:
            self._copy_of[url] = content_hash
            self._copies[content_hash] = original, copies + 1
            self.has_found_any = self.has_found_any or copies + 1 >= self._limits.shape_alike

    def changes(self) -> Iterator[tuple[str, bool, deque[int], deque[Fingerprint]]]:
        """(pattern, blocked, recent, different) of the patterns that have changed since the last call, to be saved."""
        while self._changed:
            pattern = self._changed.pop()
            known = self._pattern(pattern)
            yield pattern, pattern in self.blocked, known.recent, known.different

    # -- a crawl under way -----------------------------------------------------------------------

    def refusal(self, url: str, referrer: str) -> Skipped | None:
        """Why a URL found on the page `referrer` is not fetched, if it is part of a trap."""
        if not self.has_found_any or not referrer:
            return None
        original, copies = self._copies.get(self._copy_of.get(referrer, ""), ("", 0))
        if copies >= self._limits.shape_alike:
            return Skipped(url, "duplicate-content", {"page": original, "copies": self._limits.shape_alike})
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
        if limits.host_pages and self._hosts[host] >= limits.host_pages:
            return Skipped(url, "host-pages", {"host": host, "limit": limits.host_pages})
        if self._pattern(pattern).pages >= limits.shape_pages:
            return Skipped(url, "shape-pages", {"pattern": pattern, "limit": limits.shape_pages})
        return None

    def count(self, url: str, host: str, pages: int = 1) -> None:
        """Count a page that is about to be fetched; with -1, give that back because it turned out to be no page."""
        known = self._pattern(url_pattern(url))
        known.pages = max(0, known.pages + pages)  # it may have been forgotten meanwhile
        self._hosts[host] += pages

    def fetched(self, page: Page, path: Sequence[str]) -> None:
        """Count a page that was reached through the URLs of `path`, from its seed on; this may block its pattern."""
        if is_dated(page):
            return
        self.count_content(page.url, page.content_hash)
        passed = {pattern for url in path[1:] for pattern in _patterns(url)}  # not the seed, which may be a list
        for pattern in passed.intersection(_patterns(page.url)):
            self._changed.add(pattern)
            if self._pattern(pattern).add(_fingerprint(page), self._most(pattern)):
                self._block(pattern)

    def _block(self, pattern: str) -> None:
        self.blocked.add(pattern)
        self.has_found_any = True

    def _pattern(self, pattern: str) -> Pattern:
        return self._patterns.setdefault(pattern, Pattern())

    def _most(self, pattern: str) -> int:
        return self._limits.shape_alike * (ANY_QUERY if pattern.endswith("?") else 1)


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


@lru_cache(maxsize=10_000)
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
