"""Alike: which pages are near-identical, so that one of them may stand for the others.

Two pages are alike when their fingerprints are near (minisearch/text/simhash.py) and both are about the same subject
(minisearch/crawl/likeness.py): pages of a reference differ in little more than what they are about, and say that in
their titles. The number of a version is no part of it, so that a manual of 3.10 is like the same one of 3.11. What is
like the same page is one group, however far apart its ends are: a page changes a little with every version.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

from minisearch.text.simhash import ALL_BITS, NEAR, near

BLOCKS = NEAR + 1  # cut into one block more than bits may differ, two near fingerprints have a block in common
BLOCK_BITS = 64 // BLOCKS
MOST = 2000  # pages of one subject with a block in common that are compared each with each; more are too much alike

Face = tuple[int, int]  # a subject and a fingerprint


def groups(pages: Iterable[tuple[int, int, int, int]]) -> dict[int, int]:
    """page -> the number of its group, for pages that are like another; of (page, subject, fingerprint, words).

    The number is made from what the pages say: parts of a file that was cut in several agree on it.

    >>> found = groups([(1, 7, 0b1111, 500), (2, 7, 0b0111, 500), (3, 7, 0b0001, 500), (4, 8, 0b1111, 500)])
    >>> sorted(found), len(set(found.values()))
    ([1, 2, 3], 1)
    """
    having: defaultdict[Face, list[int]] = defaultdict(list)
    words: dict[Face, int] = {}
    for page, subject, bits, count in pages:
        face = (subject, bits & ALL_BITS)
        having[face].append(page)
        words[face] = max(count, words.get(face, 0))
    first = _Joined(words)
    for face in first.others():
        having[first(face)] += having.pop(face)
    return {page: _number(face) for face, those in having.items() if len(those) > 1 for page in those}


class _Joined:
    """Faces in groups: called with one, it gives the first of its group."""

    def __init__(self, words: dict[Face, int]) -> None:
        self._first = {face: face for face in words}
        blocks: defaultdict[tuple[int, int, int], list[Face]] = defaultdict(list)
        shared = Counter(subject for subject, _ in words)
        for face in sorted(face for face in words if shared[face[0]] > 1):
            for number in range(BLOCKS):
                blocks[face[0], number, face[1] >> number * BLOCK_BITS & (1 << BLOCK_BITS) - 1].append(face)
        for faces in blocks.values():
            self._compare(faces, words)

    def _compare(self, faces: Sequence[Face], words: dict[Face, int]) -> None:
        if len(faces) > MOST:
            return
        for one, other in combinations(faces, 2):
            if (one[1] ^ other[1]).bit_count() <= NEAR and near(one[1], other[1], min(words[one], words[other])):
                first, second = sorted((self(one), self(other)))
                self._first[second] = first

    def others(self) -> list[Face]:
        """Those that are not the first of their group: few."""
        return [face for face, before in self._first.items() if before != face]

    def __call__(self, face: Face) -> Face:
        while self._first[face] != face:
            self._first[face] = face = self._first[self._first[face]]
        return face


def _number(face: Face) -> int:
    """One number for a subject and a fingerprint, as SQLite can keep it."""
    subject, bits = face
    return (bits ^ subject * 0x9E3779B97F4A7C15) & ALL_BITS >> 1
