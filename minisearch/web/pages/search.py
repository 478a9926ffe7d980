"""The search page: a box, two buttons, and the answers."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from minisearch.web import asked
from minisearch.web.library import engine
from minisearch.web.shown import is_web

HITS = 10
LAST_PAGE = 1000

pages = Blueprint("search", __name__)


@pages.get("/")
def home() -> str:
    """The box alone."""
    return render_template("home.html")


@pages.get("/search")
def results() -> str | AnyResponse:
    """One page of hits."""
    query = asked.query()
    if "lucky" in request.args:
        return lucky()
    if not query.strip():
        return render_template("home.html", query=query)
    page = asked.whole("page", 1, 1, LAST_PAGE)
    fold = request.args.get("fold") != "0"
    found = engine().search(query, limit=HITS, page=page, fold=fold)
    last = min(-(-(found.total - found.folded) // HITS), LAST_PAGE)
    kept = {} if fold else {"fold": "0"}  # in the links to other pages of hits
    return render_template("results.html", query=query, results=found, page=page, pages=last, kept=kept)


@pages.get("/lucky")
def lucky() -> str | AnyResponse:
    """Straight to the best page."""
    query = asked.query()
    hit = engine().lucky(query) if query.strip() else None
    if hit is not None and is_web(hit.url):
        return redirect(hit.url)
    if not query.strip():
        return render_template("home.html", query=query)
    return render_template("results.html", query=query, results=None, page=1, pages=0)
