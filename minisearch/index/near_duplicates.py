"""Near-duplicates: groups of pages of which a search needs to show only one.

Two pages are near-duplicates if their fingerprints differ in a few bits (analysis/simhash.py) and both have the same
subject (parse/fingerprints.py): pages of a reference differ in little more than what they are about, which they say in
their titles. The number of a version is no part of the subject, so the manual of 3.10 is a near-duplicate of that of
3.11. A group is transitive: a page changes a little with every version, so the first and the last may differ in more.

Not all pairs of fingerprints are compared, but only those that agree in one of four parts of 16 bits, which all that
differ in three bits do (Manku, Jain and Das Sarma, "Detecting near-duplicates for web crawling", WWW 2007).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from minisearch.analysis.simhash import ALL_BITS, NEAR, SHORT

PARTS = NEAR + 1  # of a fingerprint: one more than bits may differ, so that two near ones agree in a part
PART_BITS = 64 // PARTS

Version = tuple[int, int]  # a subject and a fingerprint: pages that have both in common are one version of a text


def groups(pages: Iterable[tuple[int, int, int, int]]) -> dict[int, int]:
    """page -> the number of its group, for pages that have near-duplicates; of (page, subject, fingerprint, words).

    The number is made from the content of the pages, so that several files, or parts of one, agree on it.

    >>> found = groups([(1, 7, 0b1111, 500), (2, 7, 0b0111, 500), (3, 7, 0b0001, 500), (4, 8, 0b1111, 500)])
    >>> sorted(found), len(set(found.values()))
    ([1, 2, 3], 1)
    """
    members: defaultdict[Version, list[int]] = defaultdict(list)
    words: dict[Version, int] = {}
    for page, subject, bits, count in pages:
        version = (subject, bits & ALL_BITS)
        members[version].append(page)
        words[version] = max(count, words.get(version, 0))
    joined: defaultdict[Version, set[Version]] = defaultdict(set)
    for candidates in _candidates(words):
        for first, *others in _connected(candidates, words):
            joined[first].update(others)
            for other in others:
                joined[other].add(first)
    found: dict[int, int] = {}
    seen: set[Version] = set()
    for version in sorted(words):  # the least one of a group gives it its number
        group = [] if version in seen else [version]
        for each in group:  # which grows on the way
            seen.add(each)
            group += joined[each] - seen
            seen |= joined[each]
        duplicates = [page for each in group for page in members[each]]
        if len(duplicates) > 1:
            found |= dict.fromkeys(duplicates, _number(version))
    return found


def _candidates(versions: Iterable[Version]) -> Iterator[list[Version]]:
    """Lists of versions that may be near-duplicates: they have the subject and a part of the fingerprint in common."""
    versions = list(versions)
    shared = Counter(subject for subject, _ in versions)
    versions = [version for version in versions if shared[version[0]] > 1]
    for shift in range(0, 64, PART_BITS):
        agreeing: defaultdict[tuple[int, int], list[Version]] = defaultdict(list)
        for subject, bits in versions:
            agreeing[subject, bits >> shift & (1 << PART_BITS) - 1].append((subject, bits))
        yield from (candidates for candidates in agreeing.values() if len(candidates) > 1)


def _connected(versions: Sequence[Version], words: Mapping[Version, int]) -> Iterator[list[Version]]:
    """The groups among versions of one subject: each is near another one of its group.

    A version is compared with those that are in no group yet. Many equal versions take little time.
    """
    bits = np.array([fingerprint for _, fingerprint in versions], dtype=np.uint64)
    allowed = np.array([min(NEAR, words[version] // SHORT) for version in versions])  # as simhash.near has it
    left = np.arange(len(versions))
    while len(left):
        group, left = [int(left[0])], left[1:]
        for place in group:  # which grows on the way
            differing = np.bitwise_count(bits[left] ^ bits[place])
            is_near = differing <= np.minimum(allowed[left], allowed[place])
            group += left[is_near].tolist()
            left = left[~is_near]
            if not len(left):
                break
        yield [versions[place] for place in group]


def _number(version: Version) -> int:
    """A number for a version, as SQLite can store it. 63 bits: that two groups have the same one is no concern."""
    subject, bits = version
    return (bits ^ subject * 0x9E3779B97F4A7C15) & ALL_BITS >> 1
