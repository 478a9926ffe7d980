"""Does it matter how many urls are known? A made-up site that never ends, crawled by minisearch's own loop.

Only the network is missing: the urls are judged, written down, scheduled and settled as in every crawl. The child
process grows two frontiers, of few urls and of many, and takes the time of some steps of either by turns, lest a
machine that is busy for a while count against one of them; another child goes on with the crawl that the first has
left, and a third does so under other rules. Told are seconds and memory.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from bench.places import BENCH, OURS, say
from bench.worker import outcome, peak_memory

if TYPE_CHECKING:
    from minisearch.crawl.visit import Task

HOME = "http://localhost/library/reference/"
FEW = 10_000  # urls known when the time is first taken
BULK = 2_000  # links on a page while the frontier grows
LINKS, NEW = 100, 10  # on a page when it is full: links, and how many of them lead to a url never met
ROUNDS, STEPS = 16, 64  # groups of steps whose times are compared, and steps in each
LETTERS = str.maketrans("0123456789", "bcdfghjklm")  # no numbers, which look like a trap, and no words


def measure(known: int) -> dict[str, Any]:
    """Seconds a step and the most memory, with few and with `known` urls in the frontier."""
    file = BENCH / "crawl" / "frontier.db"
    file.parent.mkdir(parents=True, exist_ok=True)
    for leftover in file.parent.glob(f"*{file.name}*"):
        leftover.unlink()
    figures: dict[str, Any] = {"known": known}
    for act in ("grow", "resume", "reconsider"):
        say(f"frontier of {known:,} urls: {act}")
        command = [str(OURS), "-P", "-m", "bench.frontier", json.dumps([act, str(file), known])]
        figures[act] = outcome(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    figures["bytes"] = file.stat().st_size
    return figures


def address(number: int) -> str:
    """The url with this number.

    >>> address(1234567)
    'http://localhost/library/reference/cdfg/hjk.html'
    """
    told = f"{number:07}".translate(LETTERS)
    return f"{HOME}{told[:-3]}/{told[-3:]}.html"


# -- in the child ----------------------------------------------------------------------------


class Site:
    """A visitor to a site that has a page for every number, with as many links as it is told."""

    def __init__(self, met: int) -> None:
        self.met = met  # urls below this number were linked to
        self.links = self.new = 0
        self._dice = random.Random(1)  # noqa: S311 - no secret

    def __call__(self, task: Task) -> Any:
        """Do a task."""
        from minisearch.fetch.robots import RobotsFile
        from minisearch.models import Link, Page

        if task.robots:
            return RobotsFile(404)
        numbers = [self._dice.randrange(self.met) for _ in range(self.links - self.new)]
        numbers += range(self.met, self.met + self.new)
        self.met += self.new
        links = tuple(Link(address(number), "a page") for number in numbers)
        name = task.url.removeprefix(HOME).replace("/", " ")  # pages without words of their own are taken for copies
        return Page(task.url, title="A page", text=f"This is {name}", links=links, content_hash=task.url)


def grow(file: Path, known: int) -> dict[str, Any]:
    """Crawl until so many urls are known, and in another file until a few are; then take the time of both."""
    began = time.perf_counter()
    sizes = {"few": min(FEW, known), "many": known}
    sites = {name: Site(met=1) for name in sizes}
    visits = {name: crawling(file if name == "many" else few_of(file), sites[name]) for name in sizes}
    for name, site in sites.items():
        while site.met < sizes[name]:
            site.links = site.new = min(BULK, sizes[name] - site.met)
            next(visits[name])
    found = timed({name: (sites[name], visits[name]) for name in sizes})
    for each in visits.values():
        each.close()
    return {**found, "seconds": time.perf_counter() - began, "memory": peak_memory()}


def few_of(file: Path) -> Path:
    """The file of the crawl that knows a few urls."""
    return file.with_name(f"few-{file.name}")


def resume(file: Path, known: int, **options: Any) -> dict[str, Any]:
    """Go on: the seconds until the first visit, and those of a step."""
    site = Site(met=known)
    began = time.perf_counter()
    visits = crawling(file, site, **options)
    next(visits)
    first = time.perf_counter() - began
    steps = timed({"steps": (site, visits)})
    visits.close()
    return {"first": first, **steps, "memory": peak_memory()}


def reconsider(file: Path, known: int) -> dict[str, Any]:
    """Go on under other rules, which are applied to all that waits."""
    return resume(file, known, exclude=("*.pdf",))


def crawling(file: Path, site: Site, **options: Any) -> Generator[Any, None, None]:
    """Minisearch's crawl of the site, visit by visit."""
    from minisearch import Engine

    with Engine(file) as engine:
        options |= {"scope": "host", "max_pages": 10**9, "max_depth": 10**9, "keep_html": False}
        yield from engine.crawling(address(0), index=False, visitor=site, **options)


def timed(crawls: dict[str, tuple[Site, Iterator[Any]]]) -> dict[str, dict[str, float]]:
    """Of each crawl the seconds of a step that only takes the next url, and of one on a page with links."""
    found: dict[str, dict[str, float]] = {name: {} for name in crawls}
    for kind, links, new in (("bare", 0, 0), ("linked", LINKS, NEW)):
        seconds: dict[str, list[float]] = {name: [] for name in crawls}
        for name in [*crawls] * ROUNDS:
            site, visits = crawls[name]
            site.links, site.new = links, new
            began = time.perf_counter()
            steps = sum(1 for _ in islice(visits, STEPS))
            seconds[name].append((time.perf_counter() - began) / steps)
        for name in crawls:
            found[name][kind] = median(seconds[name])
    return found


ACTIONS = {act.__name__: act for act in (grow, resume, reconsider)}


def main() -> None:
    """Do the job."""
    act, file, known = json.loads(sys.argv[1])
    print(json.dumps(ACTIONS[act](Path(file), known)))


if __name__ == "__main__":
    main()
