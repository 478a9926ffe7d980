"""What the compiled loops take and give. Arrays come back as the bytes they are made of."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Ints = NDArray[np.int64]
Numbers = NDArray[np.int32]
Chunks = tuple[list[int], list[int], list[bytes]]

promised: int  # a sum over this file, as it was when all of it was compiled

def count_chunks(runs: Sequence[tuple[Numbers, Ints, Numbers]], met: Ints, /) -> None:
    """Add to `met` how often each chunk stands in some runs (index/postings.c)."""

def count_terms(
    met: Ints, first: Numbers, count: Numbers, span: Numbers, terms: Numbers, places: Numbers, begins: Ints, /
) -> None:
    """Write into `begins`, which has one number more than there are terms, how many words stand before those of each
    term, if the chunks of a lexicon were `met` so often (index/postings.c).
    """

def spread_words(
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
    where each ends (index/postings.c).
    """

def pack(spots: Ints, bounds: Ints, fields: int, chunk: int, /) -> tuple[bytes, bytes, bytes, dict[int, Chunks]]:
    """The terms between whose `bounds` these spots are: how many pages each has, how many bytes of docs and of places
    (int64, one after the other); all docs; all places; and of terms with more words than a `chunk` their places: with
    which postings the chunks begin, how many distances they have, and the chunks (index/postings.c).
    """

def deflated(blob: bytes, head: int, short: int, /) -> bytes:
    """A blob, deflated but for its head, whose first byte then says so; as it is if it is short, or would not become
    shorter (index/deflate.c).
    """

def deflated_repeats(blob: bytes, head: int, short: int, /) -> bytes:
    """The same of a blob in which mostly one byte is repeated, many times (index/repeats.c)."""

def rows(
    terms: list[str],
    df: Ints,
    doc_sizes: Ints,
    docs: bytes,
    place_sizes: Ints,
    places: bytes,
    chunked: dict[int, Chunks],
    rare: int,
    short: int,
    full: int,
    row: type[Any],
    block: type[Any],
    /,
) -> tuple[list[Any], list[Any]]:
    """Terms as they are stored: those that are on fewer than `rare` pages, and short, in blocks of `full` bytes or so;
    and the rows of all others (index/rows.c).
    """

def joined(words: list[str], which: Numbers, sizes: Ints, /) -> list[str]:
    """Words by number, as many at a time as `sizes` tell, with blanks between; empty ones are not (text/joined.c)."""

def lengths(chunks: Numbers, sizes: Ints, spans: Numbers, gap: int, /) -> bytes:
    """How many words texts of `sizes` chunks each have, if chunk n has `spans[n]`, and the gap none (int64;
    text/lengths.c).
    """

def spelled(
    pieces: list[bytes], counts: Ints, apart: list[str], shortest: int, longest: int, seed: int, /
) -> tuple[list[tuple[str, int, str]], list[tuple[str, int]]]:
    """The words of plain letters among pieces that were counted, in order: folded, how often, and how it is written if
    not just so. Those that are folded like one of those `apart` are given by themselves: as they are written, and how
    often each (text/spelled.c).
    """

def others(lines: list[str], ask: Callable[[str], list[str]], /) -> tuple[list[bytes], bytes]:
    """Lines in UTF-8, each followed by what else it is called, and how many these are of each, itself counted (int32).
    `ask` tells what else lines are called that are not plain (text/others.c).
    """

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
    among which the first `count` are, if they are few (search/meet.c). Words are rows (bool) or lists of pages (int32).
    """

def first_pages(
    matched: Array,
    complete: Array,
    factor: Array,
    tops: bytes | None,
    best: Array | None,
    count: int,
    words: list[tuple[Array | None, Array, float, bytes | None]],
    /,
) -> tuple[bytes, bytes]:
    """The first `count` pages (int32) and all that share the last place, and what each is worth by its words (float64),
    of which each is told with its pages (None: all), what it is worth on each, and the share of it (search/first.c).
    With the `tops` of the factor, and those of words where they are known, only blocks are looked at that may have
    such a page; nothing is less than 0 then.
    """

def first_rows(
    matched: Array,
    complete: Array,
    factor: Array,
    tops: bytes | None,
    best: Array | None,
    count: int,
    words: list[tuple[Array | None, Array, float, bytes | None]],
    /,
) -> list[tuple[int, float, float, float, float, bool]]:
    """The same pages; of each its number, its score, its text score, its link factor, its score without what is due to
    rounding, and whether it has all words (search/first.c).
    """

def tops(size: int, pages: Array | None, values: Array, /) -> bytes:
    """The largest value (float64) in each block of pages: values of all pages, or of some (search/first.c)."""

def hits(
    kind: type,
    slots: tuple[Any, ...],
    names: tuple[str, ...],
    found: list[tuple[Any, tuple[int, float, float, float, float, bool]]],
    similar: dict[int, tuple[str, ...]],
    /,
) -> tuple[Any, ...]:
    """Hits of a kind that has `slots`, of pages and their rows, without passages; `names` are those of what is known of
    a page: url, title, id, language, fetched_at. Some have similar ones, by their ids (search/hits.c).
    """

def gained(known: list[Any], pages: Array, /) -> bytes | None:
    """What each of some pages gains by all pairs of words together (float64), by what is known of each pair: what it
    gains, by page; None if something is not known (search/hits.c).
    """

def find_all(text: bytes, sought: bytes, most: int, /) -> list[int]:
    """The first places of some letters in a text, no more than so many (search/finding.c)."""

def words_at(
    plain: bytes, lowered: bytes, places: list[int], known: Mapping[bytes, int], low: int, /
) -> list[tuple[int, int, int]]:
    """Where the words at some places of a text begin and end, which itself begins at `low`, and which words of the
    query they are, as it is `known`; if they are any. A blank in `lowered`, one place further right, is the end of a
    word (search/finding.c).
    """

def chances(
    matches: list[tuple[int, int, int]], worth: Callable[[int], float], width: float, least: float, sure: float, /
) -> list[tuple[float, int, int, int]]:
    """The runs of matches within `width` that may be worth most, and more than is `sure`: what each is worth, its last
    match (negative), its first, and its words, of which `worth` tells the weight; repetitions and neighbours add some
    of `least` (search/runs.c).
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
    the weight (search/weigh.c).
    """

def entry(
    inflate: Callable[..., bytes], pieces: list[tuple[bytes, int, int, int, Array | None]], fields: int, /
) -> tuple[bytes, list[bytes | None]] | None:
    """The postings of a term, packed in pieces: of each its bytes, how many pages have the term, the number of its
    shelf's first page, how many pages that has, and their numbers if they do not follow on. Gives the pages (int32) of
    all, and how often each has it in each field (uint8, uint16 or int64; None: nowhere); None if the pages do not rise,
    or are not all there any more (search/entries.c).
    """

def summed(raw: bytes | Array, at: int, count: int, planes: int, first: int, /) -> bytes | None:
    """So many rising numbers (int32) from `first` on, by the step from each to the next, which is in as many planes;
    None if they become too large (search/unpack.c).
    """

def numbers(raw: bytes | memoryview | Array, at: int, count: int, planes: int, size: int, /) -> bytes:
    """So many numbers that are in planes, of 2 or 4 bytes each (search/unpack.c)."""

def stretches(fields: list[Array], postings: Array, /) -> tuple[bytes, bytes]:
    """From which place on, among all of a term, those of some postings (int64, rising) are, and up to which (int64), by
    how often each posting has it in each field (search/places.c).
    """

def distances(
    inflate: Callable[..., bytes],
    fields: list[Array],
    shelves: tuple[tuple[int, bytes], ...],
    opened: dict[int, bytes],
    postings: Array,
    /,
) -> tuple[list[bytes], int]:
    """The distances between the places of some postings (int64, rising), in pieces, four bytes each; and how much more
    memory it takes to keep what was `opened` for it, chunk by chunk. A term is told by how often each posting has it in
    each field; and for each shelf, by how many postings are there, and their packed positions (search/distances.c).
    """

def neighbours(
    pairs: list[tuple[Array, Array, float]], pages: Array, fields: list[tuple[float, Array, float, float]], k1: float, /
) -> bytes | None:
    """What some pages (int64, rising) gain (float64) by each pair of words that stand side by side there, pair by pair.
    A pair is told by the spots of both (int64), and the smaller idf; a field by its share, how many words each page has
    there, how many on average, and b. None if some of it does not rise (search/neighbours.c).
    """

def spots(
    wanted: list[tuple[Array, Array, list[tuple[int, Array]]]], distances: list[bytes], /
) -> tuple[bytes, list[int]]:
    """The spots (int64) of some terms, and how many there are up to the last of each. Of a term are told its pages
    (int32), which of its postings are wanted (int64), and how often it has each field, by the number of that. Distances
    are those of all of them, page by page and field by field, four bytes each (search/spots.c).
    """

def numbered(pages: Array, some: Array, /) -> bytes:
    """The number (int32) that each of some pages has among others, all uint32 or int64; -1 if it is not there. A page
    that is too far off is an OverflowError (search/shelves.c).
    """

def picked(values: Array, pages: Array, /) -> bytearray:
    """What is known of some pages (float64), by their ids (uint32 or int64); NaN beyond the end (search/shelves.c)."""

def total(numbers: Array, /) -> int:
    """What some numbers (uint8, uint16 or uint32) add up to (search/shelves.c)."""

def spread(size: int, numbers: Array, values: Array, /) -> bytes:
    """Values of so many pages by their numbers (int32), 0 where none is told; numbers below 0 are passed over
    (search/shelves.c).
    """

@final
class Table:
    """Chunks and their numbers; bytes that `cuts` makes blanks are in none (text/chunks.c)."""

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
        numbered from `first` on (text/words.c).
        """
    def number(self, terms: list[str], first: int, /) -> bytes:
        """The numbers of some terms (int32); new ones are numbered from `first` on (text/terms.c)."""
    def name(
        self,
        words: list[str],
        which: Numbers,
        sizes: Ints,
        lines: list[bytes],
        mark: bytes,
        ask: Callable[[str], str],
        longest: int,
        most: int,
        first: int,
        /,
    ) -> bytes:
        """The numbers (int32) of the terms that lines are as a whole, -1 for those that are none: words by number, as
        many of each line as `sizes` tell, after a mark. Names with more letters than the `longest` are kept as
        fingerprints, those with so many blanks as `most` not at all. `ask` tells the dashes before an option where that
        takes more than ASCII. New names are numbered from `first` on (text/named.c).
        """
    def hear(
        self,
        rows: list[tuple[int, int, str, str]],
        tongues: dict[int, str],
        tables: dict[str, Table],
        about: Ints,
        ask: Callable[[int], list[str]],
        first: int,
        /,
    ) -> int:
        """Learn what the links of pages say about others: each page with each saying about it, as a number of 64 bits.
        Of each page is told how many links it has, where they lead, and their texts; `ask` gives those if the line
        cannot be cut. The text gets its number, from `first` on, in the table of the language that the page has in
        `tongues`; others are passed over. `about` tells to which page a url leads. Gives the next number that is free
        (store/sayings.c).
        """
    def texts(self) -> tuple[list[str], bytes]:
        """All chunks in no order, and the numbers (int32) that they have (store/sayings.c)."""
    def content(self) -> bytes:
        """The bytes of all chunks, end to end, in the order of their numbers (store/sayings.c)."""
    def in_order(self) -> tuple[list[str], bytes]:
        """All terms in order, and the place of each by its number (int32), which are those from 0 on (text/terms.c)."""

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
        `hides` tells whether a style keeps from the reader what it is of. (crawl/survey.c)
        """
    def read(
        self,
        numbers: bytes,
        known: dict[str, str],
        folders: tuple[str, ...],
        find: Callable[[str], str | None],
        memo: LinkMemo,
        nofollow: bool,
        /,
    ) -> tuple[str, list[tuple[int, str, int]], list[Any], list[int]]:
        """The text of a page that was surveyed; (number, text, start) of its headings; its links as they are made of
        (url, anchor, nofollow); and which of these are not plain, and are (tag, attributes, text).

        `numbers` (int32) are those of the terms that are headings, -1 for those that are not. Where links lead is
        `known`, or told by the `folders` in which the page lies, or `find` is asked. Links that were read before are
        those of the `memo`. (crawl/reading.c)
        """
    def words(self, address: int, /) -> str | None:
        """The words inside an element, None if one of them is a link."""

@final
class LinkMemo:
    """Links that were read before, each a tuple of a kind: `most` of them, as they are written in some folder, and with
    so many letters. `seed` is to be nobody else's to know (crawl/memo.c).
    """

    def __new__(cls, kind: type, most: int, letters: int, seed: int, /) -> LinkMemo: ...

class Strict:
    """A page in UTF-8 that is written by the book, and its tree, from the address `root` on (0: it is not so written).

    `functions` are the addresses of what a Tree needs for walking it, `tags` are the names of its elements by number.
    (crawl/knots.c)
    """

    functions: ClassVar[tuple[int, ...]]
    tags: ClassVar[tuple[str, ...]]
    def __new__(cls, markup: bytes, /) -> Strict: ...
    @property
    def root(self) -> int: ...

Written = tuple[list[str], bytes, list[str], bytes, bytes, bool]

@final
class LinkWriter:
    """Links by their numbers, for sending; `most` of them, and so many letters, and those of one more page
    (crawl/register.c).
    """

    def __new__(cls, most: int, letters: int, /) -> LinkWriter: ...
    def write(self, links: tuple[tuple[str, str, bool], ...], /) -> Written:
        """What is to be sent of the links of a page: urls that are new; of links that are new the numbers of their urls
        (uint32), what they say, and whether each is not to be followed (a byte); the numbers of all links (uint32);
        and whether a new register begins after this page. After an exception it is of no more use.
        """

@final
class LinkReader:
    """Links by their numbers, for whoever takes what a writer has written; `kind` is what links are, a tuple
    (crawl/register.c).
    """

    def __new__(cls, kind: type, /) -> LinkReader: ...
    def read(self, written: Written, /) -> tuple[Any, ...]:
        """The links of a page; those that were met before are the same objects."""

def simhash(text: bytes, beside: bytes, kinds: bytes, factor: int, /) -> int:
    """The fingerprint of a text and what stands beside it; `factor` is to be nobody else's to know (text/votes.c)."""

def likeness(
    text: bytes, links: tuple[tuple[str, str, bool], ...], kinds: bytes, alone: bytes, seed: int, /
) -> tuple[int, int] | None:
    """The fingerprint of a page's text, and how many words it has beside its links; None if it has letters that Python
    has to make small. Letters that are words by themselves are told as ranges, first and last (uint32); `seed` is to be
    nobody else's to know (crawl/likeness.c).
    """

def encoded(text: str, /) -> bytes:
    """A text in UTF-8, which it then keeps for whoever asks next, be it pickle (crawl/said.c)."""

def without_digits(text: bytes, /) -> bytes:
    """A text without the digits of ASCII (crawl/said.c)."""

def sketch(text: bytes, most: int, /) -> tuple[int, ...] | None:
    """The smallest hashes of the words of a text, `most` of them; None if it has capitals beyond ASCII, which Python
    has to look after (crawl/sketches.c).
    """

def is_plain_utf8(body: bytes, /) -> bool:
    """Whether bytes are UTF-8 and surely nothing else: without a byte order mark, escapes, or letters that look as if
    they were written in UTF-8 twice (crawl/plain.c).
    """

def wording(text: bytes, /) -> bytes | None:
    """The words of a text in UTF-8 one after the other, without numbers and addresses; None if there are letters that
    Python has to look after (crawl/sketches.c).
    """

def tidy(text: str, kept: bytes, /) -> str:
    """Percent-encoding with no choice left; `kept` tells which bytes may stand as they are (crawl/percent.c)."""

def link_rows(links: tuple[tuple[str, str, bool], ...], ids: dict[str, int] | dict[str, Any], /) -> list[int | str]:
    """The values of the rows of a page's links: url, anchor, nofollow, count, and so on. `ids` are those of the urls,
    or tuples that begin with them (store/rows.c).
    """

def records(kind: type, columns: tuple[tuple[Any, ...], ...], /) -> tuple[Any, ...]:
    """A record of a kind, which is a tuple, for each row of some columns (store/rows.c)."""

def known_verdicts(
    links: tuple[tuple[str, str, bool], ...],
    followed: dict[str, Any],
    shunned: dict[str, Any],
    also: str,
    folders: dict[str, tuple[str, frozenset[str]]],
    longest: int,
    room: int,
    like: tuple[Any, ...],
    /,
) -> tuple[list[Any], list[tuple[int, bool]]]:
    """What is known of each url that links lead to, and of one more, or the url itself; and in which places nothing is,
    each with whether it may be followed. It is known of those that may be, and of those that may not. Known is also
    what is no longer than `longest` and lies in one of some folders: that is like `like`, and of so many as there is
    `room` for it is known from then on (crawl/precedents.c).
    """

def headings_kept(headings: tuple[tuple[int | str, ...], ...], /) -> str:
    """Headings as JSON (store/headings.c)."""

def rising(blob: bytes, count: int, /) -> bytes:
    """So many numbers (uint32), by the step from each to the next, of a column as it is packed (store/columns.c)."""

def heading_lines(kept: list[str], ask: Callable[[str], str], /) -> list[str]:
    """The texts of the headings of pages, of each one a line. `ask` tells them of what is not kept as we keep it
    (store/headings.c).
    """

def letters(rows: tuple[tuple[str, *tuple[Any, ...]], ...], /) -> int:
    """How many letters the first values of some rows have in all, such as the urls of links (store/rows.c)."""

def columns(rows: tuple[tuple[Any, ...], ...], /) -> tuple[tuple[Any, ...], ...]:
    """The columns of some rows: what `records` makes rows of (store/rows.c)."""

def unsettled(found: tuple[Any, ...], known: dict[str, Any], teller: str, shunned: str, far: int, /) -> list[Any]:
    """Those of the urls found that are not known, or may change by being found on the page `teller` (store/rows.c)."""
