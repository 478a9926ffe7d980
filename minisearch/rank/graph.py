"""The link graph: who links to whom, as a sparse matrix.

Pages are the numbers 0 .. n-1. Row s, column t of `counts` says how often page s links to page t. On the web
a page has some ten links, so of n * n entries nearly all are zero, and only the others are kept.

Every algorithm in this folder is a function of a LinkGraph. In plain Python a graph is a dict of lists:
minisearch/textbook/pagerank.py
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array, csr_array

from minisearch.errors import BadInput


@dataclass(frozen=True, eq=False)
class LinkGraph:
    """Links between n pages; made once, then only read.

    >>> graph = LinkGraph.from_edges(3, sources=[0, 0, 0, 1], targets=[1, 2, 2, 2])
    >>> graph
    LinkGraph(n=3, edges=3)
    >>> graph.out_degree
    array([2., 1., 0.])
    """

    counts: csr_array

    @classmethod
    def from_edges(
        cls, n: int, sources: ArrayLike, targets: ArrayLike, *, repeated: bool = False, loops: bool = False
    ) -> LinkGraph:
        """The graph of n pages in which page sources[k] links to page targets[k], for every k.

        Saying a thing twice does not make it truer: a repeated link counts once unless `repeated`. Nobody
        is a judge of himself: a link from a page to itself is ignored unless `loops`.
        """
        if n < 0:
            raise BadInput(f"a graph cannot have {n} pages")
        rows, columns = _page_numbers("sources", sources, n), _page_numbers("targets", targets, n)
        if len(rows) != len(columns):
            raise BadInput(f"every link needs two ends: got {len(rows)} sources and {len(columns)} targets")
        if not loops:
            proper = rows != columns
            rows, columns = rows[proper], columns[proper]
        counts = coo_array((np.ones(len(rows)), (rows, columns)), shape=(n, n)).tocsr()  # adds up repeats
        if not repeated:
            counts.data[:] = 1
        return cls(counts)

    @property
    def n(self) -> int:
        """How many pages there are."""
        return int(self.counts.shape[0])

    @property
    def edges(self) -> int:
        """How many pairs of pages are linked; a pair counts once however often the link is repeated."""
        return int(self.counts.nnz)

    @cached_property
    def out_degree(self) -> NDArray[np.float64]:
        """How many links each page has, repeated ones as often as they are kept."""
        degree: NDArray[np.float64] = self.counts.sum(axis=1)
        degree.setflags(write=False)
        return degree

    @property
    def dangling(self) -> NDArray[np.bool_]:
        """True for each page that has no links."""
        stuck: NDArray[np.bool_] = self.out_degree == 0
        return stuck

    @cached_property
    def follow(self) -> csr_array:
        """Where clicking leads: `follow @ x` moves what is on each page along its links, in equal shares.

        Column s holds the chances of going from page s to each page t, and sums to 1 unless s is dangling.
        It is the transpose of the usual row-stochastic matrix, stored by rows because `@` reads rows.
        """
        links_in_row = np.diff(self.counts.indptr)
        follow = self.counts.copy()
        follow.data /= np.repeat(self.out_degree, links_in_row)
        return follow.T.tocsr()

    def __repr__(self) -> str:
        return f"LinkGraph(n={self.n}, edges={self.edges})"


def _page_numbers(name: str, numbers: ArrayLike, n: int) -> NDArray[np.integer[Any]]:
    array = np.asarray(numbers)
    if array.size == 0:
        return np.empty(0, dtype=np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise BadInput(f"{name} must be a flat list of page numbers, not {array.ndim}-d {array.dtype}")
    for number in (array.min(), array.max()):
        if not 0 <= number < n:
            raise BadInput(f"{name} names page {number}, but there are {n} pages, counted from 0")
    return array
