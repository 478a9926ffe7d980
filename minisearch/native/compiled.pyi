"""What the compiled loops take and give. Arrays come back as the bytes they are made of."""

from typing import Any, final

from numpy.typing import NDArray

Array = NDArray[Any]

def meet(
    size: int,
    count: int,
    must: list[Array],
    barred: list[Array],
    choice: list[Array] | None,
    telling: list[Array],
    /,
) -> tuple[bytes, bytes, bytes | None]:
    """Of so many pages, those that match; those that have all words that tell something; and a list (int32) of those
    among which the first `count` are, if they are few (meet.c). Words are rows (bool) or lists of pages (int32).
    """

def first_pages(
    matched: Array,
    complete: Array,
    factor: Array,
    best: Array | None,
    count: int,
    words: list[tuple[Array | None, Array, float]],
    /,
) -> tuple[bytes, bytes]:
    """The first `count` pages (int32) and all that share the last place, and what each is worth by its words (float64),
    of which each is told with its pages (None: all), what it is worth on each, and the share of it (first.c).
    """

def first_rows(
    matched: Array,
    complete: Array,
    factor: Array,
    best: Array | None,
    count: int,
    words: list[tuple[Array | None, Array, float]],
    /,
) -> list[tuple[int, float, float, float, float, bool]]:
    """The same pages; of each its number, its score, its text score, its link factor, its score without what is due to
    rounding, and whether it has all words (first.c).
    """

def weigh(
    worth: Array,
    some: Array | None,
    docs: Array,
    fields: list[tuple[Array, Array, float, float, float]],
    k1: float,
    /,
) -> None:
    """Add to `worth`, a row of all pages or of `some` (rising), what a term is worth on its pages, `docs` (rising). Of
    each field is told how often each of them has it there, how long the field of every page is, b, the average, and
    the weight (weigh.c).
    """

def summed(raw: bytes | Array, at: int, count: int, planes: int, first: int, /) -> bytes | None:
    """So many rising numbers (int32) from `first` on, by the step from each to the next, which is in as many planes;
    None if they become too large (unpack.c).
    """

def numbers(raw: bytes | memoryview | Array, at: int, count: int, planes: int, size: int, /) -> bytes:
    """So many numbers that are in planes, of 2 or 4 bytes each (unpack.c)."""

def stretches(fields: list[Array], postings: Array, /) -> tuple[bytes, bytes]:
    """From which place on, among all of a term, those of some postings (int64, rising) are, and up to which (int64), by
    how often each posting has it in each field (places.c).
    """

def numbered(pages: Array, some: Array, /) -> bytes:
    """The number (int32) that each of some pages has among others, all uint32 or int64; -1 if it is not there. A page
    that is too far off is an OverflowError (shelves.c).
    """

def spread(size: int, numbers: Array, values: Array, /) -> bytes:
    """Values of so many pages by their numbers (int32), 0 where none is told; of less than 0 nothing is (shelves.c)."""

@final
class Table:
    """Chunks and their numbers; bytes that `cuts` makes blanks are in none (chunks.c)."""

    def __new__(cls, cuts: bytes, seed: int, /) -> Table: ...
    def read(self, texts: list[bytes], first: int, /) -> tuple[bytes, bytes, list[bytes]]:
        """The chunks of some texts by number (int32), how many each text has (int64), and those that were never met
        before, which are numbered from `first` on.
        """
