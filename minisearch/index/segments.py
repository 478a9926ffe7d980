"""Segments: which of them to index again, and how they are written to the file.

A search has to look into every segment. Therefore small ones are indexed again as one; and so are those of which many
pages have changed since. They are built from the stored text, never merged posting by posting. One run re-indexes at
most as many old pages as it adds new ones, so that a crawl never waits long; larger rebuilds wait until it is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from minisearch.index.builder import Segment
from minisearch.index.codec import encode_columns

if TYPE_CHECKING:
    from minisearch.store.database import Store

MOST_SEGMENTS = 8  # that may stay when a crawl is over
KEPT = 4  # of the largest that then stay as they are if there are more; the others become that many at the most
STALE = 0.2  # share of changed pages past which a segment is then rebuilt
SMALL = 2_000  # documents; such a segment is then rebuilt for a single changed page, so that all counts are exact

Size = tuple[int, int, int]  # id of a segment, its documents, and how many of them still count


def small_enough(segments: Sequence[Size], added: int) -> list[int]:
    """The smallest segments, by id, that have no more pages together than are added.

    >>> small_enough([(1, 500, 500), (2, 100, 100), (3, 300, 300)], 450)
    [2, 3]
    """
    chosen = []
    for number, _, live in sorted(segments, key=lambda segment: segment[2]):
        added -= live
        if added < 0:
            break
        chosen.append(number)
    return chosen


def due(segments: Sequence[Size]) -> list[int]:
    """The segments, by id, to be rebuilt when a crawl is over: stale ones, and the smaller ones if there are many.

    >>> due([(1, 4000, 4000), (2, 500, 500)]), due([(1, 1000, 700), (2, 1000, 1000)])
    ([], [1])
    >>> due([(1, 24, 23), (2, 2, 2)])
    [1]
    >>> due([(1, 4000, 4000), *((number, 100, 100) for number in range(2, 11))])
    [2, 3, 4, 5, 6, 7, 8, 9, 10]
    """
    chosen = {number for number, size, live in segments if live < size * (1 - STALE) or live < size <= SMALL}
    if len(segments) > MOST_SEGMENTS:
        by_size = sorted(segments, key=lambda segment: segment[2])
        small = sum(live < by_size[-1][2] / 2 for _, _, live in segments)
        chosen.update(number for number, _, _ in by_size[: max(small, len(segments) - KEPT)])
    return sorted(chosen)


def write_segment(store: Store, segment: Segment) -> int:
    """Write a segment to the file; gives its id. Call it inside a transaction."""
    steps = np.diff(segment.pages, prepend=0)
    return store.postings.add(
        segment.kind,
        segment.pages.tolist(),
        segment.languages,
        (encode_columns([steps]), encode_columns([*segment.lengths]), encode_columns([segment.language])),
        segment.terms,
        segment.blocks,
        segment.words,
    )
