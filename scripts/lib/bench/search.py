"""Search speed: every engine indexes the same pages and answers the same queries, in interleaved rounds.

Figures are medians of the rounds.
"""

from __future__ import annotations

import json
import random
import re
from argparse import Namespace
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bench import DATA, runner
from bench.corpus import Corpus, build_corpus, corpus_name, page_files, spread
from bench.engines import TITLES, WITHOUT_ALL_WORDS, WORD, ask, build, first_query, read_documents, throughput
from bench.report import budget_table, number, table, verdict

SITES = "python3.11-doc,python-django-doc,python-sqlalchemy-doc,python-pandas-doc,rust-doc,postgresql-doc-15,git-doc"
WHOOSH_PAGES = 10_000  # all pages would take it many minutes
MAX_WORDS = 6
SEED = 7
FIRST_QUERIES = 9  # new processes of each engine
THROUGHPUT_SECONDS = 3.0

Figures = dict[str, Any]


@dataclass(frozen=True)
class Workload:
    """A corpus and queries; each engine has its index in a folder of its own."""

    corpus: Corpus
    queries: Path
    repeat: int

    def rounds(self, title: str, engines: list[str], measure: Callable[[str], Any]) -> Iterable[tuple[str, list[Any]]]:
        """Each engine with the results of all rounds."""
        return runner.rounds(title, engines, self.repeat, measure).items()

    def call(self, engine: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function of `bench.engines` on the index of an engine in a child process."""
        return runner.call(runner.interpreter(engine), function, engine, self.corpus.folder / engine, *arguments)

    def build(self, engine: str) -> Figures:
        """Build the index of an engine."""
        source = self.corpus.database if engine == "minisearch" else self.corpus.documents
        built: Figures = self.call(engine, build, source, WHOOSH_PAGES if engine == "whoosh" else None)
        return built

    def ask(self, title: str, engines: list[str], method: str) -> dict[str, Figures]:
        """Medians of the times that each engine takes to answer the queries."""
        asked = self.rounds(title, engines, lambda engine: self.call(engine, ask, method, self.queries))
        return {engine: summary(method, found) for engine, found in asked}

    def first_queries(self, engine: str) -> list[float]:
        """Milliseconds of the first query of new processes, opening included."""
        queries = spread(json.loads(self.queries.read_text("utf-8")), FIRST_QUERIES)
        return [self.call(engine, first_query, query) for query in queries]

    def throughput(self, engine: str) -> float:
        """Queries a second that two processes answer together."""
        arguments = (engine, self.corpus.folder / engine, self.queries, THROUGHPUT_SECONDS)
        both = [runner.start(runner.interpreter(engine), throughput, *arguments) for _ in range(2)]
        for process in both:
            assert process.stdout is not None
            process.stdout.readline()  # it is ready
        for process in both:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        return float(sum(runner.result(process) for process in both))


def measure(options: Namespace) -> Figures:
    """Measure build time, size and queries of each engine."""
    files = page_files(options.sites)
    chosen = spread(sorted(files), options.pages or len(files))
    few = spread(chosen, max(1, len(chosen) // 10))
    folder = DATA / "search" / corpus_name(options.sites, len(chosen))
    corpus = build_corpus(folder, {path: files[path].read_bytes for path in chosen})
    tenth = build_corpus(folder / "tenth", {path: files[path].read_bytes for path in few})
    documents = read_documents(corpus.documents)
    queries = draw_queries([page.title for page in documents], options.queries)
    file = folder / "queries.json"
    file.write_text(json.dumps(queries), "utf-8")
    return {
        "files": len(chosen),
        "pages": len(documents),
        "characters": sum(len(page.text) for page in documents),
        "queries": len(queries),
        "engines": measure_engines(
            options.engines, Workload(corpus, file, options.repeat), Workload(tenth, file, options.repeat)
        ),
    }


def measure_engines(engines: list[str], work: Workload, tenth: Workload) -> Figures:
    """The figures of each engine."""
    figures: Figures = {engine: {} for engine in engines}
    for engine, rounds in work.rounds("build", engines, work.build):
        seconds = [one["seconds"] for one in rounds]
        figures[engine] |= {f"{stage} s": median(one[stage] for one in seconds) for stage in seconds[0]}
        figures[engine] |= {"bytes": rounds[-1]["bytes"], "all builds": seconds}

    with_all_words = [engine for engine in engines if engine not in WITHOUT_ALL_WORDS]
    ours = [engine for engine in engines if engine == "minisearch"]
    for method, able in (("any_word", engines), ("all_words", with_all_words), ("with_snippets", ours)):
        for engine, found in work.ask(f"queries, {method.replace('_', ' ')}", able, method).items():
            figures[engine] |= found
    for engine in ours:
        pairs = zip(figures[engine]["with_snippets ms"], figures[engine]["any_word ms"], strict=True)
        added = [with_snippets - without for with_snippets, without in pairs]
        figures[engine] |= {"snippets p50": percentile(added, 0.5), "snippets p99": percentile(added, 0.99)}

    for engine in engines:
        tenth.build(engine)
    for engine, found in tenth.ask("queries, a tenth of the pages", engines, "any_word").items():
        figures[engine]["tenth p50"] = found["any_word p50"]

    for engine, rounds in work.rounds("first query", engines, work.first_queries):
        times = [milliseconds for one in rounds for milliseconds in one]
        figures[engine] |= {"first ms": median(times), "all first ms": times}
    for engine, rates in work.rounds("throughput", engines, work.throughput):
        figures[engine]["queries a second"] = median(rates)
    return figures


def draw_queries(titles: list[str], count: int) -> list[str]:
    """Different queries of one to six adjacent words of a title, the same in every run."""
    rng = random.Random(SEED)  # noqa: S311 - not for cryptography
    tokenized = [words for title in titles if (words := WORD.findall(title))]
    found: dict[str, None] = {}
    for _ in range(count * 100):
        words = rng.choice(tokenized)
        length = min(rng.randint(1, MAX_WORDS), len(words))
        begin = rng.randint(0, len(words) - length)
        found[" ".join(words[begin : begin + length])] = None
        if len(found) == count:
            break
    return list(found)


def summary(method: str, asked: list[Figures]) -> Figures:
    """Medians of the rounds."""
    return {
        f"{method} first p50": median(percentile(one["first ms"], 0.5) for one in asked),
        f"{method} p50": median(percentile(one["ms"], 0.5) for one in asked),
        f"{method} p99": median(percentile(one["ms"], 0.99) for one in asked),
        f"{method} ms": [round(median(times), 4) for times in zip(*(one["ms"] for one in asked), strict=True)],
        f"{method} memory": median(one["memory"] for one in asked),
    }


def percentile(values: list[float], share: float) -> float:
    """The percentile of that share by the nearest-rank method.

    >>> percentile([5.0, 1.0, 3.0], 0.5), percentile([float(n) for n in range(1, 301)], 0.99)
    (3.0, 297.0)
    """
    ranked = sorted(values)
    return ranked[max(0, -int(-share * len(ranked) // 1) - 1)]


# -- tables ----------------------------------------------------------------------------------

COLUMNS = [  # head, figure
    ("build s", "index s"),
    ("index MB", "bytes"),
    ("any word, first time p50 ms", "any_word first p50"),
    ("any word p50 ms", "any_word p50"),
    ("p99 ms", "any_word p99"),
    ("all words p50 ms", "all_words p50"),
    ("p99 ms", "all_words p99"),
    ("open + first query ms", "first ms"),
    ("queries/s, 2 processes", "queries a second"),
    ("memory MB", "any_word memory"),
]
IN_BYTES = {"bytes", "any_word memory"}
HIGHER_IS_BETTER = {"queries a second"}
RELATIVE_BUDGETS = [  # name, figure, peer, minimum ratio, aim
    ("any word, p50: 50 times as fast as FTS5", "any_word p50", "fts5", 50, None),
    ("any word, p50: within 2 times tantivy's time", "any_word p50", "tantivy", 1 / 2, 1 / 1.5),
    ("any word, p99: within 2 times tantivy's time", "any_word p99", "tantivy", 1 / 2, 1 / 1.5),
    ("build: within 4 times FTS5's time", "index s", "fts5", 1 / 4, 1 / 2.5),
    ("size: at most 1.2 times FTS5's", "bytes", "fts5", 1 / 1.2, 1),
]
ABSOLUTE_BUDGETS = [  # name, figure, maximum, aim
    ("any word, first time, p50: 6 ms", "any_word first p50", 6, 4),
    ("open + first query: 40 ms", "first ms", 40, 25),
    ("ten snippets: 5 ms", "snippets p50", 5, 3),
    ("memory: 200 MB", "any_word memory", 200, 120),
]


def tables(figures: Figures) -> str:
    """The figures, the ratios to each peer, and the budgets."""
    results, pages = figures["engines"], figures["pages"]
    parts = [
        f"{pages:,} pages ({figures['characters'] / 1e6:.0f} M characters), "
        f"{figures['queries']} queries of 1 to {MAX_WORDS} words from their titles, top 10.",
        figures_table(results, pages),
    ]
    if "minisearch" in results and len(results) > 1:
        parts += ["How many times better minisearch is (below 1: worse):", ratio_table(results, pages)]
        parts += [budgets(results)]
    return "\n\n".join(parts)


def title(engine: str, pages: int) -> str:
    """The name of an engine, with a note if it did not index all pages."""
    return TITLES[engine] + (f" ({WHOOSH_PAGES:,} pages only)" if engine == "whoosh" and pages > WHOOSH_PAGES else "")


def figures_table(results: Figures, pages: int) -> str:
    """The figures as measured."""
    rows = []
    for engine, figures in results.items():
        cells = [number(scaled(figures, column)) for _, column in COLUMNS]
        if "rank s" in figures:
            cells[0] += f" + {number(figures['rank s'])} rank"
        growth = "-" if engine == "whoosh" else f"{number(figures['any_word p50'] / figures['tenth p50'])}x"
        rows.append([title(engine, pages), *cells, growth])
    if "minisearch" in results:
        ours = results["minisearch"]
        added = {"any_word p50": f"+{number(ours['snippets p50'])}", "any_word p99": f"+{number(ours['snippets p99'])}"}
        rows.append(["... with ten snippets", *(added.get(column, "") for _, column in COLUMNS), ""])
    return table(["", *(head for head, _ in COLUMNS), "any word p50, all pages / a tenth"], rows)


def scaled(figures: Figures, column: str) -> float | None:
    """A figure in the unit of its column."""
    value = figures.get(column)
    return value / 1e6 if value is not None and column in IN_BYTES else value


def ratio_table(results: Figures, pages: int) -> str:
    """minisearch relative to each peer."""
    rows = []
    for engine, figures in results.items():
        if engine != "minisearch":
            ratios = [ratio(column, results["minisearch"], figures) for _, column in COLUMNS]
            rows.append([f"against {title(engine, pages)}", *(f"{number(x)}x" if x else "-" for x in ratios)])
    return table(["", *(re.sub(" (s|ms|MB)$", "", head) for head, _ in COLUMNS)], rows)


def ratio(column: str, ours: Figures, theirs: Figures) -> float | None:
    """How many times better our figure is; None if one is missing."""
    our, their = ours.get(column), theirs.get(column)
    if not our or not their:
        return None
    return float(our / their if column in HIGHER_IS_BETTER else their / our)


def budgets(results: Figures) -> str:
    """Which budgets and aims are met."""
    ours, rows = results["minisearch"], []
    for name, column, peer, minimum, least_aim in RELATIVE_BUDGETS:
        if peer in results:
            times = ratio(column, ours, results[peer]) or 0.0
            aim = verdict(times >= least_aim) if least_aim else "-"
            rows.append([name, f"{number(times)}x {TITLES[peer]}", verdict(times >= minimum), aim])
    for name, column, maximum, most_aim in ABSOLUTE_BUDGETS:
        measured = scaled(ours, column) or 0.0
        unit = "MB" if column in IN_BYTES else "ms"
        rows.append([name, f"{number(measured)} {unit}", verdict(measured <= maximum), verdict(measured <= most_aim)])
    return budget_table(rows)
