"""How cost grows: pages for crawl, index and search, links for rank, and one worker or two.

What comes of it on paper, for webs that no bench can hold, is told by bench/scalereport.py.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from bench.memory import Watch
from bench.nginx import served
from bench.places import BENCH, OURS, ROOT, say

FOLDER = BENCH / "scale"
LINKS_A_PAGE = 10
WORDS = 20_000  # of the language that the pages are written in
WORDS_A_PAGE = 300
QUERIES = 100
SYLLABLES = [consonant + vowel for consonant in "bcdfghjklmnpqrstvwxz" for vowel in "aeiou"]

Figures = dict[str, Any]


def measure(options: Namespace) -> Figures:
    """Everything that was asked for."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    by = str(options.threads)
    found: Figures = {"rank": [{"threads": options.threads, **ranked(links, by)} for links in options.links]}
    found["workers"] = []
    for by in options.workers:
        if by == "crawl":
            found["workers"] += crawled_by(options.workers_pages)
            continue
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


@contextmanager
def site_of(pages: int) -> Iterator[tuple[str, Path, list[str]]]:
    """A made-up site of so many pages while it is served: where it begins, a database for it, and queries."""
    site, database = FOLDER / f"site-{pages}", FOLDER / f"site-{pages}.db"
    try:
        queries = write_site(site, pages)
        with served(site) as base:
            yield base + address(0), database, queries
    finally:
        shutil.rmtree(site, ignore_errors=True)
        forget(database)


def forget(database: Path) -> None:
    """Remove a database and what SQLite keeps beside it."""
    for file in FOLDER.glob(f"{database.name}*"):
        file.unlink()


def crawled(pages: int, database: Path, first: str, workers: str) -> Figures:
    """A site crawled; every page of it has to have arrived, or the figures would be those of a smaller one."""
    found = work("crawl", str(database), first, workers)
    if found["pages"] != pages:
        raise SystemExit(f"of {pages:,} pages {found['pages']:,} were fetched: this crawl cannot be compared")
    return found


def crawled_by(pages: int) -> list[Figures]:
    """The same site crawled by one worker, then by two."""
    say(f"a site of {pages:,} pages, crawled by one worker and by two ...")
    runs = []
    with site_of(pages) as (first, database, _):
        for count in (1, 2):
            runs.append({"by": "crawl", "count": count, **crawled(pages, database, first, str(count))})
            forget(database)
    return runs


def staged(pages: int) -> Figures:
    """A made-up site of so many pages, crawled, indexed and searched."""
    say(f"a site of {pages:,} pages: crawl, index, search ...")
    found: Figures = {"pages": pages}
    with site_of(pages) as (first, database, queries):
        found["crawl"] = crawled(pages, database, first, "auto")
        found["index"] = work("index", str(database))
        found["search"] = work("search", str(database), json.dumps(queries))
    return found


def word(number: int) -> str:
    """The word of a number, in letters only: what has digits in it would be taken for an id.

    >>> word(0), word(7), word(123456)
    ('babababa', 'cibababa', 'pejudiba')
    """
    parts = []
    for _ in range(4):
        number, rest = divmod(number, len(SYLLABLES))
        parts.append(SYLLABLES[rest])
    return "".join(parts)


def address(page: int) -> str:
    """Where a page of the site is; a thousand of them to a folder.

    >>> address(1234)
    'bebababa/judibaba.html'
    """
    return f"{word(page // 1000)}/{word(page)}.html"


def write_site(folder: Path, pages: int) -> list[str]:
    """Pages of words drawn by Zipf's law that link to each other and to those after them; and queries for them."""
    dice = np.random.default_rng(1)
    words = np.array([word(7919 * number % len(SYLLABLES) ** 4) for number in range(WORDS)])
    for page in range(pages):
        text = words[np.minimum(dice.zipf(1.2, WORDS_A_PAGE), WORDS) - 1]
        onward = [page * 4 + n for n in range(1, 5) if page * 4 + n < pages]  # so that all are reached in few steps
        targets = [*onward, *dice.integers(0, pages, LINKS_A_PAGE - len(onward)).tolist()]
        links = "".join(f'<p><a href="/{address(target)}">{words[target % WORDS]}</a></p>' for target in targets)
        file = folder / address(page)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"<title>{' '.join(text[:4])}</title><p>{' '.join(text)}</p>{links}", "utf-8")
    return [" ".join(words[np.minimum(dice.zipf(1.2, 1 + n % 3) + 20, WORDS) - 1]) for n in range(QUERIES)]
