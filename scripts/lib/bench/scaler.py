"""A process that does one piece of work of a certain size, so that its time and memory can be told.

    python -m bench.scaler rank PAGES LINKS FOLDER THREADS|local:N     a random web, cut and ranked out of core
    python -m bench.scaler crawl DB URL auto|N                         a site, by so many workers
    python -m bench.scaler index DB
    python -m bench.scaler search DB QUERIES
It prints one JSON object: seconds of the clock, seconds of the processor, and what it found.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

DRAWN_AT_A_TIME = 4_000_000
QUARTERS = (0.57, 0.19, 0.19)  # the chances of webgraphs.draw
SEED = 1
SPARE = 1.06  # so many more are drawn as are drawn twice
TOLERANCE = 1e-8


def draw(pages: int, links: int) -> Iterator[tuple[Any, Any, None]]:
    """The ends of the links of a random web (RMAT), some millions at a time, its pages numbered in no order."""
    dice = np.random.default_rng(SEED)
    bits = (pages - 1).bit_length()
    odd = 0x9E3779B97F4A7C15 % pages | 1
    while np.gcd(odd, pages) != 1:
        odd += 2
    first, second, third = QUARTERS
    left = int(links * SPARE)
    while left > 0:
        count = min(DRAWN_AT_A_TIME, max(left, 1000))
        sources, targets = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        for bit in range(bits):
            chance = dice.random(count, dtype=np.float32)
            sources |= (chance >= first + second).astype(np.int64) << bit
            lower = ((chance >= first) & (chance < first + second)) | (chance >= first + second + third)
            targets |= lower.astype(np.int64) << bit
        kept = (sources < pages) & (targets < pages)
        left -= int(kept.sum())
        yield sources[kept] * odd % pages, targets[kept] * odd % pages, None


def rank(pages: int, links: int, folder: str, by: str) -> dict[str, Any]:
    """Cut a web into blocks and rank it; blocks that are there from another run are not cut again."""
    from concurrent.futures import ThreadPoolExecutor
    from contextlib import ExitStack

    from minisearch.cluster.dask import connect
    from minisearch.cluster.ranks import BlockRanking, Executor

    with ExitStack() as stack:
        if by.startswith("local"):
            executor = stack.enter_context(connect(by)).executor()
        else:
            executor = Executor(stack.enter_context(ThreadPoolExecutor(int(by))).map)
        work = BlockRanking(folder, executor)
        began = time.perf_counter()
        web = work.graph(pages, draw(pages, links), expected=links, origin=f"rmat {pages} {links} {SEED}")
        cut = time.perf_counter() - began
        began = time.perf_counter()
        scores = work.pagerank(web, tolerance=TOLERANCE)
        spent = time.perf_counter() - began
    return {
        "pages": web.n,
        "links": web.links,
        "blocks": len(web.blocks),
        "cut": cut,
        "rank": spent,
        "rounds": scores.rounds,
        "sum": float(scores.values.sum()),
    }


def crawl(db: str, url: str, workers: str) -> dict[str, Any]:
    """Crawl a site, without an index."""
    from minisearch import Engine

    with Engine(db) as engine:
        began = time.perf_counter()
        count = None if workers == "auto" else int(workers)
        bounds = {"scope": "host", "max_pages": 10_000_000, "keep_html": False, "workers": count}
        summary = engine.crawl(url, index=False, rank=False, **bounds)
        return {"seconds": time.perf_counter() - began, "pages": summary.fetched, "bytes": Path(db).stat().st_size}


def index(db: str) -> dict[str, Any]:
    """Index what was crawled, and rank it."""
    from minisearch import Engine

    with Engine(db) as engine:
        began = time.perf_counter()
        pages = engine.index()
        engine.rank()
        return {"seconds": time.perf_counter() - began, "pages": pages, "bytes": Path(db).stat().st_size}


def search(db: str, queries: str) -> dict[str, Any]:
    """The median of the processor's time for a query, with passages."""
    from minisearch import Engine

    with Engine(db, read_only=True) as engine:
        spent = []
        for query in json.loads(queries) * 2:
            began = time.process_time()
            engine.search(query)
            spent.append(time.process_time() - began)
    half = spent[len(spent) // 2 :]
    return {"seconds": float(np.median(half)), "p99": float(np.quantile(half, 0.99))}


def main() -> None:
    """Do it."""
    stage, *rest = sys.argv[1:]
    if stage == "rank":
        found = rank(int(rest[0]), int(rest[1]), rest[2], rest[3])
    else:
        found = {"crawl": crawl, "index": index, "search": search}[stage](*rest)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    found["processor"] = sum(each.ru_utime + each.ru_stime for each in used)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
