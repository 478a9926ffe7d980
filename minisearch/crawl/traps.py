"""Traps: places with more urls than pages.

A calendar has a page for every month until the end of time; a shop gives each visitor a session of its own and
writes it into every link; a counter counts. What they have in common: urls of one shape, which differ only in numbers
and ids, and pages that say nearly the same. Such a shape is put to sleep after a while.

Many an honest site has pages that differ in little but a number. What sets them apart: there is an end to them. So
urls that stand on an ordinary page, such as a list, are visited whatever their shape; more is forgiven to files
(pages that know when they were last changed, or are named like a file) than to pages made up on the spot; and pages
with names of their own, such as the goods of a shop, are not alike unless others of their shape led to them. As much
as to named files is forgiven to the lists on which they are found.

How alike two pages are is how many of their words they share (Jaccard), numbers not counted; it is estimated from the
smallest hashes of their words (Broder, "On the resemblance and containment of documents", 1997).
"""

from __future__ import annotations

import re
from collections import OrderedDict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from zlib import crc32

from minisearch.crawl.limits import Limits
from minisearch.records import Page, Skipped

SKETCH = 64  # hashes kept of a page
READ = 20_000  # characters of a page that are looked at
ALIKE = 0.8  # share of the words that two pages have in common which say nearly the same
WINDOW = 1.25  # of so many times `shape_alike` last pages, `shape_alike` have to be alike
FILES = (".html", ".htm", ".xhtml", ".txt", ".md")
NAMED, DATED = 10, 50  # how many times as many pages may be alike if they are named like files, or dated like files
CROWD = 3  # how many times as many in a larger shape, in which shapes with the same path come together
KEPT = 32  # different pages of a shape that others are compared with
NAMES = 1000  # of pages of a shape that are remembered
SHAPES = 20_000  # shapes of which we keep count, those met last

WORD = re.compile(r"\b[^\W\d_]{2,}\b")  # what has digits in it is an id
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
NAMES_OF_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
SIGNS = {"id": "*", "number": "#", "month": "@"}
VARIABLE = re.compile(
    r"%[0-9A-F]{2}|"  # as they are
    r"(?P<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"  # a UUID
    r"|(?=[a-z]*[0-9])(?=[0-9]*[a-z])[0-9a-z]{8,})"  # letters and digits mixed
    r"|(?P<number>[0-9]+)"
    rf"|(?<![a-z0-9])(?P<month>{'|'.join(NAMES_OF_MONTHS + MONTHS)})(?![a-z0-9])",
    re.IGNORECASE,
)


def shape(url: str) -> str:
    """The url with its numbers and ids taken out; of a query only the names remain, in order.

    >>> shape("http://example.com/calendar/2024/may/?day=3&sid=9f3c2a7b")
    'http://example.com/calendar/#/@/?day&sid'
    >>> shape("http://example.com/s/5d41402abc4b2a76b9719d911017c592/cart7.html")
    'http://example.com/s/*/cart#.html'
    """
    path, mark, query = url.partition("?")
    scheme, _, host, *segments = path.split("/")
    names = sorted({_blank(pair.partition("=")[0]) for pair in query.split("&")}) if mark else []
    return "/".join([scheme, "", host, *map(_blank, segments)]) + mark + "&".join(names)


@lru_cache(maxsize=10_000)
def _blank(segment: str) -> str:
    return VARIABLE.sub(lambda found: SIGNS.get(found.lastgroup or "", found[0]), segment)


def sketch(page: Page) -> tuple[int, ...]:
    """The smallest hashes of the words of a page, by which pages that say nearly the same are known.

    An address that stands in the text, as that of a link may, has no say: in a trap it is always a new one.
    """
    said = f"{page.title}\n{page.text[:READ]}".lower()
    words = set(WORD.findall(" ".join(word for word in said.split() if "/" not in word and "=" not in word)))
    return tuple(sorted(crc32(word.encode()) for word in words)[:SKETCH])


def alike(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """About which share of their words two pages have in common.

    >>> alike((1, 2, 3, 4), (1, 2, 3, 5)), alike((), ())
    (0.6, 1.0)
    """
    both = sorted({*one, *other})[: max(len(one), len(other), 1) if len(one) == len(other) == SKETCH else None]
    return len({*both}.intersection(one, other)) / len(both) if both else 1.0


def name(page: Page) -> int:
    """A number for what a page calls itself, its numbers left out; 0 if it has no name."""
    headings = [heading.text for heading in page.headings if heading.level == 1]
    return crc32(" ".join(WORD.findall("\n".join([page.title, *headings]).lower())).encode())


def is_ordinary(url: str) -> bool:
    """Whether a url stands for itself and not for many of its shape.

    >>> is_ordinary("http://example.com/list/"), is_ordinary("http://example.com/?page=2")
    (True, False)
    """
    return "?" not in url and shape(url) == url


def kind(url: str) -> str:
    """The shape of a url, whatever it asks for.

    >>> kind("http://example.com/goods/7?colour=red")
    'http://example.com/goods/#'
    """
    return shape(url).partition("?")[0]


def forgiven(page: Page) -> int:
    """How many times as many pages like this one may be alike before it is a trap."""
    if page.last_modified or page.etag.startswith('"'):  # a weak tag is put on anything
        return DATED
    return NAMED if page.url.endswith(FILES) else 1


def crowd(shaped: str) -> str:
    """The larger shape to which a shape with a query belongs, whatever it asks for; nothing for other shapes.

    >>> crowd("http://example.com/goods?colour&size"), crowd("http://example.com/goods")
    ('http://example.com/goods?', '')
    """
    path, mark, _ = shaped.partition("?")
    return path + mark if mark else ""


@dataclass(slots=True)
class _Shape:
    pages: int = 0  # fetched, or under way
    recent: deque[bool] = field(default_factory=deque)  # of the last pages, which were like one before
    alike: int = 0  # how many of these were
    kept: list[tuple[int, ...]] = field(default_factory=list)
    names: OrderedDict[int, None] = field(default_factory=OrderedDict)
    led_to: int = 0  # pages of other shapes that stand out

    def is_new(self, name: int) -> bool:
        """Whether no page before had this name."""
        if not name or name in self.names:
            return False
        self.names[name] = None
        if len(self.names) > NAMES:
            self.names.popitem(last=False)
        return True

    def is_like_another(self, sketched: tuple[int, ...]) -> bool:
        """Whether a page like this came in before."""
        if any(alike(sketched, other) >= ALIKE for other in self.kept):
            return True
        self.kept.append(sketched)
        del self.kept[:-KEPT]
        return False

    def take(self, like_another: bool, window: int) -> int:
        """A page has come in: how many of the last ones, up to `window`, were like one before."""
        self.recent.append(like_another)
        self.alike += like_another
        if len(self.recent) > window:
            self.alike -= self.recent.popleft()
        return self.alike

    def leads_on(self) -> bool:
        """Whether these are the pages of a list: more than one page that stands out was found on each."""
        return self.led_to > self.pages

    def is_fruitful(self) -> bool:
        """Whether most of the last pages had something new to say."""
        return self.alike * 2 < len(self.recent)


class Traps:
    """Keeps count of the pages of each shape and host, and puts shapes to sleep."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._shapes: OrderedDict[str, _Shape] = OrderedDict()
        self._hosts: dict[str, int] = {}
        self.asleep: dict[str, str] = {}  # shape -> why

    def remember(self, url: str, host: str) -> None:
        """A page that was fetched in an earlier run."""
        self._shape(shape(url)).pages += 1
        self._hosts[host] = self._hosts.get(host, 0) + 1

    def put_to_sleep(self, shaped: str, alike: int = 0) -> None:
        """Ask for no more urls of this shape, of which so many were alike."""
        alike = alike or self._limits.shape_alike * (CROWD if shaped.endswith("?") else 1)
        self.asleep[shaped] = (
            f"put to sleep: all urls of the shape {shaped}{'...' * shaped.endswith('?')}, "
            f"for of the last {round(alike * WINDOW)} pages there {alike} said nearly the same as others before"
        )

    def judge(self, url: str) -> Skipped | None:
        """Why a url just met is not to be asked for, if it is of a shape that sleeps."""
        reason = self.asleep and self._why_asleep(shape(url))
        return Skipped(url, reason, "trap") if reason else None

    def _why_asleep(self, shaped: str) -> str:
        if shaped in self.asleep:
            return self.asleep[shaped]
        larger = crowd(shaped)
        if larger not in self.asleep or (shaped in self._shapes and self._shapes[shaped].is_fruitful()):
            return ""
        return self.asleep[larger]

    def begin(self, url: str, host: str, *, listed: bool = False) -> Skipped | None:
        """A url's turn has come: count it, or say why it is not to be asked for after all."""
        limits, shaped = self._limits, shape(url)
        if (reason := self._why_asleep(shaped)) and not listed:
            return Skipped(url, reason, "trap")
        if limits.host_pages and self._hosts.get(host, 0) >= limits.host_pages:
            return Skipped(url, f"{limits.host_pages:,} pages of {host} were fetched, which is the limit", "host-pages")
        known = self._shape(shaped)
        if known.pages >= limits.shape_pages:
            said = f"{limits.shape_pages:,} pages of the shape {shaped} were fetched, which is the limit"
            return Skipped(url, said, "shape-pages")
        known.pages += 1
        self._hosts[host] = self._hosts.get(host, 0) + 1
        return None

    def give_back(self, url: str, host: str) -> None:
        """What was begun turned out to be no page."""
        self._shape(shape(url)).pages -= 1
        self._hosts[host] -= 1

    def is_suspect(self, url: str) -> bool:
        """Whether a page is to be compared with others: not the first of its shape, or one that was asked for."""
        return "?" in url or self._shape(shape(url)).pages > 1

    def fetched(self, page: Page, path: Sequence[str] = ()) -> bool:
        """A page has come in, found by way of the urls of `path`: whether it stands out, though it may be like others.

        This may be one too many of its kind.
        """
        if page.sketch is None:
            return False
        shaped, called = shape(page.url), name(page)
        once = self._limits.shape_alike * forgiven(page)
        outstanding = []
        for each, most in ((shaped, once), (crowd(shaped), once * CROWD)):
            if not each or each in self.asleep:
                continue
            known = self._shape(each)
            stands_out = known.is_new(called) and not _leads_to(each, path)
            outstanding.append(stands_out)
            if known.leads_on():
                most *= NAMED
            if known.take(known.is_like_another(page.sketch) and not stands_out, round(most * WINDOW)) >= most:
                self.put_to_sleep(each, most)
        if any(outstanding) and path:
            self._shape(shape(path[-1])).led_to += 1
        return any(outstanding)

    def _shape(self, shaped: str) -> _Shape:
        if shaped not in self._shapes:
            self._shapes[shaped] = _Shape()
            if len(self._shapes) > SHAPES:
                self._shapes.popitem(last=False)
        self._shapes.move_to_end(shaped)
        return self._shapes[shaped]


def _leads_to(shaped: str, path: Iterable[str]) -> bool:
    """Whether a url of a shape, large or small, is among those by way of which another was found."""
    return any(shaped in (each, crowd(each)) for each in map(shape, path))
