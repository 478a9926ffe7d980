"""Suggestions: the word that was meant, and how a query may go on.

Both come from the index's own words, so that every suggestion finds something.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from math import log

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA

from minisearch.analysis.analyzer import analyzer, unstemmed
from minisearch.analysis.normalize import fold
from minisearch.analysis.tokenizer import TOKEN, parts
from minisearch.search.index_reader import IndexReader
from minisearch.search.query import MOST_CHARACTERS, Variant, Word, as_prefix, begins_word

MOST_CORRECTED = 3  # words: each is compared with all that have the same first letter
MOST_WORDS = 4  # that are offered to complete the last one
LONGEST = 200  # letters that may have been typed so far: nothing goes on from more
SHORTEST_HEADING = 3  # letters of a heading that has been begun
MOST_READ = 6  # pages whose headings are read to complete one
FEW_COMPLETIONS = 8  # words that a heading may go on with
MOST_COMPLETIONS = 1000  # words that a prefix may match: the most frequent ones
MOST_OF_SHARD = 60_000  # words with one prefix that are read from each shard to find the most frequent of all
NEAREST = 20  # words whose frequency is considered as well
_JOINTS = str.maketrans("", "", "._")  # hold an identifier together


def correction(reader: IndexReader, word: str) -> str:
    """The word of the index that was most likely meant by one that it does not have, or ''.

    A slip may change, add, drop or swap one letter, in long words two; the first letter is taken to be right, or to be
    swapped with the second. Of words equally near, the more frequent one was meant.
    """
    typed = fold(word)
    if not 3 <= len(typed) <= LONGEST or not typed.translate(_JOINTS).isalpha():
        return ""
    slips = 1 if len(typed) < 6 else 2
    for first in dict.fromkeys(typed[:2]):
        own = reader.cached(("near", typed, first), partial(_near_words, reader, typed, first, slips))
        counts = reader.total(Counter(dict(own)))
        distances = {word: OSA.distance(typed, word) for word in counts}
        nearest = sorted(counts, key=lambda word: (distances[word] - log(max(1, counts[word])) / 20, word))[:NEAREST]
        if words := _still_indexed(reader, nearest):
            return _spelled(reader, words[:1])[0]
    return ""


def _near_words(reader: IndexReader, typed: str, first: str, slips: int) -> list[tuple[str, int]]:
    """(word, occurrences) of this shard's words that begin with a letter and are at most that many edits away."""
    words = reader.store.postings.words_of_length(first, len(typed) - slips, len(typed) + slips)
    near = process.extract(typed, [word for word, _ in words], scorer=OSA.distance, score_cutoff=slips, limit=None)
    return [words[found[2]] for found in near]


def corrected(reader: IndexReader, text: str, missing: Sequence[str]) -> str:
    """The query with its unknown words corrected, or '' if nothing better is known."""
    if not missing or len(text) > MOST_CHARACTERS:
        return ""
    wrong = missing[:MOST_CORRECTED]
    better = {word: found for word in wrong if (found := correction(reader, word))}

    def correct(token: re.Match[str]) -> str:
        typed = token[0]
        unknown = [part for part in parts(typed) if part in wrong]
        if typed in better or not unknown:
            return better.get(typed, typed)
        if whole := correction(reader, typed):  # an identifier, whose parts may not occur by themselves
            return whole
        return reduce(lambda known, part: known.replace(part, better.get(part, part)), unknown, typed)

    offered = TOKEN.sub(correct, text)
    return offered if offered != text else ""


def complete_word(reader: IndexReader, prefix: str, most: int = MOST_COMPLETIONS) -> Word:
    """The words of the index with a prefix, as one word of the query; the most frequent ones, up to a limit.

    What the prefix is by itself belongs to it: the index has the stem of "pruning". Each language may spell terms and
    words in its own way: Serbian ones are in Latin letters.
    """
    begun = tuple(dict.fromkeys([prefix, *(unstemmed(name).term(prefix) for name in reader.languages)]))
    terms = _most_frequent(reader, reader.store.postings.terms_with_prefix, begun, most)
    if len(terms) < most or most == MOST_COMPLETIONS:  # "documenta*" means "document", which is shorter
        words = _most_frequent(reader, reader.store.postings.words_with_prefix, begun, MOST_COMPLETIONS)
        stems = {analyzer(name).term(word) for word in words for name in reader.languages}
        terms += sorted(stem for stem in stems if not stem.startswith(begun) or stem in begun)
    itself = (analyzer(name).term(prefix) for name in reader.languages) if most == MOST_COMPLETIONS else ()
    return Word(as_prefix(prefix), tuple(Variant(term) for term in dict.fromkeys([*terms, *itself])))


def _most_frequent(
    reader: IndexReader, look_up: Callable[[str, int], list[tuple[str, int]]], begun: Iterable[str], most: int
) -> list[str]:
    """Those of the words or terms that begin so that are the most frequent in all shards."""
    limit = most if reader.shards == 1 else MOST_OF_SHARD
    counts = reader.total(Counter(dict(found for prefix in begun for found in look_up(prefix, limit))))
    return sorted(counts, key=lambda word: (-counts[word], word))[:most]


def complete_query(reader: IndexReader, typed: str, limit: int) -> list[str]:
    """What a query may become that so far reads `typed`: titles and headings that begin so, words for the last one.

    No kind takes the place of all others.
    """
    begun = " ".join(typed[: LONGEST + 1].encode("utf-8", "replace").decode().split())
    if not begun or len(typed) > LONGEST:
        return []
    titles = {*reader.total(reader.store.pages.titles_with_prefix(begun, limit))}
    kinds = (
        sorted(titles, key=lambda title: (len(title), title))[:limit],
        _headings(reader, begun, limit) if len(begun) >= SHORTEST_HEADING else [],
        _last_word(reader, begun),
    )
    shares = (limit // 2, limit // 4, limit // 4)
    first = [each for kind, share in zip(kinds, shares, strict=True) for each in kind[:share]]
    rest = [each for kind, share in zip(kinds, shares, strict=True) for each in kind[share:]]
    different: dict[str, str] = {}
    for each in first + rest:
        different.setdefault(fold(each), each)
    return list(different.values())[:limit]


def _last_word(reader: IndexReader, begun: str) -> list[str]:
    """What was typed, with words that complete the last one."""
    head, _, last = begun.rpartition(" ")
    prefix = fold(last)
    if not begins_word(prefix):
        return []
    words = _most_frequent(reader, reader.store.postings.words_with_prefix, [prefix], MOST_WORDS)
    return [f"{head} {word}".strip() for word in _spelled(reader, _still_indexed(reader, words))]


def _headings(reader: IndexReader, typed: str, limit: int) -> list[str]:
    """Headings that begin so: of the best linked pages among those that have all words in a heading."""
    *whole, last = fold(typed).split() or [""]
    if not begins_word(last) or not all(word.isalnum() for word in whole):
        return []
    begun = complete_word(reader, last, FEW_COMPLETIONS)
    if not begun.terms:
        return []
    asked = [begun.terms, *(tuple(Variant(analyzer(name).term(word)) for name in reader.languages) for word in whole)]
    masks = [reader.mask(reader.postings(tuple(dict.fromkeys(terms)), "headings").docs) for terms in asked]
    docs = np.flatnonzero(reduce(np.logical_and, masks))
    best = docs[np.argsort(-reader.prior[docs], kind="stable")][:MOST_READ]
    pages = reader.store.pages
    own = [(-float(reader.prior[doc]), pages.headings([int(reader.pages[doc])])) for doc in best.tolist()]
    first = sorted(reader.total(own), key=lambda page: page[0])[:MOST_READ]
    begin = fold(" ".join(typed.split()))
    found = dict.fromkeys(heading for _, headings in first for heading in headings)
    return [each for each in found if fold(each[: 2 * len(begin)]).startswith(begin)][:limit]


def _still_indexed(reader: IndexReader, words: list[str]) -> list[str]:
    """Those of some words that find something: the pages that had them may be gone."""
    terms = {word: tuple({Variant(analyzer(name).term(word)) for name in reader.languages}) for word in words}
    reader.load(variant for variants in terms.values() for variant in variants)
    own = [sum(len(reader.postings((variant,)).docs) for variant in terms[word]) for word in words]
    counts = reader.total(np.array(own, dtype=np.int64)).tolist()
    return [word for word, count in zip(words, counts, strict=True) if count]


def _spelled(reader: IndexReader, words: list[str]) -> list[str]:
    """Words of the word list as people write them."""
    spellings = dict(reader.total([*reader.store.postings.spellings(words).items()]))
    return [spellings.get(word, word) for word in words]
