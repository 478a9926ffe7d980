"""The word list: words as people write them, counted, for spelling suggestions and completions.

The index holds stems, and `documentat` is not a useful suggestion.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from minisearch.analysis.normalize import PAIRED, fold
from minisearch.analysis.tokenizer import PLAIN_TOKEN, TOKEN

SHORTEST, LONGEST = 3, 40  # letters of a word that is listed
MANY = 50_000  # different runs of text from which on those that occur once are left out: most are slips or data
FEW = 5  # occurrences that an identifier or file name needs then
MOST_LETTERS = 4 * LONGEST  # of a word before it is folded
_LETTER = re.compile(r"[^\W\d_]")


# A word in its folded form, how often it occurs, and its usual spelling ('' if that is the same).
Word = tuple[str, int, str]


def word_list(runs: Sequence[tuple[bytes, int]]) -> list[Word]:
    """The words among runs of text with their frequency; if there are very many runs, without those that are rare."""
    if len(runs) <= MANY:
        return count_words(runs)
    return count_words([(run, count) for run, count in runs if count > 1], few=FEW)


def count_words(runs: Sequence[tuple[bytes, int]], few: int = 1) -> list[Word]:
    """The words among runs of text with their frequency, in order; identifiers only if there are a `few`.

    >>> count_words([(b"pruning", 2), (b"Pruning.", 1), (b"JSONDecoder", 2), (b"3.11", 9), (b"JSON", 1)])
    [('json', 1, 'JSON'), ('jsondecoder', 2, 'JSONDecoder'), ('pruning', 3, '')]
    """
    counts: defaultdict[str, int] = defaultdict(int)  # by spelling
    texts = b"\n".join([run for run, _ in runs]).decode("utf-8", "replace").split("\n")
    for text, (_, count) in zip(texts, runs, strict=False):
        counts[text.rstrip(".'-+#")] += count
    spellings: defaultdict[str, list[str]] = defaultdict(list)
    for spelling in filter(_is_word, counts):
        spellings[fold(spelling)].append(spelling)
    words = []
    for folded in sorted(spellings):
        occurrences = sum(map(counts.__getitem__, spellings[folded]))
        if SHORTEST <= len(folded) <= LONGEST and (occurrences >= few or folded.isalpha()):
            usual = _usual(spellings[folded], counts)
            words.append((folded, occurrences, usual if usual != folded else ""))
    return words


def _usual(spellings: list[str], counts: Mapping[str, int]) -> str:
    """The most frequent spelling; a capital letter alone may only begin a sentence."""
    usual = max(spellings, key=lambda spelling: (counts[spelling], spelling.islower(), spelling))
    return usual.lower() if usual.istitle() else usual


def _is_word(text: str) -> bool:
    """Whether a run of text, without the marks at its end, is one word."""
    if text.isascii() and text.isalpha():
        return True
    if len(text) > MOST_LETTERS or not _LETTER.search(text[:8]):
        return False
    if text.isascii():
        return PLAIN_TOKEN.fullmatch(text) is not None
    return not PAIRED.search(text) and TOKEN.fullmatch(text) is not None
