"""Doubt: pages that can be read as declared, but are plainly in another charset.

Any bytes can be read in most charsets of one-byte letters, and many in some of two-byte letters. Browsers obey what is
declared, and so do we, unless three witnesses agree: as declared, the text is in letters, or in a mixture of them, that
hardly any text is in; in another charset it makes sense; and a library with measures of its own prefers that one, too.
Between charsets of Latin letters nothing is told so: what is strange in one language is a common letter in another.
"""

from __future__ import annotations

import charset_normalizer

from minisearch.parse.alphabets import (
    CHARSETS,
    CYRILLIC,
    GREEK,
    HAN,
    HANGUL,
    KANA,
    NEUTRAL,
    OF_TWO_BYTES,
    sense_of_letters,
)
from minisearch.parse.guessing import CODECS, sample
from minisearch.parse.latin import sense_of_marks, told_by_marks

OF_PAIRS = KANA | HANGUL | HAN | CYRILLIC.letters | GREEK.letters  # which all of these charsets have, too
LOOK = 2_000  # bytes that are looked at first: nearly all pages are what they are called
FEWEST = 30  # letters after which it is no chance
RARE_PAIRS, COMMON_PAIRS = 0.1, 0.2  # part of the two-byte letters that are the commonest: in rubbish, in any text
MORE = 0.1  # by how much more Cyrillic letters have to be common ones, whether small or capital
DOUBTFUL = 0.7  # sense that a text makes if capitals stand where small letters should; also one all in capitals
SLAVIC = [codec for codec, alphabet in CHARSETS.items() if alphabet is CYRILLIC and codec != "mac_cyrillic"]
PLAIN_LATIN = 1.5  # sense that a text makes in Latin letters, where 1 would be enough to guess so


def otherwise(body: bytes, name: str) -> str:
    """The codec in which `body` plainly is though it can be read in the charset of this name; nothing if there is none.

    >>> page = "В лесу родилась ёлочка, в лесу она росла, зимой и летом стройная, зелёная была.".encode("cp1251")
    >>> otherwise(page, "koi8-r"), otherwise(page, "windows-1251")
    ('cp1251', '')
    """
    codec = CODECS.get(name, "")
    piece = sample(body) if codec in OF_TWO_BYTES or codec in CHARSETS else b""
    found = ""
    if codec in OF_TWO_BYTES and _part(piece[:LOOK], codec, OF_PAIRS) <= RARE_PAIRS:
        found = _among_pairs(piece, codec)
    elif codec in CHARSETS and sense_of_letters(piece[:LOOK], codec) <= DOUBTFUL:
        found = (_among_slavic(piece, codec) if codec in SLAVIC else "") or _among_latin(piece, codec)
    return found if found and _is_preferred(piece, found, codec) else ""


def _among_pairs(piece: bytes, codec: str) -> str:
    if _part(piece, codec, OF_PAIRS) > RARE_PAIRS:
        return ""
    told = {other: _part(piece, other, common) for other, common in OF_TWO_BYTES.items() if other != codec}
    best = max(told, key=told.__getitem__)
    return best if told[best] >= COMMON_PAIRS and _can_be(piece, best) else ""


def _among_slavic(piece: bytes, codec: str) -> str:
    if sense_of_letters(piece, codec) > DOUBTFUL:
        return ""
    told = {other: sense_of_letters(piece, other) for other in SLAVIC if other != codec}
    best = max(told, key=told.__getitem__)
    more = _part(piece, best, CYRILLIC.common) - _part(piece, codec, CYRILLIC.common)
    return best if told[best] >= 1 and more >= MORE else ""


def _among_latin(piece: bytes, codec: str) -> str:
    """The codec of a text that in another alphabet would mix it with Latin letters in most words."""
    if sense_of_letters(piece, codec) > 0 or len(_letters(piece, codec)) < FEWEST:
        return ""
    best = told_by_marks(piece)
    same = best and piece.decode(best, "replace") == piece.decode(codec, "replace")
    return best if best and not same and sense_of_marks(piece, best) >= PLAIN_LATIN else ""


def _is_preferred(piece: bytes, codec: str, declared: str) -> bool:
    """Whether the library finds a text likelier in a codec than in the one that is declared."""
    best = charset_normalizer.from_bytes(piece, cp_isolation=[codec, declared]).best()
    return best is not None and best.encoding == codec


def _part(piece: bytes, codec: str, common: frozenset[str]) -> float:
    """Which part of the letters beyond ASCII are common ones, small or capital; all of them if there are too few."""
    letters = _letters(piece, codec)
    return sum(map(common.__contains__, letters)) / len(letters) if len(letters) >= FEWEST else 1.0


def _letters(piece: bytes, codec: str) -> list[str]:
    return [
        letter for letter in piece.decode(codec, "replace").lower() if not letter.isascii() and letter not in NEUTRAL
    ]


def _can_be(piece: bytes, codec: str) -> bool:
    try:
        piece.decode(codec)
    except UnicodeDecodeError:
        return False
    return True
