"""Inverting: from pages with words to words with pages.

Luhn and Taube's old idea, as every engine since has used it. Each word of a batch becomes one number, made of its
term, page, field and place; one sort puts them in index order; `pack` makes the rows.
The same in plain Python: minisearch/textbook/mapindex.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from minisearch.index.pack import pack, spelled
from minisearch.packing import ANCHOR_FIELDS, PAGE_FIELDS, Block, Ints, Row
from minisearch.text import spellings
from minisearch.text.chunks import Caller, Lexicon, Reader
from minisearch.text.names import names_of, title_names_of
from minisearch.text.terms import analyzer, language

# One sortable number a word: 23 bits of term, 18 of page, 2 of field, 20 of place, and the sign.
PLACE_BITS, FIELD_BITS, DOC_BITS = 20, 2, 18
MOST_PAGES = 1 << DOC_BITS
LAST_PLACE = (1 << PLACE_BITS) - 1  # what stands later in a page counts as standing here
SPOT_BITS = DOC_BITS + FIELD_BITS + PLACE_BITS
MOST_TERMS = 3_000_000  # of 23 bits; the last document may bring as many again
CHUNKS_AT_A_TIME = 300_000  # few, for new memory has to be cleared before it is given out: that which was used has not
ENTRIES_AT_A_TIME = 500_000
NAMED = {"title": title_names_of, "headings": names_of, "anchor": names_of}
LINES = ("headings", "anchor")  # fields of which each line stands for itself


@dataclass(frozen=True, slots=True)
class Document:
    """A page as the index sees it: one text a field, or several with the language of each. Headings and link texts
    stand one a line.
    """

    page_id: int
    texts: tuple[str | tuple[tuple[str, str], ...], ...]
    language: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A batch of pages, inverted. `lengths` counts words, fields x pages; `spoken` tells the language of each page,
    as a place in `languages`.
    """

    kind: str
    pages: Ints
    lengths: Ints
    languages: tuple[str, ...]
    spoken: Ints
    rows: Iterator[Row | Block]


def invert(documents: Iterable[Document], kind: str = "page") -> Segment:
    """The segment of `documents`, at most `MOST_PAGES` of them; of fewer, if they have too many different terms."""
    inversion = _Inversion(PAGE_FIELDS if kind == "page" else ANCHOR_FIELDS)
    for document in documents:
        inversion.add(document)
        if inversion.is_full:
            break
    return inversion.segment(kind)


class Run(NamedTuple):
    """Texts that were read together: their chunks, how many each has, lines that are names, and where those are."""

    chunks: NDArray[np.int32]
    sizes: Ints
    lines: NDArray[np.int32]
    spots: Ints


class _Inversion:
    """Collects the words of documents as numbers, a run at a time."""

    def __init__(self, fields: tuple[str, ...]) -> None:
        self._fields = fields
        self._lexicon = Lexicon()
        self._readers: dict[str, Reader] = {}
        self._callers: dict[tuple[str, str], Caller] = {}  # by field and language
        self._pages: list[int] = []
        self._spoken: list[int] = []
        self._lengths: list[Ints] = []
        self._runs: list[Run] = []
        self._chunks: list[int] = []  # of the texts since the last run
        self._sizes: list[int] = []
        self._lines: list[int] = []  # that are names, since the last run, and where they stand
        self._spots: list[int] = []

    @property
    def is_full(self) -> bool:
        """Whether there may be no numbers left for the terms of another document."""
        return len(self._lexicon.vocabulary) > MOST_TERMS

    def add(self, document: Document) -> None:
        """Read a document."""
        spoken = language(document.language)
        spot = len(self._pages) << FIELD_BITS
        for field, text in enumerate(document.texts):
            found: list[int] = []
            for part, tag in ((text, document.language),) if isinstance(text, str) else text:
                found += [self._lexicon.gap] * bool(found) + self._read(part, field, language(tag), spot)
            self._chunks += found
            self._sizes.append(len(found))
        self._pages.append(document.page_id)
        self._reader(spoken)
        self._spoken.append(list(self._readers).index(spoken))
        if len(self._chunks) > CHUNKS_AT_A_TIME:
            self._end_run()

    def _read(self, text: str, field: int, spoken: str, spot: int) -> list[int]:
        name, reader = self._fields[field], self._reader(spoken)
        if name in NAMED:
            if (name, spoken) not in self._callers:
                self._callers[name, spoken] = Caller(self._lexicon, analyzer(spoken), NAMED[name])
            lines = text.split("\n")
            self._lines += map(self._callers[name, spoken].__getitem__, lines)
            self._spots += [(spot | field) << PLACE_BITS] * len(lines)
        return reader.read_lines(text) if name in LINES else reader.read(text)

    def _reader(self, spoken: str) -> Reader:
        if spoken not in self._readers:
            self._readers[spoken] = Reader(self._lexicon, analyzer(spoken))
        return self._readers[spoken]

    def _end_run(self) -> None:
        """Know the terms of the last texts, and keep the texts as arrays, which take less room."""
        chunks, lines = (np.array(column, dtype=np.int32) for column in (self._chunks, self._lines))
        sizes, spots = (np.array(column, dtype=np.int64) for column in (self._sizes, self._spots))
        self._runs.append(Run(chunks, sizes, lines, spots))
        self._chunks, self._sizes, self._lines, self._spots = [], [], [], []
        self._lexicon.learn()
        self._lengths.append(self._lexicon.lengths(chunks, sizes).reshape(-1, len(self._fields)))

    def segment(self, kind: str) -> Segment:
        """All that was read, as a segment."""
        if len(self._pages) > MOST_PAGES:
            raise ValueError(f"{len(self._pages)} pages are too many for one segment: it numbers {MOST_PAGES} at most")
        self._end_run()
        return Segment(
            kind,
            np.array(self._pages, dtype=np.int64),
            np.concatenate(self._lengths).T,
            tuple(self._readers),
            np.array(self._spoken, dtype=np.int64),
            self._rows(),
        )

    def _rows(self) -> Iterator[Row | Block]:
        """The rows of all terms, a few million words at a time."""
        if self._fields == PAGE_FIELDS:
            yield from spelled(self._spelled())
        terms = self._lexicon.put_in_order(SPOT_BITS)
        keys = self._keys()
        keys.sort()
        cuts = np.searchsorted(keys, keys[::ENTRIES_AT_A_TIME] >> SPOT_BITS << SPOT_BITS)  # where a term begins
        for low, high in pairwise([*np.unique(cuts).tolist(), len(keys)]):
            some = keys[low:high]
            columns = (
                some >> SPOT_BITS,
                some >> (FIELD_BITS + PLACE_BITS) & (MOST_PAGES - 1),
                some >> PLACE_BITS & ((1 << FIELD_BITS) - 1),
                some & LAST_PLACE,
            )
            of_term, of_page, field, place = (column.astype(np.int32) for column in columns)
            yield from pack(terms, of_term, of_page, field, place, len(self._fields))

    def _keys(self) -> Ints:
        """Every word that was read as one number."""
        width, begun = len(self._fields), 0
        found = []
        for run in self._runs:
            texts = np.arange(begun, begun + len(run.sizes))
            bases = (texts // width << FIELD_BITS | texts % width) << PLACE_BITS
            found.append(self._lexicon.expand(run.chunks, run.sizes, bases, LAST_PLACE))
            found.append(self._lexicon.words(run.lines, run.spots))
            begun += len(run.sizes)
        return np.concatenate(found)

    def _spelled(self) -> Iterator[Row]:
        """The words as they are written: rows that name no page."""
        met = np.zeros(len(self._lexicon), dtype=np.int64)
        for run in self._runs:
            met += np.bincount(run.chunks, minlength=len(met))
        least = 2 if len(met) > spellings.MANY else 1
        often = met.tolist()
        pieces = (
            (chunk, often[number])
            for reader in self._readers.values()
            for chunk, number in reader.items()
            if often[number] >= least
        )
        for word, count, written in spellings.spellings(pieces):
            if least > 1 and count < spellings.FEW and not word.isalpha():
                continue  # an identifier or a name of a file, of which there are very many
            yield Row(spellings.MARK + word, count, b"", b"", written)
