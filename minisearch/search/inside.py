"""Looking inside the index: the postings of a word, the terms of a page, the collection in numbers."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from minisearch.errors import BadInput
from minisearch.search import bm25, laws
from minisearch.search.clauses import Clause, Variant, Word
from minisearch.search.occurrences import Occurrences
from minisearch.search.query import parse
from minisearch.search.recipe import FIELDS
from minisearch.search.snapshot import RANKING, Snapshot
from minisearch.search.spots import spot_doc, spot_field, spot_place
from minisearch.store.inside import PageFacts, Standing
from minisearch.store.store import Store
from minisearch.text.chunks import Lexicon, Reader, encoded
from minisearch.text.terms import analyzer, language
from minisearch.text.words import tokens

MOST_PLACES = 10  # that are told of a word in one field
READ_PAGES, READ_LETTERS = 100, 20_000  # pages that are read to know how words are spread, and how much of each
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


def term(index: Snapshot, store: Store, text: str, limit: int) -> TermAccount:
    """The postings of a word; those of the pages that have it most often come first."""
    clause, word = _one_word(index, text)
    where = index.find(word, clause.field)
    total = np.zeros(index.size, dtype=np.int64)
    for docs, counts in where.fields.values():
        total[docs] += counts
    having = np.flatnonzero(total)
    pages = store.pages.get(index.pages[having].tolist())
    order = sorted(having.tolist(), key=lambda number: (-total[number], pages[int(index.pages[number])].url))[:limit]
    places = _places(index, where, order, clause.field)
    postings = []
    for number in order:
        page = pages[int(index.pages[number])]
        held = {name: count for name in FIELDS if (count := _count(where, name, number))}
        postings.append(Posting(page.url, page.title, int(total[number]), held, places.get(number, {})))
    terms = {variant.term: tuple(sorted(variant.languages or index.languages)) for variant in word.terms}
    return TermAccount(word.text, terms, index.size, where.df, where.idf, tuple(postings))


def _one_word(index: Snapshot, text: str) -> tuple[Clause, Word]:
    clauses = parse(text, index.languages, sentence=math.inf).clauses
    if len(clauses) == 1 and clauses[0].kind == "prefix":
        return clauses[0], index.vocabulary.completions(clauses[0].text)
    if len(clauses) == 1 and clauses[0].kind == "word":
        return clauses[0], clauses[0].words[-1]  # of an identifier the last one is the whole
    raise BadInput(f'"{text}" is not one word: ask for one word at a time')


def _count(where: Occurrences, field: str, number: int) -> int:
    docs, counts = where.fields.get(field, (np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)))
    return int(counts[docs == number].sum())


def _places(
    index: Snapshot, where: Occurrences, numbers: list[int], field: str
) -> dict[int, dict[str, tuple[int, ...]]]:
    """The first places of a word in each field of some pages."""
    found: dict[int, dict[str, tuple[int, ...]]] = {}
    (spots,) = index.spots((where, np.array(sorted(numbers), dtype=np.int64)))
    columns = spot_doc(spots), spot_field(spots), spot_place(spots)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for (number, name), group in groupby(rows, key=lambda row: row[:2]):
        if field in ("", FIELDS[name]):
            found.setdefault(number, {})[FIELDS[name]] = tuple(row[2] for row in group)[:MOST_PLACES]
    return found


def page(index: Snapshot, store: Store, page_id: int, address: str, limit: int) -> PageAccount:
    """All about a page; `address` is its url as it is indexed."""
    facts = store.inside.facts(page_id)
    verdict = store.journal.verdict(facts.url)
    here = np.flatnonzero(index.pages == page_id)
    linking = [
        Inlink(url, title, tuple(dict.fromkeys(row[2] for row in rows if row[2])), sum(row[3] for row in rows), rank)
        for (url, title, rank), group in groupby(
            store.inside.in_links(page_id, RANKING), key=lambda row: (row[0], row[1], row[4])
        )
        if (rows := list(group))
    ]
    leading = [Outlink(*row[:3], bool(row[3]), row[4]) for row in store.inside.out_links(page_id)]
    return PageAccount(
        facts=facts,
        indexed=bool(len(here)),
        path=(*(verdict.path if verdict else ()), facts.url),
        standings=tuple(store.inside.standings(page_id)),
        aliases=tuple(store.inside.aliases(page_id)),
        terms=tuple(weights(index, store, int(here[0]), address)[:limit]) if len(here) else (),
        in_links=tuple(linking[:limit]),
        in_count=len(linking),
        out_links=tuple(leading[:limit]),
        out_count=len(leading),
    )


def weights(index: Snapshot, store: Store, number: int, address: str) -> list[Weight]:
    """The terms of a page, the heaviest first. The page is read again, so that only its terms are looked up."""
    page_id = int(index.pages[number])
    facts, (text, headings) = store.inside.facts(page_id), store.pages.text(page_id)
    lines = "\n".join(heading.text for heading in headings)
    own = {"title": facts.title, "headings": lines, "url": address, "body": text}
    texts = [(field, content, facts.language) for field, content in own.items()]
    texts += [("anchor", said, tag) for said, tag in store.inside.sayings(page_id)]
    counted: dict[str, Counter[str]] = {}
    parts: set[str] = set()
    for field, content, tag in texts:
        analyse = analyzer(language(tag))
        for token in tokens(content):
            pieces, whole = analyse.of_token(token.group())
            parts.update(pieces)
            for found in (*pieces, whole) if whole else pieces:
                counted.setdefault(found, Counter())[field] += 1
    weighed = []
    for found, counts in counted.items():
        df = index.find(Word(found, (Variant(found),))).df
        idf = bm25.idf(df, index.size)
        share = 1.0 if found in parts else index.recipe.whole
        score = sum(
            share * idf * float(index.scale.worth(field, np.array([count]), np.array([number]))[0])
            for field, count in counts.items()
        )
        weighed.append(Weight(found, df, idf, dict(counts), score))
    return sorted(weighed, key=lambda weight: (-weight.score, weight.term))


def numbers(store: Store, terms: int, links: int) -> dict[str, Any]:
    """The collection in numbers: size, words, links. What would take long is taken from a sample, and told so."""
    pages = store.pages.nodes()
    counted = _some(pages, max(MOST_LINKS * len(pages) // max(links, 1), LEAST_PAGES))
    return {
        "sizes": store.inside.sizes(),
        "words": {"vocabulary": terms, **_words(store)},
        "degrees": {
            "counted": len(counted),
            "of": len(pages),
            "in": laws.spread(store.inside.in_degrees(counted)),
            "out": laws.spread(store.inside.out_degrees(counted)),
        },
        "languages": {spoken or "not told": count for spoken, count in store.inside.languages().items()},
        "depths": {str(depth): count for depth, count in store.inside.depths().items()},
    }


def _words(store: Store) -> dict[str, Any]:
    """How words are spread, by reading the text of some pages in the order of their ids."""
    pages = store.inside.indexed()
    chosen = _some(pages, READ_PAGES)
    lexicon = Lexicon()
    readers: dict[str, Reader] = {}
    found = [np.empty(0, dtype=np.int32)]
    for tag, text in store.inside.texts(chosen, READ_LETTERS):
        spoken = language(tag)
        if spoken not in readers:
            readers[spoken] = Reader(lexicon, analyzer(spoken))
        found.append(readers[spoken].read([encoded(text)])[0])
    terms = lexicon.terms(np.concatenate(found))
    fit = laws.heaps(terms)
    return {
        "read": len(terms),
        "read_pages": len(chosen),
        "of": len(pages),
        "different": len(lexicon.vocabulary),
        "zipf_slope": laws.zipf(terms),
        "zipf": laws.curve(terms),
        "heaps_beta": fit[0] if fit else None,
        "heaps_k": fit[1] if fit else None,
    }


def _some(pages: list[int], count: int) -> list[int]:
    """At most `count` of the pages, evenly spread."""
    return pages if len(pages) <= count else [pages[place * len(pages) // count] for place in range(count)]
