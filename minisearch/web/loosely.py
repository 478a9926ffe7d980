"""Loosely: what is offered where nothing was found: the words of a query by themselves, and without its operators."""

from __future__ import annotations

from dataclasses import dataclass, replace

from minisearch.engine import Engine
from minisearch.search.query import asked_words, parse
from minisearch.web.wish import Wish

MOST_WORDS = 8


@dataclass(frozen=True, slots=True)
class Loosely:
    """Each word of a query with the number of pages that have it; and the query of nothing but these words, if that
    finds something.
    """

    words: tuple[tuple[str, int], ...]
    query: str
    total: int


def loosely(wish: Wish, engine: Engine) -> Loosely:
    """What the words of a wish find."""
    words = list(dict.fromkeys(asked_words(parse(wish.q, ()).clauses)))[:MOST_WORDS]
    counted = tuple((word, _total(wish, word, engine)) for word in words)
    query = " ".join(words)
    return Loosely(counted, query, _total(wish, query, engine) if any(total for _, total in counted) else 0)


def _total(wish: Wish, query: str, engine: Engine) -> int:
    return engine.search(replace(wish, q=query).sought, limit=1, snippets=False).total
