"""PageRank with dicts and loops: a page is worth what the pages that link to it are worth.

`compute_ranks` and `rank_list`: I. Ilic, master thesis, University of Belgrade, Faculty of Mathematics, 2016.
`pagerank`: Page, Brin, Motwani and Winograd, "The PageRank Citation Ranking", 1999.
Their fast sister, by which `pagerank` is tested and which it tests: minisearch/rank/pagerank.py
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Page = TypeVar("Page", bound=Hashable)


def compute_ranks(graph: Mapping[Page, Sequence[Page]], *, damping: float = 0.8, loops: int = 10) -> dict[Page, float]:
    """The rank of each crawled page after `loops` loops, all starting equal.

    A page divides its rank by the number of all its links, repeated ones and those to pages never crawled
    included, but pays each page it links to only once. What is not paid out is lost: ranks sum to 1 only if
    every page has links, each different, and all to crawled pages.

    >>> compute_ranks({"a": ["b"], "b": ["a", "never crawled"]}, loops=1)
    {'a': 0.3, 'b': 0.5}
    """
    ranks = {page: 1 / len(graph) for page in graph}
    for _ in range(loops):
        newranks = {}
        for page in graph:
            newrank = (1 - damping) / len(graph)
            for node in graph:
                if page in graph[node]:
                    newrank += damping * ranks[node] / len(graph[node])
            newranks[page] = newrank
        ranks = newranks
    return ranks


def pagerank(
    links: Mapping[Page, Sequence[Page]],
    *,
    damping: float = 0.85,
    teleport: Mapping[Page, float] | None = None,
    tolerance: float = 1e-12,
    max_rounds: int = 1000,
) -> dict[Page, float]:
    """The share of time a random reader spends on each page; the shares sum to 1.

    The reader follows a link with probability `damping`, each link on the page being as likely as another,
    so that a repeated link counts each time; else jumps to a page by its weight in `teleport`, or to any.
    From a page without links the reader goes to any page. Pages that are only linked to count as pages.

    >>> pagerank({"a": ["b"], "b": ["c"], "c": ["a"]}, max_rounds=1)["a"] == 1 / 3
    True
    """
    pages = dict.fromkeys([*links, *(target for targets in links.values() for target in targets)])
    weights = {page: 1 if teleport is None else teleport.get(page, 0) for page in pages}
    jump = {page: weight / sum(weights.values()) for page, weight in weights.items()}
    rank = {page: 1 / len(pages) for page in pages}
    for _ in range(max_rounds):
        stuck = sum(rank[page] for page in pages if not links.get(page))
        after = {page: damping * stuck / len(pages) + (1 - damping) * jump[page] for page in pages}
        for page, targets in links.items():
            for target in targets:
                after[target] += damping * rank[page] / len(targets)
        change = sum(abs(after[page] - rank[page]) for page in pages)
        rank = after
        if change <= tolerance:
            break
    return rank


def rank_list(ranks: Mapping[Page, float]) -> list[Page]:
    """The pages by falling rank; those of equal rank stay in the order in which they came.

    >>> rank_list({"c": 0.2, "b": 0.2, "a": 0.6})
    ['a', 'c', 'b']
    """
    return sorted(ranks, key=ranks.__getitem__, reverse=True)
