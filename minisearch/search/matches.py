"""Matches: which pieces of a text match the words of a query, decided as the index does it, token by token."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

from minisearch.search.roots import Roots, foreign
from minisearch.text import words
from minisearch.text.scripts import PAIRED, fold
from minisearch.text.terms import analyzer

# Where something that matches starts and ends, and which words of the query it is: a bit for each. Plain tuples, for
# there are many: a text's, or a token's.
Match = tuple[int, int, int]


class Matcher:
    """Knows what matches, by the `bits` of each term and the rules of a language; `roots` are those of the terms."""

    def __init__(self, bits: Mapping[str, int], language: str, roots: Roots) -> None:
        self._bits, self._analyzer, self._roots = bits, analyzer(language), roots
        self._pairs = [term for term in bits if PAIRED.search(term)]
        self._memo: dict[str, list[Match]] = {}
        self._chunks: dict[str, list[Match]] = {}

    def of_token(self, token: str) -> list[Match]:
        """Where in a token words of the query stand: all of it, or runs of letters in a script without spaces."""
        known = self._memo.get(token)
        if known is None:
            known = self._memo[token] = self._spans(token)
        return known

    def weigh(self, token: str) -> int:
        """Which words of the query a token is, whole or by one of its parts: a bit for each."""
        pieces, whole = self._analyzer.of_token(token)
        matching = self._bits.get(whole, 0)
        for piece in pieces:
            matching |= self._bits.get(piece, 0)
        return matching

    def _spans(self, token: str) -> list[Match]:
        if not token.isascii() and self._is_other_pairs(token):
            return []
        matching = self.weigh(token)
        letters = [] if token.isascii() else self._single_letters(token)
        if not letters and not matching:
            return []
        if token.isascii() or not PAIRED.search(fold(token)):
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

    def within(self, text: str, low: int, high: int) -> list[Match]:
        """All matches from `low` to `high`, words that tell little among them."""
        stretch, size = text[low : high + words.LONGEST].replace("\n", " "), high - low
        found = self._in_chunks(stretch) if self._roots.are_known else self._in_tokens(stretch)
        return [(low + start, low + end, matching) for start, end, matching in found if end <= size]

    def _in_tokens(self, text: str) -> list[Match]:
        return [
            (token.start() + start, token.start() + end, matching)
            for token in words.tokens(text)
            for start, end, matching in self.of_token(token.group())
        ]

    def _in_chunks(self, text: str) -> Iterator[Match]:
        """The same, with a look only at what stands between two blanks and begins as sought or has foreign letters."""
        plain = text.encode("ascii", "replace")  # every letter keeps its place; what is not ASCII becomes a "?"
        places = self._roots.places(plain)
        if not text.isascii():
            places += [place for place in foreign(plain) if words.LETTER.match(text, place)]
        known, stop = self._chunks, 0
        for place in sorted(places):
            if place < stop:
                continue  # in the chunk just looked at
            at = text.rfind(" ", 0, place) + 1
            stop = text.find(" ", place)
            stop = stop if stop >= 0 else len(text)
            chunk = text[at:stop]
            for start, end, matching in known[chunk] if chunk in known else self._of_chunk(chunk):
                yield at + start, at + end, matching

    def _of_chunk(self, chunk: str) -> list[Match]:
        is_word = chunk.isalnum() and chunk.isascii()
        found = self._chunks[chunk] = self.of_token(chunk) if is_word else self._in_tokens(chunk)
        return found
