"""What the compiled loops take and give. Arrays come back as the bytes they are made of."""

from collections.abc import Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Numbers = NDArray[np.int32]
Chunks = tuple[list[int], list[int], list[bytes]]

def count_terms(
    met: Ints, first: Numbers, count: Numbers, span: Numbers, terms: Numbers, places: Numbers, begins: Ints, /
) -> None:
    """Write into `begins`, which has one number more than there are terms, how many words stand before those of each
    term, if the chunks of a lexicon were `met` so often (postings.c).
    """

def spread(
    runs: Sequence[tuple[Numbers, Ints, Numbers]],
    first: Numbers,
    count: Numbers,
    span: Numbers,
    terms: Numbers,
    places: Numbers,
    heads: Ints,
    spots: Ints,
    /,
) -> None:
    """Write into `spots` where every word of some runs stands, those of each term from its head on; `heads` then tell
    where each ends (postings.c).
    """

def pack(spots: Ints, bounds: Ints, fields: int, chunk: int, /) -> tuple[bytes, bytes, bytes, dict[int, Chunks]]:
    """The terms between whose `bounds` these spots are: how many pages each has, how many bytes of docs and of places
    (int64, one after the other); all docs; all places; and of terms with more words than a `chunk` their places: with
    which postings the chunks begin, how many distances they have, and the chunks (postings.c).
    """

def deflate(data: bytes | memoryview, /) -> bytes:
    """Some bytes, deflated, without a header (deflate.c)."""

def joined(words: list[str], which: Numbers, sizes: Ints, /) -> list[str]:
    """Words by number, as many at a time as `sizes` tell, with blanks between; empty ones are left out (joined.c)."""

@final
class Table:
    """Chunks and their numbers; bytes that `cuts` makes blanks are in none (chunks.c)."""

    def __new__(cls, cuts: bytes, seed: int, /) -> Table: ...
    def read(self, texts: list[bytes], first: int, /) -> tuple[bytes, bytes, list[bytes]]:
        """The chunks of some texts by number (int32), how many each text has (int64), and those that were never met
        before, which are numbered from `first` on.
        """
    def cut(
        self, chunks: list[bytes], first: int, longest: int, /
    ) -> tuple[bytes, bytes, bytes, bytes, bytes, list[bytes]]:
        """Which chunks are plain (a byte each), how many words and how many places each has (int32; others none); the
        words of all of them by number, and their places (int32); and the words that were never met before, which are
        numbered from `first` on (words.c).
        """
    def number(self, terms: list[str], first: int, /) -> bytes:
        """The numbers of some terms (int32); new ones are numbered from `first` on (terms.c)."""
    def in_order(self) -> tuple[list[str], bytes]:
        """All terms in order, and the place of each by its number (int32), if they are numbered from 0 on (terms.c)."""
