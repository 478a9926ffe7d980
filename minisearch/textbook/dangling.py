"""Pages without links, taken out one by one and brought back in reverse, with dicts and a stack.

The Belgrade PageRank thesis (University of Belgrade, Faculty of Mathematics).
Its fast sister, by which it is tested and which it tests: minisearch/rank/dangling.py
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Page = TypeVar("Page", bound=Hashable)
Links = dict[Page, list[Page]]


def removal(links: Mapping[Page, Sequence[Page]]) -> tuple[Links[Page], list[tuple[Page, Links[Page]]]]:
    """What is left when no page is without links, and a stack of (page taken out, the links before that).

    >>> left, stack = removal({"a": ["b"], "b": ["a", "c"], "c": ["d"], "d": []})
    >>> left, [page for page, _ in stack]
    ({'a': ['b'], 'b': ['a']}, ['d', 'c'])
    """
    pages = dict.fromkeys([*links, *(target for targets in links.values() for target in targets)])
    left: Links[Page] = {page: list(links.get(page, ())) for page in pages}
    stack = []
    while empty := [page for page in left if not left[page]]:
        gone = empty[0]
        stack.append((gone, left))
        left = {page: [to for to in targets if to != gone] for page, targets in left.items() if page != gone}
    return left, stack


def remove_and_return(
    links: Mapping[Page, Sequence[Page]], *, damping: float = 0.85, rounds: int = 200
) -> dict[Page, float]:
    """The ranks of what is left, then of the pages that come back: they get the contributions of their in-links.

    A page divides its rank by the links it had just before the page was removed. The ranks do not sum to 1.
    """
    left, stack = removal(links)
    rank = {page: 1 / len(left) for page in left}
    for _ in range(rounds):
        after = {page: (1 - damping) / len(left) for page in left}
        for page, targets in left.items():
            for target in targets:
                after[target] += damping * rank[page] / len(targets)
        rank = after
    while stack:
        back, before = stack.pop()
        rank[back] = sum(rank[page] * before[page].count(back) / len(before[page]) for page in before if before[page])
    return rank
