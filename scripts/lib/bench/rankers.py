"""The programs that compute PageRank, and what is measured of each in a child process.

Every program takes (sources, targets, pages, tolerance) and returns a function that solves the graph it has set up.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.runner import own_peak_memory

DAMPING = 0.85
SURFER_STEPS = 1_000_000
TITLES = {"minisearch": "minisearch", "scipy": "scipy csr loop", "igraph": "igraph (prpack)", "networkx": "networkx"}

Solver = Callable[[], Any]


def minisearch(sources: Any, targets: Any, pages: int, tolerance: float) -> Solver:
    """minisearch."""
    from minisearch.rank.graph import LinkGraph
    from minisearch.rank.pagerank import pagerank

    graph = LinkGraph.from_edges(pages, sources, targets)
    _ = graph.follow_blocks  # cached, and used by every ranking of this graph
    return lambda: pagerank(graph, damping=DAMPING, tolerance=tolerance).values


def scipy(sources: Any, targets: Any, pages: int, tolerance: float) -> Solver:
    """A plain power iteration with a csr matrix."""
    from scipy.sparse import coo_array

    degree = np.bincount(sources, minlength=pages)
    share = 1 / np.maximum(degree, 1)
    transition = coo_array((share[sources], (targets, sources)), shape=(pages, pages)).tocsr()
    dangling = np.flatnonzero(degree == 0)

    def solve() -> Any:
        rank = np.full(pages, 1 / pages)
        while True:
            new = DAMPING * (transition @ rank + rank[dangling].sum() / pages) + (1 - DAMPING) / pages
            residual = np.abs(new - rank).sum()
            rank = new
            if residual < tolerance:
                return rank

    return solve


def igraph(sources: Any, targets: Any, pages: int, tolerance: float) -> Solver:  # noqa: ARG001 - it has no tolerance
    """igraph with its default implementation, prpack."""
    from igraph import Graph

    graph = Graph(n=pages, edges=np.stack([sources, targets], axis=1), directed=True)
    return lambda: np.array(graph.pagerank(damping=DAMPING))


def networkx(sources: Any, targets: Any, pages: int, tolerance: float) -> Solver:
    """networkx, which multiplies its tolerance by the number of pages."""
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(range(pages))
    graph.add_edges_from(zip(sources.tolist(), targets.tolist(), strict=True))
    return lambda: np.fromiter(
        nx.pagerank(graph, DAMPING, tol=tolerance / pages, max_iter=1000).values(), np.float64, pages
    )


PROGRAMS: dict[str, Callable[..., Solver]] = {
    program.__name__: program for program in (minisearch, scipy, igraph, networkx)
}


# -- measured in a child process -------------------------------------------------------------


def pagerank(program: str, graph: str, tolerance: float, repeat: int) -> dict[str, Any]:
    """Seconds of the set-up and of each solution, peak memory, and the residual of the last solution."""
    sources, targets, pages = read_graph(graph)
    set_up = PROGRAMS[program]
    set_up(np.array([0, 1]), np.array([1, 0]), 2, tolerance)()  # imports are not measured
    began = time.perf_counter()
    solve = set_up(sources, targets, pages, tolerance)
    setup, seconds = time.perf_counter() - began, []
    for _ in range(repeat):
        began = time.perf_counter()
        ranks = solve()
        seconds.append(time.perf_counter() - began)
    memory = own_peak_memory()
    return {"set-up": setup, "solve": seconds, "memory": memory, "residual": residual(ranks, sources, targets, pages)}


def residual(ranks: Any, sources: Any, targets: Any, pages: int) -> float:
    """How much one exact iteration changes ranks, in all: the same measure of accuracy for every program."""
    ranks = ranks / ranks.sum()
    degree = np.bincount(sources, minlength=pages)
    received = np.bincount(targets, weights=(ranks / np.maximum(degree, 1))[sources], minlength=pages)
    new = DAMPING * (received + ranks[degree == 0].sum() / pages) + (1 - DAMPING) / pages
    return float(np.abs(new - ranks).sum())


def other_algorithms(graph: str, tolerance: float) -> dict[str, float]:
    """Seconds of an iteration of minisearch's PageRank, TrustRank and HITS, and of a million steps of the surfer."""
    from minisearch.rank.graph import LinkGraph
    from minisearch.rank.hits import hits
    from minisearch.rank.pagerank import pagerank
    from minisearch.rank.surfer import surf
    from minisearch.rank.trustrank import trustrank

    sources, targets, pages = read_graph(graph)
    links = LinkGraph.from_edges(pages, sources, targets)
    _ = links.follow_blocks, links.counts  # cached
    trusted = range(0, pages, 1000)
    found = {}
    for name, rank, iterations in (
        ("pagerank", lambda: pagerank(links, tolerance=tolerance), lambda scores: scores.rounds),
        ("trustrank", lambda: trustrank(links, trusted, tolerance=tolerance), lambda scores: scores.rounds),
        ("hits", lambda: hits(links, rounds=10), lambda scores: 2 * scores.hubs.rounds),
    ):
        began = time.perf_counter()
        scores = rank()
        found[f"{name} iteration"] = (time.perf_counter() - began) / iterations(scores)
    began = time.perf_counter()
    surf(links, SURFER_STEPS)
    found["surfer"] = time.perf_counter() - began
    return found


def read_graph(file: str) -> tuple[Any, Any, int]:
    """Sources, targets and number of pages of a saved graph."""
    with np.load(file) as graph:
        return graph["sources"], graph["targets"], int(graph["pages"])
