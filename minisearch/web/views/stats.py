"""The collection in numbers and charts."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template

from minisearch.web import charts
from minisearch.web.engines import engine, engines

bp = Blueprint("stats", __name__)


def numbers() -> dict[str, Any]:
    """All statistics of the file; of several files those that can be added up."""
    return engines().cached("stats", _read)


def _read() -> dict[str, Any]:
    known = engine().stats()
    return known if "files" in known else {**known, "shape": engine().shape()}


@bp.get("/stats")
def show() -> str:
    """The statistics page."""
    known = numbers()
    depths = charts.bars("Pages by link depth", "links from a seed URL", known["depths"], in_order=True)
    languages = charts.bars("Pages by language", "language", known["languages"])
    if "shape" not in known:
        pictures = [depths, charts.bars("URLs by status", "status", known["urls"], of="URLs"), languages]
    else:
        shape, words = known["shape"], known["words"]
        pictures = [
            depths,
            charts.bars("URLs by status", "status", shape["fates"], of="URLs"),
            charts.bars("URLs by HTTP status", "HTTP status", shape["statuses"], of="URLs"),
            charts.bars("Pages by content type", "content type", shape["types"]),
            languages,
            charts.bow_tie("Bow tie of the link graph", shape["bow_tie"]),
            charts.dots("Links per page", "links", "pages", {"in": shape["in"], "out": shape["out"]}),
            charts.dots("Word frequencies (Zipf)", "rank", "occurrences", {"words": words["zipf"]}),
        ]
    return render_template("stats.html", known=known, pictures=pictures)
