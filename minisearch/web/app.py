"""The web application: a box, two buttons, and the answers. Complete without JavaScript."""

from __future__ import annotations

import threading
from urllib.parse import unquote, urlsplit

from flask import Flask, Response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from minisearch.engine import Engine
from minisearch.errors import MiniSearchError
from minisearch.records import Hit
from minisearch.search.snippet import pieces

HITS = 10
LAST_PAGE = 1000
LONGEST_QUERY = 2000  # characters; a longer one is cut

HEADERS = {
    # form-action is left open: browsers apply it to redirects too, and a lucky search ends on the page it found.
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def create_app(db: str) -> Flask:
    """The application over one file. Each thread has an engine of its own, as SQLite likes it."""
    app = Flask("minisearch.web")
    local = threading.local()

    def engine() -> Engine:
        if not hasattr(local, "engine"):
            local.engine = Engine(db, create=False)
        found: Engine = local.engine
        return found

    @app.get("/")
    def home() -> str:
        return render_template("home.html", query="")

    @app.get("/search")
    def search() -> str | AnyResponse:
        query = asked()
        if "lucky" in request.args:
            return lucky()
        if not query.strip():
            return render_template("home.html", query=query)
        page = min(max(request.args.get("page", 1, type=int), 1), LAST_PAGE)
        fold = request.args.get("fold") != "0"
        results = engine().search(query, limit=HITS, page=page, fold=fold)
        pages = min(-(-(results.total - results.folded) // HITS), LAST_PAGE)
        kept = {} if fold else {"fold": "0"}  # in the links to other pages of hits
        return render_template("results.html", query=query, results=results, page=page, pages=pages, kept=kept)

    @app.get("/lucky")
    def lucky() -> str | AnyResponse:
        query = asked()
        hit = engine().lucky(query) if query.strip() else None
        if hit is not None and is_web(hit.url):
            return redirect(hit.url)
        if not query.strip():
            return render_template("home.html", query=query)
        return render_template("results.html", query=query, results=None, page=1, pages=0)

    @app.after_request
    def guard(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    @app.errorhandler(MiniSearchError)
    def trouble(error: MiniSearchError) -> tuple[str, int]:
        return render_template("trouble.html", message=str(error), query=""), 503

    @app.errorhandler(404)
    def missing(_error: Exception) -> tuple[str, int]:
        return render_template("trouble.html", message="There is no such page here.", query=""), 404

    app.jinja_env.filters.update(pieces=shown_pieces, trail=trail, web=is_web)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    return app


def asked() -> str:
    """The query of this request."""
    return request.args.get("q", "")[:LONGEST_QUERY]


def shown_pieces(hit: Hit) -> list[tuple[bool, str]]:
    """A hit's snippet, match by match."""
    return pieces(hit.snippet, hit.marks)


def trail(url: str) -> str:
    """A url as people read it.

    >>> trail("https://example.com/docs/caf%C3%A9.html")
    'example.com › docs › café.html'
    """
    parts = urlsplit(url)
    steps = [parts.netloc, *(step for step in unquote(parts.path).split("/") if step)]
    return " › ".join(steps) + (f" ? {unquote(parts.query)}" if parts.query else "")


def is_web(url: str) -> bool:
    """Whether a url may be put into a link or a redirect."""
    return urlsplit(url).scheme in ("http", "https")
