"""The random surfer with a list and a die: click a thousand times, and count where you were.

E. Stoimenova, "Random internet surfing": nine moves of ten by a link on the page, one of ten to any page.
Its fast sister, by which it is tested and which it tests: minisearch/rank/surfer.py
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Page = TypeVar("Page", bound=Hashable)


def surf(
    links: Mapping[Page, Sequence[Page]], start: Page, steps: int, *, damping: float = 0.9, seed: int = 0
) -> list[Page]:
    """The pages arrived at, move by move. A link that is repeated on a page is as many links to choose from.

    >>> surf({"a": ["b"], "b": ["a"]}, "a", 4, damping=1)
    ['b', 'a', 'b', 'a']
    """
    dice = random.Random(seed)  # noqa: S311 - the same walk every time
    pages = list(dict.fromkeys([*links, *(target for targets in links.values() for target in targets)]))
    path, page = [], start
    for _ in range(steps):
        on_page = links.get(page)
        page = dice.choice(on_page) if on_page and dice.random() < damping else dice.choice(pages)
        path.append(page)
    return path


def frequencies(path: Sequence[Page]) -> dict[Page, float]:
    """The share of all arrivals that each page has.

    >>> frequencies(["b", "a", "b", "c"])
    {'b': 0.5, 'a': 0.25, 'c': 0.25}
    """
    return {page: path.count(page) / len(path) for page in dict.fromkeys(path)}


def next_page(row: Sequence[float], drawn: float) -> int:
    """The place in a row of the transition matrix that a number drawn from [0, 1) selects.

    >>> next_page([0.205, 0.385, 0.025, 0.385], 0.43)
    1
    """
    total = 0.0
    for place, chance in enumerate(row):
        total += chance
        if total > drawn:
            return place
    return len(row) - 1  # rounding: the row did not quite sum to 1
