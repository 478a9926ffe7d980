"""Folding: of near-identical pages the best one is shown, and stands for the others.

Two pages are near-identical when their fingerprints are (minisearch/text/simhash.py) and both are about the same
subject (minisearch/crawl/likeness.py): pages of a reference differ in little more than what they are about, and say
that in their titles. The number of a version is no part of it, so that a manual of 3.10 is folded under the same one
of 3.11.

Whether a page is shown is decided by the pages before it alone. So a longer list of hits begins with the shorter
one, and what was folded on one page of hits never comes back on the next.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol

from minisearch.text.simhash import NEAR, near

BLOCKS = NEAR + 1  # cut into one block more than bits may differ, two near fingerprints have a block in common
BLOCK_BITS = 64 // BLOCKS


class Face(Protocol):
    """What of a page tells whether another one is the same. Without a fingerprint it is like no other."""

    @property
    def simhash(self) -> int | None: ...  # noqa: D102
    @property
    def words(self) -> int: ...  # noqa: D102
    @property
    def subject(self) -> int: ...  # noqa: D102


def fold(faces: Sequence[Face], count: int) -> list[list[int]]:
    """The places of the first `count` pages to show, best first, each followed by the places folded under it."""
    shown: list[list[int]] = []
    by_block: defaultdict[tuple[int, int, int], list[int]] = defaultdict(list)
    for place, face in enumerate(faces):
        blocks = _blocks(face)
        like = {number for block in blocks for number in by_block.get(block, ())}
        first = next((number for number in sorted(like) if same(faces[shown[number][0]], face)), None)
        if first is not None:
            shown[first].append(place)
        elif len(shown) < count:
            for block in blocks:
                by_block[block].append(len(shown))
            shown.append([place])
    return shown


def same(one: Face, other: Face) -> bool:
    """Whether two pages are near-identical."""
    if one.simhash is None or other.simhash is None or one.subject != other.subject:
        return False
    return near(one.simhash, other.simhash, min(one.words, other.words))


def _blocks(face: Face) -> list[tuple[int, int, int]]:
    """The blocks of a fingerprint, numbered (the pigeonholes of Manku, Jain and Das Sarma)."""
    if (bits := face.simhash) is None:
        return []
    return [(face.subject, number, bits >> (number * BLOCK_BITS) & ((1 << BLOCK_BITS) - 1)) for number in range(BLOCKS)]
