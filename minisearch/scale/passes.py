"""One pass over all links of a web in blocks, as tasks: map and combine block by block, then reduce by a tree.

A combiner adds up what a few blocks pay to the same piece before anything is sent on. J. Dean and S. Ghemawat,
"MapReduce: Simplified Data Processing on Large Clusters", 2004.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from minisearch.rank.scores import Vector
from minisearch.scale.blocks import Block, Blocks
from minisearch.scale.workshop import TOGETHER, Handle, Workshop, tree


class Passes:
    """The passes over a web whose blocks lie in a workshop."""

    def __init__(self, web: Blocks, workshop: Workshop) -> None:
        self._web, self._workshop = web, workshop
        self._laid = {place: workshop.lay(block) for place, block in web.blocks.items()}

    def forward(self, pieces: Sequence[Handle]) -> list[Handle]:
        """What each page is paid, if every page pays what `pieces` say along each of its links; None: nothing."""
        return [
            self._added_up([(self._laid[i, j], pieces[i]) for i in self._web.into(j)], _paid)
            for j in range(self._web.k)
        ]

    def backward(self, pieces: Sequence[Handle]) -> list[Handle]:
        """What the pages that each page links to hold together."""
        return [
            self._added_up([(self._laid[i, j], pieces[j]) for j in self._web.out_of(i)], _collected)
            for i in range(self._web.k)
        ]

    def _added_up(self, pairs: list[tuple[Handle, Handle]], combine: object) -> Handle:
        groups = [pairs[at : at + TOGETHER] for at in range(0, len(pairs), TOGETHER)]
        parts = [self._workshop.do(combine, *map(list, zip(*group, strict=True))) for group in groups]  # type: ignore[arg-type]
        return tree(self._workshop, added, parts) if parts else None


def _paid(blocks: list[Block], pieces: list[Vector]) -> Vector:
    total = np.zeros(blocks[0].shape[0])
    for block, piece in zip(blocks, pieces, strict=True):
        block.add_paid(piece, total)
    return total


def _collected(blocks: list[Block], pieces: list[Vector]) -> Vector:
    total = np.zeros(blocks[0].shape[1])
    for block, piece in zip(blocks, pieces, strict=True):
        block.add_collected(piece, total)
    return total


def added(parts: list[Vector]) -> Vector:
    """The sum of some vectors; of vectors of facts as well."""
    total = parts[0].copy()
    for part in parts[1:]:
        total += part
    return total
