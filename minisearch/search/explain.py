"""Explain: every number that a score was made from, adding up to the score that search prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from minisearch.index.codec import Postings
from minisearch.models import Explanation, FieldPart, Payment, TermPart
from minisearch.search.index_reader import FIELDS, IndexReader
from minisearch.search.params import Settings
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
from minisearch.search.searcher import Searcher

MOST_LINKING = 1000  # linking pages that are considered: those of the highest rank
MOST_CONTRIBUTIONS = 5  # that are returned


def explain(file: Searcher, text: str, url: str, settings: Settings) -> Explanation | None:
    """Why the page of a URL has the score it has for the query; None if the page is not in the index."""
    reader, params = file.reader(), file.params(settings)
    page_id = reader.store.pages.id_of(url)
    indexed = np.flatnonzero(reader.pages == page_id)
    doc = int(indexed[0]) if len(indexed) else None
    scored = score(reader, params, parse(text, reader.languages, params.sentence))
    adjacent_parts = _proximity(scored, doc)
    prior = reader.prior_by(params.prior)
    contributions = link_contributions(reader, None if doc is None else page_id, params.prior)
    own = []
    if doc is not None and page_id is not None:
        parts = (*_words(scored, doc), *adjacent_parts, *_exact(scored, doc))
        having = {part.word for part in parts if part.kind == "word"}
        words = [word.word for word in scored.matches.words if not word.word.is_whole]
        page = reader.store.pages.indexed([page_id])[page_id]
        explanation = Explanation(
            query=text,
            url=page.url,
            title=page.title,
            pages=reader.documents,
            parts=parts,
            missing=tuple(word.text for word in words if word.text not in having),
            text_score=float(scored.text[doc]),
            ranking=params.prior,
            rank=float(np.nan_to_num(reader.ranks_by(params.prior)[doc])),
            prior=float(prior[doc]),
            blend=params.blend,
            link_factor=float(scored.factor[doc]),
            score=float(scored.scores[doc]),
            paid_by=contributions,
            matched=bool(scored.matches.matched[doc]),
            all_words=bool(scored.matches.complete[doc]),
        )
        own.append(explanation)
    found = reader.total(own)
    return found[0] if found else None


def _words(scored: Scored, doc: int) -> Iterator[TermPart]:
    """What the words add."""
    for word in scored.matches.words:
        weights = {field: word.share * weight for field, weight in scored.params.weight.items()}
        here = _on(word.postings, doc)
        added = contributions(scored.reader, scored.params, here, word.idf, weights)
        kind = "identifier" if word.word.is_whole else "word"
        yield from _part(scored.reader, here, added, kind, word.word.text, word.word.terms, word.df, word.idf)


def _proximity(scored: Scored, doc: int | None) -> list[TermPart]:
    """What adjacent words add; nothing if the document is in another shard, which has to know the frequencies here."""
    reader, params, pairs = scored.reader, scored.params, scored.matches.pairs
    if not pairs:
        return []
    found = adjacent(reader, pairs, np.array([doc], dtype=np.intp)) if doc in scored.window else []
    has_pair = np.array([bool(here.tf.any()) for here in found] or [False] * len(pairs))
    wanted = np.flatnonzero(reader.total(has_pair))
    dfs = reader.total(np.array([_adjacent_df(reader, pairs[place]) for place in wanted], dtype=np.int64))
    parts: list[TermPart] = []
    for place, df in zip(wanted.tolist() if found else (), dfs.tolist(), strict=False):
        pair, here = pairs[place], found[place]
        idf = pair_idf(pair)
        added = contributions(reader, params, here, idf, params.neighbours)
        text = " ".join(word.word.text for word in pair)
        terms = tuple(dict.fromkeys(variant for word in pair for variant in word.word.terms))
        parts += _part(reader, here, added, "neighbours", text, terms, df, idf)
    return parts


def _adjacent_df(reader: IndexReader, pair: Pair) -> int:
    """How many documents of this shard have two words next to each other."""
    first, second = (reader.mask(word.postings.docs) for word in pair)
    both = np.flatnonzero(first & second)
    (found,) = adjacent(reader, [pair], both)
    return int(found.tf.any(axis=0).sum())


def _exact(scored: Scored, doc: int) -> Iterator[TermPart]:
    """What it adds that the whole query is a title, a heading, an anchor text or the end of the URL path."""
    for exact in scored.matches.exact:
        here = _on(exact.postings, doc)
        added = exact_contributions(scored.reader, scored.params, exact._replace(postings=here))
        yield from _part(scored.reader, here, added, exact.kind, scored.query.text, exact.terms, exact.df, exact.idf)


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


def link_contributions(reader: IndexReader, page_id: int | None, name: str) -> tuple[Payment, ...]:
    """The links that contribute most to the rank of a page; none, if the ranking is of another kind.

    The page belongs to another shard if it has no id here; whoever links to it and where these link may be anywhere.
    """
    inside, ranking = reader.store.inspect, reader.store.rankings.get(name)
    ranks = ranking.vector if ranking is not None else np.empty(0)
    damping = 0.0
    if ranking is not None and not ranking.parameters.get("repeated"):
        damping = float(ranking.parameters.get("damping", 0.0))
    own = []
    if page_id is not None and page_id < len(ranks) and ranks[page_id] > 0 and damping > 0:  # NaN is not
        aliases = [url for url, _ in inside.aliases(page_id)]
        own.append((float(ranks[page_id]), [inside.facts(page_id).url, *aliases]))
    known = reader.total(own)
    if not known:
        return ()
    ((rank, urls),) = known
    linking = [
        (float(ranks[page]), reader.page_number(page), url)
        for page, url in inside.linking(urls)
        if page < len(ranks) and ranks[page] > 0  # others came later
    ]
    first = sorted(reader.total(linking), reverse=True)[:MOST_LINKING]
    degrees = _out_degrees(reader, [number for _, number, _ in first])
    found = []
    for source_rank, number, url in first:
        if degree := degrees[number]:
            passed = damping * source_rank / degree
            found.append(Payment(url, source_rank, degree, passed, passed / rank))
    return tuple(sorted(found, key=lambda payment: (-payment.paid, payment.url))[:MOST_CONTRIBUTIONS])


def _out_degrees(reader: IndexReader, numbers: Sequence[int]) -> Counter[int]:
    """To how many other pages, of any shard, each of some pages links; all by their page numbers."""
    store, number_of = reader.store, reader.page_number
    own = [page for number in numbers if (page := reader.own_page(number)) is not None]
    degrees = [(number_of(page), degree) for page, degree in store.rankings.out_degrees(own).items()]
    leaving = [(number_of(page), url) for page, url in store.inspect.links_elsewhere(own)]
    counted = Counter(dict(reader.total(degrees)))
    leaving = reader.total(leaving)
    held = store.pages.ids_of({url for _, url in leaving})
    targets = dict(reader.total([(url, number_of(page)) for url, page in held.items()]))
    counted.update(number for number, _ in {(number, targets[url]) for number, url in leaving if url in targets})
    return counted
