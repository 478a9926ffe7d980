"""A graph as SVG: a circle for each page, sized by its rank, and an arrow for each link.

minisearch/web/static/draw.js draws the same in a browser, where pages can be moved.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from minisearch.lab.layout import HEIGHT, WIDTH

SMALLEST, LARGEST = 8.0, 46.0  # radius of a circle: without any rank, and with the highest
CROWDED = 12  # pages; of more, circles are drawn smaller, and names only of the larger ones
BEND = 0.16  # of their distance, by which the links between two pages that link to each other are bent
LINE, SMALL_LINE = 20.0, 14.0  # height of a line of text; in a crowded picture
NAMED = 14  # names in a crowded picture
TIP = 10.0  # length of the tip of an arrow

STYLE = (
    "text{font:20px system-ui,sans-serif;text-anchor:middle;fill:#1b1f24;"
    "stroke:#fff;stroke-width:4px;paint-order:stroke}.crowded text{font-size:14px}"
    "circle{fill:#dbe7f5;stroke:#2f6fb5}"
    ".link{fill:none;stroke:#8792a0;stroke-opacity:.7}.tip{fill:#6b7683}"
    + "".join(
        f".kind-{n} circle{{fill:{fill}}}"
        for n, fill in enumerate(
            ("#9cc4ec", "#f6b77a", "#9fd6b5", "#e3a8cc", "#f2d675", "#a6dcea", "#c9c9c9", "#c8a7d8")
        )
    )
)


@dataclass(frozen=True)
class Picture:
    """What is drawn. Links are (from, to) by number, `kinds` are colours by number, `addresses` where circles lead."""

    names: Sequence[str]
    links: Sequence[tuple[int, int]]
    at: Sequence[Sequence[float]]
    values: Sequence[float]
    kinds: Sequence[int] = ()
    addresses: Mapping[int, str] = field(default_factory=dict)
    labels: Sequence[str] = ()  # short names to write into the picture; without them the names


class Box(NamedTuple):
    """A rectangle around (x, y)."""

    x: float
    y: float
    half_width: float
    half_height: float

    def overlaps(self, other: Box) -> bool:
        """Whether two rectangles have a point in common."""
        return (
            abs(self.x - other.x) < self.half_width + other.half_width
            and abs(self.y - other.y) < self.half_height + other.half_height
        )

    def fits(self) -> bool:
        """Whether it is inside the picture from left to right."""
        return self.half_width < self.x < WIDTH - self.half_width


def radii(values: Sequence[float]) -> list[float]:
    """The radius of each circle: its area grows with the value.

    >>> radii([1.0, 0.25, 0.0])
    [46.0, 27.0, 8.0]
    """
    top = max((value for value in values if value == value), default=0.0)
    most = LARGEST if len(values) <= CROWDED else LARGEST * max(0.35, math.sqrt(CROWDED / len(values)))
    least = SMALLEST if len(values) <= CROWDED else 4.0
    return [
        round(least + (most - least) * math.sqrt(max(value, 0.0) / top), 2) if top > 0 and value == value else least
        for value in values
    ]


def link_path(start: Sequence[float], end: Sequence[float], room: float, *, bent: bool, from_room: float = 0.0) -> str:
    """The path of an arrow between two places that ends at the rim of a circle of radius `room`."""
    (x1, y1), (x2, y2) = start, end
    apart = math.hypot(x2 - x1, y2 - y1)
    if apart < 1e-6:  # a link of a page to itself: a loop above it
        r = from_room
        left, right, rim, top = x1 - r - 14, x1 + r + 14, y1 - r * 0.87, y1 - r - 34
        return f"M{x1 - r / 2:.1f} {rim:.1f}C{left:.1f} {top:.1f} {right:.1f} {top:.1f} {x1 + r / 2:.1f} {rim:.1f}"
    across, down = (x2 - x1) / apart, (y2 - y1) / apart
    side = BEND * apart if bent else 0.0
    middle = ((x1 + x2) / 2 - down * side, (y1 + y2) / 2 + across * side)
    toward = math.hypot(x2 - middle[0], y2 - middle[1]) or 1.0
    back = min(room / toward, 0.9)
    tip = (x2 - (x2 - middle[0]) * back, y2 - (y2 - middle[1]) * back)
    return f"M{x1:.1f} {y1:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {tip[0]:.1f} {tip[1]:.1f}"


def label_places(
    at: Sequence[Sequence[float]], sizes: Sequence[float], labels: Sequence[str]
) -> dict[int, tuple[float, float]]:
    """The middle of the baseline of each label. In a crowded picture only some pages have one, the largest first:

    below, above or beside the circle, where it covers no other label. Only the first three may cover other circles.
    """
    if len(sizes) <= CROWDED:
        inside = [size >= LINE and len(label) <= 3 for size, label in zip(sizes, labels, strict=True)]
        return {
            page: (x, y + (LINE / 3 if inside[page] else sizes[page] + 0.85 * LINE)) for page, (x, y) in enumerate(at)
        }
    high = 0.6 * SMALL_LINE
    circles = [Box(x, y, size, size) for (x, y), size in zip(at, sizes, strict=True)]
    placed: dict[int, Box] = {}
    for page in sorted(range(len(sizes)), key=lambda page: -sizes[page])[: 3 * NAMED]:
        (x, y), size, wide = at[page], sizes[page], 0.28 * SMALL_LINE * len(labels[page])
        below, aside = size + high, size + wide + 6
        places = [Box(x + dx, y + dy, wide, high) for dx, dy in ((0, below), (0, -below), (aside, 0), (-aside, 0))]
        free = [box for box in places if box.fits() and not any(map(box.overlaps, placed.values()))]
        covered = [sum(map(box.overlaps, circles[:page] + circles[page + 1 :])) for box in free]
        if free and (not min(covered) or len(placed) < 3):
            placed[page] = free[covered.index(min(covered))]
        if len(placed) == NAMED:
            break
    return {page: (box.x, box.y + 0.3 * SMALL_LINE) for page, box in placed.items()}


def svg(picture: Picture, title: str, *, styled: bool = True) -> str:
    """The picture; not `styled`, its colours are left to the page around it."""
    sizes, pairs = radii(picture.values), set(picture.links)
    labels = picture.labels or picture.names
    crowded = ' class="crowded"' if len(sizes) > CROWDED else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img"{crowded}>',
        f"<title>{escape(_clean(title))}</title>" + (f"<style>{STYLE}</style>" if styled else ""),
        f'<defs><marker id="tip" viewBox="0 0 {TIP:g} {TIP:g}" refX="{TIP - 1:g}" refY="{TIP / 2:g}" '
        f'markerWidth="{TIP:g}" markerHeight="{TIP:g}" markerUnits="userSpaceOnUse" orient="auto">'
        f'<path class="tip" d="M0 0L{TIP:g} {TIP / 2:g}L0 {TIP:g}z"/></marker></defs>',
    ]
    for source, target in picture.links:
        bent = (target, source) in pairs
        path = link_path(picture.at[source], picture.at[target], sizes[target], bent=bent, from_room=sizes[source])
        parts.append(f'<path class="link" marker-end="url(#tip)" d="{path}"/>')
    for page, ((x, y), size) in enumerate(zip(picture.at, sizes, strict=True)):
        kind = f" kind-{picture.kinds[page]}" if picture.kinds else ""
        name = f"<title>{escape(_clean(picture.names[page]))}</title>"
        drawn = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:g}">{name}</circle>'
        address = picture.addresses.get(page)
        drawn = f"<a href={quoteattr(_clean(address))}>{drawn}</a>" if address else drawn
        parts.append(f'<g class="page{kind}">{drawn}</g>')
    names = [  # above all circles
        f'<text class="halo" x="{x:.1f}" y="{y:.1f}">{escape(_clean(labels[page]))}</text>'
        for page, (x, y) in label_places(picture.at, sizes, labels).items()
    ]
    return "\n".join([*parts, *names, "</svg>"]) + "\n"


def short(name: str, most: int = 18) -> str:
    """A name that fits beside a circle: of an address its last part.

    >>> short("http://example.com/docs/roses.html"), short("http://example.com/")
    ('roses.html', 'example.com')
    """
    if "://" in name:
        path = name.split("://", 1)[1].rstrip("/")
        name = path.rsplit("/", 1)[-1] if "/" in path else path
    return name if len(name) <= most else name[: most - 1] + "…"


def _clean(text: str) -> str:
    """Without what XML cannot hold and what would turn the direction of writing."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
