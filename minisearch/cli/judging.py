"""judge, eval: the commands that ask whether the answers are any good."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from minisearch.cli import options
from minisearch.cli.shown import counted
from minisearch.errors import BadInput

if TYPE_CHECKING:
    from minisearch.engine import Engine
    from minisearch.evaluation.significance import Difference
    from minisearch.evaluation.trec import JudgedQuery, Ranking
    from minisearch.models import Hit

TOO_LOW = 3  # the exit code if --fail-under is not reached
ENOUGH = 1000  # hits a query, by which MAP is usually measured
KEYS = {"g": ("good", 1), "b": ("bad", 0), "s": ("skipped", None), "q": ("quit", None)}

Means = dict[str, float]
Gained = dict[str, "Difference"]
Compared = list[tuple[str, Means, Gained]]  # setting, its means, what it gains in each metric


@click.command()
@click.argument("query", nargs=-1, required=True)
@click.option("--qrels", required=True, metavar="FILE", help="Where the judgements are added, as TREC qrels.")
@options.db
@click.option("--limit", type=click.IntRange(1), default=10, show_default=True, help="Hits to judge.")
def judge(query: tuple[str, ...], qrels: str, db: str, limit: int) -> None:
    """Judge the hits for QUERY one by one with a key: g good, b bad, s skip, q quit.

    Each judgement is written at once. If a page is judged again, its last judgement counts.
    """
    from minisearch.engine import Engine
    from minisearch.evaluation.trec import JudgedQuery, is_jsonl, query_id, read_judgements, write_qrels

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInput("judge asks a person, key by key: run it in a terminal")
    text = " ".join(query)
    if not (name := query_id(text)):
        raise BadInput("an empty query has no hits to judge")
    before: list[JudgedQuery] = []
    if Path(qrels).exists():
        if is_jsonl(qrels):
            raise BadInput(f'"{qrels}" is a JSONL set: judge adds to TREC qrels, so name another file')
        before = [one for one in read_judgements(qrels) if one.id == name]
    with Engine(db, create=False) as engine:
        (earlier,) = _by_page(before or [JudgedQuery(name, text, {})], engine)
        hits = engine.search(text, limit=limit, fold=False).hits
    if not hits:
        click.echo("nothing found", err=True)
        sys.exit(1)
    for place, hit in enumerate(hits, 1):
        said, grade = _ask_about(place, hit, earlier.grades.get(earlier.judged_url(hit.url)))
        if grade is not None:
            write_qrels(qrels, [JudgedQuery(name, text, {hit.url: grade})], append=True)
        if said == "quit":
            break


def _ask_about(place: int, hit: Hit, earlier: int | None) -> tuple[str, int | None]:
    """What the person says about a hit, and the relevance that this means."""
    from minisearch.cli.hits import print_hit

    print_hit(place, hit)
    before = "" if earlier is None else f"  (judged {'good' if earlier > 0 else 'bad'} before)"
    click.echo(f"    [g]ood  [b]ad  [s]kip  [q]uit{before}  ", nl=False)
    key = ""
    while key not in KEYS:
        try:
            key = (click.getchar() or "q").lower()  # nothing: the terminal is gone
        except EOFError:
            key = "q"
    click.echo(KEYS[key][0])
    return KEYS[key]


@click.command()
@click.option("--qrels", required=True, metavar="FILE", help="The judgements: TREC qrels, or a JSONL set.")
@click.option("--queries", metavar="FILE", help="The texts of the queries in TREC qrels, as lines id<TAB>text.")
@click.option("--run-out", metavar="FILE", help="Write the answers there, as a TREC run.")
@click.option("--compare", multiple=True, metavar="SETTING=VALUE", help="Compare with another way to rank; repeatable.")
@click.option("--fail-under", multiple=True, metavar="METRIC=VALUE", help="Exit code 3 if less is reached; repeatable.")
@click.option("--limit", type=click.IntRange(1), default=ENOUGH, show_default=True, help="Hits per query.")
@options.db
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
def eval(  # noqa: A001
    qrels: str,
    queries: str | None,
    run_out: str | None,
    compare: tuple[str, ...],
    fail_under: tuple[str, ...],
    limit: int,
    db: str,
    as_json: bool,
) -> None:
    """Run judged queries and say how good the answers are.

    To compare with: ranker=NAME, sort=WAY, a number of the ranking such as blend=0 or weight.title=2, or run=FILE, a
    TREC run that --run-out wrote before, or another engine.

    Without --queries an id in TREC qrels is its own query, with _ for blanks. A judged url is a full url, or the path
    of a page without its first slash; one that was merged into another page is that page.
    Queries for which no page is good are left out.
    """
    from statistics import fmean

    from minisearch.engine import Engine
    from minisearch.evaluation.metrics import DEFAULT_METRICS, ideal_gains, limit_cutoff, score_run
    from minisearch.evaluation.significance import paired_difference
    from minisearch.evaluation.trec import decreasing_scores, read_judgements, run_queries, write_run

    ways = [_another_way(word) for word in compare]
    wanted = [_least(word) for word in fail_under]
    if far := [name for name, _ in wanted if limit_cutoff(name, limit) != name]:
        raise BadInput(f"{far[0]} looks at more hits than --limit {limit} gives: raise the limit")
    shown = [limit_cutoff(name, limit) for name in DEFAULT_METRICS]
    names = list(dict.fromkeys([*shown, *(name for name, _ in wanted)]))
    read = read_judgements(qrels, queries)

    with Engine(db, create=False) as engine:
        judged = [one for one in _by_page(read, engine) if ideal_gains(one.grades)]
        if not judged:
            raise BadInput(f'no query in "{qrels}" has a good page: there is nothing to find')
        run = run_queries(judged, _searching(engine, limit))
        others = [way(judged, engine, limit) for way in ways]
    if run_out is not None:
        write_run(run_out, {name: decreasing_scores(ranking) for name, ranking in run.items()})

    now = {name: score_run(name, judged, run) for name in names}
    means = {name: fmean(values) for name, values in now.items()}
    compared: Compared = []
    for word, other in zip(compare, others, strict=True):
        then = {name: score_run(name, judged, other) for name in names}
        gained = {name: paired_difference(now[name], then[name]) for name in names}
        compared.append((word, {name: fmean(values) for name, values in then.items()}, gained))
    missed = [(name, least) for name, least in wanted if means[name] < least - 1e-9]

    (_print_json if as_json else _print_table)(len(judged), means, compared)
    if limit < ENOUGH:
        click.echo(f"MAP looks at no more than {counted(limit, 'hit')} a query, as --limit says", err=True)
    if len(judged) < len(read):
        click.echo(f"left out: queries for which no page is good ({len(read) - len(judged)})", err=True)
    if not any(means.values()):
        click.echo("no judged page was found at all: do the urls belong to this site?", err=True)
    for name, least in missed:
        click.echo(f"{name} is {means[name]:.6g}, under {least:g}", err=True)
    if missed:
        sys.exit(TOO_LOW)


def _by_page(judged: Sequence[JudgedQuery], engine: Engine) -> list[JudgedQuery]:
    """The judgements of pages, whichever of their URLs was judged."""
    from minisearch.evaluation.trec import merge_duplicates

    standing = engine.standing({name for one in judged for name in one.grades})
    return [merge_duplicates(one, standing) for one in judged]


def _searching(engine: Engine, limit: int, **setting: Any) -> Callable[[str], Ranking]:
    def search(query: str) -> Ranking:
        # Of near-identical pages any may be the judged one, so none is folded.
        found = engine.search(query, limit=limit, snippets=False, fold=False, **setting)
        return [(hit.url, hit.score) for hit in found.hits]

    return search


def _another_way(word: str) -> Callable[[Sequence[JudgedQuery], Engine, int], Mapping[str, Ranking]]:
    """Who answers the queries for comparison: a run that was kept, or the engine with another setting."""
    from minisearch.evaluation.trec import read_run, run_queries

    name, _, value = word.partition("=")
    if name == "run":
        kept = read_run(value)
        return lambda _judged, _engine, _limit: kept
    setting = _setting(word)
    return lambda judged, engine, limit: run_queries(judged, _searching(engine, limit, **setting))


def _setting(word: str) -> dict[str, Any]:
    """What `ranker=bm25`, `sort=text`, `blend=0` or `weight.title=2` stands for."""
    from minisearch.search.params import read_settings
    from minisearch.search.rankers import ranker
    from minisearch.search.searcher import check

    name, _, value = word.partition("=")
    if name == "sort":
        check(value, limit=1, offset=0)
        return {"sort": value}
    if name == "ranker":
        return {"sort": ranker(value).sort, "settings": ranker(value).settings}
    return {"settings": read_settings([word])}


def _least(word: str) -> tuple[str, float]:
    """The metric and the number that `nDCG@10=0.8` stands for."""
    from minisearch.evaluation.metrics import canonical_name

    name, _, value = word.partition("=")
    least = _number(word, value)
    if not 0 <= least <= 1:
        raise BadInput(f"a metric lies between 0 and 1, so {word!r} makes no sense")
    return canonical_name(name), least


def _number(word: str, value: str) -> float:
    try:
        return float(value)
    except ValueError as error:
        raise BadInput(f"{word!r} needs a number after the =") from error


def _print_json(queries: int, means: Means, compared: Compared) -> None:
    others = [
        {"setting": word, "metrics": then, "gained": {name: asdict(gain) for name, gain in gained.items()}}
        for word, then, gained in compared
    ]
    click.echo(json.dumps({"queries": queries, "metrics": means, "compared": others}, indent=2))


def _print_table(queries: int, means: Means, compared: Compared) -> None:
    click.echo(f"{counted(queries, 'query', 'queries')}", err=True)
    if not compared:
        _print_rows([(name, f"{value:.4f}") for name, value in means.items()])
    for number, (word, then, gained) in enumerate(compared):
        rows = [("metric", "now", word, "gained", "95% from", "to", "p")]
        for name, value in means.items():
            gain = gained[name]
            bounds = (f"{gain.mean:+.4f}", f"{gain.low:+.4f}", f"{gain.high:+.4f}", f"{gain.p:.4f}")
            rows.append((name, f"{value:.4f}", f"{then[name]:.4f}", *bounds))
        click.echo("\n" if number else "", nl=False)
        _print_rows(rows)


def _print_rows(rows: Sequence[tuple[str, ...]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for first, *rest in rows:
        click.echo(
            "  ".join([f"{first:<{widths[0]}}", *(f"{cell:>{w}}" for cell, w in zip(rest, widths[1:], strict=True))])
        )
