"""The crawl in a file walked again: how much PageRank has been collected after n pages, order by order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minisearch.crawl.replay import ORDERS, Lead, replay
from minisearch.errors import NotReady
from minisearch.rank.pagerank import pagerank
from minisearch.store.store import Store
from minisearch.wiring.ranking import link_graph

IDEAL = "ideal"  # what one would do who knew all ranks beforehand: no order can be better
STEPS = 10  # lines of a table
MOST_POINTS = 400  # of a curve


@dataclass(frozen=True)
class Replay:
    """One walk: the urls of the pages in the order they came, and the share of PageRank held after each."""

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


def replays(store: Store, orders: Iterable[str] = ORDERS) -> list[Replay]:
    """A walk in each order, and the ideal one."""
    answered = store.recorded.pages()
    if not answered:
        raise NotReady("no pages yet: crawl a site into this file first")
    weights = _ranks(store)
    leads: dict[int, list[Lead]] = defaultdict(list)
    for source, target, steps, followed in store.recorded.leads():
        leads[source].append(Lead(target, steps, followed))
    starts = store.recorded.starts()
    walks = []
    for order in orders:
        urls = [url for url in replay(starts, leads, order) if url in answered]
        walks.append(_walk(order, urls, answered, weights))
    return [*walks, _walk(IDEAL, _ideal(answered, weights), answered, weights)]


def _ranks(store: Store) -> dict[int, float]:
    graph, nodes = link_graph(store)
    scores = pagerank(graph).values
    return dict(zip(nodes.tolist(), scores.tolist(), strict=True))


def _walk(order: str, urls: list[int], answered: dict[int, int | None], weights: dict[int, float]) -> Replay:
    held: set[int | None] = set()
    gains = []
    for url in urls:
        page = answered[url]
        gains.append(0.0 if page in held or page is None else weights.get(page, 0.0))
        held.add(page)
    return Replay(order, tuple(urls), np.cumsum(gains, dtype=np.float64))


def _ideal(answered: dict[int, int | None], weights: dict[int, float]) -> list[int]:
    """The heaviest pages first; what was fetched twice comes last, when nothing else is left."""
    first: dict[int | None, int] = {}
    for url, page in answered.items():
        first.setdefault(page, url)
    kept = sorted(first.items(), key=lambda item: -weights.get(item[0] or 0, 0.0))
    urls = dict.fromkeys(url for _, url in kept)
    return [*urls, *(url for url in answered if url not in urls)]


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
