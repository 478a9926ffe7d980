"""Snippets: the passages of a page that show best why it was found.

Candidate passages are groups of matches that fit into a window. The best one has the query words of the most weight, in
lines that read as prose; then an identifier or a phrase exactly as it was typed; then words repeated or side by side.
It is extended to whole sentences, within its section. If it lacks an important word, short passages with that word are
added. If a heading of the page equals the query, the text below it is shown instead.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from operator import attrgetter
from typing import NamedTuple

from minisearch.analysis.analyzer import analyzer, language
from minisearch.analysis.names import line_keys
from minisearch.analysis.normalize import MARKS, UNSPACED, fold
from minisearch.models import DEFINITION, Heading
from minisearch.search.query import Clause, Query, Word
from minisearch.search.snippets.highlight import Highlighter, Match, term_masks, terms_by_weight
from minisearch.search.snippets.text_fragment import fragment_text
from minisearch.store.pages import PageStore, StoredPage

MAX_TEXT = 500_000  # characters of a page that are read
OPENING = 32_768  # characters that are searched without a prefilter; and after which any match is enough
STRETCH = 4096  # characters that are searched at a time
MAX_MATCHES = 300  # after which the search ends

WIDTH = 240  # characters of a snippet, more or less
WINDOW = 5 / 8  # of the width: from the first to the last match of a passage
SHORT_WINDOW = 1 / 3  # the same for further passages
MAX_PASSAGES = 3
NEARBY = 60  # characters before a passage in which a sentence may begin
ELLIPSIS = " … "

IMPORTANT = 0.25  # passages are chosen by words of at least this share of the greatest weight
ESSENTIAL = 0.5  # words of at least this share get a passage of their own
MAX_WORDS = 6  # by which passages are chosen
NOT_PROSE = 0.75  # of the weight of a word that occurs in short lines only: headings, menus, tables
MIN_LINE, MIN_DENSE_LINE = 45, 15  # characters of a line of prose, the latter in scripts that need fewer characters
DENSE_SCRIPTS = "\u0e00"  # the first character of these
EXACT = 0.5  # of the smallest weight: for an identifier or a phrase exactly as it was typed
REPEATED = 0.4  # of the smallest weight: less than this for words repeated or side by side

ADJACENT = 2  # characters between words side by side
MAX_EXACT = 12  # places of phrases and identifiers exactly as they were typed
MAX_HEADINGS = 30  # of a page that are compared with the query: the shortest ones
FIRST_HEADINGS = 8  # among which the heading of the whole page is

_OTHER_SPACE = re.compile(r"[^\S ]")
# End of a sentence or of a line. It starts with a set of characters, which makes the search fast.
_SENTENCE_END = re.compile(
    r"[.!?…؟۔।॥。！？｡\n](?:(?<=[.!?…؟۔।॥])['\"”’»)\]]*\s+|(?<=[。！？｡])['\"”’»」』）)\]]*\s*|(?<=\n))"
)
_MARK = re.compile(f"[{MARKS}]")

Marks = tuple[tuple[int, int], ...]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Snippet:
    """Text of a page, where the matches are in it, the heading of the best passage, and prefix and text of a fragment
    that leads to it.
    """

    text: str
    marks: Marks = ()
    heading: Heading | None = None
    phrase: tuple[str, str] = ("", "")


class Passage(NamedTuple):
    """Matches that are close together; `words` and `prose` are bit masks of query words."""

    score: float
    words: int
    prose: int  # the words that occur in prose
    matches: list[Match]


def make_snippets(
    store: PageStore,
    pages: Mapping[int, StoredPage],
    words: Sequence[tuple[Word, float]],
    query: Query,
    with_heading: Collection[int],
) -> dict[int, Snippet]:
    """The snippet of each page, by its id.

    The weight of a word is its part in the score, 0 for words that are excluded. Identifiers as a whole need none. The
    pages `with_heading` have a heading that equals the query.
    """
    builders: dict[str, SnippetBuilder] = {}
    snippets = {}
    for page_id, (text, rows) in store.openings(pages, MAX_TEXT).items():
        tag = language(pages[page_id].language)
        if tag not in builders:
            builders[tag] = SnippetBuilder(words, query, tag)
        headings = [Heading(*row) for row in rows]
        prefer_heading = page_id in with_heading
        snippets[page_id] = builders[tag].snippet(text, headings, pages[page_id].title, prefer_heading=prefer_heading)
    return snippets


class SnippetBuilder:
    """Makes the snippets for a query, of pages in one language."""

    def __init__(self, words: Sequence[tuple[Word, float]], query: Query, language: str, *, width: int = WIDTH) -> None:
        self._width = width
        ranked = terms_by_weight(words, language)
        weights = [weight for _, weight in ranked]
        important = [weight for weight in weights[:MAX_WORDS] if weight >= IMPORTANT * weights[0]]
        self._important = (1 << len(important)) - 1
        self._essential = (1 << sum(weight >= ESSENTIAL * weights[0] for weight in important)) - 1
        self._least = important[-1] if important else 0.0
        self._exact = 1 << len(weights)  # a further bit
        self._weights = [*weights, EXACT * self._least]
        self._weight_of: dict[int, float] = {}
        masks = term_masks(ranked, words, language)
        self._all_words = self._important_words = Highlighter(masks, language)
        if len(important) < len(weights):
            masks = {term: mask & self._important for term, mask in masks.items() if mask & self._important}
            self._important_words = Highlighter(masks, language)
        self._exactly = _exact_pattern(query.clauses)
        self._analyzer = analyzer(language)
        self._names = {name for name, languages in query.exact_keys if not languages or language in languages}
        self._hint = _beginning_of_last_word(query.clauses)

    def snippet(
        self, text: str, headings: Sequence[Heading] = (), title: str = "", *, prefer_heading: bool = False
    ) -> Snippet:
        """What to show of a page. With `prefer_heading` it is the text below a heading that equals the query."""
        sections = [heading for heading in headings if heading.level != DEFINITION]
        equal = self._equal_heading(headings) if prefer_heading else None
        passages = self._below(text, equal) if equal else []
        if not passages:
            equal, passages = None, self._choose(text, _end_of_menu(text, sections, title))
        width = self._width
        if not passages:
            start = _start_below(text, sections[0]) if sections and sections[0].start <= STRETCH else 0
            start = start if start < len(text) else 0
            return self._show(text, [_extend(text, (start, start), (start, len(text)), width)])
        matches, *others = passages
        spans = [_within_section(text, matches, sections, int(width * WINDOW) if others else width)]
        spans += [_within_section(text, other, sections, int(width * SHORT_WINDOW)) for other in others]
        heading, _, end = _section(text, sections, matches[0][0])
        if equal and equal.level == DEFINITION:
            spans = [_extend(text, (equal.start, equal.start), (equal.start, end), width)]
            heading = equal if equal.anchor or not heading else equal._replace(anchor=heading.anchor)
        below_heading = [match for match in matches if match[0] >= spans[0][0]]
        return self._show(text, _merge(spans), heading, fragment_text(text, below_heading or matches))

    def _show(
        self, text: str, spans: list[Span], heading: Heading | None = None, phrase: tuple[str, str] = ("", "")
    ) -> Snippet:
        shown, marks = ("… " if spans[0][0] > 0 else ""), []
        for number, (start, end) in enumerate(spans):
            shown += ELLIPSIS if number else ""
            shift = len(shown) - start
            marks += [(low + shift, high + shift) for low, high, _ in self._all_words.find(text, start, end)]
            shown += _OTHER_SPACE.sub(" ", text[start:end])
        shown += " …" if spans[-1][1] < len(text) else ""
        return Snippet(shown, tuple(marks), heading, phrase)

    # -- candidate passages --

    def _below(self, text: str, heading: Heading) -> list[list[Match]]:
        """The matches of the passage at a heading, if there are any."""
        end = _last_space(text, heading.start, heading.start + int(self._width * WINDOW))
        matches = self._important_words.find(text, heading.start, end)
        return [matches] if matches else []

    def _choose(self, text: str, prose_start: int) -> list[list[Match]]:
        """The matches of the best passage, and of short ones with essential words that it lacks."""
        matches, best = self._search(text, self._important_words, prose_start)
        if not best and self._all_words is not self._important_words:
            matches, best = self._search(text, self._all_words, prose_start)
        passages: list[list[Match]] = []
        missing = self._essential
        while best and len(passages) < MAX_PASSAGES:
            passages.append(best.matches)
            missing &= ~best.words
            wanted = [(start, end, words & missing) for start, end, words in matches if words & missing]
            best = self._best_passage(text, wanted, self._width * SHORT_WINDOW, prose_start)
        return passages

    def _search(self, text: str, highlighter: Highlighter, prose_start: int) -> tuple[list[Match], Passage | None]:
        """The matches in a text, as far as it was searched, and the best passage."""
        exact = self._exact_matches(text)
        total = self._weight(self._important | (self._exact if exact else 0))
        limit = len(text) if highlighter.has_prefilter else OPENING
        matches: list[Match] = []
        best, searched = None, 0
        below = chain(_around(text, exact, self._width), _stretches(text[:limit], min(prose_start, limit)))
        menu = _stretches(text[: min(prose_start, limit)], 0)
        for start, end in chain(below, (part for part in menu if not best)):  # the menu if nothing matches below it
            if found := highlighter.find(text, start, end):
                near = {match for match in matches + exact if start - self._width < match[0] < end}
                passage = self._best_passage(text, sorted(near.union(found)), self._width * WINDOW, prose_start)
                best = max(best or passage, passage, key=attrgetter("score"))
                matches += found
            searched += end - start
            enough = max(0.0, 1 - searched / OPENING)  # the longer the search, the less
            if (best and self._weight(best.prose) >= enough * total) or len(matches) > MAX_MATCHES:
                break
        return sorted(matches), best

    def _exact_matches(self, text: str) -> list[Match]:
        """Where phrases and identifiers occur exactly as typed, except for case."""
        if not self._exactly:
            return []
        lowered = text.replace("İ", "I").lower().replace("\n", " ")  # every character keeps its place
        return [(*found.span(), self._exact) for found in islice(self._exactly.finditer(lowered), MAX_EXACT)]

    def _best_passage(self, text: str, matches: list[Match], size: float, prose_start: int) -> Passage | None:
        """The group of matches within `size` characters that has the highest score; of equal ones the first."""
        best, first = None, 0
        adjacent = [0]  # how many matches up to each one directly follow the one before
        last_of: dict[int, int] = {}  # the last match of some words
        last_in_prose: dict[int, int] = {}
        for last, (start, end, matching) in enumerate(matches):
            adjacent.append(adjacent[-1] + (last > 0 and start - matches[last - 1][1] <= ADJACENT))
            last_of[matching] = last
            if start >= prose_start and _is_prose(text, start):
                last_in_prose[matching] = last
            while first < last and end - matches[first][0] > size:
                first += 1
            if last + 1 < len(matches) and matches[last + 1][1] - matches[first][0] <= size:
                continue  # part of a larger group
            words = prose = 0
            for each, place in last_of.items():
                words |= each if place >= first else 0
            for each, place in last_in_prose.items():
                prose |= each if place >= first else 0
            more = last - first + 2 * (adjacent[last + 1] - adjacent[first + 1])
            score = self._weight(prose) + NOT_PROSE * self._weight(words & ~prose)
            score += REPEATED * self._least * more / (more + 4)
            if best is None or score > best.score:
                best = Passage(score, words, prose, matches[first : last + 1])
        return best

    def _weight(self, words: int) -> float:
        """The weight of some words of the query together."""
        if words not in self._weight_of:
            self._weight_of[words] = sum(weight for bit, weight in enumerate(self._weights) if words >> bit & 1)
        return self._weight_of[words]

    def _equal_heading(self, headings: Sequence[Heading]) -> Heading | None:
        """The first heading that equals the query, unless it is that of the whole page."""
        top = min((heading.level for heading in headings), default=0)
        likely = [heading for heading in headings if heading.level > top and self._may_equal(heading.text)]
        shortest = sorted(likely, key=lambda heading: len(heading.text))[:MAX_HEADINGS]
        keys = line_keys([heading.text for heading in shortest], self._analyzer)
        equal = [heading for heading, own in zip(shortest, keys, strict=True) if self._names & own]
        return min(equal, key=attrgetter("start"), default=None)

    def _may_equal(self, heading: str) -> bool:
        """Whether a heading has the last word of the query, after the last dot of a dotted name."""
        return not heading.isascii() or self._hint in heading.lower().rstrip(".").rpartition(".")[2]


# -- what a query asks for --


def _exact_pattern(clauses: Iterable[Clause]) -> re.Pattern[str] | None:
    """A pattern for the phrases and identifiers of a query in lower-case text, as whole words."""
    typed: list[str] = []
    for clause in clauses:
        if clause.sign != "-" and clause.field in ("", "body"):
            typed += [clause.text] if clause.kind == "phrase" else []
            typed += [word.text for word in clause.words if word.is_whole]
    spellings = [re.escape(" ".join(text.lower().split())) for text in typed]
    # The look behind comes last, for a pattern that begins with a letter is found faster.
    return re.compile("|".join(rf"{text}(?<!\w{text})(?!\w)" for text in spellings)) if spellings else None


def _beginning_of_last_word(clauses: Iterable[Clause]) -> str:
    """Three letters, or nothing if they are not ASCII."""
    typed = [word.text for clause in clauses for word in clause.words if not word.is_whole]
    beginning = fold(typed[-1])[:3] if typed else ""
    return beginning if beginning.isascii() else ""


# -- places in a text --


def _is_prose(text: str, place: int) -> bool:
    """Whether a place is in a line long enough to be part of a sentence."""
    length = MIN_LINE if text[place] < DENSE_SCRIPTS else MIN_DENSE_LINE
    end = text.find("\n", place, place + length)
    if end < 0:
        end = min(len(text), place + length)
    return end >= length and text.rfind("\n", end - length, place) < 0


def _around(text: str, matches: Iterable[Match], width: int) -> Iterator[Span]:
    """Parts of a text around some matches."""
    done = 0
    for start, end, _ in matches:
        if end > done:
            start = max(done, text.rfind(" ", 0, max(0, start - width)) + 1)
            done = _last_space(text, end, end + width)
            yield start, done


def _stretches(text: str, end: int) -> Iterator[Span]:
    """The parts of a text from a place on, one after the other, cut at spaces."""
    while end < len(text):
        start, end = end, _last_space(text, end, end + STRETCH)
        yield start, end


def _last_space(text: str, start: int, end: int) -> int:
    """The end of the last space before `end`, where a text can be cut; `end` if there is none after `start`."""
    if end >= len(text):
        return len(text)
    space = max(text.rfind("\n", start, end), text.rfind(" ", start, end))
    return space + 1 if space >= start else end


def _end_of_menu(text: str, sections: Sequence[Heading], title: str) -> int:
    """The start of the heading of the whole page, which menus precede.

    That is the heading with which the title begins, otherwise the first of the highest level in the first half.
    """
    first = sections[:FIRST_HEADINGS]
    for heading in first:
        if heading.text and title.startswith(heading.text):
            return min(heading.start, len(text))
    start = min(first, key=attrgetter("level")).start if first else 0
    return start if 2 * start <= len(text) else 0


def _section(text: str, sections: Sequence[Heading], place: int) -> tuple[Heading | None, int, int]:
    """The heading of the section at a place, and start and end of the text below it."""
    number = bisect_right(sections, place, key=attrgetter("start")) - 1
    if number < 0:
        return None, 0, len(text)
    end = len(text)
    if number + 1 < len(sections):
        end = min(end, sections[number + 1].start - 1)  # later, if only the beginning of the text was read
    return sections[number], _start_below(text, sections[number]), end


def _start_below(text: str, heading: Heading) -> int:
    """Where the text below a heading begins."""
    end = heading.start + len(heading.text)
    is_a_line = text[heading.start : end + 1].rstrip("\n") == heading.text != ""
    return end + 1 if is_a_line else heading.start


def _within_section(text: str, matches: list[Match], sections: Sequence[Heading], width: int) -> Span:
    """Start and end of a passage around some matches: below the heading of their section, which is shown apart."""
    start, end = matches[0][0], matches[-1][1]
    heading, low, high = _section(text, sections, start)
    if heading and low >= high:  # nothing below it
        low, high = heading.start, len(text)
    elif high < end or high - low < width // 3:  # the matches go on in the next section, or there is little to show
        high = len(text)
    return _extend(text, (max(start, low), max(end, low)), (low, high), width)


def _extend(text: str, span: Span, limits: Span, width: int) -> Span:
    """A span of about `width` characters within limits: of whole sentences if possible, otherwise of whole words."""
    (start, end), (first, last) = span, limits
    low = max(first, start - max(0, width - (end - start)) // 2)
    if low - first <= NEARBY:
        low = first
    else:
        ends = [found.end() for found in _SENTENCE_END.finditer(text, low - NEARBY, start)]
        begins = [place for place in ends if not text[place : place + 1].islower()]
        before = [place for place in begins if place <= low]
        low = before[-1] if before else begins[0] if begins else _word_start(text, low, start)
    high = min(last, max(low + width, end if end - start <= width else 0))
    if last - high <= NEARBY // 3:
        return low, last
    enough = max(end, low + width * 2 // 3)
    for found in reversed([*_SENTENCE_END.finditer(text, enough - 1, high + 1)]):
        sentence_end = found.start() + len(found[0].rstrip())
        if enough <= sentence_end <= high and not text[found.end() : found.end() + 1].islower():
            return low, sentence_end
    return low, _word_end(text, max(end if end <= high else 0, (low + high) // 2), high)


def _word_start(text: str, low: int, start: int) -> int:
    """The first place from `low` on where a word begins, in a script without spaces any letter; or else `start`."""
    for place in range(low, start):
        if text[place - 1].isspace() or (UNSPACED.match(text, place - 1) and not _MARK.match(text, place)):
            return place
    return start


def _word_end(text: str, low: int, high: int) -> int:
    """The last space from `low` to `high`; if there is none, `high`, or the letter before it that has marks."""
    space = max(text.rfind(" ", low, high + 1), text.rfind("\n", low, high + 1))
    if space > 0:
        return space
    while high > low and _MARK.match(text, high):
        high -= 1
    return high


def _merge(spans: list[Span]) -> list[Span]:
    """Spans in the order of the text; those that touch become one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1] + len(ELLIPSIS):
            start, end = merged[-1][0], max(end, merged.pop()[1])
        merged.append((start, end))
    return merged


def split_by_marks(text: str, marks: Marks) -> list[tuple[bool, str]]:
    """A snippet as (whether it matches, text), for interfaces that highlight matches in their own way.

    >>> split_by_marks("a bold word", ((2, 6),))
    [(False, 'a '), (True, 'bold'), (False, ' word')]
    """
    found, at = [], 0
    for start, end in marks:
        found += [(False, text[at:start]), (True, text[start:end])]
        at = end
    found.append((False, text[at:]))
    return [piece for piece in found if piece[1]]
