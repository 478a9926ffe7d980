"""Roots: how words of plain letters begin that have a sought term, and where in a text something begins so.

Whether such a word has the term is for others to say (matches.py); what begins otherwise has it for sure not, so nearly
all words of a text are passed over without a look at them.
"""

from __future__ import annotations

from collections.abc import Iterable

from minisearch.text.scripts import PAIRED
from minisearch.text.terms import analyzer

# Small letters and figures stay, capitals become small ones, all else a blank.
PLAIN = bytes(ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else 32 for code in range(256))


class Roots:
    """The beginnings of words that have one of some terms, in texts of one language. Terms that are cut into pairs of
    letters have none.
    """

    def __init__(self, terms: Iterable[str], language: str) -> None:
        found = [analyzer(language).root(term) for term in terms if term.isascii() or not PAIRED.search(term)]
        roots = [root for root in found if root is not None and "'" not in root]
        self.are_known = len(roots) == len(found)
        self.are_plain = all(map(str.isascii, roots)) and language != "sr"
        open_ended = [root for root in roots if not root[-1:].isalnum()]  # "thread_": hardly a word, but many begin so
        shortest: list[str] = []  # what begins with a longer one begins with the shorter one too, which comes before it
        for root in sorted(set(roots).difference(open_ended)):
            if not shortest or not root.startswith(shortest[-1]):
                shortest.append(root)
        self.begins = [begin for begin in dict.fromkeys(map(_plain, shortest + open_ended)) if begin.strip()]

    def places(self, plain: bytes) -> list[int]:
        """Every place where a word, or a part of one, begins in such a way; in no order."""
        lowered = plain.translate(PLAIN)
        found = []
        for begin in self.begins:
            at = lowered.find(begin)
            while at >= 0:
                if not at or lowered[at - 1] == 32 or plain[at] < 91:  # a blank; a capital, or a figure
                    found.append(at)
                at = lowered.find(begin, at + 1)
        return found


def _plain(root: str) -> bytes:
    """A root in plain letters; of C++ the signs are blanks, for most words that begin with a C are another thing."""
    begin = root.encode("ascii", "ignore").translate(PLAIN).lstrip()
    return begin if root[-1:] in ("+", "#") else begin.rstrip()


def foreign(plain: bytes) -> list[int]:
    """The places of letters that are not ASCII, in a text in which each of them was replaced by a question mark."""
    found = []
    at = plain.find(b"?")
    while at >= 0:
        found.append(at)
        at = plain.find(b"?", at + 1)
    return found
