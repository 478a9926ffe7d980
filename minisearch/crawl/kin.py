"""Kin: urls with the same path but for one part, each found by way of others of them.

Traps are known by the shapes of their urls (traps.py), which tell numbers and ids from words. But an id may be made of
letters alone, and a trap may give each of its pages a name. Then it is the way they are found that gives them away:
not on a list, which has an end, but each by way of its kin, which were found by way of others; each with a part of its
own, where pages on lists have one folder or one script in common; each on one page alone, which made it up, and leading
to others that nobody has met, where goods that go with others are met again, and talk about a page leads back to it (to
these more is forgiven); and all of them say nearly the same.

Several families (lists, goods, help) may lead to one another: what stands on a page of one that sleeps is not asked
for if its own family sleeps, too.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from zlib import crc32

from minisearch.analysis.simhash import distance
from minisearch.crawl.shapes import shape
from minisearch.crawl.tallies import Latest, Tally, why_asleep
from minisearch.crawl.traps import CROWD, DATED, KEPT, LINKS, MET, NAMED, NAMES, forgiven
from minisearch.limits import Limits
from minisearch.parse.sketches import sketch
from minisearch.records import Page, Skipped
from minisearch.urls import origin

ANY = "(any)"  # stands for the part in which urls differ
ALIKE = 10  # bits of 64 in which pages differ at the most that say nearly the same
NEAREST = 10  # pages before this one that are looked at
MANY = 2  # of its kin that have to be among them; one will do if more than these lie as deep
SHORT = 1000  # letters; in so few, links that show their addresses differ in nothing else: these do not count


@dataclass(slots=True)
class _Family(Tally):
    kept: deque[int] = field(default_factory=lambda: deque(maxlen=KEPT))
    words: deque[tuple[int, ...]] = field(default_factory=lambda: deque(maxlen=KEPT))  # of short pages
    parts: OrderedDict[int, None] = field(default_factory=OrderedDict)
    in_all: Tally = field(default_factory=Tally)  # its last pages, those too that were not made up

    def enough(self, like_another: bool, is_made_up: bool, most: int) -> int:
        """A page has come in: how many were alike, if that is too many; 0 if it is not."""
        if self.take(like_another and is_made_up, most):
            return most
        return most * NAMED if self.in_all.take(like_another, most * NAMED) else 0

    def is_new(self, part: str) -> bool:
        """Whether no page before had this part where their urls differ."""
        number = crc32(part.encode())
        if number in self.parts:
            return False
        self.parts[number] = None
        if len(self.parts) > NAMES:
            self.parts.popitem(last=False)
        return True

    def is_like_another(self, page: Page) -> bool:
        """Whether a page like this came in before."""
        if any(distance(page.simhash, other) <= ALIKE for other in self.kept):
            return True
        if len(page.text) <= SHORT and (words := sketch(page)):
            if words in self.words:
                return True
            self.words.append(words)
        self.kept.append(page.simhash)
        return False


class Kin:
    """Keeps count of pages that were found on their kin, and puts whole families to sleep."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._families = Latest(_Family)
        self._met: OrderedDict[int, int] = OrderedDict()  # how many pages lead to a url
        self.asleep: dict[str, str] = {}  # family -> why

    def fetched(self, page: Page, way: Callable[[], Sequence[str]]) -> None:
        """A page has come in, found by the `way` of these urls; this may be one too many of its kind."""
        times = forgiven(page)
        if times == DATED or not page.simhash:  # files have an end, and so has silence
            return
        most, path = self._limits.shape_alike * CROWD * times, way()[-NEAREST:]
        is_met_again = self._met.get(crc32(page.url.encode()), 0) > 1
        is_made_up = self._leads_on(page) and not is_met_again
        beside = [url for url in path if _depth(url) == _depth(page.url)]  # among them a list may be, and its kin
        for name in dict.fromkeys(family(page.url, url) for url in path):
            if not name or name in self.asleep:
                continue
            known, part = self._families.of(name), _part(name, page.url)
            is_alike, kin = known.is_like_another(page), {_part(name, url) for url in path} - {part, ""}
            among_kin = len(kin) >= (1 if len(beside) > MANY else MANY)
            if among_kin and (enough := known.enough(is_alike and known.is_new(part), is_made_up, most)):
                self.asleep[name] = why_asleep(f"like {name} that are found on one another", enough)

    def _leads_on(self, page: Page) -> bool:
        """Whether a page leads to urls that no other has led to; counts where it leads."""
        numbers = {crc32(url.encode()) for url in {link.url for link in page.links[:LINKS]} - {page.url}}
        leads_on = len(page.links) > LINKS or not numbers <= self._met.keys()
        for number in numbers:
            self._met[number] = self._met.get(number, 0) + 1
        while len(self._met) > MET:
            self._met.popitem(last=False)
        return leads_on

    def remember(self, url: str, reason: str) -> None:
        """A url that was skipped in an earlier run, for its family slept: it goes on sleeping."""
        for name in families(url):
            if f" {name} " in reason:
                self.asleep[name] = reason

    def judge(self, url: str, found_on: str) -> Skipped | None:
        """Why a url found on a page is not to be asked for, if its family sleeps, and that of the page too."""
        if not self.asleep:
            return None
        reason = self.asleep.get(family(url, found_on)) or (
            next(filter(None, map(self.asleep.get, families(url))), None)
            if any(name in self.asleep for name in families(found_on))
            else None
        )
        return Skipped(url, reason, "kin") if reason else None


def families(url: str) -> Iterator[str]:
    """All families to which a url may belong.

    >>> list(families("http://a.example/s/abc"))
    ['http://a.example/(any)/abc', 'http://a.example/s/(any)']
    """
    path, mark, query = shape(url).partition("?")
    parts = path.split("/")
    for place in range(3, len(parts)):
        if parts[place]:
            yield "/".join([*parts[:place], ANY, *parts[place + 1 :]]) + mark + query


def family(url: str, found_on: str) -> str:
    """The family of a url that was found on a page as deep as itself: any part may stand where the two first differ.

    >>> family("http://a.example/s/abc/cart", "http://a.example/s/xyz/shop")
    'http://a.example/s/(any)/cart'
    >>> family("http://a.example/s/abc", "http://a.example/s/"), family("http://a.example/a", "")
    ('', '')
    """
    if not found_on.startswith(origin(url) + "/"):
        return ""
    path, mark, query = shape(url).partition("?")
    parts, others = path.split("/"), shape(found_on).partition("?")[0].split("/")
    if len(parts) != len(others) or bool(parts[-1]) != bool(others[-1]):  # the index of a folder is a list
        return ""
    place = next((place for place, (one, other) in enumerate(zip(parts, others, strict=True)) if one != other), 0)
    return "/".join([*parts[:place], ANY, *parts[place + 1 :]]) + mark + query if place else ""


def _depth(url: str) -> int:
    return url.partition("?")[0].count("/")


def _part(name: str, url: str) -> str:
    """What a url has where the urls of a family differ; nothing if it lies elsewhere, or is not as deep.

    >>> [_part("http://a.example/s/(any)/cart", f"http://a.example/s/{rest}") for rest in ("xyz/shop", "xyz", "")]
    ['xyz', '', '']
    """
    before = name.partition(ANY)[0]
    path, whole = shape(url).partition("?")[0], name.partition("?")[0]
    as_near = path.startswith(before) and path.count("/") == whole.count("/")
    return path[len(before) :].partition("/")[0] if as_near else ""
