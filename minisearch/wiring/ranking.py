"""From stored links to stored scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from minisearch.rank.graph import LinkGraph
from minisearch.rank.pagerank import pagerank
from minisearch.rank.scores import Scores
from minisearch.store.ranks import RankingFacts
from minisearch.store.store import Store, now


def link_graph(store: Store, *, repeated: bool = False, loops: bool = False) -> tuple[LinkGraph, NDArray[np.int64]]:
    """The link graph over merged pages, and the page id of each of its nodes."""
    nodes = np.array(store.pages.nodes(), dtype=np.int64)
    edges: NDArray[np.int64] = np.array(list(store.pages.edges()), dtype=np.int64).reshape(-1, 3)
    if repeated:
        edges = np.repeat(edges, edges[:, 2], axis=0)
    sources, targets = (np.searchsorted(nodes, edges[:, column]) for column in (0, 1))
    return LinkGraph.from_edges(len(nodes), sources, targets, repeated=repeated, loops=loops), nodes


def rank(
    store: Store,
    *,
    damping: float = 0.85,
    tolerance: float = 1e-10,
    max_rounds: int = 1000,
    repeated: bool = False,
    loops: bool = False,
) -> Scores:
    """Compute PageRank over the crawl's link graph and write it down."""
    graph, nodes = link_graph(store, repeated=repeated, loops=loops)
    scores = pagerank(graph, damping=damping, tolerance=tolerance, max_rounds=max_rounds)
    vector = np.full(int(nodes.max(initial=0)) + 1, np.nan)
    vector[nodes] = scores.values
    parameters = {"damping": damping, "tolerance": tolerance, "repeated": repeated, "loops": loops}
    with store.transaction():
        store.ranks.save(
            RankingFacts("pagerank", parameters, scores.rounds, scores.residual, scores.converged, now(), vector)
        )
    return scores
