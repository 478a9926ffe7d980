"""The graded exercises of the handbook, and whether an answer is right.

The questions, hints and answers are in fixtures_site/handbook/exercises.json; the page exercises.html shows the
same questions.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Literal

from minisearch.errors import BadInput, NotFound
from minisearch.testing.server import FIXTURES

EXPECTED = {
    "number": "a number, such as 0.25, 1/4 or 25%",
    "name": "one name, such as index.html",
    "names": "names in any order, such as A,B",
    "order": "names in their order, the first one first, such as A,B,C",
}
SHORT_NUMBER = re.compile(r"[-+]?[\d./]{1,40}(e[-+]?\d{1,2})?", re.IGNORECASE)  # a huge exponent takes minutes


@dataclass(frozen=True, slots=True)
class Exercise:
    """A question of the handbook; a number is right if it is `within` so much of the answer."""

    number: int
    level: Literal["easy", "middle", "hard"]
    page: str
    question: str
    hint: str
    kind: Literal["number", "name", "names", "order"]
    answer: str
    command: str
    within: float = 0.0
    also: tuple[str, ...] = ()  # other right answers

    def accepts(self, given: str) -> bool:
        """Whether `given` is the answer; what is no answer at all is refused in words.

        >>> found = Exercise(1, "easy", "x.html", "1/8 of 2?", "", "number", "0.25", "", within=0.001)
        >>> found.accepts("1/4"), found.accepts("25 %"), found.accepts("0,3")
        (True, True, False)
        """
        if self.kind == "number":
            return abs(self._number(given) - self._number(self.answer)) <= self.within
        names = _names(given)
        if not names or (self.kind == "name" and len(names) != 1):
            raise BadInput(f"exercise {self.number} expects {EXPECTED[self.kind]}")
        answers = [_names(answer) for answer in (self.answer, *self.also)]
        return set(names) == set(answers[0]) if self.kind == "names" else names in answers

    def _number(self, given: str) -> Fraction:
        text, percent = re.subn(r"\s*%$", "", given.strip().replace(",", "."))
        try:
            if not SHORT_NUMBER.fullmatch(text):
                raise ValueError(text)
            return Fraction(text) / (100 if percent else 1)
        except (ValueError, ZeroDivisionError) as error:
            raise BadInput(f"exercise {self.number} expects {EXPECTED['number']}, not {given!r}") from error


def _names(given: str) -> list[str]:
    """The names in `given`: the last part of a URL, without .html, accents and upper case.

    >>> _names("A, b;http://127.0.0.1:8000/handbook/Index.html Četvrta")
    ['a', 'b', 'index', 'cetvrta']
    """
    letters = unicodedata.normalize("NFKD", given).casefold()
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    names = [name.rstrip("/").rpartition("/")[2] for name in re.split(r"[\s,;>]+", plain) if name]
    return [name.removesuffix(".html") for name in names]


@cache
def exercises() -> tuple[Exercise, ...]:
    """All of them, in their order."""
    found = json.loads((FIXTURES / "handbook" / "exercises.json").read_text("utf-8"))
    return tuple(Exercise(number=number, **fields) for number, fields in enumerate(found, start=1))


def exercise(number: int) -> Exercise:
    """The exercise with this number."""
    if not 1 <= number <= len(exercises()):
        raise NotFound(f"there is no exercise {number}: they go from 1 to {len(exercises())}")
    return exercises()[number - 1]
