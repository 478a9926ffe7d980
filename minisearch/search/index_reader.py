"""The index reader: the index at one generation, as arrays over its documents.

Documents are numbered from 0: the live pages of all segments, one segment after the other. What was read is kept in one
cache for the whole process, bounded in bytes and shared by all threads, files and ranking parameters; its keys begin
with the generation, which no two states of any file have in common (schema.sql).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any, NamedTuple, TypeVar

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from minisearch.analysis.analyzer import SOUTH_SLAVIC, TOGETHER, language
from minisearch.analysis.languages import primary
from minisearch.errors import BadInput, Damaged
from minisearch.index.codec import (
    ANCHOR_FIELDS,
    PAGE_FIELDS,
    Block,
    Column,
    Postings,
    decode_block,
    decode_columns,
    decode_gaps,
)
from minisearch.search.params import DEFAULT, Settings
from minisearch.search.query import Variant
from minisearch.store.database import Store
from minisearch.store.postings import StoredSegment

CACHE_BYTES = 64_000_000
RANKING = DEFAULT.prior  # the link prior is made from, unless another one is chosen

FIELDS = (*PAGE_FIELDS, *ANCHOR_FIELDS)
POSITION_BITS, FIELD_BITS = 21, 3  # of an occurrence

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Docs = NDArray[np.intp]  # document numbers, ascending: numpy would convert a narrower type at each use as an index
Mask = NDArray[np.bool_]  # which documents
Kept = TypeVar("Kept")
Added = TypeVar("Added")


def _size_of(kept: Any) -> int:
    """The memory that something takes, more or less."""
    if isinstance(kept, np.ndarray):
        return 200 + kept.nbytes
    if isinstance(kept, list | tuple):
        return 200 + sum(map(_size_of, kept))
    return sys.getsizeof(kept)


_cache: LRUCache[Hashable, Any] = LRUCache(CACHE_BYTES, _size_of)
_cache_lock = Lock()


class _Segment(NamedTuple):
    """A segment, with the number of each of its documents in the reader: -1 if it no longer counts."""

    id: int
    first_field: int  # of its fields, a place in FIELDS
    fields: int
    numbers: Docs
    is_complete: bool  # all documents count, and their numbers follow on one another
    languages: tuple[str, ...]
    language: Column  # of each document, a place in `languages`


class _InSegment(NamedTuple):
    """Where the postings of a term are in one segment."""

    segment_id: int
    block_id: int
    place: int
    block: Block


class Collection(NamedTuple):
    """What every query needs: the documents, their lengths and languages."""

    segments: list[_Segment]
    pages: Ints  # page ids
    lengths: Ints  # words, fields x documents
    languages: list[str]
    language: Column  # of each document, a place in `languages`


@dataclass(frozen=True)
class Statistics:
    """What scoring has to know of a whole collection: the sums over its files, if it has several."""

    generation: tuple[int, ...]
    documents: int
    lengths: tuple[int, ...]  # words in each field
    languages: tuple[str, ...]
    log_ranks: tuple[float, float]  # the logarithms of the smallest and of the largest rank
    settings: Settings  # ranking parameters that were changed

    def __add__(self, other: Statistics) -> Statistics:
        """The statistics of both, which have no document in common; those ranking parameters that the first has."""
        least, most = zip(self.log_ranks, other.log_ranks, strict=True)
        return Statistics(
            self.generation + other.generation,
            self.documents + other.documents,
            tuple(map(sum, zip(self.lengths, other.lengths, strict=True))),
            tuple(sorted({*self.languages, *other.languages})),
            (min(least), max(most)),
            self.settings,
        )


class IndexReader:
    """Reads the index of a store at one generation. Use it inside `store.reading()`.

    The store may be one of several shards of a collection, whose statistics are given then. All arrays are over the
    documents of the store; `documents`, `averages`, `languages`, `idf` and `prior` are those of the collection.
    """

    shard, shards = 0, 1

    def __init__(self, store: Store, generation: tuple[int, ...], whole: Statistics | None = None) -> None:
        self.store, self.generation = store, generation
        self.collection: Collection = self.cached(("collection",), self._read_collection)
        self.size = len(self.collection.pages)
        self.pages, self.lengths = self.collection.pages, self.collection.lengths
        self.ranks = self.ranks_by(RANKING)
        self._segments = {segment.id: segment for segment in self.collection.segments}
        if whole is None:
            whole = self.statistics()
        else:  # what is cached from now on depends on the other shards, too
            self.generation = (*generation, *whole.generation)
        self.params = DEFAULT.changed(whole.settings)
        self.documents, self.languages = whole.documents, whole.languages
        self.averages = [length / max(1, whole.documents) for length in whole.lengths]
        self.prior = self.cached(("prior",), lambda: link_prior(self.ranks, whole.log_ranks))

    def statistics(self) -> Statistics:
        """Those of this store alone."""
        lengths = tuple(self.lengths.sum(axis=1).tolist())
        languages, settings = tuple(self.collection.languages), self.store.rankings.settings()
        return Statistics(self.generation, self.size, lengths, languages, log_bounds(self.ranks), settings)

    def ranks_by(self, ranking: str) -> Floats:
        """The scores of the documents in a ranking; NaN where there is none."""

        def read() -> Floats:
            stored = self.store.rankings.get(ranking)
            ranks = np.full(self.size, np.nan)
            if stored is not None:
                known = self.pages < len(stored.vector)
                ranks[known] = stored.vector[self.pages[known]]
            return ranks

        return self.cached(("ranks", ranking), read)

    def prior_by(self, ranking: str) -> Floats:
        """The link prior made from a ranking of the file, which has to be computed before."""
        if ranking == RANKING:
            return self.prior
        ranks = self.ranks_by(ranking)
        known, bounds = zip(*self.total([(ranking in self.store.rankings.names(), log_bounds(ranks))]), strict=True)
        if not any(known):
            raise missing_ranking(ranking)
        least, most = zip(*bounds, strict=True)
        return self.cached(("prior", ranking), lambda: link_prior(ranks, (min(least), max(most))))

    def total(self, own: Added) -> Added:
        """The sum of what each shard of the collection has: of numbers, arrays, counters, or lists.

        All shards run the same code, so each of them has to ask for the same sums, in the same order, whatever its own
        documents are. Do not ask while making what is `cached`.
        """
        return own

    def page_number(self, page_id: int) -> int:
        """A number that identifies a page in all shards."""
        return page_id * self.shards + self.shard

    def own_page(self, number: int) -> int | None:
        """The id of the page with such a number, if it belongs to this shard."""
        page_id, shard = divmod(number, self.shards)
        return page_id if shard == self.shard else None

    def cached(self, key: tuple[Hashable, ...], make: Callable[[], Kept]) -> Kept:
        """What was made before, or is made now and kept."""
        known = self._known(key)
        if known is None:
            known = make()
            with _cache_lock, suppress(ValueError):  # it may be larger than the cache
                _cache[self.generation, *key] = known
        return known  # type: ignore[no-any-return]

    def _known(self, key: tuple[Hashable, ...]) -> Any:
        with _cache_lock:
            try:
                return _cache[self.generation, *key]
            except KeyError:
                return None

    # -- documents -----------------------------------------------------------------------------

    def _read_collection(self) -> Collection:
        stored = self.store.postings.segments()
        languages = sorted({name for each in stored for names in each.languages for name in names.split("+")})
        segments: list[_Segment] = []
        pages: list[Ints] = [np.empty(0, dtype=np.int64)]
        lengths: list[Ints] = [np.empty((len(PAGE_FIELDS), 0), dtype=np.int64)]
        spoken: list[Column] = [np.empty(0, dtype=np.uint16)]
        size = 0
        for each in stored:
            if each.kind == "page":
                own, own_lengths, language = _documents(each, len(PAGE_FIELDS))
                live = np.ones(each.size, bool) if each.live is None else find(np.array(each.live, np.int64), own) >= 0
                numbers = np.where(live, size + np.cumsum(live) - 1, -1)
                fields, is_complete = (0, len(PAGE_FIELDS)), each.live is None
                segments.append(_Segment(each.id, *fields, numbers, is_complete, each.languages, language))
                pages.append(own[live])
                lengths.append(own_lengths[:, live])
                places = np.array([languages.index(name) for name in each.languages], dtype=np.uint16)
                spoken.append(places[language[live]])
                size += len(pages[-1])
        all_pages, all_lengths = np.concatenate(pages), np.zeros((len(FIELDS), size), dtype=np.int64)
        all_lengths[: len(PAGE_FIELDS)] = np.concatenate(lengths, axis=1)
        for each in stored:
            if each.kind == "anchor":
                own, own_lengths, language = _documents(each, len(ANCHOR_FIELDS))
                numbers = find(all_pages, own)
                live = numbers >= 0
                all_lengths[-1, numbers[live]] = own_lengths[0, live]
                fields = len(PAGE_FIELDS), len(ANCHOR_FIELDS)
                segments.append(_Segment(each.id, *fields, numbers, False, each.languages, language))
        return Collection(segments, all_pages, all_lengths, languages, np.concatenate(spoken))

    def numbers(self, pages: Iterable[int]) -> Docs:
        """The documents of some pages; those that are not in the index are left out."""
        docs = find(self.pages, np.array([*pages], dtype=np.int64))
        return np.sort(docs[docs >= 0])

    def idf(self, df: int) -> float:
        """How discriminative a word is that `df` documents have. Never negative, even if all have it; 0 if none has."""
        return math.log(1 + (self.documents - df + 0.5) / (df + 0.5)) if df else 0.0

    def mask(self, docs: Docs) -> Mask:
        """Documents as a mask."""
        mask = np.zeros(self.size, dtype=bool)
        mask[docs] = True
        return mask

    def in_languages(self, tags: tuple[str, ...]) -> Mask:
        """The documents in one of some languages.

        Languages that are analysed alike, as Serbian and Croatian are, are distinguished by what each page declares.
        """
        alike = {primary(tag) for tag in tags if primary(tag) in SOUTH_SLAVIC - {TOGETHER}}
        wanted = {language(tag) for tag in tags if primary(tag) not in alike}
        fits = np.array([name in wanted for name in self.collection.languages], dtype=bool)
        found: Mask = fits[self.collection.language] if len(fits) else np.zeros(self.size, dtype=bool)
        declared = [tag for tag in self.store.pages.languages() if primary(tag) in alike] if alike else []
        if declared:
            found = found | self.mask(self.numbers(self.store.pages.in_languages(declared)))
        return found

    # -- postings ------------------------------------------------------------------------------

    def load(self, variants: Iterable[Variant]) -> None:
        """Read the postings of some terms that will be needed, all at once."""
        self._stored({variant.term for variant in variants if self._known(("postings", variant)) is None})

    def _stored(self, terms: Iterable[str]) -> dict[str, list[_InSegment]]:
        """Where the postings of some terms are, with their blocks decoded: those of other terms are in them, too."""
        found = {term: self._known(("stored", term)) for term in terms}
        missing = [term for term, known in found.items() if known is None]
        if missing:
            found |= {term: [] for term in missing}
            blocks: dict[tuple[int, int], Block] = {}
            for row in self.store.postings.postings(self._segments, missing) if self._segments else ():
                key = (row.segment_id, row.block_id)
                if key not in blocks:
                    blocks[key] = decode_block(row.docs, self._segments[row.segment_id].fields)
                found[row.term].append(_InSegment(row.segment_id, row.block_id, row.place, blocks[key]))
            for term in missing:
                self.cached(("stored", term), partial(found.get, term))
        return found

    @staticmethod
    def _numbered(found: Postings, segment: _Segment, variant: Variant) -> tuple[Docs, Any]:
        """The numbers of the documents that count, and which of the postings these are.

        Not all count, if a document has been replaced, or is in a language in which another term stands for the word.
        Anchor texts are in the languages of the pages they stand on, such as "de+en".
        """
        if found.docs[-1] >= len(segment.numbers):
            raise Damaged
        docs = segment.numbers[found.docs]
        known = variant.languages
        fits = [not known or not known.isdisjoint(names.split("+")) for names in segment.languages]
        if segment.is_complete and all(fits):
            return docs, slice(None)
        counts = docs >= 0
        if not all(fits):
            counts &= np.array(fits)[segment.language[found.docs]]
        chosen = np.flatnonzero(counts)
        chosen = chosen[np.argsort(docs[chosen], kind="stable")]
        return docs[chosen], chosen

    def postings(self, variants: tuple[Variant, ...], field: str = "") -> Postings:
        """The postings of a word, whichever term stands for it; in one field alone, if one is named."""
        if len(variants) == 1 and not field:
            return self._term(variants[0])
        return self.cached(("postings", variants, field), lambda: self._word(variants, field))

    def _term(self, variant: Variant) -> Postings:
        def read() -> Postings:
            pieces = []
            for stored in self._stored([variant.term])[variant.term]:
                found, segment = stored.block.postings(stored.place), self._segments[stored.segment_id]
                docs, chosen = self._numbered(found, segment, variant)
                pieces.append((Postings(docs, found.tf[:, chosen]), segment.first_field))
            return _joined(pieces)

        return self.cached(("postings", variant), read)

    def _word(self, variants: tuple[Variant, ...], field: str) -> Postings:
        found = _joined([(self._term(variant), 0) for variant in variants])
        if field:
            here = FIELDS.index(field)
            chosen = np.flatnonzero(found.tf[here])
            tf = np.zeros((len(FIELDS), len(chosen)), dtype=found.tf.dtype)
            tf[here] = found.tf[here, chosen]
            found = Postings(found.docs[chosen], tf)
        return found

    # -- positions -----------------------------------------------------------------------------

    def occurrences(self, words: Sequence[tuple[tuple[Variant, ...], str]], docs: Docs) -> list[Ints]:
        """Where each of some words (in a field, if one is named) stands on some documents: document, field and position
        in one number each, ascending. They are not kept in the cache: positions are large, and seldom needed again.
        """
        stored = self._stored({variant.term for variants, _ in words for variant in variants})
        blocks = {(each.segment_id, each.block_id) for term in stored.values() for each in term}
        packed = self.store.postings.positions(blocks)
        found = []
        for variants, field in words:
            pieces = [
                self._occurrences(each, variant, docs, packed[each.segment_id, each.block_id])
                for variant in variants
                for each in stored[variant.term]
            ]
            if field:
                pieces = [some[split_occurrences(some)[1] == FIELDS.index(field)] for some in pieces]
            found.append(distinct(np.concatenate([np.empty(0, dtype=np.int64), *pieces])))
        return found

    def _occurrences(self, stored: _InSegment, variant: Variant, docs: Docs, packed: bytes) -> Ints:
        """Where a term stands on some documents, by its postings in one segment."""
        block, segment = stored.block, self._segments[stored.segment_id]
        found = block.postings(stored.place)
        own, chosen = self._numbered(found, segment, variant)
        places = np.searchsorted(own, docs)
        here = own.take(places, mode="clip") == docs if len(own) else np.zeros(len(docs), dtype=bool)
        if not here.any():
            return np.empty(0, dtype=np.int64)
        wanted = places[here]  # postings of the term, in the order of `docs`
        if not isinstance(chosen, slice):
            wanted = chosen[wanted]
        order = np.argsort(wanted, kind="stable")
        wanted, shown = wanted[order], docs[here][order]
        counts = found.tf[:, wanted].T.astype(np.int64)  # documents x fields
        gaps = decode_gaps(packed, block, wanted + block.bounds[stored.place])
        runs = counts.ravel()
        begins = (np.cumsum(runs) - runs)[runs > 0]
        positions = np.cumsum(gaps, dtype=np.int64)
        base = positions[begins] - gaps[begins]  # a field begins at the position of its first occurrence
        positions -= np.repeat(base, runs[runs > 0])
        cells = (shown.astype(np.int64)[:, None] << FIELD_BITS) + np.arange(segment.fields) + segment.first_field
        return np.repeat(cells.ravel(), runs) << POSITION_BITS | positions


def split_occurrences(occurrences: Ints) -> tuple[Ints, Ints, Ints]:
    """The document of each occurrence, its field (a place in FIELDS), and its position there."""
    fields = occurrences >> POSITION_BITS
    return fields >> FIELD_BITS, fields & (1 << FIELD_BITS) - 1, occurrences & (1 << POSITION_BITS) - 1


def following(first: Ints, second: Ints) -> Ints:
    """Those of the second occurrences that come right after one of the first."""
    after, others = first + 1, second
    if len(after) > len(others):
        after, others = others, after
    if not len(after):
        return after
    found: Ints = after[others.take(np.searchsorted(others, after), mode="clip") == after]
    return found


def find(numbers: Ints, wanted: Ints) -> Docs:
    """The place of each wanted number among others, -1 if it is not there.

    >>> find(np.array([7, 5, 9]), np.array([9, 6, 7])).tolist()
    [2, -1, 0]
    """
    if not len(numbers):
        return np.full(len(wanted), -1)
    order = np.argsort(numbers, kind="stable")
    places = order.take(np.searchsorted(numbers, wanted, sorter=order), mode="clip")
    return np.where(numbers[places] == wanted, places, -1)


def distinct(numbers: Column) -> Column:
    """The different ones among numbers, ascending. (`np.unique` has to import much of numpy first.)"""
    ordered = np.sort(numbers, kind="stable")
    different: Column = ordered[np.diff(ordered, prepend=-1) != 0]
    return different


def missing_ranking(ranking: str) -> BadInput:
    """The error if the link prior is to be made from a ranking that the file does not have."""
    method = {"authorities": "hits", "hubs": "hits"}.get(ranking, ranking.partition(":")[0])
    if method not in ("trustrank", "topic", "hits"):
        return BadInput(f'no ranking is called "{ranking}": choose pagerank, trustrank, topic, authorities or hubs')
    return BadInput(f'the index has no ranking "{ranking}": run "minisearch rank --method {method}" first')


def log_bounds(ranks: Floats) -> tuple[float, float]:
    """The logarithms of the smallest and of the largest rank; pages without a rank have none."""
    known = ranks[np.isfinite(ranks) & (ranks > 0)]
    return (math.log(known.min()), math.log(known.max())) if len(known) else (math.inf, -math.inf)


def link_prior(ranks: Floats, bounds: tuple[float, float]) -> Floats:
    """The logarithm of each rank on a scale from 0 to 1, which begins and ends at given `log_bounds`.

    Pages without a rank, and all if they are equal, have 0.

    >>> ranks = np.array([0.1, 0.01, 0.001, np.nan])
    >>> link_prior(ranks, log_bounds(ranks)).round(3).tolist()
    [1.0, 0.5, 0.0, 0.0]
    """
    prior = np.zeros(len(ranks))
    known = np.isfinite(ranks) & (ranks > 0)
    least, most = bounds
    if most - least > 1e-9:
        prior[known] = np.clip((np.log(ranks[known]) - least) / (most - least), 0, 1)
    return prior


def _documents(segment: StoredSegment, fields: int) -> tuple[Ints, Ints, Column]:
    """The page of each document of a segment, how long its fields are, and its language, a place in `languages`."""
    (steps,), (language,) = decode_columns(segment.pages, 1), decode_columns(segment.language, 1)
    lengths = decode_columns(segment.lengths, fields)
    is_whole = all(len(column) == segment.size for column in (steps, language, *lengths))
    if not is_whole or np.any(language >= len(segment.languages)):
        raise Damaged
    return np.cumsum(steps, dtype=np.int64), np.array(lengths, dtype=np.int64).reshape(fields, segment.size), language


def _joined(pieces: Sequence[tuple[Postings, int]]) -> Postings:
    """The postings of several segments or terms as one; each with the first of its fields."""
    docs = np.concatenate([np.empty(0, dtype=np.intp), *(piece.docs for piece, _ in pieces)])
    if np.any(docs[1:] <= docs[:-1]):  # not so if each segment has pages of its own
        docs = distinct(docs)
    most = sum(int(piece.tf.max(initial=0)) for piece, _ in pieces)
    tf = np.zeros((len(FIELDS), len(docs)), dtype=np.min_scalar_type(most))
    for piece, first_field in pieces:
        here = _places(docs, piece.docs)
        for row, counts in enumerate(piece.tf, first_field):
            if counts.any():
                tf[row, here] += counts.astype(tf.dtype, copy=False)
    return Postings(docs, tf)


def _places(docs: Docs, some: Docs) -> Any:
    """Where some of the documents are among them; both ascend. A slice, which is quicker, if no others lie between."""
    if len(some):
        first = int(np.searchsorted(docs, some[0]))
        end = first + len(some)
        if docs[end - 1] == some[-1]:
            return slice(first, end)
    return np.searchsorted(docs, some)
