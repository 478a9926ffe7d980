"""A link graph cut into k x k sparse blocks on disk.

Pages are split into k ranges of equal size. Block (i, j) holds the links from range i to range j, so multiplying it
needs these two parts of a vector and no others. Links arrive in any order: they are appended to one bucket file per
block, then each bucket is sorted and written as a block. The same with exact fractions, for lessons: rank/blocks.py.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from minisearch.errors import BadInput, MiniSearchError
from minisearch.rank.scores import Vector

RANGE_PAGES = 1 << 21  # at most; a part of a vector is then 16 MB
BLOCK_LINKS = 1 << 22  # on average, at most
CONTENTS = "blocks.json"
INDEX, FLOAT = np.dtype("<i4"), np.dtype("<f8")
PAIR = np.dtype([("target", INDEX), ("source", INDEX)])
COUNTED_PAIR = np.dtype([*PAIR.descr, ("count", FLOAT)])

Ints = NDArray[np.integer[Any]]
Links = tuple[Ints, Ints, NDArray[Any] | None]  # sources, targets, and how often each occurs; None: once


@dataclass(frozen=True)
class VectorFile:
    """A part of a vector on disk."""

    path: Path
    size: int

    def load(self) -> Vector:
        """Map the file into memory."""
        return _map(self.path, FLOAT, (self.size,))


@dataclass(frozen=True)
class BlockFile:
    """A block on disk: the targets and sources of its links, counted from the start of their ranges."""

    path: Path
    shape: tuple[int, int]  # pages of the target range, of the source range
    links: int
    counted: bool  # a second file says how often each link occurs

    def load(self) -> coo_array:
        """Map the files into memory as a matrix; scipy checks that the links are inside its shape."""
        counts = _map(_counts_path(self.path), FLOAT, (self.links,)) if self.counted else np.ones(self.links)
        targets, sources = _map(self.path, INDEX, (2, self.links))
        try:
            return coo_array((counts, (targets, sources)), shape=self.shape)
        except ValueError as error:
            raise _damaged(self.path, error) from error


def load(source: Any) -> Any:
    """Load a block or a part of a vector, unless it is in memory already."""
    return source.load() if isinstance(source, BlockFile | VectorFile) else source


def write_vector(path: Path, values: Vector) -> VectorFile:
    """Write a part of a vector, safely on disk when this returns."""
    with path.open("wb") as file:
        values.astype(FLOAT).tofile(file)
        os.fsync(file.fileno())
    return VectorFile(path.absolute(), len(values))


def _map(path: Path, dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    try:
        return np.asarray(np.memmap(path, dtype, mode="r", shape=shape))
    except ValueError as error:  # the file is too short
        raise _damaged(path, error) from error


def _damaged(path: Path, error: ValueError) -> MiniSearchError:
    return MiniSearchError(f'"{path}" is damaged ({error}): remove its folder and run the command again')


def _counts_path(path: Path) -> Path:
    return path.with_suffix(".counts")


@dataclass(frozen=True, eq=False)
class BlockGraph:
    """A graph of n pages in blocks."""

    n: int
    size: int  # pages in each range but the last
    blocks: dict[tuple[int, int], Any]  # (i, j) -> a BlockFile or its replacement; none for empty blocks
    degrees: list[Any]  # of each range, the number of links of every page in the whole graph
    links: int
    name: str = field(repr=False)  # a hash of all links and how they are cut

    @property
    def k(self) -> int:
        """The number of ranges."""
        return len(self.degrees)

    def pages(self, number: int) -> slice:
        """The pages of a range."""
        return slice(number * self.size, min(self.n, (number + 1) * self.size))

    def sizes(self) -> list[int]:
        """The number of pages in each range."""
        return [self.pages(number).stop - self.pages(number).start for number in range(self.k)]

    def parts(self, vector: Vector) -> list[Vector]:
        """A vector in parts, one for each range."""
        return [vector[self.pages(number)] for number in range(self.k)]

    def column(self, j: int, parts: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """The blocks of links into range j, and the parts of a vector that belong to their sources."""
        sources = [i for i in range(self.k) if (i, j) in self.blocks]
        return [self.blocks[i, j] for i in sources], [parts[i] for i in sources]

    def row(self, i: int, parts: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """The blocks of links out of range i, and the parts of a vector that belong to their targets."""
        targets = [j for j in range(self.k) if (i, j) in self.blocks]
        return [self.blocks[i, j] for j in targets], [parts[j] for j in targets]

    def placed(self, place: Callable[[list[Any]], list[Any]]) -> BlockGraph:
        """The same graph with its files where tasks can read them."""
        blocks = dict(zip(self.blocks, place(list(self.blocks.values())), strict=True))
        return replace(self, blocks=blocks, degrees=place(self.degrees))


def multiply(blocks: Sequence[Any], parts: Sequence[Any], size: int, *, transposed: bool = False) -> Vector:
    """The sum of blocks times vectors: along the links, or against them if `transposed`."""
    total = np.zeros(size)
    for source, part in zip(blocks, parts, strict=True):
        block = load(source)
        total += (block.T if transposed else block) @ load(part)
    return total


def cut(
    folder: Path,
    n: int,
    links: Iterable[Links],
    *,
    expected: int = 0,
    k: int | None = None,
    repeated: bool = False,
    loops: bool = False,
    origin: str = "",
) -> BlockGraph:
    """Cut the links between n pages into blocks in `folder`; `expected` is about how many links there are.

    As in a LinkGraph, a repeated link counts once unless `repeated`, and links from a page to itself are left out
    unless `loops`. Blocks that were cut before from the same non-empty `origin` are used again.
    """
    size = range_size(n, expected, k)
    origin = f"{origin} {n} {size} {repeated} {loops}" if origin else ""
    if origin and (found := _read_contents(folder)) and found["origin"] == origin:
        return _open(folder, found)
    clear(folder)
    buckets, place = folder / "buckets", folder / "links"
    for new in (buckets, place):
        new.mkdir(parents=True)
    k = -(-n // size)
    for chunk in links:
        _append(buckets, size, k, *_check(n, *chunk, repeated=repeated, loops=loops))
    pages = [min(size, n - number * size) for number in range(k)]
    digest = hashlib.sha256()
    blocks: dict[str, int] = {}
    for i in range(k):
        degree = np.zeros(pages[i])
        for j in range(k):
            bucket = buckets / f"{i}-{j}"
            if bucket.exists():
                ends, counts = _combine(np.fromfile(bucket, COUNTED_PAIR if repeated else PAIR), pages[i])
                bucket.unlink()
                path = place / bucket.name
                ends.tofile(path)
                digest.update(ends.data)
                if counts is not None:
                    counts.tofile(_counts_path(path))
                    digest.update(counts.data)
                blocks[bucket.name] = ends.shape[1]
                degree += np.bincount(ends[1], weights=counts, minlength=pages[i])
        write_vector(place / f"degree-{i}", degree)
    shutil.rmtree(buckets)
    contents = {"origin": origin, "n": n, "size": size, "counted": repeated, "blocks": blocks}
    contents["name"] = digest.hexdigest()
    replace_text(folder / CONTENTS, json.dumps(contents))
    return _open(folder, contents)


def range_size(n: int, links: int, k: int | None = None) -> int:
    """The number of pages in each of k ranges, or in ranges of a sensible size.

    >>> range_size(10, 20, k=3), range_size(10, 20), range_size(10_000_000, 100_000_000)
    (4, 10, 2000000)
    """
    if k is None:
        k = max(-(-n // RANGE_PAGES), round((links / BLOCK_LINKS) ** 0.5), 1)
    if not 1 <= k <= max(n, 1):
        raise BadInput(f"{n} pages can be cut into 1 to {max(n, 1)} ranges, not {k}")
    return max(-(-n // k), 1)


def replace_text(path: Path, text: str) -> None:
    """Write a small file under a temporary name, then rename it: it is complete or it does not exist."""
    temporary = path.with_name(f"{path.name}.tmp")
    with temporary.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def clear(folder: Path) -> None:
    """Remove the blocks in a folder, and nothing else."""
    for made in ("buckets", "links"):
        shutil.rmtree(folder / made, ignore_errors=True)
    for file in folder.glob(f"{CONTENTS}*"):
        file.unlink()


def _check(n: int, sources: Ints, targets: Ints, counts: NDArray[Any] | None, *, repeated: bool, loops: bool) -> Links:
    for end, pages in (("source", sources), ("target", targets)):
        wrong = pages[(pages < 0) | (pages >= n)]
        if len(wrong):
            raise BadInput(f"a link has page {wrong[0]} as its {end}, but there are {n} pages, counted from 0")
    if not repeated:
        counts = None
    elif counts is None:
        counts = np.ones(len(sources))
    if not loops:
        kept = sources != targets
        sources, targets, counts = sources[kept], targets[kept], None if counts is None else counts[kept]
    return sources, targets, counts


def _append(buckets: Path, size: int, k: int, sources: Ints, targets: Ints, counts: NDArray[Any] | None) -> None:
    """Append links to the buckets of their blocks."""
    block = sources // size * k + targets // size
    order = np.argsort(block.astype(np.min_scalar_type(k * k)), kind="stable")  # of small integers: a radix sort
    pairs = np.empty(len(order), PAIR if counts is None else COUNTED_PAIR)
    pairs["source"], pairs["target"] = (sources % size)[order], (targets % size)[order]
    if counts is not None:
        pairs["count"] = counts[order]
    ends = np.cumsum(np.bincount(block, minlength=k * k))
    for number in np.flatnonzero(np.diff(ends, prepend=0)).tolist():
        start = ends[number - 1] if number else 0
        with (buckets / f"{number // k}-{number % k}").open("ab") as file:
            pairs[start : ends[number]].tofile(file)


def _combine(pairs: NDArray[Any], width: int) -> tuple[NDArray[Any], Vector | None]:
    """Targets and sources of the links in order, each link once, and how often it occurs if that counts."""
    key = pairs["target"].astype(np.int64) * width + pairs["source"]
    counts = None
    if pairs.dtype == PAIR:
        key.sort()
        key = key[np.diff(key, prepend=-1) > 0]
    else:
        key, place = np.unique(key, return_inverse=True)
        counts = np.bincount(place, weights=pairs["count"]).astype(FLOAT)
    return np.stack(np.divmod(key, width)).astype(INDEX), counts


def _read_contents(folder: Path) -> dict[str, Any] | None:
    try:
        contents: dict[str, Any] = json.loads((folder / CONTENTS).read_text("utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return None
    return contents


def _open(folder: Path, contents: dict[str, Any]) -> BlockGraph:
    place, n, size = folder.absolute() / "links", contents["n"], contents["size"]
    pages = [min(size, n - start) for start in range(0, n, size)]
    blocks: dict[tuple[int, int], Any] = {}
    for name, links in contents["blocks"].items():
        i, j = map(int, name.split("-"))
        blocks[i, j] = BlockFile(place / name, (pages[j], pages[i]), links, contents["counted"])
    degrees: list[Any] = [VectorFile(place / f"degree-{i}", count) for i, count in enumerate(pages)]
    return BlockGraph(n, size, blocks, degrees, sum(contents["blocks"].values()), contents["name"])
