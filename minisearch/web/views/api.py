"""The JSON API, described by /api/openapi.json, with errors as problem+json."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, render_template, request
from werkzeug.http import generate_etag

from minisearch.errors import NotFound
from minisearch.models import Explanation, Results, Verdict
from minisearch.search.compare import Comparison
from minisearch.search.inspect import PageAccount, TermAccount
from minisearch.web.config import settings
from minisearch.web.engines import engine
from minisearch.web.openapi import described, document
from minisearch.web.params import BLEND, LIMIT, QUERY, SEARCH, TEXT, URL, SearchParams, integer, optional
from minisearch.web.views.stats import numbers

bp = Blueprint("api", __name__)


def _root() -> str:
    """The public URL of the application, without a slash at the end."""
    return settings().base_url.rstrip("/") or request.url_root.rstrip("/")


@bp.get("/api/search")
@described("Search: the matching pages, best first.", Results, parameters=SEARCH | {"limit": integer(1, 100, 10)})
def search(limit: int, **query: Any) -> Response:
    """Hits, with counts by site and language."""
    params = SearchParams(**query)
    found = engine().search(params.full_query, limit=limit, page=params.page, facets=True, **params.options)
    response = jsonify(found)
    response.set_etag(generate_etag(repr(replace(found, took_ms=0)).encode()))  # the time differs with every request
    return response


@bp.get("/api/suggest")
@described(
    "Completions of a query.",
    {
        "type": "object",
        "required": ["query", "suggestions"],
        "properties": {"query": TEXT, "suggestions": {"type": "array", "items": {"type": "string"}}},
    },
    parameters={"q": optional(TEXT, ""), "limit": integer(1, 50, 8)},
)
def suggest(q: str, limit: int) -> Response:
    """Titles and words that begin with the query."""
    return jsonify(query=q, suggestions=engine().suggest(q, limit=limit))


@bp.get("/api/explain")
@described(
    "The explanation of a page's score.",
    Explanation,
    parameters={"q": QUERY, "url": URL, "blend": BLEND},
    errors=(400, 404),
)
def explain(q: str, url: str, blend: float | None) -> Response:
    """Every number of a score."""
    return jsonify(engine().explain(q, url, blend=blend))


@bp.get("/api/compare")
@described(
    "Why one page ranks above another.",
    Comparison,
    parameters={"q": QUERY, "url": URL, "other": URL, "blend": BLEND},
    errors=(400, 404),
)
def compare(q: str, url: str, other: str, blend: float | None) -> Response:
    """Two explanations side by side, and what would change the order."""
    return jsonify(engine().against(q, url, other, blend=blend))


@bp.get("/api/page/<int:number>")
@described(
    "Page details.",
    PageAccount,
    parameters={"number": {"type": "integer", "minimum": 0}, "limit": LIMIT},
    errors=(400, 404),
)
def page(number: int, limit: int) -> Response:
    """Ranks, terms and links of a page."""
    return jsonify(engine().page(engine().address(number), limit=limit))


@bp.get("/api/term")
@described("The postings of a word.", TermAccount, parameters={"word": QUERY, "limit": LIMIT})
def term(word: str, limit: int) -> Response:
    """Which pages contain a word, and where."""
    return jsonify(engine().term(word, limit=limit))


@bp.get("/api/why")
@described("The crawl status of a URL.", Verdict, parameters={"url": URL}, errors=(400, 404))
def why(url: str) -> Response:
    """Status, rule and crawl path of a URL."""
    return jsonify(engine().why(url))


@bp.get("/api/stats")
@described(
    "Statistics of the file; of several files those that can be added up.",
    {"type": "object", "required": ["pages", "links"]},
    errors=(),
)
def stats() -> Response:
    """All numbers of the statistics page."""
    return jsonify(numbers())


@bp.get("/api/openapi.json")
def openapi() -> Response:
    """The OpenAPI document."""
    return jsonify(document(current_app, _root()))


@bp.get("/api/<path:_any>")
def missing(_any: str) -> Response:
    """404 as problem+json."""
    raise NotFound("unknown endpoint; see /api/openapi.json")


@bp.get("/opensearch.xml")
def opensearch() -> Response:
    """The description with which browsers add this search."""
    page = render_template("opensearch.xml", root=_root())
    return Response(page, mimetype="application/opensearchdescription+xml")


@bp.get("/healthz")
def healthz() -> tuple[dict[str, Any], int, dict[str, str]]:
    """Whether the file can be read."""
    return {"status": "ok", "pages": engine().size()}, 200, {"Cache-Control": "no-store"}
