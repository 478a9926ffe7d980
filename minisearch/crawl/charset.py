"""Charset: from the bytes a server sent to text, and on what evidence.

The order is that of the HTML standard: byte order mark, HTTP header, <meta>. What declares nothing, or
the impossible, is utf-8 if it can be: other text hardly ever happens to be valid utf-8. The rest is guessed.
Servers are often wrong about their pages: where the bytes plainly contradict what is declared, they win.
"""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from typing import NamedTuple

import charset_normalizer
from webencodings import Encoding, lookup

from minisearch.crawl.alphabets import told_by_letters, told_by_pairs
from minisearch.crawl.latin import told_by_marks

MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16le", codecs.BOM_UTF16_BE: "utf-16be"}
PRESCAN = 1024  # bytes in which a page has to declare its charset
LATE = 65_536  # and in which it is looked for before anything is guessed
WIDE = re.compile(rb"(?P<big>\0<\0[!?a-zA-Z]\0)|<\0[!?a-zA-Z]\0")  # how markup begins in two-byte letters
ESCAPES = (b"\x1b$B", b"\x1b$@")  # how Japanese letters begin in iso-2022-jp, which has nothing beyond ASCII
SAMPLE = 20_000  # bytes from which a charset is guessed
LAST_RESORT = "windows-1252"
PROOF = 4  # letters beyond ASCII that happen to be valid utf-8, or not to be, after which it is no chance
FEW = 10  # of so many letters beyond ASCII one may be broken in what is still utf-8
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
LETTERS = bytes({*range(ord("A"), ord("Z") + 1), *range(ord("a"), ord("z") + 1)})

CHARSET = re.compile(r"charset\s*=\s*(?:[\"']\s*)?([\w.:+-]+)", re.ASCII | re.IGNORECASE)
NOT_ASCII = re.compile(rb"[\x80-\xff]")
COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
META = re.compile(r"<meta[\s/]([^>]*)", re.IGNORECASE)
ATTRIBUTE = re.compile(r"""([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
TWICE = re.compile(rb"\xc3[\x82-\xb4][\xc2\xc5\xc6\xcb\xe2]")  # two bytes of utf-8, each taken for a letter
UNHEARD_OF = re.compile("[\u00c0-\u00ff]{5,}")  # accents on every letter of a word: it is in another alphabet
LATIN = {chr(byte): byte for byte in range(256)}  # what a byte looks like to those who take it for a letter
LATIN |= {bytes([byte]).decode("cp1252"): byte for byte in range(256) if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)}
XML = re.compile(r"""<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:+-]+)["']""", re.ASCII)


class Decoded(NamedTuple):
    """A document as text, the name of the charset it was in, and how we know."""

    text: str
    charset: str
    evidence: str
    utf8: bytes = b""  # the body, where it is just this text in UTF-8, as nearly always


def decode(body: bytes, content_type_header: str = "") -> Decoded:
    """The text in `body`, whatever the bytes: what cannot be read becomes U+FFFD.

    >>> decode("<meta charset=windows-1251>Ћирилица".encode("cp1251"))[1:3]
    ('windows-1251', 'meta tag')
    """
    for mark, name in MARKS.items():
        if body.startswith(mark):
            return Decoded(body.removeprefix(mark).decode(name, "replace"), name, "byte order mark")
    encoding, source = declared(body, content_type_header)
    if wide := WIDE.match(body):  # no markup has zeros in it but that in two-byte letters
        name = "utf-16be" if wide["big"] else "utf-16le"
        told = encoding is not None and encoding.name == name
        return Decoded(body.decode(name, "replace"), name, source if told else "zeros between its letters")
    if (encoding is None or encoding.name == "utf-8") and (text := escaped(body)):
        return Decoded(text, "iso-2022-jp", "escapes between its letters")
    if encoding:
        return once(obey(body, encoding, source), body)
    text = utf8(body)
    if text is not None:
        return once(Decoded(text, "utf-8", "valid utf-8", body), body)
    encoding, source = in_markup(body, LATE)
    if encoding:
        return obey(body, encoding, f"{source}, though a late one")
    text = nearly_utf8(body)
    return guess(body) if text is None else Decoded(text, "utf-8", "nearly valid utf-8")


def declared(body: bytes, content_type_header: str) -> tuple[Encoding | None, str]:
    """The charset that header or markup name, and which of them did."""
    if header := CHARSET.search(content_type_header):
        encoding = known(header[1])
        if encoding:
            return encoding, "http header"
    return in_markup(body)


def in_markup(body: bytes, reach: int = PRESCAN) -> tuple[Encoding | None, str]:
    """The charset that the markup names, and how."""
    start = COMMENT.sub("", body[:reach].decode("latin-1"))
    for label, source in labels(start):
        encoding = known(label)
        if encoding:
            return for_markup(encoding), source
    return None, ""


def labels(start: str) -> list[tuple[str, str]]:
    """The charsets named at the start of a document, in the order in which they count.

    >>> labels('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">')
    [('koi8-r', 'meta tag')]
    """
    tags = [tag for tag in META.findall(start) if "charset" in tag.lower()]
    return [(label, "meta tag") for tag in tags if (label := meta_charset(tag))] + [
        (label, "xml declaration") for label in XML.findall(start[: start.find(">") + 1])
    ]


def meta_charset(tag: str) -> str:
    """The charset that a <meta> tag with these attributes declares, if it does.

    >>> meta_charset("name=description content='charset=none'")
    ''
    """
    attributes = {match[1].lower(): match[2] or match[3] or match[4] or "" for match in ATTRIBUTE.finditer(tag)}
    if "charset" in attributes:
        return attributes["charset"]
    if attributes.get("http-equiv", "").strip().lower() == "content-type":
        found = CHARSET.search(attributes.get("content", ""))
        return found[1] if found else ""
    return ""


def known(label: str) -> Encoding | None:
    """The charset that browsers mean by a label."""
    encoding = lookup(label)
    return encoding if encoding and encoding.name != "replacement" else None  # not for reading


def for_markup(encoding: Encoding) -> Encoding | None:
    """What a charset declared in ASCII markup can be: the two-byte ones can not."""
    if encoding.name.startswith("utf-16"):
        return lookup("utf-8")
    return lookup(LAST_RESORT) if encoding.name == "x-user-defined" else encoding


def obey(body: bytes, encoding: Encoding, source: str) -> Decoded:
    """The text in the charset declared, unless it plainly is another one."""
    name = encoding.name
    text = utf8(body)
    if name == "utf-8" and text is not None:
        return Decoded(text, name, source, body)
    try:
        declared_text = encoding.codec_info.decode(body, "strict")[0]
    except UnicodeError:
        declared_text = None
    said = "valid utf-8"
    if text is None and name != "utf-8" and (text := nearly_utf8(body)) is not None:
        said = "nearly valid utf-8"
    # Where each byte is a letter, any bytes can be read, and only utf-8 can be told from the rest.
    believed = text is None or len(declared_text or "") < len(body) or foreign(text) < PROOF
    if declared_text is not None and believed:
        if name == LAST_RESORT and len(UNHEARD_OF.findall(declared_text)) >= PROOF:
            return instead(body, source, name)
        return Decoded(declared_text, name, source)
    if text is not None:
        return Decoded(text, "utf-8", f"{source} said {name}, but the bytes are {said}")
    text = encoding.codec_info.decode(body, "replace")[0]
    if name == "utf-8" and foreign(text) // 2 < text.count("\ufffd") >= PROOF:
        return instead(body, source, name)
    return Decoded(text, name, f"{source}, with some bytes unreadable")


def instead(body: bytes, source: str, name: str) -> Decoded:
    """The text of a page that was called by the name of a charset it is anything but in."""
    doubt = f"{source} said {name}, but the bytes are not"
    encoding, where = in_markup(body)
    if encoding is not None and encoding.name != name:
        with suppress(UnicodeError):
            return Decoded(encoding.codec_info.decode(body, "strict")[0], encoding.name, f"{where}; {doubt}")
    found = guess(body)
    return found._replace(evidence=f"{found.evidence}; {doubt}")


def foreign(text: str) -> int:
    """How many letters of a text are not ASCII."""
    return len(text) - len(text.encode("ascii", "ignore"))


def once(decoded: Decoded, body: bytes) -> Decoded:
    """The same text; or, if its utf-8 was taken for Latin letters and written in utf-8 once more, as it was before.

    >>> once(Decoded("Ñ\x88ÑƒÐ¼Ð°", "utf-8", "http header"), "Ñ\x88ÑƒÐ¼Ð°".encode())
    Decoded(text='шума', charset='utf-8', evidence='http header; it was written in utf-8 twice', utf8=b'')
    """
    if decoded.charset != "utf-8" or b"\xc3" not in body or not TWICE.search(body):
        return decoded
    try:
        text = bytes(map(LATIN.__getitem__, decoded.text)).decode("utf-8")
    except (KeyError, UnicodeError):
        return decoded  # some of it is as it should be
    return Decoded(text, decoded.charset, f"{decoded.evidence}; it was written in utf-8 twice")


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
    if any(escape in body for escape in ESCAPES):
        with suppress(UnicodeError):
            return body.decode("iso-2022-jp")
    return None


def guess(body: bytes) -> Decoded:
    """The text in the likeliest charset, judged by the letters it gives."""
    piece = sample(body)
    codec = told_by_letters(piece) or told_by_marks(piece) or told_by_pairs(piece)
    if not codec and (best := charset_normalizer.from_bytes(piece, cp_isolation=GUESSES).best()):
        codec = best.encoding
    if not codec:
        return Decoded(body.decode("cp1252", "replace"), LAST_RESORT, "nothing better known")
    return Decoded(body.decode(codec, "replace"), NAMES[codec], "guessed from its letters")


def sample(body: bytes) -> bytes:
    """A piece of the document from its first word that is not ASCII, cut between two tags."""
    first = next((match.start() for match in NOT_ASCII.finditer(body)), 0)
    first = len(body[:first].rstrip(LETTERS))  # all of its word
    end = body.rfind(b"<", first, first + SAMPLE) if len(body) > first + SAMPLE else -1
    return body[first:] if end < 0 else body[first:end]
