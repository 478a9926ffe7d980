"""What there is to choose from in the lab, in words, for a form."""

from __future__ import annotations

from typing import Any

from minisearch.lab.formats import PARSERS
from minisearch.lab.heard import HEARD_BY, METHODS
from minisearch.lab.lessons import LESSONS
from minisearch.lab.presets import presets
from minisearch.rank.conventions import CONVENTIONS
from minisearch.rank.pagerank import DANGLING


def choices() -> dict[str, Any]:
    """Each choice with its values and what they mean."""
    return {
        "presets": [(one.name, one.about, one.source, one.where) for one in presets()],
        "methods": METHODS,
        "heard_by": HEARD_BY,
        "dangling": {name: f"a reader there {meaning}" for name, meaning in DANGLING.items()},
        "conventions": {one.name: one.source for one in CONVENTIONS.values()},
        "forms": list(PARSERS),
        "lessons": LESSONS,
    }
