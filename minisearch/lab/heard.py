"""The methods of the lab, and which choices say something to which of them. A terminal refuses the others, the lab page
says that it passes them over.
"""

from __future__ import annotations

from collections.abc import Mapping

METHODS = {
    "pagerank": "where a reader who clicks at random spends the time",
    "hits": "hubs that point at good authorities, authorities that good hubs point at",
    "trustrank": "PageRank that begins at trusted pages, and spam mass",
    "topic": "PageRank that begins at the pages of a topic",
    "surfer": "a random walk, counted",
    "solve": "PageRank as a linear system, in exact fractions",
    "eigen": "PageRank as an eigenvector",
}
_WALKING = tuple(name for name in METHODS if name != "hits")
_BY_ROUNDS = ("pagerank", "hits", "trustrank", "topic")
HEARD_BY = {  # choice -> the methods to which it says something; what is not named here speaks to all, or is refused
    "damping": _WALKING,
    "dangling": _WALKING,
    "rounds": _BY_ROUNDS,
    "tolerance": _BY_ROUNDS,
    "max_rounds": (*_BY_ROUNDS, "surfer"),  # what a surfer counts stands beside what is exact
    "teleport": ("pagerank", "surfer", "solve", "eigen"),
    "start": ("pagerank", "surfer"),
    "decimals": ("pagerank", "trustrank", "topic"),
    "rescale": ("pagerank", "trustrank", "topic", "solve"),
    "apart": ("pagerank",),
    "trusted": ("trustrank",),
    "topics": ("topic",),
    "preference": ("topic",),
    "order": ("hits",),
    "weighted": ("hits",),
    "by_host": ("hits",),
    "fits": ("hits",),
    "steps": ("surfer",),
    "seed": ("surfer",),
}
AS_USUAL = {"order": "authority"}  # which a form always sends


def passed_over(told: Mapping[str, str]) -> str:
    """The choices that say nothing to the method, in a line; empty if there are none.

    >>> passed_over({"method": "hits", "damping": "0.5", "start": "A", "order": "hub"})
    'passed over, for they say nothing to hits: damping, start'
    """
    method = told.get("method", "pagerank")
    names = [name for name in told if method not in HEARD_BY.get(name, (method,)) and told[name] != AS_USUAL.get(name)]
    they = "they say" if len(names) > 1 else "it says"
    return f"passed over, for {they} nothing to {method}: {', '.join(names)}" if names else ""
