"""A hash table that is asked for whole arrays: the number of every chunk of a text, with no loop over chunks.

A chunk is known by two numbers of 64 bits: its bytes, as long as they fit; of longer ones a fingerprint. They are
compared at one go for all chunks; only those that are not in their slot, because another one was there first, go on to
the next slot (Peterson's linear probing, 1957). Very long chunks, of which there are few, are in a dictionary.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minisearch.text.simhash import mixed

NONE = -1  # the number of what was never met
LONGEST = 64  # bytes of a chunk that is in the table
PADDING = b" " * 8  # is read together with the last chunk
FIRST_SLOTS = 1 << 12
ROOM = 3  # slots for each chunk, at least: with more of them free, fewer have to go on
MIX, REMIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)  # odd, with bits in all places
HALF = np.uint64(32)
SEEDS = np.frombuffer(os.urandom(16), np.uint64)  # other ones in every process: nobody can make twins
MASKS = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)  # leaves so many bytes of a number

Places = NDArray[np.intp]  # in bytes, or slots
Halves = NDArray[np.uint64]
Numbers = NDArray[np.int32]
Ints = NDArray[np.int64]


class Table:
    """Chunks and their numbers; bytes that `cuts` makes blanks are in none."""

    def __init__(self, cuts: bytes) -> None:
        self._cuts = cuts
        self._long: dict[bytes, int] = {}
        self._make(FIRST_SLOTS)

    def read(self, texts: list[bytes], first: int) -> tuple[Numbers, Ints, list[bytes]]:
        """The chunks of some texts by number, how many each text has, and those that were never met before, which are
        numbered from `first` on.
        """
        raw = b"".join([b" ", b" ".join(texts).translate(self._cuts), b" ", PADDING])
        black = np.frombuffer(raw, np.uint8) != ord(" ")
        edges = np.flatnonzero(black[1:] != black[:-1]) + 1
        starts, stops = edges[::2], edges[1::2]
        numbers = self.find(raw, starts, stops)
        new = np.flatnonzero(numbers == NONE)
        fresh = list(dict.fromkeys(cut_out(raw, starts[new], stops[new])))
        if fresh:
            self.add(fresh, first)
            numbers[new] = self.find(raw, starts[new], stops[new])
        ends = np.searchsorted(starts, np.cumsum([len(text) + 1 for text in texts], dtype=np.int64))
        return numbers, np.diff(ends, prepend=0), fresh

    def _make(self, slots: int) -> None:
        self._low, self._high = (np.zeros(slots, np.uint64) for _ in range(2))
        self._number = np.full(slots, NONE, np.int32)
        self._size = 0

    def find(self, raw: bytes, starts: Places, stops: Places) -> Numbers:
        """The numbers of the chunks of `raw`, `NONE` for those that are new. `raw` ends with `PADDING`."""
        sizes = stops - starts
        low, high = _halves(raw, starts, sizes)
        slots = self._home(low, high)
        found = self._number[slots]
        astray = np.flatnonzero((self._low[slots] != low) | (self._high[slots] != high))
        while len(astray := astray[found[astray] != NONE]):
            slots[astray] = here = (slots[astray] + 1) & (len(self._number) - 1)
            found[astray] = self._number[here]
            astray = astray[(self._low[here] != low[astray]) | (self._high[here] != high[astray])]
        long = np.flatnonzero(sizes > LONGEST)
        found[long] = [self._long.get(chunk, NONE) for chunk in cut_out(raw, starts[long], stops[long])]
        return found

    def add(self, chunks: list[bytes], first: int) -> None:
        """Number some chunks, which are new and all different, from `first` on."""
        sizes = np.array(list(map(len, chunks)), dtype=np.intp)
        self._long.update((chunks[place], first + place) for place in np.flatnonzero(sizes > LONGEST).tolist())
        short = np.flatnonzero(sizes <= LONGEST)
        low, high = _halves(b"".join([*chunks, PADDING]), (np.cumsum(sizes) - sizes)[short], sizes[short])
        if (self._size + len(short)) * ROOM > len(self._number):
            self._grow((self._size + len(short)) * ROOM * 2)
        self._put(low, high, (short + first).astype(np.int32))

    def _grow(self, slots: int) -> None:
        used = np.flatnonzero(self._number != NONE)
        columns = self._low[used], self._high[used], self._number[used]
        self._make(1 << slots.bit_length())
        self._put(*columns)

    def _put(self, low: Halves, high: Halves, numbers: Numbers) -> None:
        slots = self._home(low, high)
        self._size += len(slots)
        while len(slots):
            free = self._number[slots] == NONE
            self._number[slots[free]] = numbers[free]  # of several that come to one slot, one stays
            stays = self._number[slots] == numbers
            self._low[slots[stays]], self._high[slots[stays]] = low[stays], high[stays]
            low, high, numbers = (column[~stays] for column in (low, high, numbers))
            slots = (slots[~stays] + 1) & (len(self._number) - 1)

    def _home(self, low: Halves, high: Halves) -> Places:
        """The slot in which each is looked for first."""
        home: Halves = low * MIX
        home += high * REMIX
        home ^= home >> HALF
        home *= MIX
        home >>= np.uint64(65 - len(self._number).bit_length())
        return home.astype(np.intp)


def cut_out(raw: bytes, starts: Places, stops: Places) -> list[bytes]:
    """Some chunks of `raw` themselves."""
    return [raw[start:stop] for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)]


def _halves(raw: bytes, starts: Places, sizes: Places) -> tuple[Halves, Halves]:
    """Two numbers for each chunk: its first 8 bytes and the next 8; of what is longer, all others are mixed in."""
    words: NDArray[Any] = np.ndarray(len(raw) - 7, "<u8", raw, strides=(1,))  # one begins at every byte
    low = words[starts] & MASKS[np.minimum(sizes, 8)]
    high = np.zeros_like(low)
    longer = np.flatnonzero(sizes > 8)
    high[longer] = words[starts[longer] + 8] & MASKS[np.minimum(sizes[longer] - 8, 8)]
    for past in range(16, LONGEST, 8):
        longer = longer[sizes[longer] > past]
        more = words[starts[longer] + past] & MASKS[np.minimum(sizes[longer] - past, 8)]
        low[longer] = mixed(low[longer] ^ SEEDS[0]) ^ more
        high[longer] = mixed(high[longer] ^ SEEDS[1]) ^ more
    return low, high
