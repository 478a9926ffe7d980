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
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from minisearch.analysis.normalize import UNSPACED

NEAR = 3  # bits in which near-duplicates differ at the most
RUN = 3  # words that are hashed together: one factor for each
SHORT = 64  # words; in a text with fewer, each may be what it is about
MANY = 0.1  # share of the words that are numbers in a text that is about numbers
FACTORS = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0xC2B2AE3D27D4EB4F], dtype=np.uint64)  # any odd numbers
ALL_BITS = (1 << 64) - 1

Hashes = NDArray[np.uint64]

_UNSPACED_LETTER = re.compile(UNSPACED.pattern.removesuffix("+"))
_NUMBER = re.compile(rb"[^a-z\x80-\xff0-9]*[0-9][^a-z\x80-\xff]*")  # digits and no letters


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
    words = _words(text)
    if not words:
        return np.empty(0, dtype=np.uint64)
    hashes = np.fromiter(map(crc32, words), np.uint64, len(words))
    numbers = [place for place, word in enumerate(words) if not word.islower() and _NUMBER.fullmatch(word)]
    if len(words) >= SHORT and len(numbers) <= MANY * len(words):
        hashes[numbers] = 0
    edge = np.zeros(RUN - 1, dtype=np.uint64)
    row = np.concatenate([edge, hashes, edge])
    runs = sum(row[start : len(row) - RUN + 1 + start] * factor for start, factor in enumerate(FACTORS))
    ordered: Hashes = np.sort(runs ^ runs >> np.uint64(32))
    is_new = np.append(True, ordered[1:] != ordered[:-1])
    distinct: Hashes = ordered[is_new]
    return distinct


def _words(text: str) -> list[bytes]:
    """The words of a text in lower case; in scripts without spaces, every letter is one."""
    if not text.isascii():
        text = _UNSPACED_LETTER.sub(r" \g<0> ", text)
    return text.lower().encode("utf-8", "surrogatepass").split()


def _lead(runs: Hashes) -> NDArray[np.int64]:
    """By how many votes each bit wins, or loses."""
    votes = np.unpackbits(runs.astype(">u8").view(np.uint8)).reshape(-1, 64).sum(axis=0, dtype=np.uint32)
    lead: NDArray[np.int64] = 2 * votes.astype(np.int64) - len(runs)
    return lead
