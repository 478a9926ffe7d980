"""What is misprinted in the literature, what is right, and how the mistake came about.

Every value was recomputed; those that are numbers of a graph are recomputed again by the tests.
"""

from __future__ import annotations

from dataclasses import dataclass

from minisearch.errors import NotFound
from minisearch.lab.presets import Published, cited, published, table

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
