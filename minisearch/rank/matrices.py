"""The matrices of PageRank, small enough to be looked at: as numbers or as exact fractions.

H: the links, each row shared out evenly. S: H with the empty rows filled. E: teleporting. G = damping * S +
(1 - damping) * E, the matrix whose fixed vector PageRank is. "row": entry (i, j) is the way from page i to page j,
vectors stand on the left; "column": the other way round, as D. Horvat and D. Mundar, "Ranking websites", write it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph

Matrix = list[list[Fraction]]
Number = int | float | str | Fraction

MATRICES = {  # what may be asked for
    "links": "1 where a page links to another page",
    "counts": "how often a page links to another",
    "H": "probability to follow a link from page to page",
    "S": "H with the rows of dangling pages filled",
    "E": "probability to teleport from page to page",
    "G": "damping * S + (1 - damping) * E",
    "S+E": "the sum of S and E",
}
ORIENTATIONS = ("row", "column")
LARGEST = 1000  # pages; more than this nobody looks at
LONGEST_NUMBER = 1000  # letters
HUGE_POWER = re.compile(r"[eE][+-]?0*[1-9]\d{3}")  # of ten: a thousand digits or more


def fractions(
    graph: LinkGraph,
    name: str = "G",
    *,
    damping: Number = Fraction(17, 20),
    teleport: Sequence[Number] | None = None,
    dangling: str = "teleport",
    orientation: str = "row",
) -> Matrix:
    """A matrix of the graph in exact fractions. `dangling` fills the rows of S: "teleport", "uniform" or "leak".

    >>> pair = LinkGraph.from_edges(2, sources=[0], targets=[1])
    >>> [[str(entry) for entry in row] for row in fractions(pair, "G", damping=0.8)]
    [['1/10', '9/10'], ['1/2', '1/2']]
    """
    if name not in MATRICES:
        raise BadInput(f'unknown matrix "{name}": choose from {", ".join(MATRICES)}')
    if orientation not in ORIENTATIONS:
        raise BadInput(f'unknown orientation "{orientation}": choose from {", ".join(ORIENTATIONS)}')
    if graph.n > LARGEST:
        raise BadInput(f"a matrix of {graph.n} pages is too large to show: the limit is {LARGEST}")
    rows = _rows(graph, name, share(damping, "damping"), jumps(graph.n, teleport), dangling)
    return rows if orientation == "row" else [list(column) for column in zip(*rows, strict=True)]


def matrix(
    graph: LinkGraph,
    name: str = "G",
    *,
    damping: Number = 0.85,
    teleport: Sequence[Number] | None = None,
    dangling: str = "teleport",
    orientation: str = "row",
) -> NDArray[np.float64]:
    """The same in floating point.

    >>> matrix(LinkGraph.from_edges(2, sources=[0], targets=[1]), "S")
    array([[0. , 1. ],
           [0.5, 0.5]])
    """
    exact = fractions(graph, name, damping=damping, teleport=teleport, dangling=dangling, orientation=orientation)
    return np.array([[float(entry) for entry in row] for row in exact], dtype=np.float64).reshape(graph.n, graph.n)


def share(number: Number, name: str) -> Fraction:
    """A probability as it is written: 0.85 means 17/20, not the nearest binary number.

    >>> share(0.85, "damping")
    Fraction(17, 20)
    """
    exact = fraction(number, name)
    if not 0 <= exact <= 1:
        raise BadInput(f"{name} must be between 0 and 1, not {number}")
    return exact


def fraction(number: Number, name: str) -> Fraction:
    """A number as it is written. One that would fill pages if written out (1e-999999999) is refused.

    >>> fraction("17/20", "damping"), fraction(1e-3, "damping")
    (Fraction(17, 20), Fraction(1, 1000))
    """
    if isinstance(number, Fraction):
        return number
    text = str(number)
    if len(text) > LONGEST_NUMBER or HUGE_POWER.search(text):
        raise BadInput(f"{name} has too many digits: {text[:20]}...")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise BadInput(f"{name} must be a number or a fraction like 17/20, not {number!r}") from None


def jumps(n: int, teleport: Sequence[Number] | None) -> list[Fraction]:
    """The teleport vector, scaled to sum to 1."""
    if teleport is None:
        return [Fraction(1, max(n, 1))] * n
    weights = [fraction(weight, "teleport") for weight in teleport]
    if len(weights) != n:
        raise BadInput(f"teleport needs one number for each of the {n} pages, but has {len(weights)}")
    for page, weight in enumerate(weights):
        if weight < 0:
            raise BadInput(f"teleport gives page {page} the weight {weight}: use numbers that are 0 or more")
    total = sum(weights)
    if n and not total:
        raise BadInput("teleport is zero everywhere: at least one page needs a positive weight")
    return [weight / total for weight in weights]


def _rows(graph: LinkGraph, name: str, damping: Fraction, jump: list[Fraction], dangling: str) -> Matrix:
    n, nothing = graph.n, Fraction(0)
    fills = {"teleport": jump, "uniform": [Fraction(1, max(n, 1))] * n, "leak": [nothing] * n}
    if dangling not in fills:
        raise BadInput(f'no row of S can be filled by "{dangling}": choose from {", ".join(fills)}')
    counts = [[nothing] * n for _ in range(n)]
    entries = graph.counts.tocoo()
    for source, target, times in zip(*(ends.tolist() for ends in entries.coords), entries.data.tolist(), strict=True):
        counts[source][target] = fraction(times, "weight")
    if name == "counts":
        return counts
    if name == "links":
        return [[Fraction(int(entry > 0)) for entry in row] for row in counts]
    degree = [fraction(number, "degree") for number in graph.out_degree.tolist()]
    follow = [[entry / out if out else entry for entry in row] for row, out in zip(counts, degree, strict=True)]
    if name == "H":
        return follow
    filled = [row if out else list(fills[dangling]) for row, out in zip(follow, degree, strict=True)]
    if name == "S":
        return filled
    if name == "E":
        return [list(jump) for _ in range(n)]
    first, second = (damping, 1 - damping) if name == "G" else (Fraction(1), Fraction(1))
    return [[first * entry + second * chance for entry, chance in zip(row, jump, strict=True)] for row in filled]
