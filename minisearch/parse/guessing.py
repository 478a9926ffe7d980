"""Guessing: which charset a page is in that nobody names, told by the letters it gives in each."""

from __future__ import annotations

import re

import charset_normalizer

from minisearch.parse.alphabets import (
    CHARSETS,
    OF_TWO_BYTES,
    sense_of_letters,
    sense_of_pairs,
    told_by_letters,
    told_by_pairs,
)
from minisearch.parse.latin import LANGUAGES, sense_of_marks, told_by_marks

SAMPLE = 20_000  # bytes from which a charset is guessed
GUESSES = ["cp1252", "cp1250", "iso8859_2", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "koi8_r"]
GUESSES += ["cp932", "euc_jp", "gb18030", "big5hkscs", "cp949"]  # what is seen on the web
NAMES = {  # of what can be told by its letters: by its name in Python
    "cp1252": "windows-1252",
    "cp1250": "windows-1250",
    "iso8859_2": "iso-8859-2",
    "cp1254": "windows-1254",
    "cp1257": "windows-1257",
    "iso8859_13": "iso-8859-13",
    "cp1251": "windows-1251",
    "koi8_r": "koi8-r",
    "koi8_u": "koi8-u",
    "iso8859_5": "iso-8859-5",
    "cp866": "ibm866",
    "mac_cyrillic": "x-mac-cyrillic",
    "cp1253": "windows-1253",
    "iso8859_7": "iso-8859-7",
    "cp1255": "windows-1255",
    "cp1256": "windows-1256",
    "iso8859_6": "iso-8859-6",
    "cp874": "windows-874",
    "cp932": "shift_jis",
    "euc_jp": "euc-jp",
    "gb18030": "gb18030",
    "big5hkscs": "big5",
    "cp949": "euc-kr",
}
CODECS = {name: codec for codec, name in NAMES.items()} | {"gbk": "gb18030"}
LETTERS = bytes({*range(ord("A"), ord("Z") + 1), *range(ord("a"), ord("z") + 1)})
NOT_ASCII = re.compile(rb"[\x80-\xff]")


def guessed(body: bytes) -> str:
    """The codec in which a document is likeliest; nothing if it makes no sense in any.

    >>> guessed("<p>Тише едешь, дальше будешь".encode("koi8-r"))
    'koi8_r'
    """
    piece = sample(body)
    if codec := told_by_letters(piece) or told_by_marks(piece) or told_by_pairs(piece):
        return codec
    best = charset_normalizer.from_bytes(piece, cp_isolation=GUESSES).best()
    return best.encoding if best else ""


def sense(body: bytes, name: str) -> float | None:
    """How much sense a document makes in a charset: enough from 1 on; nothing if that can not be told of this one.

    >>> word = "<p>Сообразительность".encode("cp1251")
    >>> sense(word, "windows-1251") > 1 > sense(word, "shift_jis"), sense(word, "macintosh")
    (True, None)
    """
    codec = CODECS.get(name, "")
    if codec in CHARSETS:
        return sense_of_letters(sample(body), codec)
    if codec in OF_TWO_BYTES:
        return sense_of_pairs(sample(body), codec)
    return sense_of_marks(sample(body), codec) if codec in LANGUAGES else None


def sample(body: bytes) -> bytes:
    """A piece of the document from its first word that is not ASCII, cut between two tags."""
    first = next((match.start() for match in NOT_ASCII.finditer(body)), 0)
    first = len(body[:first].rstrip(LETTERS))  # all of its word
    end = body.rfind(b"<", first, first + SAMPLE) if len(body) > first + SAMPLE else -1
    return body[first:] if end < 0 else body[first:end]
