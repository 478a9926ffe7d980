"""Named conventions: the choices on which published PageRanks differ.

Published implementations differ in the treatment of dangling pages, self-links and repeated links, in the number of
iterations, in whether pages are updated together or in turn, in what the ranks sum to, and in how many digits of 1/3
are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from minisearch.errors import BadInput
from minisearch.rank.dangling import removal
from minisearch.rank.graph import LinkGraph
from minisearch.rank.matrices import matrix
from minisearch.rank.pagerank import DANGLING, check_damping, pagerank
from minisearch.rank.power import Walk
from minisearch.rank.scores import Scores, Vector, probabilities

ENOUGH = 10_000  # rounds, where a convention sets no limit
FEW = 50  # pages up to which a matrix is multiplied by itself


@dataclass(frozen=True, slots=True)
class Convention:
    """One way to compute PageRank. A graph is given with its repeated links and its loops."""

    name: str
    source: str  # whose it is
    damping: float = 0.85
    dangling: str = "uniform"
    repeated: str = "once"  # "once", "each", or "divisor": once, but the page divides by all its links
    loops: bool = True  # links of a page to itself count
    rounds: int | None = None  # number of iterations
    tolerance: float = 1e-12  # else until a round changes no more than this
    stop: str = "sum"  # of all changes; "each": of any one page; "mean": the sum divided by the pages
    update: str = "together"  # or "in turn": a page already sees the new ranks of those before it
    jump: str = "1/n"  # what a page gets for nothing: (1-d)/n, "1": 1-d, "1+d/n": 1-d + d/n
    start: str = "1/n"  # or "1"
    scale: str = "none"  # afterwards: "sum", "max", "euclidean"
    decimals: int | None = None  # digits that are kept of the share of a link
    again: bool = False  # as many are kept of damping times the share: 0.8 x 0.33 is 0.26
    powers: bool = False  # G is multiplied by itself, G^k Z rather than G (G ... (G Z)): other digits at the very end


CHOICES: dict[str, tuple[Any, ...]] = {  # what a convention may choose from, for those who try them all
    "dangling": tuple(DANGLING),
    "repeated": ("once", "each", "divisor"),
    "loops": (True, False),
    "stop": ("sum", "each", "mean"),
    "update": ("together", "in turn"),
    "jump": ("1/n", "1", "1+d/n"),
    "start": ("1/n", "1"),
    "scale": ("none", "sum", "max", "euclidean"),
    "decimals": (None, 1, 2, 3, 4),
    "again": (False, True),
}

CONVENTIONS = {
    convention.name: convention
    for convention in (
        Convention(
            "brin-page",
            "S. Brin and L. Page, The Anatomy of a Large-Scale Hypertextual Web Search Engine, 1998",
            dangling="remove",
            jump="1",
            start="1",
        ),
        Convention("networkx", "networkx.pagerank", dangling="teleport", tolerance=1e-6, stop="mean"),
        Convention(
            "nutch",
            "Apache Nutch, LinkRank",
            dangling="leak",
            loops=False,
            rounds=10,
            jump="1+d/n",
            start="1",
        ),
        Convention(
            "cs101",
            "Udacity, Introduction to Computer Science (CS101), compute_ranks",
            damping=0.8,
            dangling="leak",
            repeated="divisor",
            rounds=10,
        ),
        Convention(
            "cs50ai", "Harvard, CS50's Introduction to AI, iterate_pagerank", loops=False, tolerance=0.001, stop="each"
        ),
        Convention(
            "thesis",
            "Belgrade PageRank thesis (University of Belgrade, Faculty of Mathematics), the web program",
            damping=1.0,
            dangling="leak",
            rounds=49,
            decimals=2,
            again=True,
        ),
        Convention("slides", "lecture slides on search models (Serbian; author not given)", dangling="leak"),
        Convention("stoimenova", "E. Stoimenova, Random internet surfing", damping=0.9, repeated="each"),
        Convention(
            "horvat-mundar", "D. Horvat and D. Mundar, Ranking websites", dangling="teleport", rounds=9, powers=True
        ),
        Convention(
            "ilic",
            "I. Ilic, master thesis, University of Belgrade, Faculty of Mathematics, 2016",
            damping=0.8,
            dangling="leak",
            repeated="divisor",
            rounds=10,
        ),
    )
}


def convention(name: str) -> Convention:
    """A convention by its name."""
    if name not in CONVENTIONS:
        raise BadInput(f'unknown convention "{name}": choose from {", ".join(CONVENTIONS)}')
    return CONVENTIONS[name]


def rank_by(
    graph: LinkGraph, way: Convention | str, *, teleport: ArrayLike | None = None, trace: bool = False
) -> Scores:
    """The ranks that a convention gives. The graph has to hold repeated links and loops, if there are any.

    >>> pair = LinkGraph.from_edges(2, sources=[0, 1], targets=[1, 0])
    >>> rank_by(pair, "brin-page").values, rank_by(pair, "cs101").values
    (array([1., 1.]), array([0.5, 0.5]))
    """
    how = convention(way) if isinstance(way, str) else way
    _check(how)
    seen = graph.plain(repeated=how.repeated == "each", loops=how.loops, divide_by_all=how.repeated == "divisor")
    if graph.n == 0:
        return Scores(np.zeros(0), 0, 0.0, converged=True)
    if how.dangling in ("remove", "two-pass"):
        scores = _with_pages_left_out(seen, how, teleport, trace)
    else:
        scores = _round_by_round(seen, how, teleport, trace)
    return _scaled(scores, how.scale)


def by_powers(how: Convention, pages: int) -> bool:
    """Whether G is multiplied by itself: by such a convention, for a number of iterations, on a small graph.

    Where rank leaks it is not: whoever is lost would jump no more, and the jumps would leak, too.
    """
    plain = how.decimals is None and how.dangling in ("uniform", "teleport")
    return how.powers and plain and how.rounds is not None and pages <= FEW


def differences(one: Convention, other: Convention) -> dict[str, tuple[Any, Any]]:
    """The choices in which two conventions differ, but for those that show in the last digits only."""
    names = [item.name for item in fields(Convention) if item.name not in ("name", "source", "powers")]
    return {
        name: (getattr(one, name), getattr(other, name)) for name in names if getattr(one, name) != getattr(other, name)
    }


def _with_pages_left_out(graph: LinkGraph, how: Convention, teleport: ArrayLike | None, trace: bool) -> Scores:
    """They know jumps of 1/n only. Where a page gets 1 - d for nothing, ranks are as many times larger as pages share.

    These are all pages in two passes, which are scaled to 1 at their end, and those that are left once the others are
    removed.
    """
    if how.update != "together" or how.jump == "1+d/n":
        raise BadInput(f'dangling "{how.dangling}" goes with update "together" and jump "1/n" or "1" only')
    scores = pagerank(
        graph,
        damping=how.damping,
        dangling=how.dangling,
        teleport=teleport,
        tolerance=how.tolerance,
        max_rounds=ENOUGH,
        rounds=how.rounds,
        trace=trace,
        decimals=how.decimals,
    )
    sharing = len(removal(graph).kept) if how.dangling == "remove" else graph.n
    return _times(scores, sharing if how.jump == "1" else 1)


def _round_by_round(graph: LinkGraph, how: Convention, teleport: ArrayLike | None, trace: bool) -> Scores:
    n, damping = graph.n, how.damping
    jump = np.full(n, 1 / n) if teleport is None else probabilities("teleport", teleport, n)
    base: Vector = (1 - damping) * jump * (1 if how.jump == "1/n" else n)
    if how.jump == "1+d/n":
        base = base + damping / n
    fill = {"uniform": np.full(n, 1 / n), "teleport": jump, "leak": np.zeros(n)}[how.dangling]
    rank = np.full(n, 1.0 if how.start == "1" else 1 / n)
    if by_powers(how, n):
        step = _multiplied_out(matrix(graph, damping=damping, teleport=jump.tolist(), dangling=how.dangling), rank)
    else:
        step = _together(graph, how, base, fill) if how.update == "together" else _in_turn(graph, how, base, fill)

    iterates, change, done = [rank], np.full(n, np.inf), 0
    measure: dict[str, Callable[[Vector], float]] = {
        "sum": lambda change: float(change.sum()),
        "each": lambda change: float(change.max()),
        "mean": lambda change: float(change.mean()),
    }
    limit = ENOUGH if how.rounds is None else how.rounds
    while done < limit and (how.rounds is not None or measure[how.stop](change) > how.tolerance):
        after = step(rank)
        change, rank = np.abs(after - rank), after
        done += 1
        if trace:
            iterates.append(rank)
    settled = bool(measure[how.stop](change) <= how.tolerance)
    return Scores(rank, done, float(change.sum()), settled, tuple(iterates) if trace else ())


def _together(graph: LinkGraph, how: Convention, base: Vector, fill: Vector) -> Callable[[Vector], Vector]:
    follow, stuck = Walk(graph, how.damping, base, fill, how.decimals, how.again).shares(), graph.dangling

    def step(rank: Vector) -> Vector:
        after: Vector = how.damping * (follow @ rank + rank[stuck].sum() * fill) + base
        return after

    return step


def _multiplied_out(google: Vector, start: Vector) -> Callable[[Vector], Vector]:
    """Z_k = G^k Z_0 to the letter, each sum from left to right, as a program of three loops has it."""
    down, power = google.T, np.eye(len(start))

    def times(left: Vector, right: Vector) -> Vector:
        result = np.zeros((len(left), right.shape[1]))
        for place in range(len(right)):
            result = result + np.outer(left[:, place], right[place])
        return result

    def step(_: Vector) -> Vector:
        nonlocal power
        power = times(power, down)
        return times(power, start[:, np.newaxis])[:, 0]

    return step


def _in_turn(graph: LinkGraph, how: Convention, base: Vector, fill: Vector) -> Callable[[Vector], Vector]:
    follow = Walk(graph, how.damping, base, fill, how.decimals, how.again).shares()
    stuck = np.flatnonzero(graph.dangling)

    def step(rank: Vector) -> Vector:
        new = rank.copy()
        for page in range(graph.n):
            row = slice(follow.indptr[page], follow.indptr[page + 1])
            paid = follow.data[row] @ new[follow.indices[row]] + new[stuck].sum() * fill[page]
            new[page] = how.damping * paid + base[page]
        return new

    return step


def _check(how: Convention) -> None:
    check_damping(how.damping)
    for name, allowed in CHOICES.items():
        chosen = getattr(how, name)
        if name != "decimals" and chosen not in allowed:
            raise BadInput(f'unknown {name} "{chosen}": choose from {", ".join(map(str, allowed))}')
    if how.rounds is not None and how.rounds < 0:
        raise BadInput(f"the number of iterations must be 0 or more, not {how.rounds}")


def _scaled(scores: Scores, scale: str) -> Scores:
    if scale == "none":
        return scores
    sizes = {"sum": scores.values.sum(), "max": scores.values.max(), "euclidean": np.linalg.norm(scores.values)}
    size = float(sizes[scale])
    return _times(scores, 1 / size) if size > 0 else scores


def _times(scores: Scores, factor: float) -> Scores:
    return Scores(
        scores.values * factor,
        scores.rounds,
        scores.residual * factor,
        scores.converged,
        tuple(vector * factor for vector in scores.iterates),
        scores.note,
    )
