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

Most terms are rare, and a row of the file for each would take more room than what it says. So they share rows, some
dozens of them in one, which are a `Block`: the terms, one a line; how many pages have each; and packed together

    1 byte    0, or 128 if what follows is deflated
    bytes     how long the `docs` of each term are; then the same of the positions
    blobs     the `docs` of all terms; then their positions

A word as it is written (text/spellings.py) is on no page: its `docs` are empty, and it has a spelling for positions.

They are written by minisearch/index/pack.py
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import careful

PAGE_FIELDS = ("title", "headings", "url", "body")  # what a page says of itself
ANCHOR_FIELDS = ("anchor",)  # what others say of it

DEFLATED = 128
MOST_PLANES = 4
MOST_AT_ONCE = 1 << 20  # bytes for which room is made before any is there: a damaged blob may say anything

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


class Block(NamedTuple):
    """Rare terms of a segment, as stored."""

    terms: str  # one a line, in order
    counts: str  # the df of each, with commas between
    packed: bytes


@dataclass(frozen=True, slots=True)
class Postings:
    """One term of a segment, unpacked: `docs` rising, and how often each page has it in each field (None: nowhere)."""

    docs: Counts
    counts: list[Counts | None]

    def table(self) -> Ints:
        """All counts as one array, postings x fields."""
        table = np.zeros((len(self.docs), len(self.counts)), dtype=np.int64)
        for field, counts in enumerate(self.counts):
            if counts is not None:
                table[:, field] = counts
        return table

    def begins(self) -> Counts:
        """How many words stand before each posting, and in all."""
        found = np.zeros(len(self.docs) + 1, dtype=np.int32)  # two billion places would not fit into memory
        for counts in self.counts:
            if counts is not None:
                found[1:] += counts.astype(np.int32, copy=False)
        return np.cumsum(found, dtype=np.int32, out=found)


def lines(terms: str, counts: str) -> list[tuple[str, int]]:
    """The terms of a block, and the df of each.

    >>> lines("cat\\ncot", "3,1")
    [('cat', 3), ('cot', 1)]
    """
    return list(zip(terms.split("\n"), map(int, counts.split(",")), strict=True))


@careful
def apart(block: Block) -> list[Row]:
    """The rows of a block."""
    told = lines(block.terms, block.counts)
    raw = _opened(block.packed, len(told))
    at = list(accumulate(raw[: 2 * len(told)], initial=2 * len(told)))
    blobs = [raw[low:high] for low, high in pairwise(at)]
    docs, rest = blobs[: len(told)], blobs[len(told) :]
    return [_row(term, df, *pair) for (term, df), pair in zip(told, zip(docs, rest, strict=True), strict=True)]


@careful
def picked(block: Block, term: str) -> Row | None:
    """The row of one term of a block, if it has it."""
    terms = block.terms.split("\n")
    if term not in terms:
        return None
    place, count = terms.index(term), len(terms)
    raw = _opened(block.packed, count)
    docs, rest = (2 * count + sum(raw[:number]) for number in (place, count + place))
    df = int(block.counts.split(",")[place])
    return _row(term, df, raw[docs : docs + raw[place]], raw[rest : rest + raw[count + place]])


def _opened(packed: bytes, count: int) -> bytes:
    """The lengths and blobs of a block of so many terms."""
    raw = zlib.decompress(memoryview(packed)[1:], -15) if packed[0] else packed[1:]
    if len(raw) != 2 * count + sum(raw[: 2 * count]):
        raise ValueError("too short or too long")
    return raw


def _row(term: str, df: int, docs: bytes, rest: bytes) -> Row:
    return Row(term, df, docs, rest) if docs else Row(term, df, b"", b"", rest.decode("utf-8"))


@careful
def unpack(docs: bytes, df: int, fields: int, start: int = 0) -> Postings:
    """The postings packed in a `docs` blob, its pages numbered from `start` on."""
    width, codes = docs[0] & ~DEFLATED, docs[1]
    widths = [codes >> (2 * field) & 3 for field in range(fields)]
    size = df * (width + sum(widths))
    raw = _inflated(docs, 2, docs[0] & DEFLATED, size)
    if len(raw) != size:
        raise ValueError("too short or too long")
    at, counts = width * df, []
    for planes in widths:
        counts.append(_numbers(raw, at, df, planes) if planes else None)
        at += planes * df
    return Postings(_summed(raw, df, width, start), counts)


def _summed(raw: Bytes, count: int, planes: int, start: int) -> Counts:
    """Rising numbers, by the steps from each to the next."""
    if not 1 <= planes <= MOST_PLANES:
        raise ValueError("no such numbers")
    steps = _numbers(raw, 0, count, planes)
    if not steps[1:].all():
        raise ValueError("numbers that do not rise")
    small = start + int(steps.sum(dtype=np.int64)) < 1 << 31
    found: Counts = np.cumsum(steps, dtype=np.int32 if small else np.int64)
    found += start
    return found


@careful
def unpack_positions(blob: bytes, postings: Postings) -> Ints:
    """All positions in a blob, posting by posting and field by field."""
    runs = postings.table().ravel()
    found = chunks(blob, int(runs.sum()))
    gaps = np.concatenate([distances(found.chunk(number), size) for number, size in enumerate(found.sizes)])
    reach = np.cumsum(gaps, dtype=np.int64)
    before = np.append(0, reach)[np.cumsum(runs) - runs]  # what the earlier cells have added up to
    places: Ints = reach - np.repeat(before, runs)
    return places


class Chunks(NamedTuple):
    """The chunks of a `positions` blob end to end, where each of them ends, and how many distances it has."""

    packed: memoryview
    ends: list[int]
    sizes: list[int]

    def chunk(self, number: int) -> memoryview:
        """One of them: few are ever needed."""
        return self.packed[self.ends[number - 1] if number else 0 : self.ends[number]]


@careful
def chunks(blob: bytes, total: int) -> Chunks:
    """The chunks of a `positions` blob that has so many distances."""
    if blob[0]:
        return Chunks(memoryview(blob), [len(blob)], [total])
    count = int.from_bytes(blob[1:5], "little")
    table = np.frombuffer(blob, "<u4", 3 * count, 5).reshape(3, count)
    ends, sizes = table[1].tolist(), table[2].tolist()
    if sum(sizes) != total:
        raise ValueError("too short or too long")
    return Chunks(memoryview(blob)[5 + 12 * count :], ends, sizes)


@careful
def distances(chunk: memoryview, count: int) -> Counts:
    """The distances in a chunk that has so many."""
    planes = chunk[0] & ~DEFLATED
    raw = _inflated(chunk, 1, chunk[0] & DEFLATED, planes * count)
    if len(raw) != planes * count:
        raise ValueError("too short or too long")
    return _numbers(raw, 0, count, planes)


@careful
def gaps(chunk: memoryview, count: int) -> bytes:
    """The same as numbers of four bytes each."""
    return distances(chunk, count).astype("<u4").tobytes()


def _inflated(blob: bytes | memoryview, at: int, deflated: int, size: int) -> Bytes:
    """What was packed, of which there should be so many bytes."""
    if deflated:
        return np.frombuffer(zlib.decompress(memoryview(blob)[at:], -15, min(size, MOST_AT_ONCE) + 1), np.uint8)
    return np.frombuffer(blob, np.uint8, offset=at)


def _numbers(raw: Bytes, at: int, count: int, planes: int) -> Counts:
    """`count` numbers in so many planes; those of one plane are given as the bytes they are."""
    lowest: Counts = raw[at : at + count]
    if planes == 1:
        return lowest
    size: type[np.integer[Any]] = np.uint16 if planes == 2 else np.int64  # small, for it is kept and gone through often
    numbers: Counts = lowest.astype(size)
    for plane in range(1, planes):
        numbers |= raw[at + plane * count : at + (plane + 1) * count].astype(size) << (8 * plane)
    return numbers


def changes(column: Counts) -> NDArray[np.bool_]:
    """Where a column goes on with another number."""
    changed = np.ones(len(column), dtype=bool)
    np.not_equal(column[1:], column[:-1], out=changed[1:])
    return changed


def contained(some: Counts, others: Counts) -> NDArray[np.bool_]:
    """Which of some numbers are among others: np.isin, which has much of numpy imported first.

    >>> contained(np.array([7, 2, 9]), np.array([9, 1, 7, 7])).tolist()
    [True, False, True]
    """
    if not len(others):
        return np.zeros(len(some), dtype=bool)
    known = np.sort(others)
    found: NDArray[np.bool_] = known.take(known.searchsorted(some), mode="clip") == some
    return found
