"""The account of a score: every number it was made from, adding up to the number that search prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from minisearch.records import Explanation, FieldPart, TermPart
from minisearch.search.neighbours import counted
from minisearch.search.occurrences import Heard
from minisearch.search.query import parse
from minisearch.search.recipe import FIELDS
from minisearch.search.scoring import Scored, named_often, score
from minisearch.search.snapshot import RANKING, Snapshot

if TYPE_CHECKING:
    from minisearch.store.pages import StoredPage


def explain(index: Snapshot, text: str, page: StoredPage) -> Explanation | None:
    """Why `page` has the score it has for the query; None if the page is not in the index."""
    here = index.pages == page.id
    if not here.any():
        return None
    number = int(np.flatnonzero(here)[0])
    scored = score(index, parse(text, index.languages, index.recipe.sentence), index.recipe.blend)
    words = [(heard, _fields(index, heard, number)) for heard in scored.heard]
    parts = [
        _part("identifier" if heard.word.bonus else "word", heard.word.text, heard, heard.idf, fields)
        for heard, fields in words
    ]
    parts += [*_pairs(scored, number), *_names(scored, number)]
    return Explanation(
        query=text,
        url=page.url,
        title=page.title,
        pages=index.size,
        parts=tuple(part for part in parts if part.fields),
        missing=tuple(heard.word.text for heard, fields in words if not fields and not heard.word.bonus),
        text_score=float(scored.text[number]),
        ranking=RANKING,
        rank=float(np.nan_to_num(index.ranks[number])),
        prior=float(index.prior[number]),
        blend=index.recipe.blend,
        link_factor=float(scored.factor[number]),
        score=float(scored.text[number] * scored.factor[number]),
        paid_by=index.payments(page.id),
        matched=bool(scored.matched[number]),
        all_words=bool(scored.complete[number]),
    )


def _part(kind: str, text: str, heard: Heard, idf: float, fields: tuple[FieldPart, ...]) -> TermPart:
    terms = tuple(variant.term for variant in heard.word.terms)
    return TermPart(kind, text, terms, heard.where.df, idf, fields, sum(field.score for field in fields))


def _fields(index: Snapshot, heard: Heard, number: int) -> tuple[FieldPart, ...]:
    """What each field of a page adds for a word."""
    (counts,) = heard.where.counts(np.array([number])).tolist()
    return tuple(
        _field(index, name, count, number, index.recipe.weight[name] * heard.share, heard.idf)
        for name, count in zip(FIELDS, counts, strict=True)
        if count
    )


def _field(index: Snapshot, name: str, count: int, number: int, weight: float, idf: float) -> FieldPart:
    saturation = float(index.scale.saturation(name, np.array([count]), np.array([number]))[0])
    length, average = int(index.lengths[name][number]), index.averages[name]
    return FieldPart(name, count, length, average, saturation, weight, weight * idf * saturation)


def _pairs(scored: Scored, number: int) -> Iterator[TermPart]:
    """What words side by side add."""
    index = scored.index
    here = scored.looked_at[scored.looked_at == number]
    if not len(here):
        return
    table = counted(index, scored.pairs, here)
    for (first, second), (counts,) in zip(scored.pairs, table.tolist(), strict=True):
        idf = min(first.idf, second.idf)
        fields = tuple(
            _field(index, name, count, number, index.recipe.neighbours[name], idf)
            for name, count in zip(FIELDS, counts, strict=True)
            if count
        )
        less = first if first.idf <= second.idf else second
        yield _part("neighbours", f"{first.word.text} {second.word.text}", less, idf, fields)


def _names(scored: Scored, number: int) -> Iterator[TermPart]:
    """What a title, heading or link text adds that is the whole query."""
    for named in scored.named:
        fields, idf = [], named.heard.idf
        for name, (docs, counts) in named.heard.where.fields.items():
            here = np.flatnonzero(docs == number)
            if len(here):
                length, average = int(scored.index.lengths[name][number]), scored.index.averages[name]
                weight, often = named.shares[name], float(named_often(scored.index, name, docs[here], counts[here])[0])
                worth = weight * idf * often
                fields.append(FieldPart(name, int(counts[here[0]]), length, average, often, weight, worth))
        yield _part(named.kind, scored.query.text, named.heard, idf, tuple(fields))
