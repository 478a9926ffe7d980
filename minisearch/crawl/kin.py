"""Kin: urls with the same path but for one part, each found on another of them.

Traps are known by the shapes of their urls (traps.py), which tell numbers and ids from words. But an id may be made of
letters alone, and a trap may give each of its pages a name. Then it is the way they are found that gives them away:
not on a list, which has an end, but each on one of its kin, which was found on another; each with a part of its own,
where pages on lists have one folder or one script in common; and all of them say nearly the same.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from zlib import crc32

from minisearch.crawl.limits import Limits
from minisearch.crawl.shapes import shape
from minisearch.crawl.sketches import sketch
from minisearch.crawl.tallies import Latest, Tally, why_asleep
from minisearch.crawl.traps import CROWD, DATED, KEPT, NAMES, forgiven
from minisearch.crawl.urls import origin
from minisearch.records import Page, Skipped
from minisearch.text.simhash import distance

ANY = "(any)"  # stands for the part in which urls differ
ALIKE = 10  # bits of 64 in which pages differ at the most that say nearly the same
NEAREST = 10  # pages before this one among which there have to be two of its kin
SHORT = 1000  # letters; in so few, links that show their addresses differ in nothing else: these do not count


@dataclass(slots=True)
class _Family(Tally):
    kept: deque[int] = field(default_factory=lambda: deque(maxlen=KEPT))
    words: deque[tuple[int, ...]] = field(default_factory=lambda: deque(maxlen=KEPT))  # of short pages
    parts: OrderedDict[int, None] = field(default_factory=OrderedDict)

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
        self.asleep: dict[str, str] = {}  # family -> why

    def fetched(self, page: Page, way: Callable[[], Sequence[str]]) -> None:
        """A page has come in, found by the `way` of these urls; this may be one too many of its kind."""
        times = forgiven(page)
        if times == DATED or not page.simhash:  # files have an end, and so has silence
            return
        most, path = self._limits.shape_alike * CROWD * times, way()
        name = family(page.url, path[-1]) if path else ""
        if not name or name in self.asleep:
            return
        known, part = self._families.of(name), _part(name, page.url)
        among_kin = len({_part(name, url) for url in path[-NEAREST:]} - {part, ""}) > 1
        if known.take(known.is_like_another(page) and known.is_new(part) and among_kin, most):
            self.asleep[name] = why_asleep(f"like {name} that are found on one another", most)

    def remember(self, url: str, found_on: str, reason: str) -> None:
        """A url that was skipped in an earlier run, for its family slept: it goes on sleeping."""
        name = family(url, found_on)
        if name and f" {name} " in reason:  # else it was found again on another page, and the name is lost
            self.asleep[name] = reason

    def judge(self, url: str, found_on: str) -> Skipped | None:
        """Why a url found on a page is not to be asked for, if its family sleeps."""
        reason = self.asleep.get(family(url, found_on)) if self.asleep else None
        return Skipped(url, reason, "kin") if reason else None


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


def _part(name: str, url: str) -> str:
    """What a url has where the urls of a family differ; nothing if it lies elsewhere, or is not as deep.

    >>> [_part("http://a.example/s/(any)/cart", f"http://a.example/s/{rest}") for rest in ("xyz/shop", "xyz", "")]
    ['xyz', '', '']
    """
    before = name.partition(ANY)[0]
    path, whole = shape(url).partition("?")[0], name.partition("?")[0]
    as_near = path.startswith(before) and path.count("/") == whole.count("/")
    return path[len(before) :].partition("/")[0] if as_near else ""
