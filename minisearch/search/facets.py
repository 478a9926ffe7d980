"""Facets: on which sites and in which languages the answers are."""

from __future__ import annotations

import numpy as np

from minisearch.search.arrays import Ints, Mask
from minisearch.search.snapshot import Snapshot
from minisearch.text.languages import name as language_name

__all__ = ["facets", "language_name"]

MOST = 12  # sites that are told


def facets(index: Snapshot, matched: Mask) -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]:
    """(site, pages) and (language, pages) of the pages that match, the most first."""
    return _counted(*index.sites.hosts, matched)[:MOST], _counted(*index.tongues, matched)[:MOST]


def _counted(names: list[str], codes: Ints, matched: Mask) -> tuple[tuple[str, int], ...]:
    counts = np.bincount(codes[matched], minlength=len(names)).tolist() if len(names) else []
    told = [(name, count) for name, count in zip(names, counts, strict=True) if count]
    return tuple(sorted(told, key=lambda item: (-item[1], item[0])))
