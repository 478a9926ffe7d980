"""Latin: which of the charsets of western and central Europe a text is in, told by its letters.

They put different letters at the same bytes, and any bytes can be read in each of them. But what is a common letter
in one is a rare letter or a mere sign in the others: "¹kola" and "ĺngrar" are no words of any language.
"""

from __future__ import annotations

import re

WESTERN = "äöüßéèêëàâçîïôùûœñáíóúåøæãõìòðþý"
CENTRAL = "áäąâăçčćďđéęëěíîľłńňóôöőřšśşťţúůüűýžźż"
COMMON = {  # by charset, in the order in which they are believed when there is nothing to choose
    "cp1252": frozenset(WESTERN + WESTERN.upper() + "ß¿¡“”„‘’‚«»–—…°§"),
    "cp1250": frozenset(CENTRAL + CENTRAL.upper() + "ß“”„‘’‚«»–—…°§"),
    "iso8859_2": frozenset(CENTRAL + CENTRAL.upper() + "ß°§"),
}
IN_WORD = re.compile(r"(?<=[^\W\d_])[^\w\s'’](?=[^\W\d_])")  # a sign between two letters
NEVER_BOTH = frozenset("õû")  # in one western language; where they stand side by side it is Hungarian, ő and ű
NEVER_FIRST = re.compile(r"\b[ąęěů]")  # no word of the languages of these charsets begins so
READ = 5_000  # letters that are looked at
STRANGE, BROKEN = 2, 4  # how much a letter counts that is rare, and a sign where a letter should be


def likeliest(body: bytes) -> str:
    """The codec in which `body` makes most sense.

    >>> likeliest("smörgåsbord på ängen".encode("cp1252")), likeliest("škola, kiša".encode("iso8859-2"))
    ('cp1252', 'iso8859_2')
    """
    return max(COMMON, key=lambda codec: _sense(body, codec))


def _sense(body: bytes, codec: str) -> int:
    text = body.decode(codec, "replace")
    foreign = [letter for letter in text if not letter.isascii()][:READ]
    usual = COMMON[codec] - NEVER_BOTH if {*foreign} >= NEVER_BOTH else COMMON[codec]
    common = sum(letter in usual for letter in foreign)
    strange = len(foreign) - common + len(NEVER_FIRST.findall(text))
    broken = sum(not sign.isascii() for sign in IN_WORD.findall(text))
    return common - STRANGE * strange - BROKEN * broken
