"""Segments: when to merge them, and how.

As in log-structured stores, many small segments become one larger (O'Neil and others, "The Log-Structured
Merge-Tree", 1996), so that a query has few places to look and a word is rewritten only a few times in its life.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice

import numpy as np
from numpy.typing import NDArray

from minisearch.index.invert import Segment
from minisearch.index.keys import PLACE_BITS
from minisearch.index.pack import pack, spelled
from minisearch.packing import Block, Counts, Ints, Row, unpack, unpack_positions
from minisearch.text.spellings import MARK

FAN = 8  # segments of like size that are merged together
STALE = 0.2  # share of outdated pages past which a segment is rewritten
TERMS_AT_A_TIME = 2000


@dataclass(frozen=True, slots=True)
class Part:
    """A segment about to be merged: `live` tells which of its pages still belong to it."""

    pages: Counts
    lengths: Sequence[Counts] | Counts  # field by field, the words of each page
    languages: tuple[str, ...]
    spoken: Counts
    live: NDArray[np.bool_]
    rows: Iterable[Row]


def due(sizes: Sequence[int], live: Sequence[int]) -> list[int]:
    """Which segments, by place, ought to be merged now into one.

    >>> due([500] * 8, [500] * 8)
    [0, 1, 2, 3, 4, 5, 6, 7]
    >>> due([4000, 500, 500], [4000, 500, 500]), due([1000], [700])
    ([], [0])
    """
    stale = [i for i, size in enumerate(sizes) if live[i] < size * (1 - STALE)]
    tiers: dict[int, list[int]] = {}
    for i, size in enumerate(live):
        tiers.setdefault(int(np.log2(max(size, 1)) / np.log2(FAN)), []).append(i)
    crowded = [i for tier in tiers.values() if len(tier) >= FAN for i in tier]
    return sorted({*stale, *crowded})


def merge(parts: Sequence[Part], kind: str = "page") -> Segment:
    """One segment with the live pages of all `parts`."""
    fields = len(parts[0].lengths)
    languages = tuple(sorted({spoken for part in parts for spoken in part.languages}))
    offset = 0
    renumber = []
    for part in parts:
        renumber.append(np.cumsum(part.live) - 1 + offset)
        offset += int(part.live.sum())
    return Segment(
        kind,
        np.concatenate([part.pages[part.live] for part in parts]).astype(np.int64),
        np.stack([np.concatenate([part.lengths[field][part.live] for part in parts]) for field in range(fields)]),
        languages,
        np.concatenate([_renamed(part, languages)[part.spoken[part.live]] for part in parts]),
        _merged_rows(parts, renumber, fields),
    )


def _renamed(part: Part, languages: tuple[str, ...]) -> Ints:
    return np.array([languages.index(spoken) for spoken in part.languages], dtype=np.int64)


def _merged_rows(parts: Sequence[Part], renumber: list[Ints], fields: int) -> Iterator[Row | Block]:
    streams = heapq.merge(*(_tagged(number, part) for number, part in enumerate(parts)), key=lambda entry: entry[:2])
    by_term = groupby(streams, key=lambda entry: entry[0])
    while some := [(term, list(rows)) for term, rows in islice(by_term, TERMS_AT_A_TIME)]:
        batch = [(term, rows) for term, rows in some if not term.startswith(MARK)]
        yield from spelled(_added([row for _, _, row in rows]) for term, rows in some if term.startswith(MARK))
        if not batch:
            continue
        spots = [
            np.concatenate([_spots(row, parts[number].live, renumber[number], fields) for _, number, row in rows])
            for _, rows in batch
        ]
        bounds = np.cumsum([0, *map(len, spots)])
        yield from pack([term for term, _ in batch], np.concatenate(spots), bounds, fields)


def _added(rows: list[Row]) -> tuple[str, int, str]:
    """One word as it is written, of several segments."""
    most = max(rows, key=lambda row: row.df)
    return most.term, sum(row.df for row in rows), most.word


def _tagged(number: int, part: Part) -> Iterator[tuple[str, int, Row]]:
    for row in part.rows:
        yield row.term, number, row


def _spots(row: Row, live: NDArray[np.bool_], renumber: Ints, fields: int) -> Ints:
    """Where the term of a row stands: the text and the place there of every word, as one number. What is on outdated
    pages is left out.
    """
    postings = unpack(row.docs, row.df, fields)
    sizes = postings.table().ravel()
    kept = np.repeat(live[postings.docs], fields) & (sizes > 0)
    texts = (renumber[postings.docs] * fields)[:, None] + np.arange(fields)
    places = unpack_positions(row.positions, postings)[np.repeat(kept, sizes)]
    spots: Ints = np.repeat(texts.ravel()[kept] << PLACE_BITS, sizes[kept]) + places
    return spots
