"""Graphs in files: which format a file is in, reading it, writing it.

    pairs      5 (A,B) (B,C) ...        text of letters              exchange   JSON of GoJS diagrams
    ints       5  0 1  1 2 ...          text of numbers              node-link  JSON of D3 and networkx
    tsv, csv   edge lists               gexf, graphml  XML           cc         Common Crawl's vertices and edges
    matrix     rows of numbers, one for each page, as spreadsheets have them         address    A:B,C;B:A

The file name shows the format (.pairs.txt .ints.txt .matrix.txt .tsv .csv .json .gexf .graphml, vertices or
edges in it), otherwise the content does; .gz means compressed. A file is written as a whole or not at all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from minisearch.errors import BadInput
from minisearch.lab import address, edgelist, exchange, grid, plain
from minisearch.lab.exchange import Scores
from minisearch.lab.lines import decode, read_bytes, read_text, shown, write_whole
from minisearch.lab.webs import Web

PARSERS: dict[str, Callable[[str, str], Web]] = {
    "address": address.read,
    "pairs": plain.parse_pairs,
    "ints": plain.parse_ints,
    "matrix": grid.parse_matrix,
    "exchange": exchange.parse_diagram,
    "node-link": exchange.parse_node_link,
    "tsv": partial(edgelist.parse_edges, comma=False),
    "csv": partial(edgelist.parse_edges, comma=True),
    "gexf": exchange.parse_gexf,
    "graphml": exchange.parse_graphml,
}
WITH_SCORES = {"node-link": exchange.render_node_link, "gexf": exchange.render_gexf, "graphml": exchange.render_graphml}
RENDERERS: dict[str, Callable[[Web], str]] = {
    "address": lambda web: f"{address.written(web)}\n",
    "pairs": plain.render_pairs,
    "ints": plain.render_ints,
    "matrix": grid.render_matrix,
    "exchange": exchange.render_diagram,
    "tsv": partial(edgelist.render_edges, comma=False),
    "csv": partial(edgelist.render_edges, comma=True),
    **{form: partial(render, scores={}) for form, render in WITH_SCORES.items()},
}
FORMS = (*PARSERS, "cc")
LOSES_NAMES = ("pairs", "ints")

ENDINGS = {
    ".pairs.txt": "pairs",
    ".ints.txt": "ints",
    ".matrix.txt": "matrix",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".edges": "tsv",
    ".csv": "csv",
    ".gexf": "gexf",
    ".graphml": "graphml",
    ".node-link.json": "node-link",
    ".exchange.json": "exchange",
}
PARTS = re.compile(r"(vertices|edges)(?=[^/]*$)")  # in the name of one of Common Crawl's two files
NUMBERS_FIRST = re.compile(r"\s*\d+\s*(\(|$|\d)")


def read(name: str, form: str | None = None) -> Web:
    """The web in a file, "-" being standard input."""
    if form == "cc" or (form is None and _is_pair(name) and ("vertices" in name or os.path.exists(pair_of(name)[0]))):
        vertices, edges = pair_of(name)
        return edgelist.parse_vertices(
            read_text(vertices), decode(read_bytes(edges) or b"#", edges), where=(vertices, edges)
        )
    text = read_text(name)
    return parse(text, form or form_of(name, text), shown(name))


def parse(text: str, form: str, where: str = "the graph") -> Web:
    """The web that a text in one of the formats stands for. `where` is how errors call the text."""
    if form not in PARSERS:
        raise BadInput(f'unknown format "{form}": choose from {", ".join(FORMS)}')
    return PARSERS[form](text, where)


def render(web: Web, form: str, scores: Scores | None = None) -> str:
    """A web as a text in one of the formats, with scores of its pages where there is room for them."""
    if form in WITH_SCORES:
        return WITH_SCORES[form](web, scores or {})
    if form not in RENDERERS:
        raise BadInput(f'unknown format "{form}": choose from {", ".join(FORMS)}')
    return RENDERERS[form](web)


def write(web: Web, name: str, form: str | None = None, scores: Scores | None = None) -> str:
    """Put a web into a file, "-" being standard output; gives the format."""
    form = form or form_to_write(name)
    if scores and form not in WITH_SCORES:
        raise BadInput(f"{form} cannot hold scores: choose from {', '.join(WITH_SCORES)}")
    if form == "cc":
        texts = edgelist.render_vertices(web)
        for file, text in zip(pair_of(name), texts, strict=True):
            write_whole(file, text.encode())
    else:
        write_whole(name, render(web, form, scores).encode())
    return form


def form_to_write(name: str) -> str:
    """The format in which a file of this name is written."""
    form = "cc" if _is_pair(name) else by_ending(name) or _json_or_none(name)
    if form is None:
        raise BadInput(f'cannot choose a format for "{name}": end the name with {", ".join(ENDINGS)}')
    return form


def loses_names(web: Web, form: str) -> bool:
    """Whether pages have other names once they were written in a format."""
    return form in LOSES_NAMES and parse(render(web, form), form, "").names != web.names


def by_ending(name: str) -> str | None:
    """The format that the name of a file tells.

    >>> by_ending("links.csv.gz"), by_ending("links")
    ('csv', None)
    """
    bare = name.lower().removesuffix(".gz")
    return next((form for ending, form in ENDINGS.items() if bare.endswith(ending)), None)


def form_of(name: str, text: str) -> str:
    """The format of a text in a file of this name; a spreadsheet's .csv may as well be a matrix.

    >>> form_of("links.csv", "a,b"), form_of("links.csv", ",a,b\\na,0,1\\nb,1,0")
    ('csv', 'matrix')
    """
    form = by_ending(name)
    if form in ("csv", "tsv") and grid.looks_like_one(text, in_list=True):
        return "matrix"
    return form or by_content(text)


def _json_or_none(name: str) -> str | None:
    return "node-link" if name.lower().removesuffix(".gz").endswith(".json") else None


def by_content(text: str) -> str:
    """The format that a text looks like.

    >>> by_content("3 (A,B)"), by_content("3 0 1"), by_content("a\\tb"), by_content("a,b"), by_content("A:B;B:A")
    ('pairs', 'ints', 'tsv', 'csv', 'address')
    """
    if address.looks_like_one(text):
        return "address"
    start = text.lstrip()[:2000]
    if start.startswith(("{", "[")):
        return "exchange" if '"nodeDataArray"' in text else "node-link"
    if start.startswith("<"):
        return "graphml" if "<graphml" in start else "gexf"
    if grid.looks_like_one(text):
        return "matrix"
    lines = [line for line in start.splitlines() if line.strip()]
    if lines[0].startswith("#") or "\t" in lines[0]:
        return "tsv"
    if NUMBERS_FIRST.match(lines[0]) and "," not in lines[0].split("(")[0]:
        return "pairs" if "(" in text else "ints"
    if "(" in start and not re.search(r"^[^(]*,", start):
        return "pairs"  # with a wrong count, which its reader will tell
    return "csv" if "," in lines[0] else "tsv"


def _is_pair(name: str) -> bool:
    return bool(PARTS.search(name)) and by_ending(name) is None and Path(name).suffix in (".txt", ".gz", "")


def pair_of(name: str) -> tuple[str, str]:
    """The names of the two files, of which one is given.

    >>> pair_of("cc-main-2024-domain-edges.txt.gz")
    ('cc-main-2024-domain-vertices.txt.gz', 'cc-main-2024-domain-edges.txt.gz')
    """
    if not PARTS.search(name):
        raise BadInput(f'Common Crawl\'s file names contain "vertices" or "edges"; "{name}" does not')
    return PARTS.sub("vertices", name), PARTS.sub("edges", name)
