"""The values of the lab form with their descriptions."""

from __future__ import annotations

from typing import Any

from minisearch.lab.formats import PARSERS
from minisearch.lab.heard import APPLICABLE, METHODS
from minisearch.lab.lessons import LESSONS
from minisearch.lab.presets import presets
from minisearch.rank.conventions import CONVENTIONS
from minisearch.rank.pagerank import DANGLING


def choices() -> dict[str, Any]:
    """Each field with its values and what they mean."""
    return {
        "presets": [(one.name, one.about, one.source, one.where) for one in presets()],
        "methods": METHODS,
        "applicable": APPLICABLE,
        "dangling": {name: f"a surfer there {meaning}" for name, meaning in DANGLING.items()},
        "conventions": {one.name: one.source for one in CONVENTIONS.values()},
        "forms": list(PARSERS),
        "lessons": LESSONS,
    }
