"""Charset: from the bytes a server sent to text, and on what evidence.

The order is that of the HTML standard: byte order mark, HTTP header, <meta>. What declares nothing, or
the impossible, is utf-8 if it can be: other text hardly ever happens to be valid utf-8. The rest is guessed.
Servers are often wrong about their pages: where the bytes plainly contradict what is declared, they win.

What is declared: minisearch/parse/declared.py; how it is guessed: minisearch/parse/guessing.py
What is declared wrongly though it can be read so: minisearch/parse/doubt.py
"""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from typing import NamedTuple

from webencodings import Encoding

from minisearch.parse.declared import ASSUMED, LATE, declared, in_markup
from minisearch.parse.doubt import otherwise
from minisearch.parse.guessing import NAMES, guessed, sense

MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF32_LE: "utf-32le", codecs.BOM_UTF32_BE: "utf-32be"}
MARKS |= {codecs.BOM_UTF16_LE: "utf-16le", codecs.BOM_UTF16_BE: "utf-16be"}  # the former begins like that of utf-32
TAG = re.compile(rb"<[!/]?[a-zA-Z][a-zA-Z0-9]*[\s/>]")  # as it is in all charsets but those of two-byte letters
WIDE_NAMES = ("utf-16le", "utf-16be")
WIDE = re.compile(rb"(?P<big>\0<\0[!?a-zA-Z]\0)|<\0[!?a-zA-Z]\0")  # how markup begins in two-byte letters
ESCAPES = (b"\x1b$B", b"\x1b$@")  # how Japanese letters begin in iso-2022-jp, which has nothing beyond ASCII
SURELY = 100  # bytes that by chance are valid utf-8, after which it is no chance
PROOF = 4  # letters beyond ASCII that happen to be valid utf-8, or not to be, after which it is no chance
FEW = 10  # of so many letters beyond ASCII one may be broken in what is still utf-8
MANY = 50  # if of so many letters one is broken, the text may be anything but what it is called
DOUBTFUL = 0.5  # of the sense that a text has to make in a charset: what makes less in it can be in another one
TWICE = re.compile(rb"\xc3[\x82-\xb4][\xc2\xc5\xc6\xcb\xe2]")  # two bytes of utf-8, each taken for a letter
UNHEARD_OF = re.compile("[\u00c0-\u00ff]{5,}")  # accents on every letter of a word: it is in another alphabet
LATIN = {chr(byte): byte for byte in range(256)}  # what a byte looks like to those who take it for a letter
LATIN |= {bytes([byte]).decode("cp1252"): byte for byte in range(256) if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)}
VALID, GUESSED, UNKNOWN = "valid utf-8", "guessed from its letters", "nothing better known"  # where nobody declares it
BUT, UNREADABLE = ", but the bytes are", "with some bytes unreadable"  # where it is declared wrongly


class Decoded(NamedTuple):
    """A document as text, the name of the charset it was in, and how we know."""

    text: str
    charset: str
    evidence: str


def plainly(body: bytes, content_type_header: str = "") -> str:
    """How we know that `body` is utf-8, if it is so plainly that it need not be decoded to be read; '' if not.

    >>> plainly("<meta charset=utf-8>Ћ".encode()), plainly(b"<p>"), plainly(b"<p>", "text/html; charset=koi8-r")
    ('meta tag', 'valid utf-8', '')
    """
    if not _is_plain(body) or WIDE.match(body):
        return ""
    encoding, source = declared(body, content_type_header)
    return VALID if encoding is None else source if encoding.name == "utf-8" else ""


def _is_plain(body: bytes) -> bool:
    """Whether `body` is utf-8 and surely nothing else."""
    return not (body.startswith(codecs.BOM_UTF8) or b"\x1b" in body or TWICE.search(body) or utf8(body) is None)


def decode(body: bytes, content_type_header: str = "") -> Decoded:
    """The text in `body`, whatever the bytes: what cannot be read becomes U+FFFD.

    >>> decode("<meta charset=windows-1251>Ћирилица".encode("cp1251"))[1:]
    ('windows-1251', 'meta tag')
    """
    for mark, name in MARKS.items():
        if body.startswith(mark):
            return marked(body.removeprefix(mark), name, content_type_header)
    return unmarked(body, content_type_header)


def unmarked(body: bytes, content_type_header: str = "") -> Decoded:
    """The same of bytes without a mark, or with one that is not believed."""
    encoding, source = declared(body, content_type_header)
    if wide := WIDE.match(body):  # no markup has zeros in it but that in two-byte letters
        name = "utf-16be" if wide["big"] else "utf-16le"
        told = encoding is not None and encoding.name == name
        return Decoded(body.decode(name, "replace"), name, source if told else "zeros between its letters")
    if (encoding is None or encoding.name == "utf-8") and (text := escaped(body)):
        return Decoded(text, "iso-2022-jp", "escapes between its letters")
    if encoding and encoding.name in WIDE_NAMES and is_narrow(body, encoding.name):
        return doubted(unmarked(body), source, encoding.name)
    if encoding:
        return once(obey(body, encoding, source), body)
    text = utf8(body)
    if text is not None:
        return once(Decoded(text, "utf-8", VALID), body)
    encoding, source = in_markup(body, LATE)
    if encoding:
        return obey(body, encoding, f"{source}, though a late one")
    text = nearly_utf8(body)
    return guess(body) if text is None else Decoded(text, "utf-8", "nearly valid utf-8")


def marked(body: bytes, name: str, content_type_header: str) -> Decoded:
    """The text after the mark of a charset, unless it plainly is not in that one."""
    text = body.decode(name, "replace")
    is_broken = "\ufffd" in text and text.encode(name) != body
    if is_narrow(body, name) if name in WIDE_NAMES else is_broken and is_rubble(text):
        return doubted(unmarked(body, content_type_header), "byte order mark", name)
    return Decoded(text, name, f"byte order mark, {UNREADABLE}" if is_broken else "byte order mark")


def doubted(found: Decoded, source: str, name: str) -> Decoded:
    """What was found instead of the charset that a page was called by."""
    return found._replace(evidence=f"{found.evidence}; {source} said {name}{BUT} not")


def is_narrow(body: bytes, name: str) -> bool:
    """Whether there is markup in `body`, but none if it were in the two-byte letters of this charset; or, without any
    zero in it, what would be letters of two bytes each is valid utf-8 all the same."""
    if TAG.search(body):
        return "<" not in body.decode(name, "replace")
    return len(body) >= SURELY and b"\0" not in body and utf8(body) is not None


def is_rubble(text: str) -> bool:
    """Whether much of a text could not be read as utf-8."""
    return foreign(text) // 2 < text.count("\ufffd") >= PROOF


def obey(body: bytes, encoding: Encoding, source: str) -> Decoded:
    """The text in the charset declared, unless it plainly is another one."""
    name = encoding.name
    text = utf8(body)
    if name == "utf-8" and text is not None:
        return Decoded(text, name, source)
    declared_text = strictly(body, encoding)
    said = VALID
    if text is None and name != "utf-8" and (text := nearly_utf8(body)) is not None:
        said = "nearly valid utf-8"
    # Where each byte is a letter, any bytes can be read, and only utf-8 can be told from the rest.
    believed = text is None or len(declared_text or "") < len(body) or foreign(text) < PROOF
    if declared_text is not None and believed:
        if name == ASSUMED and len(UNHEARD_OF.findall(declared_text)) >= PROOF:
            return instead(body, source, name)
        return disproved(body, source, name) or Decoded(declared_text, name, source)
    if text is not None:
        return Decoded(text, "utf-8", f"{source} said {name}{BUT} {said}")
    text = encoding.codec_info.decode(body, "replace")[0]
    if name == "utf-8" and is_rubble(text):
        return instead(body, source, name)
    found = better(body, source, name) if text.count("\ufffd") >= max(PROOF, foreign(text) // MANY) else None
    return found or disproved(body, source, name) or Decoded(text, name, f"{source}, {UNREADABLE}")


def disproved(body: bytes, source: str, name: str) -> Decoded | None:
    """The text of a page that can be read as declared, where nobody would believe it."""
    if body.isascii() or not (codec := otherwise(body, name)):
        return None
    with suppress(UnicodeDecodeError):
        return doubted(Decoded(body.decode(codec), NAMES[codec], GUESSED), source, name)
    return None


def instead(body: bytes, source: str, name: str) -> Decoded:
    """The text of a page that was called by the name of a charset it is anything but in."""
    return doubted(in_another(body, name) or guess(body), source, name)


def in_another(body: bytes, name: str) -> Decoded | None:
    """The text in the charset that the markup names, if it is another one, and one that can be."""
    encoding, where = in_markup(body)
    if encoding is None or encoding.name == name or (text := strictly(body, encoding)) is None:
        return None
    return Decoded(text, encoding.name, where)


def better(body: bytes, source: str, name: str) -> Decoded | None:
    """The text of a page some of whose bytes cannot be read as declared, where it is plain what it is in: all of it can
    be read there and makes sense, as it does not where it was declared. A byte may be broken anywhere."""
    told = sense(body, name)
    if told is None or told > DOUBTFUL:
        return None
    for found in (in_another(body, name), guess(body)):
        if found and found.charset != name and "\ufffd" not in found.text and (sense(body, found.charset) or 0) >= 1:
            return doubted(found, source, name)
    return None


def guess(body: bytes) -> Decoded:
    """The text in the likeliest charset, judged by the letters it gives."""
    codec = guessed(body)
    if not codec:
        return Decoded(body.decode("cp1252", "replace"), ASSUMED, UNKNOWN)
    return Decoded(body.decode(codec, "replace"), NAMES[codec], GUESSED)


def is_declared(evidence: str) -> bool:
    """Whether anybody names the charset of a page that is known by this evidence."""
    return evidence not in (VALID, GUESSED, UNKNOWN)


def is_declared_wrongly(evidence: str) -> bool:
    """Whether somebody does, and the bytes contradict it.

    >>> is_declared_wrongly(decode("Ћирилица".encode(), "text/html; charset=koi8-r").evidence)
    True
    """
    return BUT in evidence or UNREADABLE in evidence


def foreign(text: str) -> int:
    """How many letters of a text are not ASCII."""
    return len(text) - len(text.encode("ascii", "ignore"))


def once(decoded: Decoded, body: bytes) -> Decoded:
    """The same text; or, if its utf-8 was taken for Latin letters and written in utf-8 once more, as it was before.

    >>> once(Decoded("Ñ\x88ÑƒÐ¼Ð°", "utf-8", "http header"), "Ñ\x88ÑƒÐ¼Ð°".encode())
    Decoded(text='шума', charset='utf-8', evidence='http header; it was written in utf-8 twice')
    """
    if decoded.charset != "utf-8" or b"\xc3" not in body or not TWICE.search(body):
        return decoded
    try:
        text = bytes(map(LATIN.__getitem__, decoded.text)).decode("utf-8")
    except (KeyError, UnicodeError):
        return decoded  # some of it is as it should be
    return Decoded(text, decoded.charset, f"{decoded.evidence}; it was written in utf-8 twice")


def strictly(body: bytes, encoding: Encoding) -> str | None:
    """The text if all of `body` can be read in a charset; of gbk, as browsers do, also what was added to it later."""
    with suppress(UnicodeError):
        return encoding.codec_info.decode(body, "strict")[0]
    if encoding.name == "gbk":
        with suppress(UnicodeError):
            return body.decode("gb18030")
    return None


def utf8(body: bytes) -> str | None:
    """The text if `body` is valid utf-8."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return None


def nearly_utf8(body: bytes) -> str | None:
    """The text if `body` is utf-8 with some bytes broken, as by whoever cut or mixed it; the letters around them tell.

    >>> nearly_utf8("Ћирилица и ".encode() + bytes([255])), nearly_utf8("Ћирилица".encode("cp1251"))
    ('Ћирилица и \ufffd', None)
    """
    text = body.decode("utf-8", "replace")
    return text if foreign(text) >= max(PROOF, FEW * text.count("\ufffd")) else None


def escaped(body: bytes) -> str | None:
    """The text if `body` is iso-2022-jp, which may pass for utf-8."""
    if b"\x1b" in body and any(escape in body for escape in ESCAPES):
        with suppress(UnicodeError):
            return body.decode("iso-2022-jp")
    return None
