"""How cost grows: pages for crawl, index and search, links for rank, and one worker or two.

A run takes minutes. Every step is saved as soon as it is measured: a stopped or failed run is resumed by the same
command.
"""

from __future__ import annotations

import json
import shutil
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from bench import DATA, log, nginx, workloads
from bench.extrapolation import fit, requirements_table
from bench.report import number, table
from bench.runner import MINISEARCH, Failed, call_measured

FOLDER = DATA / "scale"
CHECKPOINT = FOLDER / "checkpoint.json"
LINKS_A_PAGE = 10
VOCABULARY = 20_000  # words
WORDS_A_PAGE = 300
QUERIES = 100
START, LINK, CRAWL, PAGE = 3.0, 1.5e-6, 0.004, 0.006  # rough seconds of a step, and for each unit, to estimate the rest
SYLLABLES = [consonant + vowel for consonant in "bcdfghjklmnpqrstvwxz" for vowel in "aeiou"]
MILLION = 1_000_000
MB = 1e6

Figures = dict[str, Any]


# -- steps -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """A part of the run that is measured and saved on its own."""

    section: str  # of the report
    name: str
    seconds: float  # estimated
    measure: Callable[[], Figures]


def measure(options: Namespace) -> Figures:
    """Measure all steps; those that could not be measured are listed under "missing"."""
    return {"rank": [], "workers": [], "stages": [], **run_steps(plan(options))}


def plan(options: Namespace) -> list[Step]:
    """The steps, small ones first."""
    threads, pages, links = options.threads, options.workers_pages, options.workers_links
    steps = [
        Step("rank", f"rank {size:,} links by {threads} threads", LINK * size, partial(rank, size, threads))
        for size in options.links
    ]
    for kind, count in product(options.workers, (1, 2)):
        if kind == "crawl":
            name, seconds = f"crawl {pages:,} pages by {count} workers", CRAWL * pages
        else:
            name, seconds = f"rank {links:,} links by {count} of {kind}", LINK * links
        steps.append(Step("workers", name, seconds, partial(use_workers, kind, count, pages=pages, links=links)))
    return steps + [
        Step("stages", f"crawl, index and search {size:,} pages", PAGE * size, partial(run_stages, size))
        for size in options.pages
    ]


def run_steps(steps: list[Step]) -> Figures:
    """Measure the steps that the checkpoint does not have; returns the figures of each section."""
    CHECKPOINT.parent.mkdir(parents=True, exist_ok=True)
    done: dict[str, Figures] = json.loads(CHECKPOINT.read_text("utf-8")) if CHECKPOINT.exists() else {}
    left = [step for step in steps if step.name not in done]
    if len(left) < len(steps):
        log(f"{len(steps) - len(left)} of {len(steps)} are measured: remove {CHECKPOINT} to measure them again")
    estimated = spent = 0.0
    try:
        for number, step in enumerate(left):
            remaining = sum(START + each.seconds for each in left[number:]) * (spent / estimated if estimated else 1)
            progress = f"{len(steps) - len(left) + number + 1} of {len(steps)}, {rough_time(remaining)} to go"
            log(f"{step.name} ... ({progress})")
            began = time.monotonic()
            try:
                done[step.name] = step.measure()
            except Failed as failure:
                log(f"{step.name} failed: {failure}")
                continue
            CHECKPOINT.write_text(json.dumps(done), "utf-8")
            spent, estimated = spent + time.monotonic() - began, estimated + START + step.seconds
    except KeyboardInterrupt:
        log("interrupted: run the same command to resume")
    found: Figures = {step.section: [] for step in steps}
    for step in steps:
        if step.name in done:
            found[step.section].append(done[step.name])
    found["missing"] = [step.name for step in steps if step.name not in done]
    if not found["missing"]:
        CHECKPOINT.unlink(missing_ok=True)
    return found


def rough_time(seconds: float) -> str:
    """A time in minutes.

    >>> rough_time(20), rough_time(100), rough_time(2000)
    ('less than a minute', 'about 2 minutes', 'about 33 minutes')
    """
    return "less than a minute" if seconds < 45 else f"about {max(round(seconds / 60), 1)} minutes"


def rank(links: int, workers: int | str) -> Figures:
    """Rank a random graph out of core, with this many threads or "local:N"."""
    pages = max(links // LINKS_A_PAGE, 2)
    folder = FOLDER / f"rmat-{pages}"
    try:
        found = call_measured(MINISEARCH, workloads.rank, pages, links, folder, str(workers))
        found["disk"] = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return {**found, "threads": workers}


def use_workers(kind: str, count: int, *, pages: int, links: int) -> Figures:
    """Crawl or rank with this many workers of a kind."""
    if kind == "crawl":
        with synthetic_site(pages) as (url, database, _):
            found = crawl(pages, database, url, count)
    else:
        found = rank(links, f"local:{count}" if kind == "cluster" else count)
    return {**found, "by": kind, "count": count}


def run_stages(pages: int) -> Figures:
    """Crawl, index and search a synthetic site."""
    with synthetic_site(pages) as (url, database, queries):
        return {
            "pages": pages,
            "crawl": crawl(pages, database, url, None),
            "index": call_measured(MINISEARCH, workloads.index, database),
            "search": call_measured(MINISEARCH, workloads.search, database, queries),
        }


def crawl(pages: int, database: Path, url: str, workers: int | None) -> Figures:
    """Crawl a site of this many pages; a crawl that misses some cannot be compared."""
    found = call_measured(MINISEARCH, workloads.crawl, database, url, workers)
    if found["pages"] != pages:
        raise Failed(f"{found['pages']:,} of {pages:,} pages were fetched, which cannot be compared")
    return found


# -- the synthetic site ----------------------------------------------------------------------


@contextmanager
def synthetic_site(pages: int) -> Iterator[tuple[str, Path, list[str]]]:
    """Serve a synthetic site; gives its first URL, a path for its database, and queries."""
    site, database = FOLDER / f"site-{pages}", FOLDER / f"site-{pages}.db"
    try:
        queries = write_site(site, pages)
        with nginx.serve(site) as base:
            yield base + page_path(0), database, queries
    finally:
        shutil.rmtree(site, ignore_errors=True)
        for file in FOLDER.glob(f"{database.name}*"):
            file.unlink()


def write_site(folder: Path, pages: int) -> list[str]:
    """Write pages of words that follow Zipf's law and link to random and to later pages; returns queries for them."""
    rng = np.random.default_rng(1)
    words = np.array([word(7919 * number % len(SYLLABLES) ** 4) for number in range(VOCABULARY)])
    for page in range(pages):
        text = words[np.minimum(rng.zipf(1.2, WORDS_A_PAGE), VOCABULARY) - 1]
        later = [page * 4 + n for n in range(1, 5) if page * 4 + n < pages]  # makes all pages reachable in few steps
        targets = [*later, *rng.integers(0, pages, LINKS_A_PAGE - len(later)).tolist()]
        links = "".join(f'<p><a href="/{page_path(target)}">{words[target % VOCABULARY]}</a></p>' for target in targets)
        file = folder / page_path(page)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"<title>{' '.join(text[:4])}</title><p>{' '.join(text)}</p>{links}", "utf-8")
    return [" ".join(words[np.minimum(rng.zipf(1.2, 1 + n % 3) + 20, VOCABULARY) - 1]) for n in range(QUERIES)]


def page_path(page: int) -> str:
    """The path of a page; a folder holds a thousand.

    >>> page_path(1234)
    'bebababa/judibaba.html'
    """
    return f"{word(page // 1000)}/{word(page)}.html"


def word(number: int) -> str:
    """The word of a number, without digits, which minisearch would take for an identifier.

    >>> word(0), word(7), word(123456)
    ('babababa', 'cibababa', 'pejudiba')
    """
    syllables = []
    for _ in range(4):
        number, remainder = divmod(number, len(SYLLABLES))
        syllables.append(SYLLABLES[remainder])
    return "".join(syllables)


# -- tables ----------------------------------------------------------------------------------


def tables(figures: Figures) -> str:
    """A table for each section, and what larger webs would need."""
    ranks, stages = figures["rank"], figures["stages"]
    sections = [(rank_table, ranks), (worker_table, figures["workers"]), (stage_table, stages)]
    parts = [make(runs) for make, runs in sections if runs]
    if ranks and stages:
        parts.append(requirements_table(ranks, stages, WORDS_A_PAGE, LINKS_A_PAGE))
    return "\n\n".join(parts)


def rank_table(runs: list[Figures]) -> str:
    """PageRank out of core for each number of links."""
    head = ["links", "pages", "blocks", "cut s", "rank s", "iterations", "s an iteration", "CPU s", "memory MB"]
    iteration = [one["rank"] / one["rounds"] for one in runs]
    rows = [
        [
            *(f"{one[size]:,}" for size in ("links", "pages", "blocks")),
            *map(number, (one["cut"], one["rank"])),
            str(one["rounds"]),
            *map(number, (seconds, one["cpu"], one["memory"] / MB, one["disk"] / MB)),
        ]
        for one, seconds in zip(runs, iteration, strict=True)
    ]
    growth = growth_line("an iteration", "links", [one["links"] for one in runs], iteration)
    return "\n".join(["rank, out of core", table([*head, "disk MB"], rows), growth])


def worker_table(runs: list[Figures]) -> str:
    """The same work by one worker and by two."""
    rows = []
    for one in runs:
        if one["by"] == "crawl":
            cells = [f"{one['count']} process", f"crawl {one['pages']:,} pages", number(one["seconds"])]
        else:
            cells = [f"{one['count']} {one['by']}", f"rank {one['links']:,} links", number(one["rank"])]
        rows.append([*cells, number(one["cpu"]), number(one["memory"] / MB)])
    return "\n".join(["one worker or two", table(["workers", "work", "s", "CPU s", "memory MB"], rows)])


def stage_table(runs: list[Figures]) -> str:
    """Crawl, index and search for each number of pages."""
    head = ["pages", "crawl s", "CPU s", "index s", "CPU s", "query ms, p50", "p99", "file MB", "memory MB"]
    stages = ("crawl", "index", "search")
    rows = [
        [
            f"{one['pages']:,}",
            *(number(one[stage][figure]) for stage in ("crawl", "index") for figure in ("seconds", "cpu")),
            *(number(1000 * one["search"][figure]) for figure in ("seconds", "p99")),
            number(one["index"]["bytes"] / MB),
            number(max(one[stage]["memory"] for stage in stages) / MB),
        ]
        for one in runs
    ]
    pages = [one["pages"] for one in runs]
    growth = [growth_line(stage, "pages", pages, [one[stage]["seconds"] for one in runs]) for stage in stages]
    return "\n".join(["crawl, index, search", table(head, rows), *growth])


def growth_line(what: str, unit: str, sizes: list[int], costs: list[float]) -> str:
    """The power law that fits the costs best, as a sentence."""
    factor, exponent = fit(sizes, costs)
    return f"{what}: {factor * MILLION**exponent:.3g} s for a million {unit}, with exponent {exponent:.2f}"
