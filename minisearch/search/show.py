"""What is shown of the pages found: read from the store all at once, and of long ones first the opening only."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import partial

from minisearch.search.clauses import Word
from minisearch.search.occurrences import Heard
from minisearch.search.outright import Outright
from minisearch.search.query import Query
from minisearch.search.snippet import Snippet, snippet
from minisearch.search.sought import Sought
from minisearch.store.pages import PageStore, StoredPage
from minisearch.text.scripts import ALONE
from minisearch.text.terms import language

OPENING = 65_536  # letters of a page that are read to begin with


def show(
    pages: PageStore, stored: Mapping[int, StoredPage], query: Query, heard: Iterable[Heard], headed: Collection[int]
) -> dict[int, Snippet]:
    """The snippet of each page, for the words of a query as they were heard; some pages are `headed` by it."""
    said = list(heard)
    sought: dict[str, tuple[Sought, Outright]] = {}
    shown = {}
    for number, (text, headings) in pages.openings(stored, OPENING).items():
        spoken = language(stored[number].language)  # by whose rules the page was indexed
        if spoken not in sought:
            sought[spoken] = _sought(said, spoken), Outright(query, spoken)
        rest = partial(pages.whole, number) if len(text) == OPENING else None
        words, outright = sought[spoken]
        asked = outright.headed(headings) if number in headed else None
        title = stored[number].title
        shown[number] = snippet(text, words, headings, rest=rest, outright=outright, asked=asked, title=title)
    return shown


def _terms(word: Word, spoken: str) -> list[str]:
    letter = word.text.removesuffix("*")
    if len(letter) == 1 and ALONE.match(letter):
        return [letter]  # the index has it in pairs, of which the reader asked for this half
    return [term for term, languages in word.terms if not languages or spoken in languages]


def _sought(heard: list[Heard], spoken: str) -> Sought:
    """The words of a query as they may stand on pages in one language; of C++ the whole, for C is another thing."""
    wholes = [one for one in heard if one.word.bonus]
    signed = {one.word.text.strip("+#").lower(): one for one in wholes if one.word.text[-1] in "+#"}
    wanted = [
        (_terms(signed.get(one.word.text.lower(), one).word, spoken), one.idf) for one in heard if not one.word.bonus
    ]
    return Sought(wanted, spoken, [one.word.text for one in wholes])
