"""Crawl speed: the same site from nginx on loopback, by minisearch and Scrapy, in interleaved rounds.

Figures are medians of the rounds.
"""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from bench import DATA, crawlers, frontier, nginx, runner
from bench.corpus import common_folder, html_files
from bench.crawlers import MODULES, TITLES, Job, stored
from bench.report import budget_table, number, table, verdict

SITES = "python3.11-doc,rust-doc"
EXCLUDED = {"rust-doc": ("core/arch/", "core/core_arch/", "src/")}  # leaves some 4,000 of 32,000 pages
SPEED = [("scrapy", 10, 15), ("tuned", 1.1, 1.5)]  # peer, budget and aim: how many times as fast
MAX_MEMORY, MAX_FRONTIER_MEMORY = 400, 500  # MB
MAX_SLOWDOWN = 1.5  # of a step with a full frontier
FULL_FRONTIER = 1_000_000  # URLs from which the budgets of the frontier hold

STORED = (
    "All start at index.html, stay on the site, and store the URL, the title and the visible text of each page and a "
    "row for each distinct link with its anchor text, up to 64 pages in a transaction. Scrapy stores nothing else; "
    "when tuned it does not read robots.txt either, and counts pages that only redirect. minisearch also stores a "
    "status for every discovered URL, headings, description, language, charset with the evidence, fingerprints for "
    "duplicates, and response headers. Indexing and ranking are not included."
)

Figures = dict[str, Any]


def measure(options: Namespace) -> Figures:
    """Measure each crawler on each site, and the frontier."""
    nginx.find()  # if it is missing, exit before anything is downloaded
    found: Figures = {"sites": {}, "rounds": options.rounds, "pages": options.pages}
    for site in options.sites:
        with nginx.serve(common_folder(html_files(site))) as home:
            crawl_site = partial(crawl, site=site, home=home, pages=options.pages)
            results = runner.rounds(site, options.crawlers, options.rounds, crawl_site)
        found["sites"][site] = {name: summary(done) for name, done in results.items()}
    if options.known:
        found["frontier"] = frontier.measure(options.known)
    return found


def crawl(name: str, *, site: str, home: str, pages: int | None) -> Figures:
    """Crawl a site in a child process."""
    file = DATA / "crawl" / site / f"{name}.db"
    file.parent.mkdir(parents=True, exist_ok=True)
    return run_job(Job(name, str(file), home, tuple(home + folder for folder in EXCLUDED.get(site, ())), pages))


def run_job(job: Job) -> Figures:
    """Run a job in a child process; returns its resources and what it stored."""
    file = Path(job.file)
    for leftover in file.parent.glob(f"{file.name}*"):
        leftover.unlink()
    used = runner.call_measured(runner.interpreter(MODULES[job.crawler]), crawlers.crawl, *job)
    done = {**used, **stored(job.crawler, file)}
    if not done["pages"]:
        raise runner.Failed(f"{job.crawler} found no page at {job.seed}")
    return done


def summary(rounds: list[Figures]) -> Figures:
    """Medians of the rounds of one crawler, but the peak of their memory.

    >>> rounds = [{"pages": 9, "seconds": s, "whole": s, "memory": m} for s, m in ((1, 7), (3, 5), (9, 6))]
    >>> found = summary(rounds)
    >>> found["pages/s"], found["memory"], found["all pages/s"]
    (3.0, 7, [9.0, 3.0, 1.0])
    """
    rates = [one["pages"] / one["seconds"] for one in rounds]
    return {
        **{figure: median(one[figure] for one in rounds) for figure in rounds[0]},
        "pages/s": median(rates),
        "memory": max(one["memory"] for one in rounds),
        "all pages/s": rates,
    }


# -- tables ----------------------------------------------------------------------------------


def tables(figures: Figures) -> str:
    """Speed, amount of work, the frontier, and the budgets."""
    parts = [speed_table(figures["sites"])]
    if figures["pages"]:
        parts.append(
            f"This was only a trial: each crawler stopped after about {figures['pages']:,} pages, which are not the "
            "same for all of them."
        )
    parts += ["Work done and stored in SQLite (medians):", work_table(figures["sites"]), STORED]
    if "frontier" in figures:
        title = "A crawl with many known URLs (no network; memory of the process):"
        parts += [title, frontier_table(figures["frontier"])]
    return "\n\n".join([*parts, budgets(figures)])


def speed_table(sites: Figures) -> str:
    """Pages a second, and how many times as fast minisearch is."""
    head, rows = [""], []
    for site, found in sites.items():
        pages = max(one["pages"] for one in found.values())
        head += [f"{site} ({pages:,.0f} pages): pages/s", "minisearch is"]
    for name in next(iter(sites.values())):
        cells = []
        for found in sites.values():
            ratio = speed_ratio(found, name)
            cells += [number(found[name]["pages/s"]), f"{number(ratio)}x" if ratio and name != "minisearch" else ""]
        memory = max(found[name]["memory"] for found in sites.values())
        rows.append([TITLES[name], *cells, number(memory / 1e6)])
    return table([*head, "peak memory MB, all processes"], rows)


def speed_ratio(found: Figures, peer: str) -> float | None:
    """How many times as fast as a peer minisearch is; None if it did not take part."""
    return float(found["minisearch"]["pages/s"] / found[peer]["pages/s"]) if "minisearch" in found else None


def work_table(sites: Figures) -> str:
    """The amount of work, to check that it is the same for all crawlers."""
    head = ["", "", "pages", "M characters", "links", "file MB", "s", "s with start-up", "CPU s", "processes"]
    rows = []
    for site, by_crawler in sites.items():
        for name, found in by_crawler.items():
            counts = [f"{found['pages']:,.0f}", number(found["characters"] / 1e6), f"{found['links']:,.0f}"]
            times = [number(found[figure]) for figure in ("seconds", "whole", "cpu")]
            rows.append(
                [site, TITLES[name], *counts, number(found["bytes"] / 1e6), *times, f"{found['processes']:.0f}"]
            )
    return table(head, rows)


def frontier_table(found: Figures) -> str:
    """Time of a step and memory, with few and many known URLs."""
    few, many = (f"{size:,} known" for size in (min(frontier.FEW, found["known"]), found["known"]))
    rows = [
        [f"{few}: a step", *step_cells(found["grow"]["few"]), ""],
        [f"{many}: a step", *step_cells(found["grow"]["many"]), number(found["grow"]["memory"] / 1e6)],
    ]
    for name, one in (("resumed", found["resume"]), ("resumed with other rules", found["resume_with_rules"])):
        title = f"{many}, {name}: first visit after {number(one['first'])} s"
        rows.append([title, *step_cells(one["steps"]), number(one["memory"] / 1e6)])
    head = ["", "next URL and a page without links, ms", f"a page with {frontier.LINKS} links, ms", "peak memory MB"]
    return table(head, rows)


def step_cells(found: Figures) -> list[str]:
    """Milliseconds of both kinds of steps."""
    return [number(found[kind] * 1000) for kind in ("bare", "linked")]


def budgets(figures: Figures) -> str:
    """Which budgets and aims are met."""
    rows = []
    for site, found in figures["sites"].items():
        if "minisearch" in found:
            for peer, budget, aim in SPEED:
                if peer in found:
                    ratio = speed_ratio(found, peer) or 0.0
                    title = f"{site}: {budget} times as fast as {TITLES[peer].partition(':')[0]}"
                    rows.append([title, f"{number(ratio)}x", verdict(ratio >= budget), verdict(ratio >= aim)])
            memory = max(found[name]["memory"] for name in found if MODULES[name] == "minisearch") / 1e6
            title = f"{site}: all processes below {MAX_MEMORY} MB"
            rows.append([title, f"{number(memory)} MB", verdict(memory < MAX_MEMORY), "-"])
    if "frontier" in figures:
        rows += frontier_budgets(figures["frontier"])
    return budget_table(rows)


def frontier_budgets(found: Figures) -> list[list[str]]:
    """Which budgets of the frontier are met, if it is large enough to tell."""
    known = f"{found['known']:,} known URLs"

    def judge(met: bool) -> str:
        return verdict(met) if found["known"] >= FULL_FRONTIER else "too few to tell"

    memory = max(found[stage]["memory"] for stage in frontier.STAGES) / 1e6
    title = f"{known}: below {MAX_FRONTIER_MEMORY} MB"
    rows = [[title, f"{number(memory)} MB", judge(memory < MAX_FRONTIER_MEMORY), "-"]]
    for kind, step in (("bare", "next URL"), ("linked", f"page with {frontier.LINKS} links")):
        ratio = found["grow"]["many"][kind] / found["grow"]["few"][kind]
        title = f"{known}: no slower than {frontier.FEW:,} ({step})"
        rows.append([title, f"{number(ratio)} times as long", judge(ratio < MAX_SLOWDOWN), "-"])
    return rows
