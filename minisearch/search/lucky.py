"""Luck: whether the first answer is clearly the first."""

from __future__ import annotations

from collections.abc import Sequence

from minisearch.records import Hit

NEARLY = 0.03  # the share of the first score that may lie between two that are nearly tied


def nearly_tied(hits: Sequence[Hit]) -> bool:
    """Whether the first two hits could as well stand in the other order."""
    if len(hits) < 2 or hits[0].all_words != hits[1].all_words:
        return False
    return hits[0].score - hits[1].score <= NEARLY * abs(hits[0].score)
