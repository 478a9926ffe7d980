"""Phrases: the pages on which words stand side by side, in their order, and written just so.

The index tells on which pages the stems of the words do. Which of those have the words themselves is read from the
pages, unless they are too many. What links say of a page is not read again: there the stems decide.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce
from hashlib import blake2b
from itertools import chain
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np

from minisearch.search.arrays import Ints, Mask, Numbers
from minisearch.search.clauses import Clause, Word
from minisearch.search.occurrences import Heard, Phrase
from minisearch.search.recipe import FIELDS
from minisearch.search.snapshot import Snapshot
from minisearch.search.spots import following, spot_doc, spot_field
from minisearch.store.pages import StoredPage
from minisearch.text.scripts import INVISIBLE, MARKS
from minisearch.text.terms import language, speller

MOST_READ = 500  # pages that are read for a phrase
AT_A_TIME = 3  # words that are looked for together
TOO_MANY = 'more than {:,} pages have "{}", perhaps with other endings, which were not compared'
_BLANK = re.compile(r"\s")
_ODD = re.compile("[\x80-\U0010ffff]+")
_INSIDE = re.compile(rf"[\w{MARKS}{INVISIBLE}]")  # of words: it may be folded to other letters, é to e, ß to ss


def find(index: Snapshot, heard: Sequence[Heard], phrase: Clause | None, held: Mask, within: Mask) -> Phrase:
    """Of the pages that hold all words of a phrase, those `within` some that have them side by side.

    They are written as the `phrase` has them, not as they were heard first: the query may have them in other forms,
    too. If there is none, their stems will do.
    """
    wanted, every = held & within, int(np.count_nonzero(held))
    few = 2 * int(np.count_nonzero(wanted)) < every
    if phrase and len(heard) == 1 and every > MOST_READ and not few:  # where it stands need not be known
        return Phrase(np.flatnonzero(wanted).astype(np.int32), TOO_MANY.format(MOST_READ, phrase.text))
    found = _remembered(index, heard, phrase, held, wanted if few else held)
    return Phrase(found.pages[within[found.pages]], found.note)


def _standing(index: Snapshot, heard: Sequence[Heard], phrase: Clause | None, pages: Ints) -> Phrase:
    """Of some pages that hold all words, those that have them side by side."""
    spots = _side_by_side(index, heard, pages)
    return _as_typed(index, phrase, spots) if phrase else Phrase(_pages(spots))


def _side_by_side(index: Snapshot, heard: Sequence[Heard], pages: Ints) -> Ints:
    """The spots of the last word on some pages where all stand side by side; rising."""
    spots: Ints = np.empty(0, dtype=np.int64)
    for low in range(0, len(heard), AT_A_TIME):
        if low:  # the next words are sought only where these stand
            pages = _pages(spots).astype(np.int64)
        some = heard[low : low + AT_A_TIME]
        read = {id(one.where): (one.where, pages) for one in some}
        known = dict(zip(read, index.spots(*read.values()), strict=True))
        row = [known[id(one.where)] for one in some]
        spots = reduce(following, [spots, *row] if low else row)
        if not len(spots):
            break
    return spots


def _pages(spots: Ints) -> Numbers:
    docs = spot_doc(spots).astype(np.int32)
    return docs[np.flatnonzero(np.diff(docs, prepend=-1))]


def _as_typed(index: Snapshot, phrase: Clause, spots: Ints) -> Phrase:
    """The pages that have the words themselves, if there are not too many to read."""
    pages = _pages(spots)
    if len(pages) > MOST_READ:
        return Phrase(pages, TOO_MANY.format(MOST_READ, phrase.text))
    fields: dict[int, set[str]] = {}
    for page, field in set(zip(spot_doc(spots).tolist(), spot_field(spots).tolist(), strict=True)):
        fields.setdefault(page, set()).add(FIELDS[field])
    numbers = index.pages[pages].tolist()
    facts, texts = index.read(numbers)
    having = [
        page
        for page, number in zip(pages.tolist(), numbers, strict=True)
        if "anchor" in fields[page] or _has(phrase.words, facts[number], *texts[number], fields[page])
    ]
    return Phrase(np.array(having, dtype=np.int32))


def _has(words: Sequence[Word], page: StoredPage, text: str, headings: list[list[Any]], fields: set[str]) -> bool:
    """Whether one of some fields of a page has the words, written just so."""
    spoken = language(page.language)
    wanted = [speller(spoken).term(word.text) for word in words]
    address = urlsplit(page.url)
    lines = {
        "title": [page.title],
        "headings": [heading[1] for heading in headings],
        "url": [unquote(f"{address.path} {address.query}", errors="replace")],
        "body": [text],
    }
    return any(_stands(line, wanted, spoken) for name in fields for line in lines[name])


def _stands(line: str, wanted: list[str], spoken: str) -> bool:
    """Whether words stand side by side in a line, which may be very long: only where they may be is it cut."""
    plain = line.encode("ascii", "replace").lower()
    parts = [word.encode("ascii", "replace") for word in wanted]
    loose = rb"[\W_]*".join(map(re.escape, parts))  # within words, too
    sure = re.finditer(loose, plain) if all(part in plain for part in parts) else ()  # looking for one is far quicker
    odd = () if line.isascii() else (match.span() for match in _ODD.finditer(line) if _INSIDE.search(match[0]))
    done, reach = 0, 2 * sum(map(len, wanted)) + len(wanted)
    for low, high in chain((match.span() for match in sure), odd):
        if low >= done or high <= done - reach:
            start, done = _to_blanks(line, low - reach, high + reach)
            if _follow(line[start:done], wanted, spoken):
                return True
    return False


def _to_blanks(line: str, low: int, high: int) -> tuple[int, int]:
    """A stretch of a line, made longer so that it begins and ends between words."""
    before = max(line.rfind(blank, 0, max(0, low)) for blank in " \n")
    after = _BLANK.search(line, high)
    return max(before, 0), after.start() if after else len(line)


def _follow(line: str, wanted: list[str], spoken: str) -> bool:
    """Whether words stand side by side in a line, cut as the index does it."""
    found, positions = speller(spoken).terms(line)
    places: dict[str, set[int]] = {word: set() for word in wanted}
    for term, place in zip(found, positions, strict=True):
        if term in places:
            places[term].add(place)
    begins = reduce(set.intersection, ({place - n for place in places[word]} for n, word in enumerate(wanted)))
    return bool(begins)


def _remembered(index: Snapshot, heard: Sequence[Heard], phrase: Clause | None, held: Mask, wanted: Mask) -> Phrase:
    """Those that are `_standing` side by side, looked for once and kept for the queries to come.

    That is on all pages that hold the words; or on the wanted ones, if the others would be most of the work.
    """
    everywhere = (phrase and phrase.text, tuple(one.word.terms for one in heard), heard[0].field)
    if (known := index.phrases.get(everywhere)) is not None:
        return known
    pages = np.flatnonzero(wanted)
    here = everywhere if wanted is held else (*everywhere, blake2b(pages.tobytes(), digest_size=16).digest())
    known = index.phrases.get(here)
    if known is None:
        known = _standing(index, heard, phrase, pages)
        index.phrases.keep(here, known)
    return known
