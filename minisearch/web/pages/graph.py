"""The link graph of the crawl as a map, and as files for other programs."""

from __future__ import annotations

import json
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, url_for

from minisearch.errors import BadInput
from minisearch.lab.crawls import Crawl
from minisearch.lab.formats import render
from minisearch.lab.maps import COLOURS, MOST_PAGES, Map, as_dict, map_of
from minisearch.lab.sketch import svg
from minisearch.web import params
from minisearch.web.engines import engine
from minisearch.web.filters import is_web
from minisearch.web.graphs import EXPORTS, crawled, download, format_of
from minisearch.web.openapi import described, optional

PAGES = 100
MOST_EXPORTED = 5_000
pages = Blueprint("graph", __name__)


@pages.get("/graph")
def show() -> str:
    """The map."""
    if not engine().size():
        return render_template("graph.html", total=0)
    crawl = crawled()
    wish, drawn = asked_for(crawl)
    titles = titles_of(drawn)
    addresses = {place: url_for("details.page", number=number) for place, number in enumerate(drawn.ids)}
    picture = svg(
        drawn.picture(titles, addresses), f"{len(drawn.ids)} pages of the crawl by {wish['by']}", styled=False
    )
    data = {
        **{name: getattr(drawn, name) for name in ("links", "at", "kinds")},
        "names": [title or url for title, url in zip(titles, drawn.urls, strict=True)],
        "values": drawn.scores,
        "urls": drawn.urls,
        "addresses": [addresses[place] for place in range(len(drawn.ids))],
    }
    rows = list(zip(titles, drawn.urls, drawn.scores, drawn.links_in, drawn.links_out, data["addresses"], strict=True))
    return render_template(
        "graph.html", wish=wish, map=drawn, rows=rows, rankings=list(crawl.columns), colours=COLOURS, picture=picture,
        total=crawl.web.n, exports=list(EXPORTS), most=MOST_PAGES, data=json.dumps(data, ensure_ascii=False),
    )  # fmt: skip


@pages.get("/api/graph")
@described(
    "The first pages of the crawl by a ranking, the links among them, and places to draw them at.",
    {"type": "object", "required": ["total"]},
    asks={
        "n": optional({"type": "integer", "minimum": 1, "maximum": MOST_PAGES}, PAGES),
        "by": optional({"type": "string", "maxLength": 60}, "pagerank"),
    },
)
def api() -> Response:
    """The map as data."""
    crawl = crawled()
    wish, drawn = asked_for(crawl)
    return jsonify({**wish, "total": crawl.web.n, **as_dict(drawn, titles_of(drawn))})


@pages.get("/graph/export.<form>")
def export(form: str) -> Response:
    """The first pages in a file: with every score in GEXF, GraphML and JSON, as a picture in SVG."""
    kind = format_of(form, EXPORTS)
    crawl = crawled()
    if not kind:
        wish, drawn = asked_for(crawl)
        addresses = {place: url for place, url in enumerate(drawn.urls) if is_web(url)}
        text = svg(drawn.picture(titles_of(drawn), addresses), f"{len(drawn.ids)} pages by {wish['by']}")
    else:
        chosen = crawl.first(params.integer("n", PAGES, 1, MOST_EXPORTED), params.text("by", 60) or "pagerank")
        text = render(crawl.part(chosen), kind, crawl.scores(chosen))
    return download("graph", form, text)


def asked_for(crawl: Crawl) -> tuple[dict[str, Any], Map]:
    """What this request wishes to see, and the map of it."""
    wish: dict[str, Any] = {
        "n": params.integer("n", PAGES, 1, MOST_PAGES),
        "by": params.text("by", 60) or "pagerank",
        "colour": params.choice("colour", COLOURS),
    }
    if wish["by"] not in crawl.columns:
        raise BadInput(f'no ranking is called "{wish["by"]}": choose from {", ".join(crawl.columns)}')
    return wish, map_of(crawl, wish["n"], wish["by"], wish["colour"])


def titles_of(drawn: Map) -> list[str]:
    """The titles of the pages of a map."""
    titles = engine().titles(drawn.urls)
    return [titles.get(url, "") for url in drawn.urls]
