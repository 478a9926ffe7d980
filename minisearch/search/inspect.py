"""Inspect: the postings of a word, the terms of a page, the collection in numbers."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from minisearch.analysis.analyzer import analyzer, language
from minisearch.analysis.tokenizer import tokens
from minisearch.errors import BadInput
from minisearch.index.codec import Postings
from minisearch.search import statistics
from minisearch.search.index_reader import (
    FIELDS,
    RANKING,
    IndexReader,
    occurrence_doc,
    occurrence_field,
    occurrence_position,
)
from minisearch.search.params import RankingParams
from minisearch.search.query import Clause, Variant, Word, parse
from minisearch.search.scoring import contributions, summed
from minisearch.search.suggest import complete_word
from minisearch.store.database import Store
from minisearch.store.inspect import PageFacts, Standing

MOST_POSITIONS = 10  # of a word in one field that are returned
READ_PAGES, READ_LETTERS = 100, 20_000  # pages that are read for word statistics, and how much of each
MOST_LINKS, LEAST_PAGES = 40_000, 30  # with more links than that, only those of some pages are counted


@dataclass(frozen=True, slots=True)
class Posting:
    """A page that has a word: how often in which field, and where it stands first."""

    url: str
    title: str
    count: int
    counts: dict[str, int]
    places: dict[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class TermAccount:
    """A word as the index knows it."""

    word: str
    terms: dict[str, tuple[str, ...]]  # the terms that stand for it, and by the rules of which languages
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
    """A page that links to another, with what its links say and how much it matters."""

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
    aliases: tuple[tuple[str, str], ...]  # (url, the rule by which the page stands for it)
    terms: tuple[Weight, ...]
    in_links: tuple[Inlink, ...]
    in_count: int  # linking pages in all
    out_links: tuple[Outlink, ...]
    out_count: int


def term(reader: IndexReader, text: str, limit: int) -> TermAccount:
    """The postings of a word; those of the pages that have it most often come first."""
    clause, word = _one_word(reader, text)
    postings = reader.postings(word.terms, clause.field)
    totals = postings.tf.sum(axis=0, dtype=np.int64)
    ids = reader.pages[postings.docs].tolist()
    pages = reader.store.pages.get(ids)
    order = sorted(range(len(ids)), key=lambda place: (-totals[place], pages[ids[place]].url))[:limit]
    positions = _positions(reader, word, postings, order, clause.field)
    found = []
    for place in order:
        page, doc = pages[ids[place]], int(postings.docs[place])
        counts = {field: int(postings.tf[row, place]) for row, field in enumerate(FIELDS) if postings.tf[row, place]}
        found.append(Posting(page.url, page.title, int(totals[place]), counts, positions.get(doc, {})))
    terms = {variant.term: tuple(sorted(variant.languages or reader.languages)) for variant in word.terms}
    df = len(postings.docs)
    return TermAccount(word.text, terms, reader.size, df, reader.idf(df), tuple(found))


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
    columns = occurrence_doc(occurrences), occurrence_field(occurrences), occurrence_position(occurrences)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for (doc, row), group in groupby(rows, key=lambda row: row[:2]):
        found.setdefault(doc, {})[FIELDS[row]] = tuple(each[2] for each in group)[:MOST_POSITIONS]
    return found


def page(reader: IndexReader, params: RankingParams, page_id: int, address: str, limit: int) -> PageAccount:
    """All about a page; `address` is its url as it is indexed."""
    store = reader.store
    facts = store.inspect.facts(page_id)
    verdict = store.urls.verdict(facts.url)
    here = np.flatnonzero(reader.pages == page_id)
    linking = [
        Inlink(url, title, tuple(dict.fromkeys(row[2] for row in rows if row[2])), sum(row[3] for row in rows), rank)
        for (url, title, rank), group in groupby(
            store.inspect.in_links(page_id, RANKING), key=lambda row: (row[0], row[1], row[4])
        )
        if (rows := list(group))
    ]
    leading = [Outlink(*row[:3], bool(row[3]), row[4]) for row in store.inspect.out_links(page_id)]
    return PageAccount(
        facts=facts,
        indexed=bool(len(here)),
        path=(*(verdict.path if verdict else ()), facts.url),
        standings=tuple(store.inspect.standings(page_id)),
        aliases=tuple(store.inspect.aliases(page_id)),
        terms=tuple(weights(reader, params, int(here[0]), address)[:limit]) if len(here) else (),
        in_links=tuple(linking[:limit]),
        in_count=len(linking),
        out_links=tuple(leading[:limit]),
        out_count=len(leading),
    )


def weights(reader: IndexReader, params: RankingParams, doc: int, address: str) -> list[Weight]:
    """The terms of a page, the highest score first. The page is analysed again, so that only its terms are read."""
    store, page_id = reader.store, int(reader.pages[doc])
    facts, (text, headings) = store.inspect.facts(page_id), store.pages.text(page_id)
    lines = "\n".join(heading.text for heading in headings)
    own = {"title": facts.title, "headings": lines, "url": address, "body": text}
    texts = [(field, content, facts.language) for field, content in own.items()]
    texts += [("anchor", anchor, tag) for anchor, tag in store.inspect.anchor_texts(page_id)]
    counted: dict[str, Counter[str]] = {}
    parts: set[str] = set()
    for field, content, tag in texts:
        analyse = analyzer(language(tag))
        for token in tokens(content):
            pieces, whole = analyse.of_token(token.group())
            parts.update(pieces)
            for found in (*pieces, whole) if whole else pieces:
                counted.setdefault(found, Counter())[field] += 1
    reader.load(Variant(found) for found in counted)
    weighed = []
    for found, counts in counted.items():
        df = len(reader.postings((Variant(found),)).docs)
        share = 1.0 if found in parts else params.whole
        here = Postings(np.array([doc], dtype=np.intp), np.array([[counts[field]] for field in FIELDS]))
        score = share * float(summed(1, contributions(reader, params, here, reader.idf(df), params.weight))[0])
        weighed.append(Weight(found, df, reader.idf(df), dict(counts), score))
    return sorted(weighed, key=lambda weight: (-weight.score, weight.term))


def numbers(store: Store, terms: int, links: int) -> dict[str, Any]:
    """The collection in numbers: size, words, links. What would take long is taken from a sample, and told so."""
    pages = store.pages.nodes()
    counted = _some(pages, max(MOST_LINKS * len(pages) // max(links, 1), LEAST_PAGES))
    in_degrees, out_degrees = store.rankings.in_degrees(counted), store.rankings.out_degrees(counted)
    return {
        "sizes": store.inspect.sizes(),
        "words": {"vocabulary": terms, **_words(store)},
        "degrees": {
            "counted": len(counted),
            "of": len(pages),
            "in": statistics.spread([in_degrees.get(page, 0) for page in counted]),
            "out": statistics.spread([out_degrees.get(page, 0) for page in counted]),
        },
        "languages": {spoken or "not told": count for spoken, count in store.inspect.languages().items()},
        "depths": {str(depth): count for depth, count in store.inspect.depths().items()},
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
    fit = statistics.heaps(terms)
    return {
        "read": len(terms),
        "read_pages": len(chosen),
        "of": len(pages),
        "different": len(numbers),
        "zipf_slope": statistics.zipf(terms),
        "zipf": statistics.curve(terms),
        "heaps_beta": fit[0] if fit else None,
        "heaps_k": fit[1] if fit else None,
    }


def _some(pages: list[int], count: int) -> list[int]:
    """At most `count` of the pages, evenly spread."""
    return pages if len(pages) <= count else [pages[place * len(pages) // count] for place in range(count)]
