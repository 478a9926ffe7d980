"""Packing postings into rows, in the format that minisearch/packing.py tells and reads.

There is no loop over rare terms, of which there are very many: numbers become bytes for all of them at one go.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from minisearch.packing import DEFLATED, Block, Counts, Ints, Row, changes

CHUNK = 1024  # distances in a chunk of positions, at least
SHORT = 64  # bytes that are not worth deflating
RARE = 8  # pages that a term with a row of its own has; what is long has one as well
TOGETHER = 48  # words as they are written that share a row
FULL = 860  # bytes, roughly, of a row that rare terms share: four fill a page of the file
_EFFORT = (1, zlib.DEFLATED, -13, 6)  # level, no header, and a window small enough to be set up in no time


class Runs(NamedTuple):
    """Where terms stand: an entry for every field of every page that has one, sorted by term (numbers into a list),
    page and field; and how many words it has there.
    """

    terms: Counts
    docs: Counts
    fields: Counts
    sizes: Counts


def pack(terms: list[str], runs: Runs, places: Counts, width: int) -> Iterator[Row | Block]:
    """Rows for all terms at once, those of rare terms in blocks. `places` has an entry for every word of every page,
    run by run; `width` is the number of fields.
    """
    keys, docs, fields, sizes = runs
    if not len(keys):
        return
    fresh_term = changes(keys)
    fresh_doc = fresh_term | changes(docs)
    run_at = np.cumsum(sizes) - sizes
    doc_at = np.flatnonzero(fresh_doc)
    gaps = _steps(places, run_at)
    counts = np.zeros((width, len(doc_at)), dtype=np.int32)
    counts[fields, np.cumsum(fresh_doc) - 1] = sizes
    pages = docs[doc_at]
    term_at = np.flatnonzero(fresh_term[doc_at])
    columns = [_steps(pages, term_at), *counts]
    df = np.diff(term_at, append=len(pages))
    word_at = np.append(run_at[doc_at], len(places))  # where each posting's places begin
    words = np.diff(word_at[np.append(term_at, len(pages))])
    named = keys[doc_at[term_at]]
    few = words <= CHUNK  # the others, which have most words, are packed one by one
    if few.all():
        packed_docs, packed_places = _Packed(df, columns, 2), _Packed(words, [gaps], 1)
    else:
        posted = np.repeat(few, df)
        packed_docs = _Packed(df[few], [column[posted] for column in columns], 2)
        packed_places = _Packed(words[few], [gaps[np.repeat(few, words)]], 1)
    rare = (df[few] < RARE) & (packed_docs.sizes <= SHORT) & (packed_places.sizes <= SHORT)
    yield from _blocks(
        [terms[key] for key in named[few][rare].tolist()], df[few][rare], packed_docs, packed_places, rare
    )
    common = np.ones(len(few), dtype=bool)
    common[few] = ~rare
    which = np.cumsum(few) - 1  # of those that were packed together
    for i in np.flatnonzero(common).tolist():
        low, high = term_at[i], term_at[i] + df[i]
        if few[i]:
            docs_blob, positions = packed_docs.blob(which[i]), packed_places.blob(which[i])
        else:
            docs_blob = _listed([column[low:high] for column in columns])
            positions = _chunked(gaps, word_at[low : high + 1])
        yield Row(terms[named[i]], int(df[i]), docs_blob, positions)


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

    `count` tells how many numbers each term has in the columns, `head` how many bytes go before the planes.
    """

    def __init__(self, count: Ints, columns: list[Counts], head: int) -> None:
        at = np.cumsum(count) - count
        largest = np.array([np.maximum.reduceat(column, at) if len(at) else at for column in columns])
        sizes = _planes(largest)
        sizes[1:][largest[1:] == 0] = 0
        ends = np.cumsum(np.vstack([np.full(len(at), head), sizes * count]), axis=0)
        stop = np.cumsum(ends[-1])
        base = stop - ends[-1]
        out = np.zeros(int(ends[-1].sum()), dtype=np.uint8)
        out[base] = sizes[0]
        if head > 1:
            fields = np.arange(len(columns) - 1)
            out[base + 1] = (sizes[1:] << 2 * fields[:, None]).sum(axis=0)
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
        self.sizes = ends[-1]
        self._raw, self._out = out, out.tobytes()
        self._bounds = np.append(0, stop).tolist()
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


def _listed(columns: list[Counts]) -> bytes:
    """The pages of one term, and the counts of each field."""
    largest = [int(column.max()) for column in columns]
    sizes = [int(_planes(most)) if most or not number else 0 for number, most in enumerate(largest)]
    codes = sum(size << 2 * field for field, size in enumerate(sizes[1:]))
    planes = (_plane(column, plane) for column, size in zip(columns, sizes, strict=True) for plane in range(size))
    return _deflated(b"".join([bytes([sizes[0], codes]), *planes]), 2, zlib.Z_RLE)


def _chunked(gaps: Counts, word_at: Ints) -> bytes:
    """The positions of a term of many words; `word_at` tells where those of each of its postings begin."""
    begin = int(word_at[0])
    values = gaps[begin : word_at[-1]]
    ends = word_at - begin
    cuts = np.searchsorted(ends, np.arange(0, len(values), CHUNK))
    cuts = cuts[changes(cuts) & (cuts < len(word_at) - 1)]
    at = ends[cuts]
    sizes = np.diff(at, append=len(values))
    planes = _planes(np.maximum.reduceat(values, at))
    raw = [_plane(values, plane) for plane in range(int(planes.max()))]
    chunks = [
        _deflated(b"".join([bytes([many]), *[plane[first : first + size] for plane in raw[:many]]]), 1)
        for first, size, many in zip(at.tolist(), sizes.tolist(), planes.tolist(), strict=True)
    ]
    table = np.array([cuts, np.cumsum(list(map(len, chunks))), sizes], dtype="<u4")
    return b"\0" + len(chunks).to_bytes(4, "little") + table.tobytes() + b"".join(chunks)


def _plane(numbers: Counts, plane: int) -> bytes:
    """The same byte of each number."""
    return (numbers >> (8 * plane)).astype(np.uint8).tobytes()


def _planes(largest: Any) -> Any:
    """Bytes that a number needs, at least one."""
    return 1 + (largest >= 1 << 8) + (largest >= 1 << 16) + (largest >= 1 << 24)
