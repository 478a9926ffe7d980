"""Finding: where in a text words of a query stand, without a look at all of it.

To choose a passage it is enough to know most matches, so words that begin in a known way are looked for by that
beginning, and letters of a script that is cut into pairs by themselves. For the few languages whose words change
where they begin, each different token of the text is looked at once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import AnyStr

from minisearch.search.beginnings import CHANGING, pattern
from minisearch.search.matches import Match, Matcher
from minisearch.search.roots import PLAIN, Roots, foreign
from minisearch.text import words
from minisearch.text.scripts import FOLDABLE, PAIRED

PLENTY = 12  # places of one word in one stretch of text: of the others only those near rarer words are looked at
RARE = 6  # places of rarer words
NEAR = 200  # letters, on either side
MOST_PLACES = 400  # of a stretch of text that are looked at one by one
FOREIGN = 50  # one letter in so many: with more that are not ASCII, looking at each of them does not pay
BLANK = 32  # as a byte
BREAKS = ' \n\t()[]{}<>,;:!=*/|&"'  # never within a token
AM = (("\u0e4d", "\u0e32", "\u0e33"), ("\u0ecd", "\u0eb2", "\u0eb3"))  # Thai and Lao: dot, stroke, and both in one


class _Known(dict[bytes, int]):
    """Which words of the query a word of plain letters is, worked out when it is first met."""

    def __init__(self, matcher: Matcher) -> None:
        super().__init__()
        self._matcher = matcher

    def __missing__(self, word: bytes) -> int:
        matching = self[word] = self._matcher.weigh(word.decode())
        return matching


class Finder:
    """Finds the terms that have `bits`, in texts of one language."""

    def __init__(self, bits: Mapping[str, int], language: str, matcher: Matcher, roots: Roots) -> None:
        self._language, self._matcher = language, matcher
        self._known = _Known(matcher)
        self._pairs = [term for term in bits if PAIRED.search(term)]
        self._spelled = {spelled: bits[term] for term in self._pairs for spelled in _spellings(term)}
        self._spaced = [term for term in bits if not PAIRED.search(term)]
        self._roots = roots
        self._know_heads = language not in CHANGING

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        return pattern(self._spaced, self._language)

    def find(self, text: str, low: int, high: int) -> list[Match]:
        """Most matches in a stretch of text, in order. They may be no more than a part of a token."""
        stretch = text[low:high]
        if not self._know_heads:
            return self._at(stretch, low, self._places_of_tokens(stretch))
        found = self._find_pairs(stretch, low) if self._pairs and not stretch.isascii() else []
        if self._spaced:
            found += self._find_spaced(stretch, low)
        return sorted(found)

    def _find_spaced(self, text: str, low: int) -> list[Match]:
        if not self._roots.are_known:
            return self._at(text, low, self._places_of_pattern(text))
        plain = text.encode("ascii", "replace")  # every letter keeps its place; what is not ASCII becomes a "?"
        if text.isascii():
            return self._beginnings(plain, low)
        if plain.count(b"?") * FOREIGN <= len(plain):
            places = (place for place in foreign(plain) if words.LETTER.match(text, place))
        elif self._roots.are_plain:
            places = (found.start() for found in FOLDABLE.finditer(text))
        else:
            return self._at(text, low, self._places_of_pattern(text))
        return self._beginnings(plain, low) + self._at(text, low, places)

    def _at(self, text: str, low: int, places: Iterable[int]) -> list[Match]:
        """The matches in the tokens that stand at `places` of a stretch of text that begins at `low`."""
        return [
            (low + token.start() + start, low + token.start() + end, matching)
            for token in _tokens(text, places)
            for start, end, matching in self._matcher.of_token(token.group())
        ]

    def _beginnings(self, plain: bytes, low: int) -> list[Match]:
        """Words that begin as sought and match, and parts of words that have a capital where they begin."""
        lowered = (b" " + plain + b" ").translate(PLAIN)  # what is at a place in `plain` follows that place here
        places: list[int] = []
        joined: set[int] = set()  # where an identifier may begin that is sought as a whole
        crowded = []
        for begin in self._roots.begins:
            found, parts = _begun(lowered, plain, begin)
            if b" " in begin:
                joined.update(found)
            if len(found) == PLENTY:
                crowded.append((b" " + begin, found))
            else:
                places += found + parts
        rare = sorted(places)
        for blank, found in crowded:
            last = found[-1]
            places += found + _near(lowered, blank, [place for place in rare if place > last][:RARE], last + 1)
        every = sorted(set(places))
        return self._words_at(plain, lowered, every, low, joined)

    def _words_at(self, plain: bytes, lowered: bytes, places: list[int], low: int, joined: set[int]) -> list[Match]:
        """The words at some places that match."""
        matches, text = [], plain.decode() if joined else ""
        for place in places:
            end = lowered.find(b" ", place + 1) - 1
            matching = self._known[plain[place:end]]
            if not matching and place in joined and (token := words.PLAIN_TOKEN.match(text, place)):
                end, matching = token.end(), self._matcher.weigh(token[0])
            if matching:
                matches.append((low + place, low + end, matching))
        return matches

    def _find_pairs(self, text: str, low: int) -> list[Match]:
        """Where the sought letters stand of scripts that are cut into pairs."""
        normal = unicodedata.normalize("NFKC", text)
        found, at = [], low
        if len(normal) == len(text):
            lines: Iterable[tuple[str, str]] = [(text, normal)]
        else:
            lines = zip(text.split("\n"), normal.split("\n"), strict=True)
        for line, normal_line in lines:
            sought = normal_line if len(line) == len(normal_line) else line
            here = [(place, spelled) for spelled in self._spelled for place in _find(sought, spelled)]
            if here:
                found += [(at + place, at + place + len(spelled), self._spelled[spelled]) for place, spelled in here]
            elif sought is line and any(term in normal_line for term in self._pairs):  # spelled in some other way
                found += self._at(line, at, [token.start() for token in words.tokens(line)])
            at += len(line) + 1
        return found

    def _places_of_pattern(self, text: str) -> Iterator[int]:
        """Where a word may begin as sought, in whatever alphabet."""
        assert self._pattern is not None
        for found in islice(self._pattern.finditer(text), MOST_PLACES):
            at = found.start()
            before = text[at - 1 : at]
            if not before.isalnum() or text[at].isupper() or (not before.isascii() and PAIRED.match(before)):
                yield at

    def _places_of_tokens(self, text: str) -> list[int]:
        """Where tokens that match stand, found by looking at each different one."""
        matching = [token for token in set(words.TOKEN.findall(text)) if self._matcher.of_token(token)]
        return sorted(place for token in matching for place in _find_whole(text, token))


def _tokens(text: str, places: Iterable[int]) -> Iterator[re.Match[str]]:
    """The tokens that stand at `places`."""
    at = 0
    for place in places:
        if place < at:
            continue  # it is in the token just given
        if text[place - 1 : place] in BREAKS:
            at = place
        else:
            near = max(at, place - words.LONGEST)  # of a token that begins further left, the index has not this part
            at = max(near, text.rfind(" ", near, place) + 1, text.rfind("\n", near, place) + 1)
        while (token := words.TOKEN.search(text, at)) and token.end() <= place:
            at = token.end()
        if token is None:
            return
        at = token.end()
        yield token


def _spellings(term: str) -> Iterator[str]:
    """How a pair of letters may be written: the Thai and Lao "am" is one letter, which is taken apart."""
    yield term
    for dot, stroke, both in AM:
        if term == dot + stroke:
            yield both
        elif term.endswith(dot):
            yield term[:-1] + both
        elif term.startswith(stroke):
            yield both + term[1:]


def _find(text: AnyStr, sought: AnyStr) -> list[int]:
    """The first places of some letters."""
    places: list[int] = []
    at = text.find(sought)
    while at >= 0 and len(places) < PLENTY:
        places.append(at)
        at = text.find(sought, at + 1)
    return places


def _begun(lowered: bytes, plain: bytes, begin: bytes) -> tuple[list[int], list[int]]:
    """The places in `plain` of words that begin so, and, unless there is plenty of these, of parts of words that have
    a capital there.
    """
    words = _find(lowered, b" " + begin)  # a blank at a place in `lowered` is before that place in `plain`
    if len(words) == PLENTY:
        return words, []
    capitals = _find(plain, begin.capitalize())
    return words, [place for place in capitals if lowered[place] != BLANK]


def _find_whole(text: str, token: str) -> list[int]:
    """The first places of a token, but for those within another one."""
    places: list[int] = []
    at = text.find(token)
    while at >= 0 and len(places) < PLENTY:
        before = text[at - 1 : at]
        if not before.isalnum() and before != "_":
            places.append(at)
        at = text.find(token, at + 1)
    return places


def _near(text: bytes, sought: bytes, places: list[int], low: int) -> list[int]:
    """The nearest places of some letters, from `low` on, before and after each of `places`."""
    found = []
    for place in places:
        found.append(text.rfind(sought, max(low, place - NEAR), place))
        found.append(text.find(sought, max(low, place), place + NEAR))
    return [place for place in found if place >= 0]
