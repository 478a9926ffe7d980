"""Snippets: the passage of a page that shows best why it was found, and where the matched words stand in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from minisearch.text import words
from minisearch.text.terms import analyzer

WIDTH = 240  # characters of a passage, give or take a word; a sentence that begins shortly before is let in
MOST_MATCHES = 2000  # of one page that are looked at
NEARBY = 60  # characters before a passage in which a sentence may begin
FOREIGN = 50  # one letter in so many: with more that are not ASCII, looking for roots does not pay
BREAKS = ' \n\t()[]{}<>,;:!=*/|&"'  # never within a token
_GAP = re.compile(r"\s")

Marks = tuple[tuple[int, int], ...]
Matches = list[tuple[int, int, str]]  # (start, end, term)


def snippet(text: str, terms: Collection[str], languages: Iterable[str], width: int = WIDTH) -> tuple[str, Marks]:
    """The best passage of `text`, and the places in it of the words that match one of `terms`.

    >>> snippet("Roses need sun. Prune roses in March.", {"prune"}, ["en"])
    ('Roses need sun. Prune roses in March.', ((16, 21),))
    """
    spoken = list(languages) or ["en"]
    matches = _matches(_likely(text, terms, spoken), terms, spoken)
    low, high = _passage(text, *_best_run(matches, width), width)
    before, after = "… " if low > 0 else "", " …" if high < len(text) else ""
    shift = len(before) - low
    marks = tuple((start + shift, end + shift) for start, end, _ in matches if start >= low and end <= high)
    return before + _GAP.sub(" ", text[low:high]) + after, marks


def _matches(tokens: Iterable[re.Match[str]], terms: Collection[str], languages: list[str]) -> Matches:
    """Those of `tokens` that are one of `terms`."""
    found: Matches = []
    memo: dict[str, str] = {}
    for match in tokens:
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
        pieces, whole = analyzer(language).of_token(token)
        for term in (whole, *pieces):
            if term in terms:
                return term
    return ""


def _likely(text: str, terms: Collection[str], languages: list[str]) -> Iterator[re.Match[str]]:
    """The tokens of `text` that may be one of `terms`: all of them, unless we know how such words begin."""
    roots = {analyzer(language).root(term) for language in languages for term in terms}
    known = [root for root in roots if root is not None]
    places = _places(text, known) if len(known) == len(roots) else None
    if places is None:
        yield from words.tokens(text)
        return
    at = 0
    for place in places:
        if place < at:
            continue  # it is in the token just given
        if text[place - 1 : place] in BREAKS:
            at = place
        else:
            at = max(at, text.rfind(" ", at, place) + 1, text.rfind("\n", at, place) + 1)
        while (token := words.TOKEN.search(text, at)) and token.end() <= place:
            at = token.end()
        if token is None:
            return
        at = token.end()
        yield token


def _places(text: str, roots: list[str]) -> list[int] | None:
    """Where a word may begin with one of `roots`, in whatever case, or has a letter that folds to who knows what."""
    plain = text.encode("ascii", "replace")  # every letter keeps its place; what is not ASCII becomes a "?"
    strange = [] if text.isascii() else _find(plain, b"?")
    if len(strange) * FOREIGN > len(plain):
        return None
    roots = [root for root in roots if root.isascii()]  # the others need such a letter
    quoted = any("'" in root for root in roots)
    found = [place for place in strange if words.LETTER.match(text, place) or (quoted and text[place] == "’")]
    lowered = plain.lower()
    for root in roots:
        if any(root != other and root.startswith(other) for other in roots):
            continue  # what begins with the longer one begins with the shorter one too
        for place in _find(lowered, root.encode()):
            if not plain[place - 1 : place].isalnum() or plain[place : place + 1].isupper():
                found.append(place)
    return sorted(found)


def _find(text: bytes, sought: bytes) -> list[int]:
    places = []
    at = text.find(sought)
    while at >= 0:
        places.append(at)
        at = text.find(sought, at + 1)
    return places


def _best_run(matches: Matches, width: int) -> tuple[int, int]:
    """From where to where the most different words stand within `width`, then the most words."""
    best, best_worth, first = (0, 0), (0, 0), 0
    seen: dict[str, int] = {}
    for last, (_, end, term) in enumerate(matches):
        seen[term] = seen.get(term, 0) + 1
        while first < last and end - matches[first][0] > width:
            gone = matches[first][2]
            seen[gone] -= 1
            if not seen[gone]:
                del seen[gone]
            first += 1
        worth = (len(seen), last - first + 1)
        if worth > best_worth:
            best, best_worth = (matches[first][0], end), worth
    return best


def _passage(text: str, start: int, end: int, width: int) -> tuple[int, int]:
    """`width` characters around what stands from `start` to `end`: whole words, and a whole sentence if possible."""
    low = max(0, start - max(0, width - (end - start)) // 2)
    high = min(len(text), low + width)
    if low > 0:
        near = max(0, low - NEARBY)
        fresh = max(text.rfind("\n", near, low), text.rfind(". ", near, low) + 1)
        gap = _GAP.search(text, low - 1, start)
        low = fresh + 1 if fresh > 0 else gap.end() if gap else start
    if high < len(text):
        cut = max(text.rfind(blank, max(end, (low + high) // 2), high + 1) for blank in " \n")
        high = cut if cut > 0 else high
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
