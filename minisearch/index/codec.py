"""The codec: postings of consecutive terms as a block of bytes, and back.

A block has two parts, so that positions are read only when they are needed:

    postings    df of each term; then, for all postings of all terms, the document numbers (as differences within a
                term) and how often the term occurs in each field
    positions   for each posting and field the positions of the term, as differences within that field; in chunks of
                postings, so that a search need not decompress all positions of a frequent term

Each of these columns is stored in the narrowest unsigned type that holds it (nothing at all if it is all zeros), and
each part is compressed by zlib. What does not decode to what was encoded raises `Damaged`.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import pairwise
from struct import Struct
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import Damaged

PAGE_FIELDS = ("title", "headings", "url", "body")
ANCHOR_FIELDS = ("anchor",)

Column = NDArray[Any]  # of unsigned integers

CHUNK = 512  # postings whose positions are compressed together
_LEVEL = 1  # of zlib: higher ones take three times as long and save little
_MOST_BYTES = 1 << 28  # of one part, decompressed: more than a segment can need
_MOST_NUMBERS = 1 << 25  # of one column, the same: zeros take no bytes, so that their number has to be bounded too
_MOST_POSTINGS = 1 << 21  # of one block, the same
_HEADER = Struct("<BI")  # of a column: the bytes of one number, and how many numbers there are
_TYPES = {1: "u1", 2: "<u2", 4: "<u4"}


class Postings(NamedTuple):
    """The postings of one term: ascending document numbers, and its frequency in each field (fields x documents)."""

    docs: Column
    tf: Column


class Block(NamedTuple):
    """The postings of consecutive terms, decoded."""

    bounds: Column  # the postings of term n are those from bounds[n] up to bounds[n + 1]
    docs: Column
    tf: Column

    def postings(self, place: int) -> Postings:
        """The postings of the term at a place."""
        if not 0 <= place < len(self.bounds) - 1:
            raise Damaged
        here = slice(self.bounds[place], self.bounds[place + 1])
        return Postings(self.docs[here], self.tf[:, here])


def encode_columns(columns: Sequence[Column]) -> bytes:
    """Columns of numbers from 0 to 2**32 - 1 as compressed bytes.

    >>> [column.tolist() for column in decode_columns(encode_columns([np.array([1, 300]), np.array([0, 0, 0])]), 2)]
    [[1, 300], [0, 0, 0]]
    """
    parts = []
    for column in columns:
        most = int(column.max(initial=0))
        size = next(size for size in (0, 1, 2, 4) if most < 1 << 8 * size)
        parts.append(_HEADER.pack(size, len(column)))
        if size:
            parts.append(column.astype(_TYPES[size]).tobytes())
    return zlib.compress(b"".join(parts), _LEVEL)


def decode_columns(packed: bytes, count: int) -> list[Column]:
    """The columns that were encoded; `count` of them."""
    raw = _decompress(packed)
    columns: list[Column] = []
    at = 0
    for _ in range(count):
        if at + _HEADER.size > len(raw):
            raise Damaged
        size, length = _HEADER.unpack_from(raw, at)
        at += _HEADER.size
        if (size and size not in _TYPES) or at + size * length > len(raw) or length > _MOST_NUMBERS:
            raise Damaged
        columns.append(np.frombuffer(raw, _TYPES[size], length, at) if size else np.zeros(length, dtype=np.uint8))
        at += size * length
    if at != len(raw):
        raise Damaged
    return columns


def _decompress(packed: bytes) -> bytes:
    if not isinstance(packed, bytes):  # a column of SQLite may hold anything
        raise Damaged
    stream = zlib.decompressobj()
    try:
        raw = stream.decompress(packed, _MOST_BYTES)
    except zlib.error as error:
        raise Damaged from error
    if not stream.eof or stream.unused_data:
        raise Damaged
    return raw


def encode_block(bounds: Column, docs: Column, tf: Column, gaps: Column) -> tuple[bytes, bytes]:
    """The two parts of a block; `docs` and `gaps` are differences already (see `differences`)."""
    starts = np.append(0, np.cumsum(tf.sum(axis=0)))
    cuts = starts[[*range(0, len(docs), CHUNK), len(docs)]].tolist()
    chunks = [encode_columns([gaps[low:high]]) for low, high in pairwise(cuts)]
    positions = np.array([*map(len, chunks)], dtype="<u4").tobytes() + b"".join(chunks)
    return encode_columns([np.diff(bounds), docs, *tf]), positions


def decode_block(packed: bytes, fields: int) -> Block:
    """The postings of a block."""
    df, steps, *tf = decode_columns(packed, 2 + fields)
    if not 0 < len(df) <= len(steps) <= _MOST_POSTINGS or any(len(counts) != len(steps) for counts in tf):
        raise Damaged
    bounds = np.zeros(len(df) + 1, dtype=np.int64)
    np.cumsum(df, out=bounds[1:])
    if bounds[-1] != len(steps) or not df.all():
        raise Damaged
    starts = bounds[:-1]  # documents rise, so that only the first one of a term may be number 0
    if np.count_nonzero(steps) + np.count_nonzero(steps[starts] == 0) != len(steps):
        raise Damaged
    docs = np.cumsum(steps, dtype=np.int64)
    if len(df) > 1:  # each term starts again from 0
        docs -= np.repeat(docs[starts] - steps[starts], df)
    if docs.max(initial=0) >= 1 << 31:
        raise Damaged
    return Block(bounds, docs.astype(np.int32), np.array(tf))


def decode_gaps(packed: bytes, block: Block, wanted: Column) -> Column:
    """The positions of some postings of a block, ascending, as differences, one posting after the other."""
    sizes = block.tf.sum(axis=0, dtype=np.int64)
    starts = np.append(0, np.cumsum(sizes))
    chunks = -(-len(sizes) // CHUNK)
    if not isinstance(packed, bytes) or len(packed) < 4 * chunks:
        raise Damaged
    ends = np.cumsum(np.frombuffer(packed, "<u4", chunks), dtype=np.int64) + 4 * chunks
    parts: list[Column] = [np.empty(0, dtype=np.uint8)]
    shift = np.zeros(chunks, dtype=np.int64)  # from a place among all gaps to one among those that are read
    read = 0
    for chunk in np.flatnonzero(np.bincount(wanted // CHUNK, minlength=1)).tolist():
        first, last = starts[chunk * CHUNK], starts[min((chunk + 1) * CHUNK, len(sizes))]
        if read + last - first > _MOST_NUMBERS:
            raise Damaged
        (gaps,) = decode_columns(packed[ends[chunk - 1] if chunk else 4 * chunks : ends[chunk]], 1)
        if len(gaps) != last - first:
            raise Damaged
        parts.append(gaps)
        shift[chunk] = read - first
        read += len(gaps)
    own = sizes[wanted]
    begins = starts[wanted] + shift[wanted // CHUNK] - (np.cumsum(own) - own)
    return np.concatenate(parts)[np.repeat(begins, own) + np.arange(int(own.sum()))]


def differences(values: Column, starts: Column) -> Column:
    """The difference of each value from the one before; the first of each run, which begins at `starts`, stays.

    >>> differences(np.array([3, 5, 9, 2, 4]), np.array([0, 3])).tolist()
    [3, 2, 4, 2, 2]
    """
    steps = np.diff(values, prepend=0)
    steps[starts] = values[starts]
    return steps
