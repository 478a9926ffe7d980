"""One pass over all links: a sparse matrix times a vector, by row blocks in threads.

`csr @ x` runs at the rate at which memory can be read at random, and lets other threads run meanwhile: two threads
take half the time. Nothing is copied; a block is a view of the matrix.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array

from minisearch.rank.scores import Vector

FEW_LINKS = 500_000  # below this, waking a thread takes longer than the work it would do
MOST_THREADS = 8
NEAR = 2**20  # bytes of a vector that a core keeps near; fetching it whole is quicker than entry by entry
BLOCK = 500_000  # links; a thread that is done with one takes the next, so that a busy core holds up no other


class Pass:
    """A matrix that is ready to be multiplied again and again; `count` tells how often it was."""

    def __init__(self, links: csr_array, pool: ThreadPoolExecutor | None = None, threads: int = 1) -> None:
        self.count = 0
        self._rows, self._pool = links.shape[0], pool
        self._threads = threads
        blocks = 1 if pool is None else min(max(threads, links.nnz // BLOCK), 16 * threads)
        self._blocks = list(_row_blocks(links, blocks))

    def __call__(self, vector: Vector) -> Vector:
        """The product."""
        self.count += 1
        out = np.empty(self._rows)

        todo = iter(self._blocks)

        def work(given: Vector) -> None:
            for rows, links in todo:  # whoever comes takes the next
                out[rows] = links @ given

        def help_out() -> None:
            work(vector.copy() if vector.nbytes <= NEAR else vector)

        others = [self._pool.submit(help_out) for _ in range(self._threads - 1)] if self._pool else []
        work(vector)
        for other in others:
            if not other.cancel():  # who has not begun yet is not waited for: there is nothing left to do
                other.result()
        return out


@contextmanager
def threads(links: int) -> Iterator[tuple[ThreadPoolExecutor | None, int]]:
    """A thread pool for matrix products over `links` links and its number of threads; no pool for few links."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    count = min(cores, MOST_THREADS)
    if count == 1 or links < FEW_LINKS:
        yield None, 1
        return
    with ThreadPoolExecutor(count - 1) as pool:  # who asks for a pass works, too
        yield pool, count


def _row_blocks(links: csr_array, count: int) -> Iterator[tuple[slice, csr_array]]:
    """The rows in blocks of about as many links each."""
    wanted = np.linspace(0, links.nnz, count + 1)[1:-1]
    cuts = np.unique([0, *np.searchsorted(links.indptr, wanted).tolist(), links.shape[0]]).tolist()
    for first, last in pairwise(cuts):
        begin, end = links.indptr[first], links.indptr[last]
        block = csr_array((last - first, links.shape[1]))  # filled below: scipy copies parts that it is given
        block.data, block.indices = links.data[begin:end], links.indices[begin:end]
        block.indptr = links.indptr[first : last + 1] - begin
        yield slice(first, last), block
