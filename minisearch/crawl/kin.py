"""Kin: urls with the same path but for one part, each found on another of them.

Traps are known by the shapes of their urls (traps.py), which tell numbers and ids from words. But an id may be made of
letters alone, and a trap may give each of its pages a name. Then it is the way they are found that gives them away:
not on a list, which has an end, but each on one of its kin; and all of them say nearly the same.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from minisearch.crawl.limits import Limits
from minisearch.crawl.traps import CROWD, DATED, KEPT, SHAPES, WINDOW, forgiven, shape
from minisearch.crawl.urls import origin
from minisearch.records import Page, Skipped
from minisearch.text.simhash import distance

ANY = "(any)"  # stands for the part in which urls differ
ALIKE = 10  # bits of 64 in which pages differ at the most that say nearly the same


@dataclass(slots=True)
class _Family:
    recent: deque[bool] = field(default_factory=deque)  # of the last pages, which were like one before
    alike: int = 0  # how many of these were
    kept: deque[int] = field(default_factory=lambda: deque(maxlen=KEPT))

    def take(self, fingerprint: int, window: int) -> int:
        """A page has come in: how many of the last ones, up to `window`, were like one before."""
        like_another = any(distance(fingerprint, other) <= ALIKE for other in self.kept)
        if not like_another:
            self.kept.append(fingerprint)
        self.recent.append(like_another)
        self.alike += like_another
        if len(self.recent) > window:
            self.alike -= self.recent.popleft()
        return self.alike


class Kin:
    """Keeps count of pages that were found on their kin, and puts whole families to sleep."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._families: OrderedDict[str, _Family] = OrderedDict()
        self.asleep: dict[str, str] = {}  # family -> why

    def fetched(self, page: Page, teller: Callable[[], str]) -> None:
        """A page has come in, found on the page that `teller` names; this may be one too many of its kind."""
        times = forgiven(page)
        if times == DATED or not page.simhash:  # files have an end, and so has silence
            return
        most = self._limits.shape_alike * CROWD * times
        name = family(page.url, teller())
        window = round(most * WINDOW)
        if name and name not in self.asleep and self._family(name).take(page.simhash, window) >= most:
            self.asleep[name] = (
                f"put to sleep: all urls like {name} that are found on one another, "
                f"for of the last {window} pages there {most} said nearly the same as others before"
            )

    def remember(self, url: str, found_on: str, reason: str) -> None:
        """A url that was skipped in an earlier run, for its family slept: it goes on sleeping."""
        name = family(url, found_on)
        if name and f" {name} " in reason:  # else it was found again on another page, and the name is lost
            self.asleep[name] = reason

    def judge(self, url: str, found_on: str) -> Skipped | None:
        """Why a url found on a page is not to be asked for, if its family sleeps."""
        reason = self.asleep.get(family(url, found_on)) if self.asleep else None
        return Skipped(url, reason, "kin") if reason else None

    def _family(self, name: str) -> _Family:
        if name not in self._families:
            self._families[name] = _Family()
            if len(self._families) > SHAPES:
                self._families.popitem(last=False)
        self._families.move_to_end(name)
        return self._families[name]


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
