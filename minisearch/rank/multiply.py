"""A sparse matrix times a vector, by blocks of rows in threads.

`csr @ x` runs at the rate at which memory can be read at random, and lets other threads run meanwhile: two threads take
little more than half the time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array

from minisearch.rank.scores import Vector

FEW_LINKS = 500_000  # below this, waking a thread takes longer than the work it would do
MAX_THREADS = 8


def row_blocks(matrix: csr_array) -> list[csr_array]:
    """A matrix in blocks of rows with about as many entries each, one for each thread; a small one is one block."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = 1 if matrix.nnz < FEW_LINKS else min(cores, MAX_THREADS)
    cuts = np.searchsorted(matrix.indptr, np.linspace(0, matrix.nnz, threads + 1)[1:-1]).tolist()
    return [matrix[first:last] for first, last in pairwise([0, *cuts, matrix.shape[0]])] if cuts else [matrix]


@contextmanager
def multiplier(blocks: Sequence[csr_array]) -> Iterator[Callable[[Vector], Vector]]:
    """A function that multiplies the matrix of these blocks by a vector."""
    if len(blocks) == 1:
        yield blocks[0].__matmul__
        return
    with ThreadPoolExecutor(len(blocks)) as pool:
        yield lambda vector: np.concatenate([*pool.map(lambda block: block @ vector, blocks)])
