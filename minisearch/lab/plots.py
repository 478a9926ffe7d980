"""Charts: lines, or dots with error bars.

`svg` needs only the standard library, `png` needs matplotlib.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import escape

from minisearch.errors import BadInput, NotReady
from minisearch.lab.lines import write_whole

WIDTH, HEIGHT = 760, 460
LEFT, RIGHT, TOP, BOTTOM = 78, 150, 44, 54  # margins; the names of the lines stand in the right one
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#a05195")  # Okabe and Ito
DASHES = ("", "7 3", "2 3", "9 3 2 3")
STYLES = ("-", "--", ":", "-.")  # the same, as matplotlib calls them
SMALLEST = -300  # powers of ten on a scale
MOST_LINES = 16  # more cannot be distinguished

STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#222}.title{font-size:16px;font-weight:600}"
    ".grid{stroke:#ddd}.axis{stroke:#555}.back{fill:#fff}"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.grid{stroke:#333}.axis{stroke:#aaa}.back{fill:#16181c}}"
)


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a chart, or one row of its dots."""

    name: str
    xs: Sequence[float]
    ys: Sequence[float]
    errors: Sequence[float] = ()  # half the length of each error bar
    dots: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """What is shown: lines over a common axis."""

    title: str
    x_label: str
    y_label: str
    series: Sequence[Series]
    log: bool = False  # the upright axis counts in powers of ten
    x_names: Sequence[str] = field(default=())  # names along the x axis in place of numbers


def save(chart: Chart, name: str) -> None:
    """Put a picture into a file whose name ends with .svg or .png."""
    ending = name.lower().rpartition(".")[2]
    if ending not in ("svg", "png"):
        raise BadInput(f'the file name of a plot must end with .svg or .png, not "{name}"')
    write_whole(name, svg(chart).encode() if ending == "svg" else png(chart))


def svg(chart: Chart, *, styled: bool = True) -> str:
    """A chart as SVG, readable on white and on black, with a title for those who cannot see it.

    Not `styled`, its colours are those that the page around it has for the classes title, grid, axis and back.
    """
    shown = list(chart.series)[:MOST_LINES]
    across, up = _x_axis(chart), _y_axis(chart)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{escape(chart.title)}</title>" + (f"<style>{STYLE}</style>" if styled else ""),
        f'<rect class="back" width="{WIDTH}" height="{HEIGHT}"/>',
        f'<text class="title" x="{LEFT}" y="24">{escape(chart.title)}</text>',
    ]
    for value, label in up.ticks:
        y = up.place(value)
        parts.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{escape(label)}</text>')
    for value, label in across.ticks:
        x, foot = across.place(value), HEIGHT - BOTTOM
        parts.append(f'<line class="axis" x1="{x:.1f}" y1="{foot}" x2="{x:.1f}" y2="{foot + 5}"/>')
        parts.append(f'<text x="{x:.1f}" y="{foot + 20}" text-anchor="middle">{escape(label)}</text>')
    parts += [
        f'<path class="axis" fill="none" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>',
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 12}" text-anchor="middle">'
        f"{escape(chart.x_label)}</text>",
        f'<text transform="translate(18 {(TOP + HEIGHT - BOTTOM) / 2:.0f}) rotate(-90)" text-anchor="middle">'
        f"{escape(chart.y_label)}</text>",
    ]
    for number, series in enumerate(shown):
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number // len(COLOURS) % len(DASHES)]
        parts += _drawn(series, across, up, colour, dash)
        parts += _named(series, number, colour, dash)
    if len(chart.series) > MOST_LINES:
        more = Series(f"and {len(chart.series) - MOST_LINES} more", (), ())
        parts += _named(more, MOST_LINES, "none", "")
    return "\n".join([*parts, "</svg>"]) + "\n"


@dataclass(frozen=True, slots=True)
class _Axis:
    low: float
    high: float
    begin: float  # where `low` lies in the picture
    end: float
    ticks: Sequence[tuple[float, str]]
    log: bool = False

    def place(self, value: float) -> float:
        """Where a value lies in the picture."""
        if self.log:
            value = math.log10(max(value, 10**self.low))
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)


def _x_axis(chart: Chart) -> _Axis:
    if chart.x_names:
        step = math.ceil(len(chart.x_names) / 20)
        ticks = [(float(n), _short(name)) for n, name in enumerate(chart.x_names) if n % step == 0]
        return _Axis(-0.5, len(chart.x_names) - 0.5, LEFT, WIDTH - RIGHT, ticks)
    xs = [x for series in chart.series for x in series.xs] or [0.0, 1.0]
    low, high = min(xs), max(xs)
    high = high if high > low else low + 1
    return _Axis(low, high, LEFT, WIDTH - RIGHT, [tick for tick in _steps(low, high) if low <= tick[0] <= high])


def _y_axis(chart: Chart) -> _Axis:
    ys = [y for series in chart.series for y in _reach(series) if math.isfinite(y)]
    if chart.log:
        ys = [y for y in ys if y > 0] or [1.0]
        least = max(math.floor(math.log10(min(ys))), SMALLEST)
        most = max(math.ceil(math.log10(max(ys))), least + 1)
        powers = range(least, most + 1, math.ceil((most - least) / 8))
        return _Axis(least, most, HEIGHT - BOTTOM, TOP, [(10.0**p, f"1e{p}" if p else "1") for p in powers], log=True)
    low, high = min([0.0, *ys]), max([*ys, 1e-12])
    ticks = _steps(low, high)
    return _Axis(min(low, ticks[0][0]), max(high, ticks[-1][0]), HEIGHT - BOTTOM, TOP, ticks)


def _reach(series: Series) -> list[float]:
    errors = series.errors or [0.0] * len(series.ys)
    return [y + side * error for y, error in zip(series.ys, errors, strict=True) for side in (-1, 1)]


def _steps(low: float, high: float) -> list[tuple[float, str]]:
    """Round numbers that cover a span: some four to nine of them."""
    rough = (high - low) / 5
    size = 10 ** math.floor(math.log10(rough))
    step = next(size * times for times in (1, 2, 5, 10) if size * times >= rough)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [(number * step, f"{number * step:.6g}") for number in range(first, last + 1)]


def _drawn(series: Series, across: _Axis, up: _Axis, colour: str, dash: str) -> list[str]:
    places = [
        (across.place(x), up.place(y), x, y)
        for x, y in zip(series.xs, series.ys, strict=True)
        if math.isfinite(y) and (y > 0 or not up.log)
    ]
    parts = []
    if series.dots:
        errors = dict(zip(series.xs, series.errors or [0.0] * len(series.xs), strict=True))
        for x, y, at, value in places:
            if errors[at]:
                top, foot = up.place(value + errors[at]), up.place(value - errors[at])
                parts.append(f'<path stroke="{colour}" stroke-width="2" d="M{x:.1f} {top:.1f}V{foot:.1f}"/>')
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>')
    elif places:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y, _, _ in places)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2"{dashed} points="{points}"/>')
    return parts


def _named(series: Series, number: int, colour: str, dash: str) -> list[str]:
    x, y = WIDTH - RIGHT + 14, TOP + 10 + 20 * number
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    line = f'<path stroke="{colour}" stroke-width="3"{dashed} d="M{x} {y}h24"/>'
    dot = f'<circle cx="{x + 12}" cy="{y}" r="4" fill="{colour}"/>'
    return [dot if series.dots else line, f'<text x="{x + 30}" y="{y + 4}">{escape(_short(series.name))}</text>']


def _short(name: str) -> str:
    """A name that fits: of a url the end, which tells more."""
    return name if len(name) <= 16 else "…" + name[-15:]


def png(chart: Chart) -> bytes:
    """The same as PNG, drawn by matplotlib; NotReady if it is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise NotReady('PNG plots need matplotlib: pip install "minisearch[plots]", or use a .svg file name') from None
    figure = Figure(figsize=(7.6, 4.6), layout="constrained")
    axes = figure.subplots()
    for number, series in enumerate(list(chart.series)[:MOST_LINES]):
        look: dict[str, Any] = {"color": COLOURS[number % len(COLOURS)], "label": _short(series.name)}
        if series.dots:
            axes.errorbar(series.xs, series.ys, yerr=series.errors or None, fmt="o", **look)
        else:
            axes.plot(series.xs, series.ys, linestyle=STYLES[number // len(COLOURS) % len(STYLES)], **look)
    if chart.log:
        axes.set_yscale("log")
    if chart.x_names:
        axes.set_xticks(range(len(chart.x_names)), [_short(name) for name in chart.x_names])
    axes.set(title=chart.title, xlabel=chart.x_label, ylabel=chart.y_label)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=120)
    return out.getvalue()
