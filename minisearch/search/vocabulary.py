"""Vocabulary: the words of an index, for those who have only begun to type one, or have mistyped it."""

from __future__ import annotations

from collections.abc import Sequence

from minisearch.search.clauses import Variant, Word
from minisearch.store.postings import PostingStore
from minisearch.text.spellings import MARK
from minisearch.text.terms import analyzer

MOST_COMPLETIONS = 50  # words that a prefix may stand for: the most frequent ones
WITHIN = str.maketrans("", "", "._-")  # stand within a word


def begins_word(typed: str) -> bool:
    """Whether a word may begin so, folded; an identifier may have come as far as what holds it together.

    >>> [begins_word(typed) for typed in ("ros", "sqlite3_", "os.pa", "utf-", "-red", "_", '"ros')]
    [True, True, True, True, False, False, False]
    """
    return typed.translate(WITHIN).isalnum() and typed[0] != "-"


class Vocabulary:
    """The terms of some segments, and the words from which they come as people write them (text/spellings.py)."""

    def __init__(self, postings: PostingStore, segments: tuple[int, ...], languages: Sequence[str]) -> None:
        self._postings, self._segments, self._languages = postings, segments, languages

    def terms_beginning(self, prefix: str, limit: int) -> dict[str, int]:
        """The most frequent terms that begin so, and how many pages have each (roughly: fields are counted apart)."""
        counted: dict[str, int] = {}
        for segment in self._segments:
            for term, df in self._postings.beginning(segment, prefix, limit):
                counted[term] = counted.get(term, 0) + df
        return counted

    def words_beginning(self, prefix: str, limit: int) -> list[str]:
        """The most frequent words that begin so, folded."""
        counted = self.terms_beginning(MARK + prefix, limit)
        return [word.removeprefix(MARK) for word in sorted(counted, key=lambda word: (-counted[word], word))[:limit]]

    def still_there(self, words: list[str]) -> list[str]:
        """Those of some words that find something: the pages that had them may be gone."""
        terms = {word: {analyzer(spoken).term(word) for spoken in self._languages} for word in words}
        every = list({term for those in terms.values() for term in those})
        known = self._postings.known(self._segments, every) if every else set()
        return [word for word in words if terms[word] & known]

    def words_of_length(self, first: str, shortest: int, longest: int) -> dict[str, int]:
        """The words that begin with a letter and have so many letters, and how often each was met."""
        counted: dict[str, int] = {}
        for segment in self._segments:
            for term, count in self._postings.words(segment, MARK + first, shortest + 1, longest + 1):
                word = term.removeprefix(MARK)
                counted[word] = counted.get(word, 0) + count
        return counted

    def written(self, words: list[str]) -> list[str]:
        """Folded words as people write them."""
        known = self._postings.written(self._segments, [MARK + word for word in words]) if words else {}
        return [known.get(MARK + word, word) for word in words]

    def completions(self, prefix: str, most: int = MOST_COMPLETIONS) -> Word:
        """The words of the index that begin so, as one word of the query; the most frequent ones, if so few will do."""
        counted = self.terms_beginning(prefix, MOST_COMPLETIONS)
        chosen = sorted(counted, key=lambda term: (-counted[term], term))[:most]
        if len(chosen) < most or most == MOST_COMPLETIONS:
            begun = self.words_beginning(prefix, MOST_COMPLETIONS)  # "documenta*" means "document", which is shorter
            stems = {analyzer(spoken).term(word) for word in begun for spoken in self._languages}
            chosen += sorted(term for term in stems if len(term) <= len(prefix) and term not in chosen)
        return Word(f"{prefix}*", tuple(Variant(term) for term in chosen))
