"""The answers to a query if the pages had other ranks: who would stand where. Words count as they do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minisearch.records import Hit
from minisearch.search.blend import prior


@dataclass(frozen=True, slots=True)
class Shift:
    """An answer, where it stands now, and where it would stand."""

    hit: Hit
    place: int
    then: int
    score_then: float


def with_ranks(hits: Sequence[Hit], ranks: NDArray[np.float64], blend: float) -> list[Shift]:
    """The hits in the order they would have, were the ranks by page id these.

    >>> from minisearch.records import Hit
    >>> hits = [Hit("a", "a", 1.1, 1.0, 1.1, "", page_id=0), Hit("b", "b", 1.05, 1.05, 1.0, "", page_id=1)]
    >>> [(shift.hit.url, shift.place, shift.then) for shift in with_ranks(hits, np.array([0.1, 0.9]), 0.1)]
    [('b', 2, 1), ('a', 1, 2)]
    """
    z = prior(ranks)
    factors = [1 + blend * float(z[hit.page_id]) if hit.page_id < len(z) else 1.0 for hit in hits]
    scores = [hit.text_score * factor for hit, factor in zip(hits, factors, strict=True)]
    order = sorted(range(len(hits)), key=lambda number: (not hits[number].all_words, -scores[number], number))
    return [Shift(hits[number], number + 1, then, scores[number]) for then, number in enumerate(order, 1)]
