"""Simhash: 64 bits by which near-identical texts are known again.

Charikar, "Similarity estimation techniques from rounding algorithms", 2002; on the web: Manku, Jain and Das Sarma,
"Detecting near-duplicates for web crawling", WWW 2007, who take two pages for one when 3 bits differ at the most.

Every run of three words votes on each of 64 bits; the majority decides. Texts that share nearly all such runs agree
in nearly all bits. A run votes once, however often it stands there, lest a table of zeros drown the words around it.
A few numbers among many words - a date, a version, a count of visitors - are all alike to us.
What stands beside the text, such as the navigation of a page, has no more say in all than the text itself.

All is done on whole arrays: a word is hashed by taking its bytes as the digits of one large number.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from minisearch.text.scripts import UNSPACED

NEAR = 3  # bits in which near-identical texts differ at the most
RUN = 3  # words that vote together
SHORT = 64  # words; in a text with fewer, each may be what it is about
MANY = 0.1  # share of the words that are numbers in a text that is about numbers
CHUNK = 1 << 18  # letters that are worked on at a time, which bounds the memory
BASE = 0x9E3779B97F4A7C15  # odd, so that it has an inverse among the numbers modulo 2**64
INVERSE = pow(BASE, -1, 1 << 64)
ALL_BITS = (1 << 64) - 1
SHIFTS = [np.uint64(30), np.uint64(27), np.uint64(31)]  # of splitmix64, by which
FACTORS = [np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)]  # every bit comes to matter for all others

SIGN, DIGIT, LETTER = 1, 2, 4  # kinds of bytes; 0 is a blank. All that is not ASCII counts as letters.
KINDS = bytes(
    0 if chr(byte).isspace() else DIGIT if chr(byte).isdecimal() else LETTER if chr(byte).isalpha() else SIGN
    for byte in range(128)
) + bytes([LETTER] * 128)
UNSPACED_LETTER = re.compile(UNSPACED.pattern.removesuffix("+"))
ASCII = bytes(range(128))
LEADS = b"\xe0\xe1\xe3\xe4\xe5\xe6\xe7\xe8\xe9\xef\xf0"  # the first bytes of such letters in UTF-8, and of some more
CANNOT_LEAD = bytes(byte for byte in range(256) if byte not in LEADS)

Words = NDArray[np.uint64]
EDGE = np.zeros(RUN - 1, np.uint64)
MOST = 255  # votes that a byte can count


def simhash(text: str, beside: str = "") -> int:
    """The fingerprint of a text and what stands beside it, from 0 to 2**64 - 1; 0 where there are no words.

    >>> distance(simhash("to be or not to be"), simhash(" To be or  not to BE\\n"))
    0
    """
    runs, more = _runs(text, beside)
    if not len(runs):
        runs, more = more, runs
    if not len(runs):
        return 0
    lead = _lead(runs)
    if len(more):
        lead = lead + _lead(more) * min(1.0, (len(runs) / len(more)) ** 0.5)  # n voters lead by about sqrt(n) votes
    return int.from_bytes(np.packbits(lead > 0).tobytes(), "little")


def distance(one: int, other: int) -> int:
    """In how many bits two fingerprints differ, be they written with a sign or without.

    >>> distance(0b1011, 0b0010), distance((1 << 64) - 1, -1)
    (2, 0)
    """
    return ((one ^ other) & ALL_BITS).bit_count()


def near(one: int, other: int, words: int) -> bool:
    """Whether two texts are near-identical, by their fingerprints and the words of the shorter one.

    One bit may differ for every 64 words: a word more or less is nothing to a long text, and all to a short one.

    >>> near(0b111, 0b000, 500), near(0b111, 0b000, 50), near(0b111, 0b111, 50)
    (True, False, True)
    """
    return distance(one, other) <= min(NEAR, words // SHORT)


def _pieces(text: str) -> list[str]:
    """The text in pieces that end where a word does, or are very long."""
    pieces, start = [], 0
    while len(text) - start > CHUNK:
        end = max(text.rfind(blank, start, start + CHUNK) for blank in " \n") + 1 or start + CHUNK
        pieces.append(text[start:end])
        start = end
    return [*pieces, text[start:]]


def _words(raw: bytes) -> tuple[Words, NDArray[np.bool_], NDArray[np.intp]]:
    """A number for each word, which stands between blanks; which of the words are numbers themselves; and after which
    bytes they start. The first byte is a blank, and so is the last.
    """
    kind = np.frombuffer(raw.translate(KINDS), np.uint8)
    black = kind > 0
    edges = np.flatnonzero(black[1:] != black[:-1])
    # With s[i] = sum of byte * base**place up to the i-th byte, a word is (s[last] - s[before]) / base**start.
    sums = np.frombuffer(raw, np.uint8).astype(np.uint64)
    sums *= _powers(BASE, len(raw))
    there = np.add.accumulate(sums, out=sums).take(edges)
    before = edges[::2]
    words = there[1::2] - there[::2]
    words *= _powers(INVERSE, len(raw))[1:].take(before)
    return mixed(words), _numbers(kind, edges), before


def _bytes(text: str) -> bytes:
    """The text in lower case and in UTF-8, with blanks around each letter of a script that has none."""
    raw = text.encode("utf-8", "surrogatepass")
    if raw.isascii():
        return raw.lower()
    beyond = raw.translate(None, ASCII)
    letters = beyond.decode("utf-8", "surrogatepass")
    if letters.lower() == letters:  # no capitals but those that are single bytes, as in most texts
        raw = raw.lower()
    else:
        raw = beyond = text.lower().encode("utf-8", "surrogatepass")
    if beyond.translate(None, CANNOT_LEAD):
        raw = UNSPACED_LETTER.sub(r" \g<0> ", raw.decode("utf-8", "surrogatepass")).encode("utf-8", "surrogatepass")
    return raw


def _numbers(kind: NDArray[np.uint8], edges: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which words have digits in them and no letters; their edges are the bytes before and their last ones, in turn."""
    found = np.zeros(len(edges) // 2, bool)
    first, last = kind[1:].take(edges[::2]), kind.take(edges[1::2])
    first |= last
    likely = np.flatnonzero(first < LETTER)[::-1]  # from the last word on: what lies between two words is not looked at
    if len(likely):  # if it ends before it starts
        kinds = np.bitwise_or.reduceat(kind[1:], edges.reshape(-1, 2).take(likely, axis=0).ravel())[::2]
        found[likely] = kinds & (DIGIT | LETTER) == DIGIT
    return found


_known: dict[int, Words] = {}


def _powers(base: int, count: int) -> Words:
    """base ** 0, base ** 1, ... modulo 2 ** 64."""
    known = _known.get(base)
    if known is None or len(known) < count:
        known = np.full(max(count, 1 << 12), base, np.uint64)
        known[0] = 1
        known = _known[base] = np.multiply.accumulate(known)
    return known[:count]


def _runs(text: str, beside: str) -> tuple[Words, Words]:
    """A number for each different run of words in a text, those that reach over its ends included; and in what stands
    beside it. As long as both are short they are worked on together, for with arrays it is the steps that cost.
    """
    if len(text) + len(beside) <= CHUNK:
        said = _bytes(text)
        words, numbers, before = _words(b"\n%b\n%b\n" % (said, _bytes(beside)))
        border = int(np.searchsorted(before, len(said)))
        parts = [(words[:border], numbers[:border]), (words[border:], numbers[border:])]
    else:
        parts = [_read(text), _read(beside)]
    for words, numbers in parts:
        if len(words) >= SHORT and np.count_nonzero(numbers) <= MANY * len(words):
            words[numbers] = 0
    words = np.concatenate([EDGE, parts[0][0], EDGE, parts[1][0], EDGE])
    runs = words[RUN - 1 :]
    for back in range(1, RUN):
        runs = mixed(runs) + words[RUN - 1 - back : len(words) - back]
    runs = mixed(runs)
    border = len(parts[0][0]) + len(EDGE)
    one, other = runs[:border], runs[border:]
    nothing = runs[:0]
    return (
        _different(one) if len(parts[0][0]) else nothing,
        _different(other) if len(parts[1][0]) else nothing,
    )


def _read(text: str) -> tuple[Words, NDArray[np.bool_]]:
    """The words of a text of any length, and which of them are numbers."""
    pieces = [_words(b"\n%b\n" % _bytes(piece)) for piece in _pieces(text)]
    return np.concatenate([words for words, _, _ in pieces]), np.concatenate([numbers for _, numbers, _ in pieces])


def _different(numbers: Words) -> Words:
    """Each number once: np.unique, only three times as fast."""
    numbers = np.sort(numbers)
    first = np.ones(len(numbers), bool)
    np.not_equal(numbers[1:], numbers[:-1], out=first[1:])
    return numbers[first]


def mixed(numbers: Words) -> Words:
    """Each number stirred well (splitmix64)."""
    stirred = numbers >> SHIFTS[0]
    stirred ^= numbers
    stirred *= FACTORS[0]
    stirred ^= stirred >> SHIFTS[1]
    stirred *= FACTORS[1]
    stirred ^= stirred >> SHIFTS[2]
    return stirred


def _lead(runs: Words) -> NDArray[np.float64]:
    """By how many votes each bit wins, or loses."""
    rounds = -(-len(runs) // MOST)
    ballots = np.zeros(MOST * rounds, "<u8")
    ballots[: len(runs)] = runs
    # A byte for each bit, and eight of them in a number, so that one sum counts eight; none grows past a byte.
    votes = np.unpackbits(ballots.view(np.uint8)).view(np.uint64).reshape(MOST, rounds * 8)
    ayes = np.add.reduce(votes, axis=0).view(np.uint8).reshape(rounds, 64).sum(axis=0, dtype=np.int64)
    lead: NDArray[np.float64] = 2.0 * ayes - len(runs)
    return lead
