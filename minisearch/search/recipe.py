"""The recipe: every number by which pages are ranked, in one place.

They were chosen together, on known items and on sentences. A file may keep others (`minisearch ranking --set`), and
a query may try some once (`minisearch search --set weight.title=3`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace

from minisearch.errors import BadInput

FIELDS = ("title", "headings", "url", "body", "anchor")
FIELD_NUMBER = {name: number for number, name in enumerate(FIELDS)}

Shares = dict[str, float]


WEIGHT = {"title": 1.2, "headings": 0.5, "url": 0.2, "body": 1.0, "anchor": 0.8}
B = {"title": 0.75, "headings": 0.6, "url": 0.75, "body": 0.75, "anchor": 0.5}
NEIGHBOURS = {"title": 0.5, "headings": 0.5, "url": 0.1, "body": 0.4, "anchor": 0.5}
NAMES = {"title": 2.0, "headings": 3.0, "anchor": 1.5}


@dataclass(frozen=True, slots=True)
class Recipe:
    """The numbers of the ranking. What they do is told in bm25.py, scoring.py and blend.py.

    >>> Recipe().changed({"weight.title": 3}).weight["title"]
    3.0
    """

    k1: float = 2.0  # how soon repeating a word stops helping
    weight: Shares = field(default_factory=WEIGHT.copy)  # of each field
    b: Shares = field(default_factory=B.copy)  # how much long fields are held back
    # What two words of the query add that stand side by side, as a share of the less telling one of them.
    neighbours: Shares = field(default_factory=NEIGHBOURS.copy)
    # What a title, heading or link text adds that is the whole query, as a share of how telling that is.
    names: Shares = field(default_factory=NAMES.copy)
    exact: float = 4.0  # what a title adds that is the query to the letter, as a share of how telling that is
    address: float = 8.0  # what a query adds that is the way to a page, as a share of how telling that is
    whole: float = 0.3  # what an identifier as a whole adds beside its parts, as a share of a word
    alone: float = 1.0  # and what it adds where it is all that is asked for
    telling: float = 0.25  # a word counts for "all words" if its idf is at least this share of the most telling word's
    faint: float = 0.05  # and for neighbours, if at least this
    short: float = 4  # words up to which pages with all of them come first
    sentence: float = 3  # small words ("what is the") that make a sentence, of which only the others are looked for
    closely: float = 30  # pages that are looked at closely: the best by words, on which neighbours are counted
    blend: float = 0.15  # how much the best linked page gains

    def settings(self) -> dict[str, float]:
        """All numbers by name; those of a field have its name after a dot.

        >>> Recipe().settings()["b.anchor"]
        0.5
        """
        found: dict[str, float] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            parts = value.items() if isinstance(value, dict) else [("", value)]
            found |= {f"{each.name}.{part}".rstrip("."): number for part, number in parts}
        return found

    def changed(self, settings: Mapping[str, float]) -> Recipe:
        """The same with some numbers changed."""
        if not settings:
            return self
        known = self.settings()
        new: dict[str, float | Shares] = {}
        for name, value in settings.items():
            if name not in known:
                raise BadInput(f'there is no number called "{name}" in the ranking; there are {", ".join(known)}')
            check(name, value)
            group, _, part = name.partition(".")
            before = new.get(group, getattr(self, group))
            new[group] = {**before, part: float(value)} if isinstance(before, dict) else float(value)
        return replace(self, **new)  # type: ignore[arg-type]


def check(name: str, value: float) -> None:
    """Refuse a number that makes no sense."""
    most = 1.0 if name.startswith("b.") or name in ("telling", "faint", "blend") else 1000.0
    if not (math.isfinite(value) and 0 <= value <= most) or (name == "k1" and value == 0):
        least = "above 0" if name == "k1" else "from 0"
        raise BadInput(f"{name} must be a number {least} to {most:g}, not {value:g}")


def read_settings(words: Iterable[str]) -> dict[str, float]:
    """What a person wrote as NAME=VALUE.

    >>> read_settings(["k1=1.2", "weight.title=3"])
    {'k1': 1.2, 'weight.title': 3.0}
    """
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        try:
            found[name.strip()] = float(value)
        except ValueError:
            wrong = f'"{value}" is not a number' if equals else "write it as NAME=VALUE, like weight.title=2"
            raise BadInput(f"cannot read {word!r}: {wrong}") from None
    Recipe().changed(found)  # names and values that make no sense are refused
    return found


DEFAULT = Recipe()
