"""A web cut into k x k blocks, and one round of PageRank as map and reduce.

When the rank vector does not fit in memory, cut it into k pieces and the links into stripes, one for each piece to be
read, or better into k x k tables: each table needs one piece to read and one to write. A table lists source, degree and
targets; the degree is that of the whole page, and pages without a target in the block are left out. J. Leskovec,
A. Rajaraman and J. Ullman, "Mining of Massive Datasets", chapter 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph

MOST_LINKS = 1_000_000  # a link of weight w is listed w times

Table = dict[int, tuple[int, list[int]]]  # source -> (degree, targets)
Tables = dict[tuple[int, int], Table]  # (row, column) of the block, counted from 1


def adjacency(graph: LinkGraph) -> Table:
    """Each page that has links, with how many and which; a repeated link stands there repeatedly.

    >>> adjacency(LinkGraph.from_edges(3, sources=[0, 0, 1], targets=[1, 2, 0]))
    {0: (2, [1, 2]), 1: (1, [0])}
    """
    if (size := float(graph.counts.sum())) > MOST_LINKS:
        raise BadInput(f"{size:g} links are too many for block tables: the limit is {MOST_LINKS:,}")
    return {
        page: (int(graph.out_degree[page]), _targets(graph, page))
        for page in range(graph.n)
        if not graph.dangling[page]
    }


def groups(n: int, k: int) -> list[list[int]]:
    """n pages in k pieces of nearly equal length, the longer ones first.

    >>> groups(5, 2)
    [[0, 1, 2], [3, 4]]
    """
    if not 1 <= k <= max(n, 1):
        raise BadInput(f"{n} pages can be cut into 1 to {max(n, 1)} pieces, not {k}")
    return [piece.tolist() for piece in np.array_split(np.arange(n), k)]


def tables(graph: LinkGraph, k: int) -> Tables:
    """The k x k block tables: block (i, j) has the links from piece i to piece j.

    >>> tables(LinkGraph.from_edges(2, sources=[0, 0], targets=[0, 1], loops=True), 2)[1, 2]
    {0: (2, [1])}
    """
    piece = {page: number for number, pages in enumerate(groups(graph.n, k), start=1) for page in pages}
    cut: Tables = {(i, j): {} for i in range(1, k + 1) for j in range(1, k + 1)}
    for source, (degree, targets) in adjacency(graph).items():
        for target in targets:
            block = cut[piece[source], piece[target]]
            block.setdefault(source, (degree, []))[1].append(target)
    return cut


def stripes(graph: LinkGraph, k: int) -> dict[int, Table]:
    """The k stripes: stripe i has all links from piece i, and needs that piece of the vector alone to be read.

    What it writes goes anywhere, though; hence the blocks.
    """
    whole = adjacency(graph)
    pieces = enumerate(groups(graph.n, k), start=1)
    return {number: {page: whole[page] for page in pages if page in whole} for number, pages in pieces}


def map_pairs(table: Table, rank: Sequence[Fraction] | Mapping[int, Fraction]) -> Iterator[tuple[int, Fraction]]:
    """Map: for each link (target, what its source pays)."""
    for source, (degree, targets) in table.items():
        for target in targets:
            yield target, Fraction(rank[source]) / degree


def reduce_pairs(pairs: Iterator[tuple[int, Fraction]]) -> dict[int, Fraction]:
    """Reduce: what each page is paid in all."""
    paid: dict[int, Fraction] = {}
    for target, amount in pairs:
        paid[target] = paid.get(target, Fraction(0)) + amount
    return dict(sorted(paid.items()))


def block_step(cut: Tables, rank: Sequence[Fraction]) -> dict[tuple[int, int], dict[int, Fraction]]:
    """One round, block by block: what each block pays. Added up over blocks, it is the direct product."""
    return {block: reduce_pairs(map_pairs(table, rank)) for block, table in cut.items()}


def added_up(partial: Mapping[tuple[int, int], Mapping[int, Fraction]], n: int) -> list[Fraction]:
    """The vector that the blocks' parts add up to."""
    total = [Fraction(0)] * n
    for part in partial.values():
        for page, amount in part.items():
            total[page] += amount
    return total


def _targets(graph: LinkGraph, page: int) -> list[int]:
    row = slice(graph.counts.indptr[page], graph.counts.indptr[page + 1])
    times = graph.counts.data[row]
    if not np.array_equal(times, times.astype(np.int64)):
        raise BadInput("block tables list links, so the weights of links must be whole numbers")
    return np.repeat(graph.counts.indices[row], times.astype(np.int64)).tolist()
