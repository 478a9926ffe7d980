"""The search page: a box, two buttons, and the answers."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from minisearch.search.searcher import nearly_tied
from minisearch.web import asked
from minisearch.web.library import engine, library
from minisearch.web.loosely import loosely
from minisearch.web.pieces import is_web
from minisearch.web.rows import rows
from minisearch.web.wish import FARTHER, HITS, Wish, last_page, moves, wished

pages = Blueprint("search", __name__)


@pages.get("/")
def home() -> str:
    """The box alone."""
    return render_template("home.html")


@pages.get("/search")
def results() -> str | AnyResponse:
    """One page of hits."""
    if "lucky" in request.args:
        return lucky()
    wish = wished()
    return _answers(wish) if wish.q.strip() else render_template("home.html", query=wish.q)


def _answers(wish: Wish) -> str:
    found = engine().search(wish.sought, limit=HITS, page=wish.page, facets=True, **wish.how())
    moved = {}
    if not wish.is_usual:
        reach = wish.page * HITS + FARTHER
        usual = engine().search(wish.sought, limit=reach, snippets=False, fold=bool(wish.fold))
        moved = moves(found, usual)
    return render_template(
        "results.html",
        query=wish.q,
        wish=wish,
        results=found,
        pages=last_page(found),
        moved=moved,
        rows=rows,
        loose=None if found.total else loosely(wish, engine()),
        blend=usual_blend() if wish.blend is None else wish.blend,
    )


def usual_blend() -> float:
    """How much links count if nobody moves the slider."""
    found: float = library().remember("blend", lambda: engine().ranking()["blend"])
    return found


@pages.get("/lucky")
def lucky() -> str | AnyResponse:
    """Straight to the best page; if another one is as good, to both."""
    wish = wished()
    if not wish.q.strip():
        return render_template("home.html", query=wish.q)
    found = engine().search(wish.sought, limit=2)
    if not found.hits:
        return _answers(wish)
    first = found.hits[0]
    if not is_web(first.url) or (nearly_tied(found.hits) and "go" not in request.args):
        told = engine().against(wish.sought, first.url, found.hits[1].url) if len(found.hits) > 1 else None
        return render_template("lucky.html", query=wish.q, wish=wish, results=found, told=told)
    return redirect(first.url)


@pages.get("/suggest")
def suggest() -> Response:
    """What the query may become, as OpenSearch has it: [query, [suggestions]]."""
    typed = asked.query()
    answer = jsonify([typed, engine().suggest(typed)])
    answer.content_type = "application/x-suggestions+json"
    return answer


@pages.get("/help")
def help_page() -> str:
    """What can be typed into the box, and which keys do what."""
    return render_template("help.html")
