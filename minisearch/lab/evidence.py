"""How well numbers fit other numbers, given how many digits they were written with.

What fits is also priced, in bits: a fit that is easily had by chance is worth less.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from minisearch.lab.claims import FLOAT_NOISE, Claim

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
