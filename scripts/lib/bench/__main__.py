"""The commands of scripts/bench: unpack the options, measure, print."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

from bench.engines import TITLES
from bench.places import say
from bench.report import machine, machine_line

WORKERS = ["thread", "cluster", "crawl"]  # of which one and two are set side by side
BUSY = 1.5  # load past which figures should not be believed
MODULES = {  # who measures (`measure`), and who makes tables of the figures (`tables`)
    "search": ("speed", "speedreport"),
    "quality": ("quality", "quality"),
    "rank": ("rank", "rank"),
    "crawl": ("crawl", "crawl"),
    "serve": ("serve", "serve"),
    "scale": ("scale", "scalereport"),
}


def main() -> None:
    """Run a command."""
    options = parse()
    facts = machine()
    if facts["load before"] > BUSY:
        say(f"note: the load of this machine is {facts['load before']}; figures are best taken when it is idle")
    measuring, telling = (import_module(f"bench.{name}") for name in MODULES[options.command])
    figures = measuring.measure(options)
    text = telling.tables(figures)
    facts["load after"] = round(os.getloadavg()[0], 2)
    if options.json:
        Path(options.json).write_text(json.dumps({"machine": facts, **figures}, indent=1) + "\n", "utf-8")
    print(f"{text}\n\n{machine_line(facts)}")
    if missing := figures.get("missing"):
        raise SystemExit(f"not measured: {', '.join(missing)}")


def parse() -> argparse.Namespace:
    """The options."""
    from bench.crawl import SITES as CRAWLED
    from bench.crawlers import TITLES as CRAWLERS
    from bench.rank import PROGRAMS
    from bench.speed import SITES

    parser = argparse.ArgumentParser(prog="scripts/bench", description="minisearch beside its peers.")
    commands = parser.add_subparsers(dest="command", required=True)
    served = commands.add_parser("serve", help="how fast the search page is, end to end; needs wrk")
    served.add_argument("--db", help="the file to serve (default: that of scripts/bench search)")
    served.add_argument("--workers", type=positive, default=2, help="processes that answer (default: %(default)s)")
    served.add_argument("--threads", type=positive, help="threads of each (default: that of minisearch serve)")
    served.add_argument("--seconds", type=positive, default=10, help="for each load (default: %(default)s)")
    search = commands.add_parser("search", help="how fast: build, size, queries")
    search.add_argument("--sites", type=names, default=SITES, help="Debian packages (default: %(default)s)")
    search.add_argument("--pages", type=positive, help="no more pages than this, evenly spread (default: all)")
    search.add_argument("--queries", type=positive, default=300, help="how many (default: %(default)s)")
    search.add_argument("--repeat", type=positive, default=3, help="rounds (default: %(default)s)")
    quality = commands.add_parser("quality", help="how good: judged queries")
    quality.add_argument(
        "--judged",
        default=os.environ.get("MINISEARCH_JUDGED"),
        help="folder with sites.json, aliases.json, evaluate.py, known/, adhoc/ and natural/"
        " (default: $MINISEARCH_JUDGED)",
    )
    quality.add_argument("--rebuild", action="store_true", help="crawl again")
    rank = commands.add_parser("rank", help="how fast links are ranked")
    rank.add_argument("--pages", type=positive, default=1_000_000, help="of the random web (default: %(default)s)")
    rank.add_argument("--links", type=positive, default=16_400_000, help="that are drawn (default: %(default)s)")
    rank.add_argument("--sites", type=names, default="rust-doc", help="Debian packages (default: %(default)s)")
    rank.add_argument(
        "--programs", type=some_of("program", PROGRAMS), default=list(PROGRAMS), help=f"of {','.join(PROGRAMS)}"
    )
    rank.add_argument("--repeat", type=positive, default=3, help="rounds (default: %(default)s)")
    crawl = commands.add_parser("crawl", help="how fast sites are crawled")
    crawl.add_argument("--sites", type=names, default=CRAWLED, help="Debian packages (default: %(default)s)")
    crawl.add_argument(
        "--crawlers", type=some_of("crawler", CRAWLERS), default=list(CRAWLERS), help=f"of {','.join(CRAWLERS)}"
    )
    crawl.add_argument("--rounds", type=positive, default=3, help="medians are told (default: %(default)s)")
    crawl.add_argument("--pages", type=positive, help="no more than these, not the same for all (default: all)")
    crawl.add_argument("--known", type=count, default=1_000_000, help="urls in the frontier test; 0: no such test")
    scale = commands.add_parser("scale", help="how cost grows with pages, links and workers")
    scale.add_argument("--links", type=sizes, default="1e5,1e6,1e7,1e8", help="that are ranked (default: %(default)s)")
    scale.add_argument("--pages", type=sizes, default="1e3,1e4,1e5", help="crawled and searched (default: %(default)s)")
    scale.add_argument("--threads", type=positive, default=2, help="that rank (default: %(default)s)")
    scale.add_argument(
        "--workers", type=some_of("workers", WORKERS), default=WORKERS, help=f"1 and 2 of each of {','.join(WORKERS)}"
    )
    scale.add_argument("--workers-links", type=positive, default=5_000_000, help="for these (default: %(default)s)")
    scale.add_argument("--workers-pages", type=positive, default=3_000, help="for these (default: %(default)s)")
    for command in (search, quality):
        command.add_argument(
            "--engines", type=some_of("engine", TITLES), default=list(TITLES), help=f"of {','.join(TITLES)}"
        )
    for command in (search, quality, rank, crawl, scale, served):
        command.add_argument("--json", metavar="FILE", help="also write the raw numbers")
    options = parser.parse_args()
    if options.command == "quality" and not options.judged:
        quality.error("name the folder of the judged queries: --judged DIR, or MINISEARCH_JUDGED in the environment")
    if options.command == "crawl" and not (options.sites and options.crawlers):
        crawl.error("name a site and a crawler at the least")
    return options


def sizes(text: str) -> list[int]:
    """Numbers with commas between, 1e6 for a million."""
    try:
        found = [int(float(name)) for name in names(text)]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: write numbers like 1e5,1e6") from None
    if any(size < 10 for size in found):
        raise argparse.ArgumentTypeError(f"{text!r}: nothing grows from less than 10")
    return found


def names(text: str) -> list[str]:
    """Names with commas between."""
    return [name.strip() for name in text.split(",") if name.strip()]


def some_of(what: str, known: Iterable[str]) -> Callable[[str], list[str]]:
    """A reader of names with commas between, each of which we know."""
    there = list(known)

    def chosen(text: str) -> list[str]:
        for name in names(text):
            if name not in there:
                raise argparse.ArgumentTypeError(f"no such {what}: {name} (there are {', '.join(there)})")
        return names(text)

    return chosen


def positive(text: str) -> int:
    """A number from 1 on."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)


def count(text: str) -> int:
    """A number from 0 on."""
    return 0 if text == "0" else positive(text)


if __name__ == "__main__":
    main()
