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
from tokenize import TokenError
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array, load_npz, save_npz

from minisearch.errors import BadInput, MiniSearchError
from minisearch.rank.scores import Vector

RANGE_PAGES = 1 << 21  # at most; a part of a vector is then 16 MB
BLOCK_LINKS = 1 << 22  # on average, at most
CONTENTS = "blocks.json"
LINK = np.dtype([("target", np.int32), ("source", np.int32), ("count", np.int32)])
# What numpy and zipfile raise for a damaged .npz or .npy file: also for a missing part and an unknown compression.
DAMAGE = (ValueError, EOFError, BadZipFile, KeyError, NotImplementedError, TokenError)

Ints = NDArray[np.integer[Any]]
Line = tuple[list[Any], list[Any]]  # the blocks of a column or a row, and the parts of a vector to multiply
Links = tuple[Ints, Ints, Ints | None]  # sources, targets, and how often each occurs; None: once


def load(source: Any) -> Any:
    """Load a block (.npz) or a part of a vector (.npy), unless it is in memory already."""
    if not isinstance(source, Path):
        return source
    try:
        return load_npz(source) if source.suffix == ".npz" else np.load(source, mmap_mode="r")
    except DAMAGE as error:
        raise MiniSearchError(
            f'"{source}" is damaged ({error}): remove its folder and run the command again'
        ) from error


def save_vector(path: Path, values: Vector) -> Path:
    """Write a part of a vector, safely on disk when this returns."""
    with path.open("wb") as file:
        np.save(file, values)
        file.flush()
        os.fsync(file.fileno())
    return path


@dataclass(frozen=True, eq=False)
class BlockGraph:
    """A graph of n pages in blocks."""

    n: int
    size: int  # pages in each range but the last
    blocks: dict[tuple[int, int], Any]  # (i, j) -> a file or a matrix; none for empty blocks
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

    def line(self, number: int, parts: Sequence[Any], *, transposed: bool = False) -> Line:
        """The blocks of links into a range, or out of it if `transposed`, and the parts of a vector to multiply."""
        places = [(number, other) if transposed else (other, number) for other in range(self.k)]
        found = [(self.blocks[place], part) for place, part in zip(places, parts, strict=True) if place in self.blocks]
        return [block for block, _ in found], [part for _, part in found]

    def placed(self, place: Callable[[list[Any]], list[Any]]) -> BlockGraph:
        """The same graph with its files where tasks can read them."""
        blocks = dict(zip(self.blocks, place(list(self.blocks.values())), strict=True))
        return replace(self, blocks=blocks, degrees=place(self.degrees))


def multiply(line: Line, size: int, *, transposed: bool = False) -> Vector:
    """The sum of blocks times parts of a vector: along the links, or against them if `transposed`."""
    total = np.zeros(size)
    for source, part in zip(*line, strict=True):
        block = load(source)
        total += (block.T if transposed else block) @ part
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
    origin = f"{origin} {n} {size} {repeated} {loops} npz" if origin else ""
    if origin and (found := _read_contents(folder)) and found["origin"] == origin:
        return _open(folder, found)
    clear(folder)
    buckets, place = folder / "buckets", folder / "links"
    for new in (buckets, place):
        new.mkdir(parents=True)
    pages = [min(size, n - start) for start in range(0, n, size)]
    for chunk in links:
        _append(buckets, size, len(pages), *chunk, loops=loops)
    digest = hashlib.sha256()
    blocks: dict[str, int] = {}
    for i, sources in enumerate(pages):
        degree = np.zeros(sources)
        for j, targets in enumerate(pages):
            bucket = buckets / f"{i}-{j}"
            if bucket.exists():
                block = _combine(np.fromfile(bucket, LINK), (targets, sources), repeated=repeated)
                bucket.unlink()
                save_npz(place / f"{bucket.name}.npz", block, compressed=False)
                for array in (block.indptr, block.indices, block.data):
                    digest.update(array.data)
                blocks[bucket.name] = block.nnz
                degree += np.bincount(block.indices, weights=block.data, minlength=sources)
        save_vector(place / f"degree-{i}.npy", degree)
    shutil.rmtree(buckets)
    contents = {"origin": origin, "n": n, "size": size, "blocks": blocks, "name": digest.hexdigest()}
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


def _append(
    buckets: Path, size: int, k: int, sources: Ints, targets: Ints, counts: Ints | None, *, loops: bool
) -> None:
    """Append links to the buckets of their blocks."""
    links = np.empty(len(sources), LINK)
    links["source"], links["target"] = sources % size, targets % size
    links["count"] = 1 if counts is None else counts
    block = sources // size * k + targets // size
    if not loops:
        kept = sources != targets
        links, block = links[kept], block[kept]
    order = np.argsort(block.astype(np.min_scalar_type(k * k)), kind="stable")  # of small integers: a radix sort
    ends = np.cumsum(np.bincount(block, minlength=k * k))
    for number in np.flatnonzero(np.diff(ends, prepend=0)).tolist():
        start = ends[number - 1] if number else 0
        with (buckets / f"{number // k}-{number % k}").open("ab") as file:
            links[order[start : ends[number]]].tofile(file)


def _combine(links: NDArray[Any], shape: tuple[int, int], *, repeated: bool) -> csr_array:
    """Links as a matrix; repeated ones as one with the sum of their counts, or counted once."""
    block = coo_array((links["count"], (links["target"], links["source"])), shape=shape).tocsr()
    if not repeated:
        block.data = np.ones(block.nnz, dtype=np.int8)
    return block


def _read_contents(folder: Path) -> dict[str, Any] | None:
    try:
        contents: dict[str, Any] = json.loads((folder / CONTENTS).read_text("utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return None
    return contents


def _open(folder: Path, contents: dict[str, Any]) -> BlockGraph:
    place, n, size = folder.absolute() / "links", contents["n"], contents["size"]
    blocks: dict[tuple[int, int], Any] = {}
    for name in contents["blocks"]:
        i, j = map(int, name.split("-"))
        blocks[i, j] = place / f"{name}.npz"
    degrees: list[Any] = [place / f"degree-{i}.npy" for i in range(-(-n // size))]
    return BlockGraph(n, size, blocks, degrees, sum(contents["blocks"].values()), contents["name"])
