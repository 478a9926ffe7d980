"""Snippets: the passages of a page that show best why it was found, and where the matched words stand in them.

A passage is one sentence or more around a run of matches (runs.py), below the heading of its section. If no run has all
the telling words, several short passages are shown. Where a heading is what was asked for, or where the words stand
just as they were asked for (outright.py), that place is shown instead.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from minisearch.records import DEFINITION, Heading
from minisearch.search.fragment import phrase
from minisearch.search.outright import Outright, Row
from minisearch.search.runs import FIRST, MOST_READ, RUN, SHORT, Run, all_around, around, chosen
from minisearch.search.sought import Sought
from minisearch.text.scripts import MARKS, UNSPACED

WIDTH = 240  # letters of a passage, give or take a sentence's beginning or end
NEARBY = 60  # letters before a passage in which a sentence may begin
FEW = 8  # headings among which that of the whole page is
GAP = " … "
BEFORE = 1 / 3  # of a run: what is looked at before words that stand as they were asked for

_BLANK = re.compile(r"\s")
_OTHER_BLANK = re.compile(r"[^\S ]")  # of which there are few
# The end of a sentence or of a line. That it begins with one set of signs makes it quick to find.
_END = re.compile(r"[.!?…؟۔।॥。！？｡\n](?:(?<=[.!?…؟۔।॥])['\"”’»)\]]*\s+|(?<=[。！？｡])['\"”’»」』）)\]]*\s*|(?<=\n))")
_ACCENT = re.compile(f"[{MARKS}]")

Marks = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Snippet:
    """What is shown of a page: passages with the matches in them, the section that the best one is from, and the words
    by which a browser finds it, with those that precede them if need be (fragment.py).
    """

    text: str
    marks: Marks = ()
    heading: Heading | None = None
    phrase: tuple[str, str] = ("", "")


def snippet(
    text: str,
    sought: Sought,
    headings: Sequence[Row] = (),
    *,
    width: int = WIDTH,
    rest: Callable[[], str] | None = None,
    outright: Outright | None = None,
    asked: Row | None = None,
    title: str = "",
) -> Snippet:
    """What to show of `text`. If that is only the opening of a page, `rest` gives all of it when it is needed.
    `asked` is the heading that is what was asked for, if there is one.

    >>> found = snippet("Roses need sun. Prune roses in March.", Sought([(["prune"], 1.0)], "en"))
    >>> found.text, found.marks
    ('Roses need sun. Prune roses in March.', ((16, 21),))
    """
    if asked and rest and asked[2] + 2 * width > len(text):
        text, rest = rest(), None
    headings = [row for row in headings if row[0] != DEFINITION]  # nobody knows where what is below such a one ends
    if asked and (run := around(text, asked[2], sought, width)):
        runs = [run]
    else:
        asked = None
        menu, read = _menu(text, headings, title), len(text)
        text, runs = chosen(text, sought, width, rest, menu)
        if not runs and sought.lesser:
            text, runs = chosen(text, sought.lesser, width, None)
        if runs and outright and outright.spelled:
            rest = rest if len(text) == read else None
            text, runs = _as_written(text, runs, sought, outright, width, rest, menu)
    if not runs:
        low, high = _extent(text, *_opening(text, headings), width)
        return _shown(text, [(low, high)], sought, None, ("", ""))
    sections = [row[2] for row in headings]
    sizes = [width] if len(runs) == 1 else [int(width * RUN), *(int(width * SHORT) for _ in runs[1:])]
    extents = [_within_section(text, run, headings, sections, size) for run, size in zip(runs, sizes, strict=True)]
    spot = bisect_right(sections, runs[0].matches[0][0]) - 1
    heading = Heading(*headings[spot]) if spot >= 0 else None
    if asked and asked[0] == DEFINITION:
        heading = Heading(asked[0], asked[1], asked[2], asked[3] or (heading.anchor if heading else ""))
        ceiling = sections[spot + 1] - 1 if spot + 1 < len(sections) else len(text)
        extents = [_extent(text, asked[2], asked[2], asked[2], ceiling, width)]
    below = [match for match in runs[0].matches if match[0] >= extents[0][0]]  # rather than in the heading
    return _shown(text, _joined(extents), sought, heading, phrase(text, below or runs[0].matches))


def _as_written(
    text: str,
    runs: list[Run],
    sought: Sought,
    outright: Outright,
    width: int,
    rest: Callable[[], str] | None,
    menu: int,
) -> tuple[str, list[Run]]:
    """The runs to show, the first of which has what was asked for just as it is written, if that costs no word."""
    best, *others = runs
    if outright.places(text, best.matches[0][0], best.matches[-1][1]):
        return text, runs
    places = outright.places(text, menu, len(text))
    if rest and not places and (outright.is_quoted or best.words != sought.all):  # else it is not worth reading on
        text = rest()
        places = outright.places(text, menu, MOST_READ)
    found = all_around(text, places, sought, width, BEFORE, reading=best.reads)
    better = max(found, key=lambda run: (run.worth, run.reads), default=best)
    if better.worth < sought.worth(best.words):
        return text, runs
    return text, [better, *(run for run in others if run.words & ~better.words)]


def _shown(
    text: str, extents: list[tuple[int, int]], sought: Sought, heading: Heading | None, words: tuple[str, str]
) -> Snippet:
    shown, marks = ("… " if extents[0][0] > 0 else ""), []
    for number, (low, high) in enumerate(extents):
        shown += GAP if number else ""
        shift = len(shown) - low
        marks += [(start + shift, end + shift) for start, end, _ in sought.within(text, low, high)]
        shown += _OTHER_BLANK.sub(" ", text[low:high])
    return Snippet(shown + (" …" if extents[-1][1] < len(text) else ""), tuple(marks), heading, words)


# -- from where to where --


def _menu(text: str, headings: Sequence[Row], title: str) -> int:
    """Where the menus end that stand before the heading of a page, if they are no more than half of it.

    That heading is the one by which the page is called, or else the first of the highest ones.
    """
    first = headings[:FEW]
    called = [row for row in first if title.startswith(row[1])] or sorted(first, key=itemgetter(0))
    start = int(called[0][2]) if called else 0
    return start if 2 * start <= len(text) else 0


def _opening(text: str, headings: Sequence[Row]) -> tuple[int, int, int, int]:
    """Where a page begins to say something: after its first heading, for menus stand before it."""
    if headings and headings[0][2] <= FIRST:
        start = _below(text, headings[0])
        if start < len(text):
            return start, start, start, len(text)
    return 0, 0, 0, len(text)


def _below(text: str, heading: Row) -> int:
    """Where the text below a heading begins."""
    _, words, start, _ = heading
    end = int(start) + len(words)
    return end + 1 if words and text[start : end + 1].rstrip("\n") == words else int(start)


def _within_section(text: str, run: Run, headings: Sequence[Row], sections: list[int], width: int) -> tuple[int, int]:
    """From where to where a run is shown: it stays below its heading, which is shown by itself."""
    start, end = run.matches[0][0], run.matches[-1][1]
    spot = bisect_right(sections, start) - 1
    floor, ceiling = 0, len(text)
    if spot >= 0:
        floor = _below(text, headings[spot])
        if spot + 1 < len(sections):
            ceiling = sections[spot + 1] - 1
        if floor >= ceiling:  # a heading and nothing below it
            floor, ceiling = sections[spot], len(text)
        elif ceiling < end or ceiling - floor < width // 3:  # it goes on below the next one, or has little to show
            ceiling = len(text)
        if start < floor:  # it is in the heading, or begins there
            start, end = floor, max(end, floor)
    return _extent(text, start, end, floor, ceiling, width)


def _extent(text: str, start: int, end: int, floor: int, ceiling: int, width: int) -> tuple[int, int]:
    """About `width` letters around what stands from `start` to `end`: whole sentences if possible, else whole words."""
    low = max(floor, start - max(0, width - (end - start)) // 2)
    if low - floor <= NEARBY:
        low = floor
    else:
        begins = [found.end() for found in _END.finditer(text, low - NEARBY, start) if _begins(text, found.end())]
        before = [place for place in begins if place <= low]
        low = before[-1] if before else begins[0] if begins else _word_start(text, low, start)
    high = min(ceiling, max(low + width, end if end - start <= width else 0))
    if ceiling - high <= NEARBY // 3:
        return low, ceiling
    enough = max(end, low + width * 2 // 3)
    ends = [
        found.start() + len(found[0].rstrip())
        for found in _END.finditer(text, enough - 1, high + 1)
        if _begins(text, found.end())
    ]
    if ends and enough <= ends[-1] <= high:
        return low, ends[-1]
    return low, _word_end(text, max(end if end <= high else 0, (low + high) // 2), high)


def _begins(text: str, place: int) -> bool:
    """Whether a sentence may begin here."""
    return not text[place : place + 1].islower()


def _word_start(text: str, low: int, start: int) -> int:
    """The first place from `low` on where a word begins; any letter, where words are not told apart."""
    blank = _BLANK.search(text, low - 1, start)
    if blank:
        return blank.end()
    while low < start and UNSPACED.match(text, low - 1) and _ACCENT.match(text, low):
        low += 1
    return low if UNSPACED.match(text, low) and UNSPACED.match(text, low - 1) else start


def _word_end(text: str, least: int, high: int) -> int:
    """The last place up to `high` where a word ends, or any if none does."""
    cut = max(text.rfind(blank, least, high + 1) for blank in " \n")
    if cut > 0:
        return cut
    while high > least and _ACCENT.match(text, high):
        high -= 1
    return high


def _joined(extents: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Passages in the order of the text; those that touch become one."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(extents):
        if joined and low <= joined[-1][1] + len(GAP):
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return joined


def pieces(text: str, marks: Marks) -> list[tuple[bool, str]]:
    """A snippet as (does it match, text), for surfaces that show matches in their own way.

    >>> pieces("a bold word", ((2, 6),))
    [(False, 'a '), (True, 'bold'), (False, ' word')]
    """
    found, at = [], 0
    for start, end in marks:
        found += [(False, text[at:start]), (True, text[start:end])]
        at = end
    found.append((False, text[at:]))
    return [piece for piece in found if piece[1]]
