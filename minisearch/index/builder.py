"""The index builder: from documents to a segment of postings.

    text         is cut into runs at bytes that no token can contain; a table numbers the different runs
    each run     is analysed once, when it is new: terms, and their positions within the run
    each word    becomes one integer, term | text | position, where a text is one field of one document
    one sort     puts these integers in index order, from which the blocks of postings are cut (codec.py)

The same in plain Python: minisearch/textbook/mapindex.py; in SQL: minisearch/textbook/sql_index.py
"""

from __future__ import annotations

import re
import string
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice, pairwise, repeat
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from minisearch.analysis import tokenizer
from minisearch.analysis.analyzer import Analyzer, analyzer, language
from minisearch.analysis.names import line_keys, title_keys
from minisearch.index.codec import ANCHOR_FIELDS, PAGE_FIELDS, differences, encode_block
from minisearch.index.wordlist import Word, word_list

POSITION_BITS, TEXT_BITS = 21, 20  # of a key; the other 22 are for the term
LAST_POSITION = (1 << POSITION_BITS - 1) - 1  # positions of runs, and within a run, are exact up to this one
MOST_TERMS = 2_000_000  # past which a segment takes no more documents
MOST_WORDS = 24_000_000  # the same: it bounds the memory that a segment takes to build
BATCH_RUNS = 200_000  # of text that are analysed at a time
SORTED_AT_A_TIME = 1_000_000  # keys that are made into blocks at a time
BLOCK_BYTES = 6_000  # of a block before compression; a term with more has a block of its own

EXACT_MATCH_FIELDS = ("title", "headings", "anchor")  # of which whole lines are terms too (analysis/names.py)
LINE_FIELDS = ("headings", "anchor")  # of which each line is separate

# What a token may be made of (analysis/tokenizer.py), in UTF-8. All else separates.
_INSIDE = frozenset((string.ascii_letters + string.digits + "_.'-+#").encode()) | frozenset(range(128, 256))
_SEPARATORS_TO_BLANKS = bytes(byte if byte in _INSIDE else 32 for byte in range(256))
# A run that is one token: a word that cannot be cut, or an identifier of several parts; neither is so long that it
# would be cut off.
_PLAIN = re.compile(
    r"(?=.{1,64}$)[#+'\-]*(?:([A-Z]?[a-z0-9]+|[A-Z]+(?:[0-9][a-z0-9]*)?)|([A-Za-z0-9]\w*(?:[.\-]\w+)*(?<!_)))[.'\-]*$",
    re.ASCII,
)
_LINE_BREAK = b"\xff"  # a run of its own, so that words of two lines are not adjacent; in no text

Ints = NDArray[np.int64]
LanguageText = tuple[str, str]  # a text, and the tag of its language
Term = tuple[str, int, int, int]  # an entry of the term dictionary: the term, its df, its block, its place there


@dataclass(frozen=True, slots=True)
class Document:
    """A page to be indexed: the text of each field, or several texts in different languages; bytes are UTF-8.

    Headings and anchor texts are one a line.
    """

    page_id: int
    texts: tuple[str | bytes | tuple[LanguageText, ...], ...]
    language: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A batch of documents as an inverted index."""

    kind: str  # page or anchor
    pages: Ints  # page ids by document number
    lengths: Ints  # words, fields x documents
    languages: tuple[str, ...]
    language: Ints  # of each document, a place in `languages`
    terms: list[Term]
    blocks: list[tuple[bytes, bytes]]  # postings, positions
    words: list[Word]


def build_segment(documents: Iterable[Document], kind: str = "page") -> Segment:
    """The segment of `documents`, up to where it is full: see how many `pages` it has."""
    builder = _Builder(PAGE_FIELDS if kind == "page" else ANCHOR_FIELDS)
    for document in documents:
        builder.add(document)
        if builder.is_full:
            break
    return builder.segment(kind)


def build_segments(documents: Sequence[Document], kind: str = "page") -> Iterator[Segment]:
    """The segments of any number of documents, nearly always one."""
    while documents:
        segment = build_segment(documents, kind)
        yield segment
        documents = documents[len(segment.pages) :]


class _TokenTable:
    """The different runs of text, numbered, with the terms of each.

    Run n has `count[n]` terms, which follow one another from `first[n]` on as keys, with their offset as the position;
    and the next run begins `span[n]` positions later.
    """

    def __init__(self, vocabulary: dict[str, int]) -> None:
        self._vocabulary = vocabulary
        self.languages: dict[str, dict[bytes, int]] = {}
        self._counter = count(1)  # number 0 is a line break, which has no terms
        self._analysed: dict[str, int] = {}  # how many runs of each language
        self._first, self._count = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
        self.span = np.ones(1, dtype=np.int64)
        self._keys = np.empty(0, dtype=np.int64)

    def numbers(self, name: str) -> dict[bytes, int]:
        """The numbers of the runs in a language; a new run gets the next number."""
        if name not in self.languages:
            self.languages[name] = defaultdict(self._counter.__next__, {_LINE_BREAK: 0})
            self._analysed[name] = 1
        return self.languages[name]

    def __len__(self) -> int:
        return 1 + sum(len(runs) - 1 for runs in self.languages.values())

    def analyse(self) -> None:
        """Analyse the runs that are new."""
        more = np.zeros(len(self) - len(self._count), dtype=np.int64)
        self._first, self._count, self.span = (
            np.append(column, more) for column in (self._first, self._count, self.span)
        )
        for name, numbers in self.languages.items():
            runs = [*islice(numbers, self._analysed[name], None)]
            places = np.fromiter(islice(numbers.values(), self._analysed[name], None), np.int64, len(runs))
            self._analysed[name] += len(runs)
            if not runs:
                continue
            for which, analysed in _analyse(runs, analyzer(name)):
                self._learn(places[np.array(which, dtype=np.int64)], analysed)

    def _learn(self, runs: Ints, analysed: _Analysed) -> None:
        self._first[runs] = len(self._keys) + np.cumsum(analysed.counts) - analysed.counts
        self._count[runs] = analysed.counts
        self.span[runs] = analysed.spans
        terms = np.fromiter(map(self._vocabulary.__getitem__, analysed.terms), np.int64, len(analysed.terms))
        self._keys = np.append(
            self._keys, terms << TEXT_BITS + POSITION_BITS | np.minimum(analysed.offsets, LAST_POSITION)
        )

    def keys(self, runs: Ints, places: Ints) -> Ints:
        """The keys of all terms of some runs, each of which begins at a place: text | position."""
        counts = self._count[runs]
        entries = np.repeat(self._first[runs] - (np.cumsum(counts) - counts), counts)
        entries += np.arange(len(entries))
        found: Ints = self._keys[entries]
        found += np.repeat(places, counts)
        return found


class _Analysed(NamedTuple):
    """What some runs are made of: how many terms each has, its positions, and of all terms the offsets."""

    counts: Ints
    spans: Ints
    terms: list[str]
    offsets: Ints


def _analyse(runs: list[bytes], analyzer: Analyzer) -> Iterator[tuple[list[int], _Analysed]]:
    """The terms of runs, as `Analyzer.terms` has them, with the places of these runs among all.

    Plain words and identifiers, which are nearly all, are cut and stemmed at one go.
    """
    words: dict[int, str] = {}
    identifiers: dict[int, str] = {}
    others: dict[int, str] = {}
    for place, text in enumerate(b"\n".join(runs).decode().split("\n")):
        plain = _PLAIN.match(text)
        if plain is None:
            others[place] = text
        elif plain.lastindex == 1:
            words[place] = plain[1]
        else:
            identifiers[place] = plain[2]
    yield [*words], _of_words([*words.values()], analyzer)
    yield [*identifiers], _of_identifiers([*identifiers.values()], analyzer)
    yield [*others], _of_others([*others.values()], analyzer)


def _of_words(words: list[str], analyzer: Analyzer) -> _Analysed:
    ones = np.ones(len(words), dtype=np.int64)
    return _Analysed(ones, ones, analyzer.stem_plain([word.lower() for word in words]), ones - 1)


def _of_identifiers(tokens: list[str], analyzer: Analyzer) -> _Analysed:
    """The parts of each identifier, then all of it, which has the position of the first part."""
    cut = tokenizer.parts_of_all(tokens)
    words = [word.lower() for parts, token in zip(cut, tokens, strict=True) for word in (*parts, token)]
    distinct = [*set(words)]
    stems = dict(zip(distinct, analyzer.stem_plain(distinct), strict=True))
    counts = np.array([*map(len, cut)], dtype=np.int64) + 1
    ends = np.cumsum(counts)
    offsets = np.arange(len(words)) - np.repeat(ends - counts, counts)
    offsets[ends - 1] = 0
    return _Analysed(counts, counts - 1, [*map(stems.__getitem__, words)], offsets)


def _of_others(texts: list[str], analyzer: Analyzer) -> _Analysed:
    found = [analyzer.terms(text) for text in texts]
    return _Analysed(
        np.array([len(terms) for terms, _ in found], dtype=np.int64),
        np.array([offsets[-1] + 1 if offsets else 0 for _, offsets in found], dtype=np.int64),
        [term for terms, _ in found for term in terms],
        np.array([offset for _, offsets in found for offset in offsets], dtype=np.int64),
    )


class _KeysOfLines(dict[str, list[int]]):
    """The exact-match keys of lines, as terms."""

    def __init__(
        self, make: Callable[[str, Analyzer], set[str]], analyzer: Analyzer, vocabulary: dict[str, int]
    ) -> None:
        super().__init__()
        self._make, self._analyzer, self._vocabulary = make, analyzer, vocabulary

    def __missing__(self, line: str) -> list[int]:
        terms = self[line] = [self._vocabulary[key] for key in self._make(line, self._analyzer)]
        return terms


class _Builder:
    """Collects the words of documents as keys."""

    def __init__(self, fields: tuple[str, ...]) -> None:
        self._fields = fields
        self._vocabulary: dict[str, int] = defaultdict(count().__next__)
        self._table = _TokenTable(self._vocabulary)
        self._pages: list[int] = []
        self._language: list[int] = []
        self._exact_keys: dict[tuple[str, bool], _KeysOfLines] = {}  # by language, and whether they are titles
        self._keys: list[Ints] = []
        self._words = 0
        self._lengths: list[Ints] = []
        self._frequency = np.zeros(1, dtype=np.int64)  # of each run
        self._begin_batch()

    def _begin_batch(self) -> None:
        self._first_text = len(self._pages) * len(self._fields)
        self._runs: list[int] = []  # of all texts of the batch, by number
        self._sizes: list[int] = []  # of each text, in runs
        self._exact_terms: list[int] = []  # of each exact-match key
        self._exact_texts: list[int] = []

    @property
    def is_full(self) -> bool:
        """Whether the next document belongs into another segment."""
        has_all_pages = len(self._pages) == (1 << TEXT_BITS) // len(self._fields)
        return has_all_pages or len(self._vocabulary) > MOST_TERMS or self._words > MOST_WORDS

    def add(self, document: Document) -> None:
        """Take in a document."""
        own = language(document.language)
        for number, (field, content) in enumerate(zip(self._fields, document.texts, strict=True)):
            text, before = len(self._pages) * len(self._fields) + number, len(self._runs)
            if isinstance(content, bytes):
                self._add_runs(content, own)
            elif isinstance(content, str):
                self._add_text(content, field, own, text)
            else:
                for part, tag in content:
                    self._add_text(part, field, language(tag), text)
                    self._runs.append(0)  # the line ends
            self._sizes.append(len(self._runs) - before)
        self._table.numbers(own)
        self._pages.append(document.page_id)
        self._language.append(list(self._table.languages).index(own))
        if len(self._runs) > BATCH_RUNS:
            self._end_batch()

    def _add_text(self, content: str, field: str, name: str, text: int) -> None:
        raw = content.encode("utf-8", "replace")
        if field in LINE_FIELDS:
            raw = raw.replace(b"\n", b" " + _LINE_BREAK + b" ")
        self._add_runs(raw, name)
        if field in EXACT_MATCH_FIELDS:
            keys = self._keys_of_lines(name, field == "title")
            terms = [*chain.from_iterable(map(keys.__getitem__, content.split("\n")))]
            self._exact_terms += terms
            self._exact_texts += repeat(text, len(terms))

    def _add_runs(self, raw: bytes, name: str) -> None:
        runs = raw.translate(_SEPARATORS_TO_BLANKS).split()
        self._runs.extend(map(self._table.numbers(name).__getitem__, runs))

    def _keys_of_lines(self, name: str, are_titles: bool) -> _KeysOfLines:
        if (name, are_titles) not in self._exact_keys:
            make = title_keys if are_titles else line_keys
            self._exact_keys[name, are_titles] = _KeysOfLines(make, analyzer(name), self._vocabulary)
        return self._exact_keys[name, are_titles]

    def _end_batch(self) -> None:
        """Turn the texts of a batch into keys."""
        self._table.analyse()
        runs, sizes = np.array(self._runs, dtype=np.int64), np.array(self._sizes, dtype=np.int64)
        frequency = np.bincount(runs, minlength=len(self._table))
        frequency[: len(self._frequency)] += self._frequency
        self._frequency = frequency
        before = np.append(0, np.cumsum(self._table.span[runs]))  # positions before each run
        ends = np.cumsum(sizes)
        starts = ends - sizes
        begins = before[:-1] - np.repeat(before[starts], sizes)
        places = np.repeat(np.arange(len(sizes)) + self._first_text << POSITION_BITS, sizes) + np.minimum(
            begins, LAST_POSITION
        )
        exact = np.array(self._exact_terms, dtype=np.int64) << TEXT_BITS | np.array(self._exact_texts, dtype=np.int64)
        self._keys += [self._table.keys(runs, places), exact << POSITION_BITS]
        self._words += sum(map(len, self._keys[-2:]))
        words = before - np.append(0, np.cumsum(runs == 0))  # a line break has a position, but is no word
        self._lengths.append(words[ends] - words[starts])
        self._begin_batch()

    def segment(self, kind: str) -> Segment:
        """All documents as a segment."""
        self._end_batch()
        words = []
        if kind == "page":
            frequency = self._frequency.tolist()
            every = chain.from_iterable(runs.items() for runs in self._table.languages.values())
            words = word_list([(run, frequency[number]) for run, number in every])
        languages = tuple(self._table.languages)
        self._table = _TokenTable(self._vocabulary)  # all is read, and it takes much memory
        terms, blocks = _blocks(self._sorted(), [*self._vocabulary], len(self._fields))
        terms.sort(key=itemgetter(0))
        return Segment(
            kind,
            np.array(self._pages, dtype=np.int64),
            np.concatenate(self._lengths).reshape(-1, len(self._fields)).T,
            languages,
            np.array(self._language, dtype=np.int64),
            terms,
            blocks,
            words,
        )

    def _sorted(self) -> Ints:
        """The keys in index order."""
        keys = np.concatenate([np.empty(0, dtype=np.int64), *self._keys])
        self._keys = []
        keys.sort()
        return keys


def _blocks(keys: Ints, names: list[str], fields: int) -> tuple[list[Term], list[tuple[bytes, bytes]]]:
    """The terms and the blocks of sorted keys, in their order."""
    terms: list[Term] = []
    blocks: list[tuple[bytes, bytes]] = []
    of_term = TEXT_BITS + POSITION_BITS
    cuts = np.searchsorted(keys, keys[::SORTED_AT_A_TIME] >> of_term << of_term)
    for low, high in pairwise([*np.unique(cuts).tolist(), len(keys)]):
        _encode(keys[low:high], names, fields, terms, blocks)
    return terms, blocks


def _encode(keys: Ints, names: list[str], fields: int, terms: list[Term], blocks: list[tuple[bytes, bytes]]) -> None:
    """Add the postings of some terms, all of whose keys are here."""
    cells = keys >> POSITION_BITS  # term and text: a field of a document
    cell_starts = np.flatnonzero(np.diff(cells, prepend=-1))
    text = (cells[cell_starts] & (1 << TEXT_BITS) - 1).astype(np.int32)
    term = (cells[cell_starts] >> TEXT_BITS).astype(np.int32)
    docs, field = np.divmod(text, fields)
    is_first = (np.diff(term, prepend=-1) != 0) | (np.diff(docs, prepend=-1) != 0)
    postings = np.flatnonzero(is_first)  # the first cell of each
    tf = np.zeros((fields, len(postings)), dtype=np.int32)
    tf[field, np.cumsum(is_first) - 1] = np.diff(np.append(cell_starts, len(keys)))
    term_starts = np.flatnonzero(np.diff(term[postings], prepend=-1))
    steps = differences(docs[postings], term_starts)
    gaps = differences((keys & (1 << POSITION_BITS) - 1).astype(np.int32), cell_starts)
    bounds = np.append(term_starts, len(postings))
    gap_bounds = np.append(cell_starts[postings], len(keys))[bounds]
    numbers = term[postings][term_starts].tolist()
    costs = np.diff(bounds) * (2 + fields) + np.diff(gap_bounds)
    for low, high in _grouped(costs.tolist()):
        here, within = slice(bounds[low], bounds[high]), slice(gap_bounds[low], gap_bounds[high])
        block = encode_block(bounds[low : high + 1] - bounds[low], steps[here], tf[:, here], gaps[within])
        df = np.diff(bounds[low : high + 1]).tolist()
        own = [names[number] for number in numbers[low:high]]
        terms += zip(own, df, repeat(len(blocks)), range(high - low), strict=False)
        blocks.append(block)


def _grouped(costs: Sequence[int]) -> Iterator[tuple[int, int]]:
    """(first, end) of consecutive terms that share a block; those that cost more than a block have one of their own.

    >>> list(_grouped([3000, 2000, 9000, 10, 5995]))
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
