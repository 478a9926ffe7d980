"""Explain: every number that a score was made from, adding up to the score that search prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from minisearch.index.codec import Postings
from minisearch.models import Explanation, FieldPart, Payment, TermPart
from minisearch.search.index_reader import FIELDS, RANKING, IndexReader
from minisearch.search.params import RankingParams
from minisearch.search.query import Variant, parse
from minisearch.search.scoring import (
    Contribution,
    Pair,
    Scored,
    adjacent,
    contributions,
    exact_contributions,
    pair_idf,
    score,
)
from minisearch.store.database import Store
from minisearch.store.pages import StoredPage

MOST_LINKING = 1000  # linking pages that are considered: those of the highest rank
MOST_COUNTED = 50  # of these, the ones whose links are counted exactly
MOST_CONTRIBUTIONS = 5  # that are returned


def explain(reader: IndexReader, params: RankingParams, text: str, page: StoredPage) -> Explanation | None:
    """Why `page` has the score it has for the query; None if the page is not in the index."""
    found = np.flatnonzero(reader.pages == page.id)
    if not len(found):
        return None
    doc = int(found[0])
    scored = score(reader, params, parse(text, reader.languages, params.sentence))
    matches = scored.matches
    parts = [*_words(scored, doc), *_proximity(scored, doc), *_exact(scored, doc)]
    having = {(part.kind, part.word) for part in parts}
    return Explanation(
        query=text,
        url=page.url,
        title=page.title,
        pages=reader.size,
        parts=tuple(parts),
        missing=tuple(
            word.word.text
            for word in matches.words
            if not word.word.is_whole and ("word", word.word.text) not in having
        ),
        text_score=float(scored.text[doc]),
        ranking=RANKING,
        rank=float(np.nan_to_num(reader.ranks[doc])),
        prior=float(reader.prior[doc]),
        blend=params.blend,
        link_factor=float(scored.factor[doc]),
        score=float(scored.scores[doc]),
        paid_by=link_contributions(reader.store, page.id),
        matched=bool(matches.matched[doc]),
        all_words=bool(matches.complete[doc]),
    )


def _words(scored: Scored, doc: int) -> Iterator[TermPart]:
    """What the words add."""
    for word in scored.matches.words:
        weights = {field: word.share * weight for field, weight in scored.params.weight.items()}
        here = _on(word.postings, doc)
        added = contributions(scored.reader, scored.params, here, word.idf, weights)
        kind = "identifier" if word.word.is_whole else "word"
        yield from _part(scored.reader, here, added, kind, word.word.text, word.word.terms, word.df, word.idf)


def _proximity(scored: Scored, doc: int) -> Iterator[TermPart]:
    """What adjacent words add."""
    if doc not in scored.window:
        return
    reader, params, pairs = scored.reader, scored.params, scored.matches.pairs
    found = adjacent(reader, pairs, np.array([doc], dtype=np.intp))
    for pair, here in zip(pairs, found, strict=True):
        if here.tf.any():
            idf = pair_idf(pair)
            added = contributions(reader, params, here, idf, params.neighbours)
            text = " ".join(word.word.text for word in pair)
            terms = tuple(dict.fromkeys(variant for word in pair for variant in word.word.terms))
            yield from _part(reader, here, added, "neighbours", text, terms, _adjacent_df(reader, pair), idf)


def _adjacent_df(reader: IndexReader, pair: Pair) -> int:
    """How many documents have two words next to each other."""
    first, second = (reader.mask(word.postings.docs) for word in pair)
    both = np.flatnonzero(first & second)
    (found,) = adjacent(reader, [pair], both)
    return int(found.tf.any(axis=0).sum())


def _exact(scored: Scored, doc: int) -> Iterator[TermPart]:
    """What it adds that the whole query is a title, a heading, an anchor text or the end of the URL path."""
    for exact in scored.matches.exact:
        here = _on(exact.postings, doc)
        added = exact_contributions(scored.reader, scored.params, exact._replace(postings=here))
        df = len(exact.postings.docs)
        yield from _part(scored.reader, here, added, exact.kind, scored.query.text, exact.terms, df, exact.idf)


def _on(postings: Postings, doc: int) -> Postings:
    """The postings of one document."""
    here = np.flatnonzero(postings.docs == doc)
    return Postings(postings.docs[here], postings.tf[:, here])


def _part(
    reader: IndexReader,
    here: Postings,
    added: Iterable[Contribution],
    kind: str,
    text: str,
    terms: Iterable[Variant],
    df: int,
    idf: float,
) -> Iterator[TermPart]:
    """The part of a word, a pair or an exact match, if the document has it; `added` is what its fields add."""
    fields = []
    for found in added:
        row = FIELDS.index(found.field)
        count, length = int(here.tf[row, 0]), int(reader.lengths[row, here.docs[0]])
        raised, score = float(found.saturation[0]), float(found.scores[0])
        fields.append(FieldPart(found.field, count, length, reader.averages[row], raised, found.weight, score))
    if fields:
        names = tuple(variant.term for variant in terms)
        yield TermPart(kind, text, names, df, idf, tuple(fields), sum(field.score for field in fields))


def link_contributions(store: Store, page: int) -> tuple[Payment, ...]:
    """The links that contribute most to the rank of a page; none, if the ranking is of another kind."""
    ranking = store.rankings.get(RANKING)
    if ranking is None or page >= len(ranking.vector) or ranking.parameters.get("repeated"):
        return ()
    damping, ranks = float(ranking.parameters.get("damping", 0.0)), ranking.vector
    if not (damping > 0 and ranks[page] > 0):  # NaN is not
        return ()
    linking = {row["page"]: row["url"] for row in store.pages.in_links(page)}
    ranked = [source for source in linking if source < len(ranks) and ranks[source] > 0]  # others came later
    first = sorted(ranked, key=lambda source: -ranks[source])[:MOST_LINKING]
    links = store.rankings.link_counts(first)  # quickly counted, and nearly the number of pages it links to
    first = sorted(first, key=lambda source: -ranks[source] / max(1, links[source]))[:MOST_COUNTED]
    found = []
    for source, degree in store.rankings.out_degrees(first).items():
        passed = damping * float(ranks[source]) / degree
        found.append(Payment(linking[source], float(ranks[source]), degree, passed, passed / float(ranks[page])))
    return tuple(sorted(found, key=lambda payment: (-payment.paid, payment.url))[:MOST_CONTRIBUTIONS])
