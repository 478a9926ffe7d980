"""Does power iteration on this Markov chain converge? With the reason as a sentence.

Strongly connected: from every page there is a way to every page. Ergodic, as the Belgrade PageRank thesis has it:
the same said of the Markov chain. Regular: some power of its matrix has no zero, that is, ergodic and not going
round in circles; then the power method converges from any start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import block_array, csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from minisearch.models import counted
from minisearch.rank.graph import LinkGraph
from minisearch.rank.pagerank import check_damping

MOST_POWERS = 500  # pages for which the first power without a zero is looked for


@dataclass(frozen=True, slots=True)
class Answer:
    """Yes or no, and why."""

    yes: bool
    reason: str

    def __bool__(self) -> bool:
        return self.yes


def strongly_connected(graph: LinkGraph, *, fill: bool = False, names: Sequence[str] | None = None) -> Answer:
    """Whether every page is reached from every page by links; with `fill`, pages without links link to all.

    >>> strongly_connected(LinkGraph.from_edges(2, sources=[0], targets=[1]), names="AB")
    Answer(yes=False, reason='A cannot be reached from B')
    """
    if graph.n <= 1:
        return Answer(True, "there is no second page to reach" if graph.n else "there are no pages")
    links = _with_hub(graph) if fill and graph.dangling.any() else graph.counts
    groups, group = connected_components(links, directed=True, connection="strong")
    if groups == 1:
        return Answer(True, "every page can be reached from every other")
    start, end = _cut_off(links, group)
    return Answer(False, f"{_name(end, names)} cannot be reached from {_name(start, names)}")


def ergodic(
    graph: LinkGraph, *, damping: float = 1.0, fill: bool = False, names: Sequence[str] | None = None
) -> Answer:
    """Whether the chain comes from every page to every page."""
    check_damping(damping)
    if damping < 1 and (fill or not graph.dangling.any()):
        return Answer(True, "teleporting leads from every page to every page")
    if damping < 1:
        stuck = _name(int(np.flatnonzero(graph.dangling)[0]), names)
        return Answer(False, f"{stuck} is dangling and its row is empty: fill it, or rank is lost there")
    return strongly_connected(graph, fill=fill, names=names)


def regular(
    graph: LinkGraph, *, damping: float = 1.0, fill: bool = False, names: Sequence[str] | None = None
) -> Answer:
    """Whether some power of the chain's matrix has no zero.

    >>> regular(LinkGraph.from_edges(3, sources=[0, 1, 2], targets=[1, 2, 0]))
    Answer(yes=False, reason='the walk is periodic: a return takes a multiple of 3 steps')
    """
    way = ergodic(graph, damping=damping, fill=fill, names=names)
    if not way or damping < 1 or graph.n == 0:
        return way
    filled = fill and graph.dangling.any()
    if graph.n == 1 and not graph.counts.nnz and not filled:
        return Answer(False, f"{_name(0, names)} is dangling: its row is empty")
    circle = 1 if filled else period(graph.counts)  # a filled page links to itself
    if circle > 1:
        return Answer(False, f"the walk is periodic: a return takes a multiple of {circle} steps")
    if graph.n > MOST_POWERS:
        return Answer(True, "every page can be reached from every other, and the walk is aperiodic")
    links = graph.counts.toarray() > 0
    if filled:
        links[graph.dangling] = True
    steps = counted(first_full_power(links), "step")
    return Answer(True, f"after {steps} the surfer can be on any page, whatever the start")


def period(links: csr_array) -> int:
    """The greatest common divisor of all round trips of a strongly connected graph."""
    order, before = breadth_first_order(links, 0, directed=True)
    level = np.zeros(links.shape[0], dtype=np.int64)
    for page in order[1:]:
        level[page] = level[before[page]] + 1
    entries = links.tocoo()
    sources, targets = entries.coords
    return int(np.gcd.reduce(level[sources] + 1 - level[targets])) if entries.nnz else 0


def first_full_power(links: NDArray[np.bool_]) -> int:
    """The smallest power of a regular matrix that has no zero.

    It may be as large as (n - 1)^2 + 1, so powers are squared until one is full, and then searched between: once
    full, a power stays full.
    """
    squares = [links]
    while not squares[-1].all():
        squares.append(_product(squares[-1], squares[-1]))
    reach, power = None, 0
    for exponent in range(len(squares) - 2, -1, -1):
        farther = squares[exponent] if reach is None else _product(reach, squares[exponent])
        if not farther.all():
            reach, power = farther, power + 2**exponent
    return power + 1


def _product(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where a walk by the one and then by the other can end."""
    ways: NDArray[np.bool_] = one.astype(np.float32) @ other.astype(np.float32) > 0
    return ways


def _with_hub(graph: LinkGraph) -> csr_array:
    """The links and one more page, to which dangling pages link and which links to all: n links in place of n each."""
    to_hub = csr_array(graph.dangling.reshape(-1, 1).astype(np.float64))
    from_hub = csr_array(np.ones((1, graph.n)))
    return block_array([[graph.counts, to_hub], [from_hub, None]], format="csr")


def _cut_off(links: csr_array, group: NDArray[np.integer[Any]]) -> tuple[int, int]:
    """Two pages, the second of which is not reached from the first: of different groups, one or the other is so."""
    other = int(np.flatnonzero(group != group[0])[0])
    reached = breadth_first_order(links, 0, directed=True, return_predecessors=False)
    return (other, 0) if other in reached else (0, other)


def _name(page: int, names: Sequence[str] | None) -> str:
    return f"page {page}" if names is None else names[page]
