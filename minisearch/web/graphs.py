"""The link graph of the file, and graphs as files to download, for the graph page and the lab."""

from __future__ import annotations

from flask import Response

from minisearch.errors import NotFound
from minisearch.lab.crawls import Crawl, crawl_of
from minisearch.web.engines import engine, engines

EXPORTS = {  # by extension: the format of the lab, and the content type
    "gexf": ("gexf", "application/gexf+xml"),
    "graphml": ("graphml", "application/graphml+xml"),
    "csv": ("csv", "text/csv"),
    "json": ("node-link", "application/json"),
    "svg": ("", "image/svg+xml"),
}
MORE_EXPORTS = EXPORTS | {"matrix.txt": ("matrix", "text/plain")}  # of a small graph


def crawled() -> Crawl:
    """The link graph, read again when the file has changed."""
    return engines().cached("link graph", lambda: crawl_of(*engine().link_graph()))


def format_of(extension: str, exports: dict[str, tuple[str, str]]) -> str:
    """The format of an extension; '' is a picture."""
    if extension not in exports:
        raise NotFound(f'unknown export "{extension[:20]}": choose from {", ".join(exports)}')
    return exports[extension][0]


def download(name: str, extension: str, text: str) -> Response:
    """A response that a browser saves as a file."""
    response = Response(text, mimetype=MORE_EXPORTS[extension][1])
    response.headers["Content-Disposition"] = f"attachment; filename={name}.{extension}"
    return response
