"""What is shown of the pages found: read from the store all at once, and of long ones first the opening only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from minisearch.records import DEFINITION
from minisearch.search.clauses import Word
from minisearch.search.occurrences import Heard
from minisearch.search.snippet import Snippet, snippet
from minisearch.search.sought import Sought
from minisearch.store.pages import PageStore, StoredPage
from minisearch.text.scripts import ALONE
from minisearch.text.terms import language

OPENING = 65_536  # letters of a page that are read to begin with


def show(pages: PageStore, stored: Mapping[int, StoredPage], heard: Iterable[Heard]) -> dict[int, Snippet]:
    """The snippet of each page, for the words of a query."""
    words = list(heard)
    sought: dict[str, Sought] = {}
    shown = {}
    for number, (text, headings) in pages.openings(stored, OPENING).items():
        spoken = language(stored[number].language)  # by whose rules the page was indexed
        if spoken not in sought:
            sought[spoken] = _sought(words, spoken)
        rest = partial(_whole, pages, number) if len(text) == OPENING else None
        sections = [heading for heading in headings if heading[0] != DEFINITION]  # nobody knows where that ends
        shown[number] = snippet(text, sought[spoken], sections, rest=rest)
    return shown


def _whole(pages: PageStore, number: int) -> str:
    return pages.text(number)[0]


def _terms(word: Word, spoken: str) -> list[str]:
    letter = word.text.removesuffix("*")
    if len(letter) == 1 and ALONE.match(letter):
        return [letter]  # the index has it in pairs, of which the reader asked for this half
    return [term for term, languages in word.terms if not languages or spoken in languages]


def _sought(heard: list[Heard], spoken: str) -> Sought:
    """The words of a query as they may stand on pages in one language."""
    wanted = [(_terms(one.word, spoken), one.idf) for one in heard if not one.word.bonus]
    return Sought(wanted, spoken, [one.word.text for one in heard if one.word.bonus])
