"""Folding: of near-identical pages (minisearch/index/alike.py) the best one is shown, and stands for the others.

Whether a page is shown is decided by the pages before it alone. So a longer list of hits begins with the shorter
one, and what was folded on one page of hits never comes back on the next.
"""

from __future__ import annotations

from collections.abc import Sequence


def fold(groups: Sequence[int | None], count: int) -> list[list[int]]:
    """The places of the first `count` pages to show, best first, each followed by the places folded under it.

    `groups` tells to which group of near-identical pages each belongs, if to any.

    >>> fold([7, None, 7, 8, None, 7], 3)
    [[0, 2, 5], [1], [3]]
    """
    shown: list[list[int]] = []
    first: dict[int, list[int]] = {}
    for place, group in enumerate(groups):
        if group is not None and group in first:
            first[group].append(place)
        elif len(shown) < count:
            shown.append([place])
            if group is not None:
                first[group] = shown[-1]
    return shown
