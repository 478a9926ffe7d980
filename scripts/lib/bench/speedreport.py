"""What `speed` measured, as tables: the figures, minisearch against each peer, and the goals."""

from __future__ import annotations

import re

from bench.engines import TITLES
from bench.report import number, table
from bench.speed import WHOOSH_PAGES, Figures

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
MEGA = {"bytes", "any_word memory"}
UNIT = re.compile(" (s|ms|MB)$")
MORE_IS_BETTER = {"queries a second"}


def tables(figures: Figures) -> str:
    """All of it."""
    engines = figures["engines"]
    parts = [
        f"{figures['pages']:,} pages ({figures['characters'] / 1e6:.0f} M characters), "
        f"{figures['queries']} queries of 1 to 6 words from their titles, top 10.",
        absolute(engines, figures["pages"]),
    ]
    if "minisearch" in engines and len(engines) > 1:
        parts += ["How many times better minisearch is (below 1: worse):", ratios(engines, figures["pages"])]
        parts += ["The goals:", goals(engines)]
    return "\n\n".join(parts)


def title(engine: str, pages: int) -> str:
    """An engine's name, and what has to be known of it."""
    partly = engine == "whoosh" and pages > WHOOSH_PAGES
    return TITLES[engine] + (f" ({WHOOSH_PAGES:,} pages only)" if partly else "")


def absolute(engines: Figures, pages: int) -> str:
    """The figures as measured."""
    rows = []
    for engine, figures in engines.items():
        cells = [number(scaled(figures, column)) for _, column in COLUMNS]
        if "rank s" in figures:
            cells[0] += f" + {number(figures['rank s'])} rank"
        rows.append([title(engine, pages), *cells, growth(engine, figures)])
    if "minisearch" in engines:
        ours = engines["minisearch"]
        added = {"any_word p50": f"+{number(ours['snippets p50'])}", "any_word p99": f"+{number(ours['snippets p99'])}"}
        rows.append(["... with ten snippets", *(added.get(column, "") for _, column in COLUMNS), ""])
    return table(["", *(head for head, _ in COLUMNS), "any word p50, all pages / a tenth"], rows)


def scaled(figures: Figures, column: str) -> float | None:
    """A figure in the unit of its column."""
    value = figures.get(column)
    return value / 1e6 if value is not None and column in MEGA else value


def growth(engine: str, figures: Figures) -> str:
    """How many times slower a query is over all pages than over a tenth of them."""
    return "-" if engine == "whoosh" else f"{number(figures['any_word p50'] / figures['tenth p50'])}x"


def ratios(engines: Figures, pages: int) -> str:
    """minisearch against each peer."""
    ours = engines["minisearch"]
    rows = []
    for engine, figures in engines.items():
        if engine != "minisearch":
            cells = [better(column, ours, figures) for _, column in COLUMNS]
            rows.append([f"against {title(engine, pages)}", *(f"{number(x)}x" if x else "-" for x in cells)])
    return table(["", *(UNIT.sub("", head) for head, _ in COLUMNS)], rows)


def better(column: str, ours: Figures, theirs: Figures) -> float | None:
    """How many times better our figure is than theirs."""
    mine, other = ours.get(column), theirs.get(column)
    if not mine or not other:
        return None
    return float(mine / other if column in MORE_IS_BETTER else other / mine)


GOALS = [  # what, column, peer, how many times better at the least
    ("any word, p50: 50 times as fast as FTS5", "any_word p50", "fts5", 50),
    ("any word, p50: within twice tantivy's time", "any_word p50", "tantivy", 1 / 2),
    ("any word, p99: within twice tantivy's time", "any_word p99", "tantivy", 1 / 2),
    ("build: within 4 times FTS5's time", "index s", "fts5", 1 / 4),
    ("size: at most 1.2 times FTS5's", "bytes", "fts5", 1 / 1.2),
]
LIMITS = [
    ("any word, asked for the first time, p50: 6 ms", "any_word first p50", 6),
    ("open + first query: 40 ms", "first ms", 40),
    ("ten snippets: 5 ms", "snippets p50", 5),
    ("memory: 200 MB", "any_word memory", 200),
]


def goals(engines: Figures) -> str:
    """Which goals are met."""
    ours, rows = engines["minisearch"], []
    for goal, column, peer, wanted in GOALS:
        if peer in engines:
            ratio = better(column, ours, engines[peer])
            measured = f"{number(ratio)}x {TITLES[peer]}" if ratio else "not measured: no such mode yet"
            rows.append([goal, measured, met(ratio is not None and ratio >= wanted)])
    for goal, column, most in LIMITS:
        measured = scaled(ours, column) or 0.0
        rows.append([goal, f"{number(measured)} {'MB' if column in MEGA else 'ms'}", met(measured <= most)])
    return table(["goal", "measured", ""], rows)


def met(yes: bool) -> str:
    """In words."""
    return "met" if yes else "**not met**"
