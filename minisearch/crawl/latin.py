"""Latin: which of the charsets for Latin letters with marks a text is in, told by these letters.

They put different letters at the same bytes, and any bytes can be read in each of them. But what is a common letter
in one is a rare letter or a mere sign in the others: "¹kola" and "ĺngrar" are no words of any language. And no language
has them all: "þæð" may be Icelandic and "où ça" French, but a text with þ, ç and ë is neither.
"""

from __future__ import annotations

import re

WESTERN = """äöüß éèêëàâçîïôùûœæ ñáéíóúü ãõáâàçéêíóôú àèéìòùî åäöé æøåéò áéíóúýðþæö àçéèíïòóúü ëïéèöü äöõüšž"""
CENTRAL = """ąćęłńóśźż áčďéěíňóřšťúůýž áäčďéíĺľňóôŕšťúýž áéíóöőúüű čćđšž ăâîşţ äöüß çë"""
TURKISH = "çğıöşüâîûi\u0307"  # the capital of i keeps its dot
BALTIC = "ąčęėįšųūž āčēģīķļņšūž äöõüšž"
LANGUAGES = {  # the letters of each, by charset; which are believed in this order when there is nothing to choose
    "cp1252": WESTERN.split(),
    "cp1250": CENTRAL.split(),
    "iso8859_2": CENTRAL.split(),
    "cp1254": TURKISH.split(),
    "cp1257": BALTIC.split(),
    "iso8859_13": BALTIC.split(),
}
WINDOWS = frozenset("“”„‘’‚«»–—…°§¿¡")  # signs that may stand in any text; the others of Windows look like them
ISO = frozenset("«»°§“”„’")
IN_WORD = re.compile(r"(?<=[^\W\d_])[^\w\s'’](?=[^\W\d_])")  # a sign between two letters
NEVER_FIRST = {"cp1250": re.compile(r"\b[ąęěů]"), "iso8859_2": re.compile(r"\b[ąęěů]")}  # no word there begins so
READ = 5_000  # letters that are looked at
OTHER, STRANGE, BROKEN = 0.5, -2, -4  # what a letter tells of another language, one of none, and a sign in a word


def likeliest(body: bytes) -> str:
    """The codec in which `body` makes most sense.

    >>> likeliest("smörgåsbord på ängen".encode("cp1252")), likeliest("škola, kiša".encode("iso8859-2"))
    ('cp1252', 'iso8859_2')
    """
    return max(LANGUAGES, key=lambda codec: _sense(body, codec))


def _sense(body: bytes, codec: str) -> float:
    text = body.decode(codec, "replace")
    signs = WINDOWS if codec.startswith("cp") else ISO
    foreign = [letter.lower() for letter in text if not letter.isascii() and letter not in signs][:READ]
    known = frozenset("".join(LANGUAGES[codec]))
    other = sum(letter in known for letter in foreign)
    mine = max(sum(map(language.count, foreign)) for language in LANGUAGES[codec])
    strange = len(foreign) - other + (len(NEVER_FIRST[codec].findall(text)) if codec in NEVER_FIRST else 0)
    broken = sum(not sign.isascii() for sign in IN_WORD.findall(text))
    return mine + OTHER * (other - mine) + STRANGE * strange + BROKEN * broken
