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
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from bench.memory import Watch
from bench.nginx import served
from bench.pieces import Failed, Piece, carried_out
from bench.places import OURS, ROOT, SCALE

LINKS_A_PAGE = 10
WORDS = 20_000  # of the language that the pages are written in
WORDS_A_PAGE = 300
QUERIES = 100
LINK, CRAWLED, PAGE = 1.5e-6, 0.004, 0.006  # seconds that each takes, roughly, to tell how long to wait
SYLLABLES = [consonant + vowel for consonant in "bcdfghjklmnpqrstvwxz" for vowel in "aeiou"]

Figures = dict[str, Any]


def plan(options: Namespace) -> list[Piece]:
    """The pieces of work, small ones first."""
    by = str(options.threads)
    pieces = [
        Piece(
            "rank",
            f"rank {links:,} links by {by} threads",
            LINK * links,
            lambda links=links: {"threads": options.threads, **ranked(links, by)},
        )
        for links in options.links
    ]
    for kind, count in product(options.workers, (1, 2)):
        facts = {"by": kind, "count": count}
        if kind == "crawl":
            name, seconds = f"crawl {options.workers_pages:,} pages by {count} workers", CRAWLED * options.workers_pages
            run = partial(crawled_by, options.workers_pages, count)
        else:
            name, seconds = f"rank {options.workers_links:,} links by {count} of {kind}", LINK * options.workers_links
            run = partial(ranked, options.workers_links, f"local:{count}" if kind == "cluster" else str(count))
        pieces.append(Piece("workers", name, seconds, lambda run=run, facts=facts: {**facts, **run()}))
    return pieces + [
        Piece("stages", f"crawl, index and search {pages:,} pages", PAGE * pages, partial(staged, pages))
        for pages in options.pages
    ]


def measure(options: Namespace) -> Figures:
    """Everything that was asked for, piece by piece; what could not be measured is named under "missing"."""
    return {"rank": [], "workers": [], "stages": [], **carried_out(plan(options))}


def work(*words: str) -> Figures:
    """One piece of work in a process of its own: what it tells, and the most memory that it held."""
    command = [str(OURS), "-P", "-m", "bench.scaler", *words]
    environment = {"PYTHONPATH": str(ROOT / "scripts" / "lib"), "PATH": "/usr/bin:/bin:/usr/sbin"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        with Watch(process) as watch:
            told, _ = process.communicate()
        if process.returncode:
            raise Failed(f"a process ended with {process.returncode}")
    return {**json.loads(told), "memory": watch.peak}


def ranked(links: int, by: str) -> Figures:
    """A random web with about so many links, ranked out of core."""
    pages = max(links // LINKS_A_PAGE, 2)
    folder = SCALE / f"rmat-{pages}"
    try:
        found = work("rank", str(pages), str(links), str(folder), by)
        found["disk"] = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return found


@contextmanager
def site_of(pages: int) -> Iterator[tuple[str, Path, list[str]]]:
    """A made-up site of so many pages while it is served: where it begins, a database for it, and queries."""
    site, database = SCALE / f"site-{pages}", SCALE / f"site-{pages}.db"
    try:
        queries = write_site(site, pages)
        with served(site) as base:
            yield base + address(0), database, queries
    finally:
        shutil.rmtree(site, ignore_errors=True)
        forget(database)


def forget(database: Path) -> None:
    """Remove a database and what SQLite keeps beside it."""
    for file in SCALE.glob(f"{database.name}*"):
        file.unlink()


def crawled(pages: int, database: Path, first: str, workers: str) -> Figures:
    """A site crawled; every page of it has to have arrived, or the figures would be those of a smaller one."""
    found = work("crawl", str(database), first, workers)
    if found["pages"] != pages:
        raise Failed(f"of {pages:,} pages {found['pages']:,} were fetched, which cannot be compared")
    return found


def crawled_by(pages: int, count: int) -> Figures:
    """A made-up site of so many pages, crawled by so many workers."""
    with site_of(pages) as (first, database, _):
        return crawled(pages, database, first, str(count))


def staged(pages: int) -> Figures:
    """A made-up site of so many pages, crawled, indexed and searched."""
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
