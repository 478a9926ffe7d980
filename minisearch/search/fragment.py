"""Fragments: the url of a passage, which browsers scroll to and highlight.

Text fragments: https://wicg.github.io/scroll-to-text-fragment/ . The words named have to stand in one block of the page
(a line of our text) and to begin and end with whole words; a browser takes the first place where they stand, whatever
their case. If that would be another one, more words are named, and in the end those that precede them too.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from minisearch.search.matches import Match
from minisearch.text import words

REACH = 120  # letters before and after a match among which the words are chosen
LONGEST = 80  # letters from the first match to the last one that is named
WIDER = (0, 2, 5, 9)  # words before and after the matches that are named as well, until there is one such place
PRECEDING = 3  # words that are named as what precedes
SEARCHED = 8_000  # letters before a place that are searched whatever their case; beyond that only as they are


def phrase(text: str, matches: Sequence[Match]) -> tuple[str, str]:
    """What precedes, if it has to be named, and the words by which the place of some matches is found in `text`.

    >>> phrase("A rose is red.\\nThis rose is not.", [(20, 24, 1)])
    ('', 'This rose is not')
    """
    start, end, _ = matches[0]
    tokens = _tokens_of_line(text, start, end)
    if not tokens:
        return "", text[start:end]  # amid a long run without blanks
    for _, match_end, _ in matches:
        if match_end <= tokens[-1][1] and match_end - start <= LONGEST:
            end = max(end, match_end)
    first = max((number for number, token in enumerate(tokens) if token[0] <= start), default=0)
    last = min((number for number, token in enumerate(tokens) if token[1] >= end), default=len(tokens) - 1)
    head = text[:start].lower() if start <= SEARCHED else ""
    for more in WIDER:
        begin, stop = tokens[max(0, first - more)][0], tokens[min(len(tokens) - 1, last + more)][1]
        named = text[begin:stop]
        if text.find(named, 0, stop) == begin and named.lower() not in head:
            return "", named
    return _preceding(text, begin), named


def _tokens_of_line(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where the words around a match begin and end: of its line, and near it."""
    low = text.rfind("\n", max(0, start - REACH), start) + 1
    high = text.find("\n", end, end + REACH)
    cut_low, cut_high = max(low, start - REACH, 0), high if high >= 0 else min(len(text), end + REACH)
    cut = words.PLAIN_TOKEN if text[cut_low:cut_high].isascii() else words.TOKEN
    tokens = [token.span() for token in cut.finditer(text, cut_low, cut_high)]
    if tokens and not low and cut_low > 0 and words.LETTER.match(text, cut_low - 1) and tokens[0][0] == cut_low:
        tokens = tokens[1:]  # it begins further left
    if tokens and high < 0 and tokens[-1][1] == cut_high and words.LETTER.match(text, cut_high):
        tokens = tokens[:-1]
    return tokens if tokens and tokens[0][0] <= start and tokens[-1][1] >= end else []


def _preceding(text: str, begin: int) -> str:
    """The last words before a place, with whatever stands between: of one line."""
    before = text[max(0, begin - REACH) : begin].rstrip()
    before = before[before.rfind("\n") + 1 :]
    starts = [token.start() for token in words.tokens(before)][-PRECEDING:]
    return before[starts[0] :] if starts else ""


def link(url: str, anchor: str, preceding: str, named: str) -> str:
    """The url of the place where these words stand, below the heading that has `anchor` for its id.

    >>> link("http://example.com/a", "top", "", "well-known, & so on")
    'http://example.com/a#top:~:text=well%2Dknown%2C%20%26%20so%20on'
    >>> link("http://example.com/a", "", "of a", "rose")
    'http://example.com/a#:~:text=of%20a-,rose'
    """
    page = url.partition("#")[0]
    if not anchor and not named:
        return page
    place = quote(anchor, safe="!$&'()*+,;=:@/?", errors="replace") if ":~:" not in anchor else ""
    if not named:
        return f"{page}#{place}" if place else page
    before = f"{_quoted(preceding)}-," if preceding else ""
    return f"{page}#{place}:~:text={before}{_quoted(named)}"


def _quoted(text: str) -> str:
    return quote(text, safe="", errors="replace").replace("-", "%2D")  # a bare one has a meaning of its own
