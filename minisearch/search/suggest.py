"""Suggestions: the word that was meant, and the words that may follow.

Both come from the index's own words, so that whatever is suggested will find something.
"""

from __future__ import annotations

import re
from functools import reduce
from math import log

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA

from minisearch.search.clauses import Variant, Word
from minisearch.search.snapshot import Snapshot
from minisearch.search.vocabulary import begins_word
from minisearch.text import words
from minisearch.text.scripts import fold
from minisearch.text.terms import analyzer

MOST_LETTERS = 4000  # of a query that is put right: more of it was not looked at, either
MOST_WRONG = 3  # words that are put right: each is compared with all that begin alike
MOST_WORDS = 4  # that are offered to complete the last one begun
LONGEST = 200  # letters that may have been typed so far: nothing goes on from more
FEWEST_LETTERS = 3  # of a heading that has been begun
MOST_READ = 6  # pages whose headings are read to complete one
FEW_COMPLETIONS = 8  # words that a heading may go on with
JOINTS = str.maketrans("", "", "._")  # hold an identifier together
MOST_KEPT = 4000  # words that were put right, for the queries to come
NEAREST = 20  # of these, the ones whose frequency is weighed as well


def correction(index: Snapshot, word: str) -> str:
    """The word of the index that was most likely meant by one that it does not have, or ''.

    A slip may change, add, drop or swap one letter, in long words two; the first letter is taken to be right, or to be
    swapped with the second. Of words equally near, the more frequent one was meant. It is kept, for who turns the page
    asks the same again, and to compare so many words takes longer than all else.
    """
    typed = fold(word)
    if len(typed) < 3 or not typed.translate(JOINTS).isalpha():
        return ""
    known = index.corrections.get(typed)
    if known is None:
        known = _correction(index, typed)
        if len(index.corrections) >= MOST_KEPT:
            index.corrections.clear()
        if len(typed) <= LONGEST:
            index.corrections[typed] = known
    return known


def _correction(index: Snapshot, typed: str) -> str:
    slips = 1 if len(typed) < 6 else 2
    for first in dict.fromkeys(typed[:2]):
        counted = index.vocabulary.words_of_length(first, len(typed) - slips, len(typed) + slips)
        near = process.extract(typed, counted.keys(), scorer=OSA.distance, score_cutoff=slips, limit=NEAREST)
        nearest = sorted(near, key=lambda found: (found[1] - log(counted[found[0]]) / 20, found[0]))
        if there := index.vocabulary.still_there([found[0] for found in nearest]):
            return index.vocabulary.written(there[:1])[0]
    return ""


def corrected(index: Snapshot, text: str, missing: list[Word]) -> str:
    """The query with its unknown words put right, or '' if nothing better is known."""
    wrong = [word.text for word in missing[:MOST_WRONG]]
    better = {word: found for word in wrong if (found := correction(index, word))}

    def put_right(token: re.Match[str]) -> str:
        said = token[0]
        unknown = [part for part in words.parts(said) if part in wrong]
        if said in better or not unknown:
            return better.get(said, said)
        if whole := correction(index, said):  # an identifier, whose parts may stand nowhere by themselves
            return whole
        return reduce(lambda known, part: known.replace(part, better.get(part, part)), unknown, said)

    offered = words.TOKEN.sub(put_right, text) if wrong and len(text) <= MOST_LETTERS else ""
    return offered if offered != text else ""


def completions(index: Snapshot, typed: str, limit: int) -> list[str]:
    """What a query may become that so far reads `typed`: titles that begin so, headings, words for the last one begun.

    No kind takes the place of all others.
    """
    begun = " ".join(typed[: LONGEST + 1].encode("utf-8", "replace").decode().split())
    if not begun or len(typed) > LONGEST:
        return []
    head, _, last = begun.rpartition(" ")
    prefix = fold(last)
    known = index.vocabulary
    found = known.words_beginning(prefix, MOST_WORDS) if begins_word(prefix) else []
    offered = [f"{head} {word}".strip() for word in known.written(known.still_there(found))]
    headings = _headings(index, begun, limit) if len(begun) >= FEWEST_LETTERS else []
    kinds = (index.titles_beginning(begun, limit), headings, offered)
    shares = (limit // 2, limit // 4, limit // 4)
    first = [each for kind, share in zip(kinds, shares, strict=True) for each in kind[:share]]
    rest = [each for kind, share in zip(kinds, shares, strict=True) for each in kind[share:]]
    different: dict[str, str] = {}
    for each in first + rest:
        different.setdefault(fold(each), each)
    return list(different.values())[:limit]


def _headings(index: Snapshot, typed: str, limit: int) -> list[str]:
    """Headings that begin so: of the best linked pages among those that have all words in a heading."""
    *whole, last = fold(typed).split() or [""]
    begun = index.vocabulary.completions(last, FEW_COMPLETIONS) if begins_word(last) else None
    asked = [Word(word, tuple(Variant(analyzer(spoken).term(word)) for spoken in index.languages)) for word in whole]
    if begun is None or not begun.terms or not all(word.isalnum() for word in whole):
        return []
    having = index.find(begun, "headings").mask
    for word in asked:
        having = having & index.find(word, "headings").mask
    pages = np.flatnonzero(having)
    best = pages[np.argsort(-index.prior[pages], kind="stable")][:MOST_READ]
    begin = fold(" ".join(typed.split()))
    found = index.headings(best)
    enough = 2 * len(begin)  # letters by which to tell: folding the rest takes longer than all else
    first = begin[:1]  # most begin with another letter, which is seen at once
    likely = (each for each in found if each[:1].lower() == first or not (each.isascii() and each[:1].isalnum()))
    return list(dict.fromkeys(each for each in likely if fold(each[:enough]).startswith(begin)))[:limit]
