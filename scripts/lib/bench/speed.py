"""How fast: every engine builds an index of the same pages and answers the same queries, round by round.

Rounds go through all engines in turn, so that a busy minute of the machine hurts all of them; medians are told.
"""

from __future__ import annotations

import json
import random
from argparse import Namespace
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import blake2b
from pathlib import Path
from statistics import median
from typing import Any

from bench.engines import WORD, read_documents
from bench.feed import Fed, feed
from bench.packages import page_files
from bench.places import BENCH, say
from bench.worker import outcome, start, work

SITES = "python3.11-doc,python-django-doc,python-sqlalchemy-doc,python-pandas-doc,rust-doc,postgresql-doc-15,git-doc"
WHOOSH_PAGES = 10_000  # more would take it many minutes
MOST_WORDS = 6
SEED = 7
FRESH = 9  # new processes for each engine's first query
FLOOD_SECONDS = 3.0

Figures = dict[str, Any]


def measure(options: Namespace) -> Figures:
    """Everything there is to measure, by engine."""
    files = {f"{site}/{path}": file for site in options.sites for path, file in page_files(site).items()}
    chosen = spread(sorted(files), options.pages or len(files))
    folder = BENCH / "search" / key(options.sites, len(chosen))
    fed = feed(folder, {path: files[path].read_bytes for path in chosen})
    tenth = feed(folder / "tenth", {path: files[path].read_bytes for path in spread(chosen, len(chosen) // 10)})
    documents = read_documents(fed.documents, None)
    queries = folder / "queries.json"
    queries.write_text(json.dumps(draw([page.title for page in documents], options.queries)), "utf-8")
    figures: Figures = {"files": len(chosen), "pages": len(documents), "queries": options.queries}
    figures["characters"] = sum(len(page.text) for page in documents)
    del documents
    figures["engines"] = compare(options.engines, options.repeat, folder, fed, tenth, queries)
    return figures


def key(sites: list[str], pages: int) -> str:
    """A name for this choice of pages.

    >>> key(["git-doc"], 20)
    'git-doc-20-e9ef23'
    """
    return f"{sites[0]}-{pages}-{blake2b(' '.join(sites).encode(), digest_size=3).hexdigest()}"


def spread(items: list[str], count: int) -> list[str]:
    """`count` items, evenly spread.

    >>> spread(["a", "b", "c", "d", "e"], 3)
    ['a', 'b', 'd']
    """
    count = min(count, len(items))
    return [items[place * len(items) // count] for place in range(count)]


def draw(titles: list[str], count: int) -> list[str]:
    """Different queries of one to six words that stand next to each other in a title."""
    dice = random.Random(SEED)  # noqa: S311 - the same queries every time
    cut = [words for title in titles if (words := WORD.findall(title))]
    found: dict[str, None] = {}
    for _ in range(count * 100):
        words = dice.choice(cut)
        length = min(dice.randint(1, MOST_WORDS), len(words))
        begin = dice.randint(0, len(words) - length)
        found[" ".join(words[begin : begin + length])] = None
        if len(found) == count:
            break
    return list(found)


def compare(engines: list[str], rounds: int, folder: Path, fed: Fed, tenth: Fed, queries: Path) -> Figures:
    """The figures of each engine."""
    figures: Figures = {engine: {} for engine in engines}
    each = partial(by_rounds, engines, rounds)
    for engine, built in each("building", lambda engine: build(engine, folder / engine, fed)):
        figures[engine] |= {"bytes": built[-1]["bytes"]}
        for stage in built[0]["seconds"]:
            figures[engine][f"{stage} s"] = median(one["seconds"][stage] for one in built)
    for engine in engines:
        build(engine, folder / "tenth" / engine, tenth)
        able = work("knows_all_words", engine, folder / engine, queries=str(queries))
        figures[engine]["methods"] = ["any_word"] + ["all_words"] * able + ["with_snippets"] * (engine == "minisearch")
    for method in ("any_word", "all_words", "with_snippets"):
        able = [engine for engine in engines if method in figures[engine]["methods"]]
        asking = partial(ask, folder, method, queries)
        for engine, asked in by_rounds(able, rounds, f"asking, {method.replace('_', ' ')}", asking):
            figures[engine] |= summary(method, asked)
    for engine, asked in each("asking a tenth of the pages", partial(ask, folder / "tenth", "any_word", queries)):
        figures[engine] |= {"tenth p50": summary("tenth", asked)["tenth p50"]}
    some = spread(json.loads(queries.read_text("utf-8")), FRESH)
    for engine in engines:
        say(f"first queries: {engine}")
        figures[engine]["first ms"] = median(work("first", engine, folder / engine, query=query) for query in some)
    for engine, rates in each("two processes", lambda engine: flood(engine, folder / engine, queries)):
        figures[engine]["queries a second"] = median(rates)
    if "minisearch" in engines:
        figures["minisearch"] |= added_by_snippets(figures["minisearch"])
    return figures


def by_rounds(engines: list[str], rounds: int, what: str, act: Callable[[str], Any]) -> Iterator[tuple[str, list[Any]]]:
    """Each engine with the outcomes of all rounds."""
    outcomes: dict[str, list[Any]] = {engine: [] for engine in engines}
    for number in range(rounds):
        for engine in engines:
            say(f"{what}: {engine}, round {number + 1} of {rounds}")
            outcomes[engine].append(act(engine))
    yield from outcomes.items()


def build(engine: str, folder: Path, fed: Fed) -> Any:
    """Build the index of an engine afresh."""
    source = fed.database if engine == "minisearch" else fed.documents
    return work("build", engine, folder, source=str(source), limit=WHOOSH_PAGES if engine == "whoosh" else None)


def ask(folder: Path, method: str, queries: Path, engine: str) -> Any:
    """Ask an engine all queries."""
    return work("ask", engine, folder / engine, method=method, queries=str(queries))


def flood(engine: str, folder: Path, queries: Path) -> float:
    """Queries a second that two processes answer together."""
    both = [start("flood", engine, folder, queries=str(queries), seconds=FLOOD_SECONDS) for _ in range(2)]
    for process in both:
        if process.stdout is not None:
            process.stdout.readline()  # it is ready
    for process in both:
        if process.stdin is not None:
            process.stdin.write("go\n")
            process.stdin.flush()
    return float(sum(outcome(process) for process in both))


def summary(method: str, asked: list[Figures]) -> Figures:
    """Medians over the rounds."""
    return {
        f"{method} p50": median(percentile(one["ms"], 0.5) for one in asked),
        f"{method} p99": median(percentile(one["ms"], 0.99) for one in asked),
        f"{method} ms": [round(median(times), 4) for times in zip(*(one["ms"] for one in asked), strict=True)],
        f"{method} answered": asked[0]["answered"],
        f"{method} memory": median(one["memory"] for one in asked),
    }


def added_by_snippets(figures: Figures) -> Figures:
    """How much longer each query takes with ten snippets."""
    pairs = zip(figures["with_snippets ms"], figures["any_word ms"], strict=True)
    added = [with_them - without for with_them, without in pairs]
    return {"snippets p50": percentile(added, 0.5), "snippets p99": percentile(added, 0.99)}


def percentile(values: list[float], share: float) -> float:
    """The value below which that share of all lies.

    >>> percentile([5.0, 1.0, 3.0], 0.5), percentile([float(n) for n in range(1, 301)], 0.99)
    (3.0, 297.0)
    """
    ranked = sorted(values)
    return ranked[max(0, -int(-share * len(ranked) // 1) - 1)]
