"""Simhash: a fingerprint of 64 bits that is nearly equal for texts that are nearly equal.

Charikar, "Similarity estimation techniques from rounding algorithms", 2002; on the web: Manku, Jain and Das Sarma,
"Detecting near-duplicates for web crawling", WWW 2007, who take two pages for one when at most 3 bits differ.

Every run of three words is hashed and votes on each of 64 bits; the majority decides. Texts that share nearly all such
runs agree in nearly all bits. A run votes once, however often it occurs, so that a table of zeros does not outvote the
words around it. A few numbers among many words (a date, a version, a count of visitors) all count as the same word.
What stands beside the text, such as the navigation of a page, has no more weight in all than the text itself.
"""

from __future__ import annotations

import re
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from minisearch.analysis.normalize import UNSPACED

NEAR = 3  # bits in which near-duplicates differ at the most
RUN = 3  # words that are hashed together: one factor for each
SHORT = 64  # words; in a text with fewer, each may be what it is about
MANY = 0.1  # share of the words that are numbers in a text that is about numbers
FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], dtype=np.uint64)  # any odd numbers
ALL_BITS = (1 << 64) - 1
REMEMBERED = 100_000  # words

Hashes = NDArray[np.uint64]

_UNSPACED = UNSPACED.pattern.removeprefix("[").removesuffix("]+")
_WORD = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")  # in scripts without spaces, every letter is a word


def simhash(text: str, beside: str = "") -> int:
    """The fingerprint of a text and what stands beside it, from 0 to 2**64 - 1; 0 if there are no words.

    >>> distance(simhash("to be or not to be"), simhash(" To be or  not to BE\\n"))
    0
    """
    runs, more = _runs(text), _runs(beside)
    if not len(runs):
        runs, more = more, runs
    if not len(runs):
        return 0
    lead = _lead(runs)
    if len(more):
        lead = lead + _lead(more) * min(1.0, (len(runs) / len(more)) ** 0.5)  # n voters lead by about sqrt(n) votes
    return int.from_bytes(np.packbits(lead > 0).tobytes())


def distance(one: int, other: int) -> int:
    """In how many bits two fingerprints differ, be they written with a sign or without.

    >>> distance(0b1011, 0b0010), distance((1 << 64) - 1, -1)
    (2, 0)
    """
    return ((one ^ other) & ALL_BITS).bit_count()


def near(one: int, other: int, words: int) -> bool:
    """Whether two texts are near-duplicates, by their fingerprints and the number of words of the shorter one.

    One bit may differ for every 64 words: a word more or less is nothing in a long text, and much in a short one.

    >>> near(0b111, 0b000, 500), near(0b111, 0b000, 50), near(0b111, 0b111, 50)
    (True, False, True)
    """
    return distance(one, other) <= min(NEAR, words // SHORT)


def _runs(text: str) -> Hashes:
    """The hashes of the different runs of words of a text, those that reach over its ends included."""
    text = text.lower()
    words = _WORD.findall(text) if UNSPACED.search(text) else text.split()
    if not words:
        return np.empty(0, dtype=np.uint64)
    hashes = np.fromiter(map(_hashes.__getitem__, words), np.uint64, len(words))
    if len(words) >= SHORT:
        without_numbers = np.fromiter(map(_hashes_without_numbers.__getitem__, words), np.uint64, len(words))
        if np.count_nonzero(without_numbers) >= (1 - MANY) * len(words):
            hashes = without_numbers
    edge = np.zeros(RUN - 1, dtype=np.uint64)
    row = np.concatenate([edge, hashes, edge])
    runs = sum(row[start : len(row) - RUN + 1 + start] * factor for start, factor in enumerate(FACTORS))
    ordered: Hashes = np.sort(runs ^ runs >> np.uint64(32))
    is_new = np.append(True, ordered[1:] != ordered[:-1])
    distinct: Hashes = ordered[is_new]
    return distinct


class _WordHashes(dict[str, int]):
    """The hash of each word, computed when it is first asked for; with `skip_numbers` that of a number is 0."""

    def __init__(self, *, skip_numbers: bool = False) -> None:
        self._skip_numbers = skip_numbers

    def __missing__(self, word: str) -> int:
        if len(self) >= REMEMBERED:
            self.clear()
        if self._skip_numbers and _is_number(word):
            self[word] = 0
        else:
            self[word] = int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest())
        return self[word]


_hashes = _WordHashes()
_hashes_without_numbers = _WordHashes(skip_numbers=True)


def _is_number(word: str) -> bool:
    """Whether a word has digits and no letters.

    >>> [_is_number(word) for word in ("3.11.2,", "(2026)", "x86", "-")]
    [True, True, False, False]
    """
    return not word.isalpha() and any(map(str.isdecimal, word)) and not any(map(str.isalpha, word))


def _lead(runs: Hashes) -> NDArray[np.int64]:
    """By how many votes each bit wins, or loses."""
    votes = (
        np.unpackbits(runs.astype(">u8").view(np.uint8)).reshape(-1, 64).sum(axis=0, dtype=np.uint32).astype(np.int64)
    )
    lead: NDArray[np.int64] = 2 * votes - len(runs)
    return lead
