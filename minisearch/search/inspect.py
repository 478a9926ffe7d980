"""Inspect: the postings of a word, the terms of a page, the collection in numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from minisearch.analysis.analyzer import analyzer, language
from minisearch.analysis.tokenizer import tokens
from minisearch.errors import BadInput
from minisearch.index.codec import Postings
from minisearch.index.indexer import url_words
from minisearch.search.index_reader import (
    FIELDS,
    RANKING,
    Floats,
    IndexReader,
    Ints,
    split_occurrences,
)
from minisearch.search.params import RankingParams
from minisearch.search.query import Clause, Variant, Word, parse
from minisearch.search.scoring import contributions, summed
from minisearch.search.searcher import Searcher
from minisearch.search.suggest import complete_word
from minisearch.store.database import Store
from minisearch.store.inspect import PageFacts, Standing

MOST_POSITIONS = 10  # of a word in one field that are returned
READ_PAGES, READ_LETTERS = 100, 20_000  # pages that are read for word statistics, and how much of each
MOST_LINKS, LEAST_PAGES = 40_000, 30  # with more links than that, only those of some pages are counted
FIRST_RANK = 10  # the words before it are grammar, and follow no law
RAREST = 3  # occurrences: words with fewer lie on steps, not on a line
POINTS = 50  # at which a curve is looked at, evenly on a logarithmic scale


@dataclass(frozen=True, slots=True)
class Posting:
    """A page that has a word: how often in which field, and its first positions."""

    url: str
    title: str
    count: int
    counts: dict[str, int]
    places: dict[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class TermAccount:
    """A word as the index knows it."""

    word: str
    terms: dict[str, tuple[str, ...]]  # its terms, and the languages they belong to
    pages: int
    df: int
    idf: float
    postings: tuple[Posting, ...]


@dataclass(frozen=True, slots=True)
class Weight:
    """What a term would add to the score of a page, were it asked for alone and without links."""

    term: str
    df: int
    idf: float
    counts: dict[str, int]
    score: float


@dataclass(frozen=True, slots=True)
class Inlink:
    """A page that links to another, with the anchor texts of its links and its PageRank."""

    url: str
    title: str
    anchors: tuple[str, ...]
    count: int
    rank: float | None


@dataclass(frozen=True, slots=True)
class Outlink:
    """A link of a page, and what became of the url it leads to."""

    url: str
    anchor: str
    count: int
    nofollow: bool
    state: str


@dataclass(frozen=True, slots=True)
class PageAccount:
    """A page as the file knows it."""

    facts: PageFacts
    indexed: bool
    path: tuple[str, ...]  # how it was reached, from the seed to itself
    standings: tuple[Standing, ...]
    aliases: tuple[tuple[str, str], ...]  # (url, the rule that merged it)
    terms: tuple[Weight, ...]
    in_links: tuple[Inlink, ...]
    in_count: int  # linking pages in all
    out_links: tuple[Outlink, ...]
    out_count: int


def term(file: Searcher, text: str, limit: int) -> TermAccount:
    """The postings of a word; those of the pages that have it most often come first."""
    reader = file.reader()
    clause, word = _one_word(reader, text)
    postings = reader.postings(word.terms, clause.field)
    totals = postings.tf.sum(axis=0, dtype=np.int64)
    ids = reader.pages[postings.docs].tolist()
    pages = reader.store.pages.indexed(ids)
    order = sorted(range(len(ids)), key=lambda place: (-totals[place], pages[ids[place]].url))[:limit]
    df = reader.total(len(ids))
    positions = _positions(reader, word, postings, order, clause.field)
    found = []
    for place in order:
        page, doc = pages[ids[place]], int(postings.docs[place])
        counts = {field: int(postings.tf[row, place]) for row, field in enumerate(FIELDS) if postings.tf[row, place]}
        found.append(Posting(page.url, page.title, int(totals[place]), counts, positions.get(doc, {})))
    terms = {variant.term: tuple(sorted(variant.languages or reader.languages)) for variant in word.terms}
    first = sorted(reader.total(found), key=lambda posting: (-posting.count, posting.url))[:limit]
    return TermAccount(word.text, terms, reader.documents, df, reader.idf(df), tuple(first))


def _one_word(reader: IndexReader, text: str) -> tuple[Clause, Word]:
    clauses = parse(text, reader.languages, sentence=math.inf).clauses
    if len(clauses) == 1 and clauses[0].kind == "prefix":
        return clauses[0], complete_word(reader, clauses[0].text)
    if len(clauses) == 1 and clauses[0].kind == "word":
        return clauses[0], clauses[0].words[-1]  # of an identifier the last one is the whole
    raise BadInput(f'"{text}" is not one word: ask for one word at a time')


def _positions(
    reader: IndexReader, word: Word, postings: Postings, places: list[int], field: str
) -> dict[int, dict[str, tuple[int, ...]]]:
    """The first positions of a word in each field of some documents."""
    found: dict[int, dict[str, tuple[int, ...]]] = {}
    (occurrences,) = reader.occurrences([(word.terms, field)], np.sort(postings.docs[places]))
    rows = zip(*(column.tolist() for column in split_occurrences(occurrences)), strict=True)
    for (doc, row), group in groupby(rows, key=lambda row: row[:2]):
        found.setdefault(doc, {})[FIELDS[row]] = tuple(each[2] for each in group)[:MOST_POSITIONS]
    return found


def page(file: Searcher, url: str, limit: int) -> PageAccount | None:
    """All about the page of a URL; None if no shard has it. Each shard adds what it knows of the page."""
    reader, inside = file.reader(), file.store.inspect
    page_id = reader.store.pages.id_of(url)
    own = [] if page_id is None else [(inside.facts(page_id), inside.aliases(page_id))]
    known = reader.total(own)
    if not known:
        return None
    facts, aliases = known[0]
    verdict = reader.store.urls.verdict(facts.url) if page_id is not None else None
    path = reader.total([*verdict.path] if verdict else [])
    urls = [facts.url, *(url for url, _ in aliases)]
    linking = [*_linking(reader.total(inside.in_links(urls, RANKING)))]
    leading = _leading(reader, page_id)
    return PageAccount(
        facts=facts,
        indexed=bool(reader.total(int(np.count_nonzero(reader.pages == page_id)))),
        path=(*path, facts.url),
        standings=tuple(_standings(reader, page_id)),
        aliases=tuple(aliases),
        terms=tuple(weights(reader, file.params(), page_id, facts, urls)[:limit]),
        in_links=tuple(linking[:limit]),
        in_count=len(linking),
        out_links=tuple(leading[:limit]),
        out_count=len(leading),
    )


def _linking(rows: Sequence[tuple[str, str, str, int, float | None]]) -> Iterator[Inlink]:
    """The pages that link to one, those of the highest rank first."""
    ordered = sorted(rows, key=lambda row: (row[4] is None, -(row[4] or 0.0), row[0]))
    for (url, title, rank), group in groupby(ordered, key=lambda row: (row[0], row[1], row[4])):
        links = [*group]
        anchors = tuple(dict.fromkeys(anchor for _, _, anchor, _, _ in links if anchor))
        yield Inlink(url, title, anchors, sum(count for _, _, _, count, _ in links), rank)


def _leading(reader: IndexReader, page_id: int | None) -> list[Outlink]:
    """The links of a page; what became of a URL is known to the shard that had to decide."""
    store = reader.store
    links = reader.total([] if page_id is None else store.inspect.out_links(page_id))
    skipped = [url for url, _, _, _, state in links if state == "skipped"]
    decided = dict(reader.total(store.inspect.decided(skipped)))
    return [
        Outlink(url, anchor, count, bool(nofollow), decided.get(url, state))
        for url, anchor, count, nofollow, state in links
    ]


def _standings(reader: IndexReader, page_id: int | None) -> list[Standing]:
    """The place of a page in every ranking, among the pages of all shards."""
    ranks = reader.store.rankings
    own = [] if page_id is None else reader.store.inspect.scores(page_id)
    found = []
    for name, score in reader.total(own):
        ranking = ranks.get(name)
        scores = ranking.vector if ranking is not None else np.empty(0)
        above, pages = reader.total(np.array([(scores > score).sum(), np.isfinite(scores).sum()])).tolist()
        found.append(Standing(name, score, above + 1, pages))
    return found


def weights(
    reader: IndexReader, params: RankingParams, page_id: int | None, facts: PageFacts, urls: list[str]
) -> list[Weight]:
    """The terms of a page, the highest score first. The page is analysed again, so that only its terms are read."""
    store = reader.store
    here = np.flatnonzero(reader.pages == page_id)
    anchors = reader.total(store.inspect.anchor_texts(urls))
    texts: list[tuple[str, str, str]] = []
    if page_id is not None and len(here):
        text, headings = store.pages.text(page_id)
        lines = "\n".join(heading.text for heading in headings)
        own = {"title": facts.title, "headings": lines, "url": url_words(facts.url), "body": text}
        texts += [(field, content, facts.language) for field, content in own.items()]
        texts += [("anchor", anchor, tag) for anchor, tag in sorted({*map(tuple, anchors)})]
    counted: dict[str, Counter[str]] = {}
    parts: set[str] = set()
    for field, content, tag in texts:
        analyse = analyzer(language(tag))
        for token in tokens(content):
            pieces, whole = analyse.of_token(token.group())
            parts.update(pieces)
            for found in (*pieces, whole) if whole else pieces:
                counted.setdefault(found, Counter())[field] += 1
    terms = reader.total([*counted])
    reader.load(Variant(found) for found in terms)
    own_dfs = np.array([len(reader.postings((Variant(found),)).docs) for found in terms], dtype=np.int64)
    dfs = dict(zip(terms, reader.total(own_dfs).tolist(), strict=True))
    weighed = []
    for found, counts in counted.items():
        df, share = dfs[found], 1.0 if found in parts else params.whole
        postings = Postings(here, np.array([[counts[field]] for field in FIELDS]))
        score = share * float(summed(1, contributions(reader, params, postings, reader.idf(df), params.weight))[0])
        weighed.append(Weight(found, df, reader.idf(df), dict(counts), score))
    return sorted(reader.total(weighed), key=lambda weight: (-weight.score, weight.term))


def numbers(store: Store, terms: int, links: int) -> dict[str, Any]:
    """The collection in numbers: words and links. Slow statistics are computed from a sample and marked as such."""
    pages = store.pages.nodes()
    counted = _some(pages, max(MOST_LINKS * len(pages) // max(links, 1), LEAST_PAGES))
    in_degrees, out_degrees = store.rankings.in_degrees(counted), store.rankings.out_degrees(counted)
    return {
        "words": {"vocabulary": terms, **_words(store)},
        "degrees": {
            "counted": len(counted),
            "of": len(pages),
            "in": spread([in_degrees.get(page, 0) for page in counted]),
            "out": spread([out_degrees.get(page, 0) for page in counted]),
        },
    }


def _words(store: Store) -> dict[str, Any]:
    """How words are distributed, by reading the text of some pages in the order of their ids."""
    pages = store.inspect.indexed()
    chosen = _some(pages, READ_PAGES)
    numbers: dict[str, int] = {}
    read: list[int] = []
    for tag, text in store.inspect.texts(chosen, READ_LETTERS):
        found, _ = analyzer(language(tag)).terms(text)
        read += [numbers.setdefault(each, len(numbers)) for each in found]
    terms = np.array(read, dtype=np.int64)
    fit = heaps(terms)
    return {
        "read": len(terms),
        "read_pages": len(chosen),
        "of": len(pages),
        "different": len(numbers),
        "zipf_slope": zipf(terms),
        "zipf": curve(terms),
        "heaps_beta": fit[0] if fit else None,
        "heaps_k": fit[1] if fit else None,
    }


def _some(pages: list[int], count: int) -> list[int]:
    """At most `count` of the pages, evenly spread."""
    return pages if len(pages) <= count else [pages[place * len(pages) // count] for place in range(count)]


# -- laws of text and of links -----------------------------------------------------------------
#
# Zipf: the r-th most frequent word occurs about 1/r as often as the first.
# Heaps: the first n words of a collection hold about K n^beta different ones.


def zipf(terms: Ints) -> float | None:
    """The slope of log frequency on log rank over the middle ranks of a text, a number for each of its words.

    >>> text = np.repeat(np.arange(1, 1001), [round(10_000 / rank) for rank in range(1, 1001)])
    >>> round(zipf(text), 2)
    -1.0
    """
    counts = np.sort(np.unique(terms, return_counts=True)[1])[::-1]
    last = int(np.count_nonzero(counts >= RAREST))
    if last < 2 * FIRST_RANK:
        return None
    ranks = _points(FIRST_RANK, last)
    return _line(ranks.astype(float), counts[ranks - 1].astype(float))[0]


def curve(terms: Ints) -> list[tuple[int, int]]:
    """(rank, how often) at some ranks of a text, a number for each of its words: what Zipf's law is about.

    >>> curve(np.array([7, 7, 7, 4, 4, 9]))
    [(1, 3), (2, 2), (3, 1)]
    """
    counts = np.sort(np.unique(terms, return_counts=True)[1])[::-1]
    if not len(counts):
        return []
    ranks = _points(1, len(counts))
    return list(zip(ranks.tolist(), counts[ranks - 1].tolist(), strict=True))


def heaps(terms: Ints) -> tuple[float, float] | None:
    """(beta, K) of a text, a number for each of its words in the order in which they are read.

    >>> heaps(np.arange(100))
    (1.0, 1.0)
    """
    if len(terms) < POINTS:
        return None
    firsts = np.sort(np.unique(terms, return_index=True)[1])
    read = _points(max(len(terms) // 100, 10), len(terms))
    beta, shift = _line(read.astype(float), np.searchsorted(firsts, read).astype(float))
    return round(beta, 6), round(float(np.exp(shift)), 6)


def spread(degrees: list[int]) -> dict[str, Any]:
    """How numbers are spread: mean, median, largest, and how many lie from each power of two up to the next.

    >>> spread([0, 1, 2, 3, 9])
    {'mean': 3.0, 'median': 2.0, 'max': 9, 'bins': {'0': 1, '1': 1, '2-3': 2, '8-15': 1}}
    """
    if not degrees:
        return {"mean": 0.0, "median": 0.0, "max": 0, "bins": {}}
    bins: dict[str, int] = {}
    for size in sorted(degree.bit_length() for degree in degrees):
        low, high = (1 << size) // 2, (1 << size) - 1
        name = f"{low}-{high}" if low < high else str(low)
        bins[name] = bins.get(name, 0) + 1
    return {"mean": float(np.mean(degrees)), "median": float(np.median(degrees)), "max": max(degrees), "bins": bins}


def _points(low: int, high: int) -> Ints:
    return np.unique(np.geomspace(low, high, POINTS).round().astype(np.int64))


def _line(x: Floats, y: Floats) -> tuple[float, float]:
    """The slope and the height of the straight line nearest to the points on a log-log sheet."""
    slope, shift = np.polyfit(np.log(x), np.log(y), 1)
    return float(slope), float(shift)
