"""What the compiled loops take and give. Arrays come back as the bytes they are made of."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, final

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

@final
class Tree:
    """A page as the parser of `owner` keeps it from `root` on, which it reads by the parser's own `functions`.

    `root` and `functions` are addresses. `what` tells of each element that the parser knows by its number (uint16),
    and `others` of some by their names, what it is to us (tree.h).
    """

    def __new__(
        cls, owner: object, root: int, functions: tuple[int, ...], what: bytes, others: dict[str, int], /
    ) -> Tree: ...
    def survey(
        self, hides: Callable[[str], bool], /
    ) -> tuple[
        Mapping[str, str | None],
        str | None,
        list[Mapping[str, str | None]],
        list[tuple[Mapping[str, str | None], int]],
        list[tuple[Mapping[str, str | None], int]],
        list[list[Any]],
        list[list[Any]],
        int,
    ]:
        """The attributes of the page; its title; those of its <base>s; of its <meta>s, and in how many <noscript>s each
        is; of its <link>s, and whether each is in the body; its headings, then its terms: [level, address, in how many
        others it is, its id, its section's, and the first inside it, if there is one]; and how many links there are.
        `hides` tells whether a style keeps from the reader what it is of. (survey.c)
        """
    def read(
        self,
        numbers: bytes,
        known: dict[str, str],
        folders: tuple[str, ...],
        find: Callable[[str], str | None],
        link: type,
        nofollow: bool,
        /,
    ) -> tuple[str, list[tuple[int, str, int]], list[Any], list[int]]:
        """The text of a page that was surveyed; (number, text, start) of its headings; its links as they are made of
        (url, anchor, nofollow); and which of these are not plain, and are (tag, attributes, text).

        `numbers` (int32) are those of the terms that are headings, -1 for those that are not. Where links lead is
        `known`, or told by the `folders` in which the page lies, or `find` is asked. (reading.c)
        """
    def words(self, address: int, /) -> str | None:
        """The words inside an element, None if one of them is a link."""

def simhash(text: bytes, beside: bytes, kinds: bytes, factor: int, /) -> int:
    """The fingerprint of a text and what stands beside it; `factor` is to be nobody else's to know (votes.c)."""

def tidy(text: str, kept: bytes, /) -> str:
    """Percent-encoding with no choice left; `kept` tells of each byte whether it may stand as it is (percent.c)."""

def link_rows(page: int, links: tuple[tuple[str, str, bool], ...], ids: dict[str, int], /) -> list[Any]:
    """The values of the rows of a page's links: page, n, url, anchor, nofollow, count, and so on (rows.c)."""

def records(kind: type, columns: tuple[tuple[Any, ...], ...], /) -> tuple[Any, ...]:
    """A record of a kind, which is a tuple, for each row of some columns (rows.c)."""

def unsettled(found: tuple[Any, ...], lately: dict[str, Any], teller: str, shunned: str, far: int, /) -> list[Any]:
    """Those of the urls found that are not known, or may change by being found on the page `teller` (rows.c)."""
