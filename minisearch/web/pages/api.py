"""The same answers for programs: JSON, described by /api/openapi.json, with errors as problem+json."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, current_app, jsonify, render_template, request

from minisearch.errors import NotFound
from minisearch.models import Explanation, Results, Verdict
from minisearch.search.compare import Comparison
from minisearch.search.inspect import PageAccount, TermAccount
from minisearch.web import asked
from minisearch.web.library import engine
from minisearch.web.openapi import described, document, optional
from minisearch.web.pages.stats import numbers
from minisearch.web.settings import settings
from minisearch.web.wish import LANGUAGE, LAST_PAGE, SITE, SORTS, Wish

MOST_HITS = 100
MOST_LINES = 500

pages = Blueprint("api", __name__)

WORDS = {"type": "string", "maxLength": asked.LONGEST_QUERY}
QUERY = WORDS | {"minLength": 1}
URL = {"type": "string", "minLength": 1, "maxLength": 8000}
LIMIT = {"type": "integer", "minimum": 1, "maximum": MOST_LINES}
BLEND = optional({"type": "number", "minimum": 0, "maximum": 1})


def _address() -> str:
    return settings().base_url.rstrip("/") or request.url_root.rstrip("/")


@pages.get("/api/search")
@described(
    "The pages that answer a query, best first.",
    Results,
    asks={
        "q": QUERY,
        "limit": optional({"type": "integer", "minimum": 1, "maximum": MOST_HITS}, 10),
        "page": optional({"type": "integer", "minimum": 1, "maximum": LAST_PAGE}, 1),
        "sort": optional({"type": "string", "enum": list(SORTS)}, "blend"),
        "blend": BLEND,
        "fold": optional({"type": "string", "enum": ["0", "1"]}, "1"),
        "site": optional({"type": "string", "maxLength": 300, "pattern": f"^({SITE.pattern})$"}),
        "lang": optional({"type": "string", "maxLength": 12, "pattern": f"^{LANGUAGE.pattern}$"}),
    },
)
def search() -> Response:
    """Hits, with counts by site and language."""
    wish = Wish(
        q=asked.words("q"),
        site=asked.matching("site", SITE),
        lang=asked.matching("lang", LANGUAGE),
        sort=asked.one_of("sort", SORTS),
        blend=asked.fraction("blend"),
        fold=int(asked.one_of("fold", ("1", "0"))),
    )
    limit, page = asked.count("limit", 10, MOST_HITS), asked.count("page", 1, LAST_PAGE)
    return jsonify(engine().search(wish.sought, limit=limit, page=page, facets=True, **wish.how()))


@pages.get("/api/suggest")
@described(
    "What a query may become.",
    {
        "type": "object",
        "required": ["query", "suggestions"],
        "properties": {"query": WORDS, "suggestions": {"type": "array", "items": {"type": "string"}}},
    },
    asks={"q": WORDS, "limit": optional({"type": "integer", "minimum": 1, "maximum": 50}, 8)},
)
def suggest() -> Response:
    """Titles and words that begin as typed."""
    typed = asked.words("q", may_be_empty=True)
    return jsonify(query=typed, suggestions=engine().suggest(typed, limit=asked.count("limit", 8, 50)))


@pages.get("/api/explain")
@described(
    "The account of a page's score.", Explanation, asks={"q": QUERY, "url": URL, "blend": BLEND}, errors=(400, 404)
)
def explain() -> Response:
    """Every number of a score."""
    return jsonify(engine().explain(asked.words("q"), asked.words("url", 8000), blend=asked.fraction("blend")))


@pages.get("/api/compare")
@described(
    "Why one page is above or below another.",
    Comparison,
    asks={"q": QUERY, "url": URL, "other": URL, "blend": BLEND},
    errors=(400, 404),
)
def compare() -> Response:
    """Two accounts side by side, and what would turn them."""
    first, second = asked.words("url", 8000), asked.words("other", 8000)
    return jsonify(engine().against(asked.words("q"), first, second, blend=asked.fraction("blend")))


@pages.get("/api/page/<int:number>")
@described(
    "All about a page.",
    PageAccount,
    asks={"number": {"type": "integer", "minimum": 0}, "limit": optional(LIMIT, 20)},
    errors=(400, 404),
)
def page(number: int) -> Response:
    """Ranks, terms and links of a page."""
    return jsonify(engine().page(engine().address(number), limit=asked.count("limit", 20, MOST_LINES)))


@pages.get("/api/term")
@described("The postings of a word.", TermAccount, asks={"word": QUERY, "limit": optional(LIMIT, 20)})
def term() -> Response:
    """Which pages have a word, and where."""
    return jsonify(engine().term(asked.words("word"), limit=asked.count("limit", 20, MOST_LINES)))


@pages.get("/api/why")
@described("What became of a url.", Verdict, asks={"url": URL}, errors=(400, 404))
def why() -> Response:
    """The verdict of the crawl."""
    return jsonify(engine().why(asked.words("url", 8000)))


@pages.get("/api/stats")
@described(
    "The file in numbers; of several files those that can be added up.",
    {"type": "object", "required": ["pages", "links"]},
    errors=(),
)
def stats() -> Response:
    """All numbers of the page of pictures."""
    return jsonify(numbers())


@pages.get("/api/openapi.json")
def openapi() -> Response:
    """What all of these take and give."""
    return jsonify(document(current_app, _address()))


@pages.get("/api/<path:_any>")
def missing(_any: str) -> Response:
    """Nothing."""
    raise NotFound("there is nothing at this address; /api/openapi.json tells what there is")


@pages.get("/opensearch.xml")
def opensearch() -> Response:
    """What a browser needs to know to search here."""
    return Response(
        render_template("opensearch.xml", address=_address()), mimetype="application/opensearchdescription+xml"
    )


@pages.get("/healthz")
def healthz() -> tuple[dict[str, Any], int, dict[str, str]]:
    """Whether the file can be read."""
    return {"status": "ok", "pages": engine().size()}, 200, {"Cache-Control": "no-store"}
