"""Topic-sensitive PageRank: teleport only to the pages of a topic.

T. Haveliwala, "Topic-Sensitive PageRank", 2002. There is one ranking for each topic; a user is a preference over
topics, and the user's ranking is the weighted mean of the rankings of the topics. PageRank is linear in the teleport
vector, so this is exactly the ranking of the weighted mean of the teleport vectors if dangling pages lead to any page
or lose their rank. If they teleport, too, which is the default here, it is close to that ranking but not the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

import numpy as np

from minisearch.errors import BadInput
from minisearch.rank.pagerank import pagerank
from minisearch.rank.scores import Scores, Vector


class Web(Protocol):
    """Any graph of n pages."""

    @property
    def n(self) -> int: ...  # noqa: D102


def topic_vector(n: int, pages: Iterable[int], *, name: str = "the topic") -> Vector:
    """Jumps to these pages only, all equally likely.

    >>> topic_vector(4, [0, 3])
    array([0.5, 0. , 0. , 0.5])
    """
    chosen = sorted(set(pages))
    if not chosen:
        raise BadInput(f"{name} has no pages: give at least one")
    for page in (chosen[0], chosen[-1]):
        if not 0 <= page < n:
            raise BadInput(f"{name} names page {page}, but there are {n} pages, counted from 0")
    jump = np.zeros(n)
    jump[chosen] = 1 / len(chosen)
    return jump


def rank_from(graph: Web, jump: Vector, *, by: Callable[..., Scores] = pagerank, **how: Any) -> Scores:
    """PageRank with this teleport vector, also for dangling pages. Pages that cannot be reached from it get exactly 0.

    `by` computes it: another function may take another kind of graph.
    """
    options = {"dangling": "teleport", **how}
    if options.get("rounds") is None and not options.get("trace"):
        options.setdefault("start", jump)  # from another start these scores would only approach 0
    return by(graph, teleport=jump, **options)


def topic_ranks(graph: Web, topics: Mapping[str, Iterable[int]], **how: Any) -> dict[str, Scores]:
    """The ranking of each topic."""
    if not topics:
        raise BadInput("give at least one topic")
    vectors = {name: topic_vector(graph.n, pages, name=f'topic "{name}"') for name, pages in topics.items()}
    return {name: rank_from(graph, vector, **how) for name, vector in vectors.items()}


def preferred(ranks: Mapping[str, Scores], preference: Mapping[str, float]) -> Scores:
    """The ranking for a user with this preference over topics.

    Iterations and residual are those of the topic that converged last.
    """
    for name, weight in preference.items():
        if name not in ranks:
            raise BadInput(f'unknown topic "{name}": choose from {", ".join(ranks)}')
        if not 0 <= weight < np.inf:
            raise BadInput(f'the preference for "{name}" is {weight}: use finite numbers, 0 or more')
    total = sum(preference.values())
    if not total > 0:
        raise BadInput("the preference is zero for every topic: at least one must be positive")
    wanted = {name: weight / total for name, weight in preference.items() if weight}
    values = sum((weight * ranks[name].values for name, weight in wanted.items()), start=np.float64(0))
    parts = [ranks[name] for name in wanted]
    return Scores(
        np.asarray(values),
        max(part.rounds for part in parts),
        max(part.residual for part in parts),
        all(part.converged for part in parts),
    )
