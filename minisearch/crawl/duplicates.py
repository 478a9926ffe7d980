"""Twins: when two pages are one, which of them stands for both.

Pages are merged after they were fetched, on evidence, never by the looks of their urls alone. They are one when

- canonical: the page says so itself, and is not lying;
- identical: both say the same word for word;
- twin: their urls lead to the same place on most servers (with and without a final slash, or `index.html`), and
  they say nearly the same;
- near-identical: they lie in the same folder and differ in nothing but a few numbers, such as a date or a counter.

Pages that are merely alike, though by a few words only, are kept: whoever looks for just these words would look in
vain. They are folded when they are shown instead (minisearch/search/fold.py). What is merged keeps its row in the
file, with the rule that said so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from minisearch.analysis.simhash import SHORT, distance, near

FAR = 16  # bits in which two pages differ at least that have little in common
CROWD = 10  # pages that have little in common with what all of them say they are: a whole site with one false word
INDEX = re.compile(r"/(?:(?:index|default)\.(?:html?|xhtml|shtml|php|aspx?|jsp))?(?=\?|$)", re.IGNORECASE)


class Twin(Protocol):
    """What has to be known of a page."""

    @property
    def id(self) -> int: ...  # noqa: D102
    @property
    def url(self) -> str: ...  # noqa: D102
    @property
    def host(self) -> str: ...  # noqa: D102
    @property
    def depth(self) -> int: ...  # noqa: D102
    @property
    def canonical(self) -> str: ...  # noqa: D102
    @property
    def content_hash(self) -> str: ...  # noqa: D102
    @property
    def simhash(self) -> int | None: ...  # noqa: D102
    @property
    def words(self) -> int: ...  # noqa: D102
    @property
    def outline(self) -> str: ...  # noqa: D102
    @property
    def noindex(self) -> int: ...  # noqa: D102


def merge(pages: Iterable[Twin], lead_to: Mapping[str, int]) -> dict[int, tuple[int, str]]:
    """page -> (the page that stands for it, the rule that says so). `lead_to` tells the page behind a url.

    A canonical link is believed within its host, when it leads to a page that we hold and that may be indexed; not
    if it is one of a crowd that all say they are one page, with which they have little in common. Of pages that say
    the same, the one nearest to a seed is kept, then the one with the shortest url.
    """
    kept: dict[int, tuple[int, str]] = {}
    pages = sorted((page for page in pages if not page.noindex), key=lambda page: (page.depth, len(page.url), page.url))
    by_id = {page.id: page for page in pages}
    for page in pages:
        target = by_id.get(lead_to.get(page.canonical, -1)) if page.canonical else None
        if target is not None and target.id != page.id and target.host == page.host:
            kept[page.id] = (target.id, "canonical")
    for number in _crowd(kept, by_id):
        del kept[number]
    ring = [number for number in kept if _final(number, kept) is None]
    for number in ring:
        del kept[number]  # canonical links in a ring, or leading into one: none of them is believed
    _gather("identical", lambda page: page.content_hash, lambda *_: True, pages, kept)
    _gather("twin", lambda page: place(page.url), _near, pages, kept)
    _gather("near-identical", lambda page: page.outline and (page.outline, _folder(page.url)), _near, pages, kept)
    return {number: (_final(number, kept) or number, rule) for number, (_, rule) in kept.items()}


def _crowd(kept: Mapping[int, tuple[int, str]], pages: Mapping[int, Twin]) -> list[int]:
    """The pages of a site that all say they are its home page, because somebody wrote so into a template."""
    claims: dict[int, list[int]] = {}
    for number, (target, _) in kept.items():
        if _far(pages[number], pages[target]):
            claims.setdefault(target, []).append(number)
    return [number for crowd in claims.values() if len(crowd) >= CROWD for number in crowd]


def _gather(
    rule: str,
    key: Callable[[Twin], object],
    same: Callable[[Twin, Twin], bool],
    pages: list[Twin],
    kept: dict[int, tuple[int, str]],
) -> None:
    """Merge pages with the same key into the first of them that says the same."""
    firsts: dict[object, list[Twin]] = {}
    for page in pages:
        if page.id in kept or not (name := key(page)):
            continue
        group = firsts.setdefault(name, [])
        first = next((first for first in group if same(first, page)), None)
        if first is None:
            group.append(page)
        else:
            kept[page.id] = (first.id, rule)


def place(url: str) -> str:
    """The same for urls that most servers answer with the same page.

    >>> place("http://a.example/docs/index.html?x=1"), place("http://a.example/docs/?x=1"), place("http://a.example/")
    ('http://a.example/docs?x=1', 'http://a.example/docs?x=1', 'http://a.example')
    """
    return INDEX.sub("", url, count=1)


def _folder(url: str) -> str:
    path = url.partition("?")[0]
    return path[: path.rindex("/")]


def _near(one: Twin, other: Twin) -> bool:
    if one.simhash is None or other.simhash is None:
        return False
    return near(one.simhash, other.simhash, min(one.words, other.words))


def _far(page: Twin, target: Twin) -> bool:
    """A page that has little in common with what it says it is."""
    if page.simhash is None or target.simhash is None or min(page.words, target.words) < SHORT:
        return False
    return distance(page.simhash, target.simhash) > FAR


def _final(number: int, kept: Mapping[int, tuple[int, str]]) -> int | None:
    """Where a chain of merges ends; None if it runs in a ring."""
    seen = set()
    while number in kept:
        if number in seen:
            return None
        seen.add(number)
        number = kept[number][0]
    return number


def follow(moved: Mapping[int, int]) -> dict[int, int | None]:
    """Where each redirect ends, hop after hop; None if it runs in a ring.

    >>> follow({1: 2, 2: 3, 7: 8, 8: 7})
    {1: 3, 2: 3, 7: None, 8: None}
    """
    steps = {number: (target, "redirect") for number, target in moved.items()}
    return {number: _final(number, steps) for number in moved}
