"""Command line of scripts/bench: parse the options, measure, print tables.

Each command is a module with `measure(options)`, which returns the figures, and `tables(figures)`, which formats them.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

from bench import log
from bench.report import machine, machine_line
from bench.runner import Failed

WORKERS = ["thread", "cluster", "crawl"]
MAX_LOAD = 1.5  # above which figures are not reliable


def main() -> None:
    """Run a command."""
    options = parse_options()
    if options.command != "scale":  # which measures threads; elsewhere two of BLAS rather wait for each other
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    facts = machine()
    if facts["load before"] > MAX_LOAD:
        log(f"note: the load of this machine is {facts['load before']}; measure on an idle machine")
    command = import_module(f"bench.{options.command}")
    try:
        figures = command.measure(options)
    except Failed as failure:
        raise SystemExit(f"the benchmark failed: {failure}") from None
    text = command.tables(figures)
    facts["load after"] = round(os.getloadavg()[0], 2)
    if options.json:
        Path(options.json).write_text(json.dumps({"machine": facts, **figures}, indent=1) + "\n", "utf-8")
    print(f"{text}\n\n{machine_line(facts)}")
    if missing := figures.get("missing"):
        raise SystemExit(f"not measured: {', '.join(missing)}")


def parse_options() -> argparse.Namespace:
    """Parse the command line."""
    from bench import crawl, crawlers, engines, rankers, search

    parser = argparse.ArgumentParser(prog="scripts/bench", description="Benchmarks of minisearch beside its peers.")
    commands = parser.add_subparsers(dest="command", required=True)

    def add_command(name: str, summary: str) -> Callable[..., argparse.Action]:
        command = commands.add_parser(name, help=summary, description=summary)
        command.add_argument("--json", metavar="FILE", help="also write the raw figures")
        return command.add_argument

    add = add_command("search", "search speed: build, size, queries")
    add("--sites", type=names, default=search.SITES, help="Debian packages (default: %(default)s)")
    add("--pages", type=positive, help="maximum number of pages, evenly spread (default: all)")
    add("--queries", type=positive, default=300, help="number of queries (default: %(default)s)")
    add("--repeat", type=positive, default=3, help="rounds (default: %(default)s)")
    add("--engines", **subset("engine", engines.TITLES))

    add = add_command("quality", "relevance: judged queries")
    judged = os.environ.get("MINISEARCH_JUDGED")
    files = "sites.json, aliases.json, evaluate.py, known/, adhoc/, natural/ (default: $MINISEARCH_JUDGED)"
    add("--judged", metavar="FOLDER", default=judged, required=not judged, help=f"with {files}")
    add("--rebuild", action="store_true", help="crawl the pages again")
    add("--engines", **subset("engine", engines.TITLES))

    add = add_command("rank", "speed of PageRank")
    add("--pages", type=positive, default=1_000_000, help="pages of the random web (default: %(default)s)")
    add("--links", type=positive, default=16_400_000, help="links drawn for it (default: %(default)s)")
    add("--sites", type=names, default="rust-doc", help="Debian packages (default: %(default)s)")
    add("--programs", **subset("program", rankers.TITLES))
    add("--repeat", type=positive, default=3, help="rounds (default: %(default)s)")

    add = add_command("crawl", "crawl speed; needs nginx")
    add("--sites", type=names, default=crawl.SITES, help="Debian packages (default: %(default)s)")
    add("--crawlers", **subset("crawler", crawlers.TITLES))
    add("--rounds", type=positive, default=3, help="rounds (default: %(default)s)")
    add("--pages", type=positive, help="page limit for a quick trial: crawlers differ in their pages (default: all)")
    add(
        "--known",
        type=natural,
        default=1_000_000,
        help="URLs in the frontier; 0 for no such test (default: %(default)s)",
    )

    add = add_command("scale", "growth of cost with pages, links and workers; needs nginx")
    add("--links", type=sizes, default="1e5,1e6,1e7,1e8", help="links to rank (default: %(default)s)")
    add("--pages", type=sizes, default="1e3,1e4,1e5", help="pages to crawl and search (default: %(default)s)")
    add("--threads", type=positive, default=2, help="threads that rank (default: %(default)s)")
    add("--workers", **subset("workers", WORKERS, "one and two workers of each kind"))
    add("--workers-links", type=positive, default=5_000_000, help="links that they rank (default: %(default)s)")
    add("--workers-pages", type=positive, default=3_000, help="pages that they crawl (default: %(default)s)")

    add = add_command("serve", "load test of the search page; needs wrk")
    add("--db", help="file to serve (default: the last one of scripts/bench search)")
    add("--workers", type=positive, default=2, help="server processes (default: %(default)s)")
    add("--threads", type=positive, help="threads of each (default: that of minisearch serve)")
    add("--seconds", type=positive, default=10, help="duration of each load (default: %(default)s)")
    options = parser.parse_args()
    for option in ("sites", "engines", "programs", "crawlers"):
        if getattr(options, option, None) == []:
            parser.error(f"--{option} needs at least one name")
    return options


def subset(what: str, known: Iterable[str], summary: str = "a selection") -> dict[str, object]:
    """The arguments of an option that selects some of the known names, by default all."""
    choices = list(known)

    def parse(text: str) -> list[str]:
        chosen = names(text)
        for name in chosen:
            if name not in choices:
                raise argparse.ArgumentTypeError(f"no such {what}: {name} (choose from {', '.join(choices)})")
        return chosen

    return {"type": parse, "default": choices, "help": f"{summary} of {','.join(choices)} (default: all)"}


def names(text: str) -> list[str]:
    """Parse names separated by commas.

    >>> names("git-doc, rust-doc")
    ['git-doc', 'rust-doc']
    """
    return [name.strip() for name in text.split(",") if name.strip()]


def sizes(text: str) -> list[int]:
    """Parse numbers separated by commas.

    >>> sizes("1e3,2000")
    [1000, 2000]
    """
    try:
        found = [int(float(name)) for name in names(text)]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: use numbers like 1e5,1e6") from None
    if any(size < 10 for size in found):
        raise argparse.ArgumentTypeError(f"{text!r}: the minimum is 10")
    return found


def positive(text: str) -> int:
    """Parse an integer from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive integer")
    return int(text)


def natural(text: str) -> int:
    """Parse an integer from 0."""
    return 0 if text == "0" else positive(text)


if __name__ == "__main__":
    main()
