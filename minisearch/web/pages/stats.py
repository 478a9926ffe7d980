"""The crawl in pictures."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template

from minisearch.web import charts
from minisearch.web.library import engine, library

pages = Blueprint("stats", __name__)


def numbers() -> dict[str, Any]:
    """All numbers of the file, worked out once for each state of it; of several files those that can be added up."""
    found: dict[str, Any] = library().remember("stats", _read)
    return found


def _read() -> dict[str, Any]:
    known = engine().stats()
    return known if "files" in known else {**known, "shape": engine().shape()}


@pages.get("/stats")
def show() -> str:
    """Sizes in words, the rest in pictures."""
    known = numbers()
    depths = charts.bars("Pages by depth", "links from the start", known["depths"], in_order=True)
    languages = charts.bars("Languages", "language", known["languages"])
    if "shape" not in known:
        pictures = [depths, charts.bars("What became of every url", "verdict", known["urls"], of="urls"), languages]
    else:
        shape, words = known["shape"], known["words"]
        pictures = [
            depths,
            charts.bars("What became of every url", "verdict", shape["fates"], of="urls"),
            charts.bars("What servers answered", "status", shape["statuses"], of="urls"),
            charts.bars("Types of pages", "content type", shape["types"]),
            languages,
            charts.bow_tie("The bow tie", shape["bow_tie"]),
            charts.dots("Links to a page", "links", "pages", {"in": shape["in"], "out": shape["out"]}),
            charts.dots("Words by frequency (Zipf)", "rank", "times", {"words": words["zipf"]}),
        ]
    return render_template("stats.html", known=known, pictures=pictures)
