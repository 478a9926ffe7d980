"""Graphs that come with minisearch: the examples of the literature, the numbers printed for them, and their errata.

A preset has a name that says what it is (`spider-trap`) and the short name of its file (`000-spider-trap`). Every
erratum was recomputed; those that are numbers of a graph are recomputed by the tests.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

from minisearch.errors import BadInput, NotFound
from minisearch.lab.plain import parse_ints
from minisearch.lab.webs import Web

GRAPHS = files("minisearch.lab") / "graphs"


@dataclass(frozen=True, slots=True)
class Preset:
    """A web that comes with minisearch."""

    name: str
    id: str
    about: str
    source: str  # whose example it is; empty if it is ours
    where: str
    pages: tuple[str, ...]
    convention: str = ""  # the way of its source: a name in minisearch/rank/conventions.py

    def web(self) -> Web:
        """The web itself."""
        text = (GRAPHS / f"{self.id}.ints.txt").read_text("utf-8")
        counted = parse_ints(text, self.id)
        return Web(self.pages, counted.sources, counted.targets, counted.weights)


@dataclass(frozen=True, slots=True)
class Published:
    """Numbers that someone printed for a preset, digit for digit."""

    graph: str
    source: str
    where: str
    measure: str  # pagerank, hub, authority, surfer, or "topic" and its pages
    numbers: Mapping[str, str]
    erratum: str  # its id, if they are wrong
    convention: str  # the way of its source: a name in minisearch/rank/conventions.py


@cache
def sources() -> dict[str, str]:
    """The literature: how each source is cited, by its short name."""
    return dict(table("presets")["sources"])


@cache
def presets() -> tuple[Preset, ...]:
    """All of them, in the order of their sources."""
    return tuple(
        Preset(
            row["name"], row["id"], row["about"], cited(row["source"]), row["where"], tuple(row["pages"]), row["source"]
        )
        for row in table("presets")["presets"]
    )


def preset(name: str) -> Preset | None:
    """The preset of that name or id, if there is one."""
    return next((one for one in presets() if name in (one.name, one.id)), None)


def web(name: str) -> Web:
    """The web of a preset; BadInput if there is none of that name.

    >>> web("spider-trap").links()[0]
    ('A', 'A', 1.0)
    """
    found = preset(name)
    if found is None:
        raise unknown(name)
    return found.web()


def unknown(name: str) -> BadInput:
    """The error that says that there is no such graph, and which one may be meant."""
    names = [word for one in presets() for word in (one.name, one.id)]
    near = get_close_matches(name, names, n=1)
    hint = f'did you mean "{near[0]}"?' if near else '"minisearch lab presets" lists the presets'
    return BadInput(f'no graph is called "{name}", and there is no such file: {hint}')


def published(graph: str | None = None) -> list[Published]:
    """The printed numbers, all or those of one preset."""
    rows = [
        Published(**{**row, "source": cited(row["source"])}, convention=row["source"]) for row in table("published")
    ]
    return [row for row in rows if graph in (None, row.graph)]


def cited(source: str) -> str:
    """How a source is cited; nothing for what is our own."""
    return sources()[source] if source else ""


def table(name: str) -> Any:
    """One of the tables beside the graphs."""
    return json.loads((GRAPHS / f"{name}.json").read_text("utf-8"))


KINDS = {
    "value": "a wrong number",
    "text": "a wrong statement",
    "formula": "a wrong formula",
    "code": "code that does not run",
    "ocr": "damaged in scanning",
}


@dataclass(frozen=True, slots=True)
class Erratum:
    """One mistake in a source."""

    id: str
    source: str
    where: str
    kind: str  # one of KINDS
    graph: str  # the preset it is about, or empty
    printed: str
    correct: str
    why: str

    def numbers(self) -> Published | None:
        """The printed numbers that are wrong, if they are a table over the pages of a preset."""
        return next((row for row in published() if row.erratum == self.id), None)


def errata(source: str | None = None, kind: str | None = None) -> list[Erratum]:
    """All of them, or those of one source (a part of how it is cited) and one kind."""
    rows = [Erratum(**{**row, "source": cited(row["source"])}) for row in table("errata")]
    wanted = (source or "").lower()
    return [row for row in rows if wanted in f"{row.source} {row.id}".lower() and kind in (None, row.kind)]


def erratum(name: str) -> Erratum:
    """The one of that id.

    >>> erratum("E002-02").correct
    '0.025'
    """
    for row in errata():
        if row.id.lower() == name.lower():
            return row
    raise NotFound(f'unknown erratum "{name}": "minisearch lab errata" lists them')
