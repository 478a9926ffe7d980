"""Graphs as lines, one link on each: edge lists in TSV and CSV, and the pair of files of Common Crawl.

A line is `from<TAB>to`, or `from,to`, with a weight as third column if there is one; `from` alone is a page that has
no link. Lines that begin with # are comments, and a first line `source,target,weight` is a heading.

Common Crawl publishes web graphs as two files: vertices, with lines `number<TAB>name`, where com.example.www stands
for www.example.com, and edges, with lines `number<TAB>number`.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator

from minisearch.errors import BadInput
from minisearch.lab.lines import HEAVIEST, clip, wrong
from minisearch.lab.webs import Web

HEADINGS = {"source", "from", "src", "from_url", "page"}
HOST = re.compile(r"[\w-]+(\.[\w-]+)+")


def parse_edges(text: str, where: str, *, comma: bool = False) -> Web:
    """The web of an edge list; pages stand in the order in which they are first named."""
    numbers: dict[str, int] = {}
    sources, targets, weights = [], [], []
    for line, cells in _rows(text, where, comma=comma):
        name, target, weight, *more = (*cells, "", "")[: max(3, len(cells))]
        if more and any(more):
            raise wrong(where, line, f"expected from, to and weight but found {len(cells)} columns")
        if not name:
            raise wrong(where, line, "the link has no source page")
        source = numbers.setdefault(name, len(numbers))
        if target:
            sources.append(source)
            targets.append(numbers.setdefault(target, len(numbers)))
            weights.append(read_weight(weight, where, line) if weight else 1.0)
        elif weight:
            raise wrong(where, line, f"the link from {clip(name)} has a weight but no target page")
    if not numbers:
        raise BadInput(f"{where} has no links, only comments")
    return Web.numbered(numbers, sources, targets, weights)


def _rows(text: str, where: str, *, comma: bool) -> Iterator[tuple[int, list[str]]]:
    """(line number, cells) of every line that says something."""
    first = True
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip("\r")
        if not line.strip() or line.startswith("#"):
            continue
        if '"' in line:
            try:
                cells = next(csv.reader([line], delimiter="," if comma else "\t", strict=True))
            except csv.Error as error:
                raise wrong(where, number, f"unbalanced quotes: {error}") from error
        else:
            cells = line.split("," if comma else "\t" if "\t" in line else None)
        cells = [cell.strip() for cell in cells]
        if not (first and cells[0].lower() in HEADINGS):
            yield number, cells
        first = False


def read_weight(word: str, where: str, line: int) -> float:
    """The weight that a word stands for: a number above 0."""
    try:
        weight = float(word)
    except ValueError:
        weight = math.nan
    if not 0 < weight <= HEAVIEST:
        most = f" and up to {HEAVIEST:g}" if weight > HEAVIEST else ""
        raise wrong(where, line, f'a weight must be a number above 0{most}, not "{clip(word)}"')
    return weight


def render_edges(web: Web, *, comma: bool = False) -> str:
    """A web as an edge list; repeated links have their number as weight.

    Whoever reads it takes pages in the order in which they are named: if that is not theirs, all are named first.
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter="," if comma else "\t", lineterminator="\n")
    links = web.links()
    weighted = any(often != 1 for *_, often in links)
    columns = 2 + weighted
    writer.writerow(["source", "target", "weight"][:columns])
    named = tuple(dict.fromkeys(name for source, target, _ in links for name in (source, target)))
    before = web.names if named != web.names[: len(named)] else ()
    after = () if before else web.names[len(named) :]
    writer.writerows([_cell(name), "", ""][:columns] for name in before)
    for source, target, often in links:
        writer.writerow([*map(_cell, (source, target)), f"{often:.17g}"][:columns])
    writer.writerows([_cell(name), "", ""][:columns] for name in after)
    return out.getvalue()


def _cell(name: str) -> str:
    if name != name.strip() or "\n" in name or "\r" in name or name.startswith("#"):
        raise BadInput(f"{name!r} is not allowed as a page name in an edge list: choose json")
    return name


def parse_vertices(vertices: str, edges: str, where: tuple[str, str]) -> Web:
    """The web of a pair of files as Common Crawl has them."""
    numbers: dict[str, int] = {}
    names: dict[str, None] = {}
    for line, cells in _rows(vertices, where[0], comma=False):
        if len(cells) < 2 or not cells[1]:
            raise wrong(where[0], line, "expected number<TAB>name")
        name = turned(cells[1])
        if cells[0] in numbers or name in names:
            raise wrong(where[0], line, f'the page "{clip(cells[0])} {clip(name)}" is listed twice')
        numbers[cells[0]] = len(numbers)
        names[name] = None
    sources, targets = [], []
    for line, cells in _rows(edges, where[1], comma=False) if edges.strip() else ():
        if len(cells) != 2:
            raise wrong(where[1], line, f"expected number<TAB>number but found {len(cells)} columns")
        for cell in cells:
            if cell not in numbers:
                raise wrong(where[1], line, f'the page "{clip(cell)}" is not in {where[0]}')
        sources.append(numbers[cells[0]])
        targets.append(numbers[cells[1]])
    return Web.numbered(names, sources, targets)


def render_vertices(web: Web) -> tuple[str, str]:
    """A web as the two files of Common Crawl; a repeated link is written repeatedly."""
    for name in web.names:
        if "\t" in name:
            raise BadInput(f"{name!r} is not allowed as a page name in Common Crawl's format: choose json")
        _cell(name)
    vertices = "".join(f"{number}\t{turned(name)}\n" for number, name in enumerate(web.names))
    edges = "".join(f"{source}\t{target}\n" for source, target in web.each_link("Common Crawl"))
    return vertices, edges


def turned(name: str) -> str:
    """A host name with its parts the other way round; what is no host name stays as it is.

    >>> turned("com.example.www"), turned("www.example.com"), turned("https://example.com/a.html")
    ('www.example.com', 'com.example.www', 'https://example.com/a.html')
    """
    return ".".join(reversed(name.split("."))) if HOST.fullmatch(name) else name
