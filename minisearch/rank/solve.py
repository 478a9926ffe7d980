"""PageRank without rounds: as a linear system in exact fractions, and as an eigenvector.

D. Horvat and D. Mundar, "Ranking websites": G Z = Z by elimination. I. Ilic, master thesis, University of
Belgrade, 2016: the left eigenvector of G for the eigenvalue 1. Both are for webs one can look at; the power
method is for all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from minisearch.errors import BadInput
from minisearch.rank.dangling import removal
from minisearch.rank.graph import LinkGraph
from minisearch.rank.matrices import Matrix, Number, fractions, jumps, matrix, share
from minisearch.rank.patience import look
from minisearch.rank.scores import Scores, Vector

MOST_EXACT = 100  # pages; the numbers grow with every elimination, and so does the time: some seconds
MOST_DENSE = 2000  # pages of an eigenproblem
FILLS = ("uniform", "teleport", "leak")


def exact(
    graph: LinkGraph,
    *,
    damping: Number = Fraction(17, 20),
    teleport: Sequence[Number] | None = None,
    dangling: str = "uniform",
) -> list[Fraction]:
    """PageRank as fractions, by elimination. Policies are those of `pagerank`, "remove" and "two-pass" too.

    >>> pair = LinkGraph.from_edges(2, sources=[0], targets=[1])
    >>> [str(share) for share in exact(pair, damping=0.8)]
    ['5/14', '9/14']
    """
    if graph.n > MOST_EXACT:
        raise BadInput(f"exact fractions need {MOST_EXACT} pages or fewer, not {graph.n}")
    follow = share(damping, "damping")
    jump = jumps(graph.n, teleport)
    if dangling == "remove":
        return _removed(graph, follow, jump)
    if dangling == "two-pass":
        return _in_two_passes(graph, follow, jump)
    return _fixed(graph, follow, jump, dangling)


def eigenvector(
    graph: LinkGraph,
    *,
    damping: float = 0.85,
    teleport: Sequence[Number] | None = None,
    dangling: str = "uniform",
) -> Scores:
    """The left eigenvector of G for its largest eigenvalue, with its sign and length fixed.

    Libraries return it with length 1 and either sign; here no entry is negative and the sum is 1. The residual is what
    one more step would change.
    """
    if dangling not in FILLS:
        raise BadInput(f'an eigenvector needs one of the policies {", ".join(FILLS)}, not "{dangling}"')
    if graph.n > MOST_DENSE:
        raise BadInput(f"an eigenvector needs {MOST_DENSE} pages or fewer, not {graph.n}")
    if graph.n == 0:
        return Scores(np.zeros(0), 0, 0.0, converged=True)
    google = matrix(graph, "G", damping=damping, teleport=teleport, dangling=dangling)
    values, vectors = np.linalg.eig(google.T)
    largest = values.real.max()
    if largest < 1e-9:
        raise BadInput("all rank leaks away: fill the rows of dangling pages, or choose damping below 1")
    close = np.flatnonzero(np.abs(values - largest) < 1e-9)
    vector: Vector = np.abs(vectors[:, close[0]].real)
    if not vector.any():
        vector = np.abs(vectors[:, close[0]].imag)
    vector = vector / vector.sum()
    residual = float(np.abs(vector @ google - vector).sum())
    note = ""
    if close.size > 1 and largest > 1 - 1e-9:
        note = (
            "the largest eigenvalue has several eigenvectors because the pages form closed groups; this is one of them"
        )
    elif largest < 1 - 1e-9:
        note = f"rank leaks: the largest eigenvalue is {largest:.6f}, not 1, so iterations do not converge to this"
    return Scores(vector, 0, residual, converged=residual < 1e-9, note=note)


def null_vector(system: Matrix) -> list[Fraction]:
    """The one direction that the columns of a square matrix take to zero; BadInput if there is none, or more.

    >>> [str(x) for x in null_vector([[Fraction(1), Fraction(-2)], [Fraction(2), Fraction(-4)]])]
    ['2', '1']
    """
    n = len(system)
    rows, pivots = _reduce([list(row) for row in system])
    free = [column for column in range(n) if column not in pivots]
    if len(free) != 1:
        raise BadInput(
            "the only solution is zero: all rank leaks away"
            if not free
            else f"the solution is not unique: {len(free)} closed groups of pages keep the rank they start with"
        )
    solution = [Fraction(0)] * n
    solution[free[0]] = Fraction(1)
    for row, pivot in zip(rows, pivots, strict=False):
        solution[pivot] = -row[free[0]]
    return solution


def _fixed(graph: LinkGraph, damping: Fraction, jump: list[Fraction], dangling: str) -> list[Fraction]:
    n = graph.n
    if n == 0:
        return []
    if dangling == "leak" and damping < 1:  # x = damping x H + (1 - damping) jump has one answer
        follow = fractions(graph, "H", orientation="column")
        rows = [[(i == j) - damping * follow[i][j] for j in range(n)] + [(1 - damping) * jump[i]] for i in range(n)]
        reduced, _ = _reduce(rows)
        return [row[n] for row in reduced]
    step = fractions(graph, "G", damping=damping, teleport=jump, dangling=dangling, orientation="column")
    solution = null_vector([[step[i][j] - (i == j) for j in range(n)] for i in range(n)])
    total = sum(solution)
    return [entry / total for entry in solution]


def _removed(graph: LinkGraph, damping: Fraction, jump: list[Fraction]) -> list[Fraction]:
    took = removal(graph)
    values = _part(graph, took.kept, damping, jump)
    links = fractions(graph, "counts")
    for place in range(len(took.order) - 1, -1, -1):
        page, here = took.order[place], [*took.kept, *took.order[place:]]
        values[page] = sum(
            (
                values[source] * links[source][page] / sum(links[source][target] for target in here)
                for source in here
                if links[source][page]
            ),
            start=Fraction(0),
        )
    return values


def _in_two_passes(graph: LinkGraph, damping: Fraction, jump: list[Fraction]) -> list[Fraction]:
    kept = [page for page, stuck in enumerate(graph.dangling.tolist()) if not stuck]
    values = _part(graph, kept, damping, jump)
    follow = fractions(graph, "H")
    for page in set(range(graph.n)) - set(kept):
        values[page] = sum((values[source] * follow[source][page] for source in kept), start=Fraction(0))
    total = sum(values)
    return [value / total for value in values] if total else values


def _part(graph: LinkGraph, kept: Sequence[int], damping: Fraction, jump: list[Fraction]) -> list[Fraction]:
    values = [Fraction(0)] * graph.n
    if not kept:
        return values
    weights = [jump[page] for page in kept]
    if not any(weights):
        raise BadInput("no page of the teleport vector is left once dangling pages are removed")
    inside = _fixed(graph.part(kept), damping, jumps(len(kept), weights), "leak")
    for page, value in zip(kept, inside, strict=True):
        values[page] = value
    return values


def _reduce(rows: Matrix) -> tuple[Matrix, list[int]]:
    """Gauss and Jordan: the rows in reduced form, and the column of each row's leading 1."""
    pivots: list[int] = []
    for column in range(len(rows)):
        place = len(pivots)
        row = next((r for r in range(place, len(rows)) if rows[r][column]), None)
        if row is None:
            continue
        rows[place], rows[row] = rows[row], rows[place]
        lead = rows[place][column]
        rows[place] = [entry / lead if entry else entry for entry in rows[place]]
        for other in range(len(rows)):
            factor = rows[other][column]
            look()
            if other != place and factor:
                rows[other] = [a - factor * b if b else a for a, b in zip(rows[other], rows[place], strict=True)]
        pivots.append(column)
    return rows, pivots
