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
from minisearch.rank.multiply import row_blocks


@dataclass(frozen=True, eq=False)
class LinkGraph:
    """Links between n pages; made once, then only read.

    >>> graph = LinkGraph.from_edges(3, sources=[0, 0, 0, 1], targets=[1, 2, 2, 2])
    >>> graph
    LinkGraph(n=3, edges=3)
    >>> graph.out_degree
    array([2., 1., 0.])
    """

    incoming: csr_array  # row t, column s: how often page s links to page t; rank flows into rows
    degree: NDArray[np.float64] | None = None  # what a page divides by, if not by its links in here

    @classmethod
    def from_edges(
        cls,
        n: int,
        sources: ArrayLike,
        targets: ArrayLike,
        *,
        repeated: bool = False,
        loops: bool = False,
        weights: ArrayLike | None = None,
        degree: ArrayLike | None = None,
    ) -> LinkGraph:
        """The graph of n pages in which page sources[k] links to page targets[k], for every k.

        A repeated link counts once unless `repeated`. A self-link is ignored unless `loops`. With `weights`, link k
        counts weights[k] times, and repeats add up. A page with more links than given here, to places
        outside the graph, says how many it has in `degree`.
        """
        if n < 0:
            raise BadInput(f"a graph cannot have {n} pages")
        rows, columns = _page_numbers("sources", sources, n), _page_numbers("targets", targets, n)
        if len(rows) != len(columns):
            raise BadInput(f"every link needs two ends: got {len(rows)} sources and {len(columns)} targets")
        counts = np.float64 if repeated else np.int8  # which is moved about quicker, and put right below
        data = np.ones(len(rows), counts) if weights is None else _link_weights(weights, rows, columns)
        if not loops and (proper := rows != columns).sum() < len(rows):
            rows, columns, data = rows[proper], columns[proper], data[proper]
        incoming = _add_up(n, rows, columns, data)
        if weights is not None:
            incoming.eliminate_zeros()
        elif not repeated:
            incoming.data = np.ones(incoming.nnz)
        return cls(incoming, None if degree is None else _degrees(degree, incoming))

    @property
    def n(self) -> int:
        """How many pages there are."""
        return int(self.incoming.shape[0])

    @property
    def edges(self) -> int:
        """How many pairs of pages are linked; a pair counts once however often the link is repeated."""
        return int(self.incoming.nnz)

    @cached_property
    def out_degree(self) -> NDArray[np.float64]:
        """How many links each page has, repeated ones as often as they are kept."""
        degree = _column_sums(self.incoming) if self.degree is None else self.degree.copy()
        degree.setflags(write=False)
        return degree

    @cached_property
    def dangling(self) -> NDArray[np.bool_]:
        """True for each page that has no links."""
        stuck: NDArray[np.bool_] = self.out_degree == 0
        stuck.setflags(write=False)
        return stuck

    @cached_property
    def counts(self) -> csr_array:
        """How often each page links to each: row s, column t is the number of links from page s to page t."""
        return self.incoming.T.tocsr()

    @cached_property
    def follow(self) -> csr_array:
        """Where clicking leads: `follow @ x` moves what is on each page along its links, in equal shares.

        Column s holds the chances of going from page s to each page t, and sums to 1 unless s is dangling.
        It is the transpose of the usual row-stochastic matrix, stored by rows because `@` reads rows.
        """
        follow = self.incoming.copy()
        follow.data /= self.out_degree[follow.indices]
        return follow

    @cached_property
    def follow_blocks(self) -> list[csr_array]:
        """`follow` in blocks of rows, for threads."""
        return row_blocks(self.follow)

    def targets(self, page: int) -> NDArray[np.integer[Any]]:
        """The pages that a page links to."""
        pages: NDArray[np.integer[Any]] = self.counts.indices[self.counts.indptr[page] : self.counts.indptr[page + 1]]
        return pages

    def sources(self, page: int) -> NDArray[np.integer[Any]]:
        """The pages that link to a page."""
        links = self.incoming
        pages: NDArray[np.integer[Any]] = links.indices[links.indptr[page] : links.indptr[page + 1]]
        return pages

    def part(self, pages: ArrayLike) -> LinkGraph:
        """The graph of these pages alone, in this order, with the links among them."""
        chosen = np.asarray(pages, dtype=np.int64)
        return LinkGraph(self.incoming[chosen][:, chosen].tocsr())

    def plain(self, *, repeated: bool = False, loops: bool = False, divide_by_all: bool = False) -> LinkGraph:
        """The same graph with repeated links counted once unless `repeated`, and no loops unless `loops`.

        With `divide_by_all`, a page still divides by all the links it has, so that some of it is lost.
        """
        kept = self.incoming.copy()
        if not loops and kept.diagonal().any():
            kept.setdiag(0)
            kept.eliminate_zeros()
        if not repeated:
            kept.data[:] = 1
        return LinkGraph(kept, self.out_degree.copy() if divide_by_all else None)

    def __repr__(self) -> str:
        return f"LinkGraph(n={self.n}, edges={self.edges})"


def _add_up(n: int, rows: NDArray[np.integer[Any]], columns: NDArray[np.integer[Any]], data: NDArray[Any]) -> csr_array:
    """The links as rows of targets, sources in order, repeats added up.

    Two countings are quicker than one sorting: rows by source, and those turned round by target.
    """
    links = coo_array((data, (rows, columns)), shape=(n, n))
    links.has_canonical_format = True  # so that no time is spent on repeats before the last step
    incoming = links.tocsr().T.tocsr()
    repeats = incoming.indices[1:] == incoming.indices[:-1]
    begins = incoming.indptr[1:-1]
    repeats[begins[(begins > 0) & (begins < incoming.nnz)] - 1] = False  # the first of a row repeats nothing
    incoming.has_sorted_indices = True
    incoming.has_canonical_format = not repeats.any()
    if not incoming.has_canonical_format:
        incoming.sum_duplicates()
    return incoming


def _column_sums(links: csr_array) -> NDArray[np.float64]:
    sums = np.bincount(links.indices, weights=links.data, minlength=links.shape[1])
    return sums.astype(np.float64)  # of no links it counts whole numbers


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


def _link_weights(
    weights: ArrayLike, rows: NDArray[np.integer[Any]], columns: NDArray[np.integer[Any]]
) -> NDArray[np.float64]:
    try:
        array = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadInput("the weights of links must be numbers") from None
    if array.shape != rows.shape:
        raise BadInput(f"every link needs a weight: got {array.size} weights for {len(rows)} links")
    senseless = np.flatnonzero(~(array >= 0) | np.isinf(array))
    if senseless.size:
        first = senseless[0]
        ends = f"from page {rows[first]} to page {columns[first]}"
        raise BadInput(f"the link {ends} has the weight {array[first]}: use finite numbers, 0 or more")
    return array


def _degrees(degree: ArrayLike, incoming: csr_array) -> NDArray[np.float64]:
    array = np.array(degree, dtype=np.float64)
    held = _column_sums(incoming)
    if array.shape != held.shape:
        raise BadInput(f"degree needs one number for each of the {len(held)} pages, but has shape {array.shape}")
    too_few = np.flatnonzero(~(array >= held))
    if too_few.size:
        page = too_few[0]
        raise BadInput(f"page {page} has {held[page]:g} links here, so its degree cannot be {array[page]:g}")
    return array
