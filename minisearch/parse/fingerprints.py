"""Fingerprints of a page, by which pages are compared by the thousand.

They are computed where pages are collected, not in the workers: those start in half the time without numpy.

Most of a page may be navigation that its whole site shares. A line that is nothing but a link is taken for that: it
counts in the simhash, but no more than the page's own words do. So pages with little of their own under a long menu
are distinguished, and so are lists of links with the same words around them.

Pages of a reference may differ in little more than their subject, which is in their titles. The number of a version and
the way of showing a page do not count there.
"""

from __future__ import annotations

import re
from dataclasses import replace
from hashlib import blake2b

from minisearch.analysis.simhash import SHORT, simhash
from minisearch.models import Page

VERSION = re.compile(r"v?\d+(\.\d+)+[a-z0-9.+-]*")
PUNCTUATION = "()[]{}\"'“”‘’,;|«»"  # around a word of a title
SEPARATORS = frozenset("-–—·•:/›>") | {""}
PRESENTATION = frozenset(["amp", "copy", "friendly", "mobile", "print", "printable", "printer", "version"])
DIGITS = b"0123456789"
MAX_DIGITS = 0.05  # share of digits in a text that is not about numbers


def with_fingerprints(page: Page) -> Page:
    """The page with its simhash, the number of its words, the subject of its title, and its outline."""
    anchors = {link.anchor for link in page.links}
    lines = page.text.split("\n")
    own = "\n".join([line for line in lines if line not in anchors])
    links = "\n".join([line for line in lines if line in anchors])
    words = own.count(" ") + own.count("\n") + 1 if own else 0
    return replace(
        page,
        simhash=simhash(own, links),
        words=words,
        subject=_number(title_subject(page.title, page.url)),
        outline=_outline(page) if words >= SHORT else "",
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


def _outline(page: Page) -> str:
    text = page.text.encode("utf-8", "replace")
    without = text.translate(None, DIGITS)
    if len(without) < (1 - MAX_DIGITS) * len(text):
        return ""
    return blake2b(page.title.encode("utf-8", "replace") + b"\n" + without, digest_size=16).hexdigest()


def _number(words: tuple[str, ...]) -> int:
    """31 bits for some words, for an index."""
    return int.from_bytes(blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=4).digest()) >> 1
