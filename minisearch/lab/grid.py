"""Graphs as a matrix of numbers: how often the page of a row links to the page of a column, as spreadsheets have it.

0 1 1          numbers apart by blanks, tabs, semicolons or commas; 2 is a link that counts twice. With tabs or
1 0 0          semicolons a comma may stand in a number (0,5). A first line of names, or a first column of names,
0 1 0          or both, name the pages; else they are A, B, C ...
"""

from __future__ import annotations

import csv
import io
import re
from typing import NamedTuple

from minisearch.errors import BadInput
from minisearch.lab.edgelist import HEADINGS
from minisearch.lab.lines import HEAVIEST, clip, wrong
from minisearch.lab.webs import Web, letter

MOST_PAGES = 5_000  # rows and columns of a matrix: more is not looked at, and better kept as a list of links
NUMBER = re.compile(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?")


class _Line(NamedTuple):
    number: int  # in the text
    cells: list[str]


class _Grid(NamedTuple):
    head: list[str]  # names of the columns, if there are any
    names: list[str]  # of the rows, if there are any
    rows: list[_Line]


def parse_matrix(text: str, where: str) -> Web:
    """The web that a matrix stands for."""
    grid = _grid(text, where)
    if not grid.rows:
        raise BadInput(f"{where} has no numbers: a matrix has a line of numbers for each page")
    count = len(grid.rows[0].cells)
    if count > MOST_PAGES:
        raise BadInput(f"{where}: a matrix may have {MOST_PAGES:,} columns, not {count:,}")
    sources, targets, weights = [], [], []
    for row, (line, cells) in enumerate(grid.rows):
        if len(cells) != count:
            raise wrong(where, line, f"found {len(cells)} numbers, but {count} in the first row")
        for column, cell in enumerate(cells):
            weight = _weight(cell, where, line)
            if weight:
                sources.append(row)
                targets.append(column)
                weights.append(weight)
    if len(grid.rows) != count:
        last = grid.rows[-1].number
        names = "; its first line was read as names" if grid.head else ""
        how = f"a matrix must be square, not {len(grid.rows)} rows and {count} columns{names}"
        raise wrong(where, last, how)
    return Web.numbered(_names(grid, count, where), sources, targets, weights)


def looks_like_one(text: str, *, in_list: bool = False) -> bool:
    """Whether a text can be meant as a matrix and as nothing else that we read; or that is called a list of links.

    >>> looks_like_one("0 1\\n1 0"), looks_like_one("1,2\\n2,1"), looks_like_one("3\\n0 1\\n1 2")
    (True, False, False)
    """
    if text.count("\n") > 2 * MOST_PAGES:
        return False
    try:
        grid = _grid(text, "")
    except BadInput:
        return False
    count = len(grid.rows)
    if count < 2 or any(len(cells) != count or any(map(_is_word, cells)) for _, cells in grid.rows):
        return False
    if count > 3 or (grid.head and grid.names):
        return True  # no edge list has as many columns, or names along both sides
    if not all(all(cells) for _, cells in grid.rows):
        return False
    if count == 3 and any(not _weight(cells[-1], "", 0) for _, cells in grid.rows):
        return not (grid.head and grid.head[0].lower() in HEADINGS)  # no link has the weight 0
    return not in_list and not re.search(r"[\t,;]", text) and grid.rows[0].cells[0] == "0"  # no graph has 0 pages


def _grid(text: str, where: str) -> _Grid:
    """The lines of a matrix, without the names along its sides."""
    lines = _lines(text, where)
    first, rest = (lines[0].cells, lines[1:]) if lines else ([], [])
    under_numbers = bool(rest) and all(_is_number(cells[0]) for _, cells in rest)
    if any(map(_is_word, first[1:])) or (first and _is_word(first[0]) and (under_numbers or not first[1:])):
        width = len(rest[0].cells) if rest else 0
        numbered = any(map(_is_number, first[1:]))  # pages that are called by numbers, below a word in the corner
        named = width > len(first) or not first[0] or numbered or not under_numbers
        head, rows = first[1:] if named and width <= len(first) else first, rest
    else:
        head, rows = [], lines
        named = any(_is_word(cells[0]) for _, cells in rows)
    if not named:
        return _Grid(head, [], rows)
    return _Grid(head, [cells[0] for _, cells in rows], [_Line(number, cells[1:]) for number, cells in rows])


def _lines(text: str, where: str) -> list[_Line]:
    mark = next((mark for mark in "\t;," if mark in text), None)
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            cells = next(csv.reader([line.rstrip("\r")], delimiter=mark, strict=True)) if mark else line.split()
        except csv.Error as error:
            raise wrong(where, number, f"unbalanced quotes: {error}") from error
        lines.append(_Line(number, [cell.strip() for cell in cells]))
    return lines


def _names(grid: _Grid, count: int, where: str) -> list[str]:
    head = grid.head
    if head and len(head) != count:
        raise BadInput(f"{where}: the first line names {len(head)} pages, but the matrix has {count} columns")
    if head and grid.names and head != grid.names:
        place = next(place for place, pair in enumerate(zip(head, grid.names, strict=True)) if pair[0] != pair[1])
        reason = f"row {place + 1} is called {clip(grid.names[place])}, and column {place + 1} {clip(head[place])}"
        raise wrong(where, grid.rows[place].number, reason)
    names = head or grid.names or [letter(place) for place in range(count)]
    for place, name in enumerate(names):
        if not name:
            raise BadInput(f"{where}: page {place + 1} of the matrix has no name")
        if name in names[:place]:
            raise BadInput(f'{where}: two pages of the matrix are called "{clip(name)}"')
    return names


def _is_number(cell: str) -> bool:
    return NUMBER.fullmatch(cell) is not None


def _is_word(cell: str) -> bool:
    return bool(cell) and not _is_number(cell)


def _weight(cell: str, where: str, line: int) -> float:
    """How often a link counts; an empty cell says that there is none."""
    if not cell:
        return 0.0
    weight = float(cell.replace(",", ".")) if _is_number(cell) else -1.0
    if not 0 <= weight <= HEAVIEST:
        raise wrong(where, line, f'"{clip(cell)}" is not a number of links: write 0, 1, 2 or 0.5')
    return weight


def render_matrix(web: Web) -> str:
    """A web as a matrix with the names of its pages along both sides, apart by tabs."""
    if web.n > MOST_PAGES:
        raise BadInput(f"a matrix may have {MOST_PAGES:,} columns, not {web.n:,}: choose csv")
    if any(name != name.strip() or re.search(r"[\r\n]", name) for name in web.names):
        raise BadInput("a page name that starts or ends with a space is not allowed in a matrix: choose json")
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerow(["from", *web.names])
    for name, row in zip(web.names, web.counts.toarray().tolist(), strict=True):
        if name.startswith("#"):
            raise BadInput(f"{name!r} would be a comment in a matrix: choose json")
        writer.writerow([name, *(f"{often:.17g}" for often in row)])
    return out.getvalue()
