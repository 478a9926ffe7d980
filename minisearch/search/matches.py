"""Matches: which pieces of a text match the words of a query, decided as the index does it, token by token."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

from minisearch.text import words
from minisearch.text.scripts import PAIRED, fold
from minisearch.text.terms import Analyzer

# Where something that matches starts and ends, and which words of the query it is: a bit for each. Plain tuples, for
# there are many: a text's, or a token's.
Match = tuple[int, int, int]


class Matcher:
    """Knows what matches, by the `bits` of each term and the rules of a language."""

    def __init__(self, bits: Mapping[str, int], analyzer: Analyzer) -> None:
        self._bits, self._analyzer = bits, analyzer
        self._pairs = [term for term in bits if PAIRED.search(term)]
        self._memo: dict[str, tuple[Match, ...]] = {}

    def of_token(self, token: str) -> tuple[Match, ...]:
        """Where in a token words of the query stand: all of it, or runs of letters in a script without spaces."""
        known = self._memo.get(token)
        if known is None:
            known = self._memo[token] = tuple(self._spans(token))
        return known

    def _spans(self, token: str) -> list[Match]:
        if not token.isascii() and self._is_other_pairs(token):
            return []
        pieces, whole = self._analyzer.of_token(token)
        letters = [] if token.isascii() else self._single_letters(token)
        if not letters and whole not in self._bits and self._bits.keys().isdisjoint(pieces):
            return []
        if token.isascii() or not PAIRED.search(fold(token)):
            matching = self._bits.get(whole, 0)
            for piece in pieces:
                matching |= self._bits.get(piece, 0)
            return [(0, len(token), matching)]
        found = [(start, end, self._bits.get(self._analyzer.term(part), 0)) for start, end, part in words.spans(token)]
        merged: list[Match] = []
        for start, end, matching in sorted(letters + found):
            if not matching:
                continue
            if merged and start <= merged[-1][1]:
                first, last, before = merged.pop()
                start, end, matching = first, max(last, end), before | matching
            merged.append((start, end, matching))
        return merged

    def _is_other_pairs(self, token: str) -> bool:
        """Whether a token is cut into pairs of which none is sought: quickly told, and most are."""
        normal = unicodedata.normalize("NFKC", token)
        return PAIRED.fullmatch(normal) is not None and not any(term in normal for term in self._pairs)

    def _single_letters(self, token: str) -> list[Match]:
        """Where letters stand that are sought by themselves, though the index knows them in pairs."""
        alone = [term for term in self._pairs if len(term) == 1 and term in token]
        return [
            (place, place + 1, self._bits[term])
            for term in alone
            for place, letter in enumerate(token)
            if letter == term
        ]

    def within(self, text: str, low: int, high: int) -> Iterator[Match]:
        """All matches from `low` to `high`, words that tell little among them."""
        stretch = text[low : high + words.LONGEST]
        known, size = self._memo, high - low
        for token in (words.PLAIN_TOKEN if stretch.isascii() else words.TOKEN).finditer(stretch):
            at, letters = token.start(), token.group()
            if at >= size:
                break
            for start, end, matching in known[letters] if letters in known else self.of_token(letters):
                if at + end <= size:
                    yield low + at + start, low + at + end, matching
