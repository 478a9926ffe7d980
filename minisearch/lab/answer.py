"""Everything the lab page shows about a graph and its ranks, as plain data for a template or for JSON.

Large graphs get fewer views: a matrix of a thousand columns is not readable.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from minisearch.errors import BadInput, NotReady
from minisearch.lab import address
from minisearch.lab.claims import claims_in
from minisearch.lab.doctor import as_dict as diagnosis_view
from minisearch.lab.doctor import diagnose
from minisearch.lab.experiment import Outcome, perform
from minisearch.lab.layout import layout, ring
from minisearch.lab.options import ignored_options
from minisearch.lab.plots import svg
from minisearch.lab.question import MOST_EXACT, Question
from minisearch.lab.results import as_dict, picture
from minisearch.lab.views import bow_tie_view, farm_view, matrix_view, moves_view, removal_view
from minisearch.lab.webs import Web
from minisearch.rank.compare import Ranked, moves
from minisearch.rank.patience import at_most, look

MOST_IN_MATRIX = 26  # pages whose matrices are shown
MOST_IN_ROUNDS = 26  # pages of which every round is shown
MOST_NUMBERS = 20_000  # of all rounds together, to be played on the screen
MOST_DRAWN, MOST_LINKS_DRAWN = 320, 4_000
MOST_PATIENTS = 60  # pages for which the doctor looks
PATIENCE = 4.0  # seconds the doctor takes at most
MOST_MOVES_TOLD = 2_000  # of a surfer, to be walked on the screen
SECONDS = 5.0  # of computing that a question is worth

P = ParamSpec("P")
R = TypeVar("R")

_doctor = threading.BoundedSemaphore(1)  # two at once would keep a small server from answering anybody else


def in_time(work: Callable[P, R]) -> Callable[P, R]:
    """The same function, which takes no longer than a question is worth."""

    @wraps(work)
    def bounded(*args: P.args, **named: P.kwargs) -> R:
        with at_most(SECONDS):
            return work(*args, **named)

    return bounded


def answer(question: Question) -> tuple[dict[str, Any], Outcome]:
    """Everything the page shows about a graph and its ranks, and the outcome itself."""
    web, outcome = question.web, perform(question.web, question.what)
    found = as_dict(web, outcome, traced=web.n <= MOST_IN_ROUNDS)
    found |= {"method": question.what.method, "columns": list(outcome.columns), "damping": outcome.damping}
    found["web"] = {"names": list(web.names), "links": web.links() if web.n <= MOST_IN_MATRIX else [], **_sizes(web)}
    found["notes"] += filter(None, [ignored_options(question.fields)])
    found["address"] = address.written(web)
    found |= _views(question, outcome)
    if "not_compared" in found:
        found["notes"].append(found.pop("not_compared"))
    return found, outcome


def _sizes(web: Web) -> dict[str, Any]:
    return {"pages": web.n, "size": web.size, "dead_ends": int(web.graph().dangling.sum())}


def _views(question: Question, outcome: Outcome) -> dict[str, Any]:
    look()
    web, what = question.web, question.what
    views: dict[str, Any] = {}
    name = question.name or "this graph"
    if outcome.trace is not None and len(outcome.trace.rows) > 2:
        views["chart"] = svg(picture(web, outcome, name), styled=False)
        if web.n <= MOST_IN_ROUNDS:
            views["chart_ranks"] = svg(picture(web, outcome, name, "ranks"), styled=False)
    if outcome.surf is not None:
        walked = outcome.surf.path[:MOST_MOVES_TOLD].tolist()
        views |= {"start": web.names[outcome.surf.start], "path": [web.names[page] for page in walked]}
        views["chart"] = svg(picture(web, outcome, name), styled=False)
        views["distances"] = outcome.surf.distances(outcome.columns["exact"])
    if web.n <= MOST_IN_MATRIX and what.method != "hits":
        views["matrices"] = _matrices(question, outcome)
    if web.n <= MOST_EXACT and web.graph().dangling.any():
        views["removal"] = removal_view(web, damping=1)
    if question.farm and question.supporters:
        views["farm"] = _farm(question, outcome)
    if question.changed:
        views |= _comparison(question, outcome)
    views["bow_tie"] = bow_tie_view(web)
    if question.numbers:
        views["doctor"] = diagnosis(question)
    return views


def _comparison(question: Question, outcome: Outcome) -> dict[str, Any]:
    """The scores before and after the changes, by the same method."""
    look()
    try:
        before = perform(question.plain, question.what_before)
    except BadInput as error:
        return {"not_compared": f"before and after are not compared: {error}"}
    follows_links = question.what.method not in ("hits", "surfer") and question.what.convention is None
    damping = outcome.damping if follows_links else None
    sides = ((question.plain, before), (question.web, outcome))
    ranked = [Ranked(web.graph(), web.names, found.main, damping) for web, found in sides]
    return {"comparison": moves_view(moves(*ranked)), "compared": next(iter(outcome.columns))}


def _matrices(question: Question, outcome: Outcome) -> list[dict[str, Any]]:
    how: dict[str, Any] = {"damping": str(outcome.damping), "teleport": question.what.teleport}
    policy = question.what.dangling
    how["dangling"] = policy if policy in ("teleport", "leak", "uniform") else "uniform"
    return [matrix_view(question.web, name, **how) for name in ("counts", "H", "S", "G")]


def _farm(question: Question, outcome: Outcome) -> dict[str, Any]:
    """The farm on paper beside the farm as planted."""
    doors = [name for name in question.doors if name in question.plain.numbers]
    paper = farm_view(question.plain, question.supporters, doors, damping=min(outcome.damping, 0.999))
    before = question.plain.numbers.get(question.farm)
    return {**paper, "page": question.farm, "is_new": before is None}


def diagnosis(question: Question) -> dict[str, Any]:
    """What the doctor says to the numbers that were pasted."""
    web = question.web
    if web.n > MOST_PATIENTS:
        raise BadInput(f"the doctor takes graphs of up to {MOST_PATIENTS} pages here, not {web.n}")
    reported = claims_in(question.numbers, web, partial=True)
    if not _doctor.acquire(blocking=False):
        raise NotReady("the doctor is busy with another request: try again in a few seconds")
    try:
        end = time.monotonic() + PATIENCE
        found = diagnose(web, reported, teleport=question.what.teleport, most=3, stop=lambda: time.monotonic() > end)
    finally:
        _doctor.release()
    texts = {claim.page: claim.text for claim in reported}
    return {**diagnosis_view(web, found), "hurried": found.hurried, "rows": _rows(web, found, texts)}


def _rows(web: Web, found: Any, texts: dict[str, str]) -> list[tuple[str, str, float, float]]:
    best, right = found.best.values.tolist(), found.right.tolist()
    return [(name, texts.get(name, ""), best[page], right[page]) for page, name in enumerate(web.names)]


def drawing(question: Question, found: dict[str, Any], outcome: Outcome, *, laid: bool = False) -> dict[str, Any]:
    """The web as a picture: places of the pages, links by number, the rank of each page in every round.

    Where it is `laid` out already no places are looked for, which takes longest of all.
    """
    web, first = question.web, question.plain
    rows = {row["page"]: row for row in found["pages"]}
    shown = list(web.names) if web.n <= MOST_DRAWN else [row["page"] for row in found["pages"][:MOST_DRAWN]]
    number = {name: place for place, name in enumerate(shown)}
    counts = web.counts.tocoo()
    ends = zip(*(side.tolist() for side in counts.coords), counts.data.tolist(), strict=True)
    links = [
        (number[web.names[source]], number[web.names[target]], often)
        for source, target, often in ends
        if web.names[source] in number and web.names[target] in number
    ][:MOST_LINKS_DRAWN]
    column = found["columns"][0].replace(" ", "_")
    parts = {name: part for part, names in found["bow_tie"]["parts"].items() for name in names}
    return {
        "names": shown,
        "links": links,
        "at": None if laid else _places(web, first, shown, number, links, question),
        "values": [rows[name][column] for name in shown],
        "rounds": _rounds(outcome, web, shown),
        "parts": [parts[name] for name in shown],
        "more": web.n - len(shown),
    }


def _places(
    web: Web, first: Web, shown: list[str], number: dict[str, int], links: list[Any], question: Question
) -> list[list[float]]:
    """As the web was laid out before a farm was planted, with the farm around its target."""
    farmed = set(web.names) - set(first.names) if question.farm and question.farm in first.numbers else set()
    inner = [name for name in shown if name not in farmed]
    place = {name: spot for spot, name in enumerate(inner)}
    ends = [(place[shown[s]], place[shown[t]]) for s, t, _ in links if shown[s] in place and shown[t] in place]
    spots = layout(len(inner), [end[0] for end in ends], [end[1] for end in ends]).round(1).tolist()
    at = dict(zip(inner, spots, strict=True))
    grown = [name for name in shown if name in farmed]
    if grown:
        at |= dict(zip(grown, ring(at[question.farm], len(grown)).round(1).tolist(), strict=True))
    return [at[name] for name in number]


def _rounds(outcome: Outcome, web: Web, shown: list[str]) -> list[list[float | None]]:
    """Of every round the numbers of the pages that are drawn; None for pages that take no part in the rounds."""
    if outcome.trace is not None:
        names, rows = outcome.trace.names, list(outcome.trace.rows)
    else:
        names, letter = web.names, next(iter(outcome.columns))[0]  # of HITS those of its first column: a or h
        rows = [scaled for name, _, scaled in outcome.steps if name.startswith(letter)]
    place = {name: number for number, name in enumerate(names)}
    picked = [place.get(name) for name in shown]
    few = rows[: MOST_NUMBERS // max(len(shown), 1)]
    return [[None if page is None else float(f"{row[page]:.8g}") for page in picked] for row in few]
