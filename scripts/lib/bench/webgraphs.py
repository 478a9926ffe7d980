"""The graphs that are ranked: one drawn at random by a fixed recipe, one from real pages.

RMAT: D. Chakrabarti, Y. Zhan and C. Faloutsos, "R-MAT: A Recursive Model for Graph Mining", 2004. Each link falls into
one quarter of the matrix, then into a quarter of that, and so on; few pages get very many links, as on the web.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from bench.feed import FRONT, feed
from bench.packages import page_files
from bench.places import BENCH, say
from bench.speed import key

QUARTERS = (0.57, 0.19, 0.19)  # and 0.05: the chances that Graph500 has made usual
SEED = 1
FOLDER = BENCH / "rank"


def rmat(pages: int, draws: int) -> Path:
    """A file with `sources`, `targets` and `pages` of a random web; made once. Links drawn twice count once."""
    file = FOLDER / f"rmat-{pages}-{draws}-{SEED}.npz"
    if not file.exists():
        say(f"drawing {draws:,} links between {pages:,} pages (once) ...")
        save(file, pages, *draw(pages, draws))
    return file


def draw(pages: int, draws: int) -> tuple[Any, Any]:
    """The two ends of every link: no link twice, no page to itself, page numbers shuffled."""
    dice = np.random.default_rng(SEED)
    sources, targets = np.zeros(draws, dtype=np.int32), np.zeros(draws, dtype=np.int32)
    first, second, third = QUARTERS
    for bit in range((pages - 1).bit_length()):
        chance = dice.random(draws, dtype=np.float32)
        sources |= (chance >= first + second).astype(np.int32) << bit
        lower = ((chance >= first) & (chance < first + second)) | (chance >= first + second + third)
        targets |= lower.astype(np.int32) << bit
    kept = (sources < pages) & (targets < pages) & (sources != targets)
    shuffled = dice.permutation(pages).astype(np.int32)
    both = shuffled[sources[kept]].astype(np.int64) * pages + shuffled[targets[kept]]
    both = np.unique(both)
    return (both // pages).astype(np.int32), (both % pages).astype(np.int32)


def site(packages: list[str]) -> tuple[Path, dict[str, Any]]:
    """The same for the pages of some Debian packages; and how long it took to load the links from minisearch's file.

    The page that only lists all others, by which the pages were fed, is no part of it.
    """
    from minisearch import Engine
    from minisearch.rank.job import link_graph

    files = {f"{package}/{path}": file for package in packages for path, file in page_files(package).items()}
    folder = FOLDER / key(packages, len(files))
    fed = feed(folder, {path: file.read_bytes for path, file in files.items()})
    with Engine(fed.database, create=False) as engine:
        seconds = []
        for _ in range(3):
            began = time.perf_counter()
            graph, nodes = link_graph(engine.store)
            seconds.append(time.perf_counter() - began)
        links = engine.store.pages.counts()["links"]
        front = np.flatnonzero(nodes == engine.store.pages.id_of(FRONT))
    targets, sources = graph.incoming.tocoo().coords
    kept = ~np.isin(sources, front) & ~np.isin(targets, front)
    file = folder / "links.npz"
    save(file, graph.n, sources[kept].astype(np.int32), targets[kept].astype(np.int32))
    return file, {"rows": links, "seconds": min(seconds)}


def save(file: Path, pages: int, sources: Any, targets: Any) -> None:
    """Write a graph; half a file is never taken for a whole one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    half = file.with_name(f"half-{file.name}")
    np.savez(half, sources=sources, targets=targets, pages=pages)
    half.rename(file)


def size(file: Path) -> tuple[int, int]:
    """(pages, links) of a graph."""
    with np.load(file) as graph:
        return int(graph["pages"]), len(graph["sources"])
