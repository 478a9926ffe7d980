"""The index builder: from documents to a segment of postings.

    text         is cut into runs at bytes that no token can contain; a table numbers the different runs
    each run     is analysed once, when it is new: terms, and their positions within the run
    each text    (one field of one document) becomes the terms of its runs, by number, and their positions
    the matrix   texts x terms is transposed: the texts of each term, from which blocks are cut (codec.py)

The same in plain Python: minisearch/textbook/mapindex.py; in SQL: minisearch/textbook/sql_index.py
"""

from __future__ import annotations

import re
import string
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array, vstack

from minisearch.analysis import tokenizer
from minisearch.analysis.analyzer import Analyzer, analyzer, language
from minisearch.analysis.names import line_keys, title_keys
from minisearch.index.codec import ANCHOR_FIELDS, PAGE_FIELDS, differences, encode_block
from minisearch.index.wordlist import Word, word_list

LAST_POSITION = (1 << 20) - 1  # positions are exact up to this one; later words have it, too
MOST_PAGES = 250_000  # past which a segment takes no more documents
MOST_RUNS = 24_000_000  # of text, the same: it bounds the memory that a segment takes to build
BATCH_RUNS = 500_000  # of text that are replaced by their terms at a time
ANALYSED_AT_A_TIME = 50_000  # runs
ENCODED_AT_A_TIME = 1_000_000  # words that are made into blocks at a time
BLOCK_BYTES = 12_000  # of a block before compression; a term with more has a block of its own

EXACT_MATCH_FIELDS = {"title": title_keys, "headings": line_keys, "anchor": line_keys}  # whole lines are terms, too
LINE_FIELDS = ("headings", "anchor")  # of which each line is separate

# What a token may be made of (analysis/tokenizer.py), in UTF-8. All else separates.
_INSIDE = frozenset((string.ascii_letters + string.digits + "_.'-+#").encode()) | frozenset(range(128, 256))
_SEPARATORS_TO_BLANKS = bytes(byte if byte in _INSIDE else 32 for byte in range(256))
# A run that is one token, in ASCII: a word or an identifier, not so long that it would be cut off.
_PLAIN = re.compile(r"(?=.{1,64}$)[#+'\-]*([A-Za-z0-9]\w*(?:[.\-]\w+)*(?<!_))[.'\-]*$", re.ASCII)
_NOTHING = np.empty(0, dtype=np.int32)
_LINE_BREAK = b"\xff"  # a run of its own, so that words of two lines are not adjacent; in no text

Ints = NDArray[np.int32]
LanguageText = tuple[str, str]  # a text, and the tag of its language
MakeKeys = Callable[[Sequence[str], Analyzer], list[set[str]]]  # the exact-match keys of lines
Term = tuple[str, int, int, int]  # an entry of the term dictionary: the term, its df, its block, its place there


@dataclass(frozen=True, slots=True)
class Document:
    """A page to be indexed: the text of each field, or several texts in different languages.

    Headings and anchor texts are one a line.
    """

    page_id: int
    texts: tuple[str | tuple[LanguageText, ...], ...]
    language: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A batch of documents as an inverted index."""

    kind: str  # page or anchor
    pages: NDArray[np.int64]  # page ids by document number
    lengths: Ints  # words, fields x documents
    languages: tuple[str, ...]
    language: Ints  # of each document, a place in `languages`
    names: list[str]  # of the terms, in order
    places: Ints  # of each term its df, its block and its place there: 3 x terms
    blocks: list[tuple[bytes, bytes]]  # postings, positions
    words: list[Word]

    @property
    def terms(self) -> list[Term]:
        """The term dictionary. It is kept as columns, which another process can be sent sooner than tuples."""
        return [*zip(self.names, *self.places.tolist(), strict=True)]


def build_segment(documents: Iterable[Document], kind: str = "page") -> Segment:
    """The segment of `documents`, up to where it is full: see how many `pages` it has."""
    builder = _Builder(PAGE_FIELDS if kind == "page" else ANCHOR_FIELDS)
    for document in documents:
        builder.add(document)
        if builder.is_full:
            break
    return builder.segment(kind)


def build_segments(documents: Iterable[Document], kind: str = "page") -> Iterator[Segment]:
    """The segments of any number of documents, nearly always one."""
    documents = iter(documents)
    for first in documents:
        yield build_segment(chain([first], documents), kind)


class _Analysed(NamedTuple):
    """What some runs are made of: how many terms each has, its positions, and of all terms the offsets."""

    counts: Ints
    spans: Ints
    terms: list[str]
    offsets: Ints


def _analyse(runs: Sequence[bytes], analyzer: Analyzer) -> Iterator[tuple[list[int], _Analysed]]:
    """The terms of runs, as `Analyzer.terms` has them, with the places of these runs among all.

    Plain words and identifiers, which are nearly all, are cut and stemmed at one go.
    """
    texts = b"\n".join(runs).decode().split("\n")
    plain = [found and found[1] for found in map(_PLAIN.match, texts)]
    yield (
        [place for place, token in enumerate(plain) if token],
        _of_tokens([token for token in plain if token], analyzer),
    )
    others = [place for place, token in enumerate(plain) if not token]
    yield others, _of_others([texts[place] for place in others], analyzer)


def _of_tokens(tokens: list[str], analyzer: Analyzer) -> _Analysed:
    """Each word; of each identifier all of it, which has the position of the first part, then its parts."""
    cut = tokenizer.parts_of_all(tokens)
    words = [
        word.lower()
        for parts, token in zip(cut, tokens, strict=True)
        for word in (parts if len(parts) == 1 else (token, *parts))
    ]
    distinct = [*dict.fromkeys(words)]
    stems = dict(zip(distinct, analyzer.stem_plain(distinct), strict=True))
    spans = np.array([*map(len, cut)], dtype=np.int32)
    counts = spans + (spans > 1)
    offsets = np.maximum(_ranges(spans - counts, counts), 0).astype(np.int32)
    return _Analysed(counts, spans, [*map(stems.__getitem__, words)], offsets)


def _of_others(texts: list[str], analyzer: Analyzer) -> _Analysed:
    found = [analyzer.terms(text) for text in texts]
    return _Analysed(
        np.array([len(terms) for terms, _ in found], dtype=np.int32),
        np.array([offsets[-1] + 1 if offsets else 0 for _, offsets in found], dtype=np.int32),
        [term for terms, _ in found for term in terms],
        np.array([offset for _, offsets in found for offset in offsets], dtype=np.int32),
    )


def _of_lines(lines: list[str], make_keys: MakeKeys, analyzer: Analyzer) -> _Analysed:
    """The exact-match keys of lines, which take no positions."""
    found = make_keys(lines, analyzer)
    counts = np.array([*map(len, found)], dtype=np.int32)
    terms = [*chain.from_iterable(found)]
    return _Analysed(counts, np.zeros_like(counts), terms, np.zeros(len(terms), dtype=np.int32))


def _ranges(firsts: Ints | int, counts: Ints) -> Ints:
    """As many numbers as are counted, each time from the first one on.

    >>> _ranges(np.array([7, 20]), np.array([2, 3])).tolist()
    [7, 8, 20, 21, 22]
    """
    ends = np.cumsum(counts, dtype=np.int32)
    return np.arange(ends[-1] if len(ends) else 0, dtype=np.int32) + np.repeat(firsts - ends + counts, counts)


def _sums(counts: Ints) -> Ints:
    """The sum of the counts before each place, and of all.

    >>> _sums(np.array([2, 3])).tolist()
    [0, 2, 5]
    """
    sums = np.zeros(len(counts) + 1, dtype=np.int32)
    np.cumsum(counts, out=sums[1:])
    return sums


class _TokenTable:
    """The different runs of text, and lines that have exact-match keys, numbered. Number 0 is a line break."""

    def __init__(self) -> None:
        self._next_number = count(1).__next__
        self._numbers: dict[tuple[str, MakeKeys | None], dict[Any, int]] = {}

    def numbers(self, name: str, make_keys: MakeKeys | None = None) -> dict[Any, int]:
        """The numbers of the runs in a language, or of lines that have keys; what is new gets the next number."""
        kind = (name, make_keys)
        if kind not in self._numbers:
            self._numbers[kind] = defaultdict(self._next_number, {_LINE_BREAK: 0})
        return self._numbers[kind]

    def __len__(self) -> int:
        return 1 + sum(len(numbers) - 1 for numbers in self._numbers.values())

    def runs(self) -> Iterator[tuple[bytes, int]]:
        """All runs of all languages, with their numbers."""
        return chain.from_iterable(runs.items() for (_, keys), runs in self._numbers.items() if keys is None)

    def analyse(self) -> _Terms:
        """The terms of everything that has a number."""
        vocabulary: dict[str, int] = defaultdict(count().__next__)
        first, counts, span = np.zeros((3, len(self)), dtype=np.int32)
        span[0] = 1  # a line break has a position and no terms
        terms, offsets = [_NOTHING], [_NOTHING]
        size = 0
        for numbers, found in self._analysed():
            first[numbers] = size + np.cumsum(found.counts) - found.counts
            counts[numbers] = found.counts
            span[numbers] = found.spans
            size += len(found.terms)
            terms.append(np.fromiter(map(vocabulary.__getitem__, found.terms), np.int32, len(found.terms)))
            offsets.append(found.offsets)
        return _Terms([*vocabulary], first, counts, span, np.concatenate(terms), np.concatenate(offsets))

    def _analysed(self) -> Iterator[tuple[Ints, _Analysed]]:
        for (name, make_keys), numbers in self._numbers.items():
            texts = [*islice(numbers, 1, None)]  # the first one is the line break
            places = np.fromiter(islice(numbers.values(), 1, None), np.int32, len(texts))
            if make_keys:
                yield places, _of_lines(texts, make_keys, analyzer(name))
            else:
                for low in range(0, len(texts), ANALYSED_AT_A_TIME):
                    some = slice(low, low + ANALYSED_AT_A_TIME)
                    for which, analysed in _analyse(texts[some], analyzer(name)):
                        yield places[some][which], analysed


class _Terms(NamedTuple):
    """The terms of numbered runs and lines.

    Number n has `counts[n]` terms, which follow one another from `first[n]` on, each with its offset; and what comes
    after it begins `span[n]` positions later.
    """

    vocabulary: list[str]  # the terms by number
    first: Ints
    counts: Ints
    span: Ints
    terms: Ints
    offsets: Ints

    def of(self, numbers: Ints) -> tuple[Ints, Ints, Ints]:
        """How many terms some runs or lines have, and all of these terms, and their offsets."""
        counts = self.counts[numbers]
        entries = _ranges(self.first[numbers], counts)
        return counts, self.terms[entries], self.offsets[entries]


class _Builder:
    """Collects the words of documents."""

    def __init__(self, fields: tuple[str, ...]) -> None:
        self._fields = fields
        self._table = _TokenTable()
        self._pages: list[int] = []
        self._languages: dict[str, int] = defaultdict(count().__next__)
        self._language: list[int] = []
        self._count = 0  # of runs
        self._batches: list[tuple[Ints, Ints]] = []  # of texts: their runs, and where each text begins and ends
        self._begin_batch()

    def _begin_batch(self) -> None:
        self._runs: list[int] = []  # of all texts of the batch, by number
        self._bounds = [0]  # of the texts

    @property
    def is_full(self) -> bool:
        """Whether the next document belongs into another segment."""
        return len(self._pages) == MOST_PAGES or self._count + len(self._runs) > MOST_RUNS

    def add(self, document: Document) -> None:
        """Take in a document."""
        names = set()
        for field, content in zip(self._fields, document.texts, strict=True):
            parts = ((content, document.language),) if isinstance(content, str) else content
            if make_keys := EXACT_MATCH_FIELDS.get(field):
                for text, tag in parts:
                    numbers = self._table.numbers(language(tag), make_keys)
                    self._runs += map(numbers.__getitem__, text.split("\n"))
            for text, tag in parts:
                self._add_runs(text, language(tag), field in LINE_FIELDS)
            names |= {language(tag) for _, tag in parts}
            self._bounds.append(len(self._runs))
        self._pages.append(document.page_id)
        self._language.append(self._languages["+".join(sorted(names))])
        if len(self._runs) > BATCH_RUNS:
            self._end_batch()

    def _add_runs(self, text: str, name: str, by_line: bool) -> None:
        raw = text.encode("utf-8", "replace")
        if by_line:
            raw = raw.replace(b"\n", b" " + _LINE_BREAK + b" ") + b" " + _LINE_BREAK
        runs = raw.translate(_SEPARATORS_TO_BLANKS).split()
        self._runs += map(self._table.numbers(name).__getitem__, runs)

    def _end_batch(self) -> None:
        self._count += len(self._runs)
        self._batches.append((np.array(self._runs, dtype=np.int32), np.array(self._bounds)))
        self._begin_batch()

    def segment(self, kind: str) -> Segment:
        """All documents as a segment."""
        self._end_batch()
        table = self._table.analyse()
        words = self._word_list() if kind == "page" else []
        self._table = _TokenTable()  # it takes much memory
        texts = [_in_terms(runs, bounds, table) for runs, bounds in self._batches]
        places, blocks = _blocks([batch.positions for batch in texts], len(self._fields))
        names = table.vocabulary
        order = sorted(range(len(names)), key=names.__getitem__)
        return Segment(
            kind,
            np.array(self._pages, dtype=np.int64),
            np.concatenate([batch.lengths for batch in texts]).reshape(-1, len(self._fields)).T,
            (*self._languages,),
            np.array(self._language, dtype=np.int32),
            [names[term] for term in order],
            places[:, order],
            blocks,
            words,
        )

    def _word_list(self) -> list[Word]:
        frequency = np.zeros(len(self._table), dtype=np.int64)
        for runs, _ in self._batches:
            frequency += np.bincount(runs, minlength=len(frequency))
        times = frequency.tolist()
        return word_list([(run, times[number]) for run, number in self._table.runs()])


class _Texts(NamedTuple):
    """Texts in terms."""

    positions: csc_array  # texts x terms by columns: in order of term, then text; a term may be often in a text
    lengths: Ints  # of each text, in words


def _in_terms(runs: Ints, bounds: Ints, table: _Terms) -> _Texts:
    """Texts that are given by their runs: text n lies between bounds n and n + 1."""
    counts, terms, offsets = table.of(runs)
    before = _sums(table.span[runs])  # positions before each run
    begins = before[:-1] - np.repeat(before[bounds[:-1]], np.diff(bounds))
    positions = np.minimum(np.repeat(begins, counts) + offsets, LAST_POSITION)
    words = before - _sums(runs == 0)  # a line break has a position, but is no word
    starts = _sums(counts)[bounds]
    by_text = csr_array((positions, terms, starts), shape=(len(bounds) - 1, len(table.vocabulary)))
    return _Texts(by_text.tocsc(), np.diff(words[bounds]))


def _blocks(batches: Sequence[csc_array], fields: int) -> tuple[Ints, list[tuple[bytes, bytes]]]:
    """The place of each term (see `Segment`), and the blocks: of batches of texts in terms."""
    places = np.zeros((3, batches[0].shape[1]), dtype=np.int32)
    blocks: list[tuple[bytes, bytes]] = []
    ends = np.sum([batch.indptr for batch in batches], axis=0)
    cuts = np.unique(np.searchsorted(ends[:-1], np.arange(0, ends[-1], ENCODED_AT_A_TIME)))
    for low, high in pairwise([*cuts.tolist(), places.shape[1]]):
        some = vstack([batch[:, low:high] for batch in batches], format="csc")
        places[:, low:high] = _encode(some.indptr, some.indices, some.data, fields, blocks)
    return places, blocks


def _encode(bounds: Ints, texts: Ints, positions: Ints, fields: int, blocks: list[tuple[bytes, bytes]]) -> Ints:
    """Add the blocks of some terms, and give their places: term n has the texts and positions from bounds[n] on."""
    starts = np.zeros(len(texts), dtype=bool)
    starts[bounds[:-1]] = True
    cells = np.flatnonzero(starts | (np.diff(texts, prepend=-1) != 0))  # where a field of a document begins
    docs, field = np.divmod(texts[cells], fields)
    is_first = starts[cells] | (np.diff(docs, prepend=-1) != 0)
    postings = np.flatnonzero(is_first)  # the first cell of each
    tf = np.zeros((fields, len(postings)), dtype=np.int32)
    tf[field, np.cumsum(is_first) - 1] = np.diff(np.append(cells, len(texts)))
    gaps = differences(positions, cells)
    first_cells = np.searchsorted(cells, bounds)
    doc_bounds = np.searchsorted(postings, first_cells)
    steps = differences(docs[postings], doc_bounds[:-1])
    df = np.diff(doc_bounds)
    groups = list(_grouped((df * (2 + fields) + np.diff(bounds)).tolist()))
    sizes = np.array([high - low for low, high in groups], dtype=np.int32)
    places = np.array([df, len(blocks) + np.repeat(np.arange(len(sizes)), sizes), _ranges(0, sizes)])
    for low, high in groups:
        here, within = slice(doc_bounds[low], doc_bounds[high]), slice(bounds[low], bounds[high])
        blocks.append(
            encode_block(doc_bounds[low : high + 1] - doc_bounds[low], steps[here], tf[:, here], gaps[within])
        )
    return places


def _grouped(costs: Sequence[int]) -> Iterator[tuple[int, int]]:
    """(first, end) of consecutive terms that share a block; those that cost more than a block have one of their own.

    >>> list(_grouped([6000, 4000, 18000, 10, 11995]))
    [(0, 2), (2, 3), (3, 4), (4, 5)]
    """
    first = total = 0
    for place, cost in enumerate(costs):
        if place > first and total + cost > BLOCK_BYTES:
            yield first, place
            first, total = place, 0
        total += cost
    if costs:
        yield first, len(costs)
