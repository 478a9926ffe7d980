"""A sparse matrix times a vector, by blocks of rows in threads.

`csr @ x` runs at the rate at which memory can be read at random, and lets other threads run meanwhile: two threads take
little more than half the time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array

from minisearch.rank.scores import Vector

FEW_LINKS = 500_000  # below this, waking a thread takes longer than the work it would do
MAX_THREADS = 8
BLOCKS = 8  # for each thread, so that one on a busy core does not hold up the others

Multiply = Callable[[Vector], Vector]


@contextmanager
def multipliers(*matrices: csr_array) -> Iterator[list[Multiply]]:
    """For each matrix a function that multiplies it by a vector."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = min(cores, MAX_THREADS)
    with ThreadPoolExecutor(threads) as pool:
        yield [
            matrix.__matmul__ if matrix.nnz < FEW_LINKS else _in_threads(matrix, pool, BLOCKS * threads)
            for matrix in matrices
        ]


def _in_threads(matrix: csr_array, pool: ThreadPoolExecutor, count: int) -> Multiply:
    """The product by `count` blocks of about as many entries each."""
    cuts = np.searchsorted(matrix.indptr, np.linspace(0, matrix.nnz, count + 1)[1:-1])
    blocks = [matrix[first:last] for first, last in pairwise([0, *cuts.tolist(), matrix.shape[0]])]
    return lambda vector: np.concatenate([*pool.map(lambda block: block @ vector, blocks)])
