"""Highlighting: where the words of a query occur in a text.

The analyzer decides whether a token matches, by the same rules as the index. To analyze every token of a text takes
long, so a prefilter chooses the tokens that may match: those with a part that begins like a term of the query, and
those with letters that are indexed as other letters (accents, ligatures). Languages whose stemmers change how words
begin have no such prefilter: every token is analyzed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from minisearch.analysis import tokenizer as words
from minisearch.analysis.analyzer import SNOWBALL, analyzer
from minisearch.analysis.normalize import ALONE, FOLDABLE, PAIRED, SERBIAN_CYRILLIC
from minisearch.search.query import Word

MAX_REACH = 256  # characters of a token before and after the place where it was found; longer ones are data
PREFIX_CHANGING = frozenset(["ar", "eo", "ga", "id", "nl", "ta", "yi"])  # languages without a prefilter
ENGLISH_ENDING = re.compile("(?:ie|[eiy]|(?<=b)le?)$")  # of terms; words with the term may have another: die, dying
UNSPACED = "\u0e00"  # the first letter of scripts without spaces; a word may begin after any of these
SPACES = " \n"

# Start and end of something that matches, and the words of the query that it is, as a bit mask.
Match = tuple[int, int, int]
Terms = tuple[str, ...]  # of one word of a query


def terms_by_weight(query_words: Sequence[tuple[Word, float]], language: str) -> list[tuple[Terms, float]]:
    """The different words of a query in one language with their weights, the greatest first; without identifiers."""
    wholes = [word for word, _ in query_words if word.is_whole]
    signed = {word.text.strip("+#").lower(): word for word in wholes if word.text[-1] in "+#"}
    weights: dict[Terms, float] = {}
    for word, weight in query_words:
        meant = signed.get(word.text.lower(), word)  # C++ rather than C
        terms = tuple(term for term, languages in meant.terms if not languages or language in languages)
        letter = word.text.removesuffix("*")
        if len(letter) == 1 and ALONE.match(letter):
            terms = (letter,)  # which the index has in bigrams
        if terms and weight > 0 and not word.is_whole:
            weights[terms] = weight
    return sorted(weights.items(), key=lambda item: -item[1])


def term_masks(
    ranked: Iterable[tuple[Terms, float]], query_words: Iterable[tuple[Word, float]], language: str
) -> dict[str, int]:
    """The query words of each term, as a bit mask; an identifier as a whole has all its parts."""
    masks: dict[str, int] = {}
    for bit, (terms, _) in enumerate(ranked):
        for term in terms:
            masks[term] = masks.get(term, 0) | 1 << bit
    for word, _ in query_words:
        parts, whole = analyzer(language).of_token(word.text) if word.is_whole else ((), "")
        for part in parts:
            if whole and part in masks:
                masks[whole] = masks.get(whole, 0) | masks[part]
    return masks


class Highlighter:
    """Finds the terms of a query in texts of one language; `masks` has the words of each term."""

    def __init__(self, masks: Mapping[str, int], language: str) -> None:
        self._masks = masks
        self._analyzer = analyzer(language)
        self._unspaced = {term for term in masks if PAIRED.search(term)}
        self._prefixes = {prefix for term in masks.keys() - self._unspaced for prefix in _prefixes(term, language)}
        self._matches_in: dict[str, list[Match]] = {}  # tokens
        self.has_prefilter = language not in PREFIX_CHANGING

    def find(self, text: str, start: int = 0, end: int | None = None) -> list[Match]:
        """The matches from `start`, where a word begins, to `end`, in order."""
        end = len(text) if end is None else end
        window = text[start : end + words.LONGEST]  # so that a word that goes on beyond the end is seen whole
        found = []
        for token in self._candidates(window) if self.has_prefilter else words.tokens(window):
            matches = self._matches_in.get(token[0])
            if matches is None:
                matches = self._matches_in[token[0]] = self._analyze(token[0])
            for first, last, matching in matches:
                at = start + token.start()
                if at + last <= end:
                    found.append((at + first, at + last, matching))
        return found

    def _candidates(self, text: str) -> Iterator[re.Match[str]]:
        """The tokens that may match."""
        lowered = text.replace("İ", "I").lower().replace("’", "'").replace("ς", "σ")  # every character keeps its place
        places = []
        for prefix in self._prefixes:
            for place in _find_all(lowered, prefix):
                before = text[place - 1 : place]
                if not before.isalnum() or before >= UNSPACED or text[place].isupper():
                    places.append(place)
        if not text.isascii():
            for term in self._unspaced:
                places += _find_all(lowered, term)
            places += [found.start() for found in FOLDABLE.finditer(text)]
        return _tokens_at(text, sorted(places))

    def _analyze(self, token: str) -> list[Match]:
        """The matches in a token: all of it, or some letters in a script without spaces."""
        parts, whole = self._analyzer.of_token(token)
        if not token.isascii() and any(map(PAIRED.search, parts)):
            return self._in_unspaced(token)
        matching = self._masks.get(whole, 0)
        for part in parts:
            matching |= self._masks.get(part, 0)
        return [(0, len(token), matching)] if matching else []

    def _in_unspaced(self, token: str) -> list[Match]:
        """The bigrams that match, and letters that are sought by themselves; those that overlap become one match."""
        terms = [(start, end, self._analyzer.term(part)) for start, end, part in words.spans(token)]
        letters = [(place, place + 1, letter) for place, letter in enumerate(token) if letter in self._unspaced]
        merged: list[Match] = []
        for start, end, term in sorted(terms + letters):
            matching = self._masks.get(term, 0)
            if matching and merged and start <= merged[-1][1]:
                first, last, before = merged.pop()
                merged.append((first, max(last, end), before | matching))
            elif matching:
                merged.append((start, end, matching))
        return merged


def _prefixes(term: str, language: str) -> Terms:
    """What lower-case words with this term begin with, but for accents.

    >>> _prefixes("possibl", "en"), _prefixes("uber", "de"), _prefixes("ruz", "sr")
    (('possib',), ('ub', 'ueb'), ('r', 'р'))
    """
    if language == "en":
        return (ENGLISH_ENDING.sub("", term) or term[0],)
    if language not in SNOWBALL:
        return (term,)  # the word itself
    if language == "sr":  # its stemmer also turns dj into đ and ije into e
        first = "d" if term[0] == "đ" else term[0]
        return first, *(letter for letter, latin in SERBIAN_CYRILLIC.items() if latin[0] == first)
    prefix = term[:2] if len(term) > 3 else term[0]
    if language == "de" and prefix[0] in "aou":
        return prefix, f"{prefix[0]}e{prefix[1:]}"  # ue is another spelling of ü
    return (prefix,)


def _find_all(text: str, wanted: str) -> Iterator[int]:
    place = text.find(wanted)
    while place >= 0:
        yield place
        place = text.find(wanted, place + 1)


def _tokens_at(text: str, places: Iterable[int]) -> Iterator[re.Match[str]]:
    """The tokens at some places, which rise."""
    pattern = words.PLAIN_TOKEN if text.isascii() else words.TOKEN
    end = 0
    for place in places:
        if place < end:
            continue  # in the token before
        if text[place - 1 : place] in SPACES:
            end = place
        else:
            end = max(end, place - MAX_REACH, *(text.rfind(space, end, place) + 1 for space in SPACES))
        while (token := pattern.search(text, end, place + MAX_REACH)) and token.end() <= place:
            end = token.end()
        if token and token.start() <= place:
            end = token.end()
            yield token
