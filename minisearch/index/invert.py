"""Inverting: from pages with words to words with pages.

Luhn and Taube's old idea, as every engine since has used it. Each word of a batch becomes one number (keys.py);
one sort puts them in index order; `pack` makes the rows.
The same in plain Python: minisearch/textbook/mapindex.py
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import compress, pairwise
from typing import Any

import numpy as np

from minisearch.index.keys import TEXT_BITS, Run, counted, in_order
from minisearch.index.pack import pack, spelled
from minisearch.packing import ANCHOR_FIELDS, PAGE_FIELDS, Block, Ints, Row, changes
from minisearch.text import spellings
from minisearch.text.calling import Caller
from minisearch.text.chunks import GAP, Lexicon, Reader, encoded, encoded_lines
from minisearch.text.names import Parts
from minisearch.text.table import Numbers
from minisearch.text.terms import analyzer, language

MOST_PAGES = (1 << TEXT_BITS) // len(PAGE_FIELDS)
MOST_TERMS = 3_000_000  # a key has 23 bits for them; the last run may bring as many again
LETTERS_AT_A_TIME = 400_000  # few: memory that was just used need not be cleared first, and is still in the cache
LINES_AT_A_TIME = 5000
ENTRIES_AT_A_TIME = 500_000
NAMED = ("title", "headings", "anchor")  # fields by which a page can be called
LINES = ("headings", "anchor")  # fields of which each line stands for itself


@dataclass(frozen=True, slots=True)
class Document:
    """A page as the index sees it: one text a field, or several with the language of each. Headings and link texts
    stand one a line; the body may be in UTF-8 already.
    """

    page_id: int
    texts: tuple[str | bytes | tuple[tuple[str, str], ...], ...]
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

    def facts(self) -> dict[str, Any]:
        """All but its rows, which may still be in the making: it travels from process to process without them."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name != "rows"}


def invert(documents: Iterable[Document], kind: str = "page") -> Segment:
    """The segment of `documents`, at most `MOST_PAGES` of them; of fewer, if they have too many different terms."""
    inversion = _Inversion(PAGE_FIELDS if kind == "page" else ANCHOR_FIELDS)
    for document in documents:
        inversion.add(document)
        if inversion.is_full:
            break
    return inversion.segment(kind)


class _Inversion:
    """Collects the words of documents as numbers, a run of texts at a time."""

    def __init__(self, fields: tuple[str, ...]) -> None:
        self._fields = fields
        self._lexicon = Lexicon()
        self._readers: dict[str, Reader] = {}
        self._parts: dict[str, Parts] = {}  # what is known of names, by language
        self._callers: dict[tuple[str, str], Caller] = {}  # by field and language
        self._pages: list[int] = []
        self._spoken: list[int] = []
        self._lengths: list[Ints] = []
        self._runs: list[Run] = []
        self._begin_run()
        self._begin_names()

    def _begin_run(self) -> None:
        self._raw: list[bytes] = []  # the texts since the last run, part by part
        self._tags: list[str] = []  # the language of each part
        self._begins: list[int] = []  # the first part of each text
        self._letters = 0

    def _begin_names(self) -> None:
        # Lines by which pages can be called, and of which text each is, by field and language.
        self._lines: defaultdict[tuple[str, str], tuple[list[str], list[int]]] = defaultdict(lambda: ([], []))
        self._kept = 0

    @property
    def is_full(self) -> bool:
        """Whether there may be no numbers left for the terms of another run."""
        return len(self._lexicon.vocabulary) > MOST_TERMS

    def add(self, document: Document) -> None:
        """Read a document."""
        number = len(self._pages) * len(self._fields)
        spoken = language(document.language)
        for field, text in zip(self._fields, document.texts, strict=False):
            self._begins.append(len(self._raw))
            if isinstance(text, bytes):
                self._keep(text, spoken)
            elif isinstance(text, str):
                self._note(text, field, spoken, number)
            else:
                for part, tag in text:
                    self._note(part, field, language(tag), number)
            number += 1
        self._pages.append(document.page_id)
        self._know(spoken)
        self._spoken.append(list(self._readers).index(spoken))
        if self._letters > LETTERS_AT_A_TIME:
            self._end_run()

    def _note(self, part: str, field: str, spoken: str, text: int) -> None:
        """Keep a part of a text until the run is read."""
        raw = encoded_lines(part) if field in LINES else encoded(part)
        if self._begins[-1] < len(self._raw):
            raw = GAP + b" " + raw
        self._keep(raw, spoken)
        if field in NAMED:
            lines, texts = self._lines[field, spoken]
            if "\n" in part:
                lines += (more := part.split("\n"))
                texts += [text] * len(more)
                self._kept += len(more)
            else:
                lines.append(part)
                texts.append(text)
                self._kept += 1

    def _keep(self, raw: bytes, spoken: str) -> None:
        self._know(spoken)
        self._raw.append(raw)
        self._tags.append(spoken)
        self._letters += len(raw) + 1

    def _know(self, spoken: str) -> None:
        """Have a reader for a language."""
        if spoken not in self._readers:
            self._readers[spoken] = Reader(self._lexicon, analyzer(spoken))

    def _end_run(self) -> None:
        """Read the last texts."""
        chunks, sizes = self._read()
        last = len(self._pages) * len(self._fields)
        self._runs.append(Run(chunks, sizes, np.arange(last - len(sizes), last, dtype=np.int32)))
        self._lengths.append(self._lexicon.lengths(chunks, sizes).reshape(-1, len(self._fields)))
        self._begin_run()
        if self._kept > LINES_AT_A_TIME:
            self._end_names()

    def _end_names(self) -> None:
        """Read the last lines that are names."""
        names, called = self._read_names()
        self._runs.append(Run(names, np.ones(len(names), dtype=np.int64), called))
        self._begin_names()

    def _read(self) -> tuple[Numbers, Ints]:
        """The chunks of the last texts, and how many each has."""
        if len(set(self._tags)) == 1:
            chunks, sizes = self._readers[self._tags[0]].read(self._raw)
        else:
            chunks, sizes = self._read_in_turn(self._tags, self._raw)
        ends = np.append(0, np.cumsum(sizes))
        return chunks, np.diff(ends[[*self._begins, len(self._raw)]])

    def _read_in_turn(self, tags: list[str], raw: list[bytes]) -> tuple[Numbers, Ints]:
        """The chunks of parts in several languages, and how many each has."""
        found = [np.empty(0, dtype=np.int32)] * (len(raw) + 1)  # one more, for there may be no parts
        for spoken in dict.fromkeys(tags):
            those = [place for place, tag in enumerate(tags) if tag == spoken]
            chunks, sizes = self._readers[spoken].read([raw[place] for place in those])
            for place, some in zip(those, np.split(chunks, np.cumsum(sizes[:-1])), strict=True):
                found[place] = some
        return np.concatenate(found), np.array(list(map(len, found[:-1])), dtype=np.int64)

    def _read_names(self) -> tuple[Numbers, Numbers]:
        """The last lines that are names, and which text each is of."""
        names: list[int] = []
        called: list[int] = []
        for (field, spoken), (lines, texts) in self._lines.items():
            if (field, spoken) not in self._callers:
                if spoken not in self._parts:
                    self._parts[spoken] = Parts(analyzer(spoken), self._readers[spoken].words)
                self._callers[field, spoken] = Caller(self._lexicon, self._parts[spoken], titles=field == "title")
            names += self._callers[field, spoken].read(lines)
            called += texts
        order = np.argsort(called, kind="stable")
        return np.array(names, dtype=np.int32)[order], np.array(called, dtype=np.int32)[order]

    def segment(self, kind: str) -> Segment:
        """All that was read, as a segment."""
        if len(self._pages) > MOST_PAGES:
            raise ValueError(f"{len(self._pages)} pages are too many for one segment: it numbers {MOST_PAGES} at most")
        self._end_run()
        self._end_names()
        return Segment(
            kind,
            np.array(self._pages, dtype=np.int64),
            np.concatenate(self._lengths).T,
            tuple(self._readers),
            np.array(self._spoken, dtype=np.int64),
            self._rows(),
        )

    def _rows(self) -> Iterator[Row | Block]:
        """The rows of all terms, half a million words at a time."""
        met = self._met()
        if self._fields == PAGE_FIELDS:
            yield from spelled(self._spelled(met))
        terms = self._lexicon.put_in_order()
        self._readers, self._parts, self._callers = {}, {}, {}  # all is read, and they take much room
        spots, begins = in_order(self._lexicon, self._runs, met, len(terms))
        self._runs = []
        cuts = np.searchsorted(begins, np.arange(0, len(spots), ENTRIES_AT_A_TIME), side="right") - 1
        for low, high in pairwise([*cuts[changes(cuts)].tolist(), len(terms)]):
            here = spots[begins[low] : begins[high]]
            yield from pack(terms[low:high], here, begins[low : high + 1] - begins[low], len(self._fields))

    def _met(self) -> Ints:
        """How often each chunk was met."""
        return counted(self._runs, len(self._lexicon))

    def _spelled(self, met: Ints) -> list[tuple[str, int, str]]:
        """The words as they are written, which name no page."""
        least = 2 if len(met) > spellings.MANY else 1
        pieces: list[bytes] = []
        often: list[int] = []
        for reader in self._readers.values():
            chunks, numbers = reader.met
            counts = met[numbers]
            pieces += compress(chunks, (counts >= least).tolist())
            often += counts[counts >= least].tolist()
        few = spellings.FEW if least > 1 else 0  # identifiers or names of files, of which there are very many
        return [
            (spellings.MARK + word, count, written)
            for word, count, written in spellings.spellings(pieces, often)
            if count >= few or word.isalpha()
        ]
