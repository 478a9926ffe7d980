"""Ranks from another source, one number for each page, with the digits they were printed with, and how well others fit.

They come as CSV (`page,number` on each line), as JSON ({"A": 0.19, ...}, or [{"page": "A", "score": 0.19}, ...]), or
as a list of numbers in the order of the pages: .19 .23 .06, or 19% 23% 6%. The number of digits matters: 0.19 means
between 0.185 and 0.195.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minisearch.errors import BadInput
from minisearch.lab.lines import clip, read_text, shown, wrong
from minisearch.lab.webs import Web

NAMES = ("page", "name", "id", "url", "node")
VALUES = ("score", "rank", "value", "pagerank", "number")
FLOAT_NOISE = 2e-13  # what is left open by many additions, and by stopping when it has settled


@dataclass(frozen=True, slots=True)
class Claim:
    """A number as somebody wrote it."""

    page: str
    value: float
    unit: float  # of its last digit; 0 if it is exact
    text: str = ""  # as it was written


def read_claims(name: str, web: Web, *, partial: bool = False) -> list[Claim]:
    """The numbers in a file, or in `name` itself if it is a row of numbers. In the order of the web's pages."""
    if _looks_like_numbers(name) and not os.path.exists(name):
        return claims(_bare(name, web, "the numbers"), web, "the numbers", partial=partial)
    if not name.strip() or (" " in name.strip() and not os.path.exists(name)):
        raise BadInput(f'"{clip(name)}" is neither a file nor a list of numbers')
    return claims_in(read_text(name), web, shown(name), partial=partial)


def claims_in(text: str, web: Web, where: str = "the numbers", *, partial: bool = False) -> list[Claim]:
    """The numbers in a text of one of the forms above."""
    if _looks_like_numbers(text) and not re.search(r"[;\t\n]", text.strip()):
        return claims(_bare(text, web, where), web, where, partial=partial)
    return claims(_pairs(text, web, where), web, where, partial=partial)


def claims(
    pairs: Iterable[tuple[str, str, str]], web: Web, where: str = "the numbers", *, partial: bool = False
) -> list[Claim]:
    """The checked numbers of (page, number, place in the file)."""
    found: dict[str, Claim] = {}
    for page, word, place in pairs:
        if page not in web.numbers:
            raise BadInput(f'{where}{place}: no page of the graph is called "{clip(page)}"')
        if page in found:
            raise BadInput(f'{where}{place}: the page "{clip(page)}" is listed twice')
        found[page] = _claim(page, word, where + place)
    missing = [name for name in web.names if name not in found]
    if missing and (not partial or not found):
        some = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
        raise BadInput(f"{where}: no number for {some}; --partial uses the others only")
    return [found[name] for name in web.names if name in found]


def _claim(page: str, word: str, where: str) -> Claim:
    word = word.strip()
    bare, percent = word.removesuffix("%").rstrip(), word.endswith("%")
    try:
        if "/" in word:
            return Claim(page, float(Fraction(word)), 0.0, word)
        number = Decimal(bare).scaleb(-2 if percent else 0)
        exponent = number.as_tuple().exponent
        if not isinstance(exponent, int) or abs(number.adjusted()) > 300:
            raise InvalidOperation
        return Claim(page, float(number), 10.0**exponent, word)
    except (InvalidOperation, ValueError, ZeroDivisionError, OverflowError):
        raise BadInput(f'{where}: page {clip(page)} has "{clip(word)}", which is not a number') from None


def _looks_like_numbers(text: str) -> bool:
    words = _words(text)
    return bool(words) and all(re.fullmatch(r"[-+]?[\d.]+(e[-+]?\d+|/\d+|%)?", word, re.I) for word in words)


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s,;()\[\]]+", text) if word]


def _bare(text: str, web: Web, where: str) -> Iterator[tuple[str, str, str]]:
    words = _words(text)
    if len(words) != web.n:
        raise BadInput(_too_many_or_few(where, len(words), web))
    return ((page, word, "") for page, word in zip(web.names, words, strict=True))


def _too_many_or_few(where: str, count: int, web: Web) -> str:
    there = "is 1 number" if count == 1 else f"are {count} numbers"
    return f"{where}: there {there} for {web.n} pages"


def _pairs(text: str, web: Web, where: str) -> Iterator[tuple[str, str, str]]:
    if text.lstrip().startswith(("{", "[")):
        return _from_json(text, web, where)
    one_line = len(text.strip().splitlines()) == 1 and len(_words(text)) == web.n  # else it is page,number
    if _looks_like_numbers(text) and (one_line or not re.search(r"[,;\t]", text)):
        return _bare(text, web, where)
    return _from_lines(text, where)


def _from_lines(text: str, where: str) -> Iterator[tuple[str, str, str]]:
    first = True
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip().strip('"') for cell in re.split(r"[,;\t]", line)] if re.search(r"[,;\t]", line) else None
        cells = cells or line.rsplit(None, 1)
        if not (first and cells[0].lower() in NAMES):
            if len(cells) != 2:
                raise wrong(where, number, f"expected page,number but found {len(cells)} columns")
            yield cells[0], cells[1], f", line {number}"
        first = False


def _from_json(text: str, web: Web, where: str) -> Iterator[tuple[str, str, str]]:
    try:
        data = json.loads(text, parse_float=str, parse_int=str, parse_constant=str)  # as written, digit for digit
    except json.JSONDecodeError as error:
        raise wrong(where, error.lineno, f"this is not JSON: {error.msg} at column {error.colno}") from error
    except RecursionError as error:
        raise BadInput(f"{where}: this JSON is nested too deeply") from error
    if isinstance(data, dict):
        return ((page, _word(value), "") for page, value in data.items())
    if data and all(isinstance(entry, dict) for entry in data):
        return (_entry(entry, place, where) for place, entry in enumerate(data, 1))
    if len(data) != web.n:
        raise BadInput(_too_many_or_few(where, len(data), web))
    return ((page, _word(value), "") for page, value in zip(web.names, data, strict=True))


def _entry(entry: dict[str, Any], place: int, where: str) -> tuple[str, str, str]:
    page = next((entry[key] for key in NAMES if key in entry), None)
    value = next((entry[key] for key in VALUES if key in entry), None)
    if page is None or value is None:
        raise BadInput(f'{where}: entry {place} needs "page" and "score"')
    return _word(page), _word(value), f", entry {place}"


def _word(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)


Vector = NDArray[np.float64]

ROUNDED, CUT, UNIT, MISPRINT, CHANCE, NOT = FITS = (
    "rounded",
    "cut off",
    "one unit off",
    "all but one",
    "by chance",
    "not explained",
)
ENOUGH_DIGITS = 1e-3  # of the largest number: with fewer digits a misprint cannot be distinguished from another variant
MOSTLY_GONE = 0.05  # what is left in all of a rank that has leaked away
MOST_ERRORS = 3.5  # standard errors that chance may be off


class Evidence:
    """Somebody's numbers, to be held against rows of ranks."""

    def __init__(self, claims: Sequence[Claim], pages: Sequence[int]) -> None:
        self.claims, self.pages = tuple(claims), np.array(pages)
        self.values = np.array([claim.value for claim in claims])
        self.units = np.array([claim.unit for claim in claims])
        largest = np.abs(self.values).max(initial=0.0)
        self.nothing = largest == 0.0
        self.many_digits = len(claims) > 3 and bool((self.units <= ENOUGH_DIGITS * largest).all())

    def fit(self, rows: Vector) -> tuple[NDArray[np.int64], Vector]:
        """For each row, how well it fits (a place in FITS) and the differences, page by page."""
        off = rows[:, self.pages] - self.values
        error: Vector = np.abs(off)
        close = error <= self.units / 2 + FLOAT_NOISE
        towards_zero = np.where(self.values < 0, -off, off)
        cut = ((towards_zero >= -FLOAT_NOISE) & (towards_zero < self.units + FLOAT_NOISE)).all(axis=1)
        near = (error <= self.units + FLOAT_NOISE).all(axis=1)
        misprint = (close.sum(axis=1) == len(self.claims) - 1) & self.many_digits
        if self.nothing:  # then a rank is explained by being gone, not by having no digits to show
            drained = rows.sum(axis=1) < MOSTLY_GONE
            close, cut, near = close & drained[:, np.newaxis], cut & drained, near & drained
        level = np.select([close.all(axis=1), cut, near, misprint], [0, 1, 2, 3], default=len(FITS) - 1)
        return level, error

    def price(self, fit: str) -> float:
        """What a fit costs, in bits: one for every number that had two places to lie in."""
        return {ROUNDED: 0, CUT: 2, UNIT: 2 + len(self.claims), MISPRINT: 10, CHANCE: 12, NOT: 0}[fit]

    def exception(self, fit: str, errors: Vector, row: Vector) -> str:
        """Where a misprint is, in words."""
        if fit != MISPRINT:
            return ""
        place = int(errors.argmax())
        right = row[self.pages[place]]
        return f"; only {self.claims[place].page} is misprinted: {self.claims[place].value:g} instead of {right:.6g}"

    def walk(self) -> int:
        """How many moves of a random walk these numbers may be the frequencies of; 0 if they are none."""
        units = [unit for unit in self.units if unit > 0]
        usual = max(units, key=units.count, default=0.0)
        enough = len(units) == len(self.claims) and 1e-8 < usual < 1e-2
        whole = abs(float(self.values.sum()) - 1) <= usual * (len(units) + 2)
        return round(1 / usual) if enough and whole and bool((self.values >= 0).all()) else 0
