"""The ranking parameters: every number by which pages are ranked, in one place.

They were chosen together, on known items and on sentences. A file may keep others (`minisearch weights --set`), and
a query may use some once (`minisearch search --set weight.title=3`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches

from minisearch.errors import BadInput

Shares = dict[str, float]
Settings = Mapping[str, float | str]


WEIGHT = {"title": 1.2, "headings": 0.5, "url": 0.2, "body": 1.0, "anchor": 0.8}
B = {"title": 0.75, "headings": 0.6, "url": 0.75, "body": 0.75, "anchor": 0.5}
NEIGHBOURS = {"title": 0.5, "headings": 0.5, "url": 0.1, "body": 0.4, "anchor": 0.5}
NAMES = {"title": 2.0, "headings": 3.0, "anchor": 1.5}


@dataclass(frozen=True, slots=True)
class RankingParams:
    """The numbers of the ranking; scoring.py has the formula.

    >>> RankingParams().changed({"weight.title": 3}).weight["title"]
    3.0
    """

    k1: float = 2.0  # how soon repeating a word stops helping
    weight: Shares = field(default_factory=WEIGHT.copy)  # of each field
    b: Shares = field(default_factory=B.copy)  # how much long fields are held back
    # Proximity: what two adjacent words of the query add that are adjacent on the page, as a share of the smaller idf.
    neighbours: Shares = field(default_factory=NEIGHBOURS.copy)
    # Exact match: what a title, heading or anchor text adds that is the whole query, as a share of the idf of that.
    names: Shares = field(default_factory=NAMES.copy)
    exact: float = 4.0  # the same for a title that is the query without stemming
    address: float = 8.0  # the same for a URL path that ends in the query
    whole: float = 0.3  # what an identifier as a whole adds beside its parts, as a share of a word
    alone: float = 1.0  # and what it adds where it is all that is asked for
    telling: float = 0.25  # a word counts for "all words" if its idf is at least this share of the highest idf
    faint: float = 0.05  # and for proximity, if at least this
    short: float = 4  # words up to which pages with all of them come first
    sentence: float = 3  # stop words ("what is the") that make a sentence, of which only the other words count
    closely: float = 30  # the best pages by words, on which proximity is counted
    blend: float = 0.15  # blend weight: how much the best linked page gains
    prior: str = "pagerank"  # the ranking of the file that the link prior is made from

    def settings(self) -> dict[str, float | str]:
        """All parameters by name; those of a field have its name after a dot.

        >>> RankingParams().settings()["b.anchor"]
        0.5
        """
        found: dict[str, float | str] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            parts = value.items() if isinstance(value, dict) else [("", value)]
            found |= {f"{each.name}.{part}".rstrip("."): number for part, number in parts}
        return found

    def changed(self, settings: Settings) -> RankingParams:
        """The same with some parameters changed."""
        if not settings:
            return self
        known = self.settings()
        new: dict[str, float | str | Shares] = {}
        for name, value in settings.items():
            if name not in known:
                near = get_close_matches(name, known, 1)
                meant = f"did you mean {near[0]}?" if near else '"minisearch weights" lists them'
                raise BadInput(f'unknown ranking weight "{name}": {meant}')
            check(name, value)
            if isinstance(value, str):
                new[name] = value
                continue
            group, _, part = name.partition(".")
            before = new.get(group, getattr(self, group))
            new[group] = {**before, part: float(value)} if isinstance(before, dict) else float(value)
        return replace(self, **new)  # type: ignore[arg-type]


def check(name: str, value: float | str) -> None:
    """Raise BadInput unless the value is valid."""
    if name == "prior":
        if value in ("", "spam_mass", "spam-mass") or not isinstance(value, str):
            raise BadInput(f"prior must be the name of a ranking, such as trustrank, not {value or 'nothing'}")
        return
    if not isinstance(value, int | float):  # a file may hold anything
        raise BadInput(f'{name} must be a number, not "{value}"')
    most = 1.0 if name.startswith("b.") or name in ("telling", "faint", "blend") else 1000.0
    if not (math.isfinite(value) and 0 <= value <= most) or (name == "k1" and value == 0):
        limits = f"above 0 and at most {most:g}" if name == "k1" else f"from 0 to {most:g}"
        raise BadInput(f"{name} must be a number {limits}, not {value:g}")


def read_settings(words: Iterable[str]) -> dict[str, float | str]:
    """Parameters written as NAME=VALUE.

    >>> read_settings(["k1=1.2", "weight.title=3", "prior=trustrank"])
    {'k1': 1.2, 'weight.title': 3.0, 'prior': 'trustrank'}
    """
    found: dict[str, float | str] = {}
    for word in words:
        name, equals, value = (part.strip() for part in word.partition("="))
        if not equals:
            raise BadInput(f'cannot read "{word}": write NAME=VALUE, such as weight.title=2')
        try:
            found[name] = value if name == "prior" else float(value)
        except ValueError:
            raise BadInput(f'{name} must be a number, not "{value}"') from None
    RankingParams().changed(found)  # checks names and values
    return found


DESCRIPTIONS = {
    "k1": "BM25 k1: how soon repetitions of a word stop helping",
    "weight": "weight of a word in the {field}",
    "b": "BM25 b: length normalization of the {field}",
    "neighbours": "bonus for query words next to each other in the {field}",
    "names": "bonus for an exact match of the whole query: {field}",
    "exact": "bonus if the query is the title, letter by letter",
    "address": "bonus if the query is the end of the URL path",
    "whole": "weight of an identifier such as os.path beside its parts",
    "alone": "the same if the identifier is the whole query",
    "telling": "pages with all words first: words below this share of the highest idf do not count",
    "faint": "proximity: words below this share of the highest idf do not count",
    "short": "pages with all words come first in queries of up to this many words",
    "sentence": "stop words are ignored in queries with at least this many of them",
    "closely": "number of best pages for which proximity is computed",
    "blend": "weight of the link score; 0: words only",
    "prior": "ranking used as link score: pagerank, or one computed by minisearch rank",
}
FIELD_NAMES = {"url": "URL", "anchor": "link texts"}


def describe(name: str) -> str:
    """What a parameter does, in one line.

    >>> describe("names.anchor")
    'bonus for an exact match of the whole query: link texts'
    """
    group, _, field_name = name.partition(".")
    return DESCRIPTIONS[group].format(field=FIELD_NAMES.get(field_name, field_name))


DEFAULT = RankingParams()
