"""A graph as a file to take away, in the formats that other programs read."""

from __future__ import annotations

from flask import Response

from minisearch.errors import NotFound

EXPORTS = {  # what the file ends with: its format in the lab, and its type
    "gexf": ("gexf", "application/gexf+xml"),
    "graphml": ("graphml", "application/graphml+xml"),
    "csv": ("csv", "text/csv"),
    "json": ("node-link", "application/json"),
    "svg": ("", "image/svg+xml"),
}
MORE_EXPORTS = EXPORTS | {"matrix.txt": ("matrix", "text/plain")}  # of a web that one can look at


def format_of(ending: str, exports: dict[str, tuple[str, str]]) -> str:
    """The format of a file that ends so; '' is a picture."""
    if ending not in exports:
        raise NotFound(f'no export is called "{ending[:20]}": choose from {", ".join(exports)}')
    return exports[ending][0]


def download(name: str, ending: str, text: str) -> Response:
    """The answer that a browser keeps as a file."""
    found = Response(text, mimetype=MORE_EXPORTS[ending][1])
    found.headers["Content-Disposition"] = f"attachment; filename={name}.{ending}"
    return found
