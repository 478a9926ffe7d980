"""Traps: places with more urls than pages.

A calendar has a page for every month until the end of time; a shop gives each visitor a session of its own and
writes it into every link; a counter counts. What they have in common: urls of one shape, which differ only in numbers
and ids, and pages that say nearly the same. Such a shape is put to sleep after a while.

Many an honest site has pages that differ in little but a number. What sets them apart: there is an end to them. So
urls that stand on an ordinary page, such as a list, are visited whatever their shape; more is forgiven to files
(pages that know when they were last changed, or are named like a file) than to pages made up on the spot; and pages
with names of their own, such as the goods of a shop, are not alike unless others of their shape led to them, and of
these each to another. As much as to named files is forgiven to the lists on which they are found; and no page of a list
counts as alike that leads to pages which no other of its shape led to, if those of their kind have something to say.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from zlib import crc32

from minisearch.crawl.shapes import crowd, shape
from minisearch.crawl.tallies import Latest, Tally, why_asleep
from minisearch.limits import Limits
from minisearch.parse.sketches import alike, name
from minisearch.records import Page, Skipped

ALIKE = 0.8  # share of the words that two pages have in common which say nearly the same
FILES = (".html", ".htm", ".xhtml", ".txt", ".md")
NAMED, DATED = 10, 50  # how many times as many pages may be alike if they are named like files, or dated like files
CROWD = 3  # how many times as many in a larger shape, in which shapes with the same path come together
KEPT = 32  # different pages of a shape that others are compared with
NAMES = 1000  # of pages of a shape that are remembered
LINKS, MET = 100, 20_000  # links of one page, and of all pages of a shape, of which we know how many lead to the same
AHEAD = 500  # links of one page of which we know whether it is the first to lead there


def forgiven(page: Page) -> int:
    """How many times as many pages like this one may be alike before it is a trap."""
    if page.last_modified or page.etag.startswith('"'):  # a weak tag is put on anything
        return DATED
    return NAMED if page.url.endswith(FILES) else 1


@dataclass(slots=True)
class _Shape(Tally):
    pages: int = 0  # fetched, or under way
    kept: list[tuple[int, ...]] = field(default_factory=list)
    names: OrderedDict[int, None] = field(default_factory=OrderedDict)
    asked: int = 0  # pages whose names were looked at
    led_to: int = 0  # pages of other shapes that stand out
    met: OrderedDict[int, int] = field(default_factory=OrderedDict)  # how many pages with new names lead to a url
    ahead: OrderedDict[int, None] = field(default_factory=OrderedDict)  # where pages lead that are like others
    themselves: Tally = field(default_factory=Tally)  # its last pages, wherever they lead
    promised: int = 0  # pages that were let pass for leading here, since one of these had something to say

    def is_new(self, name: int) -> bool:
        """Whether no page before had this name."""
        self.asked += 1
        if not name or name in self.names:
            return False
        self.names[name] = None
        if len(self.names) > NAMES:
            self.names.popitem(last=False)
        return True

    def has_names(self) -> bool:
        """Whether most of its pages have a name that no other has."""
        return len(self.names) * 2 > self.asked

    def meet(self, page: Page) -> None:
        """Count where a page leads."""
        for url in {link.url for link in page.links[:LINKS]}:
            number = crc32(url.encode())
            self.met[number] = self.met.get(number, 0) + 1
        while len(self.met) > MET:
            self.met.popitem(last=False)

    def is_met_again(self, url: str) -> bool:
        """Whether more than one page leads to a url: it was not made up for the one that asked."""
        return self.met.get(crc32(url.encode()), 0) > 1

    def first_to_lead_to(self, page: Page) -> list[str]:
        """Where a page leads and no other did that is like others."""
        fresh = {crc32(link.url.encode()): link.url for link in page.links[:AHEAD]}
        fresh = {number: url for number, url in fresh.items() if number not in self.ahead}
        self.ahead.update(dict.fromkeys(fresh))
        while len(self.ahead) > MET:
            self.ahead.popitem(last=False)
        return [*fresh.values()]

    def is_like_another(self, sketched: tuple[int, ...]) -> bool:
        """Whether a page like this came in before."""
        if any(alike(sketched, other) >= ALIKE for other in self.kept):
            return True
        self.kept.append(sketched)
        del self.kept[:-KEPT]
        return False

    def leads_on(self) -> bool:
        """Whether these are the pages of a list: more than one page that stands out was found on each."""
        return self.led_to > self.pages

    def speaks(self, like_another: bool, most: int) -> None:
        """A page has come in. Where it leads has no say here, or two shapes could vouch for each other."""
        self.themselves.take(like_another, most)
        if not like_another:
            self.promised = 0

    def redeems(self, most: int) -> bool:
        """Whether its pages have something to say, so that one that leads here may pass; most of the last ones had."""
        self.promised += 1
        return self.promised <= most and self.themselves.is_fruitful()


class Traps:
    """Keeps count of the pages of each shape and host, and puts shapes to sleep."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._shapes = Latest(_Shape)
        self._hosts: dict[str, int] = {}
        self.asleep: dict[str, str] = {}  # shape -> why

    def remember(self, url: str, host: str) -> None:
        """A page that was fetched in an earlier run."""
        self._shapes.of(shape(url)).pages += 1
        self._hosts[host] = self._hosts.get(host, 0) + 1

    def put_to_sleep(self, shaped: str, alike: int = 0) -> None:
        """Ask for no more urls of this shape, of which so many were alike."""
        alike = alike or self._limits.shape_alike * (CROWD if shaped.endswith("?") else 1)
        self.asleep[shaped] = why_asleep(f"of the shape {shaped}{'...' * shaped.endswith('?')}", alike)

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
        known = self._shapes.of(shaped)
        if known.pages >= limits.shape_pages:
            said = f"{limits.shape_pages:,} pages of the shape {shaped} were fetched, which is the limit"
            return Skipped(url, said, "shape-pages")
        known.pages += 1
        self._hosts[host] = self._hosts.get(host, 0) + 1
        return None

    def give_back(self, url: str, host: str) -> None:
        """What was begun turned out to be no page."""
        self._shapes.of(shape(url)).pages -= 1
        self._hosts[host] -= 1

    def is_suspect(self, url: str) -> bool:
        """Whether a page is to be compared with others: not the first of its shape, or one that was asked for."""
        return "?" in url or self._shapes.of(shape(url)).pages > 1

    def fetched(self, page: Page, path: Sequence[str] = ()) -> bool:
        """A page has come in, found by way of the urls of `path`: whether it stands out, though it may be like others.

        This may be one too many of its kind.
        """
        if page.sketch is None:
            return False
        shaped, called = shape(page.url), name(page)
        once = self._limits.shape_alike * forgiven(page)
        outstanding, bears_fruit = [], None
        for each, most in ((shaped, once), (crowd(shaped), once * CROWD)):
            if not each or each in self.asleep:
                continue
            known = self._shapes.of(each)
            is_new, by_its_kind = known.is_new(called), _leads_to(each, path)
            if is_new and by_its_kind:
                known.meet(page)
            stands_out = is_new and (not by_its_kind or known.is_met_again(page.url))
            outstanding.append(is_new and not by_its_kind)
            if known.leads_on():
                most *= NAMED
            elif known.has_names():
                most *= CROWD  # by then it is known better which urls are met again
            is_alike = known.is_like_another(page.sketch) and not stands_out
            if is_alike and bears_fruit is None:
                bears_fruit = self._bears_fruit(page, shaped)
            known.speaks(is_alike, most)
            if known.take(is_alike and not bears_fruit, most):
                self.put_to_sleep(each, most)
        if any(outstanding) and path:
            self._shapes.of(shape(path[-1])).led_to += 1
        return any(outstanding)

    def _bears_fruit(self, page: Page, shaped: str) -> bool:
        """Whether a page is the first of its shape to lead to pages of another that mostly have something to say."""
        others = {shape(url) for url in self._shapes.of(shaped).first_to_lead_to(page)} - {shaped}
        most = self._limits.shape_alike
        return True in [self._shapes[each].redeems(most) for each in others if each in self._shapes]


def _leads_to(shaped: str, path: Iterable[str]) -> bool:
    """Whether a url of a shape, large or small, is among those by way of which another was found."""
    return any(shaped in (each, crowd(each)) for each in map(shape, path))
