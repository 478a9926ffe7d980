"""The cost of a large frontier: minisearch's own crawl loop on an endless synthetic site.

Only the network is missing: URLs are classified, stored, scheduled and given a status as in every crawl. One child
process fills two frontiers, with few and with many URLs, and times alternating groups of steps of both, so that a
transient load of the machine affects both. A second one resumes the crawl, and a third resumes it with other rules.
"""

from __future__ import annotations

import random
import time
from collections.abc import Generator, Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from bench import DATA, log, runner

if TYPE_CHECKING:
    from minisearch.crawl.visit import Task

HOME = "http://localhost/library/reference/"
FEW = 10_000  # known URLs of the smaller frontier
FILL_LINKS = 2_000  # of a page while the frontier is filled
LINKS, NEW_LINKS = 100, 10  # of a page in a timed step, and how many of them lead to new URLs
GROUPS, STEPS = 16, 64  # timed groups of steps, and steps of each
LETTERS = str.maketrans("0123456789", "bcdfghjklm")  # digits would look like a crawler trap, vowels like words


def measure(known: int) -> dict[str, Any]:
    """Seconds of a step and peak memory with few and with `known` URLs."""
    file = DATA / "crawl" / "frontier.db"
    file.parent.mkdir(parents=True, exist_ok=True)
    for leftover in file.parent.glob(f"*{file.name}*"):
        leftover.unlink()
    figures: dict[str, Any] = {"known": known}
    for name, stage in STAGES.items():
        log(f"frontier of {known:,} URLs: {name}")
        figures[name] = runner.call(runner.MINISEARCH, stage, file, known)
    return figures


def page_url(number: int) -> str:
    """The URL of a page.

    >>> page_url(1234567)
    'http://localhost/library/reference/cdfg/hjk.html'
    """
    name = f"{number:07}".translate(LETTERS)
    return f"{HOME}{name[:-3]}/{name[-3:]}.html"


# -- measured in a child process -------------------------------------------------------------


class EndlessSite:
    """Visitor of a crawl with a page for every number; `links` and `new` set the links of the next pages."""

    def __init__(self, known: int) -> None:
        self.known = known  # smaller numbers have been linked to
        self.links = self.new = 0
        self._rng = random.Random(1)  # noqa: S311 - not for cryptography

    def __call__(self, task: Task) -> Any:
        """Do a task."""
        from minisearch.fetch.robots import RobotsFile
        from minisearch.models import Link, Page

        if task.robots:
            return RobotsFile(404)
        numbers = [self._rng.randrange(self.known) for _ in range(self.links - self.new)]
        numbers += range(self.known, self.known + self.new)
        self.known += self.new
        links = tuple(Link(page_url(number), "a page") for number in numbers)
        name = task.url.removeprefix(HOME).replace("/", " ")  # pages with the same text would be duplicates
        return Page(task.url, title="A page", text=f"This is {name}", links=links, content_hash=task.url)


def grow(file: str, known: int) -> dict[str, Any]:
    """Crawl until `known` URLs are in the frontier, and in another file until a few are; then time steps of both."""
    path = Path(file)
    sizes = {"few": min(FEW, known), "many": known}
    files = {"few": path.with_name(f"few-{path.name}"), "many": path}
    sites = {name: EndlessSite(known=1) for name in sizes}
    crawls = {name: crawling(files[name], site) for name, site in sites.items()}
    for name, site in sites.items():
        while site.known < sizes[name]:
            site.links = site.new = min(FILL_LINKS, sizes[name] - site.known)
            next(crawls[name])
    found = timed({name: (sites[name], crawls[name]) for name in sizes})
    for crawl in crawls.values():
        crawl.close()
    return {**found, "memory": runner.own_peak_memory()}


def resume(file: str, known: int, **options: Any) -> dict[str, Any]:
    """Resume a crawl; returns the seconds until the first visit, and those of a step."""
    site = EndlessSite(known)
    began = time.perf_counter()
    crawl = crawling(Path(file), site, **options)
    next(crawl)
    first = time.perf_counter() - began
    steps = timed({"steps": (site, crawl)})
    crawl.close()
    return {"first": first, **steps, "memory": runner.own_peak_memory()}


def resume_with_rules(file: str, known: int) -> dict[str, Any]:
    """Resume a crawl with other rules, which are applied to every URL of the frontier."""
    return resume(file, known, exclude=("*.pdf",))


STAGES = {"grow": grow, "resume": resume, "resume_with_rules": resume_with_rules}


def crawling(file: Path, site: EndlessSite, **options: Any) -> Generator[Any, None, None]:
    """minisearch's crawl of the site, visit by visit."""
    from minisearch import Engine

    with Engine(file) as engine:
        options |= {"scope": "host", "max_pages": 10**9, "max_depth": 10**9, "keep_html": False}
        yield from engine.crawling(page_url(0), index=False, visitor=site, **options)


def timed(crawls: dict[str, tuple[EndlessSite, Iterator[Any]]]) -> dict[str, dict[str, float]]:
    """Seconds of a step of each crawl: on a page without links, mostly the choice of its URL, and with links."""
    found: dict[str, dict[str, float]] = {name: {} for name in crawls}
    for kind, links, new in (("bare", 0, 0), ("linked", LINKS, NEW_LINKS)):
        seconds: dict[str, list[float]] = {name: [] for name in crawls}
        for name in [*crawls] * GROUPS:
            site, crawl = crawls[name]
            site.links, site.new = links, new
            began = time.perf_counter()
            steps = sum(1 for _ in islice(crawl, STEPS))
            seconds[name].append((time.perf_counter() - began) / steps)
        for name in crawls:
            found[name][kind] = median(seconds[name])
    return found
