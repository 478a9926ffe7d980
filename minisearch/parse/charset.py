"""From the bytes of a response to text, with the charset and the evidence for it.

The order is that of the HTML standard: byte order mark, HTTP header, <meta>. Valid UTF-8 wins over another declared
charset, because text in any other charset is hardly ever valid UTF-8. Undeclared text is UTF-8 if it can be. Otherwise
the charset is detected: by the letters of European languages if the text is in Latin script, otherwise by
charset-normalizer.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple

import charset_normalizer
from webencodings import UTF8, Encoding, lookup

BOM, HEADER, META, XML_DECLARATION = "byte order mark", "http header", "meta tag", "xml declaration"
VALID_UTF8, DETECTED, FALLBACK = "valid utf-8", "detected from the text", "nothing better known"

BOMS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32le",  # before UTF-16, whose mark is the beginning of this one
    codecs.BOM_UTF32_BE: "utf-32be",
    codecs.BOM_UTF16_LE: "utf-16le",
    codecs.BOM_UTF16_BE: "utf-16be",
}
PRESCAN = 65_536  # bytes in which the markup may declare its charset; browsers look for it beyond 1024 bytes, too
PROOF = 4  # non-ASCII characters that are valid UTF-8, or invalid, after which it is no coincidence
MAX_BROKEN = 0.1  # share of the non-ASCII characters that may be unreadable in a charset that is believed
MAX_BROKEN_UTF8 = 0.5  # the same if UTF-8 is declared, which what is readable proves as well

LABEL = rb"""charset\s*=\s*(?:["']\s*)?([\w.:+-]+)"""
IN_HEADER = re.compile(LABEL, re.IGNORECASE)
# One with a name, such as a description, may speak of charsets and declares none.
IN_META = re.compile(rb"<meta\b(?![^<>]*\b(?:name|property)\s*=)[^<>]*?\b" + LABEL, re.IGNORECASE)
IN_XML = re.compile(rb"""^\s*<\?xml[^<>]*?\sencoding\s*=\s*["']([\w.:+-]+)["']""")
COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)

SAMPLE = 20_000  # bytes from which a charset is detected
MIN_SAMPLE = 300  # charset-normalizer knows no language by less; a shorter text is repeated
TAG = re.compile(rb"<[^>]*>")
NOT_ASCII = re.compile(rb"[\x80-\xff]")
LETTER = re.compile(rb"[a-zA-Z\x80-\xff]")
LATIN_SHARE = 0.4  # of the letters that are not ASCII: in Latin script there are fewer
# The letters with diacritics of European languages, one language a word, by the charsets that have them.
WESTERN = "äöüß éèêëàâçîïôùûœæ ñáéíóúü ãõáâàçéêíóôú àèéìòùî åäöé æøåéò áéíóúýðþæö àçéèíïòóúü ëïéèöüûê äöõüšž"
CENTRAL = "ąćęłńóśźż áčďéěíňóřšťúůýž áäčďéíľĺňóôšťúýž áéíóöőúüű čćđšž ăâîşţ"
LATIN_LETTERS = {  # if two fit equally well, the first is taken
    "windows-1252": WESTERN,
    "iso-8859-2": CENTRAL,
    "windows-1250": CENTRAL,
    "windows-1257": "ąčęėįšųūž āčēģīķļņšūž",
    "windows-1254": "çğıöşüâîûi",
}
NEUTRAL = frozenset("“”„‘’‚«»–—…°§¿¡ºª·©®\xa0")  # signs in texts of any language
# A sign where a letter should be, and letters that no word begins with.
MISPLACED = re.compile(r"(?<=[^\W\d_])[^\w\s'’·\x00-\x7f](?=[^\W\d_])|[©®](?=[a-z])|\b[ąęěů]")
FIT = 0.8  # score from which on a Latin charset is believed
NAMES = [f"windows-{number}" for number in (874, *range(1250, 1258))]
NAMES += ["ibm866", "koi8-r", "koi8-u", "iso-8859-2", "iso-8859-5", "iso-8859-6", "iso-8859-7"]
NAMES += ["shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"]
DETECTABLE = {encoding.codec_info.name: encoding for name in NAMES if (encoding := lookup(name))}


class Decoded(NamedTuple):
    """The text of a document, its charset, the evidence for it, and what was declared."""

    text: str
    charset: str
    evidence: str  # one of the constants above
    declared: str = ""  # the charset that header or markup name; '' if neither does
    declared_by: str = ""
    unreadable: bool = False  # some bytes are not in this charset

    @property
    def is_contradicted(self) -> bool:
        """Whether the bytes contradict the charset that was declared."""
        return bool(self.declared) and (self.unreadable or self.declared != self.charset)


def decode(body: bytes, content_type: str = "") -> Decoded:
    """The text in `body`; invalid bytes become U+FFFD.

    >>> decode("<meta charset=windows-1251>Ћирилица".encode("cp1251"))[1:3]
    ('windows-1251', 'meta tag')
    """
    for bom, name in BOMS.items():
        if body.startswith(bom):
            text, unreadable = _read(body.removeprefix(bom), name)
            return Decoded(text, name, BOM, name, BOM, unreadable)
    found, labels = _as_utf8(body), [*_declared(body, content_type)]
    if not labels:
        return found or _detect(body)
    encoding, source = labels[0]
    name = encoding.name
    if found and (name == "utf-8" or _outweighs(body, found.text, name)):
        return found._replace(evidence=source if name == "utf-8" else VALID_UTF8, declared=name, declared_by=source)
    for label, evidence in labels:
        text, unreadable = _read(body, _codec(label))
        most = MAX_BROKEN_UTF8 if label.name == "utf-8" else MAX_BROKEN
        if not unreadable or text.count("\ufffd") < max(PROOF, most * _foreign(text)):
            return Decoded(text, label.name, evidence, name, source, unreadable)
    return _detect(body)._replace(declared=name, declared_by=source)


def describe(decoded: Decoded) -> str:
    """The evidence for a charset in words.

    >>> describe(decode("Ћирилица".encode(), "text/html; charset=koi8-r"))
    'valid utf-8, though the http header declares koi8-r'
    """
    words = decoded.evidence
    if decoded.declared and decoded.declared != decoded.charset:
        words += f", though the {decoded.declared_by} declares {decoded.declared}"
    return f"{words}, with some unreadable bytes" if decoded.unreadable else words


def _declared(body: bytes, content_type: str) -> Iterator[tuple[Encoding, str]]:
    """The charsets that the Content-Type header and the markup declare, in the order in which they count."""
    for label in IN_HEADER.findall(content_type.encode("ascii", "replace")):
        if encoding := _known(label):
            yield encoding, HEADER
    start = body[:PRESCAN]
    if b"<!--" in start:
        start = COMMENT.sub(b"", start)
    for pattern, source in ((IN_META, META), (IN_XML, XML_DECLARATION)):
        for label in pattern.findall(start):
            if encoding := _known(label):
                is_wide = encoding.name.startswith("utf-16")  # then the label could not have been read in ASCII
                yield (UTF8 if is_wide else encoding), source


def _known(label: bytes) -> Encoding | None:
    """The charset that browsers mean by a label; the two that are not for reading are none."""
    encoding = lookup(label.decode("latin-1"))
    return encoding if encoding and encoding.name not in ("replacement", "x-user-defined") else None


def _codec(encoding: Encoding) -> str:
    """Python's name of a charset."""
    return "gb18030" if encoding.name == "gbk" else encoding.codec_info.name  # which has all of gbk, and more


def _read(body: bytes, codec: str) -> tuple[str, bool]:
    """The text, and whether some bytes of it are unreadable."""
    try:
        return body.decode(codec), False
    except UnicodeDecodeError:
        return body.decode(codec, "replace"), True


def _outweighs(body: bytes, text: str, declared: str) -> bool:
    """Whether valid UTF-8 is proof enough against the charset declared: ASCII is not, but against UTF-16 it is."""
    return b"\0" not in body and (_foreign(text) >= PROOF or declared.startswith("utf-16"))


def _as_utf8(body: bytes) -> Decoded | None:
    """The text if `body` is UTF-8, but for a few broken bytes."""
    text, unreadable = _read(body, "utf-8")
    foreign = _foreign(text) if unreadable else 0
    if unreadable and (foreign < PROOF or text.count("\ufffd") > MAX_BROKEN * foreign):
        return None
    return Decoded(text, "utf-8", VALID_UTF8, unreadable=unreadable)


def _detect(body: bytes) -> Decoded:
    """The text in the likeliest charset, by the letters it gives."""
    first = NOT_ASCII.search(body)
    start = max(0, first.start() - SAMPLE // 10) if first else 0
    lines = TAG.sub(b"\n", body[start : start + SAMPLE]).splitlines()
    sample = b"\n".join(line for line in lines if not line.isascii())
    encoding = _detect_latin(sample)
    if encoding is None:
        repeated = (sample + b"\n") * (1 + MIN_SAMPLE // (len(sample) + 1))
        matches = charset_normalizer.from_bytes(repeated, cp_isolation=[*DETECTABLE])
        best = max(matches, key=lambda match: (match.coherence, -match.chaos), default=None)
        encoding = DETECTABLE.get(codecs.lookup(best.encoding).name) if best else None
    if encoding is None:
        return Decoded(body.decode("cp1252", "replace"), "windows-1252", FALLBACK)
    text, unreadable = _read(body, _codec(encoding))
    return Decoded(text, encoding.name, DETECTED, unreadable=unreadable)


def _detect_latin(sample: bytes) -> Encoding | None:
    """The charset of a text in Latin script; None if it is in another script or fits no charset."""
    if len(NOT_ASCII.findall(sample)) > LATIN_SHARE * len(LETTER.findall(sample)):
        return None
    scores = {name: _latin_score(sample.decode(name, "replace"), name) for name in LATIN_LETTERS}
    best = max(scores, key=scores.__getitem__)
    return lookup(best) if scores[best] >= FIT else None


def _latin_score(text: str, name: str) -> float:
    """Which share of the letters with diacritics one language has, less what cannot be there."""
    letters = [letter.lower()[0] for letter in text if not letter.isascii() and letter not in NEUTRAL]
    fitting = max(sum(map(language.count, letters)) for language in LATIN_LETTERS[name].split())
    return (fitting - PROOF * len(MISPLACED.findall(text))) / len(letters) if letters else 0.0


def _foreign(text: str) -> int:
    """How many characters of a text are not ASCII."""
    return len(text) - len(text.encode("ascii", "ignore"))
