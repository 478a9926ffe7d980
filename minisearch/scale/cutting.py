"""Cutting a web into blocks that lie in files, without ever holding all of it.

Links come in any order, some millions at a time, and are thrown into one bucket for each block; then each bucket by
itself is sorted, counted and written as a block that can be mapped into memory.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from minisearch.errors import BadInput
from minisearch.scale.blocks import Block, Blocks, Filed, piece_size

Ints = NDArray[np.integer[Any]]
Links = tuple[Ints, Ints, NDArray[Any] | None]  # sources, targets, and how often; None: once
CONTENTS = "blocks.json"
PAIR = np.dtype([("target", "<i4"), ("source", "<i4")])
WEIGHTED = np.dtype([*PAIR.descr, ("count", "<f8")])


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
) -> Blocks:
    """The blocks of a web of n pages, in files of `folder`. About as many links are `expected`.

    As in a LinkGraph, a link counts once unless `repeated`, and one from a page to itself does not unless `loops`.
    `origin` tells where the links are from: blocks of the same origin that are there already are not made again.
    """
    size = piece_size(n, expected, k)
    known = f"{origin} {n} {size} {repeated} {loops}" if origin else ""
    if known and (found := _found(folder, known)):
        return found
    buckets = folder / "buckets"
    for old in (buckets, folder / "links"):
        shutil.rmtree(old, ignore_errors=True)
    (folder / CONTENTS).unlink(missing_ok=True)
    for new in (buckets, folder / "links"):
        new.mkdir(parents=True)
    count = max(-(-n // size), 1)
    for sources, targets, times in links:
        _throw(buckets, size, count, *_checked(n, sources, targets, times, repeated, loops))
    filed = _Filing(folder / "links", n, size, count, WEIGHTED if repeated else PAIR)
    for i in range(count):
        for j in range(count):
            filed.add(i, j, buckets / f"{i}-{j}")
        filed.end_row(i)
    shutil.rmtree(buckets)
    told = {"known": known, **filed.told()}
    half = folder / f"{CONTENTS}.half"
    half.write_text(json.dumps(told), "utf-8")
    half.replace(folder / CONTENTS)
    return _blocks(folder, told)


def _checked(n: int, sources: Ints, targets: Ints, times: NDArray[Any] | None, repeated: bool, loops: bool) -> Links:
    for name, ends in (("source", sources), ("target", targets)):
        if len(ends) and not (ends.min() >= 0 and ends.max() < n):
            wrong = ends.min() if ends.min() < 0 else ends.max()
            raise BadInput(f"a link has page {wrong} for its {name}, but there are {n} pages, counted from 0")
    if repeated and times is None:
        times = np.ones(len(sources))
    times = times if repeated else None
    if not loops:
        proper = sources != targets
        sources, targets = sources[proper], targets[proper]
        times = times if times is None else times[proper]
    return sources, targets, times


def _throw(buckets: Path, size: int, count: int, sources: Ints, targets: Ints, times: NDArray[Any] | None) -> None:
    """Links into the buckets of their blocks."""
    i, j = sources // size, targets // size
    block = i * count + j
    order = np.argsort(block.astype(np.uint16 if count < 256 else np.int64), kind="stable")
    pairs = np.empty(len(order), dtype=PAIR if times is None else WEIGHTED)
    pairs["source"], pairs["target"] = (sources - i * size)[order], (targets - j * size)[order]
    if times is not None:
        pairs["count"] = times[order]
    ends = np.cumsum(np.bincount(block, minlength=count * count))
    for number in np.flatnonzero(np.diff(ends, prepend=0)).tolist():
        begin = ends[number - 1] if number else 0
        with (buckets / f"{number // count}-{number % count}").open("ab") as file:
            pairs[begin : ends[number]].tofile(file)


class _Filing:
    """Blocks on their way into files."""

    def __init__(self, folder: Path, n: int, size: int, count: int, kind: np.dtype[Any]) -> None:
        self._folder, self._n, self._size, self._count, self._kind = folder, n, size, count, kind
        self._degree = np.zeros(0)
        self._blocks: dict[str, dict[str, Any]] = {}
        self._links = 0
        self._digest = hashlib.sha256()

    def add(self, i: int, j: int, bucket: Path) -> None:
        """The block from piece i to piece j; if nobody has thrown anything into its bucket, there is none."""
        if j == 0:
            self._degree = np.zeros(self._pages(i))
        if not bucket.exists():
            return
        links = _sorted(np.fromfile(bucket, dtype=self._kind), (self._pages(j), self._pages(i)))
        bucket.unlink()
        self._degree += np.bincount(links.indices, weights=links.data, minlength=self._pages(i))
        block = Block.of(links)
        block.write(self._folder / f"{i}-{j}")
        for array in (block.indptr, block.indices, block.rows, block.weights):
            if array is not None:
                self._digest.update(np.ascontiguousarray(array).data)
        parts = [name for name in ("indptr", "indices", "rows", "weights") if getattr(block, name) is not None]
        self._blocks[f"{i}-{j}"] = {"shape": block.shape, "parts": parts}
        self._links += links.nnz

    def end_row(self, i: int) -> None:
        """All links from piece i are known, and so are the degrees of its pages."""
        np.save(self._folder / f"degree-{i}.npy", self._degree if self._n else np.zeros(0))

    def _pages(self, piece: int) -> int:
        return max(min(self._size, self._n - piece * self._size), 0)

    def told(self) -> dict[str, Any]:
        """The table of contents."""
        sizes = {"n": self._n, "size": self._size, "pieces": self._count if self._n else 0, "links": self._links}
        return {**sizes, "blocks": self._blocks, "name": self._digest.hexdigest()}


def _sorted(pairs: NDArray[Any], shape: tuple[int, int]) -> csr_array:
    """The matrix of some links, rows and columns in order, repeats made one."""
    key = pairs["target"].astype(np.int64) * shape[1] + pairs["source"]
    if pairs.dtype == PAIR:
        key.sort()
        key = key[np.diff(key, prepend=-1) > 0]
        data: NDArray[Any] = np.ones(len(key))
    else:
        key, place = np.unique(key, return_inverse=True)
        data = np.bincount(place, weights=pairs["count"])
    targets, sources = np.divmod(key, shape[1])
    indptr = np.zeros(shape[0] + 1, dtype=np.int64)
    np.cumsum(np.bincount(targets, minlength=shape[0]), out=indptr[1:])
    return csr_array((data, sources.astype(np.int32), indptr), shape=shape)


def _found(folder: Path, known: str) -> Blocks | None:
    """The blocks that are there already, if they are those."""
    try:
        told = json.loads((folder / CONTENTS).read_text("utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return None
    return _blocks(folder, told) if told["known"] == known else None


def _blocks(folder: Path, told: dict[str, Any]) -> Blocks:
    place = folder.absolute() / "links"
    blocks: dict[tuple[int, int], Any] = {}
    for name, facts in told["blocks"].items():
        i, j = map(int, name.split("-"))
        blocks[i, j] = Filed(str(place / name), tuple(facts["shape"]), tuple(facts["parts"]))
    degrees: list[Any] = [Filed(str(place / f"degree-{i}")) for i in range(told["pieces"])]
    return Blocks(told["n"], told["size"], blocks, degrees, told["links"], told["name"])
