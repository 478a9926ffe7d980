"""Declared: which charset the server names for a page, or the page for itself."""

from __future__ import annotations

import re
from functools import lru_cache

from webencodings import Encoding, lookup

PRESCAN = 1024  # bytes in which a page has to declare its charset
LATE = 65_536  # and in which it is looked for before anything is guessed
ASSUMED = "windows-1252"  # of old pages that say nothing, and what browsers make of "x-user-defined"

CHARSET = re.compile(r"charset\s*=\s*(?:[\"']\s*)?([\w.:+-]+)", re.ASCII | re.IGNORECASE)
COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
META = re.compile(r"<meta[\s/]([^>]*)", re.IGNORECASE)
ATTRIBUTE = re.compile(r"""([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
XML = re.compile(r"""<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:+-]+)["']""", re.ASCII)


def declared(body: bytes, content_type_header: str) -> tuple[Encoding | None, str]:
    """The charset that header or markup name, and which of them did."""
    if header := CHARSET.search(content_type_header):
        encoding = known(header[1])
        if encoding:
            return encoding, "http header"
    return in_markup(body)


def in_markup(body: bytes, reach: int = PRESCAN) -> tuple[Encoding | None, str]:
    """The charset that the markup names, and how."""
    start = body[:reach].decode("latin-1")
    if "<!--" in start:
        start = COMMENT.sub("", start)
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


@lru_cache(maxsize=64)
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
    return lookup(ASSUMED) if encoding.name == "x-user-defined" else encoding
