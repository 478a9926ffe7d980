"""Postings: for one term, the pages that have it, how often in which field, and where.

They are kept packed, two blobs a term. Numbers are written in *planes*: first the lowest byte of every number, then
the next byte of every number, as many as the largest needs. Planes are read with one sweep each, and they deflate
well, for the pages of a site are much alike; what is too short to gain by it is left as it is.

`docs` is read for every query:

    1 byte    planes of a step, from 1 to 4; 128 more if what follows is deflated
    1 byte    planes of the counts of each field, two bits a field; 0 means that no page has the term there
    planes    steps from page to page (pages are numbered from 0 within a segment; the first step is the first page)
    planes    field by field, how often the term stands in each page

`positions` is read for phrases and neighbours only: page by page and field by field, the distance from the place
before. They come in chunks of a thousand distances, so that those of a few pages can be read without the rest:

    1 byte    planes of a distance, 128 more if deflated, then the planes: the one chunk of most terms; or
    1 byte    0, then how many chunks there are; with which posting each begins, where it ends, how many distances it
              has; then the chunks, each as above
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import careful

PAGE_FIELDS = ("title", "headings", "url", "body")  # what a page says of itself
ANCHOR_FIELDS = ("anchor",)  # what others say of it

CHUNK = 1024  # distances in a chunk of positions, at least
SHORT = 64  # bytes that are not worth deflating
DEFLATED = 128
_EFFORT = (1, zlib.DEFLATED, -13, 6)  # level, no header, and a window small enough to be set up in no time

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Counts = NDArray[np.integer[Any]]


class Row(NamedTuple):
    """One term of a segment, as stored."""

    term: str
    df: int
    docs: bytes
    positions: bytes
    word: str = ""  # of a row that is a word as it is written (text/spellings.py): how, if not just so


@dataclass(frozen=True, slots=True)
class Postings:
    """One term of a segment, unpacked: `docs` rising, and how often each page has it in each field (None: nowhere)."""

    docs: Counts
    counts: list[Counts | None]

    def table(self, which: Ints | None = None) -> Ints:
        """The counts of all postings, or of some, as one array, postings x fields."""
        table = np.zeros((len(self.docs if which is None else which), len(self.counts)), dtype=np.int64)
        for field, counts in enumerate(self.counts):
            if counts is not None:
                table[:, field] = counts if which is None else counts[which]
        return table

    def begins(self) -> Ints:
        """How many words stand before each posting, and in all."""
        found = np.zeros(len(self.docs) + 1, dtype=np.int64)
        for counts in self.counts:
            if counts is not None:
                found[1:] += counts
        return np.cumsum(found, out=found)


# -- reading ---------------------------------------------------------------------------------


@careful
def unpack(docs: bytes, df: int, fields: int) -> Postings:
    """The postings packed in a `docs` blob."""
    width, codes = docs[0] & ~DEFLATED, docs[1]
    raw = _inflated(docs, 2, docs[0] & DEFLATED)
    steps = _numbers(raw, 0, df, width)
    at = width * df
    counts: list[Counts | None] = []
    for field in range(fields):
        width = codes >> (2 * field) & 3
        counts.append(_numbers(raw, at, df, width) if width else None)
        at += width * df
    if at != len(raw):
        raise ValueError("too short or too long")
    return Postings(np.cumsum(steps, dtype=np.int64), counts)


@careful
def unpack_positions(blob: bytes, postings: Postings) -> Ints:
    """All positions in a blob, posting by posting and field by field."""
    runs = postings.table().ravel()
    gaps = np.concatenate([_chunk(chunk) for chunk, _ in chunks(blob, int(runs.sum()))])
    reach = np.cumsum(gaps, dtype=np.int64)
    before = np.append(0, reach)[np.cumsum(runs) - runs]  # what the earlier cells have added up to
    places: Ints = reach - np.repeat(before, runs)
    return places


@careful
def chunks(blob: bytes, distances: int) -> list[tuple[bytes, int]]:
    """The chunks of a `positions` blob that has so many distances, and how many of them each has."""
    if blob[0]:
        return [(blob, distances)]
    count = int.from_bytes(blob[1:5], "little")
    table = np.frombuffer(blob, "<u4", 3 * count, 5).reshape(3, count)
    head, ends, sizes = 5 + 12 * count, table[1].tolist(), table[2].tolist()
    if sum(sizes) != distances:
        raise ValueError("too short or too long")
    return [(blob[head + begin : head + end], size) for begin, end, size in zip([0, *ends], ends, sizes, strict=False)]


@careful
def inflated(chunk: bytes, distances: int) -> tuple[int, bytes]:
    """How many planes a chunk of so many distances has, and the planes."""
    planes = chunk[0] & ~DEFLATED
    raw = zlib.decompress(memoryview(chunk)[1:], -15) if chunk[0] & DEFLATED else chunk[1:]
    if len(raw) != planes * distances:
        raise ValueError("too short or too long")
    return planes, raw


def tally(rising: Ints) -> tuple[Ints, Ints]:
    """The different numbers among some that rise, and how often each is there.

    (np.unique would do, but the first call of it loads a large part of numpy that nothing else here needs.)

    >>> [column.tolist() for column in tally(np.array([2, 2, 5]))]
    [[2, 5], [2, 1]]
    """
    starts = np.flatnonzero(_changes(rising)) if len(rising) else np.empty(0, dtype=np.int64)
    return rising[starts], np.diff(starts, append=len(rising))


def _chunk(blob: bytes) -> Counts:
    planes = blob[0] & ~DEFLATED
    raw = _inflated(blob, 1, blob[0] & DEFLATED)
    return _numbers(raw, 0, len(raw) // planes, planes)


def _inflated(blob: bytes, at: int, deflated: int) -> Bytes:
    if deflated:
        return np.frombuffer(zlib.decompress(memoryview(blob)[at:], -15), np.uint8)
    return np.frombuffer(blob, np.uint8, offset=at)


def _numbers(raw: Bytes, at: int, count: int, planes: int) -> Counts:
    """`count` numbers in so many planes; those of one plane are given as the bytes they are."""
    lowest: Counts = raw[at : at + count]
    if planes == 1:
        return lowest
    numbers = lowest.astype(np.int64)
    for plane in range(1, planes):
        numbers |= raw[at + plane * count : at + (plane + 1) * count].astype(np.int64) << (8 * plane)
    return numbers


# -- writing ---------------------------------------------------------------------------------


def pack(terms: list[str], keys: Ints, docs: Ints, fields: Ints, places: Ints, width: int) -> Iterator[Row]:
    """Rows for all terms at once. The four columns have an entry for every word of every page, sorted by term
    (`keys`, numbers into `terms`), page, field and place; `width` is the number of fields.
    """
    if not len(keys):
        return
    fresh_term = _changes(keys)
    fresh_doc = fresh_term | _changes(docs)
    fresh_run = fresh_doc | _changes(fields)
    gaps = np.diff(places, prepend=0)
    gaps[fresh_run] = places[fresh_run]

    run_at = np.flatnonzero(fresh_run)
    doc_at = np.flatnonzero(fresh_doc)
    counts = np.zeros((width, len(doc_at)), dtype=np.int64)
    counts[fields[run_at], np.cumsum(fresh_doc)[run_at] - 1] = np.diff(run_at, append=len(keys))
    first = fresh_term[doc_at]
    pages = docs[doc_at]
    steps = np.diff(pages, prepend=0)
    steps[first] = pages[first]

    term_at = np.flatnonzero(first)
    bounds = np.append(term_at, len(pages)).tolist()
    word_at = np.append(doc_at, len(keys))  # where each posting's places begin
    words = word_at[bounds].tolist()
    packed_docs = _Packed(term_at, [steps, *counts], 2)
    packed_places = _Packed(word_at[term_at], [gaps], 1)
    for i, key in enumerate(keys[doc_at[term_at]].tolist()):
        low, high = bounds[i], bounds[i + 1]
        many = words[i + 1] - words[i] > CHUNK
        positions = _chunked(gaps, word_at[low : high + 1]) if many else packed_places.blob(i)
        yield Row(terms[key], high - low, packed_docs.blob(i), positions)


class _Packed:
    """The blobs of all terms, made with no loop over terms: each plane is written for all of them at one go.

    `at` tells where the numbers of each term begin in the columns, `head` how many bytes go before the planes.
    """

    def __init__(self, at: Ints, columns: list[Ints], head: int) -> None:
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
        place = np.arange(len(columns[0])) - np.repeat(at, count)
        for column, planes, start in zip(columns, sizes, base + ends[:-1], strict=True):
            for plane in range(int(planes.max())):
                target = np.repeat(start + plane * count, count) + place
                if planes.min() > plane:
                    out[target] = column >> (8 * plane)
                else:
                    here = np.repeat(planes > plane, count)
                    out[target[here]] = column[here] >> (8 * plane)
        self._out = out.tobytes()
        self._bounds = np.append(base, stop[-1]).tolist()
        self._head = head

    def blob(self, term: int) -> bytes:
        """The blob of a term, deflated if that makes it shorter."""
        return _deflated(self._out[self._bounds[term] : self._bounds[term + 1]], self._head)


def _deflated(blob: bytes, head: int) -> bytes:
    if len(blob) <= SHORT:
        return blob
    packer = zlib.compressobj(*_EFFORT)
    packed = packer.compress(memoryview(blob)[head:]) + packer.flush()
    shorter = len(packed) < len(blob) - head
    return bytes([blob[0] | DEFLATED]) + blob[1:head] + packed if shorter else blob


def _chunked(gaps: Ints, word_at: Ints) -> bytes:
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


def _changes(column: Ints) -> NDArray[np.bool_]:
    changed = np.ones(len(column), dtype=bool)
    np.not_equal(column[1:], column[:-1], out=changed[1:])
    return changed
