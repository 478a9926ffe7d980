"""Postings: for one term, the pages that have it, how often in which field, and where.

They are kept packed, two blobs a term. `docs` is read for every query and built to be read fast:

    1 byte   bytes per step: 1, 2 or 4
    1 byte   how each field is written, two bits a field: ABSENT, DENSE, SPARSE or WIDE
    steps    from page to page (pages are numbered from 0 within a segment; the first step is the first page)
    counts   field by field: DENSE one byte a page; SPARSE how many pages have it, which of the term's pages these
             are, then a byte for each; WIDE four bytes a page, for the rare count past 255

`positions` is read for phrases and neighbours only: page by page and field by field, the distance from the
place before, seven bits a byte, the high bit meaning "more follows". A term of many pages has a table in front
that tells where every 128th page begins, so that those of a few pages can be read without the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

PAGE_FIELDS = ("title", "headings", "url", "body")  # what a page says of itself
ANCHOR_FIELDS = ("anchor",)  # what others say of it

ABSENT, DENSE, SPARSE, WIDE = range(4)
BLOCK = 128  # pages that share an entry in the table of a term's positions

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Column = tuple[Ints | None, NDArray[np.integer[Any]]]  # which of a term's pages have it (None: all), and how often


class Row(NamedTuple):
    """One term of a segment, as stored."""

    term: str
    df: int
    docs: bytes
    positions: bytes


@dataclass(frozen=True, slots=True)
class Postings:
    """One term of a segment, unpacked: `docs` rising, and a column for each field (None: nowhere in that field)."""

    docs: Ints
    columns: list[Column | None]

    def table(self) -> Ints:
        """The counts as one array, pages x fields."""
        table = np.zeros((len(self.docs), len(self.columns)), dtype=np.int64)
        for field, column in enumerate(self.columns):
            if column is not None:
                which, counts = column
                table[slice(None) if which is None else which, field] = counts
        return table


def unpack(docs: bytes, df: int, fields: int) -> Postings:
    """The postings packed in a `docs` blob."""
    width, codes = docs[0], docs[1]
    at = 2 + width * df
    steps = np.frombuffer(docs, dtype=f"<u{width}", count=df, offset=2)
    columns: list[Column | None] = []
    for field in range(fields):
        code = codes >> (2 * field) & 3
        if code == ABSENT:
            columns.append(None)
        elif code == SPARSE:
            size = _index_width(df)
            some = int.from_bytes(docs[at : at + size], "little")
            which = np.frombuffer(docs, f"<u{size}", some, at + size).astype(np.int64)
            columns.append((which, np.frombuffer(docs, np.uint8, some, at + size * (some + 1))))
            at += size * (some + 1) + some
        else:
            size = 1 if code == DENSE else 4
            counts = np.frombuffer(docs, f"<u{size}", df, at)
            columns.append((None, counts) if counts.all() else (np.flatnonzero(counts), counts[counts > 0]))
            at += size * df
    return Postings(np.cumsum(steps, dtype=np.int64), columns)


def unpack_positions(blob: bytes, table: Ints) -> Ints:
    """All positions in a blob, in the order of `table` (pages x fields, how many places each has)."""
    return _places(blob[_table_size(len(table)) :], table)


def positions_of(blob: bytes, table: Ints, wanted: Ints) -> tuple[Ints, Ints, Ints]:
    """(posting, field, place) of the `wanted` postings only, which are numbers into `table`, rising."""
    df, fields = table.shape
    head = _table_size(df)
    if head and len(wanted) * BLOCK < df * 4:
        starts = [head, *(np.frombuffer(blob, "<u4", head // 4) + head).tolist(), len(blob)]
        blocks = np.unique(wanted // BLOCK)
        bytes_of = b"".join(blob[starts[block] : starts[block + 1]] for block in blocks.tolist())
        postings = (blocks[:, None] * BLOCK + np.arange(BLOCK)).ravel()
        postings = postings[postings < df]
    else:
        bytes_of, postings = blob[head:], np.arange(df)
    runs = table[postings]
    places = _places(bytes_of, runs)
    flat = runs.ravel()
    keep = np.zeros(df, dtype=bool)
    keep[wanted] = True
    posting = np.repeat(np.repeat(postings, fields), flat)
    chosen = keep[posting]
    field = np.repeat(np.tile(np.arange(fields), len(postings)), flat)
    return posting[chosen], field[chosen], places[chosen]


def _places(packed: bytes, table: Ints) -> Ints:
    gaps = read_varints(packed)
    flat = table.ravel()
    runs = flat[flat > 0]
    reach = np.cumsum(gaps)
    starts = np.cumsum(runs) - runs
    before = reach[starts] - gaps[starts]  # what the earlier runs have added up to
    places: Ints = reach - np.repeat(before, runs)
    return places


def _table_size(df: int) -> int:
    return (df - 1) // BLOCK * 4


def _index_width(df: int) -> int:
    return 1 if df < 1 << 8 else 2 if df < 1 << 16 else 4


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
    byte_at = np.append(0, ends)

    run_at = np.flatnonzero(fresh_run)
    doc_at = np.flatnonzero(fresh_doc)
    posting_of_run = np.cumsum(fresh_doc)[run_at] - 1
    counts = np.zeros((width, len(doc_at)), dtype=np.int64)
    counts[fields[run_at], posting_of_run] = np.diff(run_at, append=len(keys))

    first = fresh_term[doc_at]
    pages = docs[doc_at]
    steps = np.diff(pages, prepend=0)
    steps[first] = pages[first]

    term_at = np.flatnonzero(first)
    bounds = np.append(term_at, len(pages)).tolist()
    blob, doc_bounds = _pack_docs(steps, counts, term_at)
    places_at = byte_at[doc_at]  # where each posting's positions begin
    place_bounds = np.append(places_at[term_at], len(packed)).tolist()
    all_places = packed.tobytes()
    for i, key in enumerate(keys[doc_at[term_at]].tolist()):
        low, high = bounds[i], bounds[i + 1]
        place_low, place_high = place_bounds[i], place_bounds[i + 1]
        positions = all_places[place_low:place_high]
        if high - low > BLOCK:
            positions = (places_at[low + BLOCK : high : BLOCK] - place_low).astype("<u4").tobytes() + positions
        yield Row(terms[key], high - low, blob[doc_bounds[i] : doc_bounds[i + 1]], positions)


def _pack_docs(steps: Ints, counts: Ints, term_at: Ints) -> tuple[bytes, list[int]]:
    """The `docs` blobs of all terms, one after the other, and where each begins. No loop over terms: each kind of
    section is written for all of them at one go."""
    df = np.diff(term_at, append=len(steps))
    term = np.repeat(np.arange(len(df)), df)
    place = np.arange(len(steps)) - term_at[term]  # of a posting within its term
    largest = np.maximum.reduceat(steps, term_at)
    width = np.where(largest < 1 << 8, 1, np.where(largest < 1 << 16, 2, 4))
    index_width = np.where(df < 1 << 8, 1, np.where(df < 1 << 16, 2, 4))
    having = np.add.reduceat(counts > 0, term_at, axis=1)
    most = np.maximum.reduceat(counts, term_at, axis=1)
    sparse_size = index_width * (having + 1) + having
    code = np.where(having == 0, ABSENT, np.where(most > 255, WIDE, np.where(sparse_size < df, SPARSE, DENSE)))
    sizes = np.choose(
        code, [np.zeros_like(sparse_size), np.broadcast_to(df, code.shape), sparse_size, 4 * df + 0 * code]
    )
    sections = np.cumsum(np.vstack([2 + width * df, sizes]), axis=0)  # where each section ends within its term
    ends = np.cumsum(sections[-1])
    base = ends - sections[-1]
    out = np.zeros(int(ends[-1]), dtype=np.uint8)
    out[base] = width
    out[base + 1] = (code << (2 * np.arange(len(code)))[:, None]).sum(axis=0)
    _scatter(out, (base + 2)[term], place, width[term], steps)
    for field, column in enumerate(counts):
        start = base + sections[field]
        here = code[field][term]
        for kind, bytes_each in ((DENSE, 1), (WIDE, 4)):
            of_kind = here == kind
            if of_kind.any():
                _scatter(out, start[term[of_kind]], place[of_kind], np.int64(bytes_each), column[of_kind])
        listed = (here == SPARSE) & (column > 0)
        if listed.any():
            terms = np.flatnonzero(code[field] == SPARSE)
            _scatter(out, start[terms], np.zeros_like(terms), index_width[terms], having[field][terms])
            owner = term[listed]
            number = np.arange(len(owner)) - np.searchsorted(owner, owner)  # of an entry within its term
            _scatter(out, (start + index_width)[owner], number, index_width[owner], place[listed])
            _scatter(out, (start + index_width * (having[field] + 1))[owner], number, np.int64(1), column[listed])
    return out.tobytes(), np.append(base, ends[-1]).tolist()


def _scatter(out: Bytes, start: Ints, place: Ints, width: Ints | np.int64, values: Ints) -> None:
    """Write values into `out`, each in `width` bytes, at `start` plus so many values of that width."""
    widths = np.broadcast_to(width, values.shape)
    at = start + place * widths
    for byte in range(int(widths.max(initial=0))):
        here = widths > byte
        if here.all():
            out[at + byte] = values >> (8 * byte) & 255
        else:
            out[at[here] + byte] = values[here] >> (8 * byte) & 255


def _changes(column: Ints) -> NDArray[np.bool_]:
    changed = np.empty(len(column), dtype=bool)
    changed[0] = True
    np.not_equal(column[1:], column[:-1], out=changed[1:])
    return changed


def write_varints(values: Ints) -> tuple[Bytes, Ints]:
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
