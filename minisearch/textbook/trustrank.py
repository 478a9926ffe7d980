"""TrustRank with dicts: PageRank that teleports only to trusted pages.

Z. Gyongyi, H. Garcia-Molina and J. Pedersen, "Combating Web Spam with TrustRank", 2004.
Its fast sister, by which it is tested and which it tests: minisearch/rank/trustrank.py
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TypeVar

Page = TypeVar("Page", bound=Hashable)


def trustrank(
    links: Mapping[Page, Sequence[Page]], trusted: Collection[Page], *, damping: float = 0.85, rounds: int = 200
) -> dict[Page, float]:
    """The trust in each page; it sums to 1. From a dead end readers go back to the trusted pages.

    >>> trustrank({"good": ["friend"], "friend": [], "spam": ["friend"]}, ["good"])["spam"]
    0.0
    """
    pages = dict.fromkeys([*links, *(target for targets in links.values() for target in targets)])
    jump = {page: 1 / len(trusted) if page in trusted else 0.0 for page in pages}
    trust = jump
    for _ in range(rounds):
        stuck = sum(trust[page] for page in pages if not links.get(page))
        after = {page: (damping * stuck + 1 - damping) * jump[page] for page in pages}
        for page, targets in links.items():
            for target in targets:
                after[target] += damping * trust[page] / len(targets)
        trust = after
    return trust


def spam_mass(rank: Mapping[Page, float], trust: Mapping[Page, float]) -> dict[Page, float]:
    """(rank - trust) / rank: toward 1 for a page that is famous and not trusted.

    >>> spam_mass({"good": 0.4, "spam": 0.5}, {"good": 0.5, "spam": 0.05})
    {'good': -0.24999999999999994, 'spam': 0.9}
    """
    return {page: (rank[page] - trust[page]) / rank[page] if rank[page] else 0.0 for page in rank}
