"""Variants in which PageRank may have been computed, their descriptions, and their results.

A variant is a Convention of minisearch/rank/conventions.py. Choices that make no difference on a graph, such as the
policy for dangling pages where there are none, are set to the same value, so that no two variants are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minisearch.rank.conventions import CHOICES, CONVENTIONS, Convention, differences, rank_by
from minisearch.rank.graph import LinkGraph
from minisearch.rank.hits import hits

DAMPINGS = (
    1.0,
    0.95,
    0.9,
    0.85,
    0.8,
    0.75,
    0.7,
    0.6,
    0.5,
    0.15,
    0.1,
    0.2,
)  # the last three: the chance to jump instead
TRIED = ("damping", "dangling", "repeated", "loops", "update", "jump", "start", "decimals", "again")

LOOSE = 1e-9  # a tolerance above this stops before it has settled to all digits

SCALES = {
    "none": "",
    "sum": "scaled to sum to 1",
    "max": "scaled so that the largest is 1",
    "euclidean": "scaled to Euclidean length 1, as libraries give eigenvectors",
    "n": "scaled to sum to the number of pages",
    "percent": "in percent",
}


@dataclass(frozen=True)
class Facts:
    """What there is on a graph to differ about."""

    dead_ends: bool
    loops: bool
    repeated: bool
    inexact: int  # the smallest number of links whose share has endless decimals, or 0

    @classmethod
    def of(cls, graph: LinkGraph) -> Facts:
        """The facts of a graph."""
        both = (True, False)
        readings = [graph.plain(repeated=repeated, loops=loops) for repeated in both for loops in both]
        return cls(
            bool(graph.dangling.any()),
            bool(graph.counts.diagonal().any()),
            bool((graph.counts.data != 1).any()),
            min((degree for degree in map(_inexact, readings) if degree), default=0),
        )

    def canonical(self, way: Convention) -> Convention:
        """The way with all choices that make no difference here set to their usual value."""
        usual = Convention(way.name, way.source)
        plain: dict[str, Any] = {}
        if not self.dead_ends and not (self.loops and not way.loops):
            plain["dangling"] = usual.dangling
        if not self.repeated:
            plain["repeated"] = usual.repeated
        if not self.loops:
            plain["loops"] = usual.loops
        if not self.inexact:
            plain["decimals"] = usual.decimals
        if not self.inexact or way.decimals is None or way.damping == 1 or way.dangling in ("remove", "two-pass"):
            plain["again"] = usual.again
        if way.damping == 1 and way.jump == "1":
            plain["jump"] = usual.jump
        return replace(way, stop=usual.stop, tolerance=usual.tolerance, scale="none", **plain)


def _inexact(graph: LinkGraph) -> int:
    """The smallest number of links on a page whose share cannot be written in four digits; 0 if there is none."""
    degrees = sorted(set(graph.out_degree[graph.out_degree > 0].tolist()))
    return next((int(d) for d in degrees if d == int(d) and round(1 / d, 4) != 1 / d), 0)


def key(way: Convention) -> tuple[Any, ...]:
    """What tells two canonical ways apart, but for their rounds."""
    return tuple(getattr(way, name) for name in TRIED)


def ways(graph: LinkGraph, *, changes: int) -> Iterator[tuple[Convention, int]]:
    """Every convention with up to `changes` choices changed, each once, with the number of changes, fewest first.

    Rounds are not among the changes here: whoever tries a way sees every round of it.
    """
    facts = Facts.of(graph)
    seen: set[tuple[Any, ...]] = set()
    for number in range(changes + 1):
        for base in CONVENTIONS.values():
            for way in _changed(base, number):
                plain = facts.canonical(way)
                if _sensible(plain) and key(plain) not in seen:
                    seen.add(key(plain))
                    yield plain, number


def nearest(way: Convention, graph: LinkGraph) -> tuple[list[str], dict[str, tuple[Any, Any]]]:
    """The conventions from which a way differs least, and in what it differs from the first of them."""
    facts, found = Facts.of(graph), []
    for base in CONVENTIONS.values():
        apart = differences(facts.canonical(base), facts.canonical(way))
        if base.again == way.again:  # where the base never jumps this made no difference, but it is its way
            apart.pop("again", None)
        if base.rounds is None is way.rounds and way.tolerance < LOOSE < base.tolerance:
            apart = {**apart, "tolerance": (base.tolerance, way.tolerance)}
        found.append((len(apart), base.name, apart))
    least = min(number for number, *_ in found)
    return [name for number, name, _ in found if number == least], next(one[2] for one in found if one[0] == least)


def _changed(base: Convention, number: int) -> Iterator[Convention]:
    for names in combinations(TRIED, number):
        yield from _each(base, names)


def _each(base: Convention, names: Sequence[str]) -> Iterator[Convention]:
    if not names:
        yield base
        return
    name, *rest = names
    values: Iterable[Any] = DAMPINGS if name == "damping" else CHOICES[name]
    for value in values:
        if value != getattr(base, name):
            yield from _each(replace(base, **{name: value}), rest)


def _sensible(way: Convention) -> bool:
    left_out = way.dangling in ("remove", "two-pass")
    return not (left_out and (way.update != "together" or way.jump == "1+d/n" or way.start == "1" != way.jump))


def in_words(way: Convention, graph: LinkGraph, *, scale: str = "none") -> str:
    """What somebody did, as far as it makes a difference on this graph.

    >>> ring = LinkGraph.from_edges(2, sources=[0, 1], targets=[1, 0])
    >>> in_words(CONVENTIONS["cs101"], ring)
    '10 multiplications, damping 0.8'
    """
    facts = Facts.of(graph)
    words = [_rounds(way.rounds)]
    seen = graph.plain(repeated=way.repeated == "each", loops=way.loops, divide_by_all=way.repeated == "divisor")
    if way.decimals is not None and (odd := _inexact(seen)):
        kept = round(1 / odd, way.decimals)
        words[0] += f" with 1/{odd} stored as {kept}"
        if way.again and way.damping < 1:
            words[0] += f", and {way.damping:g} of it as {round(way.damping * kept, way.decimals)}"
    words.append("no teleporting (damping 1)" if way.damping == 1 else f"damping {way.damping:g}")
    if facts.dead_ends:
        words.append(
            {
                "leak": "the rank of dangling pages is lost",
                "uniform": "dangling pages link to every page",
                "teleport": "dangling pages teleport",
                "remove": "dangling pages are removed and put back",
                "two-pass": "dangling pages are added in a second pass",
            }[way.dangling]
        )
    if facts.loops and not way.loops:
        words.append("self-links are left out")
    if facts.repeated:
        words.append(
            {
                "once": "a repeated link counts once",
                "each": "a repeated link counts each time",
                "divisor": "a repeated link counts each time in the degree but contributes once",
            }[way.repeated]
        )
    if way.update == "in turn":
        words.append("pages are updated in turn, each using the new ranks of those before it")
    if way.jump == "1" and way.damping < 1:
        words.append("teleporting gives each page 1 - d, not (1 - d)/n")
    if way.jump == "1+d/n":
        words.append("teleporting gives each page 1 - d + d/n")
    if way.start == "1" and way.rounds is not None:
        words.append("all pages start with 1")
    if SCALES[scale]:
        words.append(SCALES[scale])
    return ", ".join(words)


def _rounds(rounds: int | None) -> str:
    if rounds is None:
        return "the converged ranks"
    return (
        "the start vector, without any iteration"
        if rounds == 0
        else f"{rounds} multiplication{'s' if rounds > 1 else ''}"
    )


def scaled(rows: NDArray[np.float64], scale: str) -> NDArray[np.float64]:
    """Vectors, a row each, in one of SCALES; zero stays zero."""
    if scale == "none":
        return rows
    if scale == "percent":
        return 100 * rows
    if scale == "max":
        size = rows.max(axis=1, initial=0.0)
    elif scale == "euclidean":
        size = np.linalg.norm(rows, axis=1)
    else:
        size = rows.sum(axis=1) / (rows.shape[1] if scale == "n" else 1)
    shrunk: NDArray[np.float64] = rows / np.where(size > 0, size, 1.0)[:, np.newaxis]
    return shrunk


Vector = NDArray[np.float64]
Rounds = int | None  # how often was multiplied; None: until it settled

ROUNDS, FEW_ROUNDS = 150, 60  # looked at one by one, where a way does not settle, or the graph is large
SMALL = 5000  # pages up to which every round is kept until it settles
FAVOURITES = (10, 20, 50, 100, 19, 49, 99, 30, 0)  # numbers of rounds that people choose, and those who took none
PATIENCE = 600  # rounds after which a way without jumps will not settle any more
SETTLED = 1e-9  # the change of a round below which it counts as settled

CHANGE, MEASURE, SLIP = 5, 6, 8  # prices, in bits: of a choice changed, of another measure, of a link misread
ODD_ROUNDS, USUAL_ROUNDS, SETTLED_ROUNDS = 7, 3, 1  # of a number of rounds that nobody is known to take


@dataclass(frozen=True, eq=False)
class Run:
    """One way, carried out."""

    numbers: list[Rounds]  # how often each row was multiplied
    rows: Vector
    bits: float  # what it costs to say which way it is
    words: Callable[[Rounds, str], str]  # the same in words, given the rounds and the scale
    usual: frozenset[Rounds] = frozenset()  # the rounds that those take who follow this way
    way: Convention | None = None  # None if it is no PageRank
    slip: str = ""  # how the graph was misread
    stops: Mapping[int, str] = field(default_factory=dict)  # rounds after which a convention takes it for settled

    def choose(self, fitting: list[Rounds]) -> Rounds:
        """The rounds to name: of those that fit, the number that somebody is most likely to have meant."""
        for wanted in (*sorted(self.usual, key=str), *self.stops, None, *FAVOURITES):
            if wanted in fitting:
                return wanted
        return fitting[0]

    def price(self, rounds: Rounds) -> float:
        """What it costs to say this way and these rounds."""
        if rounds in self.usual or rounds in self.stops or self.way is None:
            return self.bits
        return self.bits + (SETTLED_ROUNDS if rounds is None else USUAL_ROUNDS if rounds in FAVOURITES else ODD_ROUNDS)


def by_ways(graph: LinkGraph, teleport: ArrayLike | None, *, changes: int, slip: str = "") -> Iterator[Run]:
    """PageRank in every variant that differs from a convention by `changes` choices."""
    facts = Facts.of(graph)
    usual: dict[tuple[Any, ...], set[Rounds]] = {}
    stops: dict[tuple[Any, ...], dict[int, str]] = {}
    for one in CONVENTIONS.values():
        plain = key(facts.canonical(one))
        usual.setdefault(plain, set()).add(one.rounds)
        if one.rounds is None:
            stops.setdefault(plain, {})[rank_by(graph, one, teleport=teleport).rounds] = one.name
    for way, changed in ways(graph, changes=changes):
        numbers, rows = _iterates(graph, way, teleport)
        bits = CHANGE * changed + (SLIP if slip else 0)
        own = frozenset(usual.get(key(way), ()))
        yield Run(numbers, rows, bits, _teller(way, graph, slip), own, way, slip, stops.get(key(way), {}))


def _teller(way: Convention, graph: LinkGraph, slip: str) -> Callable[[Rounds, str], str]:
    def words(rounds: Rounds, scale: str) -> str:
        said = in_words(replace(way, rounds=rounds), graph, scale=scale)
        return f"{said}, {slip}" if slip else said

    return words


def _iterates(graph: LinkGraph, way: Convention, teleport: ArrayLike | None) -> tuple[list[Rounds], Vector]:
    """Every round of a way, and where it settles if it does."""
    if way.dangling in ("remove", "two-pass"):  # each round would have to put the pages back
        runs: list[Rounds] = [*sorted({*FAVOURITES, way.rounds or 10}), None]
        kept = [rank_by(graph, replace(way, rounds=run), teleport=teleport) for run in runs]
        return runs, np.array([scores.values for scores in kept])
    if way.damping < 1 and graph.n <= SMALL:
        traced = rank_by(graph, replace(way, rounds=None, tolerance=1e-13), teleport=teleport, trace=True)
        return [*range(len(traced.iterates)), None], np.array([*traced.iterates, traced.values])
    traced = rank_by(
        graph, replace(way, rounds=ROUNDS if graph.n <= SMALL else FEW_ROUNDS), teleport=teleport, trace=True
    )
    numbers: list[Rounds] = list(range(len(traced.iterates)))
    settled = traced
    if traced.residual > 1e-13:
        settled = rank_by(graph, replace(way, rounds=None if way.damping < 1 else PATIENCE), teleport=teleport)
    if settled.residual <= SETTLED:
        return [*numbers, None], np.array([*traced.iterates, settled.values])
    return numbers, np.array(traced.iterates)


def by_other_measures(graph: LinkGraph) -> Iterator[Run]:
    """Not PageRank at all: hubs, authorities, or just counting links."""
    found = hits(graph, max_rounds=PATIENCE)
    counts = np.asarray(graph.counts.sum(axis=0), dtype=np.float64)
    for name, values in (
        ("the hub scores of HITS", found.hubs.values),
        ("the authority scores of HITS", found.authorities.values),
        ("the number of links to each page, not PageRank", counts),
    ):
        yield Run([None], values[np.newaxis], MEASURE, _namer(name))


def _namer(name: str) -> Callable[[Rounds, str], str]:
    return lambda _, scale: f"{name}, {SCALES[scale]}" if SCALES[scale] else name


def slips(graph: LinkGraph, names: tuple[str, ...]) -> Iterator[tuple[str, LinkGraph]]:
    """The graph as it may have been misread, with the slip in words."""
    dense = graph.counts.toarray()
    yield "with all links read backwards", _graph(dense.T)
    for source, target in np.ndindex(dense.shape):
        other = dense.copy()
        other[source, target] = 0 if dense[source, target] else 1
        verb = "did not link" if dense[source, target] else "linked"
        yield f"as if {names[source]} {verb} to {names[target]}", _graph(other)


def _graph(dense: Vector) -> LinkGraph:
    sources, targets = np.nonzero(dense)
    return LinkGraph.from_edges(len(dense), sources, targets, weights=dense[sources, targets], loops=True)
