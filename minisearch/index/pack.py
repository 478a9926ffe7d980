"""Packing postings into rows, in the format that minisearch/packing.py tells and reads.

There is no loop over rare terms, of which there are very many: numbers become bytes for all of them at one go
(planes.py). Only what has a row of its own, or shares one, is deflated piece by piece.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate, islice, pairwise

import numpy as np
from numpy.typing import NDArray

from minisearch.index.planes import Blobs, Chunked, Planes, in_planes
from minisearch.packing import DEFLATED, Block, Ints, Row, changes

CHUNK = 1024  # distances in a chunk of positions, at least
SHORT = 64  # bytes that are not worth deflating
RARE = 8  # pages that a term with a row of its own has, ten at most; what is long has one as well
TOGETHER = 48  # words as they are written that share a row
FULL = 860  # bytes, roughly, of a row that rare terms share: four fill a page of the file
_EFFORT = (1, zlib.DEFLATED, -13, 6)  # level, no header, and a window small enough to be set up in no time


def by_zlib(data: memoryview, way: int = zlib.Z_DEFAULT_STRATEGY) -> bytes:
    """Some bytes, deflated."""
    packer = zlib.compressobj(*_EFFORT, way)
    return packer.compress(data) + packer.flush()


def deflated(blob: bytes, head: int, short: int, deflate: Callable[[memoryview], bytes] = by_zlib) -> bytes:
    """A blob, deflated but for its head, whose first byte then says so; as it is if it is short, or would not become
    shorter.
    """
    if len(blob) <= short:
        return blob
    packed = deflate(memoryview(blob)[head:])
    shorter = len(packed) < len(blob) - head
    return bytes([blob[0] | DEFLATED]) + blob[1:head] + packed if shorter else blob


def deflated_repeats(blob: bytes, head: int, short: int) -> bytes:
    """The same of a blob in which mostly one byte is repeated, many times: nothing else is looked for."""
    return deflated(blob, head, short, _repeating)


def _repeating(data: memoryview) -> bytes:
    return by_zlib(data, zlib.Z_RLE)


def pack(terms: list[str], spots: Ints, bounds: Ints, fields: int) -> Iterator[Row | Block]:
    """Rows for some terms, those of rare ones in blocks. `spots` tell where they stand, those of each term between its
    two `bounds`: the text (page by page and field by field) and the place there as one number, rising.
    """
    full = np.flatnonzero(np.diff(bounds))
    if len(full) < len(terms):
        terms, bounds = [terms[i] for i in full.tolist()], np.append(bounds[full], bounds[-1])
    if not terms:
        return
    yield from rows(terms, in_planes(spots, bounds, fields, CHUNK))


def rows(terms: list[str], planes: Planes) -> Iterator[Row | Block]:
    """The rows of terms in planes."""
    df, docs, places, chunked = planes
    rare = (df < RARE) & (docs.sizes <= SHORT) & (places.sizes <= SHORT)
    rare[[*chunked]] = False
    yield from _blocks([terms[i] for i in np.flatnonzero(rare).tolist()], df[rare], docs, places, rare)
    counts = df.tolist()
    for i in np.flatnonzero(~rare).tolist():
        positions = _joined(chunked[i]) if i in chunked else deflated(places.blob(i), 1, SHORT)
        yield Row(terms[i], counts[i], deflated_repeats(docs.blob(i), 2, SHORT), positions)


def _blocks(terms: list[str], df: Ints, docs: Blobs, places: Blobs, rare: NDArray[np.bool_]) -> Iterator[Block]:
    if not terms:
        return
    digits = np.full(2 * len(df), ord(","), dtype=np.uint8)
    digits[::2] = df + ord("0")  # of what is rare, one says it all
    counts = digits.tobytes().decode()
    columns = [blobs.some(rare) for blobs in (docs, places)]
    takes = np.array(list(map(len, terms))) + 3 + (columns[0][0] + columns[1][0]) * 0.6  # once they are deflated
    room = np.cumsum(takes)
    starts = np.searchsorted(room, np.arange(0, room[-1], FULL))
    starts = np.append(starts[changes(starts)], len(terms))
    ends = [np.append(0, np.cumsum(sizes))[starts].tolist() for sizes, _ in columns]
    lengths = [sizes.astype(np.uint8).tobytes() for sizes, _ in columns]
    raws = [raw for _, raw in columns]
    for number, (low, high) in enumerate(pairwise(starts.tolist())):
        cut = [blob[at[number] : at[number + 1]] for at, blob in zip(ends, raws, strict=True)]
        raw = b"".join([b"\0", lengths[0][low:high], lengths[1][low:high], *cut])
        yield Block("\n".join(terms[low:high]), counts[2 * low : 2 * high - 1], deflated(raw, 1, SHORT))


def spelled(words: Iterable[tuple[str, int, str]]) -> Iterator[Block]:
    """Words as they are written, in order, as blocks: the term of each, how often it was met, and how it is written."""
    words = iter(words)
    while some := list(islice(words, TOGETHER)):
        terms, counts, written = zip(*some, strict=True)
        spellings = [word.encode() for word in written]
        raw = b"".join([bytes(1 + len(some)), bytes(map(len, spellings)), *spellings])
        yield Block("\n".join(terms), ",".join(map(str, counts)), deflated(raw, 1, SHORT))


def _joined(chunked: Chunked) -> bytes:
    """The positions of a term of many words."""
    cuts, sizes, raw = chunked
    chunks = [deflated(chunk, 1, SHORT) for chunk in raw]
    table = struct.pack(f"<BI{3 * len(raw)}I", 0, len(raw), *cuts, *accumulate(map(len, chunks)), *sizes)
    return b"".join([table, *chunks])
