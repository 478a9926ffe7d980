"""Spellings: words as people write them, counted, for those who mistype or have only begun to type.

The index knows words by their stems, and nobody wants to be offered `documentat`. So it also keeps the words
themselves, each a row of its own: `!documentation`, how often it was met, and how it is written if not just so.
"""

from __future__ import annotations

import re
from collections import defaultdict

from minisearch.text.scripts import PAIRED, fold
from minisearch.text.words import PLAIN_TOKEN, TOKEN

MARK = "!"  # no term begins with it
SHORTEST, LONGEST = 3, 40  # letters of a word that is offered
MANY = 50_000  # different pieces of text from which on those met once are left out: most are slips or data
FEW = 5  # times that what is no plain word has to be met then
MOST_BYTES = 4 * LONGEST
# Each line that is one word with a letter near its beginning; '' for the others.
_LINE = re.compile(rf"^(?=.{{{SHORTEST}}})(?=.{{0,7}}[A-Za-z])({PLAIN_TOKEN.pattern})$|^.*$", re.ASCII | re.MULTILINE)
_LETTER = re.compile(rb"[A-Za-z\x80-\xff]")
AROUND = b".'-+#"  # may stand after a word, and is not part of it

Spelled = tuple[str, int, str]


def spellings(pieces: list[bytes], counts: list[int]) -> list[Spelled]:
    """(word, how often, how it is written if not just so) for the words among pieces of text that were counted.

    >>> spellings([b"pruning", b"Pruning.", b"JSONDecoder", b"3.11", b"JSON"], [2, 1, 2, 9, 1])
    [('json', 1, 'JSON'), ('jsondecoder', 2, 'JSONDecoder'), ('pruning', 3, '')]
    """
    return _told(_counted(pieces, counts))


def _counted(pieces: list[bytes], counts: list[int]) -> defaultdict[str, int]:
    """How often each word was met, by how it is written."""
    written: defaultdict[str, int] = defaultdict(int)
    for word, count in zip(_words(pieces), counts, strict=True):
        written[word] += count
    written.pop("", None)
    return written


def _told(written: dict[str, int]) -> list[Spelled]:
    words = list(written)
    alike: dict[str, str | list[str]] = {}
    for folded, word in zip(_folded(words), words, strict=True):
        if (other := alike.setdefault(folded, word)) is not word:
            alike[folded] = [*([other] if isinstance(other, str) else other), word]
    told = []
    for folded in sorted(alike):
        if SHORTEST <= len(folded) <= LONGEST:
            those = alike[folded]
            if isinstance(those, str):
                usual, count = those, written[those]
            else:
                usual = max(those, key=lambda w: (written[w], w.islower(), w))
                count = sum(map(written.__getitem__, those))
            usual = usual.lower() if usual.istitle() else usual  # it may only have begun a sentence
            told.append((folded, count, usual if usual != folded else ""))
    return told


def _folded(words: list[str]) -> list[str]:
    """Words as they are looked for; those of plain letters at one go."""
    plain = "\n".join(words).lower().split("\n") if words else []
    return [lower if word.isascii() else fold(word) for lower, word in zip(plain, words, strict=True)]


def _words(pieces: list[bytes]) -> list[str]:
    """The one word that each piece of text is, or ''; those of plain letters at one go."""
    bare = [piece.rstrip(AROUND) for piece in pieces]
    lines = b"\n".join([word if word.isascii() and len(word) <= MOST_BYTES else b"" for word in bare])
    found = _LINE.findall(lines.decode()) if bare else []
    return [_word(piece) if not piece.isascii() else word for piece, word in zip(bare, found, strict=True)]


def _word(bare: bytes) -> str:
    """The one word that a piece of text with other letters is, or ''."""
    if not SHORTEST <= len(bare) <= MOST_BYTES or not _LETTER.search(bare, 0, 8):
        return ""
    word = bare.decode("utf-8", "replace")
    return word if TOKEN.fullmatch(word) and not PAIRED.search(word) else ""
