"""Two small text formats for graphs that are typed by hand.

`pairs`: the number of pages, then links as pairs of letters, (A,B) (B,C); the format of the web program of the
Belgrade PageRank thesis. `ints`: the number of pages, then links as pairs of numbers counted from 0; the format of
E. Stoimenova, Random internet surfing. In both, blanks and line breaks are one, and a repeated pair is a second link.
"""

from __future__ import annotations

import re

import numpy as np

from minisearch.errors import BadInput
from minisearch.lab.lines import clip, line_at, wrong
from minisearch.lab.webs import MOST_PAGES, Web, letter, place_of

PAIR = re.compile(r"\(\s*([^\s,()]*)\s*,\s*([^\s,()]*)\s*\)|(\S+)")
WORD = re.compile(r"\S+")
LONGEST = 20  # digits of a number; Python reads none of thousands


def parse_pairs(text: str, where: str) -> Web:
    """The web that `5 (A,B) (B,C)` stands for."""
    count, rest = _count(text, where)
    sources, targets = [], []
    for found in PAIR.finditer(text, rest):
        source, target, other = found.groups()
        line = line_at(text, found.start()) if other else 0
        if other:
            raise wrong(where, line, f"expected a link such as (A,B), not {clip(other)}")
        ends = (place_of(source), place_of(target))
        for name, place in zip((source, target), ends, strict=True):
            if not 0 <= place < count:
                line = line_at(text, found.start())
                known = f"{count} pages, A to {letter(count - 1)}" if count > 1 else "one page, A"
                raise wrong(where, line, f'there is no page "{clip(name)}": line 1 gives {known}')
        sources.append(ends[0])
        targets.append(ends[1])
    return Web.numbered([letter(place) for place in range(count)], sources, targets)


def parse_ints(text: str, where: str) -> Web:
    """The web that `5  0 1  1 2` stands for; its pages are called 0, 1, 2, ..."""
    count, rest = _count(text, where)
    words = text[rest:].split()
    try:
        numbers = np.array([int(word) for word in words], dtype=np.int64)
    except (ValueError, OverflowError):
        numbers = np.empty(0, np.int64)
    if len(numbers) < len(words) or (len(numbers) and not 0 <= numbers.min() <= numbers.max() < count):
        raise _first_wrong(text, rest, count, where)
    if len(numbers) % 2:
        raise wrong(where, line_at(text, len(text.rstrip())), f"the last link, from {words[-1]}, has no target")
    return Web.numbered([str(place) for place in range(count)], numbers[::2], numbers[1::2])  # type: ignore[arg-type]


def _first_wrong(text: str, rest: int, count: int, where: str) -> BadInput:
    for found in WORD.finditer(text, rest):
        word = found[0]
        if not word.isascii() or not word.isdigit() or len(word) > LONGEST or int(word) >= count:
            reason = f'"{clip(word)}" is not a page: line 1 gives {count} pages, counted from 0'
            return wrong(where, line_at(text, found.start()), reason)
    raise AssertionError("unexpected word")


def _count(text: str, where: str) -> tuple[int, int]:
    """How many pages the first word says there are, and where the links begin."""
    found = WORD.search(text)
    word = found[0] if found else ""
    if not found or not word.isascii() or not word.isdigit():
        raise wrong(where, 1, f'the first word must be the number of pages, not "{clip(word)}"')
    if len(word) > LONGEST or not 1 <= int(word) <= MOST_PAGES:
        raise wrong(where, line_at(text, found.start()), f"a graph has 1 to {MOST_PAGES} pages, not {clip(word)}")
    return int(word), found.end()


def render_pairs(web: Web) -> str:
    """A web as pairs of letters; its pages' own names are lost."""
    pairs = (f"({letter(source)},{letter(target)})" for source, target in web.each_link("pairs"))
    return f"{web.n}\n{' '.join(pairs)}\n"


def render_ints(web: Web) -> str:
    """A web as pairs of numbers, a line for each page; its pages' own names are lost."""
    lines: dict[int, list[str]] = {}
    for source, target in web.each_link("ints"):
        lines.setdefault(source, []).append(f"{source} {target}")
    return "\n".join([str(web.n), *("  ".join(line) for line in lines.values())]) + "\n"
