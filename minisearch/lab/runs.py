"""Everything that somebody may have computed on a graph, carried out: a table with every round of it.

The doctor (minisearch/lab/doctor.py) holds these tables against numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minisearch.lab.ways import SCALES, Facts, in_words, key, ways
from minisearch.rank.conventions import CONVENTIONS, Convention, rank_by
from minisearch.rank.graph import LinkGraph
from minisearch.rank.hits import hits

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
        numbers, rows = _rounds(graph, way, teleport)
        bits = CHANGE * changed + (SLIP if slip else 0)
        own = frozenset(usual.get(key(way), ()))
        yield Run(numbers, rows, bits, _teller(way, graph, slip), own, way, slip, stops.get(key(way), {}))


def _teller(way: Convention, graph: LinkGraph, slip: str) -> Callable[[Rounds, str], str]:
    def words(rounds: Rounds, scale: str) -> str:
        said = in_words(replace(way, rounds=rounds), graph, scale=scale)
        return f"{said}, {slip}" if slip else said

    return words


def _rounds(graph: LinkGraph, way: Convention, teleport: ArrayLike | None) -> tuple[list[Rounds], Vector]:
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
