"""The home page, the results, "I'm feeling lucky", autocomplete, help, and the search box for other sites."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    jsonify,
    redirect,
    render_template,
    request,
    send_from_directory,
)
from werkzeug.wrappers import Response as AnyResponse

import minisearch
from minisearch.analysis.stopwords import stop_words
from minisearch.analysis.tokenizer import tokens
from minisearch.models import Results
from minisearch.search.query import asked_words, parse
from minisearch.search.searcher import nearly_tied
from minisearch.web.engines import engine, engines
from minisearch.web.filters import is_web
from minisearch.web.params import HITS, MAX_PAGE, TEXT, SearchParams, lenient

MAX_OFFERED = 8  # words of a query without results, with the number of pages that contain each
LOOK_BELOW = 40  # places below this page of results in which a page may have been in the default order
EXAMPLES = 3
MAX_SHARE = 0.8  # of the titles that may contain an example
STOP_LANGUAGES = ("en", "de", "es", "fr", "it", "ru", "sr")
TITLES = 300  # of the best ranked pages, from which the examples are drawn
EMBED_AGE = 3600  # seconds for which a browser keeps the script
BOOKS = Path(minisearch.__file__).parent / "sites"
BOOK_FILES = (".html", ".css", ".svg", ".png", ".js")

bp = Blueprint("search", __name__)


@bp.get("/")
def home(query: str = "") -> str:
    """The search box, what it searches, and where to go."""
    return render_template("home.html", query=query, **engines().cached("overview", _overview))


def _overview() -> dict[str, Any]:
    found = engine().overview()
    return {"overview": found, "examples": examples(engine().top(TITLES))}


def examples(ranked: Sequence[tuple[str, str, float]]) -> list[str]:
    """Words of several titles: those in most folders first, then those of the best ranked pages.

    `ranked` has (URL, title, score). A link farm has high ranks but few folders. Stop words are left out, and words of
    nearly all titles, such as the name of the site.

    >>> examples([("", "Pruning roses - Garden", 0.4), ("", "Roses - Garden", 0.3), ("", "The soil - Garden", 0.3)])
    ['roses']
    """
    folders: dict[str, list[str]] = defaultdict(list)
    weights: dict[str, float] = defaultdict(float)
    for url, title, score in ranked:
        for word in {match.group().lower() for match in tokens(title)}:
            folders[word].append(url.rpartition("/")[0])
            weights[word] += score
    often = range(2, int(MAX_SHARE * len(ranked)) + 1)
    best_first = sorted(weights, key=lambda word: (-len(set(folders[word])), -weights[word], word))
    words = [word for word in best_first if len(folders[word]) in often and len(word) > 3 and word.isalpha()]
    ignored = stop_words(words, STOP_LANGUAGES, enough=0)
    return [word for word, is_stop_word in zip(words, ignored, strict=True) if not is_stop_word][:EXAMPLES]


@bp.get("/search")
def results() -> str | AnyResponse:
    """One page of results."""
    if "lucky" in request.args:
        return lucky()
    params = SearchParams.from_request()
    return _results(params) if params.q.strip() else home(params.q)


def _results(params: SearchParams) -> str:
    found = engine().search(params.full_query, limit=HITS, page=params.page, facets=True, **params.options)
    moved = {}
    if not params.is_default_order:
        reach = params.page * HITS + LOOK_BELOW
        moved = moves(found, engine().search(params.full_query, limit=reach, snippets=False, fold=bool(params.fold)))
    return render_template(
        "results.html",
        query=params.q,
        params=params,
        results=found,
        last_page=min(-(-(found.total - found.folded) // HITS), MAX_PAGE),
        moved=moved,
        offer=None if found.total else _offer(params),
        blend=engines().cached("blend", lambda: engine().ranking()["blend"]) if params.blend is None else params.blend,
    )


def moves(found: Results, usual: Results) -> dict[int, int | None]:
    """By how many places each hit moved up from the default order; None: it was further down.

    >>> from minisearch.models import Hit
    >>> a, b = (Hit(f"http://{n}/", "", 1, 1, 1, "", page_id=n) for n in (1, 2))
    >>> moves(Results("", 2, (b, a), 0), Results("", 2, (a, b), 0))
    {2: 1, 1: -1}
    """
    before = {hit.page_id: place for place, hit in enumerate(usual.hits, usual.offset)}
    now = enumerate(found.hits, found.offset)
    return {hit.page_id: before[hit.page_id] - place if hit.page_id in before else None for place, hit in now}


def _offer(params: SearchParams) -> dict[str, Any]:
    """For a query without results: each of its words with the number of pages that contain it, and all of them
    without operators.
    """
    words = list(dict.fromkeys(asked_words(parse(params.q, ()).clauses)))[:MAX_OFFERED]
    counts = [(word, _total(params, word)) for word in words]
    query = " ".join(words)
    total = _total(params, query) if any(count for _, count in counts) else 0
    return {"words": counts, "query": query, "total": total}


def _total(params: SearchParams, query: str) -> int:
    return engine().search(replace(params, q=query).full_query, limit=1, snippets=False).total


@bp.get("/lucky")
def lucky() -> str | AnyResponse:
    """Redirect to the best page; if another one is nearly as good, show both."""
    params = SearchParams.from_request()
    if not params.q.strip():
        return home(params.q)
    found = engine().search(params.full_query, limit=2)
    if not found.hits:
        return _results(params)
    first = found.hits[0]
    if not is_web(first.url) or (nearly_tied(found.hits) and "go" not in request.args):
        compared = engine().against(params.full_query, first.url, found.hits[1].url) if len(found.hits) > 1 else None
        return render_template("lucky.html", query=params.q, params=params, results=found, compared=compared)
    return redirect(first.url)


@bp.get("/suggest")
def suggest() -> Response:
    """Completions of a query, in the format of OpenSearch: [query, [completions]]."""
    typed = lenient("q", TEXT)
    response = jsonify([typed, engine().suggest(typed)])
    response.content_type = "application/x-suggestions+json"
    return response


@bp.get("/help")
def help_page() -> str:
    """The search syntax and the keyboard shortcuts."""
    return render_template("help.html")


@bp.get("/learn/")
@bp.get("/learn/<path:name>")
def learn(name: str = "handbook/index.html") -> AnyResponse:
    """The handbook and the reference, which come with the package."""
    if not name.endswith(BOOK_FILES):
        abort(404)
    return send_from_directory(BOOKS, name, max_age=0)


@bp.get("/embed.js")
def embed() -> Response:
    """The search box for other sites. A browser loads modules of other origins only with this header."""
    response = send_from_directory(current_app.static_folder or "", "embed.js", max_age=EMBED_AGE)
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response
