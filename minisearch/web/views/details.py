"""The pages behind the results: explanations, comparisons, pages, terms and the status of URLs."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from minisearch.errors import NotFound
from minisearch.web.engines import engine
from minisearch.web.params import BLEND, LIMIT, QUERY, URL, integer, lenient

TEXT_PART = 20_000  # characters of a page's text that are shown at a time

bp = Blueprint("details", __name__)


@bp.get("/explain")
def explain() -> str:
    """The explanation of a score, or of two side by side."""
    query, blend = lenient("q", QUERY), lenient("blend", BLEND)
    url, other = lenient("url", URL), lenient("against", URL)
    if not query.strip() or not url:
        return render_template("explain_form.html", query=query, url=url)
    if other:
        compared = engine().against(query, url, other, blend=blend)
        return render_template("compare.html", query=query, compared=compared)
    return render_template(
        "explain.html",
        query=query,
        explanation=engine().explain(query, url, blend=blend),
        others=engine().search(query, limit=10, blend=blend, snippets=False),
        blend=blend,
    )


@bp.get("/page")
def page_by_url() -> AnyResponse:
    """Redirect to the page of a URL, or to the status of the URL."""
    url = lenient("url", URL)
    number = engine().number(engine().normalize(url))
    return redirect(url_for(".why", url=url) if number is None else url_for(".page", number=number))


@bp.get("/page/<int:number>")
def page(number: int) -> str:
    """Page details."""
    url = engine().address(number)
    rows = lenient("lines", LIMIT)
    return render_template(
        "page.html",
        number=number,
        page=engine().page(url, limit=rows),
        verdict=engine().why(url),
        report=engine().advice(number),
        rows=rows,
        max_rows=LIMIT["maximum"],
    )


@bp.get("/page/<int:number>/text")
def page_text(number: int) -> str:
    """The indexed text of a page, never its HTML."""
    url = engine().address(number)
    content, headings = engine().text(number)
    last = max(-(-len(content) // TEXT_PART), 1)
    part = lenient("part", integer(1, last, 1))
    lines = content[(part - 1) * TEXT_PART : part * TEXT_PART].splitlines()
    return render_template("text.html", number=number, url=url, lines=lines, headings=headings, part=part, last=last)


@bp.get("/term/")
@bp.get("/term/<path:word>")
def term(word: str = "") -> str:
    """The postings of a word."""
    word = word or lenient("word", QUERY)
    rows = lenient("lines", LIMIT)
    found = engine().term(word, limit=rows) if word.strip() else None
    return render_template("term.html", word=word, term=found, rows=rows, max_rows=LIMIT["maximum"])


@bp.get("/why")
def why() -> str | tuple[str, int]:
    """The crawl status of a URL."""
    url = lenient("url", URL)
    if not url:
        return render_template("why.html", url="", verdict=None, number=None)
    try:
        verdict = engine().why(url)
    except NotFound:
        return render_template("why.html", url=url, verdict=None, number=None), 404
    number = engine().number(verdict.target or verdict.url)
    return render_template("why.html", url=url, verdict=verdict, number=number)
