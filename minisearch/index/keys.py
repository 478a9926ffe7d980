"""Keys: every word that was read as one number, made of its term, its text and its place there. Sorted, they are in
the order of the index.

Most chunks of a text have one term. So the number of a chunk leads at once to all that has to be known of it, which is
itself one number; what else the others have is added apart.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from minisearch.packing import Ints
from minisearch.text.chunks import Lexicon
from minisearch.text.table import Numbers

# 23 bits of term, 20 of text, 20 of place, and the sign.
PLACE_BITS, TEXT_BITS = 20, 20
SPOT_BITS = TEXT_BITS + PLACE_BITS
LAST_PLACE = (1 << PLACE_BITS) - 1  # what stands later in a page counts as standing here
LAST_TEXT = (1 << TEXT_BITS) - 1
TERM = -1 << SPOT_BITS  # leaves the term of a key
NOTHING = (1 << 63 - SPOT_BITS) - 1  # stands for a term: of a chunk that has none
RUNS_AT_A_TIME = 50


class Run(NamedTuple):
    """Texts that were read together: their chunks, how many each has, and the numbers of the texts."""

    chunks: Numbers
    sizes: Ints
    texts: Numbers


def counted(runs: list[Run], chunks: int) -> Ints:
    """How often each of so many chunks stands in some runs."""
    met = np.zeros(chunks, dtype=np.int64)
    for low in range(0, len(runs), RUNS_AT_A_TIME):
        some = np.concatenate([run.chunks for run in runs[low : low + RUNS_AT_A_TIME]])
        met += np.bincount(some, minlength=len(met))
    return met


def in_order(lexicon: Lexicon, runs: list[Run], met: Ints, terms: int) -> tuple[Ints, Ints]:
    """The spots of all words, term by term and rising: the text and the place there as one number; and where those of
    each term begin, and of the last one end. The lexicon has its terms in order, and each chunk was met so often.
    """
    made = Keys(lexicon)
    keys = np.empty(made.count(met), dtype=np.int64)
    stop = 0
    for run in runs:
        stop += made.fill(keys[stop:], *run)
    keys.sort()
    begins = np.searchsorted(keys, np.arange(terms + 1) << SPOT_BITS)
    keys &= ~TERM
    return keys[: begins[-1]], begins


class Keys:
    """Makes keys of chunks. The lexicon has its terms in order, and learns no more."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._first, self._count, span, terms, places = lexicon.columns()
        self._entries = terms.astype(np.int64) << SPOT_BITS
        self._entries += np.minimum(places, LAST_PLACE)
        # Of each chunk its first term, which stands where it begins; in place of the text how far it reaches, and in
        # place of the place how many more terms it has.
        self._chunks = np.full(len(span), NOTHING << SPOT_BITS)
        full = np.flatnonzero(self._count)
        self._chunks[full] = self._entries[self._first[full]] & TERM
        self._chunks[full] |= np.minimum(self._count[full] - 1, LAST_PLACE)
        self._chunks |= np.minimum(span, LAST_TEXT).astype(np.int64) << PLACE_BITS

    def count(self, met: Ints) -> int:
        """How many keys there are of chunks that were met so often."""
        return int(met @ np.maximum(self._count, 1))

    def fill(self, keys: Ints, chunks: Numbers, sizes: Ints, texts: Numbers) -> int:
        """Write the keys of texts of `sizes` chunks each, which have these numbers, in no order; gives how many there
        are. Those of chunks without terms are after all others once they are sorted.
        """
        found = self._chunks[chunks]
        spots = found >> PLACE_BITS
        spots &= LAST_TEXT
        ends = np.cumsum(spots)
        np.subtract(ends, spots, out=spots)
        stops = np.cumsum(sizes)
        reach = np.append(0, ends)
        begins = reach[stops - sizes]  # each text begins at place 0
        spots += np.repeat((texts.astype(np.int64) << PLACE_BITS) - begins, sizes)
        if int((reach[stops] - begins).max(initial=0)) > LAST_PLACE:
            np.minimum(spots, np.repeat(texts.astype(np.int64) << PLACE_BITS | LAST_PLACE, sizes), out=spots)
        more = np.flatnonzero((found & LAST_PLACE).astype(np.int32))
        found &= TERM
        np.add(found, spots, out=keys[: len(found)])
        return len(found) + self._fill_others(keys[len(found) :], chunks[more], spots[more])

    def _fill_others(self, keys: Ints, chunks: Numbers, spots: Ints) -> int:
        """The same of the terms of chunks that are not the first ones."""
        having = self._count[chunks] - 1
        entries = np.repeat(self._first[chunks] + 1 - (np.cumsum(having) - having), having)
        entries += np.arange(len(entries))
        spots = np.repeat(spots, having)
        last = spots | LAST_PLACE
        spots += self._entries[entries] & LAST_PLACE
        np.minimum(spots, last, out=spots)
        np.add(spots, self._entries[entries] & TERM, out=keys[: len(spots)])
        return len(spots)
