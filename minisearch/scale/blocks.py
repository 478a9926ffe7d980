"""A web cut into k x k blocks of links, wherever they lie: in memory, in mapped files, or with a cluster's workers.

Pages are cut into k pieces of like length. Block (i, j) has the links from piece i to piece j, and to work on it one
needs these two pieces of a vector and no others. A page keeps the degree it has in the whole web; a block without links
is left out. The same on a board, with exact fractions: minisearch/rank/blocks.py
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from minisearch.errors import BadInput
from minisearch.rank.graph import LinkGraph
from minisearch.rank.scores import Vector

PIECE = 1 << 21  # pages; a piece of a vector is then 16 MB
BLOCK = 1 << 22  # links that a block has on average, at the most
ONE_AT_A_TIME = Lock()  # numpy reads a header as Python, which breaks now and then in two threads (SystemError, 3.11)
SPARSE = 0.5  # share of rows with links below which the others are left out


@dataclass(frozen=True, eq=False)
class Block:
    """Some links: a row for each target, in it its sources. Both are counted from where their pieces begin."""

    shape: tuple[int, int]
    indptr: NDArray[Any]
    indices: NDArray[np.int32]
    rows: NDArray[np.int32] | None = None  # the targets that have rows; None: all have
    weights: Vector | None = None  # None: each link counts once

    @classmethod
    def of(cls, links: csr_array) -> Block:
        """The block of a matrix, smaller if few of its rows have links."""
        lengths = np.diff(links.indptr)
        filled = np.flatnonzero(lengths)
        plain = bool((links.data == 1).all())
        rows = filled.astype(np.int32) if len(filled) < SPARSE * len(lengths) else None
        kept = lengths if rows is None else lengths[filled]
        wide = links.nnz >= 1 << 31
        indptr = np.concatenate([[0], np.cumsum(kept)]).astype(np.int64 if wide else np.int32)
        return cls(links.shape, indptr, links.indices.astype(np.int32), rows, None if plain else links.data)

    def add_paid(self, paid: Vector, total: Vector) -> None:
        """Add to each target in `total` what its sources pay."""
        if self.rows is None:
            total += self._matrix() @ paid
        else:
            total[self.rows] += self._matrix() @ paid

    def add_collected(self, held: Vector, total: Vector) -> None:
        """Add to each source in `total` what its targets hold: the same links, walked backwards."""
        total += self._matrix().T @ (held if self.rows is None else held[self.rows])

    def _matrix(self) -> csr_array:
        data = _ones(len(self.indices)) if self.weights is None else self.weights
        matrix = csr_array((len(self.indptr) - 1, self.shape[1]))
        # Set, not handed over: the constructor would read all of a mapped file to check it.
        matrix.indptr, matrix.indices, matrix.data = self.indptr, self.indices, data
        return matrix

    def write(self, path: Path) -> None:
        """Put it into files that can be mapped."""
        for name in ("indptr", "indices", "rows", "weights"):
            if (array := getattr(self, name)) is not None:
                np.save(f"{path}.{name}.npy", np.asarray(array))


@dataclass(frozen=True)
class Filed:
    """A block, or a piece of a vector (`shape` is None), in files: mapped anew wherever it is needed."""

    path: str
    shape: tuple[int, int] | None = None
    parts: tuple[str, ...] = ()


Source = Block | Vector | Filed


def opened(source: Source) -> Any:
    """The block or the vector itself."""
    if not isinstance(source, Filed):
        return source
    if source.shape is None:
        return _mapped(f"{source.path}.npy")
    return Block(source.shape, **{part: _mapped(f"{source.path}.{part}.npy") for part in source.parts})


def in_memory(source: Source) -> Source:
    """The same, to be handed to somebody who cannot see our files."""
    if not isinstance(source, Filed):
        return source
    found = opened(source)
    if isinstance(found, Block):
        arrays = {part: np.array(getattr(found, part)) for part in source.parts}
        return Block(found.shape, **arrays)
    return np.array(found)


def _mapped(path: str) -> NDArray[Any]:
    with ONE_AT_A_TIME:
        try:
            return np.asarray(np.load(path, mmap_mode="r"))
        except ValueError:  # an empty array cannot be mapped
            return np.asarray(np.load(path))


@dataclass(frozen=True, eq=False)
class Blocks:
    """A web of n pages in k x k blocks."""

    n: int
    size: int  # pages in each piece but the last
    blocks: dict[tuple[int, int], Source]
    degrees: list[Source]  # of each piece: how many links a page has in all
    links: int
    name: str = field(default="", repr=False)  # the same for the same web in the same blocks

    @property
    def k(self) -> int:
        """How many pieces the pages are in."""
        return len(self.degrees)

    def pages(self, piece: int) -> slice:
        """The pages of a piece."""
        return slice(piece * self.size, min(self.n, (piece + 1) * self.size))

    def into(self, piece: int) -> list[int]:
        """The pieces with links to this one."""
        return [i for i in range(self.k) if (i, piece) in self.blocks]

    def out_of(self, piece: int) -> list[int]:
        """The pieces that this one links to."""
        return [j for j in range(self.k) if (piece, j) in self.blocks]

    @classmethod
    def cut(cls, graph: LinkGraph, k: int | None = None) -> Blocks:
        """The blocks of a graph, in memory."""
        size = piece_size(graph.n, graph.edges, k)
        count = -(-graph.n // size)
        blocks: dict[tuple[int, int], Source] = {}
        for j in range(count):
            rows = graph.incoming[j * size : (j + 1) * size]
            for i in range(count):
                part = rows[:, i * size : (i + 1) * size].tocsr()
                if part.nnz:
                    blocks[i, j] = Block.of(part)
        degrees: list[Source] = [graph.out_degree[i * size : (i + 1) * size] for i in range(count)]
        return cls(graph.n, size, blocks, degrees, graph.edges)


def piece_size(n: int, links: int, k: int | None = None) -> int:
    """How many pages a piece has, if there are to be k of them; or as many as is sensible.

    >>> piece_size(10, 20, k=3), piece_size(10, 20), piece_size(10_000_000, 100_000_000)
    (4, 10, 2000000)
    """
    if k is None:
        k = max(-(-n // PIECE), round((links / BLOCK) ** 0.5), 1)
    if not 1 <= k <= max(n, 1):
        raise BadInput(f"{n} pages can be cut into 1 to {max(n, 1)} pieces, not {k}")
    return max(-(-n // k), 1)


_kept = np.ones(0)


def _ones(count: int) -> Vector:
    """So many ones, of an array that is made once: the weights of links that all count alike."""
    global _kept
    if len(_kept) < count:
        _kept = np.ones(count)
    return _kept[:count]
