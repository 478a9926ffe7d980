"""Webs that tests draw: {page: its links}, and the same as graphs."""

from itertools import chain

import numpy as np
from hypothesis import strategies as st

from minisearch.rank.graph import LinkGraph

webs = st.integers(0, 8).flatmap(
    lambda n: st.fixed_dictionaries(
        {page: st.lists(st.integers(0, n - 1), max_size=5) for page in range(n)},
    ).map(lambda web: dict(sorted(web.items())))  # so that a page's number is its place
)
some_webs = webs.filter(len)
dampings = st.floats(0, 0.95)

ALONE = {0: []}
NARCISSUS = {0: [0]}
STRANGERS = {0: [], 1: [], 2: []}
RING = {0: [1], 1: [2], 2: [3], 3: [0]}
CHAIN = {0: [1], 1: [2], 2: []}
TWO_ISLANDS = {0: [1], 1: [0], 2: [3, 3, 4], 3: [2], 4: []}
ODD = [ALONE, NARCISSUS, STRANGERS, CHAIN, TWO_ISLANDS]


def pages_of(links):
    """All pages, in the order in which they are met."""
    return list(dict.fromkeys(chain(links, *links.values())))


def graph_of(links, **options):
    """The graph of a web, with repeated links and loops as they are."""
    place = {page: number for number, page in enumerate(pages_of(links))}
    edges = [(place[page], place[target]) for page in links for target in links[page]]
    options = {"repeated": True, "loops": True, **options}
    return LinkGraph.from_edges(len(place), [s for s, _ in edges], [t for _, t in edges], **options)


def random_graph(n, links, seed=0, **options):
    """A larger graph: some pages are linked to often, and some have no links."""
    dice = np.random.default_rng(seed)
    sources = dice.integers(0, max(1, int(n * 0.8)), size=links)
    targets = (n * dice.random(links) ** 2).astype(np.int64)
    return LinkGraph.from_edges(n, sources, targets, **options)
