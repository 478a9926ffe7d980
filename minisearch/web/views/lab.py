"""The lab page: rank a graph, edit it, and see how the ranks change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from minisearch.errors import BadInput, MiniSearchError
from minisearch.lab.answer import answer, drawing, in_time
from minisearch.lab.crawls import payers, with_ranks, without_link
from minisearch.lab.experiment import perform
from minisearch.lab.formats import WITH_SCORES, render
from minisearch.lab.question import FIELDS, Question, choices, opened, understand
from minisearch.lab.sketch import Picture, short, svg
from minisearch.lab.webs import Web
from minisearch.models import counted
from minisearch.web.engines import engine
from minisearch.web.errors import status_of
from minisearch.web.openapi import described
from minisearch.web.params import MAX_QUERY
from minisearch.web.views.graph import MORE_EXPORTS, attachment, crawled, format_of

ROWS = 100  # of the table of ranks
HITS = 20  # of the query whose results depend on a link
LONGEST_FIELD = 2_000_000  # characters of a form field

bp = Blueprint("lab", __name__)
bp.add_app_template_filter(short, "label")


@bp.route("/lab", methods=["GET", "POST"])
@in_time
def show() -> str | tuple[str, int]:
    """The whole page; it works as a plain form without JavaScript."""
    more = {"choices": choices(), "what_if": what_if(request.args), "exports": list(MORE_EXPORTS)}
    params: dict[str, str] = {}
    try:
        params = fields()
        shown = results(understand(params, first_pages))
        return render_template("lab.html", params=params, digits=digits(params), **more, **shown)
    except MiniSearchError as error:
        params = params or dict(request.values.items())
        return render_template("lab.html", params=params, **more, trouble=str(error)), status_of(error)


@bp.post("/lab/results")
@in_time
def part() -> str | tuple[str, int]:
    """The results only, which the scripts put into the page."""
    try:
        params = fields()
        shown = results(understand(params, first_pages), laid="laid" in params)
        return render_template("lab/results.html", params=params, digits=digits(params), **shown)
    except MiniSearchError as error:
        return render_template("lab/trouble.html", trouble=str(error)), status_of(error)


@bp.route("/lab/export.<form>", methods=["GET", "POST"])
@in_time
def export(form: str) -> Response:
    """Download the graph, with its scores if the format can hold them, or as a picture."""
    kind, question = format_of(form, MORE_EXPORTS), understand(fields(), first_pages)
    if kind in WITH_SCORES:
        columns = perform(question.web, question.what).columns
        scores = {name.replace(" ", "_"): values.tolist() for name, values in columns.items()}
        return attachment("web", form, render(question.web, kind, scores))
    if kind:
        return attachment("web", form, render(question.web, kind))
    found, outcome = answer(question)
    return attachment("web", form, picture(drawing(question, found, outcome), styled=True))


@bp.get("/lab/what-if")
def missing_link() -> str:
    """The results of a query without a link, which the scripts put into the page."""
    return render_template("lab/what_if.html", what_if=what_if(request.args))


@bp.route("/api/lab", methods=["GET", "POST"])
@described(
    "Rank a graph: send the fields of the lab form, such as preset or text, method and damping.",
    {"type": "object"},
    body={
        "type": "object",
        "properties": {name: {"type": "string"} for name in ("preset", "text", "method", "damping")},
    },
    errors=(400, 404),
)
@in_time
def api() -> Response:
    """The same as JSON. The fields come from the URL, a form or a JSON object."""
    found, _ = answer(understand(fields(), first_pages))
    for picture in ("chart", "chart_ranks"):
        found.pop(picture, None)
    for matrix in found.get("matrices", []):
        matrix["entries"] = [[str(entry) for entry in row] for row in matrix["entries"]]
    return jsonify(found)


def first_pages(count: int) -> Web:
    """The top pages of the crawl by PageRank, and the links among them."""
    crawl = crawled()
    return crawl.part(crawl.first(count))


def fields() -> dict[str, str]:
    """The fields of this request; an uploaded file is the graph."""
    if request.is_json:
        body = request.get_json(silent=True)
        if not isinstance(body, dict):
            raise BadInput("send a JSON object with the fields of the lab form, such as preset and damping")
        given = {name: _word(value) for name, value in body.items() if value is not None and value is not False}
    else:
        given = dict(request.values.items())
    files = [(file.filename or "a file", file.read()) for file in request.files.getlist("file") if file.filename]
    if files:
        given |= {"text": "", "preset": "", "crawl": "", "web": opened(files)}
    return {name: given[name][:LONGEST_FIELD] for name in (*FIELDS, "digits", "laid") if given.get(name)}


def _word(value: Any) -> str:
    return "\n".join(map(_word, value)) if isinstance(value, list) else value if isinstance(value, str) else str(value)


def digits(params: Mapping[str, str]) -> int:
    """The number of decimals to show."""
    word = params.get("digits", "")
    return min(int(word), 16) if word.isascii() and word.isdigit() and len(word) < 3 else 6


def results(question: Question, *, laid: bool = False) -> dict[str, Any]:
    """The variables of the templates; without the picture if the pages are `laid` out already."""
    found, outcome = answer(question)
    drawn = drawing(question, found, outcome, laid=laid)
    data = {**drawn, "address": found["address"], "method": found["method"], "damping": found["damping"]}
    return {
        "question": question,
        "found": found,
        "shown_pages": ROWS,
        "picture": "" if laid else picture(drawn),
        "data": data,
    }


def picture(drawn: Mapping[str, Any], *, styled: bool = False) -> str:
    """The graph as SVG; with its own colours if it is a file of its own."""
    links = [(source, target) for source, target, _ in drawn["links"]]
    labels = [short(name) for name in drawn["names"]]
    sketch = Picture(drawn["names"], links, drawn["at"], drawn["values"], labels=labels)
    return svg(sketch, f"{counted(len(labels), 'page')} and their links", styled=styled)


def what_if(params: Mapping[str, str]) -> dict[str, Any]:
    """The query, the links with the largest contribution to its results, and the results without one of them."""
    query, source, target = (params.get(name, "").strip()[:MAX_QUERY] for name in ("query", "from", "to"))
    shown: dict[str, Any] = {"query": query, "from": source, "to": target}
    if not query:
        return shown
    try:
        hits = engine().search(query, limit=HITS, snippets=False, fold=False).hits
        crawl = crawled()
        known = engine().rank_options()
        how = {name: known[name] for name in ("damping", "repeated", "loops") if name in known}
        shown["links"] = payers(crawl, [hit.url for hit in hits[:5]], **how)
        if source and target:
            before, after = without_link(crawl, source, target, **how)
            shown["shifts"] = with_ranks(hits, after, float(engine().ranking()["blend"]))
            page = crawl.ids[crawl.web.number(target)]
            shown["rank"] = (float(before[page]), float(after[page]))
    except MiniSearchError as error:
        shown["trouble"] = str(error)
    return shown
