"""Inverting: from pages with words to words with pages.

Luhn and Taube's old idea, as every engine since has used it. All words of a batch become numbers in four
columns (term, page, field, place); one sort puts them in index order; `pack` makes the rows.
The same in plain Python: minisearch/textbook/mapindex.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from minisearch.index.pack import pack, spelled
from minisearch.packing import ANCHOR_FIELDS, PAGE_FIELDS, Block, Ints, Row
from minisearch.text import spellings
from minisearch.text.chunks import Caller, Lexicon, Reader
from minisearch.text.names import names, title_names
from minisearch.text.terms import analyzer, language

# One sortable number a word: 23 bits of term, 18 of page, 2 of field, 20 of place, and the sign.
PLACE_BITS, FIELD_BITS, DOC_BITS = 20, 2, 18
MOST_PAGES = 1 << DOC_BITS
LAST_PLACE = (1 << PLACE_BITS) - 1  # what stands later in a page counts as standing here
SPOT_BITS = DOC_BITS + FIELD_BITS + PLACE_BITS
MOST_TERMS = 3_000_000  # of 23 bits; the last document may bring as many again
CHUNKS_AT_A_TIME = 2_000_000
ENTRIES_AT_A_TIME = 4_000_000
NAMED = {"title": title_names, "headings": names, "anchor": names}
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
        self._runs: list[Ints] = []
        self._chunks: list[int] = []  # of the texts since the last run
        self._sizes: list[int] = []
        self._met: list[Ints] = []  # of each run, how often each chunk was met
        self._begun = 0  # texts before the last run
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
        """Turn the chunks of the last texts into numbers that can be sorted."""
        sizes, chunks, lines, spots = (
            np.array(column, dtype=np.int64) for column in (self._sizes, self._chunks, self._lines, self._spots)
        )
        texts = np.arange(self._begun, self._begun + len(sizes))
        width = len(self._fields)
        bases = (texts // width << FIELD_BITS | texts % width) << PLACE_BITS
        words, lengths = self._lexicon.expand(chunks, sizes, bases, SPOT_BITS, LAST_PLACE)
        self._runs += [words, self._lexicon.words(lines, spots, SPOT_BITS)]
        self._met.append(np.bincount(chunks))
        self._lengths.append(lengths.reshape(-1, width))
        self._begun += len(sizes)
        self._chunks, self._sizes, self._lines, self._spots = [], [], [], []

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
        terms = sorted(self._lexicon.vocabulary)
        place = np.empty(len(terms), dtype=np.int64)  # in the alphabet, of each term by its number
        place[[self._lexicon.vocabulary[term] for term in terms]] = np.arange(len(terms))
        sizes = np.zeros(len(terms), dtype=np.int64)
        for run in self._runs:
            alphabetical = place[run >> SPOT_BITS]
            sizes += np.bincount(alphabetical, minlength=len(terms))
            run &= (1 << SPOT_BITS) - 1
            run |= alphabetical << SPOT_BITS
        cuts = np.searchsorted(np.cumsum(sizes), np.arange(0, sizes.sum() + ENTRIES_AT_A_TIME, ENTRIES_AT_A_TIME))
        if self._fields == PAGE_FIELDS:
            yield from spelled(self._spelled())
        for low, high in zip(cuts.tolist(), [*cuts.tolist()[1:], len(terms)], strict=True):
            first, last = low << SPOT_BITS, high << SPOT_BITS
            keys = np.concatenate([run[(run >= first) & (run < last)] for run in self._runs]) - first
            keys.sort()
            yield from pack(
                terms[low:high],
                keys >> SPOT_BITS,
                keys >> (FIELD_BITS + PLACE_BITS) & (MOST_PAGES - 1),
                keys >> PLACE_BITS & ((1 << FIELD_BITS) - 1),
                keys & LAST_PLACE,
                len(self._fields),
            )

    def _spelled(self) -> Iterator[Row]:
        """The words as they are written: rows that name no page."""
        met = np.zeros(len(self._lexicon), dtype=np.int64)
        for counted in self._met:
            met[: len(counted)] += counted
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
