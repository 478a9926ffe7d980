"""Entries: the postings of a term, those of all segments together, by the numbers that pages have in a snapshot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from minisearch.errors import Damaged
from minisearch.packing import PAGE_FIELDS, Counts, Postings, unpack
from minisearch.search.arrays import Ints, Mask, Numbers
from minisearch.search.clauses import Variant

Located = tuple[Counts, Counts, list[int]]
Positions = bytes | int  # packed; or the number that stands for long ones
Found = tuple["Shelf", int, bytes, Positions]  # of a term on a shelf: df, docs, positions


@dataclass(frozen=True, slots=True)
class Shelf:
    """One segment, and the numbers of its pages in the snapshot."""

    id: int
    fields: tuple[str, ...]
    size: int
    start: int  # the number of its first page if all of them follow on, else -1
    listed: Numbers  # if they do not, all of them, with -1 for pages that no longer belong to it
    languages: tuple[str, ...]
    spoken: Counts  # the language of each page, a place in `languages`

    @property
    def numbers(self) -> Numbers:
        """The number of each page, -1 if it no longer belongs to it."""
        return self.listed if self.start < 0 else np.arange(self.start, self.start + self.size, dtype=np.int32)

    @property
    def own(self) -> bool:
        """Whether it holds what pages say of themselves, not what links say of them."""
        return self.fields == PAGE_FIELDS


class Piece(NamedTuple):
    """The postings of a term on one shelf: the numbers of its pages, and which of the postings count (None: all)."""

    shelf: Shelf
    postings: Postings
    numbers: Numbers
    counting: Mask | None


def piece(shelf: Shelf, df: int, blob: bytes, variant: Variant) -> Piece:
    """The postings of a term on a shelf. Not all of them count, if its pages are in languages with other rules, or
    no longer belong to it.
    """
    base = max(0, shelf.start)
    postings = unpack(blob, df, len(shelf.fields), base)
    if not len(postings.docs) or postings.docs[-1] >= base + shelf.size:
        raise Damaged
    numbers = postings.docs if shelf.start >= 0 else shelf.listed[postings.docs]
    counting = None if shelf.start >= 0 or numbers.min() >= 0 else numbers >= 0
    if not _is_for_all(variant, shelf):
        fitting = np.array([spoken in variant.languages for spoken in shelf.languages])
        fitting = fitting[shelf.spoken[postings.docs - np.int32(base)]]
        counting = fitting if counting is None else counting & fitting
    return Piece(shelf, postings, numbers, counting)


def _is_for_all(variant: Variant, shelf: Shelf) -> bool:
    """Whether a term stands for the word on all pages of a shelf, whatever their languages. What links say is in those
    of the pages they stand on.
    """
    return not (variant.languages and shelf.own) or variant.languages >= set(shelf.languages)


@dataclass(frozen=True)
class Entry:
    """The postings of a term on all shelves of one kind: its pages rise, and each of them counts."""

    term: str
    fields: tuple[str, ...]
    docs: Numbers
    counts: list[Counts | None]  # how often each page has it in each field (None: nowhere)
    shelves: list[tuple[int, int]]  # where its places are kept, and of how many pages
    positions: list[Positions]  # those places, on each of the shelves
    located: Located | None = None  # what `places` tells, if that is not just one page after the other

    @cached_property
    def places(self) -> Located:
        """How many places are kept before those of each page, and up to its last; and how many each shelf keeps."""
        if self.located is not None:
            return self.located
        begins = Postings(self.docs, self.counts).begins()
        cuts = np.cumsum([0, *(pages for _, pages in self.shelves)])
        return begins[:-1], begins[1:], np.diff(begins[cuts]).tolist()

    def stretches(self, postings: Ints) -> tuple[Counts, Counts]:
        """How many places are kept before those of some postings (rising), and up to the last of each."""
        before, after, _ = self.places
        return before[postings], after[postings]

    @property
    def sizes(self) -> list[int]:
        """How many places each shelf keeps."""
        return self.places[2]

    def among(self, pages: Numbers) -> tuple[Ints, Ints]:
        """Which of some pages have the term, and by which posting."""
        postings = self.docs.searchsorted(pages.astype(np.int32, copy=False))  # of another size it would be copied
        (which,) = (self.docs.take(postings, mode="clip") == pages).nonzero()
        return which, postings[which]

    def columns(self, field: str = "") -> Iterator[tuple[str, Counts]]:
        """(field, how often each page has the term) for each field that has it; of the one named, or of all."""
        for name, counts in zip(self.fields, self.counts, strict=True):
            if counts is not None and field in ("", name):
                yield name, counts


def united(variant: Variant, found: list[Found]) -> Entry | None:
    """The postings of a term on some shelves of one kind, on each of which so many pages have it; None if none of them
    counts.
    """
    pieces = [piece(shelf, df, blob, variant) for shelf, df, blob, _ in found]
    return joined(variant.term, pieces, [positions for *_, positions in found])


def joined(term: str, pieces: list[Piece], positions: list[Positions]) -> Entry | None:
    """The postings of a term on some shelves of one kind, end to end; None if none of them counts."""
    fields, shelves = pieces[0].shelf.fields, [(piece.shelf.id, len(piece.numbers)) for piece in pieces]
    if len(pieces) == 1 and pieces[0].counting is None and pieces[0].shelf.start >= 0:
        return Entry(term, fields, pieces[0].numbers, pieces[0].postings.counts, shelves, positions)
    docs = _end_to_end([piece.numbers for piece in pieces])
    counts = [_column([piece.postings for piece in pieces], field) for field in range(len(fields))]
    if all(piece.counting is None for piece in pieces) and (docs[1:] > docs[:-1]).all():
        return Entry(term, fields, docs, counts, shelves, positions)
    begins = Postings(docs, counts).begins()
    sizes = np.diff(begins[np.cumsum([0, *(pages for _, pages in shelves)])]).tolist()
    live = np.concatenate([_counting(piece) for piece in pieces])
    order = np.flatnonzero(live)
    order = order[np.argsort(docs[order], kind="stable")]
    chosen = [column if column is None else column[order] for column in counts]
    located = (begins[order], begins[order + 1], sizes)
    return Entry(term, fields, docs[order], chosen, shelves, positions, located) if len(order) else None


def _counting(piece: Piece) -> Mask:
    return np.ones(len(piece.numbers), dtype=bool) if piece.counting is None else piece.counting


def _column(postings: list[Postings], field: int) -> Counts | None:
    """How often pages have a term in one field."""
    columns = [each.counts[field] for each in postings]
    if all(column is None for column in columns):
        return None
    return _end_to_end(
        [
            np.zeros(len(each.docs), dtype=np.uint8) if column is None else column
            for each, column in zip(postings, columns, strict=True)
        ]
    )


def _end_to_end(columns: list[Counts]) -> Counts:
    return columns[0] if len(columns) == 1 else np.concatenate(columns)
