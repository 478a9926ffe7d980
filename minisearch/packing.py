"""Postings: for one term, the pages that have it, how often in which field, and where.

They are kept packed, two blobs a term. `docs` is read for every query and built to be read fast:

    1 byte   bytes per step: 1, 2 or 4
    1 byte   how each field is written, two bits a field: ABSENT, DENSE, SPARSE or WIDE
    steps    from page to page (pages are numbered from 0 within a segment; the first step is the first page)
    counts   field by field: DENSE one byte a page; SPARSE a bit a page, then a byte for each page that has it;
             WIDE four bytes a page, for the rare count past 255

`positions` is read for phrases and neighbours only: page by page and field by field, the distance from the
place before, seven bits a byte, the high bit meaning "more follows".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PAGE_FIELDS = ("title", "headings", "url", "body")  # what a page says of itself
ANCHOR_FIELDS = ("anchor",)  # what others say of it

ABSENT, DENSE, SPARSE, WIDE = range(4)

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Row:
    """One term of a segment, as stored."""

    term: str
    df: int
    docs: bytes
    positions: bytes


@dataclass(frozen=True, slots=True)
class Postings:
    """One term of a segment, unpacked: `docs` rising, and `counts[field]` beside it (None: not in that field)."""

    docs: Ints
    counts: list[Ints | None]

    def table(self) -> Ints:
        """The counts as one array, fields x pages."""
        nothing = np.zeros(len(self.docs), dtype=np.int64)
        table: Ints = np.stack([nothing if column is None else column for column in self.counts])
        return table


def unpack(docs: bytes, df: int, fields: int) -> Postings:
    """The postings packed in a `docs` blob."""
    width, codes = docs[0], docs[1]
    at = 2 + width * df
    steps = np.frombuffer(docs, dtype=f"<u{width}", count=df, offset=2)
    counts: list[Ints | None] = []
    for field in range(fields):
        code = codes >> (2 * field) & 3
        if code == ABSENT:
            counts.append(None)
        elif code == SPARSE:
            bitmap = (df + 7) // 8
            has = np.unpackbits(np.frombuffer(docs, np.uint8, bitmap, at), count=df).astype(bool)
            column = np.zeros(df, dtype=np.int64)
            some = int(has.sum())
            column[has] = np.frombuffer(docs, np.uint8, some, at + bitmap)
            at += bitmap + some
            counts.append(column)
        else:
            size = 1 if code == DENSE else 4
            counts.append(np.frombuffer(docs, f"<u{size}", df, at).astype(np.int64))
            at += size * df
    return Postings(np.cumsum(steps, dtype=np.int64), counts)


def unpack_positions(blob: bytes, counts: Ints) -> Ints:
    """The positions in a blob, in the order of `counts` (one number a run: how many places it has)."""
    gaps = read_varints(blob)
    runs = counts[counts > 0]
    reach = np.cumsum(gaps)
    starts = np.cumsum(runs) - runs
    before = reach[starts] - gaps[starts]  # what the earlier runs have added up to
    places: Ints = reach - np.repeat(before, runs)
    return places


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
    packed, ends = write_varints(gaps)

    run_at = np.flatnonzero(fresh_run)
    doc_at = np.flatnonzero(fresh_doc)
    posting_of_run = np.cumsum(fresh_doc)[run_at] - 1
    counts = np.zeros((width, len(doc_at)), dtype=np.int64)
    counts[fields[run_at], posting_of_run] = np.diff(run_at, append=len(keys))

    pages = docs[doc_at]
    first = fresh_term[doc_at]
    steps = np.diff(pages, prepend=0)
    steps[first] = pages[first]

    term_at = np.flatnonzero(first)
    bounds = np.append(term_at, len(pages))
    byte_bounds = np.append(0, ends)[np.append(np.flatnonzero(fresh_term), len(keys))]
    largest_step = np.maximum.reduceat(steps, term_at)
    largest_count = np.maximum.reduceat(counts, term_at, axis=1)
    having = np.add.reduceat(counts > 0, term_at, axis=1)
    blob = packed.tobytes()
    for i, key in enumerate(keys[doc_at[term_at]].tolist()):
        low, high = bounds[i], bounds[i + 1]
        yield Row(
            terms[key],
            int(high - low),
            _pack_docs(steps[low:high], largest_step[i], counts[:, low:high], largest_count[:, i], having[:, i]),
            blob[byte_bounds[i] : byte_bounds[i + 1]],
        )


def _pack_docs(steps: Ints, largest_step: int, counts: Ints, largest: Ints, having: Ints) -> bytes:
    width = 1 if largest_step < 1 << 8 else 2 if largest_step < 1 << 16 else 4
    pieces = [steps.astype(f"<u{width}").tobytes()]
    codes = 0
    for field, (most, some) in enumerate(zip(largest.tolist(), having.tolist(), strict=True)):
        if not some:
            continue
        column = counts[field]
        if most > 255:
            code, piece = WIDE, column.astype("<u4").tobytes()
        elif some * 8 > len(column) * 7:
            code, piece = DENSE, column.astype(np.uint8).tobytes()
        else:
            code, piece = (
                SPARSE,
                np.packbits(column > 0).tobytes() + column[column > 0].astype(np.uint8).tobytes(),
            )
        codes |= code << (2 * field)
        pieces.append(piece)
    return bytes((width, codes)) + b"".join(pieces)


def _changes(column: Ints) -> NDArray[np.bool_]:
    changed = np.empty(len(column), dtype=bool)
    changed[0] = True
    np.not_equal(column[1:], column[:-1], out=changed[1:])
    return changed


def write_varints(values: Ints) -> tuple[NDArray[np.uint8], Ints]:
    """`values` in as few bytes as each needs, and where each one ends.

    >>> write_varints(np.array([5, 300]))[0].tolist()
    [5, 172, 2]
    """
    sizes = np.ones(len(values), dtype=np.int64)
    for bits in (7, 14, 21, 28):
        sizes += values >= 1 << bits
    ends = np.cumsum(sizes)
    out = np.zeros(ends[-1] if len(ends) else 0, dtype=np.uint8)
    starts = ends - sizes
    for byte in range(5):
        here = sizes > byte
        if not here.any():
            break
        more = np.where(sizes[here] > byte + 1, 128, 0)
        out[starts[here] + byte] = (values[here] >> (7 * byte) & 127) | more
    return out, ends


def read_varints(blob: bytes) -> Ints:
    """The numbers that `write_varints` wrote.

    >>> read_varints(bytes([5, 172, 2])).tolist()
    [5, 300]
    """
    raw = np.frombuffer(blob, dtype=np.uint8)
    last = raw < 128
    if last.all():
        return raw.astype(np.int64)
    ends = np.flatnonzero(last)
    starts = np.append(0, ends[:-1] + 1)
    sizes = ends - starts + 1
    values: Ints = (raw[starts] & 127).astype(np.int64)
    for byte in range(1, int(sizes.max())):
        here = sizes > byte
        values[here] |= (raw[starts[here] + byte] & 127).astype(np.int64) << (7 * byte)
    return values
