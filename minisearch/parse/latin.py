"""Latin: which of the charsets for Latin letters with marks a text is in, told by these letters.

They put different letters at the same bytes, and any bytes can be read in each of them. But what is a common letter
in one is a rare letter or a mere sign in the others: "¹kola" and "ĺngrar" are no words of any language. And no language
has them all: "þæð" may be Icelandic and "où ça" French, but a text with þ, ç and ë is neither.
"""

from __future__ import annotations

import re

WESTERN = """äöüß éèêëàâçîïôùûœæ ñáéíóúü ãõáâàçéêíóôú àèéìòùî åäöé æøåéò áéíóúýðþæö àçéèíïòóúü ëïéèöü äöõüšž"""
CENTRAL = """ąćęłńóśźż áčďéěíňóřšťúůýž áäčďéíľňóôšťúýž áéíóöőúüű čćđšž ăâîşţ äöüß çë"""
TURKISH = "çğıöşüâîûi"  # whose i has a capital of its own, with a dot
BALTIC = "ąčęėįšųūž āčēģīķļņšūž äöõüšž"
LANGUAGES = {  # the letters of each, by charset; which are believed in this order when there is nothing to choose
    "cp1252": WESTERN.split(),
    "cp1250": CENTRAL.split(),
    "iso8859_2": CENTRAL.split(),
    "cp1257": BALTIC.split(),
    "iso8859_13": BALTIC.split(),
    "cp1254": TURKISH.split(),
}
SIGNS = frozenset("“”„‘’‚«»–—…°§¿¡ºª·©®\xa0")  # that may stand in any text
IN_WORD = re.compile(r"(?<=[^\W\d_])[^\w\s'’·](?=[^\W\d_])")  # a sign between two letters; Catalan has l·l
NEVER_FIRST = {"cp1250": re.compile(r"\b[ąęěů]"), "iso8859_2": re.compile(r"\b[ąęěů]")}  # no word there begins so
READ = 5_000  # letters that are looked at
MINE, OTHER, STRANGE, BROKEN = 1, -0.5, -2, -4  # what letters tell: of the language, another, none; a sign in a word
ENOUGH = 0.5  # on average, for a text that is in Latin letters at all


def told_by_marks(body: bytes) -> str:
    """The codec in which `body` makes most sense; nothing if in none.

    >>> told_by_marks("smörgåsbord på ängen".encode("cp1252")), told_by_marks("škola, kiša".encode("iso8859-2"))
    ('cp1252', 'iso8859_2')
    """
    told = {codec: _told(body, codec) for codec in LANGUAGES}
    best = max(told, key=lambda codec: told[codec][0])
    sense, letters = told[best]
    return best if letters and sense >= ENOUGH * letters else ""


def sense_of_marks(body: bytes, codec: str) -> float:
    """How much sense `body` makes in a codec: enough from 1 on."""
    sense, letters = _told(body, codec)
    return sense / letters / ENOUGH if letters else 0.0


def _told(body: bytes, codec: str) -> tuple[float, int]:
    """How much sense a text makes, and by how many letters that is told."""
    text = body.decode(codec, "replace")
    foreign = [letter.lower()[0] for letter in text if not letter.isascii() and letter not in SIGNS][:READ]
    known = frozenset("".join(LANGUAGES[codec]))
    other = sum(letter in known for letter in foreign)
    mine = max(sum(map(language.count, foreign)) for language in LANGUAGES[codec])
    strange = len(foreign) - other + (len(NEVER_FIRST[codec].findall(text)) if codec in NEVER_FIRST else 0)
    broken = sum(not sign.isascii() for sign in IN_WORD.findall(text))
    return MINE * mine + OTHER * (other - mine) + STRANGE * strange + BROKEN * broken, len(foreign)
