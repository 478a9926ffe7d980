"""Outright: where a page has what is asked for just as it was asked, which is the place to show.

That is a heading, or a term that is defined, which is the whole query; or a quoted phrase or an identifier, as it is
written. On a long page these may stand far below the first place that has the same words in any form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any

from minisearch.search.clauses import Clause
from minisearch.search.query import Query
from minisearch.text.names import names
from minisearch.text.scripts import fold
from minisearch.text.terms import analyzer

MOST_SPELLED = 6  # phrases and identifiers of a query that are looked for: the first
MOST_PLACES = 12  # of one spelling on one page that are looked at
HINT = 3  # letters of a word that a heading has to have to be looked at closely
MOST_LIKELY = 30  # headings of a page that are looked at closely: the shortest, for what they have besides is little

_PATH = re.compile(r"[a-z0-9_.]+\.([a-z0-9_]+)")

Row = Sequence[Any]  # a heading as the store has it: level, text, where it starts, id


class Outright:
    """What a query asks for outright, on pages of one language."""

    def __init__(self, query: Query, language: str) -> None:
        self._analyzer = analyzer(language)
        self._names = {term for term, spoken in query.names if not spoken or language in spoken}
        self._hints = [hint for clause in query.clauses for hint in _hints(clause)]
        self._last = "".join(_hints(query.clauses[-1])[-1:]) if query.clauses else ""
        self.is_quoted = any(clause.kind == "phrase" for clause in query.clauses)  # so a page that was found has it
        spelled = dict.fromkeys(spelled for clause in query.clauses for spelled in _spelled(clause))
        self.spelled = list(spelled)[:MOST_SPELLED]

    def headed(self, headings: Sequence[Row]) -> Row | None:
        """The first heading that is the whole query, unless it is that of the whole page."""
        top = min(map(itemgetter(0), headings), default=0)
        likely = [row for row in headings if row[0] > top and self._may_be(row[1])]
        if len(likely) > MOST_LIKELY:
            likely = sorted(sorted(likely, key=lambda row: len(row[1]))[:MOST_LIKELY], key=itemgetter(2))
        return next((row for row in likely if self._names & names(row[1], self._analyzer)), None)

    def _may_be(self, heading: str) -> bool:
        """Whether a heading may be the query: quickly told, and most are not.

        With an accent or two, any may be. A path is named by its end: `django` is not what `django.http` is about.
        """
        lowered = heading.lower()
        for hint in self._hints:
            if hint not in lowered:
                return not heading.isascii()
        path = _PATH.fullmatch(lowered)
        return path is None or self._last in path[1]

    def places(self, text: str, low: int, high: int) -> list[int]:
        """Where phrases and identifiers stand in a stretch of text as they are written, whatever their case."""
        plain = text[low:high].encode("ascii", "replace").lower().replace(b"\n", b" ")  # every letter keeps its place
        return sorted(low + place for spelled in self.spelled for place in _find(plain, spelled))


def _hints(clause: Clause) -> list[str]:
    """How the words of a clause begin that have plain letters."""
    words = [fold(word.text) for word in clause.words if not word.bonus]
    return [word[:HINT] for word in words if word.isascii()]


def _spelled(clause: Clause) -> Iterator[bytes]:
    """What a clause asks for as it is written, if that has plain letters."""
    if clause.sign == "-" or clause.field not in ("", "body"):
        return
    wholes = [word.text for word in clause.words if word.bonus]
    for spelled in [clause.text, *wholes] if clause.kind == "phrase" else wholes:
        if spelled.isascii() and (plain := b" ".join(spelled.lower().encode().split())):
            yield plain


def _find(text: bytes, spelled: bytes) -> Iterator[int]:
    """The first places of a spelling in a text, but for those within words."""
    at = text.find(spelled)
    for _ in range(MOST_PLACES):
        if at < 0:
            return
        after = text[at + len(spelled) : at + len(spelled) + 1]
        if not (_continues(text[at - 1 : at]) or _continues(after)):
            yield at
        at = text.find(spelled, at + 1)


def _continues(letter: bytes) -> bool:
    """Whether a letter beside a spelling belongs to the same word."""
    return letter.isalnum() or letter == b"_"
