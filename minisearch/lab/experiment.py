"""Run an experiment: a graph, a method and its options.

The command line and the lab page fill in an Experiment and show its Outcome; the algorithms are in minisearch/rank.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from minisearch import models
from minisearch.errors import BadInput
from minisearch.lab.exact import (
    NOT_EXACT,
    as_written,
    cut_off,
    exactly,
    hubs_and_authorities,
    on_a_board,
    one_topic,
    some_rounds,
    sums,
)
from minisearch.lab.exact import solve as _solve
from minisearch.lab.options import METHODS, Experiment
from minisearch.lab.presets import preset
from minisearch.lab.results import Outcome, counted, trace
from minisearch.lab.webs import Web
from minisearch.rank.conventions import CONVENTIONS, by_powers, convention, rank_by
from minisearch.rank.hits import hits, shared_by_host
from minisearch.rank.matrices import share
from minisearch.rank.pagerank import DAMPING, advice, pagerank, rescaled
from minisearch.rank.scores import Scores
from minisearch.rank.solve import eigenvector
from minisearch.rank.structure import rank_apart
from minisearch.rank.surfer import surf
from minisearch.rank.topic import preferred, topic_ranks, topic_vector
from minisearch.rank.trustrank import matching_pages, spam_mass, trusted_pages, trustrank

MOST_ROUNDS = 1_000_000
MOST_TRACED = 20_000_000  # numbers in a trace


__all__ = ["Experiment", "Outcome", "as_its_source", "perform"]


def perform(web: Web, what: Experiment) -> Outcome:
    """Do it."""
    _check(web, what)
    damping = DAMPING if what.damping is None else float(share(what.damping, "damping"))
    outcome = _METHODS[what.method](web, what, damping)
    noted = advice(damping) if what.method != "hits" and what.convention is None else ""
    if what.convention is not None and what.damping is None:
        damping = convention(what.convention).damping
    return replace(outcome, damping=damping, notes=[note for note in (*outcome.notes, noted) if note])


def _check(web: Web, what: Experiment) -> None:
    """Refuse what makes no sense."""
    if what.method not in METHODS:
        raise BadInput(f'unknown method "{what.method}": choose from {", ".join(METHODS)}')
    if what.convention is not None and what.method != "pagerank":
        raise BadInput(f"conventions are for method pagerank, not for {what.method}")
    if what.method == "solve" and (what.rounds is not None or what.trace):
        raise BadInput("method solve has no iterations: leave out iterations, trace and plot")
    if what.by_host and (what.method != "hits" or what.exact):
        raise BadInput("weighting each host as one is for method hits without exact fractions")
    if what.exact and what.method in NOT_EXACT:
        raise BadInput(NOT_EXACT[what.method])
    if not web.n:
        raise BadInput("nothing to rank: the graph has no pages")
    if max(what.rounds or 0, what.max_rounds) > MOST_ROUNDS:
        raise BadInput(f"the limit is {MOST_ROUNDS:,} iterations")
    if what.trace and (what.rounds or 0) * web.n > MOST_TRACED:
        raise BadInput(f"a trace of {what.rounds:,} iterations over {web.n:,} pages is too long: use fewer iterations")
    for name in ("teleport", "start", "fits"):
        if getattr(what, name) is not None:
            web.checked(name, getattr(what, name))


def _pagerank(web: Web, what: Experiment, damping: float) -> Outcome:
    if what.convention is not None:
        return _by_convention(web, what)
    if what.exact:
        return exactly(web, what, damping)
    if what.trace and on_a_board(web, what):
        said = some_rounds(web, what, damping)
        verdict = f"{models.counted(said.rounds, 'iteration')} as requested; residual {said.residual:.1e}"
        return replace(said, verdict=verdict)
    if what.apart:
        if what.teleport is not None or what.start is not None or what.trace:
            raise BadInput("ranking each component alone cannot be combined with teleport, start or trace")
        how = {"damping": damping, "dangling": what.dangling or "uniform", "decimals": what.decimals, **_limits(what)}
        scores = rank_apart(web.graph(), **how)
        return _outcome(web, "pagerank", rescaled(scores) if what.rescale else scores, what)
    scores = pagerank(
        web.graph(),
        damping=damping,
        teleport=what.teleport,
        start=what.start,
        dangling=what.dangling or "uniform",
        decimals=what.decimals,
        rescale=what.rescale,
        trace=what.trace,
        **_limits(what),
    )
    return _outcome(web, "pagerank", scores, what)


def _by_convention(web: Web, what: Experiment) -> Outcome:
    if what.start is not None or what.rescale or what.apart or what.exact:
        raise BadInput("a convention sets its own start and scale: leave out start, rescale, apart and exact")
    chosen = convention(what.convention or "")
    changed: dict[str, Any] = {
        name: value
        for name, value in (
            ("damping", None if what.damping is None else float(share(what.damping, "damping"))),
            ("dangling", what.dangling),
            ("rounds", what.rounds),
            ("tolerance", what.tolerance),
            ("decimals", what.decimals),
        )
        if value is not None
    }
    way = replace(chosen, **changed)
    scores = rank_by(web.graph(), way, teleport=what.teleport, trace=what.trace)
    outcome = _outcome(web, "pagerank", scores, replace(what, dangling=way.dangling))
    verdict, notes = outcome.verdict, [chosen.source, *outcome.notes]
    if by_powers(way, web.n) and outcome.trace is not None:
        digits = tuple(tuple(cut_off(value) for value in row.tolist()) for row in outcome.trace.rows)
        outcome = replace(outcome, trace=replace(outcome.trace, printed=digits))
        notes.append("every digit as printed in the source: powers of G in floating point, truncated to 16 decimals")
    if way.rounds is not None and what.rounds is None:
        verdict = f"{models.counted(way.rounds, 'iteration')}, the default of {chosen.name}"
    return replace(outcome, verdict=verdict, notes=notes)


def as_its_source(name: str, web: Web, what: Experiment) -> Experiment:
    """Rounds of a preset whose source prints them to the last digit: in its arithmetic, not in exact fractions."""
    known = preset(name)
    way = CONVENTIONS.get(known.convention) if known is not None else None
    if way is None or not way.powers or what.method != "pagerank" or what.convention is not None:
        return what
    same = what.teleport is None and what.dangling != "leak" and what.damping in (None, way.damping, str(way.damping))
    traced = what.trace and not what.exact and on_a_board(web, what)
    return replace(what, convention=way.name) if same and traced else what


def _hits(web: Web, what: Experiment, damping: float) -> Outcome:  # noqa: ARG001
    if what.exact:
        return hubs_and_authorities(web, what)
    links = shared_by_host(web.graph(), [urlsplit(name).netloc or name for name in web.names]) if what.by_host else None
    found = hits(
        links or web.graph(),
        order=what.order,
        weighted=what.weighted or what.by_host,
        topic=what.fits,
        trace=what.trace,
        **_limits(what),
    )
    columns = {"authority": found.authorities.values, "hub": found.hubs.values}
    if what.order == "hub":
        columns = dict(reversed(columns.items()))
    steps = [(step.name, step.raw, step.scaled) for step in found.steps]
    scores = found.hubs
    return Outcome(columns, found.verdict, found.converged, scores.rounds, scores.residual, steps=steps)


def _trustrank(web: Web, what: Experiment, damping: float) -> Outcome:
    if not what.trusted:
        raise BadInput("trustrank needs trusted pages: --trust A, --trust 'https://*.edu/*' or --trust .edu")
    trusted = trusted_pages(web.names, what.trusted)
    how = {"damping": damping, "decimals": what.decimals, "rescale": what.rescale, **_limits(what)}
    policy = {} if what.dangling is None else {"dangling": what.dangling}
    rank = pagerank(web.graph(), dangling=what.dangling or "uniform", **how)
    asked = replace(what, dangling=what.dangling or "teleport")
    if what.exact:
        outcome = exactly(web, replace(asked, teleport=topic_vector(web.n, trusted)), damping)
    else:
        trust = trustrank(web.graph(), trusted, trace=what.trace, **how, **policy)
        outcome = _outcome(web, "trustrank", trust, asked)
    columns = {"trustrank": outcome.main, "pagerank": rank.values, "spam mass": spam_mass(rank.values, outcome.main)}
    some = ", ".join(web.names[page] for page in trusted[:5]) + (" ..." if len(trusted) > 5 else "")
    counted = f"{len(trusted)} trusted page{'s' if len(trusted) > 1 else ''}: {some}"
    return replace(outcome, columns=columns, notes=[counted, *outcome.notes])


def _topic(web: Web, what: Experiment, damping: float) -> Outcome:
    if not what.topics:
        raise BadInput("a topic-sensitive ranking needs a topic: --topic A,E or --topic news=A,E")
    topics = {name: matching_pages(web.names, pages) for name, pages in what.topics.items()}
    if what.exact:
        return one_topic(web, what, damping, topics)
    policy = {} if what.dangling is None else {"dangling": what.dangling}
    how = {"damping": damping, "decimals": what.decimals, "rescale": what.rescale, **_limits(what), **policy}
    ranks = topic_ranks(web.graph(), topics, trace=what.trace, **how)
    if len(ranks) == 1 and not what.preference:
        (only,) = ranks.values()
        return _outcome(web, "topic", only, replace(what, dangling=what.dangling or "teleport"))
    mixed = preferred(ranks, what.preference or dict.fromkeys(ranks, 1.0))
    columns = {"reader": mixed.values, **{name: scores.values for name, scores in ranks.items()}}
    return Outcome(columns, mixed.verdict, mixed.converged, mixed.rounds, mixed.residual)


def _surfer(web: Web, what: Experiment, damping: float) -> Outcome:
    if what.steps < 1:
        raise BadInput(f"the number of moves must be 1 or more, not {what.steps}")
    policy = what.dangling or "uniform"
    walked = surf(
        web.graph(), what.steps, seed=what.seed, damping=damping, teleport=what.teleport, dangling=policy,
        start=_first_page(what),
    )  # fmt: skip
    true = pagerank(web.graph(), damping=damping, teleport=what.teleport, dangling=policy, max_rounds=what.max_rounds)
    columns = {"counted": walked.frequencies, "error": walked.errors(), "exact": true.values}
    far = float(np.abs(walked.frequencies - true.values).sum())
    said = f"{walked.steps:,} moves from {web.names[walked.start]}; sum of differences from the exact ranks: {far:.2e}"
    traced = counted(web, walked) if what.trace else None
    return Outcome(columns, said, true.converged, walked.steps, far, trace=traced, surf=walked)


def _first_page(what: Experiment) -> int | None:
    if what.start is None:
        return None
    chosen = np.flatnonzero(np.asarray(what.start, dtype=np.float64))
    if len(chosen) != 1:
        raise BadInput("a surfer starts on exactly one page")
    return int(chosen[0])


def _eigen(web: Web, what: Experiment, damping: float) -> Outcome:
    scores = eigenvector(
        web.graph(),
        damping=damping,
        teleport=as_written(web, "teleport", what.teleport),
        dangling=what.dangling or "uniform",
    )
    said = f"residual of one more iteration: {scores.residual:.1e}"
    return replace(_outcome(web, "pagerank", scores, what), verdict=said)


_METHODS = {
    "pagerank": _pagerank,
    "hits": _hits,
    "trustrank": _trustrank,
    "topic": _topic,
    "surfer": _surfer,
    "solve": _solve,
    "eigen": _eigen,
}


def _limits(what: Experiment) -> dict[str, Any]:
    tolerance = {} if what.tolerance is None else {"tolerance": what.tolerance}
    return {"rounds": what.rounds, "max_rounds": what.max_rounds, **tolerance}


def _outcome(web: Web, name: str, scores: Scores, what: Experiment) -> Outcome:
    traced = trace(web, scores, dangling=what.dangling or "uniform") if what.trace and scores.iterates else None
    verdict = scores.verdict
    if what.rounds and not scores.converged:
        verdict = f"{models.counted(scores.rounds, 'iteration')} as requested; residual {scores.residual:.1e}"
    notes = [scores.note] if scores.note else sums(scores.values.sum())
    return Outcome(
        {name: scores.values}, verdict, scores.converged, scores.rounds, scores.residual, trace=traced, notes=notes
    )
