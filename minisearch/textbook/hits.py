"""HITS with dicts and loops: good hubs link to good authorities, good authorities are linked to by good hubs.

J. Kleinberg, "Authoritative Sources in a Hyperlinked Environment", 1999.
Its fast sister, by which it is tested and which it tests: minisearch/rank/hits.py
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Page = TypeVar("Page", bound=Hashable)


def hits(
    links: Mapping[Page, Sequence[Page]], *, rounds: int = 100, hub_first: bool = False
) -> tuple[dict[Page, float], dict[Page, float]]:
    """(hubs, authorities) after `rounds` iterations, the best of each with 1. A repeated link counts once.

    >>> hubs, authorities = hits({"guide": ["a", "b"], "fan": ["a"]}, rounds=1)
    >>> hubs, authorities
    ({'guide': 1.0, 'fan': 0.6666666666666666, 'a': 0.0, 'b': 0.0}, {'guide': 0.0, 'fan': 0.0, 'a': 1.0, 'b': 0.5})
    """
    pages = dict.fromkeys([*links, *(target for targets in links.values() for target in targets)])
    out = {page: set(links.get(page, ())) for page in pages}
    into = {page: {source for source in pages if page in out[source]} for page in pages}
    hubs, authorities = dict.fromkeys(pages, 1.0), dict.fromkeys(pages, 1.0)
    for _ in range(rounds):
        if hub_first:
            hubs = _scaled({page: sum(authorities[target] for target in out[page]) for page in pages})
        authorities = _scaled({page: sum(hubs[source] for source in into[page]) for page in pages})
        if not hub_first:
            hubs = _scaled({page: sum(authorities[target] for target in out[page]) for page in pages})
    return hubs, authorities


def _scaled(scores: Mapping[Page, float]) -> dict[Page, float]:
    top = max(scores.values(), default=0) or 1  # without links all is 0, and stays so
    return {page: score / top for page, score in scores.items()}
