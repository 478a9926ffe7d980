"""The kernel of a graph: what is left of it once pages whose ranks follow from others' are peeled off.

A page that nobody links to has its share of the jumps and no more; then so has, plus what such pages pay, a page that
only they link to, and so on by levels. A page without links gets what it is paid and hands on nothing. Neither need
take part in the rounds: the first are known before, the others after. On real sites that is a third of all pages.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

WORTH_IT = 0.05  # the share of pages from which peeling saves more than it costs
MOST_LEVELS = 4

Pages = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Kernel:
    """Pages that link in circles, the links among them, and the levels of pages that lead to them."""

    pages: Pages | None  # None: all, for nothing was worth peeling off
    links: csr_array  # row: target, column: source, both renumbered
    levels: tuple[Pages, ...] = ()  # those of a level are linked to from earlier levels only


def peel(links: csr_array, stuck: NDArray[np.bool_]) -> Kernel:
    """The kernel of a graph, whose rows are targets; `stuck` are the pages without links."""
    unknown = np.diff(links.indptr) == 0  # nobody links to them
    left = ~(unknown | stuck)
    if len(left) - left.sum() <= WORTH_IT * len(left):
        return Kernel(None, links)
    levels = [np.flatnonzero(unknown & ~stuck)]
    pages, links = np.flatnonzero(left), _among(links, left)
    while len(levels) < MOST_LEVELS:
        unknown = np.diff(links.indptr) == 0
        if unknown.sum() <= WORTH_IT * len(pages):
            break
        levels.append(pages[unknown])
        pages, links = pages[~unknown], _among(links, ~unknown)
    return Kernel(pages, links, tuple(levels))


def _among(links: csr_array, left: NDArray[np.bool_]) -> csr_array:
    """The links among some pages, renumbered."""
    count = int(left.sum())
    number = np.cumsum(left, dtype=links.indices.dtype)
    number -= 1
    kept = np.repeat(left, np.diff(links.indptr))
    kept &= left[links.indices]
    before = np.zeros(links.nnz + 1, dtype=links.indptr.dtype)
    np.cumsum(kept, out=before[1:])
    indptr = np.zeros(count + 1, dtype=links.indptr.dtype)
    np.cumsum(np.diff(before[links.indptr])[left], out=indptr[1:])
    plain = bool((links.data == 1).all())  # then any part of the data will do, and nothing is copied
    data = links.data[: indptr[-1]] if plain else links.data[kept]
    return csr_array((data, number[links.indices[kept]], indptr), shape=(count, count))
