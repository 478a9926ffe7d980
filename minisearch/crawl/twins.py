"""Twins: when two pages are one, which of them stands for both.

Pages are merged after they were fetched, on evidence, never by the looks of their urls: the page says so itself
(`rel=canonical`), or both say the same word for word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol


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
    def noindex(self) -> int: ...  # noqa: D102


def merge(pages: Iterable[Twin], lead_to: Mapping[str, int]) -> dict[int, tuple[int, str]]:
    """page -> (the page that stands for it, the rule that says so). `lead_to` tells the page behind a url.

    A canonical link is believed within its host, when it leads to a page that we hold and that may be indexed.
    Of pages that say the same, the one nearest to a seed is kept, then the one with the shortest url.
    """
    kept: dict[int, tuple[int, str]] = {}
    pages = [page for page in pages if not page.noindex]
    by_id = {page.id: page for page in pages}
    for page in pages:
        target = by_id.get(lead_to.get(page.canonical, -1)) if page.canonical else None
        if target is not None and target.id != page.id and target.host == page.host:
            kept[page.id] = (target.id, "canonical")
    ring = [number for number in kept if _final(number, kept) is None]
    for number in ring:
        del kept[number]  # canonical links in a ring, or leading into one: none of them is believed
    same: dict[str, list[Twin]] = {}
    for page in pages:
        if page.id not in kept and page.content_hash:
            same.setdefault(page.content_hash, []).append(page)
    for group in same.values():
        first = min(group, key=lambda page: (page.depth, len(page.url), page.url))
        kept.update({page.id: (first.id, "identical") for page in group if page is not first})
    return {number: (_final(number, kept) or number, rule) for number, (_, rule) in kept.items()}


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
