"""What `scale` measures in child processes; each function returns what it found, with its time in seconds."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from bench import rmat

TOLERANCE = 1e-8


def rank(pages: int, links: int, folder: str, workers: str) -> dict[str, Any]:
    """Cut a random graph into blocks and rank it out of core, with N threads or "local:N" processes of a cluster."""
    from minisearch.cluster.dask import connect
    from minisearch.cluster.ranks import BlockRanking, Executor

    with ExitStack() as stack:
        if workers.startswith("local"):
            executor = stack.enter_context(connect(workers)).executor()
        else:
            executor = Executor(stack.enter_context(ThreadPoolExecutor(int(workers))).map)
        ranking = BlockRanking(folder, executor)
        began = time.perf_counter()
        origin = f"rmat {pages} {links} {rmat.SEED}"
        graph = ranking.graph(pages, rmat.batches(pages, links), expected=links, origin=origin)
        cut = time.perf_counter() - began
        began = time.perf_counter()
        scores = ranking.pagerank(graph, tolerance=TOLERANCE)
        seconds = time.perf_counter() - began
    return {
        "pages": graph.n,
        "links": graph.links,
        "blocks": len(graph.blocks),
        "cut": cut,
        "rank": seconds,
        "rounds": scores.rounds,
        "sum": float(scores.values.sum()),
    }


def crawl(db: str, url: str, workers: int | None) -> dict[str, Any]:
    """Crawl a site without indexing it; None workers for the default number."""
    from minisearch import Engine

    with Engine(db) as engine:
        began = time.perf_counter()
        options = {"scope": "host", "max_pages": 10_000_000, "keep_html": False, "workers": workers}
        summary = engine.crawl(url, index=False, rank=False, **options)
        return {"seconds": time.perf_counter() - began, "pages": summary.fetched, "bytes": Path(db).stat().st_size}


def index(db: str) -> dict[str, Any]:
    """Index and rank a crawled site."""
    from minisearch import Engine

    with Engine(db) as engine:
        began = time.perf_counter()
        pages = engine.index()
        engine.rank()
        return {"seconds": time.perf_counter() - began, "pages": pages, "bytes": Path(db).stat().st_size}


def search(db: str, queries: list[str]) -> dict[str, Any]:
    """CPU seconds of a query with snippets, asked for the second time: median and 99th percentile."""
    from minisearch import Engine

    with Engine(db, read_only=True) as engine:
        seconds = []
        for query in queries * 2:
            began = time.process_time()
            engine.search(query)
            seconds.append(time.process_time() - began)
    second = seconds[len(seconds) // 2 :]
    return {"seconds": float(np.median(second)), "p99": float(np.quantile(second, 0.99))}
