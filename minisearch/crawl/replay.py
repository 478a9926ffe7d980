"""Replay: a recorded crawl repeated in another order, without the network.

The classic experiment of Cho, Garcia-Molina and Page, "Efficient Crawling Through URL Ordering" (1998): if the crawl
had been stopped after n pages, how much PageRank would it have collected?
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from minisearch.errors import BadInput


@dataclass(frozen=True, slots=True)
class Lead:
    """A link (one step further) or a redirect (no step) to a URL. Links marked nofollow are not followed."""

    url: int
    steps: int = 1
    followed: bool = True


@dataclass(slots=True)
class _Known:
    """A discovered URL: its number in the order of discovery, its depth, and how many pages link to it so far."""

    number: int
    depth: int = 0
    inlinks: int = 0
    queued: bool = False
    done: bool = False


Key = tuple[int, ...]
ORDERS: dict[str, Callable[[_Known], Key]] = {  # those of the frontier (store/verdicts.py)
    "breadth": lambda url: (url.depth, url.number),
    "newest": lambda url: (-url.number,),
    "best": lambda url: (-url.inlinks, url.depth, url.number),
}


def replay(seeds: Iterable[int], leads: Mapping[int, Sequence[Lead]], order: str) -> Iterator[int]:
    """The URLs in the order in which a crawl from `seeds` would fetch them.

    >>> leads = {0: [Lead(1), Lead(2)], 1: [Lead(3)], 2: [Lead(4)]}
    >>> list(replay([0], leads, "breadth")), list(replay([0], leads, "newest"))
    ([0, 1, 2, 3, 4], [0, 2, 4, 1, 3])
    """
    if order not in ORDERS:
        raise BadInput(f"order must be one of {', '.join(ORDERS)}, not {order!r}")
    key = ORDERS[order]
    known: dict[int, _Known] = {}
    heap: list[tuple[Key, int]] = []

    def discover(url: int, depth: int, *, followed: bool, linked: bool) -> None:
        found = known.get(url)
        if found is None:
            found = known[url] = _Known(len(known), depth)
        if not followed:
            return
        found.depth = min(found.depth, depth) if found.queued else depth
        found.inlinks += linked
        found.queued = True
        if not found.done:
            heapq.heappush(heap, (key(found), url))  # an older entry of this URL is ignored below

    for seed in dict.fromkeys(seeds):
        discover(seed, 0, followed=True, linked=False)
    while heap:
        place, url = heapq.heappop(heap)
        here = known[url]
        if here.done or place != key(here):
            continue
        here.done = True
        yield url
        targets: dict[int, Lead] = {}
        for lead in leads.get(url, ()):  # a target counts once, and is followed if any of its links may be
            if lead.url not in targets or lead.followed:
                targets[lead.url] = lead
        for target, lead in targets.items():
            discover(target, here.depth + lead.steps, followed=lead.followed, linked=lead.steps > 0)
