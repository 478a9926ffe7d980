"""The methods of the lab, and the options that each of them uses.

The command line refuses other options; the lab page ignores them and says so.
"""

from __future__ import annotations

from collections.abc import Mapping

METHODS = {
    "pagerank": "time that a random surfer spends on each page",
    "hits": "hubs that link to good authorities, authorities that good hubs link to",
    "trustrank": "PageRank that teleports to trusted pages, and spam mass",
    "topic": "PageRank that teleports to the pages of a topic",
    "surfer": "visits counted on a random walk",
    "solve": "PageRank as a linear system, in exact fractions",
    "eigen": "PageRank as an eigenvector",
}
_MARKOV = tuple(name for name in METHODS if name != "hits")
_ITERATIVE = ("pagerank", "hits", "trustrank", "topic")
APPLICABLE = {  # option -> the methods that use it; an option that is not listed applies to all
    "damping": _MARKOV,
    "dangling": _MARKOV,
    "rounds": _ITERATIVE,
    "tolerance": _ITERATIVE,
    "max_rounds": (*_ITERATIVE, "surfer"),  # which also shows the exact ranks
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
DEFAULTS = {"order": "authority"}  # which the form always sends


def ignored_options(fields: Mapping[str, str]) -> str:
    """A note on the options that the method does not use; empty if there are none.

    >>> ignored_options({"method": "hits", "damping": "0.5", "start": "A", "order": "hub"})
    'ignored because hits does not use them: damping, start'
    """
    method = fields.get("method", "pagerank")
    names = [
        name for name in fields if method not in APPLICABLE.get(name, (method,)) and fields[name] != DEFAULTS.get(name)
    ]
    them = "them" if len(names) > 1 else "it"
    return f"ignored because {method} does not use {them}: {', '.join(names)}" if names else ""
