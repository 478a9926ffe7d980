"""The survey: which sitemaps a crawl reads, one after the other, and what it takes from them.

A url named in a sitemap counts as if the start page linked to it: it is one link away from the start, and all the
rules of the crawl hold for it. Sitemaps are those of the sites that the crawl started from, found in robots.txt or
named by the person; a sitemap may speak of its own host only. No more are read than the crawl can make use of.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable

from minisearch.crawl.sitemaps import Sitemap
from minisearch.errors import BadInput, BadUrl
from minisearch.records import Failed, Found, Outcome, Queued, Redirect, Skipped
from minisearch.urls import host, normalize, origin

WAYS = ("robots", "auto", "none")
GUESS = "/sitemap.xml"  # where it is when nobody says where
MOST_FILES = 100
DEEPEST = 3  # index files inside one another
MOST_REDIRECTS = 5
DEPTH = 1  # of the urls that a sitemap names

Judge = Callable[[str, int], Found]


def check_ways(ways: Iterable[str]) -> tuple[str, ...]:
    """The sitemaps wanted: one of WAYS, or urls.

    >>> check_ways(["robots", "https://Example.com/s.xml"])
    ('robots', 'https://example.com/s.xml')
    """
    checked = tuple(way if way in WAYS else _url(way) for way in ways)
    if "none" in checked and len(checked) > 1:
        raise BadInput("sitemaps cannot be both none and some")
    return checked


def _url(way: str) -> str:
    try:
        return normalize(way)
    except BadUrl as error:
        raise BadInput(f"sitemaps must be one of {', '.join(WAYS)}, or an address: {error}") from error


class Survey:
    """Hands out sitemaps to be fetched, as urls with negative ids, and takes in what they say.

    `ways` says which sitemaps to read, `wanted` how many urls are enough.
    """

    def __init__(self, ways: Iterable[str] = ("none",), *, wanted: int = 0) -> None:
        self._ways = check_ways(ways)
        self._wanted = wanted
        self._taken = 0
        self._waiting: deque[Queued] = deque()
        self._met: set[str] = set()
        self._heard: set[str] = set()  # sites whose robots.txt was read
        self._unread: Counter[str] = Counter()  # what robots.txt names and we do not read, to be told with the next
        self._hosts: dict[int, frozenset[str]] = {}  # of each sitemap: the hosts it may speak of
        self._levels: dict[int, int] = {}  # of each sitemap: how many index files led to it

    def begin(self, roots: Iterable[str]) -> Queued | None:
        """The first sitemap that the person named."""
        named = [way for way in self._ways if way not in WAYS]
        hosts = frozenset(map(host, roots))
        for url in named:
            self._add(url, hosts | {host(url)})
        return self.next()

    def heard_of(self, site: str, named: Iterable[str], roots: Iterable[str]) -> Queued | None:
        """The next sitemap to read, now that a robots.txt of a site names these."""
        if site in self._heard or site not in map(origin, roots) or not {"robots", "auto"}.intersection(self._ways):
            return None
        self._heard.add(site)
        before = len(self._met)
        for address in named:
            try:
                url = normalize(address, site + "/")
            except BadUrl:
                self._unread["no address"] += 1
                continue
            if not self._add(url, frozenset([host(site + "/")])) and url not in self._met:
                self._unread[f"past the first {MOST_FILES}"] += 1
        if "auto" in self._ways and len(self._met) == before:
            self._add(site + GUESS, frozenset([host(site + "/")]))
        return self.next()

    def read(self, queued: Queued, outcome: Outcome | Sitemap, judge: Judge) -> tuple[Outcome, tuple[Found, ...]]:
        """What became of a sitemap, and the urls to be met because of it."""
        if isinstance(outcome, Sitemap):
            return self._taken_from(queued, outcome, judge)
        if isinstance(outcome, Redirect):
            hosts, level = self._hosts[queued.id], self._levels[queued.id]
            moved = self._add(outcome.target, hosts, level=level, hops=queued.hops + 1)
            said = f"a sitemap that redirects ({outcome.status}) to {outcome.target}"
            return Skipped(queued.url, said if moved else f"{said}, which is not read", "sitemap"), ()
        reason = outcome.reason if isinstance(outcome, Failed | Skipped) else "it is a page"
        told = Failed(queued.url, f"a sitemap that could not be read: {reason}", "sitemap")
        if isinstance(outcome, Skipped) and outcome.rule == "type":  # it may be one for people: a page
            page = judge(queued.url, DEPTH)
            return told, () if page.rule else (page,)
        return told, ()

    def next(self) -> Queued | None:
        """The next sitemap to read, if any is left and needed."""
        return self._waiting.popleft() if self._waiting and self._taken < self._wanted else None

    def _taken_from(self, queued: Queued, sitemap: Sitemap, judge: Judge) -> tuple[Outcome, tuple[Found, ...]]:
        hosts, level = self._hosts[queued.id], self._levels[queued.id]
        dropped = Counter(sitemap.dropped)
        found = []
        for url in sitemap.pages:
            if host(url) in hosts:
                found.append(judge(url, DEPTH))
            else:
                dropped["another host"] += 1
        for url in sitemap.sitemaps:
            if host(url) not in hosts | {queued.host}:
                dropped["a sitemap of another host"] += 1
            elif level == DEEPEST:
                dropped["nested too deeply"] += 1
            elif not self._add(url, hosts, level=level + 1):
                dropped["a sitemap too many, or met before"] += 1
        self._taken += sum(not each.rule for each in found)
        told = f"read as a sitemap: {_many(len(found), 'url')} taken"
        if sitemap.sitemaps:
            told += f", {_many(len(sitemap.sitemaps), 'sitemap')} named"
        if dropped:
            told += f"; dropped {_counted(dropped)}"
        if self._unread:
            told += f"; of the sitemaps in robots.txt not read {_counted(self._unread)}"
            self._unread.clear()
        if sitemap.trouble:
            told += f"; not read to its end: {sitemap.trouble}"
        if self._waiting and self._taken >= self._wanted:
            left = _many(len(self._waiting), "more sitemap")
            told += f"; {left} not read, for these urls are as many as may be fetched"
        return Skipped(queued.url, told, "sitemap"), tuple(found)

    def _add(self, url: str, hosts: frozenset[str], *, level: int = 0, hops: int = 0) -> bool:
        if url in self._met or len(self._met) >= MOST_FILES or hops > MOST_REDIRECTS:
            return False
        self._met.add(url)
        number = -len(self._met)
        self._hosts[number], self._levels[number] = hosts, level
        self._waiting.append(Queued(number, url, host(url), 0, hops))
        return True


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}{'s' * (count != 1)}"


def _counted(reasons: Counter[str]) -> str:
    return ", ".join(f"{count:,} ({reason})" for reason, count in reasons.most_common())


def is_sitemap(queued: Queued) -> bool:
    """Whether this was handed out by a survey, and not from the file."""
    return queued.id < 0
