"""Replay: a recorded crawl walked again, without the network, in whatever order one likes.

The classic experiment of Cho, Garcia-Molina and Page, "Efficient Crawling Through URL Ordering" (1998): if the crawl
had been stopped after n pages, how much of what matters would it have had?
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from minisearch.errors import BadInput


@dataclass(frozen=True, slots=True)
class Lead:
    """Where a url leads: by a link (one step further), or by a redirect (no step). Some links are not followed."""

    url: int
    steps: int = 1
    followed: bool = True


@dataclass(slots=True)
class _Met:
    """What is known of a url: the how-manieth it was, how far from a seed, and how many pages link to it so far."""

    number: int
    depth: int = 0
    inlinks: int = 0
    queued: bool = False
    done: bool = False


Key = tuple[int, ...]
ORDERS: dict[str, Callable[[_Met], Key]] = {  # the same as the frontier's in the file
    "breadth": lambda met: (met.depth, met.number),
    "newest": lambda met: (-met.number,),
    "best": lambda met: (-met.inlinks, met.depth, met.number),
}


def replay(seeds: Iterable[int], leads: Mapping[int, Sequence[Lead]], order: str) -> Iterator[int]:
    """The urls in the order in which a crawl from `seeds` would ask for them.

    >>> leads = {0: [Lead(1), Lead(2)], 1: [Lead(3)], 2: [Lead(4)]}
    >>> list(replay([0], leads, "breadth")), list(replay([0], leads, "newest"))
    ([0, 1, 2, 3, 4], [0, 2, 4, 1, 3])
    """
    if order not in ORDERS:
        raise BadInput(f"order must be one of {', '.join(ORDERS)}, not {order!r}")
    key = ORDERS[order]
    known: dict[int, _Met] = {}
    heap: list[tuple[Key, int]] = []

    def meet(url: int, depth: int, *, followed: bool, linked: bool) -> None:
        met = known.get(url)
        if met is None:
            met = known[url] = _Met(len(known), depth)
        if not followed:
            return
        met.depth = min(met.depth, depth) if met.queued else depth
        met.inlinks += linked
        met.queued = True
        if not met.done:
            heapq.heappush(heap, (key(met), url))  # an older entry, if there is one, is passed over below

    for seed in dict.fromkeys(seeds):
        meet(seed, 0, followed=True, linked=False)
    while heap:
        place, url = heapq.heappop(heap)
        here = known[url]
        if here.done or place != key(here):
            continue
        here.done = True
        yield url
        ways: dict[int, Lead] = {}
        for lead in leads.get(url, ()):  # a target counts once, and is followed if any of its links may be
            if lead.url not in ways or lead.followed:
                ways[lead.url] = lead
        for target, lead in ways.items():
            meet(target, here.depth + lead.steps, followed=lead.followed, linked=lead.steps > 0)
