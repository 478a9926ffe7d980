"""How fast links are ranked: the same graphs by minisearch, igraph, networkx and a plain scipy loop, round by round."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from statistics import median
from typing import Any

from bench import ranker, webgraphs
from bench.places import say
from bench.report import number, table

PROGRAMS = {"minisearch": "minisearch", "scipy": "scipy csr loop", "igraph": "igraph (prpack)", "networkx": "networkx"}
TOLERANCE = {"rmat": 1e-8, "site": 1e-10}
SOLVES = {"rmat": 1, "site": 5}  # in each round
MOST_FOR_NETWORKX = 3_000_000  # links; more would take it minutes
GOALS = [  # what, graph, figure, peer, how many times faster at the least, and what would be splendid
    ("random web, solve: 4 times as fast as igraph", "rmat", "solve", "igraph", 4, 8),
    ("random web, solve: 1.5 times as fast as a csr loop", "rmat", "solve", "scipy", 1.5, 3),
]

Figures = dict[str, Any]


def measure(options: Namespace) -> Figures:
    """Everything there is to measure, by graph and program."""
    found: Figures = {"graphs": {}}
    files = {"rmat": webgraphs.rmat(options.pages, options.links)}
    files["site"], found["load"] = webgraphs.site(options.sites)
    for name, file in files.items():
        pages, links = webgraphs.size(file)
        programs = [program for program in options.programs if program != "networkx" or links <= MOST_FOR_NETWORKX]
        found["graphs"][name] = {"pages": pages, "links": links, "programs": race(name, file, programs, options.repeat)}
    say("our other rankings ...")
    kin = [ranker.work("minisearch kin", files["rmat"], TOLERANCE["rmat"], 1) for _ in range(options.repeat)]
    found["kin"] = {figure: median(one[figure] for one in kin) for figure in kin[0]}
    found["sites"] = options.sites
    return found


def race(name: str, file: Path, programs: list[str], rounds: int) -> Figures:
    """Medians over rounds, each of which goes through all programs."""
    runs: dict[str, list[Any]] = {program: [] for program in programs}
    for turn in range(rounds):
        for program in programs:
            say(f"{name}: {program}, round {turn + 1} of {rounds}")
            runs[program].append(ranker.work(program, file, TOLERANCE[name], SOLVES[name]))
    figures = {}
    for program, done in runs.items():
        solves = [seconds for one in done for seconds in one["solve"]]
        setup = median(one["set-up"] for one in done)
        figures[program] = {
            "solve": median(solves),
            "set-up": setup,
            "both": setup + median(solves),
            "memory": median(one["memory"] for one in done),
            "residual": max(one["residual"] for one in done),
            "all solves": solves,
        }
    return figures


# -- tables ----------------------------------------------------------------------------------


def tables(figures: Figures) -> str:
    """All of it."""
    parts = []
    for name, graph in figures["graphs"].items():
        what = "random web (RMAT)" if name == "rmat" else f"links of {', '.join(figures['sites'])}"
        parts.append(
            f"{what}: {graph['pages']:,} pages, {graph['links']:,} links, to a change of {TOLERANCE[name]:.0e}"
        )
        rows = [row(program, found, graph["programs"]) for program, found in graph["programs"].items()]
        head = ["", "solve s", "set-up s", "memory MB", "true residual", "minisearch's solve", "with set-up"]
        parts.append(table(head, rows))
    kin, load = figures["kin"], figures["load"]
    rate = load["seconds"] / max(load["rows"], 1) * 1e6
    parts.append(
        "A pass over the links: "
        + ", ".join(f"{name} {number(kin[f'{name} pass'] * 1000)} ms" for name in ("pagerank", "trustrank", "hits"))
        + f". A million steps of the surfer: {number(kin['surfer'])} s. "
        f"Loading links from the file: {number(rate)} s a million ({load['rows']:,} links)."
    )
    return "\n\n".join([*parts, "The goals:", goals(figures, rate)])


def row(program: str, found: Figures, all_found: Figures) -> list[str]:
    """The figures of one program, and how many times as long it took as minisearch."""
    ours = all_found.get("minisearch")
    ratios = [f"{number(found[figure] / ours[figure])}x" if ours else "-" for figure in ("solve", "both")]
    return [
        PROGRAMS[program],
        number(found["solve"]),
        number(found["set-up"]),
        number(found["memory"] / 1e6),
        f"{found['residual']:.1e}",
        *ratios,
    ]


def goals(figures: Figures, rate: float) -> str:
    """Which goals are met."""
    rows = []
    for goal, graph, figure, peer, least, splendid in GOALS:
        programs = figures["graphs"][graph]["programs"]
        if peer in programs and "minisearch" in programs:
            ratio = programs[peer][figure] / programs["minisearch"][figure]
            rows.append([goal, f"{number(ratio)}x", met(ratio >= least), met(ratio >= splendid)])
    if "minisearch" in figures["graphs"]["rmat"]["programs"]:
        memory = figures["graphs"]["rmat"]["programs"]["minisearch"]["memory"] / 1e9
        rows.append(["random web: memory below 1 GB", f"{number(memory)} GB", met(memory < 1), "-"])
    kin = figures["kin"]
    slowest = max(kin["trustrank pass"], kin["hits pass"]) / kin["pagerank pass"]
    rows.append(
        ["HITS and TrustRank at the rate of PageRank", f"{number(slowest)} times its pass", met(slowest < 2), "-"]
    )
    rows.append(["a million steps of the surfer: 2 s", f"{number(kin['surfer'])} s", met(kin["surfer"] < 2), "-"])
    rows.append(["loading: 1 s a million links", f"{number(rate)} s", met(rate < 1), "-"])
    return table(["goal", "measured", "", "and beyond"], rows)


def met(yes: bool) -> str:
    """In words."""
    return "met" if yes else "**not met**"
