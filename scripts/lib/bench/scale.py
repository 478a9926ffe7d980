"""How cost grows: pages for crawl, index and search, links for rank, and one worker or two; with the law it follows."""

from __future__ import annotations

import json
import shutil
import subprocess
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.memory import Watch
from bench.nginx import served
from bench.places import BENCH, OURS, ROOT, say
from bench.report import number, table

FOLDER = BENCH / "scale"
LINKS_A_PAGE = 10
WORDS = 20_000  # of the language that the pages are written in
WORDS_A_PAGE = 300
QUERIES = 100
STAGES = ("crawl", "index", "search")
MILLION = 1_000_000
MB = 1e6

Figures = dict[str, Any]


def measure(options: Namespace) -> Figures:
    """Everything that was asked for."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    found: Figures = {"rank": [ranked(links, str(options.threads)) for links in options.links]}
    found["workers"] = []
    for by in options.workers:
        for count in (1, 2):
            name = f"local:{count}" if by == "cluster" else str(count)
            found["workers"].append({"by": by, "count": count, **ranked(options.workers_links, name)})
    found["stages"] = [staged(pages) for pages in options.pages]
    return found


def work(*words: str) -> Figures:
    """One piece of work in a process of its own: what it tells, and the most memory that it held."""
    command = [str(OURS), "-P", "-m", "bench.scaler", *words]
    environment = {"PYTHONPATH": str(ROOT / "scripts" / "lib"), "PATH": "/usr/bin:/bin:/usr/sbin"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        with Watch(process) as watch:
            told, _ = process.communicate()
        if process.returncode:
            raise SystemExit(f"{' '.join(words)} failed")
    return {**json.loads(told), "memory": watch.peak}


def ranked(links: int, by: str) -> Figures:
    """A random web with about so many links, ranked out of core."""
    pages = max(links // LINKS_A_PAGE, 2)
    folder = FOLDER / f"rmat-{pages}"
    say(f"ranking {links:,} links between {pages:,} pages out of core, by {by} ...")
    try:
        found = work("rank", str(pages), str(links), str(folder), by)
        found["disk"] = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return found


def staged(pages: int) -> Figures:
    """A made-up site of so many pages, crawled, indexed and searched."""
    say(f"a site of {pages:,} pages: crawl, index, search ...")
    site, database = FOLDER / f"site-{pages}", FOLDER / f"site-{pages}.db"
    queries = json.dumps(write_site(site, pages))
    found: Figures = {"pages": pages}
    try:
        with served(site) as base:
            found["crawl"] = work("crawl", str(database), f"{base}/0/0.html")
        found["index"] = work("index", str(database), "")
        found["search"] = work("search", str(database), queries)
    finally:
        shutil.rmtree(site, ignore_errors=True)
        for file in FOLDER.glob(f"{database.name}*"):
            file.unlink()
    return found


def write_site(folder: Path, pages: int) -> list[str]:
    """Pages of words drawn by Zipf's law that link to each other and to those after them; and queries for them."""
    dice = np.random.default_rng(1)
    words = np.array([f"{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}w{n}" for n in range(WORDS)])

    def address(page: int) -> str:
        return f"/{page // 1000}/{page}.html"

    for page in range(pages):
        text = words[np.minimum(dice.zipf(1.2, WORDS_A_PAGE), WORDS) - 1]
        onward = [page * 4 + n for n in range(1, 5) if page * 4 + n < pages]  # so that all are reached in few steps
        targets = [*onward, *dice.integers(0, pages, LINKS_A_PAGE - len(onward)).tolist()]
        links = "".join(f'<p><a href="{address(target)}">{words[target % WORDS]}</a></p>' for target in targets)
        file = folder / address(page)[1:]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"<title>{' '.join(text[:4])}</title><p>{' '.join(text)}</p>{links}", "utf-8")
    return [" ".join(words[np.minimum(dice.zipf(1.2, 1 + n % 3) + 20, WORDS) - 1]) for n in range(QUERIES)]


def law(sizes: Sequence[float], costs: Sequence[float]) -> tuple[float, float]:
    """(a, b) of the law cost = a * size ** b that fits best.

    >>> [round(part, 6) for part in law([10, 100, 1000], [20, 200, 2000])]
    [2.0, 1.0]
    """
    if len(sizes) < 2:
        return (costs[0] / sizes[0], 1.0) if len(sizes) else (0.0, 1.0)
    exponent, start = np.polyfit(np.log(sizes), np.log(costs), 1)
    return float(np.exp(start)), float(exponent)


def tables(figures: Figures) -> str:
    """The tables, and the laws."""
    parts = []
    if figures["rank"]:
        parts += [_rank_table(figures["rank"]), ""]
    if figures["workers"]:
        head = ["workers", "rank s", "processor s", "memory MB"]
        rows = [
            [f"{one['count']} {one['by']}", number(one["rank"]), number(one["processor"]), number(one["memory"] / MB)]
            for one in figures["workers"]
        ]
        links = figures["workers"][0]["links"]
        parts += [f"one worker or two, {links:,} links", table(head, rows), ""]
    if figures["stages"]:
        parts += [_stage_table(figures["stages"])]
    return "\n".join(parts).rstrip()


def _rank_table(runs: list[Figures]) -> str:
    head = ["links", "pages", "blocks", "cut s", "rank s", "rounds", "s a round", "processor s", "memory MB", "disk MB"]
    rows = [
        [
            f"{one['links']:,}",
            f"{one['pages']:,}",
            str(one["blocks"]),
            number(one["cut"]),
            number(one["rank"]),
            str(one["rounds"]),
            number(one["rank"] / one["rounds"]),
            number(one["processor"]),
            number(one["memory"] / MB),
            number(one["disk"] / MB),
        ]
        for one in runs
    ]
    links = [one["links"] for one in runs]
    spent, power = law(links, [one["rank"] / one["rounds"] for one in runs])
    said = f"a round takes {spent * MILLION**power:.3g} s for a million links, growing to the {power:.2f}"
    return "\n".join(["rank, out of core", table(head, rows), said])


def _stage_table(runs: list[Figures]) -> str:
    head = ["pages", "crawl s", "index s", "query ms, p50", "query ms, p99", "file MB", "index memory MB"]
    rows = [
        [
            f"{one['pages']:,}",
            number(one["crawl"]["seconds"]),
            number(one["index"]["seconds"]),
            number(1000 * one["search"]["seconds"]),
            number(1000 * one["search"]["p99"]),
            number(one["index"]["bytes"] / MB),
            number(one["index"]["memory"] / MB),
        ]
        for one in runs
    ]
    pages = [one["pages"] for one in runs]
    said = []
    for stage in STAGES:
        cost, power = law(pages, [one[stage]["seconds"] for one in runs])
        said.append(f"{stage}: {cost * MILLION**power:.3g} s for a million pages, growing to the {power:.2f}")
    return "\n".join(["crawl, index, search", table(head, rows), *said])
