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
RUN = 3  # words that are hashed together
SHORT = 64  # words; in a text with fewer, each may be what it is about
MANY = 0.1  # share of the words that are numbers in a text that is about numbers
ALL_BITS = (1 << 64) - 1
_UNSPACED = UNSPACED.pattern.removeprefix("[").removesuffix("]+")
_WORD = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")  # in scripts without spaces, every letter is a word


def simhash(text: str, beside: str = "") -> int:
    """The fingerprint of a text and what stands beside it, from 0 to 2**64 - 1; 0 if there are no words.

    >>> distance(simhash("to be or not to be"), simhash(" To be or  not to BE\\n"))
    0
    """
    runs, more = _runs(text), _runs(beside)
    if not runs:
        runs, more = more, runs
    if not runs:
        return 0
    lead = _lead(runs)
    if more:
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


def _runs(text: str) -> set[str]:
    """The different runs of words of a text, those that reach over its ends included."""
    words = _WORD.findall(text.lower())
    if not words:
        return set()
    if len(words) >= SHORT:
        numbers = [_is_number(word) for word in words]
        if sum(numbers) <= MANY * len(words):
            words = ["" if is_number else word for word, is_number in zip(words, numbers, strict=True)]
    edge = [""] * (RUN - 1)
    row = [*edge, *words, *edge]
    return {" ".join(run) for run in zip(*(row[start:] for start in range(RUN)), strict=False)}


def _is_number(word: str) -> bool:
    """Whether a word has digits and no letters.

    >>> [_is_number(word) for word in ("3.11.2,", "(2026)", "x86", "-")]
    [True, True, False, False]
    """
    return not word.isalpha() and any(map(str.isdecimal, word)) and not any(map(str.isalpha, word))


def _lead(runs: set[str]) -> NDArray[np.int64]:
    """By how many votes each bit wins, or loses."""
    hashes = b"".join(blake2b(run.encode("utf-8", "surrogatepass"), digest_size=8).digest() for run in runs)
    votes = np.unpackbits(np.frombuffer(hashes, np.uint8)).reshape(-1, 64).sum(axis=0, dtype=np.int64)
    lead: NDArray[np.int64] = 2 * votes - len(runs)
    return lead
