"""Beginnings: a pattern for how words may begin in a text, whatever their case, their accents or their alphabet.

Most stemmers change no more than the ending, so a word has the first two letters of its term. That is enough to pass
over nearly all words of a text without a look at them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain

from minisearch.text.scripts import INVISIBLE, MARKS, fold, latin

# Languages whose stemmers may change the first two letters of a word, too.
CHANGING = frozenset(["ar", "eo", "ga", "id", "nl", "ta", "yi"])
# Latin, Greek, Cyrillic, Armenian; Hebrew, Arabic; Devanagari; more Latin and Greek
LETTERS = (
    *(range(0x41, 0x250), range(0x370, 0x590), range(0x5D0, 0x6F0), range(0x900, 0x980), range(0x1D2C, 0x2000)),
    *(range(0x2070, 0x2190), range(0x2460, 0x2500), range(0x2C60, 0x2C80), range(0xA720, 0xA800)),  # other shapes
    *(range(0xFB00, 0xFB07), range(0xFF10, 0xFF5B), range(0x1D400, 0x1D800), range(0x1F100, 0x1F1AE)),
)
_BETWEEN = f"[{MARKS}{INVISIBLE}]*"  # accents written apart, vowels that may be left out


def pattern(terms: Iterable[str], language: str) -> re.Pattern[str] | None:
    """What words of a language begin with that have one of these terms. It may match within a word, too.

    >>> found = pattern(["ruz"], "sr")
    >>> [bool(found.match(word)) for word in ("Ružica", "ружа", "ruke", "plava")]
    [True, True, True, False]
    >>> [bool(pattern(["uber"], "de").match(word)) for word in ("Über", "ueber", "unter")]
    [True, True, False]
    """
    alphabet, together = _spellings(language == "sr")
    heads = {_head(term, language) for term in terms}
    firsts, branches = "", []
    for head in sorted(heads):
        first = _spelled(alphabet, head[0])
        firsts += first
        if len(head) == 1:
            branches.append(f"(?<=[{first}])")
            continue
        extra = "[eE]?" * (language == "de" and head[0] in "aou")  # oe is ö is o
        branches.append(f"(?<=[{first}]){_BETWEEN}{extra}[{_spelled(alphabet, head[1])}]")
        if both := re.escape(together.get(head, "")):
            firsts += both
            branches.append(f"(?<=[{both}])")
    return re.compile(f"[{firsts}](?:{'|'.join(branches)})") if heads else None


def _head(term: str, language: str) -> str:
    """The letters of a term that its words have for sure."""
    if language == "sr":
        return "d" if term[0] == "đ" else term[0]  # what its stemmer does to dj, ije and the like is too much to follow
    return term[:2] if len(term) > 3 else term[0]


def _spelled(alphabet: Mapping[str, str], letter: str) -> str:
    return re.escape(alphabet.get(letter, letter) + letter)


@cache
def _spellings(transliterated: bool) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """The letters that are folded to one that begins with a letter, and those folded to two or more letters."""
    one: dict[str, str] = defaultdict(str)
    two: dict[str, str] = defaultdict(str)
    for letter in map(chr, chain(*LETTERS)):
        folded = fold(letter)
        folded = latin(folded) if transliterated else folded
        if folded:
            one[folded[0]] += letter
        if len(folded) > 1:
            two[folded[:2]] += letter
    return one, two
