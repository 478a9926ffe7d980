"""The query: from what a person typed to the terms that are looked up. Anything typed is a query."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from minisearch.text import words
from minisearch.text.terms import query_variants, stands_whole

MOST_WORDS = 64  # of a query; a longer one is cut, and the reader told so


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the query and the terms that stand for it, one for each language it may be in.

    A `bonus` is an identifier as a whole: good to have, but not needed beside its parts.
    """

    text: str
    terms: tuple[str, ...]
    bonus: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A query, read."""

    text: str
    words: tuple[Word, ...]
    note: str = ""


def parse(text: str, languages: Iterable[str]) -> Query:
    """The query that `text` means in an index of pages in `languages`.

    >>> parse("os.path tips", ["en"]).words
    (Word(text='os', terms=('os',), bonus=False), Word(text='path', terms=('path',), bonus=False), \
Word(text='os.path', terms=('os.path',), bonus=True), Word(text='tips', terms=('tip',), bonus=False))
    >>> parse("(((", ["en"]).words
    ()
    """
    spoken = list(languages) or ["en"]
    found: dict[tuple[str, ...], Word] = {}
    note = ""
    for match in words.tokens(text):
        token = match.group()
        parts = words.parts(token)
        fresh = [Word(part, query_variants(part, spoken)) for part in parts]
        if stands_whole(token, parts):
            fresh.append(Word(token, query_variants(token, spoken), bonus=True))
        for word in fresh:
            if word.terms not in found and len(found) >= MOST_WORDS:
                note = f"only the first {MOST_WORDS} words of the query were used"
                break
            found.setdefault(word.terms, word)
        if note:
            break
    return Query(text, tuple(found.values()), note)
