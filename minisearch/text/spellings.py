"""Spellings: words as people write them, counted, for those who mistype or have only begun to type.

The index knows words by their stems, and nobody wants to be offered `documentat`. So it also keeps the words
themselves, each a row of its own: `!documentation`, how often it was met, and how it is written if not just so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from minisearch.text.scripts import PAIRED, fold
from minisearch.text.words import PLAIN_TOKEN, TOKEN

MARK = "!"  # no term begins with it
SHORTEST, LONGEST = 3, 40  # letters of a word that is offered
MANY = 50_000  # different pieces of text from which on those met once are left out: most are slips or data
FEW = 5  # times that what is no plain word has to be met then
_LETTER = re.compile(rb"[A-Za-z\x80-\xff]")
AROUND = b".'-+#"  # may stand after a word, and is not part of it


def spellings(pieces: Iterable[tuple[bytes, int]]) -> Iterator[tuple[str, int, str]]:
    """(word, how often, how it is written if not just so) for the words among pieces of text that were counted.

    >>> list(spellings([(b"pruning", 2), (b"Pruning.", 1), (b"JSONDecoder", 2), (b"3.11", 9), (b"JSON", 1)]))
    [('json', 1, 'JSON'), ('jsondecoder', 2, 'JSONDecoder'), ('pruning', 3, '')]
    """
    written: dict[str, int] = {}
    for piece, count in pieces:
        if word := _word(piece):
            written[word] = written.get(word, 0) + count
    alike: dict[str, list[str]] = {}
    for word in written:
        alike.setdefault(fold(word), []).append(word)
    for folded in sorted(alike):
        if SHORTEST <= len(folded) <= LONGEST:
            those = alike[folded]
            usual = those[0] if len(those) == 1 else max(those, key=lambda w: (written[w], w.islower(), w))
            usual = usual.lower() if usual.istitle() else usual  # it may only have begun a sentence
            yield folded, sum(map(written.__getitem__, those)), usual if usual != folded else ""


def _word(piece: bytes) -> str:
    """The one word that a piece of text is, or ''."""
    if piece.isalpha():  # by far the most frequent case
        return piece.decode() if SHORTEST <= len(piece) <= LONGEST else ""
    bare = piece.rstrip(AROUND)
    if not SHORTEST <= len(bare) <= 4 * LONGEST or not _LETTER.search(bare, 0, 8):
        return ""
    word = bare.decode("utf-8", "replace")
    if bare.isalpha():
        return word
    whole = (PLAIN_TOKEN if word.isascii() else TOKEN).fullmatch(word)
    return word if whole and (word.isascii() or not PAIRED.search(word)) else ""
