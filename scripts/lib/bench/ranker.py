"""A child process that ranks one graph by one program, so that nothing is left over from another.

It is given a job as JSON in its argument and prints what it measured as JSON. Every answer is judged alike: by what one
exact step of the reader would still change in it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # two threads of BLAS wait for each other more than they work

import numpy as np

from bench.places import OURS, PEERS
from bench.worker import outcome, peak_memory

DAMPING = 0.85
STEPS = 1_000_000  # of the surfer
Solver = Callable[[], Any]


def work(program: str, graph: Path, tolerance: float, repeat: int) -> dict[str, Any]:
    """What a child measures: seconds of set-up, of each solve, the residual, and the most memory."""
    job = json.dumps({"program": program, "graph": str(graph), "tolerance": tolerance, "repeat": repeat})
    python = OURS if program.startswith("minisearch") else PEERS
    command = [str(python), "-P", "-m", "bench.ranker", job]
    done: dict[str, Any] = outcome(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    return done


# -- in the child ----------------------------------------------------------------------------


def minisearch(sources: Any, targets: Any, pages: int, tolerance: float) -> Solver:
    """Ours."""
    from minisearch.rank.graph import LinkGraph
    from minisearch.rank.pagerank import pagerank

    graph = LinkGraph.from_edges(pages, sources, targets)
    _ = graph.follow_blocks  # what every ranking of this graph starts from
    return lambda: pagerank(graph, damping=DAMPING, tolerance=tolerance).values


def scipy(sources: Any, targets: Any, pages: int, tolerance: float) -> Solver:
    """A plain loop over a csr matrix, as one writes it."""
    from scipy.sparse import coo_array

    degree = np.bincount(sources, minlength=pages)
    share = 1 / np.maximum(degree, 1)
    follow = coo_array((share[sources], (targets, sources)), shape=(pages, pages)).tocsr()
    stuck = np.flatnonzero(degree == 0)

    def solve() -> Any:
        rank = np.full(pages, 1 / pages)
        while True:
            after = DAMPING * (follow @ rank + rank[stuck].sum() / pages) + (1 - DAMPING) / pages
            change = np.abs(after - rank).sum()
            rank = after
            if change < tolerance:
                return rank

    return solve


def igraph(sources: Any, targets: Any, pages: int, tolerance: float) -> Solver:  # noqa: ARG001 - it knows none
    """igraph, whose PageRank is prpack's."""
    from igraph import Graph

    graph = Graph(n=pages, edges=np.stack([sources, targets], axis=1), directed=True)
    return lambda: np.array(graph.pagerank(damping=DAMPING))


def networkx(sources: Any, targets: Any, pages: int, tolerance: float) -> Solver:
    """networkx, which stops at `tol` times the number of pages."""
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(range(pages))
    graph.add_edges_from(zip(sources.tolist(), targets.tolist(), strict=True))
    return lambda: np.fromiter(
        nx.pagerank(graph, DAMPING, tol=tolerance / pages, max_iter=1000).values(), np.float64, pages
    )


def kin(sources: Any, targets: Any, pages: int, tolerance: float) -> dict[str, float]:
    """Seconds a pass of our PageRank, TrustRank and HITS, and for a million steps of the surfer."""
    from minisearch.rank.graph import LinkGraph
    from minisearch.rank.hits import hits
    from minisearch.rank.pagerank import pagerank
    from minisearch.rank.surfer import surf
    from minisearch.rank.trustrank import trustrank

    graph = LinkGraph.from_edges(pages, sources, targets)
    _ = graph.follow_blocks, graph.counts
    trusted = range(0, pages, 1000)
    found = {}
    for name, call, passes in (
        ("pagerank", lambda: pagerank(graph, tolerance=tolerance), lambda scores: scores.rounds),
        ("trustrank", lambda: trustrank(graph, trusted, tolerance=tolerance), lambda scores: scores.rounds),
        ("hits", lambda: hits(graph, rounds=10), lambda scores: 2 * scores.hubs.rounds),
    ):
        began = time.perf_counter()
        scores: Any = call()  # type: ignore[no-untyped-call]
        found[f"{name} pass"] = (time.perf_counter() - began) / passes(scores)  # type: ignore[no-untyped-call]
    began = time.perf_counter()
    surf(graph, STEPS)
    found["surfer"] = time.perf_counter() - began
    return found


def residual(ranks: Any, sources: Any, targets: Any, pages: int) -> float:
    """What one exact step changes, in all."""
    ranks = ranks / ranks.sum()
    degree = np.bincount(sources, minlength=pages)
    paid = np.bincount(targets, weights=(ranks / np.maximum(degree, 1))[sources], minlength=pages)
    after = DAMPING * (paid + ranks[degree == 0].sum() / pages) + (1 - DAMPING) / pages
    return float(np.abs(after - ranks).sum())


PROGRAMS: dict[str, Callable[..., Solver]] = {
    program.__name__: program for program in (minisearch, scipy, igraph, networkx)
}


def main() -> None:
    """Do the job."""
    job = json.loads(sys.argv[1])
    with np.load(job["graph"]) as file:
        sources, targets, pages = file["sources"], file["targets"], int(file["pages"])
    if job["program"] == "minisearch kin":
        print(json.dumps(kin(sources, targets, pages, job["tolerance"])))
        return
    rank = PROGRAMS[job["program"]]
    rank(np.array([0, 1]), np.array([1, 0]), 2, job["tolerance"])()  # so that importing is not measured
    began = time.perf_counter()
    solve = rank(sources, targets, pages, job["tolerance"])
    setup, seconds = time.perf_counter() - began, []
    for _ in range(job["repeat"]):
        began = time.perf_counter()
        ranks = solve()
        seconds.append(time.perf_counter() - began)
    memory = peak_memory()
    print(
        json.dumps(
            {
                "set-up": setup,
                "solve": seconds,
                "residual": residual(ranks, sources, targets, pages),
                "memory": memory,
            }
        )
    )


if __name__ == "__main__":
    main()
