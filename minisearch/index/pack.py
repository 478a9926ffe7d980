"""Packing postings into rows, in the format that minisearch/packing.py tells and reads.

There is no loop over rare terms, of which there are very many: numbers become bytes for all of them at one go.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minisearch.packing import DEFLATED, Block, Counts, Ints, Row, changes

CHUNK = 1024  # distances in a chunk of positions, at least
SHORT = 64  # bytes that are not worth deflating
RARE = 8  # pages that a term with a row of its own has; what is long has one as well
TOGETHER = 48  # words as they are written that share a row
FULL = 860  # bytes, roughly, of a row that rare terms share: four fill a page of the file
_EFFORT = (1, zlib.DEFLATED, -13, 6)  # level, no header, and a window small enough to be set up in no time


def pack(
    terms: list[str], keys: Counts, docs: Counts, fields: Counts, places: Counts, width: int
) -> Iterator[Row | Block]:
    """Rows for all terms at once, those of rare terms in blocks. The four columns have an entry for every word of every
    page, sorted by term (`keys`, numbers into `terms`), page, field and place; `width` is the number of fields.
    """
    if not len(keys):
        return
    fresh_term = changes(keys)
    fresh_doc = fresh_term | changes(docs)
    fresh_run = fresh_doc | changes(fields)
    run_at = np.flatnonzero(fresh_run)
    doc_at = np.flatnonzero(fresh_doc)
    gaps = _steps(places, run_at)
    counts = np.zeros((width, len(doc_at)), dtype=np.int32)
    counts[fields[run_at], np.cumsum(fresh_doc[run_at]) - 1] = np.diff(run_at, append=len(keys))
    first = fresh_term[doc_at]
    pages = docs[doc_at]
    term_at = np.flatnonzero(first)
    steps = _steps(pages, term_at)
    bounds = np.append(term_at, len(pages))
    word_at = np.append(doc_at, len(keys))  # where each posting's places begin
    packed_docs = _Packed(term_at, [steps, *counts], 2)
    packed_places = _Packed(word_at[term_at], [gaps], 1)
    named = keys[doc_at[term_at]]
    rare = (np.diff(bounds) < RARE) & (packed_docs.sizes <= SHORT) & (packed_places.sizes <= SHORT)
    yield from _blocks(
        [terms[key] for key in named[rare].tolist()], np.diff(bounds)[rare], packed_docs, packed_places, rare
    )
    words = word_at[bounds].tolist()
    for i in np.flatnonzero(~rare).tolist():
        low, high = bounds[i], bounds[i + 1]
        many = words[i + 1] - words[i] > CHUNK
        positions = _chunked(gaps, word_at[low : high + 1]) if many else packed_places.blob(i)
        yield Row(terms[named[i]], int(high - low), packed_docs.blob(i), positions)


def _steps(rising: Counts, fresh: Ints) -> Counts:
    """How far each number is from the one before; the fresh ones from 0."""
    steps = rising.copy()
    steps[1:] -= rising[:-1]
    steps[fresh] = rising[fresh]
    return steps


def _blocks(terms: list[str], df: Ints, docs: _Packed, places: _Packed, rare: NDArray[np.bool_]) -> Iterator[Block]:
    if not terms:
        return
    counts = list(map(str, df.tolist()))
    columns = [packed.some(rare) for packed in (docs, places)]
    takes = np.array(list(map(len, terms))) + 3 + (columns[0][0] + columns[1][0]) * 0.6  # once they are deflated
    room = np.cumsum(takes)
    starts = np.append(np.unique(np.searchsorted(room, np.arange(0, room[-1], FULL))), len(terms))
    ends = [np.append(0, np.cumsum(sizes))[starts].tolist() for sizes, _ in columns]
    lengths = [sizes.astype(np.uint8).tobytes() for sizes, _ in columns]
    blobs = [blob for _, blob in columns]
    for number, (low, high) in enumerate(pairwise(starts.tolist())):
        cut = [blob[at[number] : at[number + 1]] for at, blob in zip(ends, blobs, strict=True)]
        raw = b"".join([b"\0", lengths[0][low:high], lengths[1][low:high], *cut])
        yield Block("\n".join(terms[low:high]), ",".join(counts[low:high]), _deflated(raw, 1))


def spelled(rows: Iterable[Row]) -> Iterator[Block]:
    """Rows of words as they are written, in order, as blocks."""
    rows = iter(rows)
    while some := list(islice(rows, TOGETHER)):
        words = [row.word.encode() for row in some]
        raw = b"".join([bytes(1 + len(some)), bytes(map(len, words)), *words])
        yield Block("\n".join([row.term for row in some]), ",".join([str(row.df) for row in some]), _deflated(raw, 1))


class _Packed:
    """The blobs of all terms, made with no loop over terms: each plane is written for all of them at one go.

    `at` tells where the numbers of each term begin in the columns, `head` how many bytes go before the planes.
    """

    def __init__(self, at: Ints, columns: list[Counts], head: int) -> None:
        count = np.diff(at, append=len(columns[0]))
        largest = np.array([np.maximum.reduceat(column, at) for column in columns])
        sizes = _planes(largest)
        sizes[1:][largest[1:] == 0] = 0
        ends = np.cumsum(np.vstack([np.full(len(at), head), sizes * count]), axis=0)
        stop = np.cumsum(ends[-1])
        base = stop - ends[-1]
        out = np.zeros(int(stop[-1]), dtype=np.uint8)
        out[base] = sizes[0]
        if head > 1:
            fields = np.arange(len(columns) - 1)
            out[base + 1] = (sizes[1:] << 2 * fields[:, None]).sum(axis=0)
        narrow = np.int32 if len(out) < 1 << 31 else np.int64
        place = np.arange(len(columns[0]), dtype=narrow)
        for column, planes, start in zip(columns, sizes, base + ends[:-1], strict=True):
            for plane in range(int(planes.max())):
                target = np.repeat((start + plane * count - at).astype(narrow), count)
                target += place
                if planes.min() > plane:
                    out[target] = column >> (8 * plane)
                else:
                    here = np.flatnonzero(np.repeat(planes > plane, count))
                    out[target[here]] = column[here] >> (8 * plane)
        self.sizes = ends[-1]
        self._raw, self._out = out, out.tobytes()
        self._bounds = np.append(base, stop[-1]).tolist()
        self._head = head

    def some(self, which: NDArray[np.bool_]) -> tuple[Ints, bytes]:
        """How long the blobs of some terms are, and those blobs, none of them deflated."""
        return self.sizes[which], self._raw[np.repeat(which, self.sizes)].tobytes()

    def blob(self, term: int) -> bytes:
        """The blob of a term, deflated if that makes it shorter."""
        # What repeats in docs is mostly one byte, many times.
        way = zlib.Z_RLE if self._head > 1 else zlib.Z_DEFAULT_STRATEGY
        return _deflated(self._out[self._bounds[term] : self._bounds[term + 1]], self._head, way)


def _deflated(blob: bytes, head: int, way: int = zlib.Z_DEFAULT_STRATEGY) -> bytes:
    if len(blob) <= SHORT:
        return blob
    packer = zlib.compressobj(*_EFFORT, way)
    packed = packer.compress(memoryview(blob)[head:]) + packer.flush()
    shorter = len(packed) < len(blob) - head
    return bytes([blob[0] | DEFLATED]) + blob[1:head] + packed if shorter else blob


def _chunked(gaps: Counts, word_at: Ints) -> bytes:
    """The positions of a term of many words; `word_at` tells where those of each of its postings begin."""
    cuts = np.unique(np.searchsorted(word_at, np.arange(word_at[0], word_at[-1], CHUNK)))
    cuts = cuts[cuts < len(word_at) - 1]
    chunks = []
    for first, last in pairwise(word_at[np.append(cuts, -1)].tolist()):
        values = gaps[first:last]
        planes = int(_planes(values.max()))
        raw = b"".join((values >> (8 * plane)).astype(np.uint8).tobytes() for plane in range(planes))
        chunks.append(_deflated(bytes([planes]) + raw, 1))
    sizes = np.diff(word_at[np.append(cuts, -1)])
    table = np.array([cuts, np.cumsum([len(chunk) for chunk in chunks]), sizes], dtype="<u4")
    return b"\0" + len(chunks).to_bytes(4, "little") + table.tobytes() + b"".join(chunks)


def _planes(largest: Any) -> Any:
    """Bytes that a number needs, at least one."""
    return 1 + (largest >= 1 << 8) + (largest >= 1 << 16) + (largest >= 1 << 24)
