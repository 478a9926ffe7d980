"""Replay: a recorded crawl repeated in another order, without the network.

The classic experiment of Cho, Garcia-Molina and Page, "Efficient Crawling Through URL Ordering" (1998): if the crawl
had been stopped after n pages, how much PageRank would it have collected?
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import BadInput, NotReady
from minisearch.store.database import Store

IDEAL = "ideal"  # the most important pages first: no order can be better
STEPS = 10  # rows of a table
MOST_POINTS = 400  # of a curve


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
ORDERS: dict[str, Callable[[_Known], Key]] = {  # those of the frontier (store/urls.py)
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


@dataclass(frozen=True)
class Replay:
    """A crawl repeated: the ids of its URLs in order, and the share of PageRank held after each."""

    order: str
    urls: tuple[int, ...]
    mass: NDArray[np.float64]

    @property
    def mean(self) -> float:
        """The share held on average: the area under the curve, by which orders can be compared in one number."""
        return float(self.mass.mean()) if len(self.mass) else 0.0

    def curve(self) -> tuple[list[float], list[float]]:
        """The numbers of pages, from none to all, and the share held after each: as many as can be seen."""
        stride = max(1, len(self.mass) // MOST_POINTS)
        shown = sorted({*range(0, len(self.mass), stride), len(self.mass) - 1} - {-1})
        return [0.0, *(index + 1.0 for index in shown)], [0.0, *(float(self.mass[index]) for index in shown)]

    def pages_for(self, share: float) -> int:
        """After how many pages a share of all PageRank was held; 0 if never.

        >>> Replay("breadth", (1, 2, 3), np.array([0.5, 0.9, 1.0])).pages_for(0.8)
        2
        """
        enough = np.flatnonzero(self.mass >= share - 1e-12)
        return int(enough[0]) + 1 if enough.size else 0


def replays(store: Store, weights: Mapping[int, float], orders: Iterable[str] = ORDERS) -> list[Replay]:
    """The crawl in the file repeated in each order, and in the ideal one. `weights` are the PageRanks by page id."""
    answered = store.urls.replay_pages()
    if not answered:
        raise NotReady("no pages yet: crawl a site into this file first")
    leads: dict[int, list[Lead]] = defaultdict(list)
    for source, target, steps, followed in store.urls.replay_links():
        leads[source].append(Lead(target, steps, followed))
    starts = store.urls.replay_seeds()
    walks = []
    for order in orders:
        urls = [url for url in replay(starts, leads, order) if url in answered]
        walks.append(_walk(order, urls, answered, weights))
    return [*walks, _walk(IDEAL, _ideal(answered, weights), answered, weights)]


def _walk(order: str, urls: list[int], answered: dict[int, int | None], weights: Mapping[int, float]) -> Replay:
    held: set[int | None] = set()
    gains = []
    for url in urls:
        page = answered[url]
        gains.append(0.0 if page in held or page is None else weights.get(page, 0.0))
        held.add(page)
    return Replay(order, tuple(urls), np.cumsum(gains, dtype=np.float64))


def _ideal(answered: dict[int, int | None], weights: Mapping[int, float]) -> list[int]:
    """The heaviest pages first; what was fetched twice comes last, when nothing else is left."""
    first = {page: url for url, page in reversed(answered.items())}
    return sorted(answered, key=lambda url: (first[answered[url]] != url, -weights.get(answered[url] or 0, 0.0)))


def checkpoints(count: int) -> list[int]:
    """Numbers of pages at which to look: every tenth of all.

    >>> checkpoints(25), checkpoints(3)
    ([3, 5, 8, 10, 13, 15, 18, 20, 23, 25], [1, 2, 3])
    """
    return sorted({max(1, -(-count * step // STEPS)) for step in range(1, STEPS + 1)})


def table(walks: list[Replay]) -> Iterator[tuple[int, list[float]]]:
    """(pages, the share that each walk holds then)."""
    for count in checkpoints(max(len(walk.urls) for walk in walks)):
        yield count, [float(walk.mass[min(count, len(walk.mass)) - 1]) if len(walk.mass) else 0.0 for walk in walks]
