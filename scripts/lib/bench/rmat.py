"""Random graphs like the web: few pages have very many links.

R-MAT puts each link into one quarter of the matrix, then into a quarter of that, and so on. D. Chakrabarti, Y. Zhan and
C. Faloutsos, "R-MAT: A Recursive Model for Graph Mining", 2004.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

QUARTERS = (0.57, 0.19, 0.19)  # and 0.05: the probabilities of Graph500
SEED = 1
BATCH = 4_000_000  # links of a batch
DUPLICATES = 0.06  # of the links drawn in batches, roughly


def draw(rng: np.random.Generator, pages: int, count: int, dtype: type) -> tuple[Any, Any]:
    """Draw the sources and targets of `count` links; page numbers are below the next power of two."""
    sources: Any = np.zeros(count, dtype)
    targets: Any = np.zeros(count, dtype)
    first, second, third = QUARTERS
    for bit in range((pages - 1).bit_length()):
        chance = rng.random(count, dtype=np.float32)
        sources |= (chance >= first + second).astype(dtype) << bit
        right = ((chance >= first) & (chance < first + second)) | (chance >= first + second + third)
        targets |= right.astype(dtype) << bit
    return sources, targets


def unique_links(pages: int, count: int) -> tuple[Any, Any]:
    """Draw `count` links and return the sources and targets of the distinct ones between different, shuffled pages."""
    rng = np.random.default_rng(SEED)
    sources, targets = draw(rng, pages, count, np.int32)
    kept = (sources < pages) & (targets < pages) & (sources != targets)
    shuffled = rng.permutation(pages).astype(np.int32)
    links = np.unique(shuffled[sources[kept]].astype(np.int64) * pages + shuffled[targets[kept]])
    return (links // pages).astype(np.int32), (links % pages).astype(np.int32)


def batches(pages: int, count: int) -> Iterator[tuple[Any, Any, None]]:
    """Draw about `count` distinct links in batches of (sources, targets, no weights), with the duplicates."""
    rng = np.random.default_rng(SEED)
    odd = 0x9E3779B97F4A7C15 % pages | 1  # multiplying by it shuffles the pages without a table of them
    while np.gcd(odd, pages) != 1:
        odd += 2
    left = int(count * (1 + DUPLICATES))
    while left > 0:
        sources, targets = draw(rng, pages, min(BATCH, max(left, 1000)), np.int64)
        kept = (sources < pages) & (targets < pages)
        left -= int(kept.sum())
        yield sources[kept] * odd % pages, targets[kept] * odd % pages, None
