"""eval, judge, rankers, weights: the commands that measure and tune the ranking."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from minisearch.cli import options
from minisearch.cli.options import Integer, option
from minisearch.cli.output import print_found, print_table, sanitize, talk
from minisearch.errors import BadInput
from minisearch.models import counted

if TYPE_CHECKING:
    from minisearch.engine import Engine
    from minisearch.evaluation.trec import JudgedQuery, Ranking
    from minisearch.models import Hit, Results

TOO_LOW = 3  # exit code if --fail-under is not reached
DEPTH = 1000  # hits per query, the usual cut-off of MAP
FEW_QUERIES = 10  # with fewer, a comparison says little
KEYS = {"g": ("good", 1), "b": ("bad", 0), "s": ("skipped", None), "q": ("quit", None)}


# -- judge -----------------------------------------------------------------------------------


@options.command()
@click.argument("query", nargs=-1, required=True)
@option("--qrels", required=True, metavar="FILE", help="File to which the judgements are added, as TREC qrels.")
@options.db
@option("--limit", type=Integer(1), default=10, show_default=True, help="Number of hits to judge.")
def judge(query: tuple[str, ...], qrels: str, db: str, limit: int) -> None:
    """Judge the hits of a query one by one.

    Keys: g good, b bad, s skip, q quit. Each judgement is written immediately. If a page is judged again, the last
    judgement counts.
    """
    from minisearch.evaluation.trec import JudgedQuery, is_jsonl, query_id, read_judgements, write_qrels

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInput("judge is interactive: run it in a terminal")
    text = " ".join(query)
    if not (name := query_id(text)):
        raise BadInput("an empty query has no hits to judge")
    before: list[JudgedQuery] = []
    if Path(qrels).exists():
        if is_jsonl(qrels):
            raise BadInput(f'"{qrels}" is a JSONL set, and judge writes TREC qrels: choose another file')
        before = [one for one in read_judgements(qrels) if one.id == name]
    with options.open_index(db) as engine:
        (earlier,) = _by_page(before or [JudgedQuery(name, text, {})], engine)
        hits = engine.search(text, limit=limit, fold=False).hits
    if not hits:
        talk("nothing found")
        sys.exit(1)
    for place, hit in enumerate(hits, 1):
        answer, grade = _ask_about(place, hit, earlier.grades.get(earlier.judged_url(hit.url)))
        if grade is not None:
            write_qrels(qrels, [JudgedQuery(name, text, {hit.url: grade})], append=True)
        if answer == "quit":
            break


def _ask_about(place: int, hit: Hit, earlier: int | None) -> tuple[str, int | None]:
    """The answer of the person about a hit, and the grade it means."""
    from minisearch.cli.search import print_hit

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


# -- eval ------------------------------------------------------------------------------------


@options.command("eval")
@option("--qrels", required=True, metavar="FILE", help="The judgements: TREC qrels or a JSONL set.")
@option("--queries", metavar="FILE", help="The texts of the queries in TREC qrels, as lines id<TAB>text.")
@option("--run-out", metavar="FILE", help="Write the hits as a TREC run.")
@option("--compare", multiple=True, metavar="SETTING=VALUE", help="Compare with another ranking; repeatable.")
@option("--fail-under", multiple=True, metavar="METRIC=VALUE", help="Exit code 3 below this value; repeatable.")
@option("--limit", type=Integer(1), default=DEPTH, show_default=True, help="Hits per query.")
@options.db
@options.json_format
def eval_command(
    qrels: str,
    queries: str | None,
    run_out: str | None,
    compare: tuple[str, ...],
    fail_under: tuple[str, ...],
    limit: int,
    db: str,
    as_json: bool,
) -> None:
    """Evaluate the ranking with judged queries (qrels).

    --compare takes ranker=NAME, sort=NAME, a ranking weight such as blend=0 or weight.title=2, or run=FILE, a TREC run
    written by --run-out or by another engine. A positive difference means that it is better than the current ranking.

    Without --queries an id in TREC qrels is the query itself, with _ for blanks. A judged page is given by its URL, or
    by its path without the first slash. Queries without a relevant page are left out.
    """
    from minisearch.evaluation.metrics import DEFAULT_METRICS, ideal_gains, limit_cutoff
    from minisearch.evaluation.significance import evaluate
    from minisearch.evaluation.trec import decreasing_scores, read_judgements, read_run, run_queries, write_run

    stored = {word: read_run(word.removeprefix("run=")) for word in compare if word.startswith("run=")}
    settings = {word: _setting(word) for word in compare if word not in stored}
    minimums = [_minimum(word) for word in fail_under]
    if deeper := [name for name, _ in minimums if limit_cutoff(name, limit) != name]:
        raise BadInput(f"{deeper[0]} needs a higher --limit than {limit}")
    metrics = list(dict.fromkeys([*(limit_cutoff(name, limit) for name in DEFAULT_METRICS), *dict(minimums)]))
    judgements = read_judgements(qrels, queries)

    with options.open_index(db) as engine:
        judged = [one for one in _by_page(judgements, engine) if ideal_gains(one.grades)]
        if not judged:
            raise BadInput(f'no query in "{qrels}" has a relevant page')
        run = run_queries(judged, _searching(engine, limit))
        others = stored | {
            word: run_queries(judged, _searching(engine, limit, **setting)) for word, setting in settings.items()
        }
    if run_out is not None:
        write_run(run_out, {name: decreasing_scores(ranking) for name, ranking in run.items()})

    found = evaluate(judged, metrics, run, [(word, others[word]) for word in compare])
    means = found["metrics"]
    print_found(found, as_json, _print_evaluation)
    if limit < DEPTH:
        talk(f"MAP is computed over {counted(limit, 'hit')} per query (--limit)")
    if len(judged) < len(judgements):
        talk(f"left out: {counted(len(judgements) - len(judged), 'query', 'queries')} without a relevant page")
    if others and len(judged) < FEW_QUERIES:
        talk(f"with only {counted(len(judged), 'query', 'queries')}, no small difference is significant")
    if not any(means.values()):
        talk("no judged page was found: are the judgements for this site?")
    missed = [(name, minimum) for name, minimum in minimums if means[name] < minimum - 1e-9]
    talk(*(f"{name} is {means[name]:.6g}, below {minimum:g}" for name, minimum in missed))
    if missed:
        sys.exit(TOO_LOW)


def _by_page(judged: Sequence[JudgedQuery], engine: Engine) -> list[JudgedQuery]:
    """The judgements of pages, whichever of their URLs was judged."""
    from minisearch.evaluation.trec import merge_duplicates

    standing = engine.standing({name for one in judged for name in one.grades})
    return [merge_duplicates(one, standing) for one in judged]


def _searching(engine: Engine, limit: int, **setting: Any) -> Callable[[str], Ranking]:
    def search(query: str) -> Ranking:
        # Any of several near-duplicates may be the judged one, so they are not collapsed.
        found = engine.search(query, limit=limit, snippets=False, fold=False, **setting)
        return [(hit.url, hit.score) for hit in found.hits]

    return search


def _setting(word: str) -> dict[str, Any]:
    """The arguments of `Engine.search` for `ranker=bm25`, `sort=text`, `blend=0` or `weight.title=2`."""
    from minisearch.search.rankers import ranker
    from minisearch.search.searcher import check

    name, _, value = word.partition("=")
    if name == "sort":
        check(value, limit=1, offset=0)
        return {"sort": value}
    if name == "ranker":
        return {"sort": ranker(value).sort, "settings": ranker(value).settings}
    return {"settings": options.read_weights([word])}


def _minimum(word: str) -> tuple[str, float]:
    """The metric and the number of `nDCG@10=0.8`."""
    from minisearch.evaluation.metrics import canonical_name

    name, _, value = word.partition("=")
    try:
        minimum = float(value)
    except ValueError as error:
        raise BadInput(f'--fail-under "{word}": write METRIC=VALUE, as in nDCG@10=0.8') from error
    if not 0 <= minimum <= 1:
        raise BadInput(f'--fail-under "{word}": the value must be between 0 and 1')
    return canonical_name(name), minimum


def _print_evaluation(found: dict[str, Any]) -> None:
    talk(counted(found["queries"], "query", "queries"))
    means = found["metrics"]
    if not found["compared"]:
        print_table(["", ""], [(name, f"{value:.4f}") for name, value in means.items()], words=(0,))
    for number, other in enumerate(found["compared"]):
        rows = []
        for name, value in means.items():
            gained = other["gained"][name]
            both = f"{value:.4f}", f"{other['metrics'][name]:.4f}"
            interval = f"{gained['low']:+.4f} to {gained['high']:+.4f}"
            rows.append((name, *both, f"{gained['mean']:+.4f}", interval, f"{gained['p']:.4f}"))
        click.echo("\n" if number else "", nl=False)
        print_table(["metric", "current", other["setting"], "difference", "95% interval", "p"], rows, words=(0,))


# -- rankers ---------------------------------------------------------------------------------


@options.query_command
@options.db
@option("--limit", type=Integer(1, 100), default=5, show_default=True, help="Hits per ranker.")
@options.json_format
def rankers(query: tuple[str, ...], db: str, limit: int, as_json: bool) -> None:
    """Compare six rankers on a query and show how the hits move."""
    from minisearch.search.rankers import RANKERS

    text = " ".join(query)
    with options.open_index(db) as engine:
        steps = {name: engine.search(text, limit=limit, ranker=name, snippets=False, fold=False) for name in RANKERS}
    print_found(steps, as_json, _print_rankers)
    if not any(results.hits for results in steps.values()):
        talk("nothing found")
        sys.exit(1)


def _print_rankers(steps: dict[str, Results]) -> None:
    from minisearch.cli.search import print_word_notes
    from minisearch.search.rankers import RANKERS

    before: dict[str, int] | None = None
    for name, results in steps.items():
        click.echo(f"{name}: {RANKERS[name].description} ({counted(results.total, 'page')} found)")
        places = {hit.url: place for place, hit in enumerate(results.hits, 1)}
        for hit in results.hits:
            place = places[hit.url]
            change = moved(before, hit.url, place)
            click.echo(f"  {place:>2}. {change:<7} {hit.score:9.4f}  {sanitize(hit.title)}  {hit.url}")
        if dropped := [f"#{place}" for url, place in (before or {}).items() if url not in places]:
            click.echo(f"      dropped out: previous {', '.join(dropped)}")
        click.echo()
        before = places
    print_word_notes(steps["blend"])


def moved(before: dict[str, int] | None, url: str, place: int) -> str:
    """How a page moved since the previous ranker.

    >>> moved({"a": 3}, "a", 1), moved({"a": 1}, "a", 2), moved({"a": 1}, "a", 1), moved({}, "a", 1)
    ('up 2', 'down 1', '', 'new')
    """
    if before is None:
        return ""
    if url not in before:
        return "new"
    change = before[url] - place
    return "" if not change else f"up {change}" if change > 0 else f"down {-change}"


# -- weights ---------------------------------------------------------------------------------


@options.command()
@options.db
@option("--set", "changed", multiple=True, metavar="NAME=VALUE", help="Change a weight of this file; repeatable.")
@option("--reset", is_flag=True, help="Restore all defaults.")
@options.json_format
def weights(db: str, changed: tuple[str, ...], reset: bool, as_json: bool) -> None:
    """Show or change the ranking weights of this file.

    \b
      minisearch weights --set weight.title=2          for all queries
      minisearch search --set weight.title=2 QUERY     for one query
      minisearch weights --set prior=trustrank         use another ranking as link score
    """
    settings = options.read_weights(changed)
    with options.open_index(db) as engine:
        if reset:
            engine.ranking({})
        current = engine.ranking(settings or None)
    print_found(current, as_json, _print_weights)


def _print_weights(current: dict[str, float | str]) -> None:
    from minisearch.search.params import DEFAULT, describe

    defaults = DEFAULT.settings()
    for name, value in current.items():
        shown = f"{value:g}" if isinstance(value, float) else str(value)
        default = f" (default {defaults[name]})" if value != defaults[name] else ""
        click.echo(f"{name:<20} {shown:<9} {describe(name)}{default}")
