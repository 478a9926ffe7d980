"""How fast sites are crawled: minisearch beside Scrapy, the same pages from nginx on loopback, round by round.

Rounds go through all crawlers in turn, so that a busy minute of the machine affects all of them; medians are reported.
"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from statistics import median
from typing import Any

from bench import crawler, frontier, nginx
from bench.crawlers import TITLES, Job
from bench.packages import page_files
from bench.places import BENCH, say
from bench.report import number, table

SITES = "python3.11-doc,rust-doc"
AVOIDED = {"rust-doc": ("core/arch/", "core/core_arch/", "src/")}  # which leaves some 4,000 pages of 32,000
MILLION = 1_000_000
SPEED = [("scrapy", 10, 15), ("tuned", 1.1, 1.5)]  # peer, how many times as fast: the budget and the aim
MOST_MEMORY, MOST_FOR_FRONTIER = 400, 500  # MB
SAME = 1.5  # a step may take so many times as long with a million urls as with a few, and count as not slowed

STORED = (
    "All begin at index.html, keep to the site, and store the url, the title and the visible text of each page and a "
    "row for each of its different links with its words, up to 64 pages in a transaction. Scrapy stores nothing else; "
    "at its best it does not ask for robots.txt either, and counts pages that only send their readers on. minisearch "
    "also writes down a verdict on every url it met, headings, description, language, charset with the evidence, "
    "fingerprints for merging, and what the server said. "
    "Indexing and ranking are left out."
)

Figures = dict[str, Any]


def measure(options: Namespace) -> Figures:
    """Everything there is to measure, by site and crawler."""
    nginx.program()  # if it is missing, that should be said before anything is fetched
    found: Figures = {"sites": {}, "rounds": options.rounds, "pages": options.pages}
    for site in options.sites:
        with nginx.served(top(page_files(site))) as home:
            found["sites"][site] = race(site, home, options)
    if options.known:
        found["frontier"] = frontier.measure(options.known)
    return found


def top(files: dict[str, Path]) -> Path:
    """The folder that holds all pages of a package.

    >>> top({"library/os.html": Path("/usr/share/doc/html/library/os.html")}).as_posix()
    '/usr/share/doc/html'
    """
    path, file = next(iter(files.items()))
    return file.parents[path.count("/")]


def race(site: str, home: str, options: Namespace) -> Figures:
    """Medians over rounds, each of which goes through all crawlers."""
    avoided = tuple(home + folder for folder in AVOIDED.get(site, ()))
    folder = BENCH / "crawl" / site
    folder.mkdir(parents=True, exist_ok=True)
    runs: dict[str, list[Figures]] = {name: [] for name in options.crawlers}
    for turn in range(options.rounds):
        for name in options.crawlers:
            say(f"{site}: {name}, round {turn + 1} of {options.rounds}")
            runs[name].append(crawler.work(Job(name, str(folder / f"{name}.db"), home, avoided, options.pages)))
    return {name: summary(done) for name, done in runs.items()}


def summary(rounds: list[Figures]) -> Figures:
    """The rounds of one crawler in one: medians, but the most memory.

    >>> rounds = [{"pages": 9, "seconds": s, "whole": s, "memory": m} for s, m in ((1, 7), (3, 5), (9, 6))]
    >>> found = summary(rounds)
    >>> found["pages/s"], found["memory"], found["all pages/s"]
    (3.0, 7, [9.0, 3.0, 1.0])
    """
    rates = [one["pages"] / one["seconds"] for one in rounds]
    return {
        **{figure: median(one[figure] for one in rounds) for figure in rounds[0]},
        "pages/s": median(rates),
        "with start-up": median(one["pages"] / one["whole"] for one in rounds),
        "memory": max(one["memory"] for one in rounds),
        "all pages/s": rates,
    }


# -- tables ----------------------------------------------------------------------------------


def tables(figures: Figures) -> str:
    """All of it."""
    parts = [rates(figures["sites"])]
    if figures["pages"]:
        parts.append(
            f"This was only a try: each crawler stopped after about {figures['pages']:,} pages, which are not the same "
            "for all of them."
        )
    parts += ["What each of them did (medians), and stored into SQLite:", work(figures["sites"]), STORED]
    if "frontier" in figures:
        parts += ["A crawl with many known urls (no network; memory of the process):", growth(figures["frontier"])]
    return "\n\n".join([*parts, "The goals:", goals(figures)])


def rates(sites: Figures) -> str:
    """Pages a second, and how many times as fast minisearch is."""
    head, rows = [""], []
    for site, found in sites.items():
        pages = max(one["pages"] for one in found.values())
        head += [f"{site} ({pages:,.0f} pages): pages/s", "minisearch is"]
    for name in next(iter(sites.values())):
        cells = []
        for found in sites.values():
            ratio = faster(found, name)
            cells += [number(found[name]["pages/s"]), f"{number(ratio)}x" if ratio and name != "minisearch" else ""]
        memory = max(found[name]["memory"] for found in sites.values())
        rows.append([TITLES[name], *cells, number(memory / 1e6)])
    return table([*head, "peak memory MB, all processes"], rows)


def faster(found: Figures, peer: str) -> float | None:
    """How many times as fast as a peer minisearch is; None if it did not take part."""
    return float(found["minisearch"]["pages/s"] / found[peer]["pages/s"]) if "minisearch" in found else None


def work(sites: Figures) -> str:
    """What was done, so that one can see that it was the same."""
    head = ["", "", "pages", "M characters", "links", "file MB", "s", "s with start-up", "CPU s", "processes"]
    rows = []
    for site, crawlers in sites.items():
        for name, found in crawlers.items():
            counts = [f"{found['pages']:,.0f}", number(found["characters"] / 1e6), f"{found['links']:,.0f}"]
            times = [number(found[figure]) for figure in ("seconds", "whole", "cpu")]
            size, processes = number(found["bytes"] / 1e6), f"{found['processes']:.0f}"
            rows.append([site, TITLES[name], *counts, size, *times, processes])
    return table(head, rows)


def growth(found: Figures) -> str:
    """The frontier in numbers."""
    few, many = (f"{size:,} known" for size in (min(frontier.FEW, found["known"]), found["known"]))
    grown, resumed, judged = found["grow"], found["resume"], found["reconsider"]
    rows = [
        [f"{few}: a step", *steps(grown["few"]), ""],
        [f"{many}: a step", *steps(grown["many"]), number(grown["memory"] / 1e6)],
    ]
    for how, one in (("gone on with", resumed), ("gone on with under other rules", judged)):
        what = f"{many}, {how}: first visit after {number(one['first'])} s"
        rows.append([what, *steps(one["steps"]), number(one["memory"] / 1e6)])
    head = ["", "next url and a page without links, ms", f"a page with {frontier.LINKS} links, ms", "peak memory MB"]
    return table(head, rows)


def steps(found: Figures) -> list[str]:
    """Milliseconds of both kinds of steps."""
    return [number(found[kind] * 1000) for kind in ("bare", "linked")]


def goals(figures: Figures) -> str:
    """Which goals are met."""
    rows = []
    for site, found in figures["sites"].items():
        for peer, budget, aim in SPEED:
            ratio = faster(found, peer) if peer in found else None
            if ratio is not None:
                goal = f"{site}: {budget} times as fast as {TITLES[peer].partition(':')[0]}"
                rows.append([goal, f"{number(ratio)}x", met(ratio >= budget), met(ratio >= aim)])
        if "minisearch" in found:
            memory = max(found[name]["memory"] for name in found if name in ("minisearch", "keeping")) / 1e6
            goal = f"{site}: all processes below {MOST_MEMORY} MB"
            rows.append([goal, f"{number(memory)} MB", met(memory < MOST_MEMORY), "-"])
    if "frontier" in figures:
        rows += frontier_goals(figures["frontier"])
    return table(["budget", "measured", "", "aim"], rows)


def frontier_goals(found: Figures) -> list[list[str]]:
    """Which goals of the frontier are met; with fewer urls than a million there is no telling."""
    known, enough = f"{found['known']:,} known urls", found["known"] >= MILLION
    verdict = met if enough else lambda _: "too few to tell"
    memory = max(found[act]["memory"] for act in ("grow", "resume", "reconsider")) / 1e6
    goal = f"{known}: below {MOST_FOR_FRONTIER} MB"
    rows = [[goal, f"{number(memory)} MB", verdict(memory < MOST_FOR_FRONTIER), "-"]]
    for kind, title in (("bare", "next url"), ("linked", f"page with {frontier.LINKS} links")):
        ratio = found["grow"]["many"][kind] / found["grow"]["few"][kind]
        goal = f"{known}: no slower than {frontier.FEW:,} ({title})"
        rows.append([goal, f"{number(ratio)} times as long", verdict(ratio < SAME), "-"])
    return rows


def met(yes: bool) -> str:
    """In words."""
    return "met" if yes else "**not met**"
