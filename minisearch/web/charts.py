"""Pictures for the page of numbers, worked out here and drawn by the template as plain SVG.

Colours are classes of our style sheet, so that they follow light and dark. Each picture is also a table, for those who
cannot see it and for those who want the numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log10
from typing import NamedTuple

MOST_BARS = 12
WIDTH, HEIGHT = 360, 240
LEFT, RIGHT, TOP, BOTTOM = 48, 12, 10, 34
ROW = 22  # height of a bar with the room below it

Row = tuple[str, int]


class Mark(NamedTuple):
    """Something drawn at a place: a dot, a tick or a bar, with what it says."""

    x: float
    y: float
    said: str = ""
    size: float = 0.0
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """What a template draws."""

    kind: str
    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str | int, ...]]
    marks: Sequence[Mark] = ()
    ticks: Sequence[Mark] = ()
    names: Sequence[str] = ()
    height: float = HEIGHT


def bars(title: str, name: str, counts: Mapping[str, int], *, of: str = "pages", in_order: bool = False) -> Picture:
    """Lying bars that count pages, or what they are `of`; the longest first unless they have an order of their own.

    >>> [(mark.said, mark.size) for mark in bars("", "", {"a": 5, "b": 10}).marks]
    [('b', 100.0), ('a', 50.0)]
    """
    rows = list(counts.items()) if in_order else sorted(counts.items(), key=lambda row: -row[1])
    most = max(counts.values(), default=1) or 1
    shown = rows[:MOST_BARS]
    marks = [
        Mark(0, number * ROW, said, round(100 * count / most, 2), f"{count:,}")
        for number, (said, count) in enumerate(shown)
    ]
    return Picture("bars", title, (name, of), rows, marks, height=len(shown) * ROW)


def dots(title: str, across: str, up: str, series: Mapping[str, Sequence[tuple[int, int]]]) -> Picture:
    """Dots on a sheet with logarithmic axes; what is zero cannot stand there, and is told in the table only.

    >>> [mark.kind for mark in dots("", "", "", {"in": [(0, 3), (1, 10), (100, 1)]}).marks]
    ['s0', 's0']
    """
    points = [(x, y, f"s{number}") for number, told in enumerate(series.values()) for x, y in told if x > 0 and y > 0]
    widest = _decades(max((x for x, _, _ in points), default=1))
    highest = _decades(max((y for _, y, _ in points), default=1))

    def place(x: float, y: float) -> tuple[float, float]:
        across_share, up_share = log10(x) / widest, log10(y) / highest
        return (
            round(LEFT + across_share * (WIDTH - LEFT - RIGHT), 1),
            round(HEIGHT - BOTTOM - up_share * (HEIGHT - TOP - BOTTOM), 1),
        )

    marks = [Mark(*place(x, y), f"{x:,}: {y:,}", kind=kind) for x, y, kind in points]
    ticks = [Mark(*place(10**power, 1), _power(power), kind="x") for power in range(widest + 1)]
    ticks += [Mark(*place(1, 10**power), _power(power), kind="y") for power in range(highest + 1)]
    rows = [(name, x, y) for name, told in series.items() for x, y in told]
    return Picture("dots", title, ("of", across, up), rows, marks, ticks, tuple(series))


def bow_tie(title: str, sizes: Mapping[str, int]) -> Picture:
    """The famous shape, its parts labelled with their shares."""
    total = sum(sizes.values()) or 1
    marks = [Mark(0, 0, f"{100 * sizes.get(name, 0) / total:.0f}%", kind=name) for name in sizes]
    return Picture("bow", title, ("part", "pages"), list(sizes.items()), marks)


def _decades(most: float) -> int:
    return max(ceil(log10(most)), 1)


def _power(power: int) -> str:
    return f"{10**power:,}" if power < 4 else f"1e{power}"
