"""Text fragments: links that make a browser scroll to a passage and highlight it.

Specification: https://wicg.github.io/scroll-to-text-fragment/ . The text of a fragment must be in one block of the
page (a line of our text) and consists of whole words. A browser takes the first place where it finds them, whatever
their case. If that is not the passage, more words are added, and at last the words before them as a prefix.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from minisearch.analysis import tokenizer as words
from minisearch.search.snippets.highlight import Match

REACH = 120  # characters before and after a match among which the words are chosen
MAX_LENGTH = 80  # characters from the first match to the last one that is included
CONTEXT = (0, 2, 5, 9)  # words added before and after the matches, until the place is unique
PREFIX_WORDS = 3
CASE_IGNORED = 8_000  # characters before a place that are compared without case; further ones as they are


def fragment_text(text: str, matches: Sequence[Match]) -> tuple[str, str]:
    """The prefix, often empty, and the text of a fragment that leads to the first of some matches.

    >>> fragment_text("A rose is red.\\nThis rose is not.", [(20, 24, 1)])
    ('', 'This rose is not')
    """
    start, end, _ = matches[0]
    tokens = _tokens_around(text, start, end)
    if not tokens:
        return "", text[start:end]  # within a long run without spaces
    for _, match_end, _ in matches:
        if match_end <= tokens[-1][1] and match_end - start <= MAX_LENGTH:
            end = max(end, match_end)
    first = max(number for number, token in enumerate(tokens) if token[0] <= start)
    last = min(number for number, token in enumerate(tokens) if token[1] >= end)
    text_before = text[:start].lower() if start <= CASE_IGNORED else ""
    for more in CONTEXT:
        low = tokens[max(0, first - more)][0]
        high = tokens[min(len(tokens) - 1, last + more)][1]
        chosen = text[low:high]
        if text.find(chosen, 0, high) == low and chosen.lower() not in text_before:
            return "", chosen
    return _prefix(text, low), chosen


def _tokens_around(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Start and end of the tokens near a match, in its line; nothing, if these do not include the match."""
    low = max(text.rfind("\n", 0, start) + 1, start - REACH)
    newline = text.find("\n", end, end + REACH)
    high = newline if newline >= 0 else min(len(text), end + REACH)
    tokens = [(low + token.start(), low + token.end()) for token in words.tokens(text[low:high])]
    if tokens and tokens[0][0] == low > 0 and words.LETTER.match(text, low - 1):
        del tokens[0]  # it begins further left
    if tokens and tokens[-1][1] == high and words.LETTER.match(text, high):
        del tokens[-1]
    return tokens if tokens and tokens[0][0] <= start and tokens[-1][1] >= end else []


def _prefix(text: str, end: int) -> str:
    """The last words of a line before a place, with the punctuation after them."""
    before = text[max(0, end - REACH) : end].rstrip()
    before = before[before.rfind("\n") + 1 :]
    starts = [token.start() for token in words.tokens(before)][-PREFIX_WORDS:]
    return before[starts[0] :] if starts else ""


def passage_url(url: str, anchor: str = "", prefix: str = "", text: str = "") -> str:
    """The URL of the place with this text on a page, below the heading with the id `anchor`.

    >>> passage_url("http://example.com/a", "top", "", "well-known, & so on")
    'http://example.com/a#top:~:text=well%2Dknown%2C%20%26%20so%20on'
    >>> passage_url("http://example.com/a", "", "of a", "rose")
    'http://example.com/a#:~:text=of%20a-,rose'
    """
    fragment = quote(anchor, safe="!$&'()*+,;=:@/?", errors="replace") if ":~:" not in anchor else ""
    if text:
        before = f"{_escape(prefix)}-," if prefix else ""
        fragment += f":~:text={before}{_escape(text)}"
    page = url.partition("#")[0]
    return f"{page}#{fragment}" if fragment else page


def _escape(text: str) -> str:
    return quote(text, safe="", errors="replace").replace("-", "%2D")  # an unescaped hyphen marks a prefix
