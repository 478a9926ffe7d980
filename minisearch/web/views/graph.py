"""The link graph of the crawl as a picture, as JSON and as files for other programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, url_for

from minisearch.errors import BadInput, NotFound
from minisearch.lab.crawls import Crawl, crawl_of
from minisearch.lab.formats import render
from minisearch.lab.maps import COLOURS, MOST_PAGES, Map, as_dict, map_of
from minisearch.lab.sketch import svg
from minisearch.models import counted
from minisearch.web.engines import engine, engines
from minisearch.web.filters import is_web
from minisearch.web.openapi import described
from minisearch.web.params import integer, lenient, optional

PAGES = 100
PICTURE = {  # the parameters of the picture
    "n": integer(1, MOST_PAGES, PAGES),
    "by": optional({"type": "string", "maxLength": 60}, "pagerank"),
    "colour": optional({"type": "string", "enum": list(COLOURS)}, COLOURS[0]),
    "template": optional({"type": "string", "enum": ["show", "hide"]}, "show"),
}
EXPORTED = integer(1, 5_000, PAGES)  # pages
EXPORTS = {  # by extension: the format of the lab ("": a picture), and the content type
    "gexf": ("gexf", "application/gexf+xml"),
    "graphml": ("graphml", "application/graphml+xml"),
    "csv": ("csv", "text/csv"),
    "json": ("node-link", "application/json"),
    "svg": ("", "image/svg+xml"),
}
MORE_EXPORTS = EXPORTS | {"matrix.txt": ("matrix", "text/plain")}  # of the small graphs of the lab

bp = Blueprint("graph", __name__)


@bp.get("/graph")
def show() -> str:
    """Show the picture."""
    if not engine().size():
        return render_template("graph.html", total=0)
    crawl = crawled()
    options = requested(template="hide")
    drawn = drawing(crawl, **options)
    titles = titles_of(drawn)
    addresses = {place: url_for("details.page", number=number) for place, number in enumerate(drawn.ids)}
    picture = drawn.picture(titles, addresses)
    return render_template(
        "graph.html", options=options, map=drawn, rows=as_dict(drawn, titles)["pages"], rankings=list(crawl.columns),
        picture=svg(picture, f"{counted(len(drawn.ids), 'page')} of the crawl by {options['by']}", styled=False),
        data=asdict(picture) | {"urls": drawn.urls}, total=crawl.web.n, colours=COLOURS, exports=list(EXPORTS),
        most=MOST_PAGES,
    )  # fmt: skip


@bp.get("/api/graph")
@described(
    "The first pages of the crawl by a ranking, the links among them, and places to draw them at.",
    {"type": "object", "required": ["total"]},
    parameters=PICTURE,
)
def api(**options: Any) -> Response:
    """Return the pages, links and coordinates of the picture."""
    crawl = crawled()
    drawn = drawing(crawl, **options)
    return jsonify({**options, "total": crawl.web.n, **as_dict(drawn, titles_of(drawn))})


@bp.get("/graph/export.<form>")
def export(form: str) -> Response:
    """Export the first pages: GEXF, GraphML and JSON with every score, SVG as a picture."""
    kind = format_of(form, EXPORTS)
    crawl = crawled()
    if not kind:
        options = requested()
        drawn = drawing(crawl, **options)
        addresses = {place: url for place, url in enumerate(drawn.urls) if is_web(url)}
        text = svg(drawn.picture(titles_of(drawn), addresses), f"{counted(len(drawn.ids), 'page')} by {options['by']}")
    else:
        chosen = crawl.first(lenient("n", EXPORTED), lenient("by", PICTURE["by"]))
        text = render(crawl.part(chosen), kind, crawl.scores(chosen))
    return attachment("graph", form, text)


def crawled() -> Crawl:
    """The link graph, read again when the file has changed."""
    return engines().cached("link graph", lambda: crawl_of(*engine().link_graph()))


def requested(template: str = "show") -> dict[str, Any]:
    """The picture that this request asks for; `template` is the default of that parameter."""
    schemas = PICTURE | {"template": optional(PICTURE["template"], template)}
    return {name: lenient(name, schema) for name, schema in schemas.items()}


def drawing(crawl: Crawl, n: int, by: str, colour: str, template: str) -> Map:
    """The first `n` pages by a ranking, and where to draw them."""
    if by not in crawl.columns:
        raise BadInput(f'no ranking is called "{by}": choose from {", ".join(crawl.columns)}')
    return map_of(crawl, n, by, colour, template=template != "hide")


def titles_of(drawn: Map) -> list[str]:
    """The titles of the pages of the picture."""
    titles = engine().titles(drawn.urls)
    return [titles.get(url, "") for url in drawn.urls]


def format_of(extension: str, exports: dict[str, tuple[str, str]]) -> str:
    """The format of an extension; '' is a picture."""
    if extension not in exports:
        raise NotFound(f'unknown export "{extension[:20]}": choose from {", ".join(exports)}')
    return exports[extension][0]


def attachment(name: str, extension: str, text: str) -> Response:
    """A response that a browser saves as a file."""
    headers = {"Content-Disposition": f"attachment; filename={name}.{extension}"}
    return Response(text, mimetype=MORE_EXPORTS[extension][1], headers=headers)
