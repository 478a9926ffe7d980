"""Likeness: what a page says, in so few bits that pages can be compared by the thousand.

Most of a page may be navigation that its whole site shares. A line that is nothing but a link is taken for such: it
has a say in the fingerprint, but no more than the page's own words have. So pages with little of their own under a
long menu are told apart, and so are lists of links with the same words around them.

Pages of a reference may differ in little more than what they are about. They say that in their titles, where the
number of a version and the way of showing a page do not count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from itertools import filterfalse
from operator import itemgetter

from minisearch.analysis.simhash import SHORT, simhash
from minisearch.records import Page

VERSION = re.compile(r"v?\d+(\.\d+)+[a-z0-9.+-]*")
AROUND = "()[]{}\"'“”‘’,;|«»"  # what may stand around a word of a title and tells nothing
BETWEEN = frozenset("-–—·•:/›>") | {""}
MANNERS = frozenset(["amp", "copy", "friendly", "mobile", "print", "printable", "printer", "version"])
DIGITS = b"0123456789"
FEW = 0.05  # share of digits in a text that is not about numbers


@dataclass(frozen=True, slots=True)
class Likeness:
    """By what a page is known again among others that say nearly the same."""

    simhash: int  # 0: it says nothing
    words: int  # of its own, that stand behind it
    subject: int  # a number for the words of its title that tell what it is about
    outline: str  # a hash that is equal for pages that differ in nothing but numbers; '' where numbers may matter


def likeness(page: Page, text: bytes = b"") -> Likeness:
    """The likeness of a page; `text` is its text in UTF-8, if somebody has it so."""
    bits, words = _said(page)
    return Likeness(
        simhash=bits,
        words=words,
        subject=_number(subject(page.title, page.url)),
        outline=_outline(page, text or page.text.encode("utf-8", "replace"), words),
    )


def _said(page: Page) -> tuple[int, int]:
    """The fingerprint of what a page says, and how many words of its own it has."""
    lines, is_link = page.text.split("\n"), set(map(itemgetter(1), page.links)).__contains__
    own = [*filterfalse(is_link, lines)]
    said = "\n".join(own)
    words = said.count(" ") + len(own) if said else 0  # a line has its words one space apart
    return simhash(said, "\n".join(filter(is_link, lines))), words


def subject(title: str, url: str) -> tuple[str, ...]:
    """The words of a title that tell what a page is about.

    >>> subject("json — Python 3.11.2 documentation", "http://a.example/3.11/json.html")
    ('json', 'python', 'documentation')
    >>> subject("PostgreSQL: 15: DO (print)", "http://a.example/docs/15/sql-do.html")
    ('postgresql', 'do')
    >>> subject("Django 3.2.11 release notes - Django 3.2.25", "http://a.example/releases/3.2.11.html")  # its subject
    ('django', '3.2.11', 'release', 'notes', 'django')
    """
    words = [word.strip(AROUND).rstrip(":") for word in title.lower().split()]
    *folders, file = url.partition("?")[0].lower().split("/")[3:] or [""]
    telling = [
        word
        for word in words
        if word not in BETWEEN
        and word not in MANNERS
        and not (VERSION.fullmatch(word) and word not in file)
        and not (word.isdecimal() and word in folders)
    ]
    return tuple(telling or words)


def _number(words: tuple[str, ...]) -> int:
    """31 bits for some words, by which they are found quickly among those of all pages."""
    return int.from_bytes(blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=4).digest()) >> 1


def _outline(page: Page, text: bytes, words: int) -> str:
    if words < SHORT:
        return ""
    without = text.translate(None, DIGITS)
    if len(without) < (1 - FEW) * len(text):
        return ""
    return blake2b(page.title.encode("utf-8", "replace") + b"\n" + without, digest_size=16).hexdigest()
