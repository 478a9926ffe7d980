"""How fast: every engine builds an index of the same pages and answers the same queries, round by round.

Rounds go through all engines in turn, so that a busy minute of the machine hurts all of them; medians are told.
"""

from __future__ import annotations

import json
import random
from argparse import Namespace
from collections.abc import Callable, Iterable
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Trial:
    """Who takes part, and where everything is."""

    engines: list[str]
    rounds: int
    folder: Path  # each engine has its index in a folder here
    fed: Fed
    tenth: Fed
    queries: Path

    def rounds_of(
        self, what: str, act: Callable[[str], Any], engines: list[str] | None = None
    ) -> Iterable[tuple[str, list[Any]]]:
        """Each engine with the outcomes of all rounds."""
        chosen = self.engines if engines is None else engines
        outcomes: dict[str, list[Any]] = {engine: [] for engine in chosen}
        for number in range(self.rounds):
            for engine in chosen:
                say(f"{what}: {engine}, round {number + 1} of {self.rounds}")
                outcomes[engine].append(act(engine))
        return outcomes.items()


def measure(options: Namespace) -> Figures:
    """Everything there is to measure, by engine."""
    files = {f"{site}/{path}": file for site in options.sites for path, file in page_files(site).items()}
    chosen = spread(sorted(files), options.pages or len(files))
    folder = BENCH / "search" / key(options.sites, len(chosen))
    few = spread(chosen, max(1, len(chosen) // 10))
    fed = feed(folder, {path: files[path].read_bytes for path in chosen})
    tenth = feed(folder / "tenth", {path: files[path].read_bytes for path in few})
    pages, characters, queries = look(fed, options.queries)
    trial = Trial(options.engines, options.repeat, folder, fed, tenth, folder / "queries.json")
    trial.queries.write_text(json.dumps(queries), "utf-8")
    figures: Figures = {engine: {} for engine in options.engines}
    for part in (builds, timings, growth, first_queries, floods):
        for engine, found in part(trial).items():
            figures[engine] |= found
    return {
        "files": len(chosen),
        "pages": pages,
        "characters": characters,
        "queries": len(queries),
        "engines": figures,
    }


def look(fed: Fed, count: int) -> tuple[int, int, list[str]]:
    """How many pages there are, how many characters they have, and the queries drawn from them."""
    documents = read_documents(fed.documents, None)
    queries = draw([page.title for page in documents], count)
    return len(documents), sum(len(page.text) for page in documents), queries


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


def builds(trial: Trial) -> dict[str, Figures]:
    """How long it takes to build, and how large it gets."""
    figures = {}
    for engine, built in trial.rounds_of("building", lambda engine: build(engine, trial.folder / engine, trial.fed)):
        stages = built[0]["seconds"]
        figures[engine] = {f"{stage} s": median(one["seconds"][stage] for one in built) for stage in stages}
        figures[engine] |= {"bytes": built[-1]["bytes"], "all builds": [one["seconds"] for one in built]}
    return figures


def timings(trial: Trial) -> dict[str, Figures]:
    """How long queries take, in each way of asking."""
    figures: dict[str, Figures] = {engine: {} for engine in trial.engines}
    whole = [engine for engine in trial.engines if knows_all_words(trial, engine)]
    ours = [engine for engine in trial.engines if engine == "minisearch"]
    for method, able in (("any_word", trial.engines), ("all_words", whole), ("with_snippets", ours)):
        asking = partial(ask, trial.folder, method, trial.queries)
        for engine, asked in trial.rounds_of(f"asking, {method.replace('_', ' ')}", asking, able):
            figures[engine] |= summary(method, asked)
    for engine in ours:
        figures[engine] |= added_by_snippets(figures[engine])
    return figures


def knows_all_words(trial: Trial, engine: str) -> bool:
    """Whether an engine can be asked for pages with all words."""
    return bool(work("knows_all_words", engine, trial.folder / engine, queries=str(trial.queries)))


def growth(trial: Trial) -> dict[str, Figures]:
    """How long queries take over a tenth of the pages."""
    folder = trial.folder / "tenth"
    for engine in trial.engines:
        build(engine, folder / engine, trial.tenth)
    asked = trial.rounds_of("asking a tenth of the pages", partial(ask, folder, "any_word", trial.queries))
    return {engine: {"tenth p50": summary("tenth", rounds)["tenth p50"]} for engine, rounds in asked}


def first_queries(trial: Trial) -> dict[str, Figures]:
    """How long the first query takes, opening included, in new processes."""
    some = spread(json.loads(trial.queries.read_text("utf-8")), FRESH)

    def each(engine: str) -> list[float]:
        return [work("first", engine, trial.folder / engine, query=query) for query in some]

    figures = {}
    for engine, rounds in trial.rounds_of("first queries", each):
        times = [time for found in rounds for time in found]
        figures[engine] = {"first ms": median(times), "all first ms": times}
    return figures


def floods(trial: Trial) -> dict[str, Figures]:
    """How many queries a second two processes answer together."""
    flooding = trial.rounds_of("two processes", lambda engine: flood(engine, trial.folder / engine, trial.queries))
    return {engine: {"queries a second": median(rates)} for engine, rates in flooding}


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
        f"{method} first p50": median(percentile(one["first ms"], 0.5) for one in asked),
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
