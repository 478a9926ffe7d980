"""The account of a score: every number it was made from, adding up to the number that search prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from minisearch.records import Explanation, FieldPart, TermPart
from minisearch.search import bm25
from minisearch.search.query import Word, parse
from minisearch.search.searcher import check, score
from minisearch.search.snapshot import RANKING, Occurrences, Snapshot

if TYPE_CHECKING:
    from minisearch.store.pages import StoredPage


def explain(index: Snapshot, text: str, page: StoredPage, *, blend: float) -> Explanation | None:
    """Why `page` has the score it has for the query; None if the page is not in the index."""
    check("blend", blend, 1, 0)
    place = np.flatnonzero(index.pages == page.id)
    if not len(place):
        return None
    number = int(place[0])
    query = parse(text, index.languages)
    scored = score(index, query, blend)
    parts = [
        _part(index, word, where, number) for word, where in zip(query.words, scored.found, strict=True) if where.df
    ]
    missing = [
        word.text
        for word, where in zip(query.words, scored.found, strict=True)
        if not word.bonus and number not in where.docs
    ]
    return Explanation(
        query=text,
        url=page.url,
        title=page.title,
        pages=index.size,
        parts=tuple(part for part in parts if part.fields),
        missing=tuple(missing),
        text_score=float(scored.text[number]),
        ranking=RANKING,
        rank=float(np.nan_to_num(index.ranks[number])),
        prior=float(index.prior[number]),
        blend=blend,
        link_factor=float(scored.factor[number]),
        score=float(scored.text[number] * scored.factor[number]),
    )


def _part(index: Snapshot, word: Word, where: Occurrences, number: int) -> TermPart:
    idf = bm25.idf(where.df, index.size)
    fields = []
    for field in bm25.FIELDS:
        if field not in where.fields:
            continue
        docs, counts = where.fields[field]
        here = np.flatnonzero(docs == number)
        if not len(here):
            continue
        count, length, average = int(counts[here[0]]), index.lengths[field][number], index.averages[field]
        saturation = float(bm25.saturation(np.array([float(count)]), np.array([length]), average)[0])
        weight = bm25.WEIGHTS[field]
        fields.append(FieldPart(field, count, int(length), average, saturation, weight, weight * idf * saturation))
    return TermPart(word.text, word.terms, where.df, idf, tuple(fields), sum(part.score for part in fields))
