"""Fingerprints of a page, by which pages are compared by the thousand.

Most of a page may be navigation that its whole site shares. A line that is nothing but a link is taken for that: it
counts in the simhash, but no more than the page's own words do. So pages with little of their own under a long menu
are distinguished, and so are lists of links with the same words around them.

Pages of a reference may differ in little more than their subject, which is in their titles. The number of a version and
the way of showing a page do not count there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b

from minisearch.analysis.simhash import SHORT, simhash
from minisearch.models import Page

VERSION = re.compile(r"v?\d+(\.\d+)+[a-z0-9.+-]*")
PUNCTUATION = "()[]{}\"'“”‘’,;|«»"  # around a word of a title
SEPARATORS = frozenset("-–—·•:/›>") | {""}
PRESENTATION = frozenset(["amp", "copy", "friendly", "mobile", "print", "printable", "printer", "version"])
DIGITS = b"0123456789"
MAX_DIGITS = 0.05  # share of digits in a text that is not about numbers


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """By what a page is recognised among others that are equal or nearly equal."""

    content_hash: str  # equal for pages with the same title, description and text
    simhash: int  # nearly equal for nearly equal texts; 0: no text
    words: int  # words of the page's own
    subject: int  # a number for the words of its title that name its subject
    outline: str  # equal for pages that differ in a few numbers only; '' where numbers may matter


def fingerprints(page: Page, body: bytes = b"") -> Fingerprints:
    """The fingerprints of a page; `body` is what is hashed if it has no text."""
    text = page.text.encode("utf-8", "replace")
    content = f"{page.title}\n{page.description}\n".encode("utf-8", "replace") + text if text else body
    anchors = {link.anchor for link in page.links}
    lines = page.text.split("\n")
    own = [line for line in lines if line not in anchors]
    words = sum(line.count(" ") + 1 for line in own if line)
    return Fingerprints(
        content_hash=_hash(content),
        simhash=simhash("\n".join(own), "\n".join(line for line in lines if line in anchors)),
        words=words,
        subject=_number(title_subject(page.title, page.url)),
        outline=_outline(page, text) if words >= SHORT else "",
    )


def title_subject(title: str, url: str) -> tuple[str, ...]:
    """The words of a title that name the subject of a page.

    >>> title_subject("json — Python 3.11.2 documentation", "http://a.example/3.11/json.html")
    ('json', 'python', 'documentation')
    >>> title_subject("PostgreSQL: 15: DO (print)", "http://a.example/docs/15/sql-do.html")
    ('postgresql', 'do')
    >>> title_subject("Django 3.2.11 release notes - Django 3.2.25", "http://a.example/releases/3.2.11.html")
    ('django', '3.2.11', 'release', 'notes', 'django')
    """
    words = [word.strip(PUNCTUATION).rstrip(":") for word in title.lower().split()]
    *folders, file = url.partition("?")[0].lower().split("/")[3:] or [""]
    subject = [
        word
        for word in words
        if word not in SEPARATORS
        and word not in PRESENTATION
        and not (VERSION.fullmatch(word) and word not in file)
        and not (word.isdecimal() and word in folders)
    ]
    return tuple(subject or words)


def _outline(page: Page, text: bytes) -> str:
    without = text.translate(None, DIGITS)
    if len(without) < (1 - MAX_DIGITS) * len(text):
        return ""
    return _hash(page.title.encode("utf-8", "replace") + b"\n" + without)


def _number(words: tuple[str, ...]) -> int:
    """31 bits for some words, for an index."""
    return int.from_bytes(blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=4).digest()) >> 1


def _hash(content: bytes) -> str:
    return blake2b(content, digest_size=16).hexdigest()
