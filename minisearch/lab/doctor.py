"""The doctor: find out how published ranks of a graph were computed.

Published PageRanks differ in damping, dangling pages, number of iterations and digits. The doctor computes the ranks by
every variant it knows (minisearch/lab/ways.py), compares every iteration, and reports the variant that gives the same
digits. If none does, it looks for a mistake: links read backwards, one link missing, one too many.

Among matching variants the simplest is the most likely. So each has a cost in bits: a changed choice costs 5, for there
are about thirty of them; an unusual number of iterations 7, for there are 150.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minisearch.errors import BadInput
from minisearch.lab.claims import CHANCE, FITS, MOST_ERRORS, NOT, Claim, Evidence, claims
from minisearch.lab.options import parts_of, weights_of
from minisearch.lab.presets import Published, erratum, presets, published
from minisearch.lab.ways import SCALES, Facts, Rounds, Run, by_other_measures, by_ways, in_words, nearest, scaled, slips
from minisearch.lab.webs import Web
from minisearch.rank.conventions import Convention, convention, rank_by
from minisearch.rank.surfer import MOST_DENSE, expected_errors

Vector = NDArray[np.float64]
Alike = tuple[int, int | None] | None  # from how many to how many multiplications print the same; None: or more

SMALL = 60  # pages up to which pairs of changes are tried
TINY = 12  # pages up to which a slip in any one link is looked for
LARGE = 100_000  # links from which on only the conventions themselves are tried
SCALE = 3  # the price of a scale, in bits
WORTH_TELLING = 8  # bits up to which a variant is shown though it does not explain the numbers


@dataclass(frozen=True, eq=False)
class Explanation:
    """What may have been computed, and how well it fits."""

    words: str
    fit: str  # one of FITS
    worst: float  # the largest difference
    page: str  # where it is
    bits: float  # what it costs to say it: the less, the likelier
    values: Vector = field(repr=False)
    way: Convention | None = None  # None if it is no PageRank
    scale: str = "none"
    alike: Alike = None
    conventions: tuple[str, ...] = ()  # whose way it is, or nearly is
    apart: dict[str, tuple[Any, Any]] = field(default_factory=dict)  # what differs from the first of these

    @property
    def explains(self) -> bool:
        """Whether it accounts for the numbers."""
        return self.fit != NOT


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """What the doctor found."""

    claims: tuple[Claim, ...]
    explanations: tuple[Explanation, ...]  # the best first; at least one
    right: Vector  # what the same way gives if it is carried out exactly
    known: Published | None  # where these numbers are printed
    tried: int  # how many vectors were held against the numbers
    hurried: bool = False  # it was stopped before it had tried everything

    @property
    def best(self) -> Explanation:
        """The explanation that fits best."""
        return self.explanations[0]

    @property
    def sum(self) -> float:
        """What the numbers add up to."""
        return float(sum(claim.value for claim in self.claims))


@dataclass(frozen=True, eq=False)
class _Fit:
    """One row of a run, in one scale, held against the numbers."""

    run: Run
    rounds: Rounds
    scale: str
    fit: str
    errors: Vector
    values: Vector
    bits: float
    alike: Alike

    @property
    def order(self) -> tuple[float, ...]:
        worst = float(self.errors.max())
        if self.fit != NOT:
            return (0, self.bits, worst)
        return (1, self.bits > WORTH_TELLING, worst)  # what is far-fetched and still wrong helps nobody


def diagnose(
    web: Web,
    claims: Sequence[Claim],
    *,
    teleport: ArrayLike | None = None,
    most: int = 5,
    stop: Callable[[], bool] = lambda: False,
) -> Diagnosis:
    """What explains somebody's numbers. `teleport` is where jumps lead, if that is known.

    Once `stop` returns true, nothing more is tried, and what was found so far is returned.
    """
    if not claims:
        raise BadInput("there are no numbers to explain")
    evidence = Evidence(claims, [web.number(claim.page) for claim in claims])
    tried, hurried = 0, False
    fits: list[_Fit] = []
    for run in _runs(web, teleport, fits, simply=evidence.nothing):
        if hurried := bool(fits) and stop():
            break
        tried += len(run.rows) * len(SCALES)
        found = [*_in_each_scale(run, evidence), *_by_chance(run, evidence, web, teleport)]
        fits += [fit for fit in found if fit.fit != NOT or not run.slip]  # a slip must explain, or it is none
    chosen = _different(sorted(fits, key=lambda fit: fit.order), most)
    known = known_numbers(web, claims)
    right = _right(web, chosen[0], known, teleport)
    explanations = tuple(_explanation(fit, evidence, web) for fit in chosen)
    return Diagnosis(tuple(claims), explanations, right, known, tried, hurried)


def known_numbers(web: Web, claims: Sequence[Claim]) -> Published | None:
    """Where these very numbers for this very graph are printed, if it is known."""
    reported = {claim.page: claim.value for claim in claims}
    ids = {preset.id for preset in presets() if preset.pages == web.names and preset.web() == web}
    for table in published():
        if table.graph in ids and {page: float(word) for page, word in table.numbers.items()} == reported:
            return table
    return None


def _runs(web: Web, teleport: ArrayLike | None, fits: list[_Fit], *, simply: bool) -> Iterator[Run]:
    """First the simplest means; other means only where these do not help, which `fits` tells meanwhile."""
    graph = web.graph()
    if simply:  # numbers that are all 0 say too little for far-fetched means
        yield from by_ways(graph, teleport, changes=0)
        return
    yield from by_other_measures(graph)
    yield from by_ways(graph, teleport, changes=0 if graph.edges > LARGE else 1)
    if graph.n <= SMALL and not any(fit.fit != NOT for fit in fits):
        yield from by_ways(graph, teleport, changes=2)
    if graph.n <= TINY and not any(fit.fit != NOT for fit in fits):
        for slip, misread in slips(graph, web.names):
            yield from by_ways(misread, teleport, changes=0, slip=slip)


def _in_each_scale(run: Run, evidence: Evidence) -> Iterator[_Fit]:
    """The likeliest round of a run, in each scale that makes a difference."""
    seen: list[Vector] = []
    for scale in SCALES:
        table = scaled(run.rows, scale)
        levels, errors = evidence.fit(table)
        found = []
        for level in sorted(set(levels.tolist())):
            alike = [run.numbers[place] for place in np.flatnonzero(levels == level)]
            if FITS[level] == NOT:
                alike = [run.numbers[int(errors.max(axis=1).argmin())]]
            rounds = run.choose(alike)
            bits = run.price(rounds) + SCALE * (scale != "none") + evidence.price(FITS[level])
            place = run.numbers.index(rounds)
            between = _between(alike) if FITS[level] != NOT else None
            found.append(_Fit(run, rounds, scale, FITS[level], errors[place], table[place], bits, between))
        best = min(found, key=lambda fit: fit.order)
        if not any(np.allclose(best.values, other, rtol=0, atol=1e-13) for other in seen):
            seen.append(best.values)
            yield best


def _between(alike: Sequence[Rounds]) -> Alike:
    """From how many to how many rounds, if it is known."""
    counted = [number for number in alike if number is not None]
    return (min(counted), None if None in alike else max(counted)) if counted else None


def _by_chance(run: Run, evidence: Evidence, web: Web, teleport: ArrayLike | None) -> Iterator[_Fit]:
    """Not computed at all, but counted on a random walk: where a run settles, up to chance."""
    moves, way = evidence.walk(), run.way
    if not moves or way is None or run.bits or run.numbers[-1] is not None or way.damping >= 1:
        return
    if teleport is not None or web.n > MOST_DENSE or way.dangling not in ("uniform", "teleport"):
        return
    graph = web.graph().plain(repeated=way.repeated == "each", loops=way.loops)
    errors = np.abs(run.rows[-1][evidence.pages] - evidence.values)
    likely = expected_errors(graph, moves, damping=way.damping)[evidence.pages]
    if (errors <= MOST_ERRORS * likely + evidence.units).all():
        yield _Fit(run, None, "none", CHANCE, errors, run.rows[-1], evidence.price(CHANCE), None)


def _explanation(fit: _Fit, evidence: Evidence, web: Web) -> Explanation:
    words = fit.run.words(fit.rounds, fit.scale) + evidence.exception(fit.fit, fit.errors, fit.values)
    way = None if fit.run.way is None else replace(fit.run.way, rounds=fit.rounds)
    names, apart = nearest(way, web.graph()) if way else ([], {})
    if way and fit.rounds is not None and fit.rounds in fit.run.stops:
        # Nobody chose this number of rounds: it is where a convention stops by itself.
        stopping = fit.run.stops[fit.rounds]
        names, apart = [stopping], {}
        words += f" ({stopping} stops there)"
    if names and fit.scale != "none":
        apart = {**apart, "scale": ("none", fit.scale)}
    if fit.fit == CHANCE and way:
        walked = in_words(way, web.graph()).partition(", ")[2]
        words = f"the frequencies of a random surfer after {evidence.walk():,} moves, approximately, {walked}"
    page = evidence.claims[int(fit.errors.argmax())].page
    worst = float(fit.errors.max())
    return Explanation(
        words, fit.fit, worst, page, fit.bits, fit.values, way, fit.scale, fit.alike, tuple(names), apart
    )


def _different(fits: Sequence[_Fit], most: int) -> list[_Fit]:
    """The first ones, without those that come to the same, and without bad ones where there are good ones."""
    chosen: list[_Fit] = []
    for fit in fits:
        good = fit.fit != NOT or not chosen or chosen[0].fit == NOT
        if good and not any(np.allclose(fit.values, other.values, rtol=0, atol=1e-12) for other in chosen):
            chosen.append(fit)
        if len(chosen) == most:
            break
    return chosen


def _right(web: Web, best: _Fit, known: Published | None, teleport: ArrayLike | None) -> Vector:
    """The same way carried out exactly: with all digits, and until it settles."""
    if best.fit != NOT and best.run.way is None:
        return best.values
    way = Convention("usual", "", repeated="each") if best.run.way is None or best.fit == NOT else best.run.way
    if best.fit == NOT and known:
        way = convention(known.convention)
    exact = replace(way, rounds=None, decimals=None)
    return rank_by(web.graph(), exact, teleport=teleport).values


def lost(web: Web, explanation: Explanation) -> str:
    """What rounding the shares of links does to the sum of ranks; '' if nothing is rounded."""
    way, graph = explanation.way, web.graph()
    if way is None or way.decimals is None or not Facts.of(graph).inexact:
        return ""
    degrees = graph.out_degree
    kept = np.round(1 / np.maximum(degrees, 1), way.decimals) * degrees
    losing = [web.names[page] for page in np.flatnonzero((degrees > 0) & (np.abs(kept - 1) > 1e-12))]
    some = ", ".join(losing[:5]) + (" ..." if len(losing) > 5 else "")
    return f"the shares of {some} do not sum to 1, so rank is lost or gained in every iteration" if losing else ""


FIT = {
    "rounded": "matches every digit, rounded",
    "cut off": "matches every digit if digits were truncated, not rounded",
    "one unit off": "matches within one unit of the last digit",
    "all but one": "matches for all pages but one",
    "by chance": "matches as closely as a random walk can",
    "not explained": "does not match",
}


def sentences(web: Web, diagnosis: Diagnosis) -> list[str]:
    """The diagnosis, the main thing first: what was done, how well it fits, whose way it is, where it is printed."""
    best = diagnosis.best
    if best.explains:
        said = [f"these are {best.words}"]
    else:
        said = [f"no known convention gives these numbers. The closest is {best.words}"]
    said += [_how_well(best), _whose(best), lost(web, best)]
    if diagnosis.known is not None:
        said.append(f"they are printed in {diagnosis.known.source}, {diagnosis.known.where}")
        if diagnosis.known.erratum:
            mistake = erratum(diagnosis.known.erratum)
            said.append(f"erratum {mistake.id}: {mistake.why}")
    return [f"{line[0].upper()}{line[1:]}." for line in said if line]


def _how_well(best: Explanation) -> str:
    said = f"it {FIT[best.fit]}; the largest difference is {best.worst:.2g} at {best.page}"
    if best.alike and best.alike[0] != best.alike[1]:
        until = "or more" if best.alike[1] is None else f"to {best.alike[1]}"
        said += f"; {best.alike[0]} {until} multiplications give the same digits"
    return said


def _whose(best: Explanation) -> str:
    if not best.conventions:
        return ""
    if not best.apart:
        return f"this is the convention {', '.join(best.conventions)}"
    parts = [
        f"{NAMES.get(name, name)} {in_word(there)} instead of {in_word(here)}"
        for name, (here, there) in best.apart.items()
    ]
    return f"this is the convention {best.conventions[0]}, except for {', '.join(parts)}"


NAMES = {"rounds": "iterations", "jump": "teleport"}  # of choices, where the code has another one


def in_word(value: Any) -> str:
    """A choice of a convention in one word."""
    return "all" if value is None else "yes" if value is True else "no" if value is False else str(value)


def as_dict(web: Web, diagnosis: Diagnosis) -> dict[str, Any]:
    """A diagnosis as plain data."""
    known = diagnosis.known
    return {
        "explained": diagnosis.best.explains,
        "sentences": sentences(web, diagnosis),
        "explanations": [
            {"words": one.words, "fit": one.fit, "worst": one.worst, "page": one.page, "bits": one.bits}
            | {"rounds_alike": one.alike, "conventions": one.conventions, "apart": one.apart}
            | {"values": dict(zip(web.names, one.values.tolist(), strict=True))}
            for one in diagnosis.explanations
        ],
        "given": {claim.page: claim.value for claim in diagnosis.claims},
        "exact": dict(zip(web.names, diagnosis.right.tolist(), strict=True)),
        "known": None if known is None else {"source": known.source, "where": known.where, "erratum": known.erratum},
        "compared": diagnosis.tried,
    }


def reported_in(table: Published, web: Web) -> tuple[list[Claim], Any]:
    """The numbers that a printed table claims, and where its jumps lead, if not anywhere."""
    reported = claims(((page, word, "") for page, word in table.numbers.items()), web, partial=True)
    topic = table.measure.removeprefix("topic")
    jump = weights_of(",".join(parts_of(topic)), web, "teleport") if topic != table.measure else None
    return reported, jump
