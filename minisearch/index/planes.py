"""Planes: the postings of many terms as bytes, not yet deflated, in the format that minisearch/packing.py tells.

With numpy there is no loop over terms: each plane is written for all of them at one go.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from minisearch.index.keys import LAST_PLACE, PLACE_BITS
from minisearch.packing import Counts, Ints, changes

# The places of a term of many words: with which posting each chunk begins, how many distances it has, and the chunks.
Chunked = tuple[list[int], list[int], list[bytes]]


class Blobs:
    """A blob for each of many terms, end to end."""

    def __init__(self, sizes: Ints, raw: bytes) -> None:
        self.sizes, self.raw = sizes, raw

    @cached_property
    def _bounds(self) -> list[int]:
        bounds: list[int] = np.append(0, np.cumsum(self.sizes)).tolist()
        return bounds

    def blob(self, term: int) -> bytes:
        """The blob of a term."""
        return self.raw[self._bounds[term] : self._bounds[term + 1]]

    def some(self, which: NDArray[np.bool_]) -> tuple[Ints, bytes]:
        """How long the blobs of some terms are, and those blobs."""
        return self.sizes[which], np.frombuffer(self.raw, np.uint8)[np.repeat(which, self.sizes)].tobytes()


class Planes(NamedTuple):
    """Terms in planes: how many pages each has, their docs, and their places; those of many words in chunks."""

    df: Ints
    docs: Blobs
    places: Blobs
    chunked: dict[int, Chunked]


def in_planes(spots: Ints, bounds: Ints, fields: int, chunk: int) -> Planes:
    """The terms between whose bounds these spots are; those of more than a chunk of words in chunks."""
    texts, places = spots >> PLACE_BITS, (spots & LAST_PLACE).astype(np.int32)
    fresh_term = np.zeros(len(spots), dtype=bool)
    fresh_term[bounds[:-1]] = True
    run_at = np.flatnonzero(fresh_term | changes(texts))
    page, field = np.divmod(texts[run_at], fields)
    fresh_doc = fresh_term[run_at] | changes(page)
    doc_at = np.flatnonzero(fresh_doc)
    counts = np.zeros((fields, len(doc_at)), dtype=np.int32)
    counts[field, np.cumsum(fresh_doc) - 1] = np.diff(run_at, append=len(spots))
    word_at = np.append(run_at[doc_at], len(spots))  # where each posting's places begin
    term_at = np.searchsorted(word_at, bounds)
    df, words = np.diff(term_at), np.diff(bounds)
    docs = _packed(df, [_steps(page[doc_at], term_at[:-1]), *counts], 2)
    gaps = _steps(places, run_at)
    few = words <= chunk
    packed = _packed(words[few], [gaps[np.repeat(few, words)]], 1)
    sizes = np.zeros(len(words), dtype=np.int64)
    sizes[few] = packed.sizes
    chunked = {
        term: _chunked(gaps, word_at[term_at[term] : term_at[term + 1] + 1], chunk)
        for term in np.flatnonzero(~few).tolist()
    }
    return Planes(df, docs, Blobs(sizes, packed.raw), chunked)


def _steps(rising: Counts, fresh: Ints) -> Counts:
    """How far each number is from the one before; the fresh ones from 0."""
    steps = rising.copy()
    steps[1:] -= rising[:-1]
    steps[fresh] = rising[fresh]
    return steps


def _packed(count: Ints, columns: list[Counts], head: int) -> Blobs:
    """The blobs of terms. `count` tells how many numbers each has in the columns, `head` how many bytes go before the
    planes.
    """
    at = np.cumsum(count) - count
    largest = np.array([np.maximum.reduceat(column, at) if len(at) else at for column in columns])
    sizes = _planes(largest)
    sizes[1:][largest[1:] == 0] = 0
    ends = np.cumsum(np.vstack([np.full(len(at), head), sizes * count]), axis=0)
    base = np.cumsum(ends[-1]) - ends[-1]
    out = np.zeros(int(ends[-1].sum()), dtype=np.uint8)
    out[base] = sizes[0]
    if head > 1:
        out[base + 1] = (sizes[1:] << 2 * np.arange(len(columns) - 1)[:, None]).sum(axis=0)
    narrow = np.int32 if len(out) < 1 << 31 else np.int64
    place = np.arange(len(columns[0]), dtype=narrow)
    for column, planes, start in zip(columns, sizes, base + ends[:-1], strict=True):
        for plane in range(int(planes.max(initial=0))):
            target = np.repeat((start + plane * count - at).astype(narrow), count)
            target += place
            if planes.min() > plane:
                out[target] = column >> (8 * plane)
            else:
                here = np.flatnonzero(np.repeat(planes > plane, count))
                out[target[here]] = column[here] >> (8 * plane)
    return Blobs(ends[-1], out.tobytes())


def _chunked(gaps: Counts, word_at: Ints, chunk: int) -> Chunked:
    """The places of a term of many words; `word_at` tells where those of each of its postings begin."""
    begin = int(word_at[0])
    values = gaps[begin : word_at[-1]]
    ends = word_at - begin
    cuts = np.searchsorted(ends, np.arange(0, len(values), chunk))
    cuts = cuts[changes(cuts) & (cuts < len(word_at) - 1)]
    at = ends[cuts]
    sizes = np.diff(at, append=len(values))
    planes = _planes(np.maximum.reduceat(values, at))
    raw = [(values >> (8 * plane)).astype(np.uint8).tobytes() for plane in range(int(planes.max()))]
    chunks = [
        b"".join([bytes([many]), *[plane[first : first + size] for plane in raw[:many]]])
        for first, size, many in zip(at.tolist(), sizes.tolist(), planes.tolist(), strict=True)
    ]
    return cuts.tolist(), sizes.tolist(), chunks


def _planes(largest: Any) -> Any:
    """Bytes that a number needs, at least one."""
    return 1 + (largest >= 1 << 8) + (largest >= 1 << 16) + (largest >= 1 << 24)
