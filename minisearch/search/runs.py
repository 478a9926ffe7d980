"""Runs: the matches of a page that stand close together, and of these the ones worth showing.

The best run has the most telling words of the query, then more of them and side by side, and stands in lines that
read as text. It is looked for from the beginning of the page on: the more has been read, the less will do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from minisearch.search.matches import Match
from minisearch.search.sought import Sought

RUN = 5 / 8  # of the width of a passage: how far apart the matches of a run may be
SHORT = 1 / 3  # the same for further runs, with the words that the best one has not
MOST_RUNS = 3
FIRST, GROWTH, LONGEST = 4096, 4, 32768  # letters of the stretches of text that are looked through one by one
ENOUGH = (0.9, 0.6, 0.4)  # of all weight: a passage that has so much will do, after one stretch, two and three
MOST_MATCHES = 600  # of one page that are looked at
MOST_READ = 1_000_000  # letters of one page that are looked at
LINE = 45  # letters of a line that makes sense by itself; shorter ones are headings, menus, tables
FIRST_TERSE = "\u0e00"  # from here on are scripts that say as much in a third of the letters
SCRAP = 0.75  # what a run is worth that stands in such lines only
MORE = 0.5  # of a word: what no number of repetitions and neighbours can be worth
BESIDE = 2  # letters between words that stand side by side

# What a run may be worth, its last match (negative, lest later ones win), its first, and its words.
Chance = tuple[float, int, int, int]


class Run(NamedTuple):
    """Matches that stand close together, and what they are worth."""

    worth: float
    words: int  # a bit for each
    reads: bool  # from the first to the last in lines that make sense by themselves
    matches: list[Match]


def chosen(
    text: str, sought: Sought, width: int, rest: Callable[[], str] | None, menu: int = 0
) -> tuple[str, list[Run]]:
    """The text as far as it was needed, and the runs of matches to show, the best one first.

    What stands before the end of the `menu` does not read as text.
    """
    matches: list[Match] = []
    best: Run | None = None
    at, size, stretches = 0, FIRST, 0
    while sought.all and len(matches) < MOST_MATCHES and at < MOST_READ:
        if at >= len(text) or (rest and len(text) - at < size + 2 * width):
            if not rest:
                break
            text, rest = rest(), None
            continue
        end = _stretch(text, at, size)
        found = sought.find(text, at, end)
        if found:
            known = len(matches)
            while known and matches[known - 1][0] > at - width:
                known -= 1  # a run may have begun in the stretch before
            matches += found
            best = _best(text, matches[known:], sought, width * RUN, menu, best)
        if best and _will_do(best, sought, stretches):
            break
        at, size, stretches = end, min(size * GROWTH, LONGEST), stretches + 1
    return text, _several(text, matches, sought, width, menu, best) if best else []


def around(text: str, place: int, sought: Sought, width: int, before: float = 0.0) -> Run | None:
    """The run that has a place in it, with a share of its width `before` that."""
    size = int(width * RUN)
    low = _word_start(text, max(0, place - int(size * before)), place)
    matches = sought.find(text, low, _stretch(text, low, size))
    words = 0
    for _, _, matching in matches:
        words |= matching
    return Run(sought.worth(words), words, _reads(text, place), matches) if matches else None


def all_around(
    text: str, places: list[int], sought: Sought, width: int, before: float, *, reading: bool
) -> Iterator[Run]:
    """The runs with one of some places in them, up to the first with all words: all, or those that read as text."""
    end = 0
    for place in places:
        if place < end or (reading and not _reads(text, place)):
            continue
        if run := around(text, place, sought, width, before):
            yield run
            end = run.matches[-1][1]
            if run.reads and run.words == sought.all:
                return


def _word_start(text: str, low: int, place: int) -> int:
    """The first place from `low` on where a word begins; if none does before `place`, that is it."""
    blanks = [text.find(blank, low - 1, place) for blank in " \n"] if low else [-1]
    return min((blank + 1 for blank in blanks if blank >= 0), default=place if low else 0)


def _will_do(best: Run, sought: Sought, stretches: int) -> bool:
    """Whether to look no further after so many stretches: in the end, anything will do."""
    if stretches >= len(ENOUGH):
        return True
    return best.reads and sought.worth(best.words) >= ENOUGH[stretches] * sought.total


def _stretch(text: str, at: int, size: int) -> int:
    """Where a stretch of about `size` letters ends: not within a word."""
    if at + size >= len(text):
        return len(text)
    end = max(text.rfind("\n", at, at + size), text.rfind(" ", at, at + size)) + 1
    return end if end > at else at + size


def _several(text: str, matches: list[Match], sought: Sought, width: int, menu: int, best: Run) -> list[Run]:
    """The best run, and short ones with the words that it has not."""
    found = 0
    for _, _, words in matches:
        found |= words
    runs = [best]
    missing = found & sought.most_telling & ~best.words
    while missing and len(runs) < MOST_RUNS:
        wanted = [(start, end, words & missing) for start, end, words in matches if words & missing]
        runs.append(_best(text, wanted, sought, width * SHORT, menu))
        missing &= ~runs[-1].words
    return runs


def _best(text: str, matches: list[Match], sought: Sought, width: float, menu: int, known: Run | None = None) -> Run:
    """The run of matches within `width` that is worth most, or the one `known` before if none is worth more.

    What it is worth: the weights of its different words, and something more for repetitions and for neighbours.
    """
    sure = known.worth if known else -1.0  # what the best one is worth at least
    chances = _chances(matches, sought.worth, width, MORE * sought.weights[-1], sure)
    best = known
    for worth, last, first, words in sorted(chances, reverse=True):
        if best and worth <= best.worth:
            break  # nor are the others worth more
        begin = matches[first][0]
        reads = begin >= menu and _reads(text, begin) and _reads(text, matches[-last][0])
        worth *= 1 if reads else SCRAP
        if not best or worth > best.worth:
            best = Run(worth, words, reads, matches[first : 1 - last])
    assert best is not None
    return best


def _chances(
    matches: list[Match], weigh: Callable[[int], float], width: float, least: float, sure: float
) -> list[Chance]:
    """The runs within `width` that may be worth most, and more than is `sure`."""
    chances: list[Chance] = []
    counts: dict[int, int] = {}
    first = words = neighbours = 0
    before, different = -BESIDE - 1, 0.0
    begin = matches[0][0]
    for last, (start, end, matching) in enumerate(matches):
        count = counts.get(matching, 0)
        counts[matching] = count + 1
        changed = not count
        if start - before <= BESIDE:
            neighbours += 1
        before = end
        while end - begin > width and first < last:
            _, gone_end, gone = matches[first]
            counts[gone] -= 1
            changed = changed or not counts[gone]
            first += 1
            begin = matches[first][0]
            if begin - gone_end <= BESIDE:
                neighbours -= 1
        if changed:
            words = 0
            for held, count in counts.items():
                if count:
                    words |= held
            different = weigh(words)
        more = last - first + 2 * neighbours
        worth = different + least * more / (more + 4)
        if worth > sure:
            chances.append((worth, -last, first, words))
            sure = max(sure, worth * SCRAP)
    return chances


def _reads(text: str, place: int) -> bool:
    """Whether a place is in a line that makes sense by itself."""
    least = LINE if text[place] < FIRST_TERSE else LINE // 3
    after = text.find("\n", place, place + least)
    if after < 0 and place + least <= len(text):
        return True
    before = max(0, place - least)
    before = text.rfind("\n", before, place) + 1 or before
    return (after if after >= 0 else len(text)) - before >= least
