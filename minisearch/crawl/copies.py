"""Copies: pages that say word for word what the page says on which they were found.

A server that answers every url with the same page, and writes its links without a slash before them, has an url for
every way in which these can be put one after the other, and one page; another makes up folders inside of folders, and
shows their addresses. No shape gives such urls away (traps.py), and no family (kin.py). But all that is found on copies
of the page are copies of the page: once that is known, nothing more is asked for that was found on one of them.

A server with a handful of pages, each of which it shows wherever its name ends a path (/en/de/fr/en/...), tells each of
them at many urls, and on copies of the one stand copies of the others. So texts that were told often count as one if
each was found on the other. A mirror of a site, or another version of it, tells each of its texts a second time, not a
twentieth; and of lists of lists, which may all read the same, one kind leads to the other and not back.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from typing import TypeVar

from minisearch.crawl.tallies import Latest, Tally, why_asleep
from minisearch.crawl.traps import CROWD, DATED, forgiven
from minisearch.limits import Limits
from minisearch.parse.sketches import wording
from minisearch.records import Page, Skipped

MOST_KNOWN = 20_000  # texts that are known again, and copies of them
SHORT = 2000  # letters; in so few, addresses and numbers may be all that differs: they do not count

Key = TypeVar("Key")
Known = TypeVar("Known")


class Copies:
    """Keeps count of pages that were found on copies, and puts to sleep what is found there."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._firsts: OrderedDict[str, str] = OrderedDict()  # what pages say -> the first that said so
        self._copied: OrderedDict[str, str] = OrderedDict()  # copy -> what it says
        self._times: OrderedDict[str, int] = OrderedDict()  # what pages say -> how many copies said so
        self._found_on: OrderedDict[tuple[str, str], None] = OrderedDict()  # what copies say, and the copy before
        self._tallies = Latest(Tally)
        self.asleep: dict[str, str] = {}  # what copies say -> why nothing is asked for that was found on them

    def fetched(self, page: Page, teller: Callable[[], str]) -> None:
        """A page has come in, found on the page that `teller` names."""
        said = _said(page)
        if said not in self._firsts:
            _note(self._firsts, said, page.url)
        elif self._firsts[said] != page.url:
            _note(self._copied, page.url, said)
            _note(self._times, said, self._times.get(said, 0) + 1)
        times = forgiven(page)
        if not self._copied or times == DATED:
            return
        original = self._copied.get(teller(), "")
        most = self._limits.shape_alike * CROWD * times
        if not original or original in self.asleep:
            return
        if said in self._times:
            _note(self._found_on, (said, original), None)
        if self._tallies.of(original).take(said == original or self._are_one(said, original), most):
            copied = f"found on copies of {self._firsts.get(original, 'one page')}"
            self.asleep[original] = why_asleep(copied, most)

    def _are_one(self, said: str, original: str) -> bool:
        """Whether two texts that were told often lead to each other."""
        least = min(self._times.get(said, 0), self._times.get(original, 0))
        return least >= self._limits.shape_alike and (original, said) in self._found_on

    def judge(self, url: str, found_on: str) -> Skipped | None:
        """Why a url found on a page is not to be asked for, if that page is a copy like many."""
        reason = self.asleep.get(self._copied.get(found_on, "")) if self.asleep else None
        return Skipped(url, reason, "copies") if reason else None


def _said(page: Page) -> str:
    """The same for pages that say the same."""
    words = wording(page) if len(page.text) <= SHORT else b""
    return blake2b(words, digest_size=16).hexdigest() if words else page.content_hash


def _note(known: OrderedDict[Key, Known], key: Key, value: Known) -> None:
    known[key] = value
    if len(known) > MOST_KNOWN:
        known.popitem(last=False)
