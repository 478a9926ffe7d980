"""Inverting: from pages with words to words with pages.

Luhn and Taube's old idea, as every engine since has used it. All words of a batch become numbers in four
columns (term, page, field, place); one sort puts them in index order; `packing.pack` makes the rows.
The same in plain Python: minisearch/textbook/mapindex.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from minisearch.packing import ANCHOR_FIELDS, PAGE_FIELDS, Ints, Row, pack
from minisearch.text.terms import analyzer, language

# One sortable number a word: 23 bits of term, 18 of page, 2 of field, 20 of place, and the sign.
PLACE_BITS, FIELD_BITS, DOC_BITS = 20, 2, 18
MOST_PAGES = 1 << DOC_BITS
LAST_PLACE = (1 << PLACE_BITS) - 1  # what stands later in a page counts as standing here


@dataclass(frozen=True, slots=True)
class Document:
    """A page as the index sees it: one text a field."""

    page_id: int
    texts: tuple[str, ...]
    language: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A batch of pages, inverted. `lengths` counts words, fields x pages."""

    kind: str
    pages: Ints
    lengths: Ints
    languages: tuple[str, ...]
    terms: int
    rows: Iterator[Row]


def invert(documents: Iterable[Document], kind: str = "page") -> Segment:
    """The segment of `documents`, which come with rising page ids, at most `MOST_PAGES` of them."""
    fields = PAGE_FIELDS if kind == "page" else ANCHOR_FIELDS
    vocabulary: dict[str, int] = {}
    pages: list[int] = []
    lengths: list[list[int]] = []
    languages: set[str] = set()
    term_columns: list[Ints] = []
    place_columns: list[Ints] = []
    for ordinal, document in enumerate(documents):
        pages.append(document.page_id)
        spoken = language(document.language)
        languages.add(spoken)
        analyse = analyzer(spoken).terms
        lengths.append([])
        for field, text in enumerate(document.texts):
            found, places = analyse(text)
            lengths[-1].append(places[-1] + 1 if places else 0)
            numbers = [vocabulary.setdefault(term, len(vocabulary)) for term in found]
            term_columns.append(np.array(numbers, dtype=np.int64))
            spot = ordinal << FIELD_BITS | field
            place_columns.append(np.minimum(np.array(places, dtype=np.int64), LAST_PLACE) | spot << PLACE_BITS)

    if len(pages) > MOST_PAGES:
        raise ValueError(f"{len(pages)} pages are too many for one segment: it numbers {MOST_PAGES} at most")
    terms = sorted(vocabulary)
    alphabetical = np.empty(len(terms), dtype=np.int64)
    alphabetical[[vocabulary[term] for term in terms]] = np.arange(len(terms))
    keys = np.concatenate([np.empty(0, np.int64), *term_columns])
    keys = alphabetical[keys] << (DOC_BITS + FIELD_BITS + PLACE_BITS)
    keys |= np.concatenate([np.empty(0, np.int64), *place_columns])
    keys.sort()
    return Segment(
        kind,
        np.array(pages, dtype=np.int64),
        np.array(lengths, dtype=np.int64).reshape(len(pages), len(fields)).T,
        tuple(sorted(languages)),
        len(terms),
        pack(
            terms,
            keys >> (DOC_BITS + FIELD_BITS + PLACE_BITS),
            keys >> (FIELD_BITS + PLACE_BITS) & (MOST_PAGES - 1),
            keys >> PLACE_BITS & ((1 << FIELD_BITS) - 1),
            keys & LAST_PLACE,
            len(fields),
        ),
    )
