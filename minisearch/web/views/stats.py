"""The collection in numbers and charts.

The template draws the charts as SVG; the places of dots on logarithmic axes are computed here. Colours are classes of
the style sheet, so that they follow light and dark. Each chart is also available as a table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log10
from typing import Any, NamedTuple

from flask import Blueprint, render_template

from minisearch.web.engines import engine, engines

WIDTH, HEIGHT = 360, 240
LEFT, RIGHT, TOP, BOTTOM = 48, 12, 10, 34

bp = Blueprint("stats", __name__)


def numbers() -> dict[str, Any]:
    """All statistics of the file; of several files those that can be added up."""
    return engines().cached("stats", _read)


def _read() -> dict[str, Any]:
    known = engine().stats()
    return known if "files" in known else {**known, "shape": engine().shape()}


@bp.get("/stats")
def show() -> str:
    """The statistics page."""
    known = numbers()
    columns = ("links from a seed URL", "pages")
    depths = Picture("bars", "Pages by link depth", columns, list(known["depths"].items()))  # in their order
    languages = bars("Pages by language", "language", known["languages"])
    if "shape" not in known:
        pictures = [depths, bars("URLs by status", "status", known["urls"], of="URLs"), languages]
    else:
        shape, words = known["shape"], known["words"]
        pictures = [
            depths,
            bars("URLs by status", "status", shape["fates"], of="URLs"),
            bars("URLs by HTTP status", "HTTP status", shape["statuses"], of="URLs"),
            bars("Pages by content type", "content type", shape["types"]),
            languages,
            Picture("bow", "Bow tie of the link graph", ("part", "pages"), list(shape["bow_tie"].items())),
            dots("Links per page", "links", "pages", {"in": shape["in"], "out": shape["out"]}),
            dots("Word frequencies (Zipf)", "rank", "occurrences", {"words": words["zipf"]}),
        ]
    return render_template("stats.html", known=known, pictures=pictures)


class Mark(NamedTuple):
    """A dot or a tick, with its label."""

    x: float
    y: float
    label: str
    kind: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart for the template: "bars", a "bow" tie, or "dots" with marks and ticks."""

    kind: str
    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str | int, ...]]
    marks: Sequence[Mark] = ()
    ticks: Sequence[Mark] = ()
    names: Sequence[str] = ()


def bars(title: str, name: str, counts: Mapping[str, int], *, of: str = "pages") -> Picture:
    """Horizontal bars that count pages, or what they are `of`; the longest first.

    >>> bars("", "", {"a": 5, "b": 10}).rows
    [('b', 10), ('a', 5)]
    """
    rows = sorted(counts.items(), key=lambda row: -row[1])
    return Picture("bars", title, (name, of), rows)


def dots(title: str, across: str, up: str, series: Mapping[str, Sequence[tuple[int, int]]]) -> Picture:
    """A scatter plot with logarithmic axes; zeros are in the table only.

    >>> [mark.kind for mark in dots("", "", "", {"in": [(0, 3), (1, 10), (100, 1)]}).marks]
    ['s0', 's0']
    """
    points = [(x, y, f"s{number}") for number, pairs in enumerate(series.values()) for x, y in pairs if x > 0 and y > 0]
    widest = _decades(max((x for x, _, _ in points), default=1))
    highest = _decades(max((y for _, y, _ in points), default=1))

    def place(x: float, y: float) -> tuple[float, float]:
        across_share, up_share = log10(x) / widest, log10(y) / highest
        return (
            round(LEFT + across_share * (WIDTH - LEFT - RIGHT), 1),
            round(HEIGHT - BOTTOM - up_share * (HEIGHT - TOP - BOTTOM), 1),
        )

    marks = [Mark(*place(x, y), f"{x:,}: {y:,}", kind) for x, y, kind in points]
    ticks = [Mark(*place(10**power, 1), _power(power), "x") for power in range(widest + 1)]
    ticks += [Mark(*place(1, 10**power), _power(power), "y") for power in range(highest + 1)]
    rows = [(name, x, y) for name, pairs in series.items() for x, y in pairs]
    return Picture("dots", title, ("of", across, up), rows, marks, ticks, tuple(series))


def _decades(most: float) -> int:
    return max(ceil(log10(most)), 1)


def _power(power: int) -> str:
    return f"{10**power:,}" if power < 4 else f"1e{power}"
