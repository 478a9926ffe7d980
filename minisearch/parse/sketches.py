"""Sketches: how alike two pages are, told from a few numbers of each.

It is how many of their words they share (Jaccard), numbers not counted, and is estimated from the smallest hashes of
their words (Broder, "On the resemblance and containment of documents", 1997).
"""

from __future__ import annotations

import re
from zlib import crc32

from minisearch.records import Page

SKETCH = 64  # hashes kept of a page
READ = 20_000  # characters of a page that are looked at
WORD = re.compile(r"\b[^\W\d_]{2,}\b")  # what has digits in it is an id


def sketch(page: Page) -> tuple[int, ...]:
    """The smallest hashes of the words of a page, by which pages that say nearly the same are known.

    An address that stands in the text, as that of a link may, has no say: in a trap it is always a new one.
    """
    said = f"{page.title}\n{page.text[:READ]}".lower()
    words = set(WORD.findall(" ".join(word for word in said.split() if "/" not in word and "=" not in word)))
    return tuple(sorted(crc32(word.encode()) for word in words)[:SKETCH])


def wording(page: Page) -> bytes:
    """The words of a page one after the other, without numbers and addresses; of a folder the name may stay.

    >>> wording(Page("http://a/", title="Index", text="2 folders: docs/ (at /pub/docs/ since 2024)"))
    b'index folders docs at since'
    """
    said = f"{page.title}\n{page.text}".lower()
    kept = " ".join(word for word in said.split() if "/" not in word[:-1] and "=" not in word)
    return " ".join(WORD.findall(kept)).encode()


def alike(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """About which share of their words two pages have in common.

    >>> alike((1, 2, 3, 4), (1, 2, 3, 5)), alike((), ())
    (0.6, 1.0)
    """
    most = SKETCH if len(one) == len(other) == SKETCH else None  # a shorter sketch has all the words of its page
    both = sorted({*one, *other})[:most]
    return len({*both}.intersection(one, other)) / len(both) if both else 1.0


def name(page: Page) -> int:
    """A number for what a page calls itself, its numbers left out; 0 if it has no name."""
    headings = [heading.text for heading in page.headings if heading.level == 1]
    return crc32(" ".join(WORD.findall("\n".join([page.title, *headings]).lower())).encode())
