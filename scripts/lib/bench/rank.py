"""PageRank speed: a random graph and the links of a real site, by minisearch and its peers, in interleaved rounds."""

from __future__ import annotations

import time
from argparse import Namespace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from bench import DATA, log, rankers, rmat, runner
from bench.corpus import SEED, build_corpus, corpus_name, page_files
from bench.report import budget_table, number, table, verdict

FOLDER = DATA / "rank"
TOLERANCE = {"rmat": 1e-8, "site": 1e-10}
SOLUTIONS = {"rmat": 1, "site": 5}  # in each round
NETWORKX_LINKS = 3_000_000  # it would take minutes for more
BUDGETS = [  # name, peer, minimum ratio, aim
    ("random web, solve: 4 times as fast as igraph", "igraph", 4, 8),
    ("random web, solve: 1.5 times as fast as a csr loop", "scipy", 1.5, 3),
]

Figures = dict[str, Any]


def measure(options: Namespace) -> Figures:
    """Measure each program on each graph."""
    files = {"rmat": random_graph(options.pages, options.links)}
    files["site"], loading = site_graph(options.sites)
    graphs = {}
    for name, file in files.items():
        sources, _, pages = rankers.read_graph(str(file))
        links = len(sources)
        programs = [program for program in options.programs if program != "networkx" or links <= NETWORKX_LINKS]
        graphs[name] = {"pages": pages, "links": links, "programs": compare(name, file, programs, options.repeat)}
    log("minisearch's other algorithms ...")
    others = [
        runner.call(runner.MINISEARCH, rankers.other_algorithms, files["rmat"], TOLERANCE["rmat"])
        for _ in range(options.repeat)
    ]
    medians = {figure: median(one[figure] for one in others) for figure in others[0]}
    return {"graphs": graphs, "other algorithms": medians, "loading": loading, "sites": options.sites}


def compare(name: str, file: Path, programs: list[str], repeat: int) -> Figures:
    """Medians of each program on a graph."""
    arguments = (file, TOLERANCE[name], SOLUTIONS[name])
    results = runner.rounds(
        name,
        programs,
        repeat,
        lambda program: runner.call(runner.interpreter(program), rankers.pagerank, program, *arguments),
    )
    figures = {}
    for program, found in results.items():
        solves = [seconds for one in found for seconds in one["solve"]]
        setup = median(one["set-up"] for one in found)
        figures[program] = {
            "solve": median(solves),
            "set-up": setup,
            "both": setup + median(solves),
            "memory": median(one["memory"] for one in found),
            "residual": max(one["residual"] for one in found),
            "all solves": solves,
        }
    return figures


# -- graphs ----------------------------------------------------------------------------------


def random_graph(pages: int, links: int) -> Path:
    """The file of a random graph, made once; duplicate links count once."""
    file = FOLDER / f"rmat-{pages}-{links}-{rmat.SEED}.npz"
    if not file.exists():
        log(f"drawing {links:,} links between {pages:,} pages (once) ...")
        save(file, pages, *rmat.unique_links(pages, links))
    return file


def site_graph(packages: list[str]) -> tuple[Path, dict[str, Any]]:
    """The file of the graph of some Debian packages, and how long minisearch takes to load its links.

    The seed of the corpus, which links to all pages, is left out.
    """
    from minisearch import Engine
    from minisearch.rank.job import link_graph

    files = page_files(packages)
    corpus = build_corpus(
        FOLDER / corpus_name(packages, len(files)), {path: file.read_bytes for path, file in files.items()}
    )
    with Engine(corpus.database, create=False) as engine:
        seconds = []
        for _ in range(3):
            began = time.perf_counter()
            graph, page_ids = link_graph(engine.store)
            seconds.append(time.perf_counter() - began)
        links = engine.store.pages.counts()["links"]
        seed = np.flatnonzero(page_ids == engine.store.pages.id_of(SEED))
    targets, sources = graph.incoming.tocoo().coords
    kept = ~np.isin(sources, seed) & ~np.isin(targets, seed)
    file = corpus.folder / "links.npz"
    save(file, graph.n, sources[kept].astype(np.int32), targets[kept].astype(np.int32))
    return file, {"rows": links, "seconds": min(seconds)}


def save(file: Path, pages: int, sources: Any, targets: Any) -> None:
    """Write a graph atomically."""
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f"partial-{file.name}")
    np.savez(partial, sources=sources, targets=targets, pages=pages)
    partial.rename(file)


# -- tables ----------------------------------------------------------------------------------


def tables(figures: Figures) -> str:
    """A table for each graph, minisearch's other algorithms, and the budgets."""
    head = ["", "solve s", "set-up s", "memory MB", "true residual", "minisearch's solve", "with set-up"]
    parts = []
    for name, graph in figures["graphs"].items():
        what = "random web (RMAT)" if name == "rmat" else f"links of {', '.join(figures['sites'])}"
        parts.append(
            f"{what}: {graph['pages']:,} pages, {graph['links']:,} links, to a change of {TOLERANCE[name]:.0e}"
        )
        rows, ours = [], graph["programs"].get("minisearch")
        for program, found in graph["programs"].items():
            cells = map(number, (found["solve"], found["set-up"], found["memory"] / 1e6))
            ratios = [f"{number(found[figure] / ours[figure])}x" if ours else "-" for figure in ("solve", "both")]
            rows.append([rankers.TITLES[program], *cells, f"{found['residual']:.1e}", *ratios])
        parts.append(table(head, rows))
    others, loading = figures["other algorithms"], figures["loading"]
    per_million = loading["seconds"] / max(loading["rows"], 1) * 1e6
    iterations = ", ".join(
        f"{name} {number(others[f'{name} iteration'] * 1000)} ms" for name in ("pagerank", "trustrank", "hits")
    )
    parts.append(
        f"One iteration: {iterations}. A million steps of the random surfer: {number(others['surfer'])} s. "
        f"Loading links from the file: {number(per_million)} s a million ({loading['rows']:,} links)."
    )
    return "\n\n".join([*parts, budgets(figures, per_million)])


def budgets(figures: Figures, loading: float) -> str:
    """Which budgets and aims are met."""
    rows = []
    programs, others = figures["graphs"]["rmat"]["programs"], figures["other algorithms"]
    if "minisearch" in programs:
        for name, peer, minimum, aim in BUDGETS:
            if peer in programs:
                ratio = programs[peer]["solve"] / programs["minisearch"]["solve"]
                rows.append([name, f"{number(ratio)}x", verdict(ratio >= minimum), verdict(ratio >= aim)])
        memory = programs["minisearch"]["memory"] / 1e9
        rows.append(["random web: memory below 1 GB", f"{number(memory)} GB", verdict(memory < 1), "-"])
    slowest = max(others["trustrank iteration"], others["hits iteration"]) / others["pagerank iteration"]
    surfer = others["surfer"]
    rows += [
        ["HITS and TrustRank: below 2 iterations of PageRank", f"{number(slowest)} times", verdict(slowest < 2), "-"],
        ["a million steps of the surfer: 2 s", f"{number(surfer)} s", verdict(surfer < 2), "-"],
        ["loading: 1 s a million links", f"{number(loading)} s", verdict(loading < 1), "-"],
    ]
    return budget_table(rows)
