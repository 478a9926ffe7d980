"""Snippets: the passage of a page that shows best why it was found, and where the matched words stand in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from minisearch.text import words
from minisearch.text.terms import analyzer, whole_term

WIDTH = 240  # characters of a passage
MOST_MATCHES = 2000  # of one page that are looked at
_GAP = re.compile(r"\s")

Marks = tuple[tuple[int, int], ...]


def snippet(text: str, terms: Collection[str], languages: Iterable[str], width: int = WIDTH) -> tuple[str, Marks]:
    """The best passage of `text`, and the places in it of the words that match one of `terms`.

    >>> snippet("Roses need sun. Prune roses in March.", {"prune"}, ["en"])
    ('Roses need sun. Prune roses in March.', ((16, 21),))
    """
    matches = _matches(text, terms, list(languages) or ["en"])
    start = _best_start(matches, width)
    low, high = _trim(text, start, min(len(text), start + width))
    before, after = "… " if low > 0 else "", " …" if high < len(text) else ""
    shift = len(before) - low
    marks = tuple((start + shift, end + shift) for start, end, _ in matches if start >= low and end <= high)
    return before + _GAP.sub(" ", text[low:high]) + after, marks


def _matches(text: str, terms: Collection[str], languages: list[str]) -> list[tuple[int, int, str]]:
    """(start, end, term) of the words in `text` that are one of `terms`."""
    found: list[tuple[int, int, str]] = []
    memo: dict[str, str] = {}
    for match in words.tokens(text):
        token = match.group()
        hit = memo.get(token)
        if hit is None:
            hit = memo[token] = _matching_term(token, terms, languages)
        if hit:
            found.append((match.start(), match.end(), hit))
            if len(found) >= MOST_MATCHES:
                break
    return found


def _matching_term(token: str, terms: Collection[str], languages: list[str]) -> str:
    for language in languages:
        pieces = analyzer(language).of_token(token)
        for term in (whole_term(token, pieces), *pieces):
            if term in terms:
                return term
    return ""


def _best_start(matches: list[tuple[int, int, str]], width: int) -> int:
    """Where to begin so that the passage has the most different words, then the most words."""
    best, best_worth, first = 0, (0, 0), 0
    seen: dict[str, int] = {}
    for last, (_, end, term) in enumerate(matches):
        seen[term] = seen.get(term, 0) + 1
        while end - matches[first][0] > width:
            gone = matches[first][2]
            seen[gone] -= 1
            if not seen[gone]:
                del seen[gone]
            first += 1
        worth = (len(seen), last - first + 1)
        if worth > best_worth:
            slack = max(0, width - (end - matches[first][0]))
            best, best_worth = max(0, matches[first][0] - slack // 2), worth
    return best


def _trim(text: str, low: int, high: int) -> tuple[int, int]:
    """The nearest whole words, beginning with a sentence where one begins nearby."""
    if low > 0:
        fresh = max(text.rfind("\n", max(0, low - 60), low), text.rfind(". ", max(0, low - 60), low) + 1)
        gap = _GAP.search(text, low, min(len(text), low + 40))
        low = fresh + 1 if fresh > 0 else gap.end() if gap else low
    if high < len(text):
        cut = text.rfind(" ", low, high)
        high = cut if cut > low + (high - low) // 2 else high
    return low, high


def pieces(text: str, marks: Marks) -> list[tuple[bool, str]]:
    """A snippet as (does it match, text), for surfaces that show matches in their own way.

    >>> pieces("a bold word", ((2, 6),))
    [(False, 'a '), (True, 'bold'), (False, ' word')]
    """
    found, at = [], 0
    for start, end in marks:
        found += [(False, text[at:start]), (True, text[start:end])]
        at = end
    found.append((False, text[at:]))
    return [piece for piece in found if piece[1]]
