"""Suggestions: the word that was meant, and the words that may follow.

Both come from the index's own words, so that whatever is suggested will find something.
"""

from __future__ import annotations

from math import log

from rapidfuzz import process
from rapidfuzz.distance import OSA

from minisearch.search.clauses import Word
from minisearch.search.snapshot import Snapshot
from minisearch.text import words
from minisearch.text.scripts import fold
from minisearch.text.terms import analyzer

MOST_CANDIDATES = 60_000  # terms that one word is compared with
MOST_WRONG = 3  # words that are put right: each is compared with all that begin alike
MOST_WORDS = 4  # that are offered to complete the last one begun
NEAREST = 20  # of these, the ones whose frequency is weighed as well


def correction(index: Snapshot, word: str) -> str:
    """The word of the index that was most likely meant by one that it does not have, or ''.

    A slip may change, add, drop or swap one letter, in long words two; the first letter is taken to be right.
    Of words equally near, the more frequent one was meant.
    """
    typed = fold(word)
    slips = 1 if len(typed) < 6 else 2
    if len(typed) < 3 or not typed.isalpha():
        return ""
    wanted = {typed, *(analyzer(spoken).term(word) for spoken in index.languages)}
    counted = index.terms_beginning(typed[0], MOST_CANDIDATES)
    near: dict[str, float] = {}
    for form in wanted:
        found = process.extract(form, counted.keys(), scorer=OSA.distance, score_cutoff=slips, limit=NEAREST)
        for term, distance, _ in found:
            near[term] = min(near.get(term, 99.0), distance - log(counted[term]) / 20)
    if not near:
        return ""
    spellings = index.spellings(min(near, key=lambda term: (near[term], term)))
    return min(spellings, key=lambda spelling: OSA.distance(spelling, typed))


def corrected(index: Snapshot, text: str, missing: list[Word]) -> str:
    """The query with its unknown words put right, or '' if nothing better is known."""
    better = {word.text: found for word in missing[:MOST_WRONG] if (found := correction(index, word.text))}
    if not better:
        return ""
    return words.TOKEN.sub(lambda token: better.get(token.group(), token.group()), text)


def completions(index: Snapshot, typed: str, limit: int) -> list[str]:
    """What a query may become that so far reads `typed`: titles that begin so, then words for the last one begun."""
    begun = " ".join(typed.split())
    if not begun:
        return []
    found = dict.fromkeys(index.titles_beginning(begun, limit))
    head, _, last = begun.rpartition(" ")
    prefix = fold(last)
    if prefix.isalnum() and len(found) < limit:
        plain = [variant.term for variant in index.completions(prefix).terms if variant.term.isalnum()]
        for term in plain[:MOST_WORDS]:
            found.setdefault(f"{head} {index.spelling(term)}".strip())
    return list(found)[:limit]
